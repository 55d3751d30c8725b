//! Positions that the prover and the player look at on fixed starts. A change that is not meant
//! to alter a search leaves these counts as they are; one that is says so and gives the new ones.

use mmpawns_engine::fields::{Spread, measured_starts};
use mmpawns_engine::{Player, Prover, Sizes, Value};
use rules::Game;
use search::{Distance, Limits, Score};

const WIN: Option<Value> = Some(Value::Win);
const DRAW: Option<Value> = Some(Value::Draw);
const LOSS: Option<Value> = Some(Value::Loss);

/// The values and counts of four starts of a class, at most so many positions each.
fn prove(spread: Spread, pawns: u32, bytes: usize) -> Vec<(Option<Value>, u64)> {
    measured_starts(spread, pawns)
        .step_by(4)
        .map(|start| {
            let mut prover = Prover::new(bytes);
            let value = prover.prove(&start, &Limits::default().with_nodes(60_000));
            (value, prover.nodes())
        })
        .collect()
}

#[test]
fn prover() {
    let found = [
        prove(Spread::Home2, 4, 16 << 20),
        prove(Spread::Home2, 5, 16 << 20),
        // A table of a thousand entries, most of which are replaced.
        prove(Spread::Home2, 7, 1 << 14),
        prove(Spread::Home3, 6, 16 << 20),
        prove(Spread::Anywhere, 8, 16 << 20),
    ];
    let expected = [
        [(WIN, 94), (WIN, 336), (WIN, 11_902), (WIN, 24_151)],
        [(WIN, 19_113), (LOSS, 6_522), (WIN, 30_405), (LOSS, 5_755)],
        [(WIN, 822), (None, 60_000), (WIN, 509), (None, 60_000)],
        [(WIN, 290), (WIN, 90), (WIN, 52_590), (WIN, 196)],
        [(WIN, 0), (LOSS, 1), (WIN, 1), (LOSS, 0)],
    ];
    assert_eq!(found, expected);
}

/// Late positions, in which a draw is possible.
#[test]
fn prover_with_draws() {
    let mut found = Vec::new();
    for start in measured_starts(Spread::Home3, 5).step_by(3) {
        let pawns = rules::Side::BOTH.map(|side| start.pawns(side));
        let late = mmpawns::Position::new(pawns, start.field(), 53).unwrap();
        let mut prover = Prover::new(1 << 20);
        let value = prover.prove(&late, &Limits::default());
        found.push((value, prover.nodes()));
    }
    let counts = [5_943, 4_911, 11_573, 1_851, 4_485, 9_581];
    assert_eq!(found, counts.map(|count| (DRAW, count)));
}

#[test]
fn player() {
    let mut found = Vec::new();
    for start in measured_starts(Spread::Home2, 6).step_by(5) {
        let mut player = Player::new(Sizes {
            proofs: 1 << 20,
            values: 1 << 18,
        });
        let report = player.choose(&start, &Limits::default().with_nodes(30_000));
        let mv = start.move_text(report.best.unwrap());
        found.push((mv, report.score, report.depth, report.nodes));
    }
    let expected = [
        ("c7-b6", Score::Win(Distance::Unknown), 4, 11_427),
        ("b7-c6", Score::Estimate(176), 5, 30_000),
        ("h7-g6", Score::Estimate(91), 5, 30_000),
        ("g7-g6", Score::Win(Distance::Unknown), 4, 3_164),
    ];
    let expected = expected.map(|(mv, score, depth, nodes)| (mv.to_owned(), score, depth, nodes));
    assert_eq!(found, expected);
}
