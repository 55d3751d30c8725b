//! The rules as the provers see them: by who is to move, whatever the colours.
//!
//! [`General`] serves boards of any size, [`Small`] those of sizes 2 and 3 with the moves that
//! tablebases are made with.

mod general;
mod small;

use std::ops::ControlFlow;

pub(crate) use general::General;
pub(crate) use small::{Small, SmallBoard};

/// The rules, for one representation of positions. Nothing here knows a prover.
pub(crate) trait Rules: Sync {
    /// A position.
    type Board: Copy + Send;

    /// Calls `visit` with the position after every move, the opponent to move, until it breaks
    /// off. The game must not be over.
    fn visit_children(
        &self,
        board: &Self::Board,
        visit: impl FnMut(Self::Board) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// One representative of all positions that are symmetric to this one.
    fn canonical(&self, board: &Self::Board) -> Self::Board;

    /// A hash of the position and of who wants to win it, the player to move (`attacking`) or
    /// the opponent; never 0.
    fn key(&self, board: &Self::Board, attacking: bool) -> u64;

    /// The reserves of the player to move and of the opponent.
    fn reserves(&self, board: &Self::Board) -> [i32; 2];

    /// Their stones on the board.
    fn stones(&self, board: &Self::Board) -> [i32; 2];

    /// Points of the board.
    fn points(&self) -> i32;

    /// Points without a stone.
    #[inline]
    fn empty(&self, board: &Self::Board) -> i32 {
        let [own, other] = self.stones(board);
        self.points() - own - other
    }

    /// Whether the player to move has lost: there is no stone in reserve, or no point is empty.
    #[inline]
    fn is_over(&self, board: &Self::Board) -> bool {
        self.reserves(board)[0] == 0 || self.empty(board) == 0
    }

    /// Whether the player to move wins in one ply.
    #[inline]
    fn wins_in_one(&self, board: &Self::Board) -> bool {
        let far = self.reserves(board)[1] > 0 && self.empty(board) > 1;
        !far && !self.is_over(board) && self.some_move_ends(board)
    }

    /// Who wins, whether the player to move, if that is plain: within three plies. The game must not
    /// be over.
    #[inline(always)]
    fn plain_winner(&self, board: &Self::Board) -> Option<bool> {
        self.wins_in_one(board).then_some(true)
    }

    /// Whether the game is over after some move.
    fn some_move_ends(&self, board: &Self::Board) -> bool {
        let answer = self.visit_children(board, |next| match self.is_over(&next) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        answer.is_break()
    }
}

#[cfg(test)]
mod tests {
    use ::rules::Game;
    use gipf::Position;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn small_boards_move_as_all_do() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut collections = 0;
        for variant in [
            "2 2 6 6", "2 3 6 6", "3 2 7 7", "3 3 9 9", "3 4 9 9", "3 5 9 12",
        ] {
            let general = General::new(variant.parse().unwrap());
            let small = Small::new(variant.parse().unwrap());
            for _ in 0..40 {
                let mut position = Position::start(variant.parse().unwrap());
                while position.outcome().is_none() {
                    let board = SmallBoard::new(&position).unwrap();
                    let mut expected = Vec::new();
                    let _ = general.visit_children(&position, |next| {
                        expected.push(SmallBoard::new(&next).unwrap());
                        ControlFlow::Continue(())
                    });
                    let mut found = Vec::new();
                    let _ = small.visit_children(&board, |next| {
                        found.push(next);
                        ControlFlow::Continue(())
                    });
                    // The order is another one, and ways to one position may be counted twice.
                    for lists in [[&expected, &found], [&found, &expected]] {
                        let [some, all] = lists;
                        assert!(some.iter().all(|next| all.contains(next)), "{position}");
                    }
                    let stones = |board: &SmallBoard| small.stones(board).iter().sum::<i32>();
                    let before = stones(&board);
                    collections += found.iter().filter(|next| stones(next) <= before).count();
                    let moves = position.moves();
                    if rng.random_range(0..50) == 0 {
                        break;
                    }
                    position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                }
            }
        }
        assert!(collections > 1000, "{collections}");
    }

    /// Whether the player to move wins within so many plies.
    fn wins(small: &Small, board: &SmallBoard, plies: u32) -> bool {
        let answer = small.visit_children(board, |next| {
            let won = small.is_over(&next) || plies > 2 && loses(small, &next, plies - 1);
            match won {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        answer.is_break()
    }

    /// Whether he loses within so many plies.
    fn loses(small: &Small, board: &SmallBoard, plies: u32) -> bool {
        let answer = small.visit_children(board, |next| {
            match !small.is_over(&next) && wins(small, &next, plies - 1) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        answer.is_continue()
    }

    #[test]
    fn plain_winners_win_within_three_plies() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let mut counts = [0; 3];
        for variant in [
            "2 2 5 5", "3 2 6 6", "3 3 6 6", "3 4 7 7", "3 4 8 8", "3 5 8 8",
        ] {
            let small = Small::new(variant.parse().unwrap());
            for _ in 0..600 {
                let mut position = Position::start(variant.parse().unwrap());
                while position.outcome().is_none() {
                    let board = SmallBoard::new(&position).unwrap();
                    let plain = small.plain_winner(&board);
                    match plain {
                        Some(true) => assert!(wins(&small, &board, 3), "{position}"),
                        Some(false) => assert!(loses(&small, &board, 2), "{position}"),
                        None => assert!(!wins(&small, &board, 1), "{position}"),
                    }
                    counts[plain.map_or(2, usize::from)] += 1;
                    let moves = position.moves();
                    position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                    if rng.random_range(0..60) == 0 {
                        break;
                    }
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    }

    #[test]
    fn small_boards_end_as_all_do() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut counts = [0; 3];
        for variant in ["2 2 5 5", "2 3 6 6", "3 3 6 6", "3 4 8 8", "3 5 9 12"] {
            let general = General::new(variant.parse().unwrap());
            let small = Small::new(variant.parse().unwrap());
            for _ in 0..300 {
                let mut position = Position::start(variant.parse().unwrap());
                while let Some(board) = SmallBoard::new(&position) {
                    let (over, wins) = (general.is_over(&position), general.wins_in_one(&position));
                    assert_eq!(small.is_over(&board), over, "{position}");
                    assert_eq!(small.wins_in_one(&board), wins, "{position}");
                    counts[usize::from(over) + 2 * usize::from(wins)] += 1;
                    let moves = position.moves();
                    if moves.is_empty() || rng.random_range(0..60) == 0 {
                        break;
                    }
                    position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    }
}
