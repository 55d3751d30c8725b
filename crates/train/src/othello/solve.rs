//! Exact scores of positions with few empties: the labels that everything rests on.

use arrayvec::ArrayVec;
use othello::Solver;
use reversi::{Board, Discs, Square};

/// The score of a game that is over, for the player to move: empties count for the winner.
pub(crate) fn final_score(board: Board) -> i32 {
    let difference = board.difference();
    difference + difference.signum() * board.empty().len() as i32
}

/// The exact score of a position, if it is not `known` yet, and the first move that
/// reaches it. There must be a move.
pub(crate) fn solve(solver: &mut Solver, board: Board, known: Option<i32>) -> (i32, Square) {
    let score = known.unwrap_or_else(|| solver.value(board));
    let moves = ordered(board);
    let square = moves
        .iter()
        .map(|&(_, square)| square)
        .find(|&square| !solver.exceeds(board.play(square), -score))
        .expect("some move reaches the score");
    (score, square)
}

/// The moves, those first that leave the opponent the fewest and save corners for us.
fn ordered(board: Board) -> ArrayVec<(u32, Square), 40> {
    let mut list: ArrayVec<_, 40> = board
        .moves()
        .map(|square| {
            let replies = board.play(square).moves();
            (replies.len() + (replies & Discs::CORNERS).len(), square)
        })
        .collect();
    list.sort_unstable();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain minimax: slow and obvious.
    fn minimax(board: Board) -> i32 {
        let moves = board.moves();
        if !moves.is_empty() {
            return moves.map(|s| -minimax(board.play(s))).max().unwrap_or(0);
        }
        if board.pass().moves().is_empty() {
            final_score(board)
        } else {
            -minimax(board.pass())
        }
    }

    #[test]
    fn scores_are_those_of_minimax() {
        let mut rng = crate::othello::selfplay::generator(5, 0);
        let mut solver = Solver::new(1);
        for _ in 0..100 {
            let board = crate::othello::selfplay::random_board(&mut rng, 7);
            let exact = minimax(board);
            let (score, square) = solve(&mut solver, board, None);
            assert_eq!(score, exact, "{board:?}");
            assert_eq!(-minimax(board.play(square)), exact);
            assert_eq!(solve(&mut solver, board, Some(score)), (score, square));
        }
    }
}
