//! Alpha–beta gives the values of plain minimax.

use rules::doc_example::Nim;
use rules::kit::{self, Effort};
use rules::{Evaluate, Game, Hashed, Side, WIN};
use search::{AlphaBeta, Distance, Limits, Score, minimax};

/// Plays the line out and returns the position at its end.
fn follow<G: Game>(position: &G, line: &[G::Move]) -> G {
    let mut at = position.clone();
    for &mv in line {
        at.play(mv).unwrap();
    }
    at
}

#[track_caller]
fn check_agree<G: Hashed + Evaluate>(
    starts: &[G],
    depths: std::ops::RangeInclusive<u32>,
    games: usize,
) {
    let effort = Effort {
        games,
        longest: 150,
        must_end: false,
        seed: 11,
    };
    let mut number = 0;
    let mut fewer = 0i64;
    kit::walk(starts, effort, |position| {
        number += 1;
        if number % 7 != 0 || position.outcome().is_some() {
            return;
        }
        for depth in depths.clone() {
            let limits = Limits::default().with_depth(depth);
            let plain = minimax(position, &limits);
            // A small table, so that entries are thrown out and replaced.
            let clever = AlphaBeta::with_table_bits(8).search(position, &limits);
            assert_eq!(clever.score, plain.score, "depth {depth} of {position}");
            assert_eq!(clever.best, clever.line.first().copied());
            // The last position of the line is where the value comes from. (A line may
            // be cut short where the table knew the rest.)
            if clever.line.len() == depth as usize {
                let end = follow(position, &clever.line);
                let sign = if depth % 2 == 0 { 1 } else { -1 };
                let value = match end.outcome() {
                    Some(outcome) => outcome.sign_for(end.side_to_move()) * (WIN - depth as i32),
                    None => end.evaluate(),
                };
                assert_eq!(sign * value, clever.score.value(), "line from {position}");
            }
            if depth > 3 {
                fewer += plain.nodes as i64 - clever.nodes as i64;
            }
        }
    });
    assert!(number > 20, "too few positions: {number}");
    assert!(fewer >= 0, "more positions than minimax: {}", -fewer);
}

#[test]
fn on_reversi() {
    check_agree(&[crate::reversi_start()], 1..=4, 12);
}

#[test]
fn on_gipf() {
    // From a two-point board, where games soon end, to the original one.
    check_agree(
        &[crate::gipf_start("2 2 5 5"), crate::gipf_start("2 3 6 5")],
        1..=4,
        12,
    );
    check_agree(&[crate::gipf_start("3 3 8 8")], 1..=3, 3);
    check_agree(&[crate::gipf_start("4 4 15 15")], 1..=2, 3);
}

#[test]
fn on_mmpawns() {
    check_agree(&[crate::mmpawns_start()], 1..=4, 20);
}

#[test]
fn nim_is_solved() {
    for stones in 1..40 {
        let heap = Nim {
            stones,
            side: Side::First,
        };
        let report = AlphaBeta::new().search(&heap, &Limits::default());
        let distance = Distance::Exactly(report.line.len() as u32);
        let expected = match stones.is_multiple_of(3) {
            true => Score::Loss(distance),
            false => Score::Win(distance),
        };
        assert_eq!(report.score, expected, "{stones} stones");
    }
}
