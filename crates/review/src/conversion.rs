//! What a player made of its won positions, over many games.

use std::collections::BTreeMap;

use games::{AnyPosition, GameName, Proof, Value};
use rules::{Outcome, Side};
use serde::Serialize;

use crate::knowledge::Knowledge;
use crate::mistake::{Kind, Mistake};
use crate::report::{Coverage, Review};

/// A reviewed game of a player.
#[derive(Clone, Copy, Debug)]
pub struct Reviewed<'a> {
    /// The id of the game.
    pub id: &'a str,
    /// Which side the player had.
    pub side: Side,
    /// Who won.
    pub outcome: Option<Outcome>,
    /// The review.
    pub review: &'a Review,
}

/// So many of the most expensive mistakes are named.
const COSTLIEST: usize = 10;

/// Turns of one row in the table of where wins were lost.
const TURNS_PER_ROW: u32 = 10;

/// A mistake with the game it was made in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Costly {
    /// The id of the game.
    pub game: String,
    /// The opponent.
    pub opponent: String,
    /// The mistake.
    #[serde(flatten)]
    pub mistake: Mistake,
}

/// What a player made of its games, as far as it is proven.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Conversion {
    /// The player.
    pub player: String,
    /// Games that were reviewed.
    pub games: usize,
    /// Positions of these games, and how many are proven.
    pub coverage: Coverage,
    /// Games in which the player had a proven win at some time.
    pub won: usize,
    /// Of these, games that the player won.
    pub converted: usize,
    /// Times that a mistake of the opponent made a position won.
    pub given: usize,
    /// Of these, times that the player gave the win away again.
    pub given_back: usize,
    /// Proven mistakes that changed the result, by kind.
    pub by_kind: BTreeMap<&'static str, usize>,
    /// The same by turn: the first turn of ten, and how many.
    pub by_turn: BTreeMap<u32, usize>,
    /// The same by opponent.
    pub against: BTreeMap<String, usize>,
    /// Points thrown away in all by mistakes with a known margin.
    pub points: u32,
    /// The most expensive mistakes.
    pub costliest: Vec<Costly>,
    /// Positions, up to symmetry, in which mistakes were made more than once, and how often.
    pub repeated: BTreeMap<String, usize>,
}

impl Conversion {
    /// Sums up the games of a player.
    #[must_use]
    pub fn new(player: &str, games: &[Reviewed<'_>]) -> Conversion {
        let mut sum = Conversion {
            player: player.into(),
            games: games.len(),
            ..Conversion::default()
        };
        let mut costly = Vec::new();
        let mut positions: BTreeMap<String, usize> = BTreeMap::new();
        for game in games {
            sum.add_game(game);
            let opponent = &game.review.players[(!game.side).index()];
            for mistake in own_mistakes(game) {
                sum.points += points(mistake);
                if mistake.kind.changes_result() {
                    *sum.by_kind.entry(mistake.kind.name()).or_default() += 1;
                    let row = mistake.turn.saturating_sub(1) / TURNS_PER_ROW * TURNS_PER_ROW + 1;
                    *sum.by_turn.entry(row).or_default() += 1;
                    *sum.against.entry(opponent.clone()).or_default() += 1;
                    *positions
                        .entry(class(game.review.game, mistake))
                        .or_default() += 1;
                }
                costly.push(Costly {
                    game: game.id.into(),
                    opponent: opponent.clone(),
                    mistake: mistake.clone(),
                });
            }
        }
        costly.sort_by_key(|costly| {
            (
                costly.mistake.kind.price(),
                std::cmp::Reverse(points(&costly.mistake)),
            )
        });
        costly.truncate(COSTLIEST);
        sum.costliest = costly;
        sum.repeated = positions
            .into_iter()
            .filter(|(_, count)| *count > 1)
            .collect();
        sum
    }

    fn add_game(&mut self, game: &Reviewed<'_>) {
        let Reviewed { review, side, .. } = *game;
        self.coverage.proven += review.coverage.proven;
        self.coverage.positions += review.coverage.positions;
        let won = |proof: Proof, mover: Side| {
            let value = match mover == side {
                true => proof.value,
                false => proof.value.for_opponent(),
            };
            value == Value::Win
        };
        let had_win = review.turns.iter().any(|judged| {
            let mover = judged.side.into();
            let before = judged.statement.proof();
            [before, judged.worth]
                .into_iter()
                .flatten()
                .any(|proof| won(proof, mover))
        });
        if had_win {
            self.won += 1;
            self.converted += usize::from(game.outcome == Some(Outcome::Win(side)));
        }
        let mut given = false;
        for mistake in review
            .mistakes
            .iter()
            .filter(|mistake| mistake.kind.changes_result())
        {
            let own = mistake.side() == side;
            if !own && mistake.worth.value == Value::Loss {
                self.given += 1;
                given = true;
            } else if own && given && mistake.best.value == Value::Win {
                self.given_back += 1;
                given = false;
            }
        }
    }

    /// `proven won 61, converted 47`.
    #[must_use]
    pub fn headline(&self) -> String {
        format!("proven won {}, converted {}", self.won, self.converted)
    }
}

/// The player's mistakes in a game, without slower wins.
fn own_mistakes<'a>(game: &Reviewed<'a>) -> impl Iterator<Item = &'a Mistake> {
    let side = game.side;
    let own = move |mistake: &&Mistake| mistake.side() == side;
    game.review.real_mistakes().filter(own)
}

/// The position of a mistake, as one of those that are symmetric to it.
fn class(game: GameName, mistake: &Mistake) -> String {
    let position = AnyPosition::parse(game, &mistake.position);
    position.map_or_else(
        |_| mistake.position.clone(),
        |position| Knowledge::key(&position),
    )
}

/// What a mistake cost in points, where that is known.
fn points(mistake: &Mistake) -> u32 {
    match (mistake.kind, mistake.best.margin, mistake.worth.margin) {
        (Kind::Slower(_), ..) => 0,
        (_, Some(best), Some(worth)) => best.abs_diff(worth),
        _ => 0,
    }
}
