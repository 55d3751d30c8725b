//! Who is benched from which game on.
//!
//! Decided by the games that stand earlier in the schedule, whenever they are played: so a
//! tournament goes the same way however many games run at once, and after any interruption.

use std::collections::{BTreeMap, BTreeSet};

use crate::schedule::{Fixture, GameKey};

/// What the earlier games of a player say about a later one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// It plays.
    Clear,
    /// It is benched: so many games, all failed or one that disqualifies.
    Benched {
        /// Earlier games that were played.
        games: u32,
        /// Whether one fault was enough.
        disqualified: bool,
    },
    /// Earlier games must be over first.
    Waiting,
}

/// When a player is benched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// After so many failed games and none without; 0 for never.
    pub(super) after: u32,
    /// After one failed game.
    pub(super) disqualify: bool,
}

/// What is known of the games of one player.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// Games that were played, and whether it failed in them; forfeits do not count.
    played: BTreeMap<GameKey, bool>,
    /// Games that are still to be played.
    open: BTreeSet<GameKey>,
}

impl History {
    /// A game was played.
    pub(super) fn add(&mut self, key: GameKey, failed: bool) {
        self.open.remove(&key);
        self.played.insert(key, failed);
    }

    /// A game is over without having been played.
    pub(super) fn forfeit(&mut self, key: GameKey) {
        self.open.remove(&key);
    }

    /// Games that are to be played.
    pub(super) fn open(&mut self, key: GameKey) {
        if !self.played.contains_key(&key) {
            self.open.insert(key);
        }
    }

    /// Whether the player plays the game with this key.
    pub(super) fn standing(&self, key: GameKey, rule: Rule) -> Standing {
        let waits = self.open.range(..key).next().is_some();
        let (mut games, mut failed) = (0, 0);
        for bad in self.played.range(..key).map(|(_, failed)| *failed) {
            games += 1;
            failed += u32::from(bad);
            // Who got through one game is never benched for failing always.
            if !bad && !rule.disqualify {
                return Standing::Clear;
            }
        }
        if rule.disqualify && failed > 0 {
            return Standing::Benched {
                games,
                disqualified: true,
            };
        }
        if rule.disqualify && waits {
            return Standing::Waiting;
        }
        if rule.after == 0 || failed < games {
            return Standing::Clear;
        }
        let open = self.open.range(..key).take(rule.after as usize).count() as u32;
        if games + open < rule.after {
            Standing::Clear
        } else if waits {
            Standing::Waiting
        } else {
            Standing::Benched {
                games,
                disqualified: false,
            }
        }
    }
}

/// Takes the games of a schedule down as open for both players.
pub(super) fn open_all<'a>(
    histories: &mut [History],
    fixtures: impl IntoIterator<Item = &'a Fixture>,
) {
    for fixture in fixtures {
        for player in [fixture.first, fixture.second] {
            histories[player].open(fixture.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule {
        after: 2,
        disqualify: false,
    };

    fn key(game: u32) -> GameKey {
        GameKey {
            round: 1,
            table: 1,
            game,
        }
    }

    /// `x` failed, `o` played well, `.` is open; the standing before the last one.
    #[track_caller]
    fn check(games: &str, rule: Rule, expected: Standing) {
        let mut history = History::default();
        for (number, c) in (1..).zip(games.chars()) {
            match c {
                'x' | 'o' => history.add(key(number), c == 'x'),
                _ => history.open(key(number)),
            }
        }
        let last = key(games.len() as u32);
        assert_eq!(history.standing(last, rule), expected, "{games}");
    }

    #[test]
    fn only_earlier_games_count() {
        let benched = |games, disqualified| Standing::Benched {
            games,
            disqualified,
        };
        check(".", RULE, Standing::Clear);
        check("..", RULE, Standing::Clear);
        check("...", RULE, Standing::Waiting);
        check("x.", RULE, Standing::Clear);
        check("x..", RULE, Standing::Waiting);
        check("xx.", RULE, benched(2, false));
        check("xxx.", RULE, benched(3, false));
        check("o...", RULE, Standing::Clear);
        check("xo.", RULE, Standing::Clear);
        check(".x.", RULE, Standing::Waiting);
        let strict = Rule {
            after: 0,
            disqualify: true,
        };
        check("o.", strict, Standing::Clear);
        check("..", strict, Standing::Waiting);
        check("ox.", strict, benched(2, true));
        check("xxxx.", Rule { after: 0, ..RULE }, Standing::Clear);
    }
}
