//! Game files of Boardspace.

use gipf_standard::boardspace;
use rules::Game as _;

#[track_caller]
fn check(file: &str, expected: &str) {
    let boardspace::File { record, .. } =
        boardspace::read(file).unwrap_or_else(|error| panic!("{error}"));
    let mut now = record.start;
    let mut texts = Vec::new();
    for &mv in &record.moves {
        texts.push(now.move_text(mv));
        now.play(mv).unwrap();
    }
    assert_eq!(texts.join(" "), expected);
}

/// A file as the server keeps it, with corrections, resets and offers of draws among the movements,
/// and the moves of its game.
struct Game {
    file: &'static str,
    moves: &'static str,
    players: [&'static str; 2],
}

const GAMES: [Game; 3] = [
    Game {
        file: include_str!("../data/boardspace/basic.sgf"),
        moves: include_str!("../data/boardspace/basic.moves"),
        players: ["wanda", "Dumbot"],
    },
    Game {
        file: include_str!("../data/boardspace/standard.sgf"),
        moves: include_str!("../data/boardspace/standard.moves"),
        players: ["old [hand]", "newcomer"],
    },
    Game {
        file: include_str!("../data/boardspace/tournament.sgf"),
        moves: include_str!("../data/boardspace/tournament.moves"),
        players: ["ines", "jorge"],
    },
];

#[test]
fn whole_games_are_read() {
    for game in GAMES {
        check(game.file, &game.moves.trim().replace('\n', " "));
        let players = boardspace::read(game.file).unwrap().players;
        assert_eq!(players, game.players.map(|name| Some(name.to_string())));
    }
    assert_eq!(
        boardspace::read("(;SU[gipf])").unwrap().players,
        [None, None]
    );
}

#[test]
fn movements_become_moves() {
    check(
        r#"(;GM[21]VV[1]
SU[gipf-tournament]
P0[id "one \[1\]"]
P1[id "two"]
; P0[0 Start P0]
; P0[1 Pick wr 0]
; P0[2 Dropb E 1]
; P0[3 Dropb E 2]
; P0[4 Done]
; P1[5 Dropb E 9]TM[1200]
; P1[6 Dropb E 8]
; P1[7 Done]
; P0[8 Standard]
; P0[9 Dropb A 1]
; P0[10 Pickb A 1]
; P0[11 Dropb A 2]
; P0[12 Dropb B 2]
; P0[13 Pickb B 2]
; P0[14 Dropb B 3]
; P0[15 Done]
; P1[16 Slide F 8 E 8]
; P1[17 Done]
; P0[18 Resign]
; P0[19 Done]
)"#,
        "Ge1-e2 Ge9-e8 a2-b3 Gf8-e8",
    );
}

#[test]
fn rows_are_taken_by_pointing() {
    // White makes four at b5, c6, d7, e8 and confirms; the row goes without pointing.
    let mut file = String::from("(;SU[gipf]P0[id \"a\"]P1[id \"b\"];P0[0 Start P0]");
    for (player, movement) in [
        (0, "Slide C 7 C 6"),
        (1, "Slide A 2 B 3"),
        (0, "Slide D 8 D 7"),
        (1, "Slide I 2 H 3"),
        (0, "Slide E 9 E 8"),
        (1, "Slide A 3 B 4"),
    ] {
        file += &format!(";P{player}[1 {movement}];P{player}[2 Done]");
    }
    file += ")";
    check(&file, "b6-c6 a2-b3 d8-d7 i2-h3 e9-e8;xb5,c6,d7,e8 a4-b4");
}

#[test]
fn bad_files_say_what() {
    let check = |file: &str, expected: &str| {
        assert_eq!(boardspace::read(file).unwrap_err().to_string(), expected);
    };
    check("(;GM[21])", "no rules: property SU is missing");
    check(
        "(;SU[gipf-matrx])",
        "rules \"gipf-matrx\" are not gipf, gipf-standard or gipf-tournament",
    );
    check("(;SU[gipf", "property \"SU\" is not closed");
    check(
        "(;SU[gipf];P0[1 Jump E 5])",
        "movement \"1 Jump E 5\": not a movement of GIPF",
    );
    check(
        "(;SU[gipf];P0[1 Slide E 1 E 4])",
        "movement \"1 Slide E 1 E 4\": the point is not beside the dot",
    );
    check(
        "(;SU[gipf];P0[1 Dropb E 2])",
        "movement \"1 Dropb E 2\": no piece lies on a dot",
    );
}
