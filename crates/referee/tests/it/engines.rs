//! Engines, which run as long as the game: what they do wrong, and while their opponent is to move.

use referee::{Ending, GameSetup, IsolationMode, Kind, Seconds};

use crate::table::{BOTH, faulty, first_verdict, othello, play, seconds_over};

/// Engines that compute all the time, in threads, in children, and in children that wake each
/// other, are halted and go on.
#[test]
fn engines_rest_while_their_opponent_is_to_move() {
    for mode in ["gtp-ponder", "gtp-ponder-children", "gtp-ponder-wakers"] {
        for isolation in BOTH {
            let mut setup = othello(&faulty(Kind::Gtp, mode), isolation);
            setup.players[1] = faulty(Kind::Gtp, "gtp-slow");
            let record = play(&setup);
            match record.ending {
                Ending::TooLong { .. } => assert_eq!(record.moves.len(), 6, "{mode}"),
                // The one thing that an engine can do is wake others before they are halted.
                Ending::Fault { side, verdict } if mode == "gtp-ponder-wakers" => {
                    assert_eq!(side, rules::Side::First.into());
                    assert!(
                        verdict.to_string().contains("went on computing"),
                        "{verdict}"
                    );
                }
                ending => panic!("{mode} under {isolation}: {ending:?}"),
            }
        }
    }
}

#[test]
fn engines_can_fail_too() {
    for (mode, expected) in [
        ("gtp-liar", "illegal move a1"),
        ("crash-at-start", "killed by SIGSEGV"),
        ("silent", "protocol: the engine ended without an answer"),
    ] {
        let player = faulty(Kind::Gtp, mode);
        let setup = GameSetup {
            longest: 1,
            ..othello(&player, IsolationMode::Auto)
        };
        let verdict = first_verdict(&setup);
        assert!(verdict.starts_with(expected), "{mode}: {verdict}");
    }
}

/// What it computes before it is asked for a move is on its clock, too.
#[test]
fn an_engine_that_fails_before_it_is_asked_is_billed() {
    let setup = GameSetup {
        longest: 1,
        ..othello(&faulty(Kind::Gtp, "gtp-sulky"), IsolationMode::Auto)
    };
    let turn = &play(&setup).moves[0];
    assert_eq!(
        turn.verdict.to_string(),
        "protocol: clear_board was answered \"? no\""
    );
    assert!(turn.cpu >= Seconds::from_millis(200), "{}", turn.cpu);
    assert!(turn.wall >= Seconds::from_millis(200), "{}", turn.wall);
}

/// An engine that gave no move has its board set up anew.
#[test]
fn an_engine_that_refuses_once_plays_on() {
    let record = play(&othello(
        &faulty(Kind::Gtp, "gtp-moody"),
        IsolationMode::Auto,
    ));
    let own = record.moves.iter().step_by(2);
    let kinds: Vec<&str> = own.map(|turn| turn.verdict.kind()).collect();
    assert_eq!(kinds, ["legal", "protocol", "legal"]);
}

#[test]
fn an_engine_that_chatters_is_stopped() {
    let setup = GameSetup {
        longest: 1,
        ..othello(&faulty(Kind::Nboard, "nboard-chatter"), IsolationMode::Auto)
    };
    assert_eq!(first_verdict(&setup), "output over 64 KB");
}

#[test]
fn an_engine_that_says_nothing_is_out_of_time() {
    let setup = GameSetup {
        longest: 1,
        ..othello(&faulty(Kind::Gtp, "gtp-mute"), IsolationMode::Auto)
    };
    let seconds = seconds_over(&first_verdict(&setup), "10.000");
    assert!((10.0..60.0).contains(&seconds), "{seconds}");
}
