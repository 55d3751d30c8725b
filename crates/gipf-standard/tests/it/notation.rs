//! Moves and whole games in the notations that are written elsewhere.

use gipf_standard::record::{self, Record};
use gipf_standard::{Position, Rules, Style};
use rules::Game;
use rules::kit::{self, Effort};

/// Random games survive both styles.
#[test]
fn games_survive_their_text() {
    for start in super::starts() {
        for seed in 0..6 {
            let last = random_game(start, seed);
            for style in [Style::Complete, Style::Short] {
                let text = last.write(style);
                let read = Record::read(&text, start).unwrap_or_else(|e| panic!("{text}\n{e}"));
                assert_eq!(ends(&read), ends(&last), "{text}");
            }
        }
    }
}

fn random_game(start: Position, seed: u64) -> Record {
    let mut record = Record {
        start,
        moves: Vec::new(),
    };
    let effort = Effort {
        games: 1,
        longest: 60,
        must_end: false,
        seed,
    };
    let mut before: Option<Position> = None;
    kit::walk(&[start], effort, |position| {
        if let Some(before) = before {
            let leads = |mv: &gipf_standard::Move| {
                let mut next = before;
                next.play_unchecked(*mv);
                next == *position
            };
            let mv = before.moves().into_iter().find(leads);
            record.moves.push(mv.unwrap());
        }
        before = Some(*position);
    });
    record
}

fn ends(record: &Record) -> Vec<String> {
    let mut now = record.start;
    let mut all = Vec::new();
    for &mv in &record.moves {
        now.play(mv).unwrap();
        all.push(now.to_string());
    }
    all
}

#[track_caller]
fn check_same(start: &str, texts: &[&str], expected: &str) {
    let start: Position = start.parse().unwrap();
    for text in texts {
        let record = Record::read(text, start).unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut now = start;
        for &mv in &record.moves {
            now.play(mv).unwrap();
        }
        assert_eq!(now.to_string(), expected, "{text}");
    }
}

#[test]
fn games_are_read_however_they_are_separated() {
    check_same(
        "tournament",
        &[
            "Ge1-e2 Ge9-e8 a1-b2 i5-h5",
            "1. Ge2 Ge8 2. b2 h5",
            "Ge1-e2/Ge9-e8/a1-b2/i5-h5",
            "Ge1-e2 / Ge9-e8 a1-b2 / i5-h5",
            "1. Ge1-e2(16)/Ge9-e8(16) 2. a1-b2 / i5-h5",
            "Ge1–e2, Ge9—e8, a1 - b2, i5−h5",
            "1… GE1-E2 GE9-E8 2.A1-B2 I5-H5",
            "GWe1-e2 GKe9-e8 Wa1-b2 Ki5-h5",
            "ge1-e2 ge9-e8 na1-b2 ni5-h5",
            "1. Ge1-e2(16) Ge9-e8(16)\n2. a1-b2(15) i5-h5(15)\n",
        ],
        "tournament 15 15 W 4/100 ___B/_____/______/w_____b/______/_____/W___",
    );
}

#[test]
fn what_the_opponent_takes_stands_behind_or_before() {
    check_same(
        "basic 5 5 W _bbb/b____/bwww__/w______/______/_____/____",
        &[
            "b1-b2;xb3,c4,d5,e6 xb5,c6,d7,e8;e9-e8",
            "Wb1-b2 xb3,c4,d5,e6 xb5,c6,d7,e8 Ke9-e8",
            "1. b1-b5;x x;e8",
            "b1-b2 e8",
            "b1-b2 (4); xb3, c4 , d5,e6 (8) / xb5,c6 ,d7, e8 (9); e9-e8 (8)",
            "b1-b2(8) x b3,c4,d5,e6 x b5,c6,d7,e8 e9-e8",
        ],
        "basic 8 8 W 2/100 ___b/b____/______/w______/______/_____/____",
    );
}

#[track_caller]
fn check_error(start: &str, text: &str, expected: &str) {
    let error = Record::read(text, start.parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_games_say_where() {
    check_error(
        "tournament",
        "Ge1-e2 e9-e8",
        "turn 2: \"e9-e8\": the first piece must be a GIPF-piece",
    );
    check_error(
        "basic",
        "e1-e2 z9-e8",
        "turn 2: \"z9-e8\": \"z9\" is not a dot",
    );
    check_error(
        "basic",
        "Ke1-e2",
        "turn 1: \"Ke1-e2\": it is the turn of White",
    );
    check_error("basic", "xe2 e1-e2", "turn 1: \"e1-e2\": White has no row");
}

#[test]
fn reserves_must_be_right() {
    check_error(
        "tournament",
        "Gi2-h3 (15)",
        "turn 1: \"Gi2-h3\": the reserve is then 16, not 15",
    );
    check_error(
        "basic 5 5 W _bbb/b____/bwww__/w______/______/_____/____",
        "b1-b2;xb3,c4,d5,e6(8) xb5,c6,d7,e8(8) e9-e8",
        "turn 2: \"e9-e8\": the reserve is then 9, not 8",
    );
}

#[track_caller]
fn check_rules(text: &str, expected: &str) {
    let read = Record::read_by_first_move(text).map(|record| record.start.rules().to_string());
    assert_eq!(read.unwrap_or_else(|error| error.to_string()), expected);
}

#[test]
fn the_rules_follow_from_the_first_move() {
    for (text, rules) in [
        ("Gh3 Gc6", "tournament"),
        ("1. Gh3 / Gc6", "tournament"),
        ("GWi2-h3", "tournament"),
        ("h3 c6", "standard"),
        ("We1-e2 Ka1-b2 Wa5-b5 Ke9-e8 Wi5-h5 Ki1-h2", "basic"),
        ("We1-e2 Ka1-b2 Wa5-b5 Ke9-e8 Wi5-h5 Ki1-h2 Wd1-d2", "basic"),
        ("We1-e2 Ka1-b2 Wa5-b5 Ke9-e8 Wi5-h5", "standard"),
        ("e1-e2 a1-b2 a5-b5 e9-e8 i5-h5 i1-h2", "standard"),
        (
            "We1-e2 Ka1-b2 Wa5-b5 Ke9-e8 Wi5-h5 Ki1-h2 We1-z2",
            "turn 7: \"We1-z2\": \"z2\" is not a point",
        ),
    ] {
        check_rules(text, rules);
    }
    let placed = "We1-e2 Ka1-b2 Wa5-b5 Ke9-e8 Wi5-h5 Ki1-h2 Wd1-d2";
    for (start, moves) in [("basic", 1), ("standard", 7)] {
        let record = Record::read(placed, start.parse().unwrap()).unwrap();
        assert_eq!(record.moves.len(), moves, "{start}");
    }
    for (text, rules) in [
        ("Gh3 Gc6", Some(Rules::Tournament)),
        ("12. h3", Some(Rules::Standard)),
    ] {
        assert_eq!(record::rules_of(text), rules, "{text}");
    }
    for text in [
        "",
        "12",
        "basic e1-e2",
        "start",
        "3 5 W",
        "standard 3 5 W W___/_____",
        "what?",
    ] {
        assert_eq!(record::rules_of(text), None, "{text}");
    }
}

/// Where other rules alone allow a game, the message says so.
#[test]
fn rules_that_fit_are_named() {
    let hint = "; it reads as a basic game: begin it with \"basic\"";
    let named = (0..20).filter(|&seed| {
        let text = random_game(Position::start(Rules::Basic), seed).write(Style::Complete);
        match Record::read_by_first_move(&text) {
            Ok(_) => false,
            Err(error) => error.to_string().ends_with(hint),
        }
    });
    assert!(named.count() >= 5);
}

#[test]
fn the_written_form_is_one() {
    let position = Position::start(Rules::Basic);
    for text in [
        "c1-d2",
        "d1-d2",
        "d2",
        "Wd1-d2",
        "nd1-d2",
        "d1-d2(11)",
        "D1-D2",
        "WnD2",
        "d1–d2",
        "d1 - d2 (11)",
    ] {
        let mv = position.parse_move(text).unwrap();
        assert_eq!(position.move_text(mv), "d1-d2", "{text}");
    }
}
