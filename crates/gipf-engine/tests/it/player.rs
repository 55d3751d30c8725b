//! The player and its search.

use gipf::{Position, Variant};
use gipf_engine::player::{Player, Weights};
use gipf_engine::solve::{Budget, Verdict, solve};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, WIN};
use search::Limits;

/// A player that has no tables to look at.
fn player() -> Player {
    Player::new(Weights::default(), 12)
}

/// The value by trying everything to a depth.
fn negamax(position: &Position, depth: u32, ply: i32) -> i32 {
    if position.outcome().is_some() {
        return ply - WIN;
    }
    if depth == 0 {
        return Weights::default().evaluate(position);
    }
    let value = |mv| {
        let mut next = *position;
        next.play_unchecked(mv);
        -negamax(&next, depth - 1, ply + 1)
    };
    position.moves().into_iter().map(value).max().unwrap()
}

/// A position of random play in which the game goes on.
fn random_position(variant: &str, rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut position = Position::start(variant.parse().unwrap());
        for _ in 0..rng.random_range(0..50) {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

#[test]
fn short_searches_are_exact() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for variant in ["2 2 5 5", "3 3 6 6", "3 4 8 8", "4 4 15 15"] {
        // The table goes on from search to search, which must change nothing.
        let mut player = player();
        for _ in 0..25 {
            let position = random_position(variant, &mut rng);
            // Deeper ones look at late moves less deeply.
            for depth in 1..=2 {
                player.clear();
                let report = player.search(&position, &Limits::default().with_depth(depth));
                let expected = negamax(&position, report.depth, 0);
                assert_eq!(
                    report.score.value(),
                    expected,
                    "{position} at depth {depth}"
                );
                let mut next = position;
                next.play_unchecked(report.best.unwrap());
                let after = -negamax(&next, report.depth - 1, 1);
                assert_eq!(after, expected, "{position} at depth {depth}");
            }
        }
    }
}

#[test]
fn won_positions_stay_won() {
    let data = include_str!("../data/endings.txt");
    let mut wins = 0;
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let (position, _) = line.split_once(';').unwrap();
        let position: Position = position.parse().unwrap();
        let verdict = solve(&position, &Budget::default());
        if verdict != Ok(Verdict::Win(position.side_to_move())) {
            continue;
        }
        wins += 1;
        let report = player().search(&position, &Limits::default().with_depth(4));
        assert_eq!(report.score.sign(), Some(1), "{position}");
        let mut next = position;
        next.play_unchecked(report.best.unwrap());
        assert_eq!(solve(&next, &Budget::default()), verdict, "{position}");
    }
    assert!(wins >= 3);
}

#[test]
fn limits_hold() {
    let start = Position::start(Variant::ORIGINAL);
    for nodes in [1, 10, 500] {
        let report = player().search(&start, &Limits::default().with_nodes(nodes));
        assert!(report.nodes <= nodes, "{report:?}");
        assert!(start.moves().contains(&report.best.unwrap()));
    }
    let over: Position = "2 3 5 5 0 2 W WB/B_W/WB".parse().unwrap();
    assert_eq!(player().search(&over, &Limits::default()).best, None);
}
