//! Positions as the solvers see them: by who is to move, whatever the colours.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use gipf::{Position, Variant};
use rules::{Game, Hashed};

use super::chances::{Chances, plain};
use super::closure::{Closures, Defence};
use super::hold::{Board, Holds, Root};
use super::outlook::Outlook;
use crate::canon::canonical;
use crate::tables::board::Shape;
use crate::tables::index::{Index, Views};
use crate::tables::moves::Stones;

/// The rules, for one way to write positions down.
pub(crate) trait Boards: Sync {
    /// A position.
    type Board: Copy + Send;

    /// How it is found out whether a side can force a win at all.
    type Defence<'a>: Defence
    where
        Self: 'a;

    /// That question, to be answered with at most so many bytes.
    fn defence<'a>(&'a self, root: &Self::Board, memory: usize) -> Self::Defence<'a>;

    /// Calls `visit` with the position after every way to move, the opponent to move, until
    /// it breaks off. The game must not be over.
    fn after_moves(
        &self,
        board: &Self::Board,
        visit: impl FnMut(Self::Board) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// The same of all views of a position.
    fn canonical(&self, board: &Self::Board) -> Self::Board;

    /// A number that stands for the position and for who wants to win it, the player to move
    /// or the other one; never 0.
    fn key(&self, board: &Self::Board, attacking: bool) -> u64;

    /// The reserves of the player to move and of the other one.
    fn reserves(&self, board: &Self::Board) -> [i32; 2];

    /// Their stones on the board.
    fn stones(&self, board: &Self::Board) -> [i32; 2];

    /// Whether more is known of the chances than who has more stones.
    fn knows_chances(&self) -> bool {
        false
    }

    /// How likely it looks that the player to move wins soon, and that he loses soon.
    fn chances(&self, board: &Self::Board) -> [i32; 2] {
        plain(self.reserves(board), self.stones(board))
    }

    /// Points of the board.
    fn points(&self) -> i32;

    /// Points without a stone.
    fn empty(&self, board: &Self::Board) -> i32 {
        let [own, other] = self.stones(board);
        self.points() - own - other
    }

    /// Whether the player to move has lost: there is no stone in reserve or no room.
    fn is_over(&self, board: &Self::Board) -> bool {
        self.reserves(board)[0] == 0 || self.empty(board) == 0
    }

    /// Whether the player to move ends the game at once.
    fn wins_at_once(&self, board: &Self::Board) -> bool {
        let far = self.reserves(board)[1] > 0 && self.empty(board) > 1;
        !far && !self.is_over(board) && self.some_move_ends(board)
    }

    /// Whether the game is over after some move.
    fn some_move_ends(&self, board: &Self::Board) -> bool {
        let answer = self.after_moves(board, |next| match self.is_over(&next) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        answer.is_break()
    }
}

/// Boards of any size, as the rules have them.
pub(crate) struct Plain {
    points: i32,
}

impl Plain {
    pub(crate) fn new(variant: Variant) -> Plain {
        Plain {
            points: gipf::Geometry::of(variant.size()).points() as i32,
        }
    }
}

impl Boards for Plain {
    type Board = Position;
    type Defence<'a> = Closures<'a, Plain>;

    fn defence(&self, root: &Position, memory: usize) -> Closures<'_, Plain> {
        Closures::new(self, root, memory)
    }

    fn after_moves(
        &self,
        board: &Position,
        mut visit: impl FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        board.visit_successors(|_, next| visit(next))
    }

    fn canonical(&self, board: &Position) -> Position {
        canonical(board)
    }

    fn key(&self, board: &Position, attacking: bool) -> u64 {
        (board.hash() ^ u64::from(attacking) << 63).max(1)
    }

    fn reserves(&self, board: &Position) -> [i32; 2] {
        let side = board.side_to_move();
        [side, !side].map(|side| i32::from(board.reserve(side)))
    }

    fn stones(&self, board: &Position) -> [i32; 2] {
        let side = board.side_to_move();
        [side, !side].map(|side| board.stones(side).count_ones() as i32)
    }

    fn points(&self) -> i32 {
        self.points
    }
}

/// Boards of size 2 and 3, with the moves that tables are made with.
#[derive(Clone)]
pub(crate) struct Small {
    numbers: Arc<Numbers>,
}

/// What is made once for each size and run length.
struct Numbers {
    views: Arc<Views>,
    chances: Chances,
    /// Only hard positions need it.
    board: OnceLock<Board>,
}

/// All that were made, by size and run length.
type Known = Vec<((u8, u8), Arc<Numbers>)>;

/// The stones on a small board, and those that the sides have in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SmallBoard {
    stones: Stones,
    totals: [u8; 2],
}

impl Small {
    /// The largest size of such a board.
    pub(crate) const LARGEST: u8 = 3;

    /// Sides with more stones than this are left to [`Plain`].
    const MOST: u16 = 200;

    /// The rules of a position's variant, and the position; `None` if it is too large.
    pub(crate) fn new(position: &Position) -> Option<(Small, SmallBoard)> {
        static KNOWN: Mutex<Known> = Mutex::new(Vec::new());
        let variant = position.variant();
        let side = position.side_to_move();
        let totals = [side, !side].map(|side| position.material(side));
        if variant.size() > Small::LARGEST || totals.iter().any(|&total| total > Small::MOST) {
            return None;
        }
        let wanted = (variant.size(), variant.run());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let numbers = match known.iter().find(|(of, _)| *of == wanted) {
            Some((_, numbers)) => Arc::clone(numbers),
            None => {
                let views = Arc::new(Views::new(Shape::new(variant)));
                let numbers = Arc::new(Numbers {
                    chances: Chances::new(&views.shape),
                    views,
                    board: OnceLock::new(),
                });
                known.push((wanted, Arc::clone(&numbers)));
                numbers
            }
        };
        let board = SmallBoard {
            stones: Stones {
                own: position.stones(side) as u32,
                other: position.stones(!side) as u32,
            },
            totals: totals.map(|total| total as u8),
        };
        Some((Small { numbers }, board))
    }
}

impl Boards for Small {
    type Board = SmallBoard;
    type Defence<'a> = Holds;

    fn defence(&self, root: &SmallBoard, memory: usize) -> Holds {
        let board = self.numbers.board.get_or_init(|| {
            let views = Arc::clone(&self.numbers.views);
            Board {
                outlook: Arc::new(Outlook::new(&views.shape)),
                index: Arc::new(Index::new(views)),
            }
        });
        let root = Root {
            stones: root.stones,
            totals: root.totals,
        };
        Holds::new(board.clone(), root, memory)
    }

    #[inline]
    fn after_moves(
        &self,
        board: &SmallBoard,
        mut visit: impl FnMut(SmallBoard) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [own, other] = board.totals;
        let mut list = Vec::with_capacity(48);
        self.numbers.views.shape.successors(board.stones, &mut list);
        list.iter().try_for_each(|next| {
            visit(SmallBoard {
                stones: next.stones,
                totals: [other - next.lost[1], own - next.lost[0]],
            })
        })
    }

    #[inline]
    fn canonical(&self, board: &SmallBoard) -> SmallBoard {
        SmallBoard {
            stones: self.numbers.views.canonical(board.stones),
            ..*board
        }
    }

    #[inline]
    fn key(&self, board: &SmallBoard, attacking: bool) -> u64 {
        let SmallBoard { stones, totals } = board;
        let word = u64::from(stones.own)
            | u64::from(stones.other) << 19
            | u64::from(totals[0]) << 38
            | u64::from(totals[1]) << 46
            | u64::from(attacking) << 54
            | 1 << 55;
        // Multiplying by an odd number and folding are both one to one.
        let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }

    #[inline]
    fn is_over(&self, board: &SmallBoard) -> bool {
        let SmallBoard { stones, totals } = board;
        stones.own.count_ones() == u32::from(totals[0])
            || stones.own | stones.other == self.numbers.views.shape.full
    }

    #[inline]
    fn wins_at_once(&self, board: &SmallBoard) -> bool {
        let SmallBoard { stones, totals } = board;
        let shape = &self.numbers.views.shape;
        let empty = shape.full & !(stones.own | stones.other);
        let spent = stones.other.count_ones() == u32::from(totals[1]);
        if !spent && empty & empty.wrapping_sub(1) != 0 || self.is_over(board) {
            return false;
        }
        // Mostly the opponent is left without a stone to play.
        spent && shape.has_quiet_move(*stones) || self.some_move_ends(board)
    }

    #[inline]
    fn reserves(&self, board: &SmallBoard) -> [i32; 2] {
        let [own, other] = self.stones(board);
        [
            i32::from(board.totals[0]) - own,
            i32::from(board.totals[1]) - other,
        ]
    }

    #[inline]
    fn stones(&self, board: &SmallBoard) -> [i32; 2] {
        [board.stones.own, board.stones.other].map(|set| set.count_ones() as i32)
    }

    fn knows_chances(&self) -> bool {
        self.numbers.chances.is_fitted()
    }

    #[inline]
    fn chances(&self, board: &SmallBoard) -> [i32; 2] {
        let Numbers { views, chances, .. } = &*self.numbers;
        chances.of(&views.shape, board.totals, board.stones)
    }

    #[inline]
    fn points(&self) -> i32 {
        self.numbers.views.shape.points as i32
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn small_boards_end_as_all_do() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut counts = [0; 3];
        for variant in ["2 2 5 5", "2 3 6 6", "3 3 6 6", "3 4 8 8", "3 5 9 12"] {
            let plain = Plain::new(variant.parse().unwrap());
            for _ in 0..300 {
                let mut position = Position::start(variant.parse().unwrap());
                while let Some((small, board)) = Small::new(&position) {
                    let (over, wins) = (plain.is_over(&position), plain.wins_at_once(&position));
                    assert_eq!(small.is_over(&board), over, "{position}");
                    assert_eq!(small.wins_at_once(&board), wins, "{position}");
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
