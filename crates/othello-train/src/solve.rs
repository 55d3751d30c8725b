//! Exact scores of positions with few empties: the labels that everything rests on.

use reversi::{Board, Discs, Square};

/// The score of a game that is over, for the player to move: empties count for the winner.
pub(crate) fn final_score(board: Board) -> i32 {
    let difference = board.difference();
    difference + difference.signum() * board.empty().len() as i32
}

/// The exact score of a position between `alpha` and `beta` (or a bound beyond them),
/// and the move that reaches it: none when there is none.
pub(crate) fn solve(board: Board, alpha: i32, beta: i32) -> (i32, Option<Square>) {
    let moves = board.moves();
    if moves.is_empty() {
        let score = if board.pass().moves().is_empty() {
            final_score(board)
        } else {
            -solve(board.pass(), -beta, -alpha).0
        };
        return (score, None);
    }
    let mut best = (-65, None);
    for (_, square) in ordered(board, moves) {
        let score = -negamax(board.play(square), -beta, -alpha.max(best.0), false);
        if score > best.0 {
            best = (score, Some(square));
            if score >= beta {
                break;
            }
        }
    }
    best
}

/// The moves, those first that leave the opponent the fewest and save corners for us.
fn ordered(board: Board, moves: Discs) -> arrayvec::ArrayVec<(u32, Square), 32> {
    let odd = odd_quadrants(board.empty());
    let mut list: arrayvec::ArrayVec<_, 32> = moves
        .map(|square| {
            let replies = board.play(square).moves();
            let cost = 4 * (replies.len() + (replies & Discs::CORNERS).len());
            (cost + 3 * u32::from(!odd.contains(square)), square)
        })
        .collect();
    list.sort_unstable();
    list
}

/// The quarters of the board with an odd number of empties: good places to move last.
fn odd_quadrants(empty: Discs) -> Discs {
    [
        0x0000_0000_0f0f_0f0f,
        0x0000_0000_f0f0_f0f0,
        0x0f0f_0f0f_0000_0000,
        0xf0f0_f0f0_0000_0000,
    ]
    .into_iter()
    .filter(|&quarter| (empty & Discs(quarter)).len() % 2 == 1)
    .fold(Discs::NONE, |odd, quarter| odd | Discs(quarter))
}

fn negamax(board: Board, mut alpha: i32, beta: i32, passed: bool) -> i32 {
    let empty = board.empty();
    if empty.len() == 1 {
        return empty.map(|square| last(board, square)).sum();
    }
    let moves = board.moves();
    if moves.is_empty() {
        return if passed {
            final_score(board)
        } else {
            -negamax(board.pass(), -beta, -alpha, true)
        };
    }
    let mut most = -65;
    let mut visit = |square: Square| {
        most = most.max(-negamax(board.play(square), -beta, -alpha, false));
        alpha = alpha.max(most);
        alpha >= beta
    };
    if empty.len() >= 6 {
        let _ = ordered(board, moves)
            .iter()
            .any(|&(_, square)| visit(square));
    } else {
        let odd = odd_quadrants(empty);
        let _ = (moves & odd).any(&mut visit) || (moves & !odd).any(&mut visit);
    }
    most
}

/// The score with one square left.
fn last(board: Board, square: Square) -> i32 {
    let turned = board.flips(square).len() as i32;
    if turned > 0 {
        return board.difference() + 2 * turned + 1;
    }
    let turned = board.pass().flips(square).len() as i32;
    if turned > 0 {
        return board.difference() - 2 * turned - 1;
    }
    final_score(board)
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
        let mut rng = crate::selfplay::generator(5, 0);
        for _ in 0..100 {
            let board = crate::selfplay::random_board(&mut rng, 7);
            let exact = minimax(board);
            let (score, square) = solve(board, -64, 64);
            assert_eq!(score, exact, "{board:?}");
            if let Some(square) = square {
                assert_eq!(-minimax(board.play(square)), exact);
            }
            let (bound, _) = solve(board, exact - 1, exact + 1);
            assert_eq!(bound, exact);
        }
    }
}
