//! The levels of a game: players for people of every strength.

use crate::Algorithm;

/// How many levels there are below `best`.
pub(crate) const BELOW_BEST: usize = 7;

/// The levels of a game, from `first-steps` to `best`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Levels {
    /// How the levels below `best` play, the weakest first.
    pub plays: [Handicap; BELOW_BEST],
}

/// How a level plays: as people do who see only so far, judge by what strikes the eye, and
/// overlook things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// By what it judges.
    pub judges: Judgement,
    /// Plies that it looks ahead.
    pub depth: u32,
    /// Of a hundred moves, its own and the opponent's, so many are not noticed; of those that
    /// gain most at once, half as many.
    pub overlooks: u32,
    /// How far its judgement of a position may be off, in points of the game's evaluation.
    pub blur: i32,
    /// Positions that it looks at, where plies do not bound what its engine sees.
    pub nodes: Option<u64>,
}

/// By what a level judges positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// What it has gained at the end of what it looks at.
    Gains,
    /// A few simple features: the game's evaluation.
    Features,
    /// What the strongest player of the game knows.
    Engine,
}

impl Handicap {
    /// Looks so many plies ahead, judges by this, and overlooks so many moves of a hundred.
    #[must_use]
    pub const fn new(judges: Judgement, depth: u32, overlooks: u32) -> Handicap {
        Handicap {
            judges,
            depth,
            overlooks,
            blur: 0,
            nodes: None,
        }
    }

    /// Knows what the strongest player knows, looks at so many positions, and overlooks so many
    /// moves of a hundred.
    #[must_use]
    pub const fn of_positions(nodes: u64, overlooks: u32) -> Handicap {
        Handicap {
            nodes: Some(nodes),
            ..Handicap::new(Judgement::Engine, u32::MAX, overlooks)
        }
    }

    /// The same with a judgement that may be off by so many points.
    #[must_use]
    pub const fn with_blur(self, blur: i32) -> Handicap {
        Handicap { blur, ..self }
    }

    /// How it plays, in words.
    #[must_use]
    pub fn words(&self) -> String {
        let ahead = match (self.nodes, self.depth) {
            (Some(nodes), _) => format!("looks at {nodes} positions"),
            (None, 1) => "looks at its own move only".into(),
            (None, 2) => "looks at its move and the reply".into(),
            (None, depth) => format!("looks {depth} plies ahead"),
        };
        let judges = match self.judges {
            Judgement::Gains => "wants what a move gains at once",
            Judgement::Features => "judges by a few simple features",
            Judgement::Engine => "knows what the strongest player knows",
        };
        let misses = match self.overlooks {
            0 => "overlooks nothing there".into(),
            part => format!("overlooks {part} moves of 100"),
        };
        let off = match self.blur {
            0 => "",
            _ => ", and is not sure of its judgement",
        };
        format!("{judges}, {ahead}, {misses}{off}")
    }
}

impl Levels {
    /// Levels that suit most games.
    pub const USUAL: Levels = Levels {
        plays: [
            Handicap::new(Judgement::Gains, 1, 50),
            Handicap::new(Judgement::Gains, 1, 20),
            Handicap::new(Judgement::Features, 2, 25),
            Handicap::new(Judgement::Features, 2, 8),
            Handicap::new(Judgement::Features, 3, 6),
            Handicap::new(Judgement::Engine, 4, 6),
            Handicap::new(Judgement::Engine, 6, 0),
        ],
    };

    /// How a level below `best` plays.
    #[must_use]
    pub fn handicap(&self, level: Algorithm) -> Option<&Handicap> {
        let place = Algorithm::LEVELS.iter().position(|&other| other == level)?;
        self.plays.get(place)
    }
}
