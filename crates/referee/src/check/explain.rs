//! What a patient tutor says about a failed case: the command behind the wrong line, the
//! board before it, and the rule that was broken.

use ::gipf::text;
use ::reversi::{Board, Position, Square};
use draw::{Scene, TextStyle};
use games::reversi::argv;
use games::{
    Definition, gipf::Gipf, gipf_standard::GipfStandard, mmpawns::Mmpawns, reversi::Reversi,
};
use rules::{Game, Side};

use super::case::{Ask, Case, Want};
use super::compare::Difference;
use super::judge::Run;
use super::rays::{Direction, Sight};
use super::{Subject, answers, dialogues};
use crate::player::program::fault;

/// What is said beside the failure itself.
#[derive(Default)]
pub(super) struct Explanation {
    /// The command or input line behind the line that differs.
    pub(super) command: Option<String>,
    /// The board before it, drawn.
    pub(super) board: Option<String>,
    /// The rule that decides.
    pub(super) reason: Option<String>,
    /// What failures of the same cause have in common, where it is more than the sentence.
    pub(super) cause: Option<String>,
}

/// Explains a failed case as far as it can be explained.
pub(super) fn explain(
    subject: Subject,
    case: &Case,
    run: &Run,
    difference: Option<&Difference>,
) -> Explanation {
    if run.exit.failure.is_some() {
        return Explanation::default(); // It never saw the case.
    }
    if run.changed.is_some() && fault(run.exit, run.limits).is_none() {
        return Explanation {
            reason: Some(folder_reason(subject).into()),
            ..Explanation::default()
        };
    }
    match (&case.want, difference) {
        (Want::Move(position), _) => othello(position, run),
        (Want::Play(position), _) => Explanation {
            board: drawn(&GipfStandard::scene(position)),
            ..Explanation::default()
        },
        (Want::OneOf(_), _) => match &case.ask {
            Ask::Args(args) => programs::othello::read(args).map_or_else(
                |_| Explanation::default(),
                |position| othello(&position, run),
            ),
            _ => Explanation::default(),
        },
        (Want::Rewrite(before) | Want::Result { before, .. }, _) => pawns(&before.position),
        (Want::Output(_) | Want::Complaint { .. }, Some(difference)) => match subject {
            Subject::Reversi => reversi(case, difference),
            _ => interpreter(case, difference),
        },
        _ => Explanation::default(),
    }
}

/// What a program may do to files.
fn folder_reason(subject: Subject) -> &'static str {
    match subject {
        Subject::Mmpawns => {
            "no file but matrix.txt may be created, changed or removed: write it in place, without a \
             temporary file"
        }
        _ => "the program is to print its answer; it leaves no files behind and changes none",
    }
}

fn drawn(scene: &Scene) -> Option<String> {
    Some(draw::text(scene, TextStyle::default()))
}

/// Squares in a list of words: `f4`, `f4 and f5`, `f4, f5 and f6`.
fn list(squares: impl IntoIterator<Item = Square>) -> String {
    let names: Vec<String> = squares.into_iter().map(|s| s.to_string()).collect();
    match names.split_last() {
        None => "nothing".into(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// What a legal move turns over, direction by direction.
fn turns(board: &Board, square: Square) -> String {
    let runs = Direction::ALL.into_iter().filter_map(|direction| {
        let run = Sight::Only(1 << direction.0).flips(board, square)?;
        Some(format!("{} {}", list(run), direction.words()))
    });
    runs.collect::<Vec<_>>().join("; ")
}

/// Why a square is no move: what lies in the directions in which a run begins.
fn turns_nothing(board: &Board, square: Square) -> String {
    if !board.empty().contains(square) {
        return format!("{square} is taken");
    }
    let runs = Direction::ALL.into_iter().filter_map(|direction| {
        let mut run = Vec::new();
        let mut at = direction.step(square);
        while let Some(next) = at.filter(|next| board.other.contains(*next)) {
            run.push(next);
            at = direction.step(next);
        }
        let end = match at {
            None => "the edge follows".to_string(),
            Some(next) => format!("{next} behind is empty"),
        };
        let words = direction.words();
        (!run.is_empty()).then(|| format!("{words} {}, but {end}", list(run)))
    });
    let runs: Vec<String> = runs.collect();
    match runs.is_empty() {
        true => format!("{square} is not beside a disc of the opponent"),
        false => format!("{square} turns nothing over: {}", runs.join("; ")),
    }
}

fn othello(position: &Position, run: &Run) -> Explanation {
    let board = position.board();
    let moves = board.moves();
    let mut scene = Reversi::scene(position);
    scene.marks.legal = moves.map(Square::index).collect();
    let colour = Position::side_name(position.side_to_move());
    scene.notes.push(format!("{colour} to move; + is legal"));
    let answer = argv::read(&run.exit.stdout).ok();
    let played: Option<Square> = answer.and_then(|text| text.parse().ok());
    let mut reasons = Vec::new();
    if let Some(square) = played.filter(|square| !moves.contains(*square)) {
        reasons.push(turns_nothing(&board, square));
    }
    let coordinates = |square: Square| format!("{},{}", square.column(), square.row());
    match moves.len() {
        0 => reasons.push(format!("{colour} has no legal move")),
        1 => {
            let only = moves.last().unwrap_or(Square::new(0));
            let (turned, at) = (turns(&board, only), coordinates(only));
            reasons.push(format!(
                "the only legal move is {only} ({at}): it turns over {turned}"
            ));
        }
        _ => {}
    }
    Explanation {
        board: drawn(&scene),
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        ..Explanation::default()
    }
}

fn pawns(position: &::mmpawns::Position) -> Explanation {
    let side = ::mmpawns::Position::side_name(position.side_to_move());
    let reason = match position.moves()[..] {
        [only] => {
            let mut next = *position;
            next.play_unchecked(only);
            let mark = ::mmpawns::matrix::Mark::of(next.outcome()).letter();
            format!("the only legal move of {side} is {only}, and the result is {mark}")
        }
        ref many => {
            let moves: Vec<String> = many.iter().map(ToString::to_string).collect();
            format!("the legal moves of {side} are {}", moves.join(" "))
        }
    };
    let mut scene = Mmpawns::scene(position);
    scene.notes.push(format!("{side} to move; # is no field"));
    Explanation {
        board: drawn(&scene),
        reason: Some(reason),
        ..Explanation::default()
    }
}

/// A dialogue of Reversi: nine lines of diagram, then ten for every line of input.
fn reversi(case: &Case, difference: &Difference) -> Explanation {
    const DIAGRAM: usize = 9;
    let text = String::from_utf8_lossy(case.expected().unwrap_or_default()).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let Some(place) = (difference.line - 1).checked_sub(DIAGRAM) else {
        return Explanation {
            reason: Some("the program begins with the diagram of the start".into()),
            cause: Some("the diagram of the start".into()),
            ..Explanation::default()
        };
    };
    let (turn, place) = (place / (DIAGRAM + 1), place % (DIAGRAM + 1));
    let input = case.input();
    let line = input.split(|byte| *byte == b'\n').nth(turn);
    let (Some(line), Some(rows)) = (line, lines.get(turn * 10..turn * 10 + 8)) else {
        return Explanation {
            reason: Some("after the last line of input nothing follows".into()),
            cause: Some("output after the end of input".into()),
            ..Explanation::default()
        };
    };
    let command: String = String::from_utf8_lossy(line)
        .chars()
        .take(60)
        .flat_map(char::escape_debug)
        .collect();
    let board = dialogues::board_of(rows);
    let position = Position::new(board, Side::First);
    let reply = lines.get(turn * 10 + DIAGRAM).copied().unwrap_or_default();
    let actual = difference.actual.as_deref().unwrap_or_default();
    let (reason, cause) = match place {
        0 => reply_reason(&board, &command, reply, actual),
        _ => diagram_reason(&board, reply, difference),
    };
    Explanation {
        command: Some(command),
        board: drawn(&Reversi::scene(&position)),
        reason: Some(reason),
        cause: Some(cause.into()),
    }
}

/// Why the right reply is right.
fn reply_reason(board: &Board, command: &str, reply: &str, actual: &str) -> (String, &'static str) {
    let expected: Vec<&str> = reply.split(' ').collect();
    let actual: Vec<&str> = actual.split(' ').collect();
    let square = |text: Option<&&str>| text.and_then(|text| text.parse::<Square>().ok());
    let &[black, white, number] = expected.as_slice() else {
        let reason = match command.parse::<Square>() {
            Ok(square) if square.to_string() == command => {
                format!("Black may not move there: {}", turns_nothing(board, square))
            }
            _ => format!("{command:?} is neither a square nor =, so nothing changes"),
        };
        return (reason, "a line that must be answered ?");
    };
    if actual.first() == Some(&"?") {
        let reason = match square(Some(&black)) {
            Some(square) => format!(
                "{square} is legal: Black turns over {}",
                turns(board, square)
            ),
            None => "= is always accepted".into(),
        };
        return (reason, "a line that must not be answered ?");
    }
    if actual.first() != Some(&black) {
        return (
            format!("the reply begins with Black's move {black}"),
            "the reply line",
        );
    }
    let played = square(Some(&black));
    let after = played.map_or(board.pass(), |square| board.play(square));
    if actual.get(1) != Some(&white) {
        return (
            white_reason(&after, white, actual.get(1).copied()),
            "White's reply",
        );
    }
    let reply = square(Some(&white));
    let next = reply.map_or(after.pass(), |square| after.play(square));
    let (own, other) = (next.own.len(), next.other.len());
    let reason = format!("after the reply Black has {own} discs and White {other}: n is {number}");
    (reason, "the number in the reply")
}

/// Why White's reply is this one and not the other.
fn white_reason(board: &Board, right: &str, given: Option<&str>) -> String {
    let Ok(right) = right.parse::<Square>() else {
        return "White has no legal move and passes".into();
    };
    let most = board.flips(right).len();
    let discs = |count: u32| match count {
        1 => "one disc".to_string(),
        many => format!("{many} discs"),
    };
    let takes = format!("{right} takes {}", discs(most));
    match given.and_then(|given| given.parse::<Square>().ok()) {
        Some(given) if board.moves().contains(given) => match board.flips(given).len() {
            same if same == most => {
                let same = discs(same);
                format!(
                    "{takes}, {given} also takes {same}: ties go to the lowest row, then to the \
                     earliest column"
                )
            }
            fewer => format!("{takes}, {given} only {fewer}: White takes most"),
        },
        Some(given) => format!("{takes}; for White {}", turns_nothing(board, given)),
        None => format!("{takes}: White passes only without a legal move"),
    }
}

/// Which square of a diagram is wrong.
fn diagram_reason(board: &Board, reply: &str, difference: &Difference) -> (String, &'static str) {
    let words: Vec<&str> = reply.split(' ').collect();
    let lines = difference
        .expected
        .as_deref()
        .zip(difference.actual.as_deref());
    let column = lines.and_then(|(expected, actual)| {
        let same = |(a, b): &(char, char)| a == b;
        let pairs = expected.chars().zip(actual.chars());
        let place = pairs.take_while(same).count();
        let row = expected.chars().nth(8)?;
        (place < 8).then(|| format!("{}{row}", char::from(b'a' + place as u8)))
    });
    let turned = match words[..] {
        [black, white, _] => {
            let square = |text: &str| text.parse::<Square>().ok();
            let black_turns = square(black).map_or("nothing".into(), |s| turns(board, s));
            let after = square(black).map_or(board.pass(), |s| board.play(s));
            let white_turns = square(white).map_or("nothing".into(), |s| turns(&after, s));
            format!(
                "Black's {black} turns over {black_turns}, then White's {white} turns over \
                 {white_turns}"
            )
        }
        _ => "after ? the board stays as it is".into(),
    };
    match column {
        Some(square) => (
            format!("{square} is wrong: {turned}"),
            "the discs of a diagram",
        ),
        None => (turned, "the form of a diagram"),
    }
}

/// A session of GIPF: which command the wrong line answers, and the board before it.
fn interpreter(case: &Case, difference: &Difference) -> Explanation {
    let input = String::from_utf8_lossy(&case.input()).into_owned();
    let Some(answer) = answers::answer_at(&input, difference.line) else {
        return Explanation {
            reason: Some("after the answer to the last command nothing follows".into()),
            cause: Some("output after the last answer".into()),
            ..Explanation::default()
        };
    };
    let word = answer.command.split(' ').next().unwrap_or_default();
    let board = answer
        .position
        .as_ref()
        .and_then(|p| drawn(&Gipf::scene(p)));
    let reason = interpreter_reason(&answer, difference);
    Explanation {
        cause: Some(format!("the answer to {word}")),
        command: Some(answer.command),
        board,
        reason,
    }
}

fn interpreter_reason(answer: &answers::AnswerAt, difference: &Difference) -> Option<String> {
    let position = answer.position.as_ref()?;
    let (word, argument) = answer
        .command
        .split_once(' ')
        .unwrap_or((&answer.command, ""));
    let place = answer.place;
    match word {
        "DO_MOVE" => Some(match position.read_move(argument) {
            Ok(mv) => {
                let mut next = *position;
                next.play_unchecked(mv);
                let taken = |side: Side| {
                    let put = u32::from(side == position.side_to_move());
                    let before = position.stones(side).count_ones() + put;
                    before.saturating_sub(next.stones(side).count_ones())
                };
                match [taken(Side::First), taken(Side::Second)] {
                    [0, 0] => "the move is legal and takes nothing".into(),
                    [white, black] => format!(
                        "the move is legal and takes {white} white and {black} black stones"
                    ),
                }
            }
            Err(_) => {
                let error = position.parse_move(argument).err()?;
                error.to_string()
            }
        }),
        "GEN_ALL_POS_MOV" => {
            let height = 2 * usize::from(position.variant().size()) + 1;
            let number = place / height + 1;
            Some(format!(
                "that is line {} of generated position {number}; positions come in the order of the \
                 document, each once",
                place % height + 1
            ))
        }
        "PRINT_GAME_BOARD" if place >= 2 => {
            let line = text::print(position).lines().nth(place)?.to_string();
            let actual = difference.actual.as_deref()?;
            let points = |line: &str| -> Vec<char> {
                let points = line.chars().filter(|c| "WB_".contains(*c));
                points.collect()
            };
            let (expected, actual) = (points(&line), points(actual));
            let at = expected.iter().zip(&actual).position(|(a, b)| a != b)?;
            let point = position.geometry().rows().nth(place - 2)?.get(at)?;
            let (label, stone) = (position.geometry().label(*point), expected[at]);
            Some(format!("{label} should be {stone}, not {}", actual[at]))
        }
        "IS_GAME_OVER" | "PRINT_GAME_STATE" => {
            let mover = ::gipf::Position::side_name(position.side_to_move());
            let reserve = position.reserve(position.side_to_move());
            Some(format!(
                "{mover} is to move with {reserve} in reserve and {} ways to move",
                position.moves().len()
            ))
        }
        _ => None,
    }
}
