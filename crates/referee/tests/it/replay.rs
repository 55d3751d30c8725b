//! Recorded moves run again.

use referee::{IsolationMode, Kind, replay};

use crate::table::{faulty, othello, pawns, play};

#[test]
fn a_replay_gives_the_same_verdict_on_the_same_input() {
    for setup in [
        othello(&faulty(Kind::Argv, "illegal"), IsolationMode::Auto),
        othello(&faulty(Kind::Argv, "honest"), IsolationMode::Auto),
        othello(&faulty(Kind::Nboard, "nboard"), IsolationMode::Auto),
        pawns(&faulty(Kind::Matrix, "other-time"), IsolationMode::Auto),
        pawns(&faulty(Kind::Matrix, "honest"), IsolationMode::Auto),
    ] {
        let record = play(&setup);
        let text = serde_json::to_string(&record).unwrap();
        let record = serde_json::from_str(&text).unwrap();
        check_replay(&record);
    }
}

fn check_replay(record: &referee::GameRecord) {
    let own = |index: &usize| record.moves[*index].side == referee::Seat::First;
    for index in (0..record.moves.len()).filter(own) {
        let old = &record.moves[index];
        let new = replay(record, index, IsolationMode::Auto, &Default::default()).unwrap();
        assert_eq!(new.verdict, old.verdict, "turn {}", old.ply);
        assert_eq!(new.mv, old.mv);
        assert_eq!(new.input.args, old.input.args);
        assert_eq!(new.input.file, old.input.file);
    }
}

#[test]
fn engines_are_told_the_whole_game_again() {
    let record = play(&othello(&faulty(Kind::Gtp, "gtp"), IsolationMode::Auto));
    let last = record.moves.len() - 1;
    let index = (0..=last).rfind(|i| record.moves[*i].side == referee::Seat::First);
    let index = index.unwrap();
    let new = replay(&record, index, IsolationMode::Auto, &Default::default()).unwrap();
    assert_eq!(new.mv, record.moves[index].mv);
}

#[test]
fn turns_that_are_not_there_are_refused() {
    let record = play(&othello(&faulty(Kind::Argv, "honest"), IsolationMode::Auto));
    let error = replay(&record, 99, IsolationMode::Auto, &Default::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bad record: there is no turn 100, only 6"
    );
}
