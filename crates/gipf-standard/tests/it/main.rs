//! The kit, the twin, the text forms and the examples of `docs/gipf-rules.md`.

mod boardspace;
mod document;
mod notation;
mod turn;
mod twin;

use gipf_standard::{DrawLimit, Position, Rules};
use rules::Game;
use rules::kit::{self, Effort, Twin as _};

const EFFORT: Effort = Effort {
    games: 12,
    longest: 400,
    must_end: false,
    seed: 11,
};

/// Start positions, and positions with pending rows, many GIPF-pieces and crossing rows.
fn starts() -> Vec<Position> {
    [
        "basic",
        "standard",
        "tournament",
        "standard 0/0",
        "tournament 0/9",
        "standard 4 5 B W__b/ww__B/b_W_b_/B_w_bbW/w_b_w_/_w___/w_wB",
        "standard 3 5 W B___/___w_/___w__/_wwWwB_/__w___/_____/___W",
        "tournament 6+ 8+ W W___/_W_B_/__W___/_W_W__B/__B___/_____/____",
        "tournament 8+ 8+ W W___/_W_B_/__W___/_B_W__B/__B_W_/_____/____",
        "tournament 2 1 B wB__/b_W_w/_WwB__/_bWBb_w/w_BwW_/b_w__/_B_w",
    ]
    .iter()
    .map(|text| text.parse().unwrap_or_else(|e| panic!("{text}: {e}")))
    .collect()
}

#[test]
fn laws_of_a_game() {
    kit::check_game(&starts(), EFFORT);
    kit::check_illegal(&starts(), EFFORT);
    kit::check_hash(
        &starts(),
        Effort {
            games: 40,
            ..EFFORT
        },
    );
}

#[test]
fn games_with_a_limit_end() {
    let starts: Vec<Position> = Rules::ALL
        .map(|rules| Position::start(rules).with_limit(DrawLimit::new(10)))
        .to_vec();
    let effort = Effort {
        longest: 1000,
        must_end: true,
        ..EFFORT
    };
    kit::walk(&starts, effort, |_| {});
}

#[test]
fn symmetries() {
    kit::check_symmetry(&starts(), Effort { games: 1, ..EFFORT });
}

#[test]
fn agrees_with_the_slow_twin() {
    kit::check_twin::<Position, twin::Twin>(&starts(), Effort { games: 3, ..EFFORT });
}

#[test]
fn perft() {
    let data = include_str!("../data/perft.txt");
    kit::check_perft::<Position>(data, 2_000_000);
    // The twin counts the same, as far as it gets.
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(';');
        let position: Position = fields.next().unwrap().trim().parse().unwrap();
        let twin = twin::Twin::read(&position.to_string());
        for field in fields {
            let (depth, count) = field.trim().split_once(' ').unwrap();
            let count: u64 = count.parse().unwrap();
            if count <= 3_000 {
                assert_eq!(
                    twin.perft(depth.parse().unwrap()),
                    count,
                    "{position} {depth}"
                );
            }
        }
    }
}

/// The basic game is a variant of the generalised one, except that the owner of a row decides.
#[test]
fn basic_start_counts_as_the_generalised_game() {
    let ours = Position::start(Rules::Basic);
    let theirs = gipf::Position::start(gipf::Variant::ORIGINAL);
    for depth in 1..=3 {
        assert_eq!(rules::perft(&ours, depth), rules::perft(&theirs, depth));
    }
}

#[track_caller]
fn check_position_error(text: &str, expected: &str) {
    let error = text.parse::<Position>().unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_positions_say_what_and_where() {
    const EMPTY: &str = "____/_____/______/_______/______/_____/____";
    check_position_error(
        "chess",
        "rules \"chess\" are not basic, standard or tournament",
    );
    check_position_error(
        "basic 12 12 W",
        "5 or 6 words are wanted (RULES RW RB P QUIET/LIMIT ROWS) or the rules alone, not 4",
    );
    check_position_error(
        &format!("basic 12 x W {EMPTY}"),
        "reserve of Black \"x\" is not a number in range",
    );
    check_position_error(
        &format!("basic 12 12 X {EMPTY}"),
        "player to move \"X\" is not W or B",
    );
    check_position_error("basic 12 12 W ____/_____", "2 rows, not 7");
    check_position_error(
        "basic 12 12 W ____/____/______/_______/______/_____/____",
        "row 2: 4 points, not 5",
    );
    check_position_error(
        "basic 12 12 W ____/__x__/______/_______/______/_____/____",
        "row 2: 'x' is not w, W, b, B or _",
    );
    check_position_error(
        "basic 12 12 W ____/__W__/______/_______/______/_____/____",
        "the basic game has no GIPF-pieces, but one is on d6",
    );
    check_position_error(
        "standard 17 12 W ____/__W__/______/_______/______/_____/____",
        "White has 19 pieces on the board and in reserve, but the game has 18",
    );
    check_position_error(
        &format!("standard 12+ 12 W {EMPTY}"),
        "White brings in GIPF-pieces, but the game is standard",
    );
    check_position_error(
        "tournament 16! 18! W ____/__W__/______/_______/______/_____/____",
        "White has not brought in the piece on d6 yet",
    );
    check_position_error(
        "tournament 18! 1! W ____/_____/______/_______/______/_____/____",
        "Black must bring in a GIPF-piece, but has 1 in reserve",
    );
    check_position_error(
        "tournament 15+ 18! B ____/__Ww_/______/_______/______/_____/____",
        "White has not brought in the piece on e7 yet",
    );
    check_position_error(
        "standard 9 12 B ____/_____/______/_wwWw__/______/_____/____",
        "White has just moved and left rows on the board: 1",
    );
    check_position_error(
        "tournament 2 8 W ____/_____/WWWWB_/WWWWBBB/______/_____/____",
        "the side to move has more than 100000 moves",
    );
    check_position_error(
        &format!("basic 12 12 W 3 {EMPTY}"),
        "\"3\" is not plies without a capture and their limit, as 0/100",
    );
}

#[test]
fn position_texts_are_written_in_one_form() {
    let check = |text: &str, expected: &str| {
        let position: Position = text.parse().unwrap();
        assert_eq!(position.to_string(), expected);
    };
    check(
        "start",
        "standard 12 12 W W__B/_____/______/B_____W/______/_____/W__B",
    );
    check(
        "basic",
        "basic 12 12 W w__b/_____/______/b_____w/______/_____/w__b",
    );
    check(
        "tournament 0/0",
        "tournament 18! 18! W 0/0 ____/_____/______/_______/______/_____/____",
    );
}

#[test]
fn outcome_and_moves_agree_at_the_end() {
    for text in [
        // Black has no GIPF-piece; White has none; nothing in reserve; drawn.
        "standard 3 3 B W___/_____/______/_______/______/_____/____",
        "standard 3 3 B B___/_____/______/_______/______/_____/____",
        "standard 0 3 W B___/_____/______/_______/______/_____/___W",
        "standard 3 3 W 100/100 B___/_____/______/_______/______/_____/___W",
    ] {
        let position: Position = text.parse().unwrap();
        assert!(position.outcome().is_some(), "{text}");
        assert_eq!(position.count_moves(), 0, "{text}");
        assert!(position.parse_move("e1-e2").is_err());
    }
}
