//! Start positions and positions as values.

use std::collections::HashSet;

use games::{AnyPosition, GameName};

#[test]
fn random_starts_are_many_and_playable() {
    for game in GameName::all() {
        let starts: HashSet<String> = (0..100)
            .map(|seed| {
                let start = AnyPosition::random_start(game, seed);
                assert_eq!(start.outcome(), None);
                assert_eq!(start, AnyPosition::random_start(game, seed));
                assert_eq!(
                    start.side_to_move(),
                    AnyPosition::start(game).side_to_move()
                );
                start.to_string()
            })
            .collect();
        assert!(starts.len() > 60, "{game}: {}", starts.len());
    }
}

#[test]
fn positions_survive_their_text() {
    for game in GameName::all() {
        for seed in 0..20 {
            let start = AnyPosition::random_start(game, seed);
            assert_eq!(start.game(), game);
            let again = AnyPosition::parse(game, &start.to_string()).unwrap();
            assert_eq!(again, start);
            assert_eq!(again.hash(), start.hash());
        }
        assert_eq!(
            AnyPosition::parse(game, "start"),
            Ok(AnyPosition::start(game))
        );
        assert!(AnyPosition::parse(game, "nonsense").is_err());
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    for game in GameName::all() {
        let mut position = AnyPosition::start(game);
        assert!(position.play("a1").is_err());
        assert!(position.play("").is_err());
        assert_eq!(position, AnyPosition::start(game));
        let moves = position.moves();
        assert_eq!(position.perft(1), moves.len() as u64);
        assert_eq!(position.play(&moves[0]).as_ref(), Ok(&moves[0]));
    }
}
