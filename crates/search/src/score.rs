//! What a position is worth.

use std::fmt;
use std::ops::Neg;

use rules::{Outcome, Side, WIN};

use crate::PROVEN;

/// What a position is worth to the player to move, and whether that is proven.
///
/// Searches compute with integers on the scale of [`WIN`]; what leaves an engine is a score.
///
/// ```
/// use search::{Distance, Score};
///
/// let lost = Score::Loss(Distance::Exactly(4));
/// assert_eq!(lost.before_move(), Score::Win(Distance::Exactly(5)));
/// assert!(lost.before_move().value() > Score::Estimate(300).value());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Score {
    /// Not proven: points of the game's evaluation. Where games end with a margin,
    /// [`UNIT`](Score::UNIT) points are one of it.
    Estimate(i32),
    /// Proven: the margin at the end of the game with best play, such as the difference of
    /// discs. It is negative if the player to move loses; 0 is a draw.
    Margin(i32),
    /// Proven: the player to move wins.
    Win(Distance),
    /// Proven: neither side can force a win.
    Draw,
    /// Proven: the player to move loses.
    Loss(Distance),
}

/// How far away the end of a decided game is: plies until it is over, while the winner hurries
/// and the loser delays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Distance {
    /// So many plies.
    Exactly(u32),
    /// So many plies or fewer: the winner may have a shorter way.
    AtMost(u32),
    /// Proven without a distance.
    Unknown,
}

impl Distance {
    /// A distance that is so many plies at most. A game that is not over lasts a ply at least.
    #[must_use]
    pub const fn at_most(plies: u32) -> Distance {
        match plies {
            0 | 1 => Distance::Exactly(plies),
            _ => Distance::AtMost(plies),
        }
    }

    /// The plies, or the most of them; `None` if the distance is unknown.
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        match self {
            Distance::Exactly(plies) | Distance::AtMost(plies) => Some(plies),
            Distance::Unknown => None,
        }
    }

    /// The distance one ply earlier.
    const fn before_move(self) -> Distance {
        match self {
            Distance::Exactly(plies) => Distance::Exactly(plies + 1),
            Distance::AtMost(plies) => Distance::AtMost(plies + 1),
            Distance::Unknown => Distance::Unknown,
        }
    }

    /// What a win at this distance counts on the scale of [`WIN`]. An unknown distance counts
    /// as farther than any other.
    fn value(self) -> i32 {
        let plies = self.plies().map_or(i32::MAX, |plies| plies as i32);
        WIN - plies.min(WIN - PROVEN)
    }
}

impl Score {
    /// Points of an estimate that count as one of a margin: estimates are in hundredths of a disc.
    pub const UNIT: i32 = 100;

    /// An estimate of a margin.
    #[must_use]
    pub const fn estimated_margin(margin: i32) -> Score {
        Score::Estimate(margin * Score::UNIT)
    }

    /// The score of a finished game for the player whose turn it would be.
    #[must_use]
    pub fn over(outcome: Outcome, to_move: Side) -> Score {
        match outcome.sign_for(to_move) {
            0 => Score::Draw,
            sign if sign > 0 => Score::Win(Distance::Exactly(0)),
            _ => Score::Loss(Distance::Exactly(0)),
        }
    }

    /// The score of a won or lost position that a search of `depth` plies valued so on the
    /// scale of [`WIN`]; `None` if the value does not decide the game.
    ///
    /// A search that looks at every move of `depth` plies, and has seen no end of the game at
    /// any smaller depth, finds the shortest win if it has no more than `depth` plies. A longer
    /// one comes from knowledge of another kind, and may have a shorter one beside it.
    #[must_use]
    pub fn decided(value: i32, depth: u32) -> Option<Score> {
        debug_assert!(value.abs() <= WIN, "{value} is off the scale");
        if value.abs() < PROVEN {
            return None;
        }
        let plies = (WIN - value.abs()) as u32;
        let distance = match plies {
            _ if value.abs() == PROVEN => Distance::Unknown,
            plies if plies <= depth => Distance::Exactly(plies),
            plies => Distance::at_most(plies),
        };
        Some(match value > 0 {
            true => Score::Win(distance),
            false => Score::Loss(distance),
        })
    }

    /// The score of a value on the scale of [`WIN`] of which nothing else is known.
    #[must_use]
    pub fn claimed(value: i32) -> Score {
        Score::decided(value, 0).unwrap_or(Score::Estimate(value))
    }

    /// The score of a position from those of all its moves, for the player who makes them;
    /// `None` if it does not follow, because a move without a proof may be better.
    pub fn of_moves(moves: impl IntoIterator<Item = Option<Score>>) -> Option<Score> {
        let moves = moves
            .into_iter()
            .map(|score| score.filter(|score| score.is_proven()));
        let moves: Vec<Option<Score>> = moves.collect();
        let unproven = moves.contains(&None);
        let proven = || moves.iter().copied().flatten();
        let sooner = || proven().any(|score| score.sign() == Some(1) && !score.is_exact());
        match proven().max_by_key(|score| (score.value(), score.is_exact()))? {
            Score::Win(Distance::Exactly(plies)) if unproven || sooner() => {
                Some(Score::Win(Distance::at_most(plies)))
            }
            Score::Win(distance) => Some(Score::Win(distance)),
            best => (!unproven).then_some(best),
        }
    }

    /// The score on the scale of [`WIN`], by which scores are compared: proven losses, the
    /// soonest first; then estimates, margins and draws; then proven wins, the soonest last.
    #[must_use]
    pub fn value(self) -> i32 {
        match self {
            Score::Estimate(points) => points,
            Score::Margin(margin) => margin * Score::UNIT,
            Score::Win(distance) => distance.value(),
            Score::Draw => 0,
            Score::Loss(distance) => -distance.value(),
        }
    }

    /// Who wins, as far as that is proven: 1 for the player to move, 0 for nobody, −1 for the
    /// opponent.
    #[must_use]
    pub const fn sign(self) -> Option<i32> {
        match self {
            Score::Estimate(_) => None,
            Score::Margin(margin) => Some(margin.signum()),
            Score::Win(_) => Some(1),
            Score::Draw => Some(0),
            Score::Loss(_) => Some(-1),
        }
    }

    /// Whether it is proven rather than estimated.
    #[must_use]
    pub const fn is_proven(self) -> bool {
        !matches!(self, Score::Estimate(_))
    }

    /// Whether nothing can be added: it is proven, and its distance is exact.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        match self {
            Score::Estimate(_) => false,
            Score::Margin(_) | Score::Draw => true,
            Score::Win(distance) | Score::Loss(distance) => {
                matches!(distance, Distance::Exactly(_))
            }
        }
    }

    /// The score of a move that leads to a position of this score, for the player who makes
    /// the move: the end of the game is one ply farther away.
    #[must_use]
    pub fn before_move(self) -> Score {
        match -self {
            Score::Win(distance) => Score::Win(distance.before_move()),
            Score::Loss(distance) => Score::Loss(distance.before_move()),
            other => other,
        }
    }
}

/// The same position as the opponent sees it.
impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        match self {
            Score::Estimate(points) => Score::Estimate(-points),
            Score::Margin(margin) => Score::Margin(-margin),
            Score::Win(distance) => Score::Loss(distance),
            Score::Draw => Score::Draw,
            Score::Loss(distance) => Score::Win(distance),
        }
    }
}

/// In words: `wins in 3`, `loses in at most 8`, `wins by 4`, `draw`, `+35`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Estimate(points) => write!(f, "{points:+}"),
            Score::Margin(margin @ 1..) => write!(f, "wins by {margin}"),
            Score::Margin(margin @ ..0) => write!(f, "loses by {}", -margin),
            Score::Win(distance) => write!(f, "wins{distance}"),
            Score::Margin(0) | Score::Draw => f.write_str("draw"),
            Score::Loss(distance) => write!(f, "loses{distance}"),
        }
    }
}

/// As it follows a verb: ` in 3`, ` in at most 8`, or nothing.
impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Distance::Exactly(plies) => write!(f, " in {plies}"),
            Distance::AtMost(plies) => write!(f, " in at most {plies}"),
            Distance::Unknown => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Distance::{AtMost, Exactly, Unknown};
    use Score::{Draw, Estimate, Loss, Margin, Win};

    #[test]
    fn scores_in_order() {
        let order = [
            Loss(Exactly(0)),
            Loss(Exactly(1)),
            Loss(AtMost(7)),
            Loss(Exactly(8)),
            Loss(Unknown),
            Estimate(-6_500),
            Margin(-64),
            Estimate(-1),
            Draw,
            Estimate(99),
            Margin(1),
            Estimate(101),
            Win(Unknown),
            Win(AtMost(8)),
            Win(Exactly(7)),
            Win(Exactly(0)),
        ];
        assert!(order.is_sorted_by(|a, b| a.value() < b.value()));
        assert!(
            order.is_sorted_by(|a, b| (-*a).value() > (-*b).value()),
            "the opponent's order is the reverse"
        );
        for same in [Draw, Estimate(0), Margin(0)] {
            assert_eq!(same.value(), 0);
        }
    }

    #[test]
    fn negation_and_moves() {
        // The score of a position, the same for the opponent, and that of a move into it.
        let table = [
            (Estimate(35), Estimate(-35), Estimate(-35)),
            (Margin(-4), Margin(4), Margin(4)),
            (Draw, Draw, Draw),
            (Loss(Exactly(0)), Win(Exactly(0)), Win(Exactly(1))),
            (Loss(Exactly(2)), Win(Exactly(2)), Win(Exactly(3))),
            (Win(AtMost(5)), Loss(AtMost(5)), Loss(AtMost(6))),
            (Win(Unknown), Loss(Unknown), Loss(Unknown)),
        ];
        for (score, negated, of_move) in table {
            assert_eq!(-score, negated);
            assert_eq!(-negated, score);
            assert_eq!(score.before_move(), of_move);
            assert_eq!(score.is_proven(), score.sign().is_some());
            assert_eq!(negated.sign(), score.sign().map(|sign| -sign));
        }
    }

    #[test]
    fn values_of_searches() {
        let table = [
            (WIN - 3, 3, Some(Win(Exactly(3)))),
            (WIN - 3, 5, Some(Win(Exactly(3)))),
            (WIN - 9, 5, Some(Win(AtMost(9)))),
            (WIN - 1, 0, Some(Win(Exactly(1)))),
            (4 - WIN, 4, Some(Loss(Exactly(4)))),
            (4 - WIN, 1, Some(Loss(AtMost(4)))),
            (PROVEN, 1, Some(Win(Unknown))),
            (-PROVEN, 1, Some(Loss(Unknown))),
            (PROVEN - 1, 9, None),
            (0, 9, None),
        ];
        for (value, depth, expected) in table {
            assert_eq!(Score::decided(value, depth), expected, "{value} at {depth}");
            if let Some(score) = expected {
                assert_eq!(score.value(), value);
            }
        }
        assert_eq!(Score::claimed(-25), Estimate(-25));
        assert_eq!(Score::claimed(WIN - 6), Win(AtMost(6)));
        assert_eq!(Score::estimated_margin(-4).value(), Margin(-4).value());
    }

    #[test]
    fn finished_games() {
        let table = [
            (Outcome::Win(Side::First), Win(Exactly(0))),
            (Outcome::Win(Side::Second), Loss(Exactly(0))),
            (Outcome::Draw, Draw),
        ];
        for (outcome, score) in table {
            assert_eq!(Score::over(outcome, Side::First), score);
            assert_eq!(Score::over(outcome, Side::Second), -score);
        }
    }

    #[test]
    fn positions_from_moves() {
        let table: [(&[Option<Score>], Option<Score>); 12] = [
            (&[], None),
            (&[None], None),
            (&[Some(Estimate(50)), Some(Draw)], None),
            (&[Some(Draw), Some(Loss(Unknown))], Some(Draw)),
            (&[Some(Margin(-2)), Some(Margin(-6))], Some(Margin(-2))),
            (
                &[
                    Some(Win(Exactly(3))),
                    Some(Win(Exactly(5))),
                    Some(Loss(Unknown)),
                ],
                Some(Win(Exactly(3))),
            ),
            (&[Some(Win(Exactly(3))), None], Some(Win(AtMost(3)))),
            (&[Some(Win(Exactly(1))), None], Some(Win(Exactly(1)))),
            (
                &[Some(Win(Exactly(3))), Some(Win(Unknown))],
                Some(Win(AtMost(3))),
            ),
            (
                &[Some(Loss(Exactly(4))), Some(Loss(AtMost(4)))],
                Some(Loss(Exactly(4))),
            ),
            (
                &[Some(Loss(Exactly(4))), Some(Loss(AtMost(6)))],
                Some(Loss(AtMost(6))),
            ),
            (
                &[Some(Loss(Exactly(4))), Some(Loss(Unknown))],
                Some(Loss(Unknown)),
            ),
        ];
        for (moves, expected) in table {
            assert_eq!(
                Score::of_moves(moves.iter().copied()),
                expected,
                "{moves:?}"
            );
        }
    }

    #[test]
    fn words() {
        let table = [
            (Estimate(35), "+35"),
            (Estimate(-7), "-7"),
            (Estimate(0), "+0"),
            (Margin(4), "wins by 4"),
            (Margin(-12), "loses by 12"),
            (Margin(0), "draw"),
            (Draw, "draw"),
            (Win(Exactly(3)), "wins in 3"),
            (Win(AtMost(9)), "wins in at most 9"),
            (Win(Unknown), "wins"),
            (Loss(Exactly(12)), "loses in 12"),
        ];
        for (score, words) in table {
            assert_eq!(score.to_string(), words);
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn json() {
        let table = [
            (Estimate(-35), r#"{"estimate":-35}"#),
            (Margin(4), r#"{"margin":4}"#),
            (Draw, r#""draw""#),
            (Win(Exactly(3)), r#"{"win":{"exactly":3}}"#),
            (Win(AtMost(9)), r#"{"win":{"at_most":9}}"#),
            (Loss(Unknown), r#"{"loss":"unknown"}"#),
        ];
        for (score, text) in table {
            assert_eq!(serde_json::to_string(&score).unwrap(), text);
            assert_eq!(serde_json::from_str::<Score>(text).unwrap(), score);
        }
    }
}
