//! What games say about their ends, and about a move that is being made.

use games::{AnyPosition, GIPF, GIPF_STANDARD, GameName, MMPAWNS, REVERSI};
use rules::Side;

#[track_caller]
fn check(game: GameName, position: &str, announced: &str) {
    let position = AnyPosition::parse(game, position).unwrap();
    let outcome = position.outcome().expect("the game is over");
    assert_eq!(position.announce(outcome), announced);
}

#[test]
fn results_have_reasons() {
    let discs =
        |black: usize, white: usize| format!("{}{} X", "X".repeat(black), "O".repeat(white));
    check(REVERSI, &discs(40, 24), "Black wins: 40 discs to 24");
    check(REVERSI, &discs(20, 44), "White wins: 44 discs to 20");
    check(REVERSI, &discs(32, 32), "Draw: 32 discs each");
    check(REVERSI, &discs(0, 64), "White wins: Black has no disc left");
    check(
        GIPF,
        "2 3 5 5 2 0 B WB/B_W/WB",
        "White wins: Black has no stone left to bring in",
    );
    check(
        GIPF,
        "2 3 5 5 1 2 B WB/BWW/WB",
        "White wins: Black cannot bring in a stone, every point is taken",
    );
    let board = |rules: &str, corner: char| {
        format!("{rules} {corner}___/_____/______/_______/______/_____/___W")
    };
    check(
        GIPF_STANDARD,
        &board("standard 0 3 W", 'B'),
        "Black wins: White has no piece left to bring in",
    );
    check(
        GIPF_STANDARD,
        &board("standard 3 3 W", 'b'),
        "White wins: Black has no GIPF-piece left on the board",
    );
    check(
        GIPF_STANDARD,
        &board("standard 3 3 W 100/100", 'B'),
        "Draw: 100 plies without a capture",
    );
    let field = |top: &str, rest: &str| format!("B 2 {top}/{rest}");
    let empty = ["--------"; 7].join("/");
    check(
        MMPAWNS,
        &field("A---B---", &empty),
        "A wins: a pawn of A has reached the far edge",
    );
    check(
        MMPAWNS,
        &field("A-------", &empty),
        "B wins: B has no move left, and that comes first, although A has reached the far edge (rule 9)",
    );
    check(
        MMPAWNS,
        &field(
            "--------",
            &format!("A-------/{}", ["--------"; 6].join("/")),
        ),
        "B wins: B has no pawn left to move (rule 9)",
    );
    check(
        MMPAWNS,
        &format!("A 61 --------/A------B/{}", ["--------"; 6].join("/")),
        "Draw: 60 plies have been played",
    );
}

/// The board on which rows are chosen is the one after the push, and it is said whose they are.
#[test]
fn rows_are_chosen_on_the_board_after_the_push() {
    let position = "3 3 12 12 7 6 W WW_/_BWB/_BW_B/W___/_B_";
    let position = AnyPosition::parse(GIPF, position).unwrap();
    let ways = position.ways();
    let way = ways
        .iter()
        .find(|way| way.steps.len() > 2 && way.mv.starts_with("a3-b4"));
    let way = way.expect("rows cross");
    let picks: Vec<String> = ["a3", "b4"].map(String::from).into();
    assert_eq!(position.underway(&[]), None);
    assert_eq!(position.underway(&picks[..1]), None);
    let scene = position.underway(&picks).unwrap();
    let at = |name: &str| scene.pieces[scene.layout.find(name).unwrap()];
    assert_eq!(at("b4").map(|piece| piece.side), Some(Side::First));
    let row = &way.steps[2];
    assert!(row.spots.iter().all(|&spot| scene.pieces[spot].is_some()));
    let question = "Rows of White cross. Which comes off first?";
    assert_eq!(position.how(&picks), question);
    assert!(scene.notes[0].contains("White 6"), "{:?}", scene.notes);
    // Nothing is asked when the last choice has been made.
    let done = [&picks[..], std::slice::from_ref(&row.label)].concat();
    assert_eq!(position.underway(&done), None);
}
