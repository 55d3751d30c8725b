//! Where games start.

use games::{AnyPosition, GameName};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::{ConfigError, Part, mix, wrong};

/// Where games start. Every number has its position, the same for all players.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Openings {
    /// Where the position comes from.
    pub source: OpeningSource,
    /// How many random plies are played on from there.
    #[serde(default)]
    pub plies: u32,
}

/// Where a start position comes from before any random plies.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// The usual start of the game.
    Start,
    /// The game's own generator: random openings of Othello, random fields of MMPawns,
    /// random openings of GIPF.
    #[default]
    Random,
    /// One after the other from this list, then from its beginning again.
    List(Vec<String>),
}

/// Longer random openings leave too little of a game.
const MOST_PLIES: u32 = 40;

/// Positions cannot come from two places.
pub(super) const ONE_SOURCE: &str = "only one of from, positions and file can be given";

impl Openings {
    /// Always the usual start.
    #[must_use]
    pub fn start() -> Openings {
        Openings {
            source: OpeningSource::Start,
            plies: 0,
        }
    }

    /// As people write them: `random` or `start`, or a list of positions, and how many random
    /// plies on.
    pub fn read(
        from: Option<&str>,
        positions: Option<Vec<String>>,
        plies: u32,
    ) -> Result<Openings, ConfigError> {
        let source = match (from, positions) {
            (None | Some("random"), None) => OpeningSource::Random,
            (Some("start"), None) => OpeningSource::Start,
            (None, Some(list)) => OpeningSource::List(list),
            (Some(from), None) => {
                let message = format!("from = {from:?} is not \"start\" or \"random\"");
                return Err(wrong(Part::Openings, message));
            }
            (Some(_), Some(_)) => return Err(wrong(Part::Openings, ONE_SOURCE)),
        };
        Ok(Openings { source, plies })
    }

    /// The positions of a text, one on each line; `#` begins a comment.
    #[must_use]
    pub fn lines(text: &str) -> Vec<String> {
        let lines = text.lines().map(str::trim);
        let positions = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        positions.map(String::from).collect()
    }

    pub(super) fn check(&self, game: GameName) -> Result<(), ConfigError> {
        if self.plies > MOST_PLIES {
            return Err(wrong(
                Part::Plies,
                format!("plies = {} is more than {MOST_PLIES}", self.plies),
            ));
        }
        let OpeningSource::List(list) = &self.source else {
            return Ok(());
        };
        if list.is_empty() {
            return Err(wrong(Part::Openings, "the list of positions is empty"));
        }
        for (number, text) in (1..).zip(list) {
            let position = AnyPosition::parse(game, text)
                .map_err(|error| wrong(Part::Openings, format!("position {number}: {error}")))?;
            if position.outcome().is_some() {
                return Err(wrong(
                    Part::Openings,
                    format!("position {number}: the game is over"),
                ));
            }
        }
        Ok(())
    }

    /// Start position `number` for a tournament with this seed.
    ///
    /// # Panics
    /// If the openings have not been checked for this game.
    #[must_use]
    pub fn position(&self, game: GameName, seed: u64, number: u32) -> AnyPosition {
        let seed = mix(mix(seed, 0x6f70_656e), u64::from(number));
        let base = match &self.source {
            OpeningSource::Start => AnyPosition::start(game),
            OpeningSource::Random => AnyPosition::random_start(game, seed),
            OpeningSource::List(list) => {
                let text = &list[number as usize % list.len()];
                AnyPosition::parse(game, text).expect("checked positions can be read")
            }
        };
        random_moves(&base, self.plies, seed).unwrap_or(base)
    }
}

/// Plays random plies; `None` if the game always seems to be over before.
fn random_moves(base: &AnyPosition, plies: u32, seed: u64) -> Option<AnyPosition> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..1000).find_map(|_| {
        let mut position = base.clone();
        for _ in 0..plies {
            let moves = position.moves();
            if moves.is_empty() {
                return None;
            }
            let mv = &moves[rng.random_range(0..moves.len())];
            position.play(mv).ok()?;
        }
        position.outcome().is_none().then_some(position)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_game_has_its_start_positions() {
        for game in GameName::all() {
            let openings = Openings::default();
            let mut seen = BTreeSet::new();
            for number in 0..50 {
                let position = openings.position(game, 7, number);
                assert_eq!(position, openings.position(game, 7, number));
                assert_eq!(position.outcome(), None, "{position}");
                seen.insert(position.to_string());
            }
            assert!(seen.len() > 25, "{game}: only {} differ", seen.len());
            let start = Openings::start().position(game, 7, 3);
            assert_eq!(start, AnyPosition::start(game));
        }
    }

    #[test]
    fn lists_go_round_and_can_be_played_on() {
        let start = AnyPosition::start(games::REVERSI);
        let mut second = start.clone();
        second.play("d3").unwrap();
        let list = vec![start.to_string(), second.to_string()];
        let mut openings = Openings {
            source: OpeningSource::List(list),
            plies: 0,
        };
        assert_eq!(openings.check(games::REVERSI), Ok(()));
        assert_eq!(openings.position(games::REVERSI, 1, 0), start);
        assert_eq!(openings.position(games::REVERSI, 1, 3), second);
        openings.plies = 4;
        let on = openings.position(games::REVERSI, 1, 0).to_string();
        assert_eq!(on.matches(['X', 'O']).count(), 8 + 1, "{on}");
    }

    #[test]
    fn bad_lists_are_refused() {
        let refused = |list: Vec<String>| {
            let openings = Openings {
                source: OpeningSource::List(list),
                plies: 0,
            };
            openings.check(games::REVERSI).unwrap_err().message
        };
        assert_eq!(refused(vec![]), "the list of positions is empty");
        let message = refused(vec!["start".into(), "XXO".into()]);
        assert!(message.starts_with("position 2: "), "{message}");
        let over = refused(vec![format!("{} X", "X".repeat(64))]);
        assert_eq!(over, "position 1: the game is over");
    }
}
