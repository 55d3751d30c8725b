//! What the random tree finds.

use rules::Side;
use rules::doc_example::Nim;
use search::{AlphaBeta, Distance, Limits, Mcts, Score};

#[test]
fn nim_is_proven() {
    for stones in 1..16 {
        let heap = Nim {
            stones,
            side: Side::First,
        };
        let report = Mcts::new(3).search(&heap, &Limits::default());
        let (Score::Win(distance) | Score::Loss(distance)) = report.score else {
            panic!("{stones} stones: {}", report.score);
        };
        assert_eq!(report.score.value() > 0, !stones.is_multiple_of(3));
        // Both sides can end the game earlier, and the tree need not have seen the best way.
        assert_eq!(
            distance == Distance::Exactly(1),
            stones < 3,
            "{stones} stones"
        );
        assert!(distance.plies().is_some_and(|plies| plies <= stones));
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
        assert!(truth.score.is_proven(), "{text}");
        assert_eq!(tree.score.sign(), truth.score.sign(), "{text}");
    }
}
