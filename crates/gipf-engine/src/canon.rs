//! One position for all twelve views of it.

use std::sync::LazyLock;

use gipf::{Geometry, Position, Variant};
use rules::Side;

/// The images of every group of eight points, for the boards that fit a 64-bit word.
struct Images {
    /// `[symmetry][byte][bits]`.
    tables: Vec<Vec<[u64; 256]>>,
}

impl Images {
    fn new(size: u8) -> Images {
        let geometry = Geometry::of(size);
        let tables = (1..Geometry::SYMMETRIES)
            .map(|index| {
                let points = geometry.images(index);
                points
                    .chunks(8)
                    .map(|group| {
                        std::array::from_fn(|bits| {
                            let image = group.iter().enumerate();
                            image
                                .filter(|(i, _)| bits >> i & 1 != 0)
                                .fold(0, |all, (_, &to)| all | 1u64 << to)
                        })
                    })
                    .collect()
            })
            .collect();
        Images { tables }
    }

    fn of(size: u8) -> Option<&'static Images> {
        static ALL: [LazyLock<Images>; 3] = [
            LazyLock::new(|| Images::new(2)),
            LazyLock::new(|| Images::new(3)),
            LazyLock::new(|| Images::new(4)),
        ];
        let image = ALL.get(usize::from(size - Variant::SIZES.start()))?;
        Some(image)
    }
}

/// The same of all positions that are views of one another. On boards of more than 64
/// points symmetries seldom pay for the work, and the position stays as it is.
pub(crate) fn canonical(position: &Position) -> Position {
    let Some(images) = Images::of(position.variant().size()) else {
        return *position;
    };
    let [white, black] = Side::BOTH.map(|side| position.stones(side) as u64);
    let mut least = (white, black);
    for table in &images.tables {
        let image = |stones: u64| {
            let groups = table.iter().enumerate();
            groups.fold(0, |all, (i, group)| {
                all | group[(stones >> (8 * i) & 0xff) as usize]
            })
        };
        let new_white = image(white);
        if new_white <= least.0 {
            least = least.min((new_white, image(black)));
        }
    }
    position.with_stones([u128::from(least.0), u128::from(least.1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Game, Symmetric};

    #[test]
    fn views_share_one_position() {
        for variant in ["2 2 5 5", "3 3 9 9", "4 4 15 15"] {
            let mut position: Position = variant.parse().unwrap();
            for step in 0..12 {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[step * 7 % moves.len()]);
                for index in 0..position.symmetries() {
                    let view = position.transform(index);
                    assert_eq!(
                        canonical(&view),
                        canonical(&position),
                        "{position} / {index}"
                    );
                }
            }
        }
    }
}
