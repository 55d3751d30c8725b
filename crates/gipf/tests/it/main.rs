//! The kit, the twin and the text forms of GIPF.

mod twin;

use gipf::{Position, Variant};
use rules::kit::{self, Effort, Twin as _};
use rules::{Game, Outcome, Side};

const EFFORT: Effort = Effort {
    games: 2,
    longest: 80,
    must_end: false,
    seed: 11,
};

/// Start positions of every size, with short and long runs, few stones and many.
fn starts() -> Vec<Position> {
    [
        "2 2 5 5",
        "2 3 5 5",
        "2 3 9 7",
        "3 2 8 8",
        "3 3 10 9",
        "3 4 12 12",
        "3 5 12 12",
        "4 3 15 15",
        "4 4 15 15",
        "4 4 18 15",
        "4 5 30 30",
        "4 7 40 40",
        "5 4 25 25",
        "5 5 40 40",
        "6 4 40 40",
        "7 2 60 60",
        "7 4 60 60",
        "7 5 90 90",
        "7 13 90 90",
    ]
    .iter()
    .map(|text| text.parse().unwrap())
    .collect()
}

/// A crowded board without rows, on which a push often makes many: this share of the points, in
/// hundredths, is not left empty on purpose.
fn crowded(variant: &str, share: usize, seed: u64) -> Position {
    let size: usize = variant[..1].parse().unwrap();
    let rows: Vec<usize> = (1..2 * size)
        .map(|row| 2 * size - 1 - row.abs_diff(size))
        .collect();
    let mut board = vec!['_'; rows.iter().sum()];
    let text = |board: &[char]| {
        let mut points = board.iter();
        let rows = rows
            .iter()
            .map(|&length| points.by_ref().take(length).collect());
        let rows: Vec<String> = rows.collect();
        format!("{variant} 90 90 20 20 W {}", rows.join("/"))
    };
    let mut state = seed;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut order: Vec<usize> = (0..board.len()).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, random(place + 1));
    }
    for point in order {
        let colours = [['W', 'B'], ['B', 'W']][random(2)];
        if random(100) >= share {
            continue;
        }
        for colour in colours.into_iter().chain(['_']) {
            board[point] = colour;
            if text(&board).parse::<Position>().is_ok() {
                break;
            }
        }
    }
    text(&board).parse().unwrap()
}

/// Boards of all sizes and runs, ever more crowded; and one on which a row that crosses the pushed
/// line leaves two rows on it, one of which crosses another.
fn crowds() -> Vec<Position> {
    let parted =
        "5 3 15 15 5 13 W _____/______/____W__/____W___/WWBWBWW_W/______W_/_____W_/______/_____";
    let variants = [
        "3 3", "4 3", "4 4", "5 3", "5 4", "6 3", "6 4", "7 3", "7 4",
    ];
    let boards = variants.iter().flat_map(|variant| {
        (0..24).map(move |seed| crowded(variant, 50 + 2 * seed as usize, seed))
    });
    boards.chain([parted.parse().unwrap()]).collect()
}

#[test]
fn crowded_boards() {
    let effort = Effort {
        games: 1,
        longest: 0,
        ..EFFORT
    };
    let crowds = crowds();
    kit::check_game(&crowds, effort);
    kit::check_symmetry(&crowds, effort);
    kit::check_twin::<Position, twin::Twin>(&crowds, effort);
}

#[test]
fn laws_of_a_game() {
    kit::check_game(&starts(), EFFORT);
    kit::check_illegal(&starts(), EFFORT);
    kit::check_hash(
        &starts(),
        Effort {
            games: 20,
            ..EFFORT
        },
    );
}

#[test]
fn symmetries() {
    kit::check_symmetry(&starts(), Effort { games: 1, ..EFFORT });
}

#[test]
fn agrees_with_the_slow_twin() {
    kit::check_twin::<Position, twin::Twin>(&starts(), Effort { games: 2, ..EFFORT });
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

#[test]
fn start_positions() {
    let check = |variant: &str, expected: &str| {
        let variant: Variant = variant.parse().unwrap();
        assert_eq!(Position::start(variant).to_string(), expected);
    };
    check("2 2 5 5", "2 2 5 5 2 2 W WB/B_W/WB");
    check("3 3 10 9", "3 3 10 9 7 6 W W_B/____/B___W/____/W_B");
    check(
        "4 4 15 15",
        "4 4 15 15 12 12 W W__B/_____/______/B_____W/______/_____/W__B",
    );
}

#[track_caller]
fn check_position_error(text: &str, expected: &str) {
    let error = text.parse::<Position>().unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_positions_say_what_and_where() {
    check_position_error(
        "2 2 5",
        "8 words are wanted (S K GW GB RW RB P ROWS) or 4 (S K GW GB), not 3",
    );
    check_position_error(
        "2 2 5 5 2 2 X WB/B_W/WB",
        "player to move \"X\" is not W or B",
    );
    check_position_error(
        "2 2 5 5 2 x W WB/B_W/WB",
        "black reserve \"x\" is not a number in range",
    );
    check_position_error("2 2 5 5 2 2 W WB/B_W", "2 rows, not 3");
    check_position_error("2 2 5 5 2 2 W WB/B_WW/WB", "row 2: 4 points, not 3");
    check_position_error("2 2 5 5 2 2 W WB/BxW/WB", "row 2: 'x' is not W, B or _");
    check_position_error(
        "2 2 5 5 3 2 W WB/B_W/WB",
        "6 white stones on the board and in reserve, but the game has 5",
    );
    check_position_error(
        "2 2 5 5 1 2 W WW/B_W/_B",
        "2 rows of 2 or more stones lie on the board",
    );
}

#[track_caller]
fn check_move_error(text: &str, expected: &str) {
    let position: Position = "2 3 5 5 1 2 W WB/BWW/_B".parse().unwrap();
    assert_eq!(position.parse_move(text).unwrap_err().to_string(), expected);
}

#[test]
fn bad_moves_say_why() {
    check_move_error(
        "",
        "\"\" is not a move: \"\" is not on the board or its ring",
    );
    check_move_error(
        "z9-b2",
        "\"z9-b2\" is not a move: \"z9\" is not on the board or its ring",
    );
    check_move_error(
        "a1-b9",
        "\"a1-b9\" is not a move: \"b9\" is not on the board or its ring",
    );
    check_move_error("b2-c3", "illegal move b2-c3 (b2 is not a dot)");
    check_move_error("a1-a2", "illegal move a1-a2 (a2 is not a playing point)");
    check_move_error(
        "a1-d3",
        "illegal move a1-d3 (the point is not beside the dot)",
    );
    check_move_error(
        "a1-b2",
        "illegal move a1-b2 (every point of the line is taken)",
    );
}

#[test]
fn every_dot_of_an_empty_point_is_the_same_move() {
    let position: Position = "3 3 9 9 9 9 W ___/____/_____/____/___".parse().unwrap();
    let moves = ["a3-b4", "a4-b4", "b5-b4"].map(|text| position.parse_move(text).unwrap());
    assert_eq!(moves, [moves[0]; 3]);
    assert_eq!(position.count_moves(), 12);
}

#[test]
fn crossing_rows_need_a_choice() {
    let position: Position = "4 4 15 15 9 3 W W__B/_W___/__B___/B_____W/__BB__/_B_B_/B__B"
        .parse()
        .unwrap();
    let error = position.parse_move("a5-b5").unwrap_err();
    assert_eq!(
        error.to_string(),
        "illegal move a5-b5 (rows cross: add what is taken, b: e5 e2 or b: e5 h2)"
    );
    for text in ["a5-b5 b: h2 e5", "a5-b5 b: e5 e2"] {
        assert!(position.parse_move(text).is_ok(), "{text}");
    }
    // Every dot from which a stone comes onto an empty point asks for the same.
    let position: Position = "3 3 9 9 5 9 W _WW/W___/W____/____/___".parse().unwrap();
    for text in ["a3-b4", "a4-b4", "b5-b4"] {
        let error = position.parse_move(text).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("illegal move {text} (rows cross: add what is taken, w: b4 b2 or w: b4 d6)")
        );
    }
}

#[test]
fn an_empty_reserve_or_a_full_board_loses_on_ones_turn_only() {
    let check = |text: &str, expected| {
        let position: Position = text.parse().unwrap();
        assert_eq!(
            position.outcome().and_then(Outcome::winner),
            expected,
            "{text}"
        );
    };
    check("2 3 5 5 0 2 W WB/B_W/WB", Some(Side::Second));
    check("2 3 5 5 0 2 B WB/B_W/WB", None);
    check("2 3 5 5 1 2 W WB/BWW/WB", Some(Side::Second));
    check("2 3 5 5 1 2 B WB/BWW/WB", Some(Side::First));
}
