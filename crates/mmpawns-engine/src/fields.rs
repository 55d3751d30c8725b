//! Random fields and starts, from a seed.

use mmpawns::{Position, Square, Squares};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where the pawns stand at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// On the two rows nearest to the own edge.
    Home2,
    /// On the three rows nearest to the own edge.
    Home3,
    /// Anywhere but on the edge that they want to reach.
    Anywhere,
}

impl Spread {
    /// All of them.
    pub const ALL: [Spread; 3] = [Spread::Home2, Spread::Home3, Spread::Anywhere];

    /// The name on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["home2", "home3", "anywhere"][self as usize]
    }

    /// The rows of A and of B.
    const fn rows(self) -> [u64; 2] {
        match self {
            Spread::Home2 => [!0 << 48, !0 >> 48],
            Spread::Home3 => [!0 << 40, !0 >> 40],
            Spread::Anywhere => [!0 << 8, !0 >> 8],
        }
    }
}

/// The sixteen starts of a class by which the prover is measured: the first without holes,
/// the last with ten.
pub fn measured_starts(spread: Spread, pawns: u32) -> impl Iterator<Item = Position> {
    (0..16).map(move |i| {
        let seed = u64::from(i + 1000 * pawns) + 100_000 * spread as u64;
        random_start(spread, pawns, i * 10 / 15, seed)
    })
}

/// A start with so many pawns a side and so many squares that are no field, before the
/// first ply. The same seed gives the same start.
#[must_use]
pub fn random_start(spread: Spread, pawns: u32, holes: u32, seed: u64) -> Position {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut taken = 0;
    let mut draw = |rows: u64, count: u32| {
        let mut set = 0;
        for _ in 0..count {
            let free = Squares(rows & !taken);
            let Some(square) = { free }.nth(rng.random_range(0..free.len()) as usize) else {
                break;
            };
            let bit = 1 << Square::index(square);
            set |= bit;
            taken |= bit;
        }
        Squares(set)
    };
    let rows = spread.rows();
    let pawns = [draw(rows[0], pawns), draw(rows[1], pawns)];
    let holes = draw(!0, holes);
    Position::new(pawns, Squares(!holes.0), 1).expect("a start by the rules")
}
