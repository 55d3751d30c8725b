//! GIPF programs with a fault: in their words, or in their rules.

use ::gipf::Geometry;

use super::interpreter::{self, Fault, Part};
use super::{Answer, Family, Wrong, said};
use crate::check::case::{Case, LONG, Want};
use crate::check::gipf::{EMPTY, LABELLED, LINES, LOAD, MOVE, SOLVE, UNFINISHED, UNKNOWN, WINNING};
use crate::check::rounds;

/// The right answer of the GIPF program, changed.
#[derive(Clone, Copy)]
enum GipfBug {
    /// This text of the answer becomes that.
    Says(&'static str, &'static str),
    /// This text of the input is read as that.
    Reads(&'static str, &'static str),
    /// Standard error, and the status if it is not 0, become this.
    Complains(&'static str, i32),
    /// The last line without its end is not read.
    LosesLastLine,
    /// Stops after so many lines, or at a line with more characters.
    LinesAtMost(usize),
    CharactersAtMost(usize),
    /// All lines of the answer, changed.
    Lines(&'static str, fn(&str) -> String),
}

impl std::fmt::Debug for GipfBug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GipfBug::Says(from, to) => write!(f, "says {to:?} for {from:?}"),
            GipfBug::Reads(from, to) => write!(f, "reads {from:?} as {to:?}"),
            GipfBug::Complains(text, status) => write!(f, "complains {text:?} {status}"),
            GipfBug::LinesAtMost(most) => write!(f, "reads at most {most} lines"),
            GipfBug::CharactersAtMost(most) => {
                write!(f, "reads at most {most} characters of a line")
            }
            GipfBug::LosesLastLine => f.write_str("loses the last line without its end"),
            GipfBug::Lines(name, _) => f.write_str(name),
        }
    }
}

fn gipf(case: &Case, bug: GipfBug) -> Answer {
    let input = String::from_utf8_lossy(&case.input()).into_owned();
    let right = || {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let options = programs::gipf::Options::default();
        let input = match bug {
            GipfBug::Reads(from, to) => input.replace(from, to),
            GipfBug::LosesLastLine => {
                let lines = input.split_inclusive('\n');
                lines.filter(|line| line.ends_with('\n')).collect()
            }
            GipfBug::LinesAtMost(most) => {
                let lines = input.split_inclusive('\n').take(most);
                lines.collect()
            }
            GipfBug::CharactersAtMost(most) => {
                let lines = input.split_inclusive('\n');
                lines.take_while(|line| line.len() <= most).collect()
            }
            _ => input.clone(),
        };
        let end = programs::gipf::run(input.as_bytes(), &mut stdout, &mut stderr, options);
        let inside = end.is_ok_and(|end| end == programs::gipf::End::InsideBoard);
        Answer {
            stdout,
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
            status: if inside { 2 } else { 0 },
            ..Answer::default()
        }
    };
    // What is not changed by the bug needs no thought, and positions are slow to solve.
    let known = |mut output: String| {
        let complaining = matches!(case.want, Want::Complaint { .. });
        match bug {
            GipfBug::Says(from, to) => output = output.replace(from, to),
            GipfBug::Lines(_, change) => output = change(&output),
            _ => {}
        }
        let mut answer = if complaining {
            right()
        } else {
            Answer::default()
        };
        if let (GipfBug::Complains(text, status), true) = (bug, complaining) {
            answer.stderr = text.into();
            answer.status = answer.status.min(status);
        }
        answer.stdout = output.into_bytes();
        answer
    };
    match (bug, case.expected()) {
        (GipfBug::Reads(from, _), _) if input.contains(from) => right(),
        (GipfBug::LosesLastLine, _) if !input.ends_with('\n') => right(),
        (GipfBug::LinesAtMost(_) | GipfBug::CharactersAtMost(_), _) => right(),
        (_, Some(expected)) => known(String::from_utf8_lossy(expected).into_owned()),
        (_, None) => right(),
    }
}

/// Turns every block of generated positions around.
fn last_first(output: &str) -> String {
    let mut lines: Vec<&str> = output.lines().collect();
    lines.reverse();
    lines.join("\n") + "\n"
}

/// All mutants, and the right program.
pub(super) fn mutants() -> Vec<Wrong> {
    use GipfBug::{Complains, Lines, LosesLastLine, Reads, Says};
    let bugs = [
        // Every answer of the document, exchanged for another.
        Says("BOARD_STATE_OK", "OK"),
        Says("WRONG_BOARD_ROW_LENGTH", "WRONG_WHITE_PAWNS_NUMBER"),
        Says("WRONG_WHITE_PAWNS_NUMBER", "WRONG_BLACK_PAWNS_NUMBER"),
        Says("WRONG_BLACK_PAWNS_NUMBER", "WRONG_WHITE_PAWNS_NUMBER"),
        Says("FOUND_1_ROW_OF", "FOUND_1_ROWS_OF"),
        Says("FOUND_2_ROWS_OF", "FOUND_1_ROW_OF"),
        Says("EMPTY_BOARD", "NO_BOARD"),
        Says("MOVE_COMMITTED", "OK"),
        Says("WRONG_INDEX\n", "WRONG_STARTING_FIELD\n"),
        Says("WRONG_STARTING_FIELD", "WRONG_INDEX"),
        Says("WRONG_DESTINATION_FIELD", "WRONG_INDEX"),
        Says("UNKNOWN_MOVE_DIRECTION", "BAD_MOVE_ROW_IS_FULL"),
        Says("BAD_MOVE_ROW_IS_FULL", "UNKNOWN_MOVE_DIRECTION"),
        Says("WRONG_COLOR_OF_CHOSEN_ROW", "WRONG_INDEX_OF_CHOSEN_ROW"),
        Says("WRONG_INDEX_OF_CHOSEN_ROW", "MOVE_COMMITTED"),
        Says("in_progress", "bad_move W a1-b2"),
        Says("white_win", "in_progress"),
        Says("black_win", "in_progress"),
        Says("dead_lock W", "black_win"),
        Says("dead_lock B", "white_win"),
        Says("bad_move W", "in_progress"),
        Says("bad_move B", "in_progress"),
        Says("GAME_IN_PROGRESS", "THE_WINNER_IS_WHITE"),
        Says("THE_WINNER_IS_WHITE", "THE_WINNER_IS_BLACK"),
        Says("THE_WINNER_IS_BLACK", "THE_WINNER_IS_WHITE"),
        Says("\n0_UNIQUE_MOVES", "\n1_UNIQUE_MOVES"),
        Says("\n1_UNIQUE_MOVES", "\n2_UNIQUE_MOVES"),
        Says("WHITE_WINS_IN_1", "NO_WINNING_SEQUENCE"),
        Says("WHITE_WINS_IN_3", "WHITE_WINS_IN_4"),
        Says("BLACK_WINS_IN_", "WHITE_WINS_IN_"),
        Says("NO_WINNING_SEQUENCE", "WHITE_WINS_IN_1"),
        Says("WHITE_HAS_WINNING_STRATEGY", "BOTH_PLAYERS_TIE"),
        Says("BLACK_HAS_WINNING_STRATEGY", "BOTH_PLAYERS_TIE"),
        Says("BOTH_PLAYERS_TIE", "WHITE_HAS_WINNING_STRATEGY"),
        // Blanks of a printed board, and the order of positions.
        Lines("no blanks at the end", |output| output.replace(" \n", "\n")),
        Lines("no indentation", |output| output.replace("\n ", "\n")),
        Lines("no blank line after a board", |output| {
            output.replace("\n\n", "\n")
        }),
        Lines("last position first", last_first),
        // Commands taken for others, and lines read too narrowly.
        Reads("_EXT", ""),
        Reads("w:", "b:"),
        Reads(" w: ", "\nUNKNOWN "),
        Reads(" b: ", "\nUNKNOWN "),
        Reads("3 5 5 W\n", "3 5\n"),
        Reads("\r", " _"),
        Reads("\n\n", "\nPRINT_GAME_BOARD\n"),
        Reads("4 4 15 15", "4 3 15 15"),
        Reads("DANCE", ""),
        Reads("PRINT_GAME_BOARDS", "PRINT_GAME_BOARD"),
        Reads("PRINT_GAME\n", "PRINT_GAME_BOARD\n"),
        Reads("DO_MOVES", "DO_MOVE"),
        Reads("_NUMBER", "_NUM"),
        Reads("_EXTRA", "_EXT"),
        Reads("OVER?", "OVER"),
        Reads(" W B\n\nB", " W B\nIS_GAME_OVER\nB"),
        Reads("W   B", "W _ B"),
        // Boards larger than some program has room for.
        Reads("BOARD\n5 ", "BOARD\n4 "),
        Reads("BOARD\n6 ", "BOARD\n5 "),
        Reads("BOARD\n7 ", "BOARD\n6 "),
        LosesLastLine,
        // A line of blanks is a row, an empty row ends a board, or is a command.
        Reads("\n  \n", "\n_\n"),
        Complains("", 2),
        Complains("UNKNOWN_COMMAND DANCE\n", 0),
    ];
    let bugs = bugs.map(|bug| (Family::WrongForm, bug));
    let all = bugs.into_iter().chain([(Family::Right, RIGHT)]);
    let words = all
        .map(|(family, bug)| Wrong::new(family, format!("{bug:?}"), move |case| gipf(case, bug)));
    let rules = faults().into_iter().map(|(family, fault)| {
        let name = match fault {
            Fault::None => "right, slow and obvious".into(),
            fault if fault.is_right() => format!("right, {fault:?}"),
            fault => format!("{fault:?}"),
        };
        Wrong::new(family, name, move |case| interpret(case, fault))
    });
    let lines = [500, 1000, 2048, 4096].map(GipfBug::LinesAtMost);
    let characters = [80, 255, 1023, 4095, 1 << 16].map(GipfBug::CharactersAtMost);
    let tired = lines.into_iter().chain(characters).map(|bug| {
        let name = format!("{bug:?}");
        Wrong::new(Family::WrongForm, name, move |case: &Case| {
            match case.rule {
                LONG => gipf(case, bug),
                _ => gipf(case, RIGHT),
            }
        })
        .tires()
    });
    words.chain(rules).chain(tired).collect()
}

const RIGHT: GipfBug = GipfBug::Lines("right", str::to_string);

/// What the interpreter with a fault makes of a case. Where the fault cannot show, since
/// it is of the rules and the case is not, the right answer needs no thought.
fn interpret(case: &Case, fault: Fault) -> Answer {
    if fault.is_of_loading() && case.rule != LOAD {
        return gipf(case, RIGHT);
    }
    // Large boards and long searches are slow.
    let crowded = case.name.contains("crowded");
    if crowded && !fault.needs_crowds() && !fault.is_right() {
        return gipf(case, RIGHT);
    }
    if fault.is_of_labels() && case.rule != MOVE {
        return gipf(case, RIGHT);
    }
    if fault.is_of_solving() {
        let wanted = match fault {
            Fault::SolvesFromMemory(_) | Fault::WinsFromMemory(_) => "solve-one-after-the-other",
            _ => "solve-cycle",
        };
        if !case.name.starts_with(wanted) {
            return gipf(case, RIGHT);
        }
    }
    if fault.is_of_searching() {
        let asked = match fault {
            Fault::SearchesWith(_) | Fault::SearchesUpTo(_) => case.name.contains("-ending-"),
            _ => case.rule == WINNING || case.name.contains("-ending-"),
        };
        if !asked {
            return gipf(case, RIGHT);
        }
        let input = String::from_utf8_lossy(&case.input()).into_owned();
        return said(interpreter::run(&input, fault));
    }
    let other = [LOAD, LINES, EMPTY, UNKNOWN, UNFINISHED, SOLVE].contains(&case.rule);
    let other = other && !fault.is_of_loading() && !fault.is_of_solving();
    if other || case.rule == WINNING && !fault.is_of_winning() {
        return gipf(case, RIGHT);
    }
    let input = String::from_utf8_lossy(&case.input()).into_owned();
    said(interpreter::run(&input, fault))
}

/// Rules that a program can have got right where it moves, and wrong where it looks ahead.
static SEARCHED: [Fault; 22] = [
    Fault::FirstChoice,
    Fault::FirstCrossing,
    Fault::AllCrossing,
    Fault::OneRound,
    Fault::OtherRowsFirst,
    Fault::OnlyOwnRows,
    Fault::OnlyOtherRows,
    Fault::RunOnly,
    Fault::NoRows,
    Fault::OwnAreLost,
    Fault::OthersComeBack,
    Fault::AllToTheMover,
    Fault::RowsBelongToTheMover,
    Fault::KeepsReserve,
    Fault::OnWhenFull,
    Fault::OnWhenEmpty,
    Fault::OverWhenOtherIsEmpty,
    Fault::RunTooLong,
    Fault::RunExactly,
    Fault::NoRowsAlong(0),
    Fault::NoRowsAlong(1),
    Fault::NoRowsAlong(2),
];

/// Looks ahead rightly.
const HONEST: Fault = Fault::SearchesWith(&Fault::None);

/// Other faults of looking ahead.
const SEARCHES: [Fault; 6] = [
    Fault::LoserHurries,
    Fault::OnlyOfThatLength,
    Fault::AnyPath,
    Fault::FirstWinFound,
    Fault::MemoryWithoutDepth,
    Fault::MemoryWithoutReserves,
];

/// Every fault of the rules.
fn faults() -> Vec<(Family, Fault)> {
    let mut misses = vec![
        Fault::NoRows,
        Fault::RunTooLong,
        Fault::RunExactly,
        Fault::OnlyOwnRows,
        Fault::OnlyOtherRows,
        Fault::FirstChoice,
        Fault::FirstCrossing,
        Fault::FullIfOther,
    ];
    for size in 5..=7 {
        let lines = Geometry::of(size).lines().iter().enumerate();
        let lines = lines.filter(|(_, line)| line.len() >= 3);
        misses.extend(lines.map(|(line, _)| Fault::NoRowsOn(size, line)));
        let entries = 0..Geometry::of(size).entries().len() as u8;
        misses.extend(entries.map(|entry| Fault::NoEntry(size, entry)));
    }
    for size in 2..=4 {
        let geometry = Geometry::of(size);
        let entries = 0..geometry.entries().len() as u8;
        misses.extend(entries.map(|entry| Fault::NoEntry(size, entry)));
        // The lines that rows of the variants in the cases fit on.
        let run = [2, 3, 3][usize::from(size) - 2];
        let lines = geometry.lines().iter().enumerate();
        let lines = lines.filter(|(_, line)| line.len() >= run);
        misses.extend(lines.map(|(line, _)| Fault::NoRowsOn(size, line)));
    }
    for size in LABELLED {
        for field in Geometry::of(size).all_fields() {
            misses.push(Fault::UnknownLabel(size, field));
            misses.push(Fault::MistakenLabel(size, field));
        }
    }
    misses.extend((0..rounds::MOST_PUSHED).map(Fault::PushAtMost));
    misses.extend((0..3).map(Fault::NoRowsAlong));
    misses.extend((2..=6).map(Fault::RunAlways));
    let invents = [
        Fault::PushesOff,
        Fault::Overwrites,
        Fault::JumpsAhead,
        Fault::RunTooShort,
        Fault::StretchOverGaps,
        Fault::MovesWithoutReserve,
        Fault::OnWhenEmpty,
        Fault::OnWhenFull,
        Fault::Twice,
        Fault::AnyStoneOfTheRow,
        Fault::TooManyIgnored,
        Fault::MissingIgnored,
        Fault::ColourIgnored,
        Fault::LabelsOfTheBox,
        Fault::LabelsOneBeyond,
        Fault::LabelsFromZero,
        Fault::LabelsOfOneDigit,
        Fault::AnyPointOfTheLine,
        Fault::AnyDestination,
    ];
    let mut rules = vec![
        Fault::OtherRowsFirst,
        Fault::RunOnly,
        Fault::StretchBack,
        Fault::StretchAhead,
        Fault::OthersComeBack,
        Fault::OwnAreLost,
        Fault::AllToTheMover,
        Fault::RowsBelongToTheMover,
        Fault::AllCrossing,
        Fault::CrossingByRuns,
        Fault::CrossingAnyColour,
        Fault::OneRowOfALine,
        Fault::BrokenRowsToo,
        Fault::StretchesAsPushed,
        Fault::FirstRunNamed,
        Fault::LastRunNamed,
        Fault::RunsNamedTogether,
        Fault::RunIsSize,
        Fault::OneRound,
        Fault::AlwaysAsks,
        Fault::KeepsReserve,
        Fault::KeepsSide,
        Fault::RimBackwards,
        Fault::SourcesBackwards,
        Fault::ThreeInOrder,
        Fault::LastFirst,
        Fault::ChoicesBackwards,
        Fault::ExtOfAll,
        Fault::ExtAllWins,
        Fault::ExtLastWin,
        Fault::OverWhenOtherIsEmpty,
        Fault::DeadLockIsWin,
        Fault::WinnerExchanged,
        Fault::BadMoveStays,
        Fault::BadMoveForgotten,
        Fault::EndsInOrder,
        Fault::NeedlessRefused,
        Fault::CountsWholeMoves,
        Fault::OnlyTheMoverWins,
        Fault::SaysTheLimit,
        Fault::LooksOneTooShort,
        Fault::RunsOfAStretchClash,
        Fault::OnlyTheRowComesBack,
        Fault::WhiteRowsFirst,
        Fault::StretchEndsNamed,
        Fault::BadMoveToldOnce,
        Fault::BadMoveForgottenByQuestions,
        Fault::BadMoveWithChoices,
        Fault::ExtByReserveOnly,
        Fault::DeadLockBeforeReserve,
        Fault::TellsTheLastLabel,
        Fault::BadMoveLosesTheTurn,
        Fault::BadMoveCostsAStone,
        Fault::WrongChoiceKeepsThePush,
        Fault::LoadsEveryWindow,
        Fault::LoadsLinesOnce,
        Fault::LoadsExactRuns,
        Fault::LoadsBlackFirst,
        Fault::LoadsRowsFirst,
        Fault::LoadsOnlyWholeSets,
        Fault::LoadsWithoutReserves,
        Fault::LoadsAnyNumber,
        Fault::LoadsTotalsExchanged,
        Fault::LoadsOneTotal,
    ];
    rules.extend([Fault::SameByStones, Fault::SolvesByPath]);
    rules.extend(Part::ALL.map(Fault::SolvesFromMemory));
    rules.extend(Part::ALL.map(Fault::WinsFromMemory));
    rules.extend((1..=6).map(Fault::SolvesWithin));
    rules.extend(SEARCHED.iter().map(Fault::SearchesWith));
    rules.extend((2..5).map(Fault::SearchesUpTo));
    rules.extend((1..5).map(Fault::LooksAtMost));
    rules.extend(SEARCHES);
    rules.extend([1, 2, 9].map(Fault::LoadsRowsAtMost));
    rules.extend((2..7).map(Fault::LoadsRunsAtMost));
    rules.extend((0..7).map(Fault::LoadsAnyLengthOf));
    rules.extend([
        Fault::LoadsLongRows,
        Fault::LoadsShortRows,
        Fault::LoadsAllPointsTogether,
        Fault::LoadsFewerRows,
        Fault::LoadsMoreRows,
        Fault::LoadsStonesBeforeLengths,
        Fault::LoadsRunsBeforeLengths,
    ]);
    let errors = [
        "WRONG_BOARD",
        "WRONG_WHITE",
        "WRONG_BLACK",
        "ERROR_FOUND_1_",
        "ERROR_FOUND_4_",
    ];
    rules.extend(errors.map(Fault::LoadsKeepingAfter));
    rules.extend((2..rounds::MOST_WAYS).map(Fault::WaysAtMost));
    rules.extend((1..rounds::MOST_CHOICES).map(Fault::ChoicesAtMost));
    rules.extend(rounds::POSITIONS.map(Fault::PositionsAtMost));
    rules.extend(rounds::RESERVES.map(Fault::ReserveAtMost));
    rules.extend((0..3).map(Fault::LoadsRowsAlong));
    rules.extend((0..2).map(Fault::LoadsRowsOf));
    rules.extend((1..6).map(Fault::RimFrom));
    rules.extend((1..3).map(Fault::LinesFrom));
    rules.extend((0..4).map(Fault::ChecksExchanged));
    let with = |family: Family| move |fault: Fault| (family, fault);
    // The document says neither that two runs of a stretch are one row nor that they are two
    // where it counts rows to choose from.
    [Fault::None, Fault::ThreeByRuns, HONEST]
        .map(with(Family::Right))
        .into_iter()
        .chain(misses.into_iter().map(with(Family::MissesMoves)))
        .chain(invents.into_iter().map(with(Family::InventsMoves)))
        .chain(rules.into_iter().map(with(Family::LosesRule)))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};
    use std::ops::ControlFlow;

    use ::gipf::{Position, Setup, Variant, text};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rules::Game;

    use super::*;
    use crate::check::cover::{Candidate, cover};
    use crate::check::endings;

    /// More positions than this no game goes through that is worth solving here.
    const REACHED: usize = 1500;

    /// A board in the last moves of a game, if the dice give one: with few stones, or nearly full.
    fn ending(rng: &mut ChaCha8Rng) -> Option<Position> {
        let boards = [
            (2, 2),
            (2, 3),
            (3, 2),
            (3, 3),
            (3, 3),
            (4, 3),
            (4, 4),
            (5, 3),
        ];
        let (size, run) = boards[rng.random_range(0..boards.len())];
        let variant = Variant::new(size, run, 40, 40).ok()?;
        let setup = rounds::crowded(variant, 1, rng)?.setup();
        let thin = rng.random_range(0..2) == 0;
        let stones = setup.stones.map(|stones| match thin {
            true => stones & rng.random::<u128>() & rng.random::<u128>(),
            false => stones,
        });
        let position = Position::try_from(Setup {
            reserves: [rng.random_range(0..4), rng.random_range(0..4)],
            stones,
            ..setup
        });
        let position = position
            .ok()
            .filter(|position| position.outcome().is_none())?;
        let (mut seen, mut open) = (HashSet::from([position]), vec![position]);
        while let Some(at) = open.pop() {
            let _ = at.visit_successors(|_, next| {
                if seen.insert(next) {
                    open.push(next);
                }
                ControlFlow::<()>::Continue(())
            });
            if seen.len() > REACHED {
                return None;
            }
        }
        Some(position)
    }

    /// The faults that a board shows, in what it is asked and on which size; nothing of one that even
    /// the slow searches, which do not look far, get wrong.
    fn shown(position: &Position, faults: &[Fault]) -> Vec<String> {
        let cases = endings::of("candidate", &text::print(position));
        let right = |case: &Case| interpret(case, HONEST).stdout == case.expected().unwrap();
        if !cases.iter().all(right) {
            return Vec::new();
        }
        let size = position.variant().size();
        let mut shows = Vec::new();
        for case in cases {
            let right = case.expected().unwrap_or_default();
            let last = String::from_utf8_lossy(right);
            let last = last.lines().last().unwrap_or_default();
            shows.push(format!("{size} {last}"));
            let wrong = |fault: &&Fault| interpret(&case, **fault).stdout != right;
            let show = |fault: &Fault| format!("{} {fault:?}", case.rule);
            shows.extend(faults.iter().filter(wrong).map(show));
        }
        shows
    }

    /// Whether a search with this fault lists other moves on a board; nobody can tell of most faults.
    fn may_show(position: &Position, fault: Fault) -> bool {
        match fault {
            Fault::SearchesWith(Fault::None) => false,
            Fault::SearchesWith(rule) => {
                let board = text::print(position);
                let input = format!("LOAD_GAME_BOARD\n{board}GEN_ALL_POS_MOV\n");
                let [right, wrong] =
                    [Fault::None, *rule].map(|rule| interpreter::run(&input, rule));
                right != wrong
            }
            _ => true,
        }
    }

    /// A few boards here; with `cargo xtask endings` as many as are asked for besides those that are
    /// known, and the lines of `endings.txt` are printed.
    #[test]
    fn random_endings_show_faults() {
        let most = std::env::var("LUDEX_ENDINGS").ok();
        let most: Option<usize> = most.map(|most| most.parse().expect("a number of boards"));
        let (known, new) = most.map_or((3, 20), |most| (usize::MAX, most));
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let searching = faults().into_iter().map(|(_, fault)| fault);
        let searching: Vec<Fault> = searching.filter(|fault| fault.is_of_searching()).collect();
        let mut seen = BTreeSet::new();
        let mut candidates = Vec::new();
        let old = endings::positions().into_iter().take(known);
        let old = old.map(|position| Some((position, false)));
        let new = (0..new).map(|_| Some((ending(&mut rng)?, true)));
        for (position, is_new) in old.chain(new).flatten() {
            // Of new boards only those matter that show a fault which no board shows yet.
            let matters = |fault: &&Fault| {
                let end = format!(" {fault:?}");
                let known = seen.iter().any(|show: &String| show.ends_with(&end));
                !is_new || (!known && may_show(&position, **fault))
            };
            let open: Vec<Fault> = searching.iter().filter(matters).copied().collect();
            if is_new && open.is_empty() {
                continue;
            }
            let mut shows = shown(&position, &open);
            shows.retain(|show| seen.insert(show.clone()));
            if !shows.is_empty() {
                let case = position;
                candidates.push(Candidate { case, shows });
            }
        }
        let chosen = cover(candidates);
        assert!(!chosen.is_empty());
        for position in chosen {
            let board = text::print(&position);
            let lines: Vec<&str> = board.trim_end().lines().map(str::trim).collect();
            println!("{}", lines.join("/"));
        }
        for show in seen {
            println!("# {show}");
        }
    }
}
