//! Othello programs with a fault.

use ::reversi::{Board, Position, Square};
use rules::{Game, Side, Squares};

use super::readings::Reading;
use super::sights::faults;
use super::{Answer, Family, Wrong, refused, said};
use crate::check::case::{Ask, Case};
use crate::check::rays::Sight;
use crate::check::stages::{self, Trait};

/// Which of the moves that it sees a program plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taste {
    First,
    Last,
    Most,
    Fewest,
}

const TASTES: [(Taste, &str); 4] = [
    (Taste::First, "first"),
    (Taste::Last, "last"),
    (Taste::Most, "most"),
    (Taste::Fewest, "fewest"),
];

/// What else a program gets wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Slip {
    None,
    BlankForComma,
    RowFirst,
    CountsFromOne,
    CountsRowsFromBelow,
    SaysMore,
    SaysTwoMoves,
    SaysName,
    PlaysTheOtherColour,
    BlackIsAlwaysToMove,
    WhiteIsAlwaysToMove,
    MirrorsTheBoard,
    TurnsTheBoard,
    UpsideDown,
    PlaysAnyEmptySquare,
    PlaysBesideTheOther,
    SaysNothingWithoutMove,
    SaysZeroWithoutMove,
    FailsWithoutMove,
    AlwaysPasses,
    PassesWhenTheOtherCannotMove,
    TakesAnyCount,
    TakesAnyRow,
    TakesAnyColour,
    RefusesWithStatus1,
    RefusesSilently,
    RefusesOnOutput,
    RefusesInTwoLines,
    RefusesWithoutName,
    RefusesStrangePositions,
    RefusesFullBoards,
    FailsInTheEnd,
    /// Breaks down, or thinks too long, in positions that show this.
    Fails(Trait),
    /// Has room for so many legal moves.
    FailsAboveMoves(u32),
    /// Knows the answer to four discs, or to five, by heart.
    OpensByHeart,
    AnswersByHeart,
    /// Reads arguments otherwise.
    Reads(Reading),
}

#[derive(Clone, Copy)]
struct Program {
    sight: Sight,
    taste: Taste,
    slip: Slip,
}

const RIGHT: Program = Program {
    sight: Sight::Right,
    taste: Taste::First,
    slip: Slip::None,
};

/// All mutants, and right programs that choose in different ways.
pub(super) fn mutants() -> Vec<Wrong> {
    let wrong = |family, name: String, program: Program| {
        Wrong::new(family, name, move |case| program.answer(case))
    };
    let mut all = Vec::new();
    for (taste, name) in TASTES {
        let program = Program { taste, ..RIGHT };
        all.push(wrong(Family::Right, format!("right, {name}"), program));
    }
    for fault in faults() {
        // Of legal moves any will do; which one is preferred matters where some are not.
        let tastes = match fault.family {
            Family::InventsMoves => &TASTES[..],
            _ => &TASTES[..1],
        };
        for &(taste, taste_name) in tastes {
            let program = Program {
                sight: fault.sight,
                taste,
                ..RIGHT
            };
            let name = match tastes.len() {
                1 => fault.name.clone(),
                _ => format!("{}, {taste_name}", fault.name),
            };
            let mut mutant = wrong(fault.family, name, program);
            mutant.equivalent = fault.equivalent;
            all.push(mutant);
        }
    }
    let mut rules: Vec<Slip> = RULES.to_vec();
    rules.extend(stages::wanted().into_iter().map(Slip::Fails));
    rules.extend((1..stages::MOST_MOVES).map(Slip::FailsAboveMoves));
    let mut forms: Vec<Slip> = FORMS.to_vec();
    forms.extend(Reading::all().into_iter().map(Slip::Reads));
    for (family, slips) in [
        (Family::MissesMoves, MISSES),
        (Family::InventsMoves, INVENTS),
        (Family::LosesRule, &rules),
        (Family::WrongForm, &forms),
    ] {
        for &slip in slips {
            let program = Program { slip, ..RIGHT };
            all.push(wrong(family, format!("{slip:?}"), program));
        }
    }
    all
}

const MISSES: &[Slip] = &[Slip::AlwaysPasses, Slip::PassesWhenTheOtherCannotMove];

const INVENTS: &[Slip] = &[Slip::PlaysAnyEmptySquare, Slip::PlaysBesideTheOther];

const RULES: &[Slip] = &[
    Slip::PlaysTheOtherColour,
    Slip::BlackIsAlwaysToMove,
    Slip::WhiteIsAlwaysToMove,
    Slip::MirrorsTheBoard,
    Slip::TurnsTheBoard,
    Slip::UpsideDown,
    Slip::SaysNothingWithoutMove,
    Slip::SaysZeroWithoutMove,
    Slip::FailsWithoutMove,
    Slip::RefusesStrangePositions,
    Slip::RefusesFullBoards,
    Slip::FailsInTheEnd,
    Slip::OpensByHeart,
    Slip::AnswersByHeart,
];

const FORMS: &[Slip] = &[
    Slip::BlankForComma,
    Slip::RowFirst,
    Slip::CountsFromOne,
    Slip::CountsRowsFromBelow,
    Slip::SaysMore,
    Slip::SaysTwoMoves,
    Slip::SaysName,
    Slip::TakesAnyCount,
    Slip::TakesAnyRow,
    Slip::TakesAnyColour,
    Slip::RefusesWithStatus1,
    Slip::RefusesSilently,
    Slip::RefusesOnOutput,
    Slip::RefusesInTwoLines,
    Slip::RefusesWithoutName,
];

impl Program {
    fn answer(self, case: &Case) -> Answer {
        let Ask::Args(args) = &case.ask else {
            return Answer::default();
        };
        let args = match self.slip {
            Slip::Reads(reading) => reading.read(args),
            _ => args.clone(),
        };
        match programs::othello::read(&args) {
            Ok(position) => self.play(position),
            Err(error) => self.refuse(&error),
        }
    }

    fn play(self, position: Position) -> Answer {
        let board = self.seen(position);
        let full = board.empty().is_empty();
        let strange = board.own.is_empty() || board.other.is_empty();
        let moves = board.moves().len();
        let fails = match self.slip {
            Slip::FailsInTheEnd => board.empty().len() < 12,
            Slip::Fails(shown) => shown.is_shown(&position),
            Slip::FailsAboveMoves(room) => moves > room,
            _ => false,
        };
        if fails {
            return Answer {
                status: 134,
                ..said("")
            };
        }
        match self.slip {
            Slip::OpensByHeart if moves > 0 && board.empty().len() == 60 => {
                let black = position.side_to_move() == Side::First;
                return said(if black { "2,3\n" } else { "2,4\n" });
            }
            Slip::AnswersByHeart if moves > 0 && board.empty().len() == 59 => return said("3,2\n"),
            Slip::RefusesStrangePositions if strange => return refused("othello: no game\n"),
            Slip::RefusesFullBoards if full => return refused("othello: no room\n"),
            _ => {}
        }
        let Some(square) = self.choose(&board) else {
            return match self.slip {
                Slip::SaysNothingWithoutMove => said(""),
                Slip::SaysZeroWithoutMove => said("0,0\n"),
                Slip::FailsWithoutMove => Answer {
                    status: 1,
                    ..said("-1,-1\n")
                },
                _ => said("-1,-1\n"),
            };
        };
        let (x, y) = (square.column(), square.row());
        said(match self.slip {
            Slip::BlankForComma => format!("{x} {y}\n"),
            Slip::RowFirst => format!("{y},{x}\n"),
            Slip::CountsFromOne => format!("{},{}\n", x + 1, y + 1),
            Slip::CountsRowsFromBelow => format!("{x},{}\n", 7 - y),
            Slip::SaysMore => format!("my move: {x},{y}\n"),
            Slip::SaysTwoMoves => format!("{x},{y}\n{x},{y}\n"),
            Slip::SaysName => format!("{square}\n"),
            _ => format!("{x},{y}\n"),
        })
    }

    /// The board as the program sees it.
    fn seen(self, position: Position) -> Board {
        let (board, side) = (position.board(), position.side_to_move());
        let mapped = |map: fn(Square) -> Square| Board {
            own: board.own.map(map).collect(),
            other: board.other.map(map).collect(),
        };
        match self.slip {
            Slip::PlaysTheOtherColour => board.pass(),
            Slip::BlackIsAlwaysToMove if side == Side::Second => board.pass(),
            Slip::WhiteIsAlwaysToMove if side == Side::First => board.pass(),
            Slip::MirrorsTheBoard => mapped(Square::mirrored),
            Slip::UpsideDown => mapped(|s| Square::new((s.index() ^ 56) as u8)),
            Slip::TurnsTheBoard => mapped(|s| Square::new(s.column() * 8 + s.row())),
            _ => board,
        }
    }

    fn choose(self, board: &Board) -> Option<Square> {
        let other_stuck = board.pass().moves().is_empty();
        let mut moves = match self.slip {
            Slip::PlaysAnyEmptySquare => board.empty(),
            Slip::PlaysBesideTheOther => beside(board),
            Slip::AlwaysPasses => Squares::NONE,
            Slip::PassesWhenTheOtherCannotMove if other_stuck => Squares::NONE,
            _ => self.sight.moves(board),
        };
        let turned = |square: &Square| {
            let flips = self.sight.flips(board, *square);
            flips.map_or(0, Squares::len)
        };
        match self.taste {
            Taste::First => moves.next(),
            Taste::Last => moves.last(),
            Taste::Most => moves.max_by_key(turned),
            Taste::Fewest => moves.min_by_key(turned),
        }
    }

    fn refuse(self, error: &programs::othello::Error) -> Answer {
        use programs::othello::Error as E;
        let right = refused(format!("othello: {error}\n"));
        match (self.slip, error) {
            (Slip::TakesAnyCount, E::Count(_))
            | (Slip::TakesAnyRow, E::Row(..))
            | (Slip::TakesAnyColour, E::Colour(_)) => said("2,3\n"),
            (Slip::RefusesWithStatus1, _) => Answer { status: 1, ..right },
            (Slip::RefusesSilently, _) => refused(""),
            (Slip::RefusesOnOutput, _) => Answer {
                stdout: b"bad\n".to_vec(),
                ..right
            },
            (Slip::RefusesInTwoLines, _) => refused(format!("othello: {error}\nusage: …\n")),
            (Slip::RefusesWithoutName, _) => refused("bad arguments\n"),
            _ => right,
        }
    }
}

/// The empty squares beside a disc of the opponent.
fn beside(board: &Board) -> Squares {
    let touches = |square: &Square| {
        let neighbours = crate::check::rays::Direction::ALL
            .into_iter()
            .filter_map(|direction| direction.step(*square));
        neighbours
            .into_iter()
            .any(|other| board.other.contains(other))
    };
    board.empty().filter(touches).collect()
}
