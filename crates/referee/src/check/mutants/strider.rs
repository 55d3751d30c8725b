//! An MMPawns program, slow and obvious, that looks for moves with a fault.

use ::mmpawns::matrix::{Account, Mark, Matrix};
use ::mmpawns::{LAST_PLY, Move, Position, Square};
use rules::{Game, Side};

use super::{Answer, refused, said};
use crate::check::case::{Ask, Case};
use crate::check::strides::{Stride, Way, symbol};

/// A program that looks for moves with a fault: its own, or the answers that decide
/// whether the opponent is stuck, or both.
#[derive(Clone, Copy)]
pub(super) struct Strider {
    pub(super) own: Stride,
    pub(super) answers: Stride,
    pub(super) taste: Taste,
    pub(super) rules: Rules,
    /// Whose moves it sees with the fault; both players' if nobody is named.
    pub(super) whose: Option<Side>,
}

/// Which of the moves that it sees a program plays.
#[derive(Clone, Copy)]
pub(super) enum Taste {
    First,
    Last,
}

/// What a program knows about the end of a game and about jumps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rules {
    Right,
    /// Does not see a pawn arrive on this file.
    BlindOnFile(u8),
    /// The game is drawn after this many plies.
    Drawn(u32),
    /// Jumps where it can.
    MustJump,
    /// Jumps on with the same pawn.
    JumpsOn,
    /// A jump takes nothing.
    TakesNothing(Way),
    /// Writes free squares where there is no field.
    LosesHoles,
}

pub(super) const RIGHT: Strider = Strider {
    own: Stride::Right,
    answers: Stride::Right,
    taste: Taste::First,
    rules: Rules::Right,
    whose: None,
};

impl Strider {
    pub(super) fn answer(self, case: &Case) -> Answer {
        let Ask::Matrix(content) = &case.ask else {
            return Answer::default();
        };
        let untouched = |answer: Answer| Answer {
            file: content.clone(),
            ..answer
        };
        let read = content.as_deref().map(Matrix::read);
        let Some(Ok(before)) = read else {
            return untouched(refused("mmpawns: matrix.txt: unreadable\n"));
        };
        let position = &before.position;
        let side = position.side_to_move();
        let mut moves = self.of(side, self.own).moves(position, side);
        let arrived = arrived(&Board::of(position), !side, Rules::Right);
        let number = position.number();
        if before.result != Mark::U || arrived || number > LAST_PLY || moves.is_empty() {
            return untouched(refused("mmpawns: matrix.txt:1: the game is over\n"));
        }
        if self.rules == Rules::MustJump && moves.iter().any(|mv| mv.taken().is_some()) {
            moves.retain(|mv| mv.taken().is_some());
        }
        let mv = match self.taste {
            Taste::First => moves.first(),
            Taste::Last => moves.last(),
        };
        let mv = *mv.unwrap_or_else(|| unreachable!("a move is there"));
        let board = self.play(position, mv, side);
        Answer {
            file: Some(self.write(&before, &board)),
            ..said("")
        }
    }

    /// How it looks for moves of this side.
    fn of(self, side: Side, stride: Stride) -> Stride {
        match self.whose {
            Some(whose) if whose != side => Stride::Right,
            _ => stride,
        }
    }

    fn play(self, position: &Position, mv: Move, side: Side) -> Board {
        let mut board = Board::of(position);
        board.go(mv, self.rules);
        if self.rules == Rules::JumpsOn && mv.taken().is_some() {
            let again = Way::ALL.into_iter().filter(|way| way.jump);
            let again = again.filter_map(|way| {
                let next = Move {
                    from: mv.to,
                    to: way.target(mv.to, side)?,
                };
                let over = board.0[next.taken()?.index()] == symbol(!side);
                (over && board.0[next.to.index()] == '-').then_some(next)
            });
            if let Some(next) = again.collect::<Vec<_>>().first() {
                board.go(*next, self.rules);
            }
        }
        board
    }

    /// The file after the move, with the result as the program sees it.
    fn write(self, before: &Matrix, board: &Board) -> Vec<u8> {
        let side = before.position.side_to_move();
        let number = before.position.number() + 1;
        // What the opponent can do is asked of the rules where the board is one.
        let stuck = match board.position(number) {
            Some(next) => self.of(!side, self.answers).moves(&next, !side).is_empty(),
            None => false,
        };
        let last = match self.rules {
            Rules::Drawn(last) => last,
            _ => LAST_PLY,
        };
        let result = if stuck {
            symbol(!side)
        } else if arrived(board, side, self.rules) {
            symbol(side)
        } else if number > last {
            'D'
        } else {
            'U'
        };
        let mut accounts = before.accounts.clone();
        let own = &mut accounts[side.index()];
        *own = Account::new(&own.score.clone(), own.seconds);
        let mut file = format!("{} {number} {result}\n", symbol(!side)).into_bytes();
        for account in &accounts {
            file.extend_from_slice(&account.line);
            file.push(b'\n');
        }
        for row in board.0.chunks(8) {
            file.extend(row.iter().map(|symbol| *symbol as u8));
            file.push(b'\n');
        }
        file
    }
}

/// The board as letters.
struct Board([char; 64]);

impl Board {
    fn of(position: &Position) -> Board {
        let mut letters = ['-'; 64];
        for square in Square::all() {
            letters[square.index()] = position.symbol(square);
        }
        Board(letters)
    }

    fn go(&mut self, mv: Move, rules: Rules) {
        if rules == Rules::LosesHoles {
            self.0 = self.0.map(|c| if c == '*' { '-' } else { c });
        }
        let pawn = self.0[mv.from.index()];
        self.0[mv.from.index()] = '-';
        self.0[mv.to.index()] = pawn;
        if let Some(taken) = mv.taken()
            && rules != Rules::TakesNothing(Way::of(mv))
        {
            self.0[taken.index()] = '-';
        }
    }

    fn position(&self, number: u32) -> Option<Position> {
        let set = |wanted: char| {
            let squares = Square::all();
            squares.filter(move |square| self.0[square.index()] == wanted)
        };
        let pawns = [set('A').collect(), set('B').collect()];
        let holes: rules::Squares = set('*').collect();
        Position::new(pawns, !holes, number).ok()
    }
}

/// Whether a pawn of this side stands on the far edge.
fn arrived(board: &Board, side: Side, rules: Rules) -> bool {
    let row = [0, 7][side.index()];
    Square::all().any(|square| {
        let blind = rules == Rules::BlindOnFile(square.column());
        square.row() == row && board.0[square.index()] == symbol(side) && !blind
    })
}
