//! Whole games with honest programs of every kind.

use std::time::Duration;

use games::{AnyPosition, GameName};
use referee::{Ending, GameSetup, IsolationMode, Kind, Score, Seat, Seconds};

use crate::table::{faulty, play};

#[track_caller]
fn check_whole_game(kind: Kind, mode: &str, game: GameName, longest: u32) {
    for seed in 0..2 {
        let start = AnyPosition::random_start(game, seed);
        let opponent = "random".parse().unwrap();
        let mut setup = GameSetup {
            longest,
            seed,
            ..GameSetup::new(start, [faulty(kind, mode), opponent])
        };
        // A busy machine must not decide anything here.
        setup.limits.wall = Some(Seconds::from_secs(60));
        let record = play(&setup);
        for mv in &record.moves {
            assert!(mv.verdict.is_ok(), "{mv:#?}");
        }
        match record.ending {
            Ending::Rules => assert_ne!(record.score, Score::None),
            Ending::TooLong { plies } => assert_eq!(plies, longest),
            other => panic!("{other}"),
        }
        let json = serde_json::to_string(&record).unwrap();
        let again: referee::GameRecord = serde_json::from_str(&json).unwrap();
        assert_eq!(again.moves.len(), record.moves.len());
        assert_eq!(serde_json::to_string(&again).unwrap(), json);
    }
}

#[test]
fn one_shot_othello_programs_play() {
    check_whole_game(Kind::Argv, "honest", games::REVERSI, 100);
    check_whole_game(Kind::Argv, "blank", games::REVERSI, 4);
}

#[test]
fn matrix_programs_play() {
    check_whole_game(Kind::Matrix, "honest", games::MMPAWNS, 100);
    check_whole_game(Kind::Matrix, "unmarked", games::MMPAWNS, 100);
}

#[test]
fn programs_play_by_lines() {
    check_whole_game(Kind::Line, "line", games::GIPF_STANDARD, 40);
    let start = AnyPosition::start(games::GIPF_STANDARD);
    let players = [faulty(Kind::Line, "line-twice"), "random".parse().unwrap()];
    let record = play(&GameSetup::new(start, players));
    assert_eq!(record.score, Score::Second);
    let verdict = record.moves[0].verdict.to_string();
    assert!(
        verdict.ends_with("(one line with a move is wanted, not 2)"),
        "{verdict}"
    );
}

#[test]
fn gipf_programs_play() {
    check_whole_game(Kind::Stdin, "gipf", games::GIPF, 30);
    let start = AnyPosition::start(games::GIPF);
    let players = [faulty(Kind::Stdin, "gipf-same"), "random".parse().unwrap()];
    let record = play(&GameSetup::new(start, players));
    assert_eq!(record.score, Score::Second);
    let verdict = record.moves[0].verdict.to_string();
    assert!(
        verdict.ends_with("(it is the position from before the move)"),
        "{verdict}"
    );
}

#[test]
fn engines_that_keep_running_play() {
    check_whole_game(Kind::Gtp, "gtp", games::REVERSI, 100);
    check_whole_game(Kind::Nboard, "nboard", games::REVERSI, 100);
}

/// What an engine that thinks for 50 ms is billed for each of its moves.
fn bills(kind: Kind, mode: &str) -> Vec<Duration> {
    let start = AnyPosition::start(games::REVERSI);
    let players = [faulty(kind, mode), "random".parse().unwrap()];
    let record = play(&GameSetup::new(start, players));
    let own = record.moves.iter().filter(|mv| mv.side == Seat::First);
    own.map(|mv| mv.wall.0).collect()
}

#[test]
fn engines_are_billed_from_before_they_are_asked() {
    let thought = Duration::from_millis(50);
    for (kind, mode) in [(Kind::Gtp, "gtp-slow"), (Kind::Nboard, "nboard-slow")] {
        let mut bills = bills(kind, mode);
        bills.sort();
        // Whoever looks at the clock too late sees less than there was in most moves.
        assert!(bills.len() > 10 && bills[0] >= thought, "{mode}: {bills:?}");
    }
}

#[test]
fn programs_of_two_kinds_meet() {
    let start = AnyPosition::start(games::REVERSI);
    for mode in [
        IsolationMode::None,
        IsolationMode::Namespaces,
        IsolationMode::Bwrap,
        IsolationMode::Landlock,
    ] {
        let players = [faulty(Kind::Argv, "honest"), faulty(Kind::Gtp, "gtp")];
        let mut setup = GameSetup {
            longest: 8,
            isolation: mode,
            ..GameSetup::new(start.clone(), players)
        };
        // Only a hang can take so long, however busy the machine is.
        setup.limits.wall = Some(referee::Seconds::from_secs(60));
        match referee::play_game(&setup, &mut |_| (), &Default::default()) {
            Ok(record) => {
                assert!(
                    record.moves.iter().all(|mv| mv.verdict.is_ok()),
                    "{record:#?}"
                );
                assert_eq!(record.isolation.unwrap().mode, mode);
            }
            Err(error) => println!("skipped: {error}"),
        }
    }
}

#[test]
fn a_stopped_game_has_no_result() {
    let stop = std::sync::Arc::default();
    let start = AnyPosition::start(games::REVERSI);
    let players = [faulty(Kind::Argv, "honest"), "random".parse().unwrap()];
    let setup = GameSetup::new(start, players);
    let mut turns = 0;
    let record = referee::play_game(
        &setup,
        &mut |_| {
            turns += 1;
            if turns == 3 {
                std::sync::atomic::AtomicBool::store(
                    &stop,
                    true,
                    std::sync::atomic::Ordering::Relaxed,
                );
            }
        },
        &stop,
    )
    .unwrap();
    assert_eq!(
        (record.score, record.ending),
        (Score::None, Ending::Stopped)
    );
    assert_eq!(record.moves.len(), 3);
}
