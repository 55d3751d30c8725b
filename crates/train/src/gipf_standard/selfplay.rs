//! Games of the player against itself.

use gipf_standard::{Move, Piece, Position, Rules};
use gipf_standard_engine::{FEATURES, Features, Player, Weights};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Outcome, Side};
use search::{Limits, Score};

/// A position: the weights that it picks, and the chance to win that they should give.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The numbers of the weights.
    pub weights: [u16; FEATURES],
    /// Between 0, lost, and 1, won, for the side to move.
    pub chance: f32,
}

/// How games are played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SelfPlay {
    /// Positions that each move looks at.
    pub nodes: u64,
    /// How much the result of the game counts beside the value of the search, from 0 to 1.
    pub trust: f32,
}

/// No game is longer, in plies.
const LONGEST: u32 = 400;

/// Odds of e to 1 in the value of a search.
const SCALE: f32 = 400.0;

/// The rules of games by their number: two of five each are standard and tournament games.
const RULES: [Rules; 5] = [
    Rules::Standard,
    Rules::Tournament,
    Rules::Basic,
    Rules::Standard,
    Rules::Tournament,
];

/// Plays one game; its number decides the rules and the seed everything else.
#[must_use]
pub fn play(settings: &SelfPlay, weights: &Weights, number: u64, seed: u64) -> Vec<Sample> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut player = Player::new(weights.clone(), 14);
    let mut position = opening(RULES[(number % 5) as usize], &mut rng);
    let limits = Limits::default().with_nodes(settings.nodes);
    let mut seen: Vec<([u16; FEATURES], Side, f32)> = Vec::new();
    for _ in 0..LONGEST {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        // Now and then a random move, for variety.
        let mv = if rng.random_range(0..30) == 0 {
            moves[rng.random_range(0..moves.len())]
        } else {
            let report = player.search(&position, &limits);
            if !position.has_rows() {
                let weights = Features::of(&position).weights();
                seen.push((weights, position.side(), chance(report.score)));
            }
            report.best.unwrap_or(moves[0])
        };
        position.play_unchecked(mv);
    }
    let outcome = position.outcome();
    let result = |side: Side| match outcome {
        Some(Outcome::Win(winner)) => f32::from(u8::from(winner == side)),
        _ => 0.5,
    };
    let sample = |(weights, side, value): ([u16; FEATURES], Side, f32)| Sample {
        weights,
        chance: settings.trust * result(side) + (1.0 - settings.trust) * value,
    };
    seen.into_iter().map(sample).collect()
}

/// The chance to win that a score of the search stands for.
fn chance(score: Score) -> f32 {
    match score.sign() {
        Some(sign) => (1.0 + sign as f32) / 2.0,
        None => 1.0 / (1.0 + (-score.value() as f32 / SCALE).exp()),
    }
}

/// A position after a few random moves; in the tournament game both sides mostly bring in three
/// GIPF-pieces.
fn opening(rules: Rules, rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut position = Position::start(rules);
        for _ in 0..rng.random_range(2..9) {
            let mut moves = position.moves();
            if moves.is_empty() {
                break;
            }
            if rules == Rules::Tournament {
                let brings_gipf = |mv: &Move| mv.push.is_some_and(|push| push.piece == Piece::Gipf);
                let wanted = position.gipf(position.side()).len() < 3;
                let usual: Vec<Move> = moves
                    .iter()
                    .copied()
                    .filter(|mv| brings_gipf(mv) == wanted)
                    .collect();
                if !usual.is_empty() && rng.random_range(0..6) != 0 {
                    moves = usual;
                }
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// The share of points that weights score against others at so many positions a move; game by
/// game, two from each opening.
#[must_use]
pub fn contest(weights: [&Weights; 2], rules: Rules, nodes: u64, game: u64, seed: u64) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed + game / 2);
    let mut position = opening(rules, &mut rng);
    let mut players = weights.map(|weights| Player::new(weights.clone(), 16));
    let swapped = (game % 2) as usize;
    let limits = Limits::default().with_nodes(nodes);
    for _ in 0..LONGEST {
        let player = &mut players[(position.side().index() + swapped) % 2];
        let Some(mv) = player.search(&position, &limits).best else {
            break;
        };
        position.play_unchecked(mv);
    }
    match position.outcome() {
        Some(Outcome::Win(side)) if (side.index() + swapped).is_multiple_of(2) => 1.0,
        Some(Outcome::Win(_)) => 0.0,
        _ => 0.5,
    }
}
