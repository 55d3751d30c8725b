//! Single positions.

use std::time::Duration;

use gipf::{Geometry, Position, Setup, Variant};
use gipf_engine::solve::{Budget, OutOfBudget, Verdict, shortest_win, solve};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Side;
use search::{HeldTime, Limits, Time};

use crate::slow;

/// Positions of a data file, with how they end.
fn entries(data: &str) -> impl Iterator<Item = (Position, Verdict)> {
    let lines = data.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (position, expected) = line.split_once(';').unwrap();
        let expected = match expected.trim() {
            "W" => Verdict::Win(Side::First),
            "B" => Verdict::Win(Side::Second),
            "=" => Verdict::Tie,
            other => panic!("{other}"),
        };
        (position.parse().unwrap(), expected)
    })
}

#[test]
fn known_truths() {
    for (position, expected) in entries(include_str!("../data/solve.txt")) {
        assert_eq!(
            solve(&position, &Budget::default()),
            Ok(expected),
            "{position}"
        );
    }
}

#[test]
fn end_states() {
    let endings: Vec<_> = entries(include_str!("../data/endings.txt")).collect();
    assert_eq!(endings.len(), 11);
    for (position, expected) in endings {
        assert_eq!(
            solve(&position, &Budget::default()),
            Ok(expected),
            "{position}"
        );
        // The slow solver where it can, and otherwise all lines of a few plies.
        match (slow::solve(&position, 10_000), expected) {
            (Some(values), _) => {
                let winner = values[&position].map(|(winner, _)| Verdict::Win(winner));
                assert_eq!(winner.unwrap_or(Verdict::Tie), expected, "{position}");
            }
            (None, Verdict::Win(side)) => {
                assert!(slow::wins_within(&position, side, 4), "{position}");
            }
            (None, Verdict::Tie) => panic!("{position}: no second opinion"),
        }
    }
}

#[track_caller]
fn check_length(position: &str, most: u32, expected: Option<(Side, u32)>) {
    let position: Position = position.parse().unwrap();
    let found = shortest_win(&position, most, &Budget::default());
    assert_eq!(found, Ok(expected), "{position}");
}

#[test]
fn known_lengths() {
    check_length("2 3 5 5", 0, None);
    check_length("2 3 5 5", 9, Some((Side::First, 1)));
    check_length("3 3 4 4", 1, None);
    check_length("3 3 4 4", 2, Some((Side::Second, 2)));
    check_length("2 3 5 5 0 2 W WB/B_W/WB", 5, Some((Side::Second, 0)));
}

/// A board with stones here and there but no row, small reserves, either side to move.
fn random_position(rng: &mut ChaCha8Rng) -> Position {
    loop {
        let size = if rng.random_range(0..8) == 0 { 3 } else { 2 };
        let run = rng.random_range(2..=3);
        let reserves = match size {
            2 => [0, 1].map(|_| rng.random_range(0..4)),
            _ => [0, 1].map(|_| rng.random_range(0..2)),
        };
        let variant = Variant::new(size, run, 12, 12).unwrap();
        let points = Geometry::of(size).points();
        let mut stones = [0; 2];
        for _ in 0..rng.random_range(0..=2 * size) {
            let bit = 1 << rng.random_range(0..points);
            if (stones[0] | stones[1]) & bit == 0 {
                stones[rng.random_range(0..2)] |= bit;
            }
        }
        let side = Side::BOTH[rng.random_range(0..2)];
        let setup = Setup {
            variant,
            reserves,
            side,
            stones,
        };
        if let Ok(position) = Position::try_from(setup) {
            return position;
        }
    }
}

#[test]
fn agrees_with_the_slow_solver() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut counts = [0; 3];
    while counts.iter().sum::<u32>() < 2500 {
        let start = random_position(&mut rng);
        let Some(values) = slow::solve(&start, 3_000) else {
            continue;
        };
        let mut some: Vec<_> = values.iter().collect();
        some.sort_by_key(|(position, _)| position.to_string());
        for _ in 0..25 {
            let (position, value) = some[rng.random_range(0..some.len())];
            let expected = value.map_or(Verdict::Tie, |(winner, _)| Verdict::Win(winner));
            assert_eq!(
                solve(position, &Budget::default()),
                Ok(expected),
                "{position}"
            );
            // Looking a little further or less far than needed.
            let length = value.map_or(6, |(_, length)| length);
            let most = rng.random_range(length.saturating_sub(1)..=length + 1);
            assert_eq!(
                shortest_win(position, most, &Budget::default()),
                Ok(value.filter(|(_, length)| *length <= most)),
                "{position} within {most}"
            );
            counts[match expected {
                Verdict::Win(side) => side.index(),
                Verdict::Tie => 2,
            }] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn budgets_hold() {
    for position in ["4 4 15 15", "3 3 8 8"] {
        let position: Position = position.parse().unwrap();
        let short = Budget {
            limits: Limits::default().with_wall(Duration::from_millis(30)),
            ..Budget::default()
        };
        assert_eq!(solve(&position, &short), Err(OutOfBudget));
        assert_eq!(shortest_win(&position, 99, &short), Err(OutOfBudget));
        assert_eq!(shortest_win(&position, 10_000, &short), Err(OutOfBudget));
        let small = Budget {
            memory: 1 << 20,
            ..Budget::default()
        };
        assert_eq!(solve(&position, &small), Err(OutOfBudget));
    }
}

/// Time goes by at each reading of the clock alone, so that nothing depends on the machine: each
/// of the searches may find out that it is over, and then nobody reads the clock again.
#[test]
fn time_limits_hold() {
    let wall = Duration::from_millis(300);
    for position in ["4 4 15 15", "3 3 8 8", "3 4 8 8"] {
        let position: Position = position.parse().unwrap();
        for (length, step) in [(100, 1), (u32::MAX, 1), (100, 10), (u32::MAX, 100)] {
            let step = Duration::from_millis(step);
            let time = HeldTime::new(step);
            let budget = Budget {
                limits: Limits {
                    time: Time::held(&time),
                    ..Limits::default().with_wall(wall)
                },
                ..Budget::default()
            };
            let found = shortest_win(&position, length, &budget);
            assert_eq!(found, Err(OutOfBudget), "{position}");
            let most = wall + LATE * step;
            assert!(time.now() <= most, "{position}: {:?}", time.now());
        }
    }
}

/// Readings of the clock after the time is over: at most one for each of three threads in the
/// midst of their work, and three where they come together.
const LATE: u32 = 6;

#[test]
fn a_tie_has_no_win_however_long() {
    check_length("2 2 5 5", 10_000, None);
    check_length("2 2 8 8 3 3 W __/___/__", u32::MAX, None);
    check_length("3 4 5 5", 250, Some((Side::Second, 4)));
}
