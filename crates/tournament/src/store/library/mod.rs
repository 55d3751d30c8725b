//! A library of games: found by players, year and event, and by positions up to symmetry.
//!
//! Everything is found by scanning columns: one with who played, where and when, and one of keys of
//! positions for each number of plies. A key takes eight bytes, a tenth of what an index of rows
//! would, and a scan is quick: a position says after how many plies it can come up, and a column of
//! a hundred thousand games is a megabyte.

mod columns;
mod find;
mod write;

use games::{AnyPosition, GameName, Recorded};

use super::{Store, StoreResult};

/// Which games are wanted.
#[derive(Clone, PartialEq, Debug)]
pub struct LibraryQuery {
    /// Of which game.
    pub game: GameName,
    /// Part of the name of one player.
    pub player: String,
    /// Part of the name of the other one.
    pub opponent: String,
    /// Part of the name of the event.
    pub event: String,
    /// From this year on.
    pub from: Option<u16>,
    /// Up to this year.
    pub to: Option<u16>,
    /// In which this position came up, or one that is symmetric to it.
    pub position: Option<AnyPosition>,
    /// Without the first so many.
    pub offset: usize,
    /// At most so many.
    pub limit: usize,
}

impl LibraryQuery {
    /// All games, from the latest on.
    #[must_use]
    pub fn new(game: GameName) -> LibraryQuery {
        LibraryQuery {
            game,
            player: String::new(),
            opponent: String::new(),
            event: String::new(),
            from: None,
            to: None,
            position: None,
            offset: 0,
            limit: 50,
        }
    }
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LibraryFound {
    /// How many games there are in all.
    pub count: usize,
    /// How often the first side won, drew and lost in them.
    pub wdl: [usize; 3],
    /// The games that were asked for, the latest first, with their numbers.
    pub games: Vec<(i64, Recorded)>,
    /// What was played in the position, the most frequent first.
    pub moves: Vec<LibraryMove>,
}

/// A game of the library.
#[derive(Clone, PartialEq, Debug)]
pub struct LibraryGame {
    /// Of which game.
    pub game: GameName,
    /// Who played what, where and when; without keys.
    pub recorded: Recorded,
    /// Where it came from.
    pub source: String,
}

/// What came of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryMove {
    /// The moves that lead to the same position up to symmetry.
    pub moves: Vec<String>,
    /// How many games went on so.
    pub count: usize,
    /// How often the first side won, drew and lost in them.
    pub wdl: [usize; 3],
}

impl Store {
    /// Adds games to the library; those that are there already are left out. Says how many are
    /// new.
    pub async fn add_to_library(
        &self,
        game: GameName,
        source: &str,
        mut games: Vec<Recorded>,
    ) -> StoreResult<usize> {
        let source = source.to_owned();
        // Files of strangers have names that hide what they are, or turn around what stands beside them.
        for game in &mut games {
            let [first, second] = &mut game.players;
            for text in [first, second, &mut game.event] {
                if text.contains(referee::is_hidden) {
                    *text = referee::shortened(text, usize::MAX);
                }
            }
        }
        self.change(move |db| write::add(db, game, &source, &games))
            .await
    }

    /// Finds games.
    pub async fn library(&self, query: LibraryQuery) -> StoreResult<LibraryFound> {
        self.run(move |db| find::find(db, &query)).await
    }

    /// A game of the library.
    pub async fn library_game(&self, number: i64) -> StoreResult<Option<LibraryGame>> {
        self.run(move |db| find::one(db, number)).await
    }

    /// Gives a game of the library another event. `false` if the same game is there under that one
    /// already, or none has this number.
    pub async fn tag_library_game(&self, number: i64, event: &str) -> StoreResult<bool> {
        let event = event.to_owned();
        self.change(move |db| write::tag(db, number, &event)).await
    }

    /// Removes a game from the library; says whether it was there.
    pub async fn remove_library_game(&self, number: i64) -> StoreResult<bool> {
        self.change(move |db| Ok(write::remove(db, "number", &number)? > 0))
            .await
    }

    /// Removes the games that came from somewhere; says how many.
    pub async fn remove_from_library(&self, source: &str) -> StoreResult<usize> {
        let source = source.to_owned();
        self.change(move |db| write::remove(db, "source", &source))
            .await
    }
}
