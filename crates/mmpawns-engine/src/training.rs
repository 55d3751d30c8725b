//! What training needs of the engine: samples, features of the static evaluation, and a sparring
//! partner. The crate `train` fits the weights.

use mmpawns::{Move, Position};
use rules::Game;
use search::Limits;

use crate::arena::Arena;
use crate::board::Board;
use crate::deepen::Deepener;
use crate::{Prover, Value, eval, net};

/// Features of the linear part.
pub const FEATURES: usize = eval::SIZE;

/// Hidden sums of the network.
pub const HIDDEN: usize = net::HIDDEN;
/// Inputs of the network.
pub const INPUTS: usize = net::INPUTS;

/// What stands for one in the weights of the hidden sums.
pub const ONE: i16 = net::ONE;
/// What stands for one in the weights of the result.
pub const RESULT_ONE: i16 = net::RESULT_ONE;

/// A position of which is known whether the player to move wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    pub(crate) board: Board,
    pub(crate) field: u64,
    /// Whether the player to move wins.
    pub won: bool,
}

impl Sample {
    /// A position with this label.
    #[must_use]
    pub fn new(position: &Position, won: bool) -> Sample {
        Sample {
            board: Board::of(position),
            field: Arena::of(position).field(position.number()),
            won,
        }
    }

    /// The same with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Sample {
        let mirror = |set: u64| set.reverse_bits().swap_bytes();
        Sample {
            board: Board {
                own: mirror(self.board.own),
                other: mirror(self.board.other),
            },
            field: mirror(self.field),
            won: self.won,
        }
    }

    /// Calls `visit` with every feature of the linear part and how often it counts.
    pub fn features(&self, visit: impl FnMut(usize, i32)) {
        eval::features(self.board, self.field, visit);
    }

    /// Calls `visit` with every input of the network.
    pub fn inputs(&self, visit: impl FnMut(usize)) {
        net::inputs(self.board, self.field, visit);
    }
}

/// A prover that keeps some of the positions it decides.
pub struct Labeller(Prover);

impl Labeller {
    /// With a table of at most so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Labeller {
        let mut prover = Prover::new(bytes);
        prover.collect_samples();
        Labeller(prover)
    }

    /// Forgets everything that was proved.
    pub fn forget(&mut self) {
        self.0.forget();
    }

    /// Who wins, if that is found within the limits, and samples from the search.
    pub fn prove(&mut self, position: &Position, limits: &Limits) -> (Option<Value>, Vec<Sample>) {
        let value = self.0.prove(position, limits);
        (value, self.0.take_samples())
    }
}

/// Plays quickly.
pub struct Sparring(Deepener);

impl Sparring {
    /// With a table of at most so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Sparring {
        Sparring(Deepener::new(bytes))
    }

    /// All moves, in the order of the engine.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        let field = Arena::of(position).field(position.number());
        let side = position.side_to_move();
        Board::of(position).each_child(field, |child| moves.push(child.to_move(side)));
        moves
    }

    /// The best move of a search of this depth; the game is not over.
    pub fn best_move(&mut self, position: &Position, depth: u32) -> Move {
        let mut children = Vec::new();
        let field = Arena::of(position).field(position.number());
        Board::of(position).each_child(field, |child| children.push(child));
        let limits = Limits::default().with_depth(depth);
        let found = self.0.search(position, &children, &limits);
        found.candidates[0].child.to_move(position.side_to_move())
    }
}
