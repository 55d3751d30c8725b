//! Discs that can never be turned over, as many as are quickly found.

use crate::edges::Edges;

const BORDER: u64 = 0xff81_8181_8181_81ff;

fns! {
    /// At least this many of `own`'s discs stay to the end.
    pub(crate) fn stable_discs(edges: &Edges, own: u64, other: u64) -> u32 {
        let mut stable = stable_on_edges(edges, own, other);
        let [rows, columns, rising, falling] = full_lines(own | other);
        let inner = own & !BORDER;
        stable |= inner & rows & columns & rising & falling;
        if stable == 0 {
            return 0;
        }
        // A disc is stable if along each of the four lines it leans on a stable disc of
        // its own colour, or the line is full.
        loop {
            let found = inner
                & !stable
                & (rows | stable >> 1 | stable << 1)
                & (columns | stable >> 8 | stable << 8)
                & (rising | stable >> 7 | stable << 7)
                & (falling | stable >> 9 | stable << 9);
            if found == 0 {
                return stable.count_ones();
            }
            stable |= found;
        }
    }

    /// The own discs on the border that are safe along their edges; along the other
    /// lines a disc on the border cannot be outflanked.
    #[inline]
    fn stable_on_edges(edges: &Edges, own: u64, other: u64) -> u64 {
        const LEFT: u64 = 0x0101_0101_0101_0101;
        // Gathers the a-column into the top byte, a1 in its lowest bit.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let column = |discs: u64| (discs & LEFT).wrapping_mul(GATHER) >> 56;
        // Spreads a byte over the a-column.
        let spread = |line: u64| (((line & 127) * (GATHER >> 7)) & LEFT) | (line & 128) << 49;
        edges.safe(own, other)
            | edges.safe(own >> 56, other >> 56) << 56
            | spread(edges.safe(column(own), column(other)))
            | spread(edges.safe(column(own >> 7), column(other >> 7))) << 7
    }

    /// All squares of the full lines: rows, columns and the two kinds of diagonals.
    #[inline]
    fn full_lines(discs: u64) -> [u64; 4] {
        let mut rows = discs & discs >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
        rows &= rows >> 2;
        rows &= rows >> 1;
        let rows = (rows & 0x0101_0101_0101_0101) * 255;
        let mut columns = discs & discs.rotate_right(8);
        columns &= columns.rotate_right(16);
        columns &= columns.rotate_right(32);
        // Beyond the ends of a diagonal everything counts as full.
        let mut falling = discs;
        let mut rising = discs;
        falling &= (falling >> 9 | 0xff80_8080_8080_8080) & (falling << 9 | 0x0101_0101_0101_01ff);
        rising &= (rising >> 7 | 0xff01_0101_0101_0101) & (rising << 7 | 0x8080_8080_8080_80ff);
        falling &= (falling >> 18 | 0xffff_c0c0_c0c0_c0c0) & (falling << 18 | 0x0303_0303_0303_ffff);
        rising &= (rising >> 14 | 0xffff_0303_0303_0303) & (rising << 14 | 0xc0c0_c0c0_c0c0_ffff);
        falling &= (falling >> 36 | 0xffff_ffff_f0f0_f0f0) & (falling << 36 | 0x0f0f_0f0f_ffff_ffff);
        rising &= (rising >> 28 | 0xffff_ffff_0f0f_0f0f) & (rising << 28 | 0xf0f0_f0f0_ffff_ffff);
        [rows, columns, rising, falling]
    }
}
