//! Positions that alpha–beta looks at on fixed questions. A change that is not meant to alter
//! the search leaves these counts as they are.

use rules::{Evaluate, Hashed};
use search::{AlphaBeta, Limits, Mcts, Score, minimax};

fn count<G: Hashed + Evaluate>(position: &G, depth: u32) -> [u64; 3] {
    let limits = Limits::default().with_depth(depth);
    [
        AlphaBeta::new().search(position, &limits).nodes,
        // Most entries are replaced.
        AlphaBeta::with_table_bits(8)
            .search(position, &limits)
            .nodes,
        minimax(position, &limits.with_depth(3)).nodes,
    ]
}

#[test]
fn searches() {
    let found = [
        count(&crate::reversi_start(), 7),
        count(&crate::gipf_start("3 3 8 8"), 5),
        count(&crate::gipf_start("2 2 5 5"), 12),
        count(&crate::mmpawns_start(), 8),
    ];
    let expected = [
        [2_411, 2_569, 73],
        [13_679, 16_524, 13_183],
        [21_808, 201_279, 2_890],
        [35_357, 100_877, 3_254],
    ];
    assert_eq!(found, expected);
}

#[test]
fn random_games() {
    let limits = Limits::default().with_nodes(20_000);
    let report = Mcts::new(5).search(&crate::mmpawns_start(), &limits);
    assert_eq!((report.score, report.depth), (Score::Estimate(349), 4));
}
