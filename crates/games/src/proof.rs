//! Proven statements about positions, and the provers that find them.

use std::fmt;
use std::str::FromStr;

use rules::{Evaluate, Game, Hashed, Symmetric};
use search::{AlphaBeta, Distance, Limits, Score};
use serde::{Deserialize, Serialize};

use crate::{AnyPosition, Definition};

/// How a game ends with best play of both, for the player to move; the better value is the
/// greater one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// The opponent can force a win.
    Loss,
    /// Neither side can.
    Draw,
    /// The player to move can.
    Win,
}

impl Value {
    /// The value of a finished game, from the sign of its result.
    #[must_use]
    pub const fn of(sign: i32) -> Value {
        match sign {
            1.. => Value::Win,
            0 => Value::Draw,
            _ => Value::Loss,
        }
    }

    /// The same game seen by the opponent.
    #[must_use]
    pub const fn for_opponent(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }

    /// 1, 0 or -1.
    #[must_use]
    pub const fn sign(self) -> i32 {
        self as i32 - 1
    }

    /// `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A proven statement about a position, for the player to move. Estimates are never proofs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// How the game ends.
    pub value: Value,
    /// By how much, where the game counts: the exact final difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
    /// In how many plies, where that is known: the winner hurries, the loser delays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
}

impl From<Value> for Proof {
    /// The value alone.
    fn from(value: Value) -> Proof {
        Proof {
            value,
            margin: None,
            distance: None,
        }
    }
}

impl Proof {
    /// An exact final difference.
    #[must_use]
    pub const fn with_margin(margin: i32) -> Proof {
        Proof {
            value: Value::of(margin),
            margin: Some(margin),
            distance: None,
        }
    }

    /// A value with its distance, if that is known; draws have none.
    #[must_use]
    pub fn with_distance(value: Value, distance: Option<u32>) -> Proof {
        Proof {
            distance: distance.filter(|_| value != Value::Draw),
            ..Proof::from(value)
        }
    }

    /// The proof that a score is, unless the score is an estimate. A distance that is not exact
    /// is no part of it.
    #[must_use]
    pub fn of(score: Score) -> Option<Proof> {
        let distance = match score {
            Score::Win(Distance::Exactly(plies)) | Score::Loss(Distance::Exactly(plies)) => {
                Some(plies)
            }
            _ => None,
        };
        match score {
            Score::Margin(margin) => Some(Proof::with_margin(margin)),
            score => Some(Proof::with_distance(Value::of(score.sign()?), distance)),
        }
    }

    /// The score that says the same.
    #[must_use]
    pub fn score(self) -> Score {
        let distance = self.distance.map_or(Distance::Unknown, Distance::Exactly);
        match (self.margin, self.value) {
            (Some(margin), _) => Score::Margin(margin),
            (None, Value::Win) => Score::Win(distance),
            (None, Value::Draw) => Score::Draw,
            (None, Value::Loss) => Score::Loss(distance),
        }
    }

    /// What a move is worth to the player who makes it, from the proof of the position after it.
    #[must_use]
    pub fn before(self) -> Proof {
        Proof {
            value: self.value.for_opponent(),
            margin: self.margin.map(|margin| -margin),
            distance: self.distance.map(|plies| plies + 1),
        }
    }

    /// Both statements about one position in one. They cannot contradict each other unless a
    /// prover is wrong.
    #[must_use]
    pub fn and(self, other: Proof) -> Proof {
        debug_assert_eq!(self.value, other.value, "two proofs of one position");
        Proof {
            value: self.value,
            margin: self.margin.or(other.margin),
            distance: self.distance.or(other.distance),
        }
    }

    /// Sorts better moves first: by value, by margin, quick wins and slow losses first.
    #[must_use]
    pub fn order(self) -> impl Ord {
        let hurry = match (self.value, self.distance) {
            (Value::Win, Some(plies)) => i64::from(plies),
            (Value::Loss, Some(plies)) => -i64::from(plies),
            (Value::Win, None) => i64::MAX,
            (Value::Loss, None) => i64::MIN,
            (Value::Draw, _) => 0,
        };
        (-self.value.sign(), -self.margin.unwrap_or(0), hurry)
    }
}

impl fmt::Display for Proof {
    /// `win by 6`, `loss in 4`, `draw`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.value.name())?;
        if self.value == Value::Draw {
            return Ok(());
        }
        if let Some(margin) = self.margin {
            write!(f, " by {}", margin.abs())?;
        }
        match self.distance {
            Some(plies @ 1..) => write!(f, " in {plies}"),
            _ => Ok(()),
        }
    }
}

impl FromStr for Proof {
    type Err = String;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Proof, String> {
        let bad =
            || format!("{text:?} is no worth, such as \"win by 6\", \"loss in 4\" or \"draw\"");
        let mut words = text.split_whitespace();
        let values = [Value::Win, Value::Draw, Value::Loss];
        let named = |word| values.into_iter().find(|value| value.name() == word);
        let mut proof = Proof::from(words.next().and_then(named).ok_or_else(bad)?);
        while let Some(word) = words.next() {
            let number = words.next().and_then(|number| number.parse::<u16>().ok());
            let number = number.ok_or_else(bad)?;
            match word {
                "by" => proof.margin = Some(i32::from(number) * proof.value.sign()),
                "in" => proof.distance = Some(number.into()),
                _ => return Err(bad()),
            }
        }
        Ok(proof)
    }
}

/// What provers may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Threads of all of them; at least one.
    pub threads: usize,
    /// Bytes of all of them.
    pub memory: usize,
}

/// A prover of one game. It keeps what it finds for later questions, so that positions of one
/// game are best asked of one prover.
pub trait Prover<G: Game>: Send {
    /// The strongest statement that is found within the limits. The game is not over.
    fn prove(&mut self, position: &G, limits: &Limits) -> Option<Proof>;

    /// Proves positions of one game together, and calls `found` with the number of each of them
    /// and its proof as soon as there is one. A prover for which that is no easier than one by
    /// one does nothing.
    fn prove_together(
        &mut self,
        _positions: &[&G],
        _limits: &Limits,
        _found: &mut (dyn FnMut(usize, Proof) + Send),
    ) {
    }

    /// A line of best play. Every move of it keeps a proven value; the line ends where that
    /// cannot be shown within the limits.
    fn line(&mut self, position: &G, limits: &Limits) -> Vec<G::Move> {
        best_line(self, position, limits)
    }
}

/// Plies of a line that is put together move by move.
const LONGEST_LINE: usize = 24;

/// A line of proven moves: the best of each position, as far as all better ones are excluded.
pub(crate) fn best_line<G: Game, P: Prover<G> + ?Sized>(
    prover: &mut P,
    position: &G,
    limits: &Limits,
) -> Vec<G::Move> {
    let mut clock = search::Clock::start(limits);
    let mut line = Vec::new();
    let mut at = position.clone();
    let Some(mut value) = judge(prover, &at, limits).map(|proof| proof.value) else {
        return line;
    };
    while line.len() < LONGEST_LINE && at.outcome().is_none() {
        let mut best: Option<(G::Move, Proof)> = None;
        for mv in at.moves() {
            if clock.check() {
                return line;
            }
            let mut next = at.clone();
            next.play_unchecked(mv);
            let Some(proof) = judge(prover, &next, &clock.rest()).map(Proof::before) else {
                continue;
            };
            let better = |(_, known): &(_, Proof)| proof.order() < known.order();
            if proof.value == value && best.as_ref().is_none_or(better) {
                best = Some((mv, proof));
                // Without distances any move that keeps the value is as good as another.
                if proof.distance.is_none() && proof.margin.is_none() {
                    break;
                }
            }
        }
        let Some((mv, _)) = best else { break };
        line.push(mv);
        at.play_unchecked(mv);
        value = value.for_opponent();
    }
    line
}

/// The proof of any position, over or not.
fn judge<G: Game, P: Prover<G> + ?Sized>(
    prover: &mut P,
    position: &G,
    limits: &Limits,
) -> Option<Proof> {
    match position.outcome() {
        Some(outcome) => Proof::of(Score::over(outcome, position.side_to_move())),
        None => prover.prove(position, limits),
    }
}

/// A prover of the game that it was built for; moves are texts.
pub trait AnyProver: Send {
    /// The strongest statement that is found within the limits; a finished game is proven.
    ///
    /// # Panics
    /// If the position is of another game than the prover was built for.
    fn prove(&mut self, position: &AnyPosition, limits: &Limits) -> Option<Proof>;

    /// Proves positions together, in which the game goes on; see [`Prover::prove_together`].
    ///
    /// # Panics
    /// If a position is of another game than the prover was built for.
    fn prove_together(
        &mut self,
        positions: &[&AnyPosition],
        limits: &Limits,
        found: &mut (dyn FnMut(usize, Proof) + Send),
    );

    /// A line of best play; see [`Prover::line`].
    ///
    /// # Panics
    /// If the position is of another game than the prover was built for.
    fn line(&mut self, position: &AnyPosition, limits: &Limits) -> Vec<String>;
}

/// A prover of the game that `D` defines.
pub(crate) struct TypedProver<D: Definition>(pub(crate) Box<dyn Prover<D::Position>>);

impl<D: Definition> TypedProver<D> {
    fn typed(position: &AnyPosition) -> &D::Position {
        position.downcast_ref().unwrap_or_else(|| {
            let (own, other) = (D::Position::NAME, position.game());
            panic!("a prover of {own} was asked about {other}")
        })
    }
}

impl<D: Definition> AnyProver for TypedProver<D> {
    fn prove(&mut self, position: &AnyPosition, limits: &Limits) -> Option<Proof> {
        let position = Self::typed(position);
        match position.outcome() {
            Some(outcome) => Proof::of(D::final_score(position, outcome)),
            None => self.0.prove(position, limits),
        }
    }

    fn prove_together(
        &mut self,
        positions: &[&AnyPosition],
        limits: &Limits,
        found: &mut (dyn FnMut(usize, Proof) + Send),
    ) {
        let typed: Vec<&D::Position> = positions.iter().map(|at| Self::typed(at)).collect();
        self.0.prove_together(&typed, limits, found);
    }

    fn line(&mut self, position: &AnyPosition, limits: &Limits) -> Vec<String> {
        let position = Self::typed(position);
        let mut at = position.clone();
        let mut texts = Vec::new();
        for mv in self.0.line(position, limits) {
            texts.push(at.move_text(mv));
            at.play_unchecked(mv);
        }
        texts
    }
}

/// The prover of games that bring none: search until a value is proven.
pub(crate) struct Searching<G: Hashed + Evaluate>(AlphaBeta<G>);

impl<G: Hashed + Evaluate> Searching<G> {
    pub(crate) fn new() -> Searching<G> {
        Searching(AlphaBeta::new())
    }
}

impl<G: Hashed + Evaluate> Prover<G> for Searching<G> {
    fn prove(&mut self, position: &G, limits: &Limits) -> Option<Proof> {
        Proof::of(self.0.search(position, limits).score)
    }
}

/// The first of all views of a position, by their texts.
pub(crate) fn first_view<G: Symmetric>(position: &G) -> G {
    let views = (0..position.symmetries()).map(|index| position.transform(index));
    views
        .min_by_key(ToString::to_string)
        .unwrap_or_else(|| position.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_are_written_in_words() {
        for (proof, words) in [
            (Proof::with_margin(6), "win by 6"),
            (Proof::with_margin(-2), "loss by 2"),
            (Proof::with_margin(0), "draw"),
            (Proof::with_distance(Value::Loss, Some(4)), "loss in 4"),
            (Proof::with_distance(Value::Win, None), "win"),
            (Proof::with_distance(Value::Draw, Some(3)), "draw"),
            (Proof::with_distance(Value::Loss, Some(0)), "loss"),
        ] {
            assert_eq!(proof.to_string(), words);
            assert_eq!(Proof::of(proof.score()), Some(proof));
            let read: Proof = words.parse().unwrap();
            assert_eq!((read.value, read.to_string()), (proof.value, words.into()));
        }
        assert_eq!("loss by 2".parse(), Ok(Proof::with_margin(-2)));
        for words in ["", "tie", "win by", "win by six", "win 6", "win by -6"] {
            assert!(words.parse::<Proof>().is_err(), "{words}");
        }
    }

    #[test]
    fn better_moves_come_first() {
        let mut proofs = [
            Proof::with_distance(Value::Loss, Some(2)),
            Proof::from(Value::Draw),
            Proof::with_distance(Value::Win, Some(5)),
            Proof::with_distance(Value::Loss, Some(8)),
            Proof::with_distance(Value::Win, Some(1)),
            Proof::from(Value::Win),
        ];
        proofs.sort_by_key(|proof| proof.order());
        let words: Vec<String> = proofs.iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            [
                "win in 1",
                "win in 5",
                "win",
                "draw",
                "loss in 8",
                "loss in 2"
            ]
        );
    }

    #[test]
    fn a_move_is_worth_what_the_opponent_gets() {
        let after = Proof::with_distance(Value::Loss, Some(4));
        assert_eq!(after.before().to_string(), "win in 5");
        assert_eq!(Proof::with_margin(-6).before(), Proof::with_margin(6));
    }
}
