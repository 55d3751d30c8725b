//! Edge stability: which discs of an edge can never be flipped along that edge.

use std::sync::LazyLock;

/// `stable[own][other]`: the stable own discs, for every filling of an edge.
pub(crate) struct Edges(Box<[[u8; 256]; 256]>);

/// The table, computed at first use.
pub(crate) static EDGES: LazyLock<Edges> = LazyLock::new(Edges::new);

impl Edges {
    /// A disc is stable if no move anywhere on the edge, by either side, flips it, now or
    /// later. From full edges backwards, one empty square at a time.
    fn new() -> Edges {
        let mut stable = Box::new([[0; 256]; 256]);
        for empties in 0..=8 {
            for own in 0..256_usize {
                for other in 0..256_usize {
                    let empty = !(own | other) & 255;
                    if own & other != 0 || empty.count_ones() != empties {
                        continue;
                    }
                    let mut discs = own;
                    for place in (0..8).filter(|place| empty >> place & 1 != 0) {
                        let flipped = flipped(own, other, place);
                        discs &= usize::from(stable[own | flipped | 1 << place][other & !flipped]);
                        let flipped = self::flipped(other, own, place);
                        discs &= usize::from(stable[own & !flipped][other | flipped | 1 << place]);
                    }
                    stable[own][other] = discs as u8;
                }
            }
        }
        Edges(stable)
    }

    /// The stable own discs of an edge.
    #[inline]
    pub(crate) fn stable(&self, own: u64, other: u64) -> u64 {
        u64::from(self.0[(own & 255) as usize][(other & 255) as usize])
    }
}

/// The discs of `other` flipped along the edge by a disc of `own` at `place`.
fn flipped(own: usize, other: usize, place: usize) -> usize {
    let along = |squares: &mut dyn Iterator<Item = usize>| {
        let mut flipped = 0;
        for square in squares {
            if own >> square & 1 != 0 {
                return flipped;
            } else if other >> square & 1 == 0 {
                break;
            }
            flipped |= 1 << square;
        }
        0
    };
    along(&mut (place + 1..8)) | along(&mut (0..place).rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_discs_anchored_to_them_are_stable() {
        let edges = Edges::new();
        let check = |own: u64, other: u64, stable: u64| {
            assert_eq!(edges.stable(own, other), stable, "{own:08b} {other:08b}");
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
