//! Every instruction set against the plain one, and the search against the obvious one.

use std::sync::Arc;

use isa::{Available, Isa, Kernel, Portable};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reversi::{Board, Discs};

use super::bitboard::{
    Turn, column, flips, full_lines, last_flips, least_byte, moves, moves_of_both, play_two,
    to_column,
};
use super::endgame::NullWindow;
use super::move_list::{List, ShortList};
use super::stability::StableDiscs;
use crate::edges::EDGES;
use crate::parity;
use crate::pool::Pool;
use crate::score::final_score;
use crate::solve::solve_on;
use crate::table::{LocalTable, Table};
use crate::worker::Worker;

/// Any discs on any squares, the board full, empty or between.
fn scattered(rng: &mut ChaCha8Rng) -> (u64, u64) {
    let mut filled = rng.next_u64();
    for _ in 0..rng.random_range(0..4) {
        filled |= rng.next_u64();
    }
    let black = rng.next_u64();
    (filled & black, filled & !black)
}

/// The a-column, square by square.
fn first_column(discs: u64) -> u64 {
    (0..8).map(|row| (discs >> (8 * row) & 1) << row).sum()
}

/// The squares whose row, column, rising or falling diagonal is full, square by square.
fn slow_full_lines(discs: u64) -> [u64; 4] {
    [(1, 0), (0, 1), (-1, 1), (1, 1)].map(|(columns, rows)| {
        (0..64)
            .filter(|square| {
                (-7..=7).all(|steps| {
                    let column = square % 8 + steps * columns;
                    let row = square / 8 + steps * rows;
                    let outside = !(0..8).contains(&column) || !(0..8).contains(&row);
                    outside || discs >> (row * 8 + column) & 1 != 0
                })
            })
            .map(|square| 1 << square)
            .sum()
    })
}

#[test]
fn full_lines_have_no_empty_square() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..10_000 {
        let (own, other) = scattered(&mut rng);
        let found = full_lines(Portable, own | other);
        assert_eq!(found, slow_full_lines(own | other), "{own:#x} {other:#x}");
    }
}

/// A position of a random game with so many empty squares, if the game goes that far.
fn played(rng: &mut ChaCha8Rng, empties: u32) -> Option<Board> {
    let mut board = reversi::Position::start().board();
    while board.empty().len() > empties {
        let mut moves = board.moves();
        if moves.is_empty() {
            board = board.pass();
            moves = board.moves();
            if moves.is_empty() {
                return None;
            }
        }
        let nth = rng.random_range(0..moves.len() as usize);
        board = board.play(moves.nth(nth)?);
    }
    Some(board)
}

/// Every bitboard operation on one board.
#[derive(Clone, Copy)]
struct Operations {
    own: u64,
    other: u64,
    square: u32,
}

/// What they say.
#[derive(PartialEq, Debug)]
struct Results {
    moves: u64,
    moves_of_both: [u64; 2],
    full_lines: [u64; 4],
    column: u64,
    to_column: u64,
    /// On an empty square.
    flips: Option<u64>,
    last_flips: u32,
}

impl Kernel for Operations {
    type Output = Results;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Results {
        let Operations { own, other, square } = self;
        let is_empty = (own | other) >> square & 1 == 0;
        Results {
            moves: moves(isa, own, other),
            moves_of_both: moves_of_both(isa, own, other),
            full_lines: full_lines(isa, own | other),
            column: column(isa, own),
            to_column: to_column(isa, own & 255),
            flips: is_empty.then(|| flips(isa, own, other, square)),
            last_flips: last_flips(isa, own & !(1 << square), square),
        }
    }
}

#[test]
fn bitboard_operations_agree_on_all_instruction_sets() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for isa in Available::all() {
        for _ in 0..1_000_000 {
            let (own, other) = scattered(&mut rng);
            let square = rng.random_range(0..64);
            let operations = Operations { own, other, square };
            let found = isa.call(operations);
            let context = || format!("{isa:?} {own:#x} {other:#x} {square}");
            assert_eq!(found, Available::PORTABLE.call(operations), "{}", context());
            assert_eq!(found.moves, reversi::moves(own, other), "{}", context());
            let both = [found.moves, reversi::moves(other, own)];
            assert_eq!(found.moves_of_both, both, "{}", context());
            assert_eq!(found.column, first_column(own), "{}", context());
            assert_eq!(first_column(found.to_column), own & 255, "{}", context());
        }
    }
}

/// Two moves at once, with and without the moves of the player who has just moved.
#[derive(Clone, Copy)]
struct TwoMoves(u64, u64, [u32; 2]);

impl Kernel for TwoMoves {
    type Output = [[Turn; 2]; 2];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [[Turn; 2]; 2] {
        let TwoMoves(own, other, squares) = self;
        [
            play_two::<I, false>(isa, own, other, squares),
            play_two::<I, true>(isa, own, other, squares),
        ]
    }
}

#[test]
fn two_moves_at_once_are_two_moves() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..100_000 {
        let (own, other) = scattered(&mut rng);
        let empty: Vec<u32> = (0..64).filter(|at| (own | other) >> at & 1 == 0).collect();
        if empty.is_empty() {
            continue;
        }
        let squares = [0; 2].map(|_| empty[rng.random_range(0..empty.len())]);
        let wanted = squares.map(|square| {
            let flipped = flips(Portable, own, other, square);
            let (own, other) = (other ^ flipped, own | flipped | 1 << square);
            let (legal, returns) = (reversi::moves(own, other), reversi::moves(other, own));
            [own, other, legal, returns]
        });
        for isa in Available::all() {
            let [without, with] = isa.call(TwoMoves(own, other, squares));
            let context = || format!("{isa:?} {own:#x} {other:#x} {squares:?}");
            let first = |turn: Turn| [turn.own, turn.other, turn.legal];
            let [a, b] = wanted.map(|[own, other, legal, _]| [own, other, legal]);
            assert_eq!(without.map(first), [a, b], "{}", context());
            assert_eq!(with.map(first), [a, b], "{}", context());
            let returns = with.map(|turn| turn.returns);
            assert_eq!(returns, wanted.map(|[.., it]| it), "{}", context());
        }
    }
}

/// The moves of a position with the position after each, in the order in which a list gives them.
struct Taken(u64, u64);

impl Kernel for Taken {
    /// Of the list for any number of moves, and of the list for at most eight if they are so few.
    type Output = (Vec<(u8, [u64; 3])>, Option<Vec<[u64; 3]>>);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let turn = Turn::new(isa, self.0, self.1);
        let discs = |next: &Turn| [next.own, next.other, next.legal];
        // A cost that some moves share.
        let cost = |next: &Turn, square: u32| (next.legal.count_ones() + square) % 5;
        let mut list = List::new();
        list.fill::<I, false>(isa, &turn, cost);
        let long = std::iter::from_fn(|| list.take().map(|(next, at)| (at, discs(next)))).collect();
        let count = turn.legal.count_ones();
        let short = (count <= 8).then(|| {
            let mut list = ShortList::new(isa, &turn, cost);
            (0..count).map(|_| discs(list.take(isa))).collect()
        });
        (long, short)
    }
}

#[test]
fn lists_give_every_move_once_in_the_order_of_cost() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut short_lists = 0;
    for _ in 0..20_000 {
        let (own, other) = scattered(&mut rng);
        let legal = reversi::moves(own, other);
        if legal == 0 {
            continue;
        }
        let mut wanted: Vec<(u32, u8, [u64; 3])> = (0..64)
            .filter(|at| legal >> at & 1 != 0)
            .map(|at| {
                let flipped = flips(Portable, own, other, at);
                let (own, other) = (other ^ flipped, own | flipped | 1 << at);
                let replies = reversi::moves(own, other);
                let cost = (replies.count_ones() + at) % 5;
                (cost, at as u8, [own, other, replies])
            })
            .collect();
        wanted.sort_by_key(|&(cost, ..)| cost);
        for isa in Available::all() {
            let (long, short) = isa.call(Taken(own, other));
            let squares = wanted.iter().map(|&(_, at, discs)| (at, discs));
            assert!(long.into_iter().eq(squares), "{isa:?}");
            if let Some(short) = short {
                short_lists += 1;
                assert!(
                    short.iter().eq(wanted.iter().map(|(.., discs)| discs)),
                    "{isa:?}"
                );
            }
        }
    }
    assert!(short_lists > 1000, "only {short_lists} lists of few moves");
}

#[test]
fn the_least_byte_is_found_on_all_instruction_sets() {
    struct Least(u64);
    impl Kernel for Least {
        type Output = (u32, u32);

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> (u32, u32) {
            least_byte(isa, self.0)
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..10_000 {
        // Often with equal bytes.
        let bytes = rng.next_u64() & rng.next_u64() | 0x00ff << rng.random_range(0..56);
        let places = bytes.to_le_bytes().into_iter().zip(0..);
        let wanted = places.min().expect("eight bytes");
        for isa in Available::all() {
            let (byte, place) = isa.call(Least(bytes));
            assert_eq!(
                (byte, place),
                (u32::from(wanted.0), wanted.1),
                "{isa:?} {bytes:#x}"
            );
        }
    }
}

#[test]
fn stable_discs_are_never_flipped() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut seen = 0;
    for _ in 0..3_000 {
        let empties = rng.random_range(1..=9);
        let Some(board) = played(&mut rng, empties) else {
            continue;
        };
        let (own, other) = (board.own.0, board.other.0);
        let stable_discs = || StableDiscs(&EDGES, own, other);
        let count = Available::PORTABLE.call(stable_discs());
        seen += count;
        // However the game goes on, at least so many own discs are left.
        let mut least = u32::MAX;
        let mut line = board;
        for _ in 0..30 {
            let mut mine = true;
            while !line.moves().is_empty() || !line.pass().moves().is_empty() {
                let mut moves = line.moves();
                if moves.is_empty() {
                    line = line.pass();
                    mine = !mine;
                    moves = line.moves();
                }
                let nth = rng.random_range(0..moves.len() as usize);
                line = line.play(moves.nth(nth).unwrap());
                mine = !mine;
            }
            least = least.min(if mine { line.own } else { line.other }.len());
            line = board;
        }
        assert!(
            count <= least,
            "{count} stable discs, {least} left: {board:?}"
        );
        for isa in Available::all() {
            let fast = isa.call(stable_discs());
            assert_eq!(fast, count, "{isa:?} {board:?}");
        }
    }
    assert!(seen > 10_000, "only {seen} stable discs in all");
}

#[test]
fn odd_quadrants_are_those_with_an_odd_count() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..10_000 {
        let (own, other) = scattered(&mut rng);
        let empty = !(own | other);
        for square in 0..64 {
            let count = (0..64)
                .filter(|&other| parity::quadrant(other) == parity::quadrant(square))
                .filter(|&other| empty >> other & 1 != 0)
                .count();
            let odd = parity::odd(empty) >> square & 1 != 0;
            assert_eq!(odd, count % 2 != 0, "{empty:#x} {square}");
        }
    }
}

/// Every line of play, nothing clever.
fn minimax(board: Board) -> i32 {
    let moves = board.moves();
    if !moves.is_empty() {
        return moves
            .map(|square| -minimax(board.play(square)))
            .max()
            .unwrap();
    }
    if board.pass().moves().is_empty() {
        return final_score(board.own.0, board.other.0);
    }
    -minimax(board.pass())
}

#[test]
fn the_solver_agrees_with_minimax() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let pool = Pool::default();
    let (table, mut local) = (Table::new(1), LocalTable::new(1));
    for round in 0..2_000 {
        let empties = [1, 2, 3, 4, 5, 6, 7, 8][round % 8];
        let Some(board) = played(&mut rng, empties) else {
            continue;
        };
        let value = minimax(board);
        for isa in Available::all() {
            let mut worker = Worker::new(&table, &mut local, &pool, Arc::default());
            assert_eq!(
                solve_on(isa, &mut worker, board),
                value,
                "{isa:?} {board:?}"
            );
        }
    }
}

#[test]
fn null_windows_bound_the_value() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let pool = Pool::default();
    let tables = || (Table::new(1), LocalTable::new(1));
    let mut all: Vec<_> = Available::all().map(|isa| (isa, tables())).collect();
    for round in 0..1_000 {
        let empties = 4 + round % 5;
        let Some(board) = played(&mut rng, empties) else {
            continue;
        };
        let value = minimax(board);
        // The window at the value, where a wrong cutoff shows, and any other.
        for alpha in [value - 1, value, rng.random_range(-64..64)] {
            for (isa, (table, local)) in &mut all {
                // The wrong expectation changes nothing.
                for cut in [rng.random(), value > alpha, value <= alpha] {
                    let mut worker = Worker::new(table, local, &pool, Arc::default());
                    let (own, other) = (board.own.0, board.other.0);
                    let bound = isa.call(NullWindow(&mut worker, own, other, alpha, empties, cut));
                    let right = if value > alpha {
                        (alpha + 1..=value).contains(&bound)
                    } else {
                        (value..=alpha).contains(&bound)
                    };
                    assert!(
                        right,
                        "{bound} for {value}, {alpha}: {isa:?} {board:?} {cut}"
                    );
                }
            }
        }
    }
}

#[test]
fn odd_boards_are_solved() {
    // No discs, one colour only, a full board.
    for (own, other, value) in [
        (0, 0, 0),
        (1, 0, 64),
        (0, 1, -64),
        (u64::MAX, 0, 64),
        (u64::MAX >> 32, u64::MAX << 32, 0),
    ] {
        let board = Board {
            own: Discs(own),
            other: Discs(other),
        };
        assert_eq!(crate::solve_exact(board), value, "{board:?}");
    }
}
