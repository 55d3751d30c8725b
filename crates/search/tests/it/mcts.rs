//! What the random tree finds.

use rules::doc_example::Nim;
use rules::{Side, WIN};
use search::{AlphaBeta, Limits, Mcts};

#[test]
fn nim_is_proven() {
    for stones in 1..16 {
        let heap = Nim {
            stones,
            side: Side::First,
        };
        let report = Mcts::new(3).search(&heap, &Limits::default());
        assert!(report.exact, "{stones} stones");
        assert_eq!(report.value > 0, !stones.is_multiple_of(3));
        assert!(WIN - report.value.abs() <= stones as i32);
    }
}

#[test]
fn proofs_agree_with_alpha_beta() {
    // Six pawns soon meet: small enough for both to see the end.
    let texts = [
        "A 1 --------/-A------/--------/--------/--------/--------/------B-/--------",
        "A 1 --------/--------/-A------/---B----/--------/--------/------B-/--------",
        "B 2 --------/--------/--B--A--/--------/-A------/-----B--/--A-----/--------",
        "A 55 --------/--------/--------/--B--A--/-A------/-----B--/--A-----/--------",
    ];
    for text in texts {
        let position: mmpawns::Position = text.parse().unwrap();
        let truth = AlphaBeta::new().search(&position, &Limits::default());
        let tree = Mcts::new(1).search(&position, &Limits::default().with_nodes(3_000_000));
        assert!(truth.exact, "{text}");
        assert!(tree.exact, "{text}");
        assert_eq!(tree.value.signum(), truth.value.signum(), "{text}");
    }
}
