//! The players that every game has.

mod greedy;
mod level;
mod random;

use search::{AlphaBeta, Limits, Mcts, Report};

use self::greedy::Greedy;
use self::level::Level;
use self::random::Random;
use crate::levels::BELOW_BEST;
use crate::{Definition, Engine, Resources};
use rules::{Evaluate, Hashed};

/// What may follow the name of a player after a colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// Nothing.
    None,
    /// A depth, which must be given.
    Depth,
    /// A time or a number of nodes.
    Time,
    /// A time, a number of nodes or a depth.
    Budget,
}

/// Defines [`Algorithm`] from one line per player:
/// `Variant: "name", strength, argument, "words" => engine;`.
macro_rules! algorithms {
    ([$self:ident, $resources:ident, $seed:ident] $($(#[$doc:meta])* $variant:ident: $name:literal, $strength:literal, $argument:expr, $words:literal => $engine:expr;)+) => {
        /// A player that every game has.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Algorithm {
            $($(#[$doc])* $variant,)+
        }

        impl Algorithm {
            /// All of them.
            pub const ALL: &[Algorithm] = &[$(Algorithm::$variant),+];

            /// The name people type.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Algorithm::$variant => $name,)+
                }
            }

            /// What it is, in words.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self {
                    $(Algorithm::$variant => $words,)+
                }
            }

            /// How it usually fares against the others: larger is stronger.
            #[must_use]
            pub const fn strength(self) -> u32 {
                match self {
                    $(Algorithm::$variant => $strength,)+
                }
            }

            /// What may follow its name.
            #[must_use]
            pub const fn argument(self) -> Argument {
                match self {
                    $(Algorithm::$variant => $argument,)+
                }
            }

            /// Builds the player for the game that `D` defines.
            pub(crate) fn build<D: Definition>(
                $self,
                $resources: &Resources,
                $seed: u64,
            ) -> Box<dyn Engine<D::Position>> {
                match $self {
                    $(Algorithm::$variant => $engine,)+
                }
            }
        }
    };
}

algorithms! { [self, resources, seed]
    /// `random`: any legal move.
    Random: "random", 0, Argument::None, "Random"
        => Box::new(Random::new(seed));
    /// `greedy`: best after one move.
    Greedy: "greedy", 1, Argument::None, "Greedy"
        => Box::new(Greedy::<D>::new(seed));
    /// `minimax:DEPTH`: looks at every line of this many plies.
    Minimax: "minimax", 2, Argument::Depth, "Minimax"
        => Box::new(Minimax);
    /// `alphabeta`, `alphabeta:TIME`, `alphabeta:dDEPTH`, `alphabeta:nNODES`: iterative
    /// deepening with alpha–beta.
    AlphaBeta: "alphabeta", 4, Argument::Budget, "Alpha-beta"
        => Box::new(AlphaBeta::new());
    /// `mcts`, `mcts:TIME`, `mcts:nNODES`: a tree grown by short random games.
    Mcts: "mcts", 3, Argument::Time, "Monte Carlo tree search"
        => Box::new(Mcts::new(seed));
    /// `best`, `best:TIME`, …: the strongest player of the game.
    Best: "best", 5, Argument::Budget, "Best: the strongest there is"
        => strongest::<D>(resources, seed);
    /// `first-steps`: the weakest level; see [`Levels`](crate::Levels).
    FirstSteps: "first-steps", 0, Argument::None, "First steps"
        => level::<D>(self, resources, seed);
    /// `beginner`: the second level.
    Beginner: "beginner", 1, Argument::None, "Beginner"
        => level::<D>(self, resources, seed);
    /// `learner`: the third level.
    Learner: "learner", 1, Argument::None, "Learner"
        => level::<D>(self, resources, seed);
    /// `casual`: the fourth level.
    Casual: "casual", 2, Argument::None, "Casual player"
        => level::<D>(self, resources, seed);
    /// `club`: the fifth level.
    Club: "club", 3, Argument::None, "Club player"
        => level::<D>(self, resources, seed);
    /// `strong`: the sixth level.
    Strong: "strong", 4, Argument::None, "Strong player"
        => level::<D>(self, resources, seed);
    /// `expert`: the last level below `best`.
    Expert: "expert", 4, Argument::None, "Expert"
        => level::<D>(self, resources, seed);
}

impl Algorithm {
    /// The levels that people choose from, the weakest first.
    pub const LEVELS: [Algorithm; BELOW_BEST + 1] = [
        Algorithm::FirstSteps,
        Algorithm::Beginner,
        Algorithm::Learner,
        Algorithm::Casual,
        Algorithm::Club,
        Algorithm::Strong,
        Algorithm::Expert,
        Algorithm::Best,
    ];

    /// Whether it is one of the levels below `best`.
    #[must_use]
    pub fn is_level(self) -> bool {
        Algorithm::LEVELS[..BELOW_BEST].contains(&self)
    }

    /// Whether it moves without looking ahead, at once.
    #[must_use]
    pub const fn is_quick(self) -> bool {
        matches!(self, Algorithm::Random | Algorithm::Greedy)
    }
}

/// The strongest player of the game that `D` defines.
fn strongest<D: Definition>(resources: &Resources, seed: u64) -> Box<dyn Engine<D::Position>> {
    D::strongest(resources, seed).unwrap_or_else(|| Box::new(AlphaBeta::new()))
}

/// A level of the game that `D` defines.
fn level<D: Definition>(
    level: Algorithm,
    resources: &Resources,
    seed: u64,
) -> Box<dyn Engine<D::Position>> {
    match D::ABOUT.levels.handicap(level) {
        Some(&plays) => Box::new(Level::<D>::new(plays, resources, seed)),
        None => strongest::<D>(resources, seed),
    }
}

/// Every line of so many plies.
struct Minimax;

impl<G: Hashed + Evaluate> Engine<G> for Minimax {
    fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move> {
        search::minimax(position, limits)
    }
}

impl<G: Hashed + Evaluate> Engine<G> for AlphaBeta<G> {
    fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move> {
        AlphaBeta::search(self, position, limits)
    }

    fn new_game(&mut self) {
        self.clear();
    }
}

impl<G: Evaluate> Engine<G> for Mcts<G> {
    fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move> {
        Mcts::search(self, position, limits)
    }
}
