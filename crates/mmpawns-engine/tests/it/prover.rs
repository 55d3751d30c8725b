//! The prover is right: on random small positions of every kind.

use std::collections::HashMap;

use mmpawns::Position;
use mmpawns_engine::fields::{Spread, random_start};
use mmpawns_engine::{Player, Prover, Sizes, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Side;
use search::Distance::Exactly;
use search::{Limits, Score};

use crate::slow;

/// A position with few moves left before somebody arrives or the game is drawn.
pub(crate) fn small(seed: u64) -> Position {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let holes = rng.random_range(0..24);
    let start = random_start(Spread::Anywhere, rng.random_range(1..=3), holes, seed);
    let late = rng.random_bool(0.5);
    let number = if late {
        rng.random_range(48..=60)
    } else {
        rng.random_range(1..=40)
    };
    let mut pawns = Side::BOTH.map(|side| start.pawns(side));
    if number % 2 == 0 {
        // B is to move: a pawn of A on the top row would have arrived.
        pawns[1].0 &= !(0xff << 56);
    }
    Position::new(pawns, start.field(), number).unwrap()
}

#[test]
fn agrees_with_the_slow_solver() {
    let mut prover = Prover::new(1 << 20);
    let mut seen = HashMap::new();
    for seed in 0..3000 {
        let position = small(seed);
        let Some(value) = slow::value(&position) else {
            continue;
        };
        let expected = match value {
            1.. => Value::Win,
            0 => Value::Draw,
            _ => Value::Loss,
        };
        let proved = prover.prove(&position, &Limits::default());
        assert_eq!(proved, Some(expected), "{position}");
        *seen.entry(format!("{expected:?}")).or_insert(0) += 1;
    }
    println!("{seen:?}");
    assert!(
        seen.len() == 3 && seen.values().all(|&n| n >= 100),
        "{seen:?}"
    );
}

/// A search that is stopped, wherever that is, may know nothing, but nothing wrong.
#[test]
fn stopped_searches_are_not_wrong() {
    let mut stopped = 0;
    for seed in 0..400 {
        let position = small(seed);
        let Some(value) = slow::value(&position) else {
            continue;
        };
        for nodes in (1..60).chain((60..600).step_by(17)) {
            let limits = Limits::default().with_nodes(nodes);
            let Some(proved) = Prover::new(1 << 16).prove(&position, &limits) else {
                stopped += 1;
                continue;
            };
            let expected = match value {
                1.. => Value::Win,
                0 => Value::Draw,
                _ => Value::Loss,
            };
            assert_eq!(proved, expected, "{position} within {nodes}");
            break;
        }
    }
    assert!(stopped > 1000, "{stopped}");
}

/// Nor is what the player says of a position, whose second search goes by plies.
#[test]
fn stopped_scores_are_not_wrong() {
    let sizes = Sizes {
        proofs: 1 << 16,
        values: 1 << 16,
    };
    let (mut decided, mut with_distance) = (0, 0);
    for seed in 0..400 {
        let position = small(seed);
        let Some(value) = slow::value(&position) else {
            continue;
        };
        for nodes in (2..80).step_by(3).chain((80..800).step_by(37)) {
            let limits = Limits::default().with_nodes(nodes);
            let Some(score) = Player::new(sizes).proved(&position, &limits) else {
                continue;
            };
            assert_eq!(
                score.sign(),
                Some(value.signum()),
                "{position} within {nodes}"
            );
            decided += 1;
            if let Score::Win(Exactly(plies)) | Score::Loss(Exactly(plies)) = score {
                let expected = 1000 - value.abs();
                assert_eq!(plies as i32, expected, "{position} within {nodes}");
                with_distance += 1;
            }
        }
    }
    assert!(
        decided > 2000 && with_distance > 500,
        "{decided}, {with_distance}"
    );
}
