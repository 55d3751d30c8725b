//! Which game is played: the rules, what they let a side bring in, and when a game is drawn.

use std::fmt;
use std::str::FromStr;

use rules::PositionError;

/// Which of the three published games is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rules {
    /// 15 pieces each, no GIPF-pieces; three pieces of each side start on the corners.
    Basic,
    /// 18 pieces each; three GIPF-pieces of each side start on the corners.
    Standard,
    /// 18 pieces each, an empty board; the players bring in as many GIPF-pieces as they like.
    Tournament,
}

impl Rules {
    /// All three, from the simplest.
    pub const ALL: [Rules; 3] = [Rules::Basic, Rules::Standard, Rules::Tournament];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rules::Basic => "basic",
            Rules::Standard => "standard",
            Rules::Tournament => "tournament",
        }
    }

    /// How many single pieces each side owns, a GIPF-piece counting as two.
    #[must_use]
    pub const fn total(self) -> u8 {
        match self {
            Rules::Basic => 15,
            Rules::Standard | Rules::Tournament => 18,
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Rules {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Rules, PositionError> {
        let found = Rules::ALL.into_iter().find(|rules| rules.name() == text);
        found.ok_or_else(|| {
            PositionError::new(format!(
                "rules {text:?} are not basic, standard or tournament"
            ))
        })
    }
}

/// What a side may bring in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Nothing was brought in yet: the first piece must be a GIPF-piece.
    First,
    /// Only GIPF-pieces were brought in: a GIPF-piece or a single piece may follow.
    Gipf,
    /// Single pieces only.
    Single,
}

/// After how many plies without a captured piece a game is drawn.
///
/// The published rules know no draw, and play that only returns pieces to their owners can go on
/// for ever; so the limit is a parameter of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DrawLimit(u8);

impl DrawLimit {
    /// The game is never drawn, as in the published text.
    pub const NEVER: DrawLimit = DrawLimit(0);
    /// What is played if nothing else is said.
    pub const DEFAULT: DrawLimit = DrawLimit(100);

    /// Drawn after so many plies; 0 is never.
    #[must_use]
    pub const fn new(half_moves: u8) -> DrawLimit {
        DrawLimit(half_moves)
    }

    /// The number of plies, 0 for never.
    #[must_use]
    pub const fn half_moves(self) -> u8 {
        self.0
    }

    #[inline]
    pub(crate) fn is_reached(self, quiet: u8) -> bool {
        self.0 != 0 && quiet >= self.0
    }
}
