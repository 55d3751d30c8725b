//! How sure a search is: levels of selectivity.

/// A level of selectivity. Below [`EXACT`](Level::EXACT), a subtree is cut off when a shallow search
/// says that its value is probably outside the window.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

impl Level {
    /// The least sure one.
    pub const FIRST: Level = Level(0);
    /// The one of searches that do not reach the end.
    pub const MIDGAME: Level = Level(1);
    /// A surer one, on the way to certainty.
    pub const SECOND: Level = Level(2);
    /// The surest one that is not certain.
    pub const NEARLY_EXACT: Level = Level(4);
    /// No selectivity: everything within the depth was looked at.
    pub const EXACT: Level = Level(5);

    /// By how many standard deviations a shallow value must miss the window.
    const MARGINS: [f32; 5] = [1.0, 1.3, 1.8, 2.0, 3.3];

    /// All levels, the least sure one first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> {
        (0..=Level::EXACT.0).map(Level)
    }

    /// The number of the level, 0 for the least sure one.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The chance in per cent that a single cut is right, under a normal distribution.
    #[must_use]
    pub const fn percent(self) -> u32 {
        [68, 81, 93, 95, 99, 100][self.0 as usize]
    }

    /// The margin, or `None` if nothing may be cut.
    #[inline]
    pub(crate) const fn margin(self) -> Option<f32> {
        if self.0 < Level::EXACT.0 {
            Some(Level::MARGINS[self.0 as usize])
        } else {
            None
        }
    }
}
