//! The twelve symmetries of the board.

use rules::Symmetric;

use crate::{Geometry, Move, Position};

/// Every point of a set renamed.
fn map_points(mut stones: u128, image: &[u8]) -> u128 {
    let mut mapped = 0;
    while stones != 0 {
        mapped |= 1 << image[stones.trailing_zeros() as usize];
        stones &= stones - 1;
    }
    mapped
}

impl Symmetric for Position {
    fn symmetries(&self) -> usize {
        Geometry::SYMMETRIES
    }

    fn transform(&self, index: usize) -> Position {
        let image = self.geometry().images(index);
        let stones = self.setup().stones;
        self.with_stones(stones.map(|stones| map_points(stones, image)))
    }

    fn transform_move(&self, mv: Move, index: usize) -> Move {
        let symmetry = self.geometry().symmetry(index);
        Move {
            entry: self
                .transform(index)
                .canonical(symmetry.entries[usize::from(mv.entry)]),
            choices: mv.choices.seen(symmetry),
        }
    }
}
