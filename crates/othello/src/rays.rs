//! Tables of lines on the board, computed by the compiler.

/// Four rays from one square, in the directions of shifts by 1, 7, 8 and 9.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Rays(pub(crate) [u64; 4]);

/// From each square the rays towards higher squares, the square itself left out.
pub(crate) static UP: [Rays; 64] = rays(1);
/// From each square the rays towards lower squares.
pub(crate) static DOWN: [Rays; 64] = rays(-1);
/// Each square itself, four times.
pub(crate) static HERE: [Rays; 64] = here();
/// The squares around each square.
pub(crate) static AROUND: [u64; 64] = around();

/// The column and the two diagonals through a square: which squares, and how many of
/// them come before it.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    pub(crate) masks: [u64; 3],
    pub(crate) places: [u8; 3],
}

/// The lines through each square.
pub(crate) static LINES: [Lines; 64] = lines();

/// `[place][line]`: discs flipped on a line where only `place` was empty.
pub(crate) static LAST_FLIPS: [[u8; 256]; 8] = last_flips();

/// Column and row steps of the four directions.
const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

/// The squares from `square` to the edge, in one direction.
const fn ray(square: usize, (columns, rows): (i32, i32)) -> u64 {
    let (mut column, mut row) = (square as i32 % 8 + columns, square as i32 / 8 + rows);
    let mut squares = 0;
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        squares |= 1 << (row * 8 + column);
        (column, row) = (column + columns, row + rows);
    }
    squares
}

const fn rays(sign: i32) -> [Rays; 64] {
    let mut table = [Rays([0; 4]); 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (columns, rows) = STEPS[direction];
            table[square].0[direction] = ray(square, (sign * columns, sign * rows));
            direction += 1;
        }
        square += 1;
    }
    table
}

const fn here() -> [Rays; 64] {
    let mut table = [Rays([0; 4]); 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Rays([1 << square; 4]);
        square += 1;
    }
    table
}

const fn around() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let columns = other % 8 - square as i32 % 8;
            let rows = other / 8 - square as i32 / 8;
            if columns.abs() <= 1 && rows.abs() <= 1 {
                table[square] |= 1 << other;
            }
            other += 1;
        }
        table[square] &= !(1 << square);
        square += 1;
    }
    table
}

const fn lines() -> [Lines; 64] {
    let none = Lines {
        masks: [0; 3],
        places: [0; 3],
    };
    let mut table = [none; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 3 {
            let (below, above) = (DOWN[square].0[line + 1], UP[square].0[line + 1]);
            table[square].masks[line] = below | above | 1 << square;
            table[square].places[line] = below.count_ones() as u8;
            line += 1;
        }
        square += 1;
    }
    table
}

const fn last_flips() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let above = own >> (place + 1);
            if above != 0 {
                table[place][own] += above.trailing_zeros() as u8;
            }
            let below = own & ((1usize << place) - 1);
            if below != 0 {
                table[place][own] += (place as u32 - 1 - below.ilog2()) as u8;
            }
            own += 1;
        }
        place += 1;
    }
    table
}
