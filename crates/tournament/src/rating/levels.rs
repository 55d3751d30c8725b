//! What the levels of the games are worth, as `ludex bench levels` has measured it.

use std::collections::HashMap;
use std::sync::LazyLock;

use games::{Algorithm, GameName};
use serde::Deserialize;

/// What `ludex bench levels --json` has printed.
const MEASURED: &str = include_str!("../../data/levels.jsonl");

/// A line of it.
#[derive(Deserialize)]
struct Line {
    game: String,
    player: String,
    elo: f64,
}

/// Elo points by game and level.
static RATINGS: LazyLock<HashMap<(String, String), i32>> = LazyLock::new(|| {
    let lines = MEASURED.lines().map(serde_json::from_str);
    let lines: Vec<Line> = lines.collect::<Result<_, _>>().unwrap_or_default();
    let rating = |line: Line| {
        // How much `best` may look at stands behind its name.
        let level = line
            .player
            .split(':')
            .next()
            .unwrap_or_default()
            .to_string();
        // The last digit says nothing.
        ((line.game, level), (line.elo / 10.0).round() as i32 * 10)
    };
    lines.into_iter().map(rating).collect()
});

/// What a level of a game is worth in Elo points above random play; `None` if nobody has measured
/// it.
#[must_use]
pub fn level(game: GameName, level: Algorithm) -> Option<i32> {
    let key = (game.name().to_string(), level.name().to_string());
    RATINGS.get(&key).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_measured_and_stronger_than_the_one_below() {
        for game in games::BUILT_IN {
            let ratings = Algorithm::LEVELS.map(|one| level(game, one).expect("measured"));
            let rising = ratings.windows(2).all(|pair| pair[0] < pair[1]);
            assert!(rising, "{game}: {ratings:?}");
            assert_eq!(level(game, Algorithm::Random), Some(0));
            assert_eq!(level(game, Algorithm::Mcts), None);
        }
    }
}
