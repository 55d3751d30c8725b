//! The games by name, and their registration.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str::FromStr;

use linkme::distributed_slice;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::definition::{AnyGame, Entry};
use crate::{Definition, GIPF, GIPF_STANDARD, MMPAWNS, REVERSI};

/// The games of this crate, in the order in which people see them.
pub const BUILT_IN: [GameName; 4] = [REVERSI, GIPF, GIPF_STANDARD, MMPAWNS];

/// Games of other crates, collected by the linker; they follow the built-in ones.
///
/// ```ignore
/// #[games::linkme::distributed_slice(games::EXTENSIONS)]
/// #[linkme(crate = games::linkme)]
/// static NIM: games::GameName = games::GameName::of::<Nim>();
/// ```
#[distributed_slice]
pub static EXTENSIONS: [GameName];

/// A game as a value. Everything that can be asked of a game is a method of [`AnyGame`], to
/// which this dereferences. `Display`, `FromStr` and serde use its name.
#[derive(Clone, Copy)]
pub struct GameName(&'static dyn AnyGame);

impl GameName {
    /// The game that this type defines.
    #[must_use]
    pub const fn of<D: Definition>() -> GameName {
        GameName(Entry::<D>::REFERENCE)
    }

    /// All games.
    pub fn all() -> impl Iterator<Item = GameName> + Clone {
        BUILT_IN.iter().chain(EXTENSIONS.iter()).copied()
    }
}

impl Default for GameName {
    /// The game that is meant where none is named.
    fn default() -> GameName {
        BUILT_IN[0]
    }
}

impl Deref for GameName {
    type Target = dyn AnyGame;

    fn deref(&self) -> &(dyn AnyGame + 'static) {
        self.0
    }
}

impl PartialEq for GameName {
    fn eq(&self, other: &GameName) -> bool {
        self.name() == other.name()
    }
}

impl Eq for GameName {}

impl Hash for GameName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameName({})", self.name())
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown game {0:?}; there are {list}", list = names())]
pub struct UnknownGame(pub String);

fn names() -> String {
    let names: Vec<_> = GameName::all().map(|game| game.name()).collect();
    names.join(", ")
}

impl FromStr for GameName {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<GameName, UnknownGame> {
        let lower = text.to_ascii_lowercase();
        let known = |game: &GameName| {
            game.name() == lower || game.about().aliases.contains(&lower.as_str())
        };
        GameName::all()
            .find(known)
            .ok_or_else(|| UnknownGame(text.into()))
    }
}

impl Serialize for GameName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for GameName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameName, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
