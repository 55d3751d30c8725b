//! The player and the solver are right where the slow solver knows the answer.

use mmpawns::Position;
use mmpawns_engine::{Player, Sizes, Value};
use rules::Game;
use search::Limits;

use crate::prover::small;
use crate::slow;

fn player() -> Player {
    Player::new(Sizes {
        proofs: 1 << 20,
        values: 1 << 20,
    })
}

/// Positions that go on, with their exact values.
fn positions(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (Position, i32)> {
    seeds
        .map(small)
        .filter(|position| position.outcome().is_none())
        .filter_map(|position| Some((position, slow::value(&position)?)))
}

#[test]
fn plays_wins_the_shortest_and_losses_the_longest_way() {
    let mut player = player();
    let limits = Limits::default().with_nodes(100_000);
    for (position, value) in positions(10_000..10_600) {
        let report = player.choose(&position, &limits);
        let mut next = position;
        next.play(report.best.expect("a move")).unwrap();
        let after = slow::value(&next).unwrap();
        // One half-move nearer to the end, and seen by the opponent.
        assert_eq!(-after, value + value.signum(), "{position}");
        assert!(report.exact || position.count_moves() == 1, "{position}");
    }
}

#[test]
fn never_gives_a_result_away_even_in_a_hurry() {
    let mut player = player();
    let limits = Limits::default().with_nodes(3_000);
    for (position, value) in positions(20_000..20_600) {
        let report = player.choose(&position, &limits);
        let mut next = position;
        next.play(report.best.expect("a move")).unwrap();
        let after = slow::value(&next).unwrap();
        assert_eq!(-after.signum(), value.signum(), "{position}");
    }
}

#[test]
fn solves_value_distance_and_every_move() {
    let mut player = player();
    let limits = Limits::default().with_nodes(2_000_000);
    for (position, value) in positions(30_000..30_200) {
        let solution = player.solve(&position, &limits);
        let mut at = position;
        for &mv in &solution.line {
            at.play(mv).unwrap();
        }
        assert!(at.outcome().is_some(), "the line of {position}");
        let check = |verdict: mmpawns_engine::Verdict, value: i32| {
            let expected = [Value::Loss, Value::Draw, Value::Win][(value.signum() + 1) as usize];
            assert_eq!(verdict.value, Some(expected), "{position}");
            if value != 0 {
                let distance = (1000 - value.abs()) as u32;
                assert_eq!(verdict.distance, Some(distance), "{position}");
            }
        };
        check(solution.verdict, value);
        for (mv, verdict) in solution.moves {
            let mut next = position;
            next.play(mv).unwrap();
            let value = -slow::value(&next).unwrap();
            check(verdict, value - value.signum());
        }
    }
}
