//! Games and positions as values.

use std::fmt;
use std::str::FromStr;

use rules::{Evaluate, Game, Hashed, MoveError, Outcome, PositionError, Side};
use thiserror::Error;

use crate::Playable;

/// Defines [`GameName`], [`AnyPosition`] and the macro `dispatch!` from one line per game:
/// `Variant(position type), "name", "other name", …;`.
macro_rules! games {
    ($d:tt $($(#[$doc:meta])* $variant:ident($position:ty), $name:literal $(, $alias:literal)*;)+) => {
        /// The games there are.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum GameName {
            $($(#[$doc])* $variant,)+
        }

        impl GameName {
            /// All games.
            pub const ALL: &[GameName] = &[$(GameName::$variant),+];

            /// The name people type.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(GameName::$variant => $name,)+
                }
            }
        }

        impl FromStr for GameName {
            type Err = UnknownGame;

            fn from_str(text: &str) -> Result<GameName, UnknownGame> {
                match text.to_ascii_lowercase().as_str() {
                    $($name $(| $alias)* => Ok(GameName::$variant),)+
                    _ => Err(UnknownGame(text.into())),
                }
            }
        }

        /// A position of any of the games. `Display` writes its one-line text.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum AnyPosition {
            $($(#[$doc])* $variant($position),)+
        }

        impl AnyPosition {
            /// Which game this is a position of.
            #[must_use]
            pub fn game(&self) -> GameName {
                match self {
                    $(AnyPosition::$variant(_) => GameName::$variant,)+
                }
            }
        }

        $(
            impl From<$position> for AnyPosition {
                fn from(position: $position) -> AnyPosition {
                    AnyPosition::$variant(position)
                }
            }

            impl<'a> TryFrom<&'a AnyPosition> for &'a $position {
                type Error = GameName;

                /// The position as that of its game, or the game that it really is of.
                fn try_from(any: &'a AnyPosition) -> Result<&'a $position, GameName> {
                    match any {
                        AnyPosition::$variant(position) => Ok(position),
                        _ => Err(any.game()),
                    }
                }
            }
        )+

        /// `dispatch!(position, p => expression)`: the expression with `p` as the position
        /// of its own type. `dispatch!(game as P => expression)`: the expression with `P` as
        /// the position type of the game.
        macro_rules! dispatch {
            ($d game:ident as $d P:ident => $d body:expr) => {
                match $d game {
                    $($crate::GameName::$variant => {
                        type $d P = $position;
                        $d body
                    })+
                }
            };
            ($d any:expr, $d p:ident => $d body:expr) => {
                match $d any {
                    $($crate::AnyPosition::$variant($d p) => $d body,)+
                }
            };
        }
        pub(crate) use dispatch;
    };
}

games! { $
    /// Reversi, also called Othello.
    Reversi(reversi::Position), "reversi", "othello";
    /// GIPF, of any size.
    Gipf(gipf::Position), "gipf";
    /// MMPawns.
    Mmpawns(mmpawns::Position), "mmpawns";
}

/// A text that names no game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown game {0:?}; there are {list}", list = names())]
pub struct UnknownGame(pub String);

fn names() -> String {
    let names: Vec<_> = GameName::ALL.iter().map(|game| game.name()).collect();
    names.join(", ")
}

impl GameName {
    /// What the game calls this player.
    #[must_use]
    pub fn side_name(self, side: Side) -> &'static str {
        dispatch!(self as P => P::side_name(side))
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl AnyPosition {
    /// Where a game usually starts.
    #[must_use]
    pub fn start(game: GameName) -> AnyPosition {
        dispatch!(game as P => P::usual_start().into())
    }

    /// A fair-looking start that the seed decides, for games that should not all be alike.
    #[must_use]
    pub fn random_start(game: GameName, seed: u64) -> AnyPosition {
        dispatch!(game as P => P::random_start(seed).into())
    }

    /// Reads the one-line text of a position; `start` is the usual start.
    pub fn parse(game: GameName, text: &str) -> Result<AnyPosition, PositionError> {
        if text.trim() == "start" {
            return Ok(AnyPosition::start(game));
        }
        dispatch!(game as P => Ok(text.parse::<P>()?.into()))
    }

    /// Who is to move.
    #[must_use]
    pub fn side_to_move(&self) -> Side {
        dispatch!(self, p => p.side_to_move())
    }

    /// How the game ended, or `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        dispatch!(self, p => p.outcome())
    }

    /// The legal moves as text, in the order of the rules.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        dispatch!(self, p => p.moves().into_iter().map(|mv| p.move_text(mv)).collect())
    }

    /// Plays a move and tells its usual text; an illegal one changes nothing.
    pub fn play(&mut self, text: &str) -> Result<String, MoveError> {
        dispatch!(self, p => {
            let mv = p.parse_move(text)?;
            let usual = p.move_text(mv);
            p.play_unchecked(mv);
            Ok(usual)
        })
    }

    /// The number of ways to play `depth` half-moves.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        dispatch!(self, p => rules::perft(p, depth))
    }

    /// The game's own quick estimate for the player to move; see [`rules::Evaluate`].
    #[must_use]
    pub fn evaluate(&self) -> i32 {
        dispatch!(self, p => p.evaluate())
    }

    /// A 64-bit hash: equal positions of one game hash alike.
    #[must_use]
    pub fn hash(&self) -> u64 {
        dispatch!(self, p => Hashed::hash(p))
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        dispatch!(self, p => p.fmt(f))
    }
}
