//! Moves to symmetric positions, of every game.

use games::{AnyPosition, GameName};

/// A line is mirrored into another that is legal and goes through symmetric positions.
#[test]
fn lines_have_mirror_images() {
    for game in GameName::all() {
        let start = AnyPosition::start(game);
        let moves = start.moves();
        let mut line = vec![moves[0].clone()];
        let mut end = start.clone();
        end.play(&moves[0]).unwrap();
        while line.len() < 4 && end.outcome().is_none() {
            let mv = end.moves().swap_remove(0);
            end.play(&mv).unwrap();
            line.push(mv);
        }
        let twins: Vec<_> = (moves.iter())
            .filter(|mv| start.same_worth(&moves[0], mv))
            .collect();
        assert!(twins.contains(&&moves[0]));
        if game == games::REVERSI {
            assert_eq!(twins.len(), 4);
        }
        for mv in twins {
            let mirrored = start.same_line(&line, mv);
            assert_eq!(mirrored.len(), line.len(), "{game} {mv}");
            let mut seen = start.clone();
            for mv in &mirrored {
                seen.play(mv).unwrap();
            }
            assert_eq!(seen.canonical_text(), end.canonical_text(), "{game} {mv}");
        }
    }
}
