//! An opening book: positions thought over long before the game.
//!
//! A book is a sorted list of positions, one image standing for all eight symmetric ones,
//! each with what a search said about all of its moves, and with its value by those of the
//! positions that its moves lead to. It is read where it lies, without being unpacked.

mod file;

use reversi::{Board, Move, Position, Square};
use rules::{Side, Symmetric};

pub use file::{Book, BookError, Entry, write};

/// How a book was grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// Plies that were looked ahead from each position, 1 to 60.
    pub depth: u8,
    /// Discs that a single move may lose and still be followed, 0 to 128.
    pub width: u8,
    /// Plies that a disc lost counts as.
    pub loss: u8,
}

/// What the book says about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The move to play.
    pub mv: Move,
    /// The final disc difference to expect, seen by the player to move.
    pub value: i32,
    /// Plies that were looked ahead from the position.
    pub depth: u32,
}

/// A move of a position in the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The final disc difference to expect, seen by the player to move: by the position that
    /// the move leads to if that is in the book, else by the search.
    pub value: i32,
    /// Whether the move leads to a position of the book.
    pub stays: bool,
}

/// Where a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Next {
    /// The position in which somebody can move, as the book has it.
    pub board: Board,
    /// Whether it is the turn of whoever made the move, the other one having to pass.
    pub same_side: bool,
}

impl Next {
    /// A value of the position, seen by whoever made the move.
    #[must_use]
    pub fn value_before(self, value: i32) -> i32 {
        if self.same_side { value } else { -value }
    }
}

/// Where a disc on this square leads to; nowhere if it ends the game.
#[must_use]
pub fn after(board: Board, square: Square) -> Option<Next> {
    settled(board.play(square)).map(|next| Next {
        same_side: !next.same_side,
        ..next
    })
}

/// The position as the book would have it, after a pass if there must be one; none if the
/// game is over. The side is the same if nobody has to pass.
#[must_use]
pub fn settled(board: Board) -> Option<Next> {
    let passed = board.moves().is_empty();
    let board = if passed { board.pass() } else { board };
    (!board.moves().is_empty()).then(|| Next {
        board: canonical(board).0,
        same_side: !passed,
    })
}

/// The image of a board that stands for all, and the symmetry that leads to it.
#[must_use]
pub fn canonical(board: Board) -> (Board, usize) {
    let position = Position::new(board, Side::First);
    (0..position.symmetries())
        .map(|index| (position.transform(index).board(), index))
        .min()
        .unwrap_or((board, 0))
}

/// The symmetry that undoes another: exchanging columns and rows exchanges the mirrors.
fn inverse(symmetry: usize) -> usize {
    if symmetry & 4 != 0 {
        4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1
    } else {
        symmetry
    }
}

impl Book<'_> {
    /// All moves of a position, the best one first; of equally good ones those that stay in
    /// the book come first, and otherwise the order is always the same. Nothing if the
    /// position is not in the book.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Option<Vec<BookMove>> {
        let (image, symmetry) = canonical(position.board());
        let searched = self.searched(image)?;
        let image_position = Position::new(image, Side::First);
        let mut moves: Vec<BookMove> = image
            .moves()
            .zip(searched)
            .map(|(square, &searched)| {
                let known = after(image, square)
                    .and_then(|next| Some(next.value_before(self.value(next.board)?)));
                BookMove {
                    mv: image_position.transform_move(square.into(), inverse(symmetry)),
                    value: known.unwrap_or(i32::from(searched.cast_signed())),
                    stays: known.is_some(),
                }
            })
            .collect();
        moves.sort_by_key(|known| (-known.value, !known.stays));
        Some(moves)
    }

    /// The move to play, if the position is in the book.
    #[must_use]
    pub fn advice(&self, position: &Position) -> Option<Advice> {
        let best = *self.moves(position)?.first()?;
        let empties = position.board().empty().len();
        Some(Advice {
            mv: best.mv,
            value: best.value,
            depth: empties.min(self.recipe().depth.into()),
        })
    }
}

#[cfg(test)]
mod tests;
