//! Which discs of an edge can never be turned over along that edge.

use std::sync::LazyLock;

/// `stable[own][other]`: the own discs that are safe, for every filling of an edge.
pub(crate) struct Edges(Box<[[u8; 256]; 256]>);

/// The table, computed at first use.
pub(crate) static EDGES: LazyLock<Edges> = LazyLock::new(Edges::new);

impl Edges {
    /// A disc is safe if no disc put down anywhere on the edge, by either side, turns it
    /// over, now or later. From full edges backwards, one empty square at a time.
    fn new() -> Edges {
        let mut safe = Box::new([[0; 256]; 256]);
        for empties in 0..=8 {
            for own in 0..256_usize {
                for other in 0..256_usize {
                    let empty = !(own | other) & 255;
                    if own & other != 0 || empty.count_ones() != empties {
                        continue;
                    }
                    let mut discs = own;
                    for place in (0..8).filter(|place| empty >> place & 1 != 0) {
                        let turned = turned(own, other, place);
                        discs &= usize::from(safe[own | turned | 1 << place][other & !turned]);
                        let turned = self::turned(other, own, place);
                        discs &= usize::from(safe[own & !turned][other | turned | 1 << place]);
                    }
                    safe[own][other] = discs as u8;
                }
            }
        }
        Edges(safe)
    }

    /// The own discs of an edge that are safe.
    #[inline]
    pub(crate) fn safe(&self, own: u64, other: u64) -> u64 {
        u64::from(self.0[(own & 255) as usize][(other & 255) as usize])
    }
}

/// The discs of `other` turned over along the edge by a disc of `own` at `place`.
fn turned(own: usize, other: usize, place: usize) -> usize {
    let along = |squares: &mut dyn Iterator<Item = usize>| {
        let mut turned = 0;
        for square in squares {
            if own >> square & 1 != 0 {
                return turned;
            } else if other >> square & 1 == 0 {
                break;
            }
            turned |= 1 << square;
        }
        0
    };
    along(&mut (place + 1..8)) | along(&mut (0..place).rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_what_leans_on_them_are_safe() {
        let edges = Edges::new();
        let check = |own: u64, other: u64, safe: u64| {
            assert_eq!(edges.safe(own, other), safe, "{own:08b} {other:08b}");
        };
        check(0b0000_0001, 0, 0b0000_0001);
        check(0b0000_0110, 0, 0);
        check(0b1000_0111, 0, 0b1000_0111);
        check(0b0000_1011, 0b1111_0100, 0b0000_1011);
        check(0b0001_1000, 0b0000_0110, 0);
        check(0b0001_1000, 0b1110_0110, 0b0001_1000);
        check(0b0111_1110, 0b1000_0001, 0b0111_1110);
        check(0b0011_1110, 0b1100_0000, 0b0000_0000);
    }
}
