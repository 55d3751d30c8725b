//! The search that plays the training games: shallow, plain, and the same for ever,
//! so that a recipe gives the same weights whatever becomes of the engine's own search.

use arrayvec::ArrayVec;
use othello::eval::{DISC, Features, MOST, Weights};
use reversi::{Board, Square};

use super::solve::final_score;

/// Moves with their static evaluations; no position has more than 33 of them.
type Ordered = ArrayVec<(i32, Square), 40>;

/// The best move and its value, in parts of a disc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best {
    /// Where the disc goes.
    pub(crate) square: Square,
    /// What the position is worth to the player to move.
    pub(crate) value: i32,
}

/// Searches `depth` plies deep. There must be a move.
pub(crate) fn best(weights: &Weights, board: Board, depth: u32) -> Best {
    let features = Features::new(board);
    let moves = ordered(weights, board, &features);
    let mut best = Best {
        square: moves[0].1,
        value: -MOST - 1,
    };
    for (_, square) in moves {
        let value = -negamax(
            weights,
            board.play(square),
            &features.played(square, board.flips(square)),
            depth.saturating_sub(1),
            (-MOST - 1, -best.value),
        );
        if value > best.value {
            best = Best { square, value };
        }
    }
    best
}

/// The moves of a position, the most promising first.
fn ordered(weights: &Weights, board: Board, features: &Features) -> Ordered {
    let mut moves: Ordered = board
        .moves()
        .map(|square| {
            let features = features.played(square, board.flips(square));
            (weights.value(board.play(square), &features), square)
        })
        .collect();
    moves.sort_unstable();
    moves
}

fn negamax(
    weights: &Weights,
    board: Board,
    features: &Features,
    depth: u32,
    (mut alpha, beta): (i32, i32),
) -> i32 {
    if depth == 0 {
        return weights.value(board, features);
    }
    let moves = board.moves();
    if moves.is_empty() {
        return if board.pass().moves().is_empty() {
            DISC * final_score(board)
        } else {
            let window = (-beta, -alpha);
            -negamax(weights, board.pass(), &features.passed(), depth, window)
        };
    }
    let mut most = -MOST - 1;
    if depth == 1 {
        for square in moves {
            let features = features.played(square, board.flips(square));
            most = most.max(-weights.value(board.play(square), &features));
            if most >= beta {
                break;
            }
        }
        return most;
    }
    for (n, (_, square)) in ordered(weights, board, features).into_iter().enumerate() {
        let next = board.play(square);
        let features = features.played(square, board.flips(square));
        let search = |window| -negamax(weights, next, &features, depth - 1, window);
        // The first move is likely the best: the others have to show that they are better.
        let mut value = if n > 0 {
            search((-alpha - 1, -alpha))
        } else {
            search((-beta, -alpha))
        };
        if n > 0 && value > alpha && value < beta {
            value = search((-beta, -value));
        }
        most = most.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    most
}
