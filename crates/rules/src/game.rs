//! The trait of a game, and the opt-in traits.

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::str::FromStr;

use crate::{MoveError, Outcome, PositionError, Side};

/// A position of a two-player game of perfect information.
///
/// `Display` and `FromStr` are the one-line text of a position; each reads what the
/// other writes. Passing and multi-part moves are moves like any other, so callers
/// need no special cases. A position has a legal move exactly if it has no outcome.
pub trait Game:
    Clone + Eq + fmt::Debug + fmt::Display + FromStr<Err = PositionError> + Send + Sync + 'static
{
    /// One whole turn of one player.
    type Move: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// The name people type: lower case, one word.
    const NAME: &'static str;

    /// What the game calls this player: `Black`, `White`, `A`, …
    fn side_name(side: Side) -> &'static str;

    /// Who is to move.
    fn side_to_move(&self) -> Side;

    /// Calls `visit` with every legal move, in an order that depends on the position
    /// alone, until it breaks. Visits none when the game is over.
    fn visit_moves<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Plays a legal move. On an illegal one the position afterwards is unspecified
    /// (but memory-safe); debug builds panic.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The text of a move in this position.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Reads a move and checks that it is legal here; the error says which rule it breaks.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Whether the move may be played here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.visit_moves(|legal| {
            if legal == mv {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .is_break()
    }

    /// Plays a move if it is legal; otherwise the position stays as it is.
    fn play(&mut self, mv: Self::Move) -> Result<(), MoveError> {
        if self.is_legal(mv) {
            self.play_unchecked(mv);
            Ok(())
        } else {
            Err(MoveError::illegal(self.move_text(mv), "not allowed here"))
        }
    }

    /// Puts all legal moves into `buffer`, which is cleared first.
    fn moves_into(&self, buffer: &mut Vec<Self::Move>) {
        buffer.clear();
        let _ = self.visit_moves(|mv| {
            buffer.push(mv);
            ControlFlow::<()>::Continue(())
        });
    }

    /// How many legal moves there are.
    fn count_moves(&self) -> usize {
        let mut count = 0;
        let _ = self.visit_moves(|_| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// All legal moves, in a fresh vector: for where speed does not matter.
    fn moves(&self) -> Vec<Self::Move> {
        let mut buffer = Vec::new();
        self.moves_into(&mut buffer);
        buffer
    }
}

/// A game whose positions have a 64-bit hash: equal positions hash alike, and
/// different ones practically never do.
pub trait Hashed: Game {
    /// The hash of everything that decides how the game can go on.
    fn hash(&self) -> u64;
}

/// A game whose board can be turned or mirrored without changing anything.
pub trait Symmetric: Game {
    /// How many symmetries this position's board has, the identity (number 0) included.
    fn symmetries(&self) -> usize;

    /// The position seen through symmetry `index`.
    #[must_use]
    fn transform(&self, index: usize) -> Self;

    /// Where a move of this position goes under symmetry `index`.
    fn transform_move(&self, mv: Self::Move, index: usize) -> Self::Move;
}

/// The value of a won game; every estimate lies strictly between `-WIN` and `WIN`,
/// with room for a distance of a few thousand plies.
pub const WIN: i32 = 1_000_000;

/// A game with a quick estimate of who stands better.
pub trait Evaluate: Game {
    /// The estimate from the view of the side to move; positive is good for it.
    /// Only asked of positions without an outcome.
    fn evaluate(&self) -> i32;
}
