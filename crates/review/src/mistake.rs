//! Proven mistakes: moves after which a position is worth less than before.

use std::cmp::Reverse;
use std::fmt;

use games::{Proof, Value};
use referee::{Seat, Seconds};
use rules::Side;
use serde::{Deserialize, Serialize};

/// What a mistake gave away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "amount", rename_all = "kebab-case")]
pub enum Kind {
    /// A won position was lost.
    WinToLoss,
    /// A won position became a draw.
    WinToDraw,
    /// A drawn position was lost.
    DrawToLoss,
    /// The result stays, the final difference is worse by so much.
    Margin(u32),
    /// The win stays, and takes so many plies more.
    Slower(u32),
}

impl Kind {
    /// What lies between a proven position and the proven move that was played in it, both for
    /// the same player; `None` if the move kept everything that is known. (A turn that was lost
    /// by a fault is no legal move, and may even be better than all of them.)
    #[must_use]
    pub fn between(position: Proof, played: Proof) -> Option<Kind> {
        match (position.value, played.value) {
            (Value::Win, Value::Loss) => Some(Kind::WinToLoss),
            (Value::Win, Value::Draw) => Some(Kind::WinToDraw),
            (Value::Draw, Value::Loss) => Some(Kind::DrawToLoss),
            _ => {
                let margin = less(position.margin, played.margin).map(Kind::Margin);
                let quick = [played, position].map(|proof| proof.distance.map(|n| n as i32));
                let slower = less(quick[0], quick[1]).map(Kind::Slower);
                margin.or(slower.filter(|_| position.value == Value::Win))
            }
        }
    }

    /// Whether the result of the game changed with best play.
    #[must_use]
    pub fn changes_result(self) -> bool {
        matches!(self, Kind::WinToLoss | Kind::WinToDraw | Kind::DrawToLoss)
    }

    /// Sorts the most expensive first.
    #[must_use]
    pub fn price(self) -> impl Ord {
        Reverse(match self {
            Kind::WinToLoss => (3, 0),
            Kind::WinToDraw | Kind::DrawToLoss => (2, 0),
            Kind::Margin(points) => (1, points),
            Kind::Slower(plies) => (0, plies),
        })
    }

    /// The name in tables and files: `win-to-loss`, `margin`, …
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::WinToLoss => "win-to-loss",
            Kind::WinToDraw => "win-to-draw",
            Kind::DrawToLoss => "draw-to-loss",
            Kind::Margin(_) => "margin",
            Kind::Slower(_) => "slower",
        }
    }
}

impl Kind {
    /// The words for a [name](Kind::name): `win → loss`.
    #[must_use]
    pub fn words(name: &str) -> String {
        let kinds = [Kind::WinToLoss, Kind::WinToDraw, Kind::DrawToLoss];
        let known = kinds.into_iter().find(|kind| kind.name() == name);
        known.map_or_else(|| name.to_string(), |kind| kind.to_string())
    }
}

/// By how much the second is less than the first, if both are known and it is.
fn less(best: Option<i32>, played: Option<i32>) -> Option<u32> {
    let difference = best?.checked_sub(played?)?;
    u32::try_from(difference).ok().filter(|&less| less > 0)
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::WinToLoss => f.pad("win → loss"),
            Kind::WinToDraw => f.pad("win → draw"),
            Kind::DrawToLoss => f.pad("draw → loss"),
            Kind::Margin(points) => f.pad(&format!("{points} thrown away")),
            Kind::Slower(plies) => f.pad(&format!("{plies} plies slower")),
        }
    }
}

/// A move and what it is proven to be worth to the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveWorth {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its worth.
    #[serde(flatten)]
    pub proof: Proof,
}

impl MoveWorth {
    /// `g8 (win by 6), h2 (win by 2)`.
    #[must_use]
    pub fn list(moves: &[MoveWorth]) -> String {
        let words = moves
            .iter()
            .map(|MoveWorth { mv, proof }| format!("{mv} ({proof})"));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A proven mistake.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mistake {
    /// Which of the turns of the game, from 0.
    pub index: usize,
    /// The number of the turn in the record, from 1.
    pub turn: u32,
    /// Who made it.
    pub side: Seat,
    /// The name of the player.
    pub player: String,
    /// The position.
    pub position: String,
    /// The move, or what happened instead of one.
    pub played: String,
    /// Whether a fault cost the turn or the game.
    pub is_fault: bool,
    /// What it gave away.
    #[serde(flatten)]
    pub kind: Kind,
    /// What the position was worth to the player.
    pub best: Proof,
    /// What the move was worth to the player.
    pub worth: Proof,
    /// The moves that kept the result, or the margin where only that was at stake; the best
    /// first.
    pub kept: Vec<MoveWorth>,
    /// Other moves whose worth is proven.
    pub worse: Vec<MoveWorth>,
    /// Moves that nothing is proven of.
    pub open: Vec<String>,
    /// How the opponent makes use of it: best play after the move, as far as it is proven.
    pub refutation: Vec<String>,
    /// Seconds that the player took.
    pub took: Option<Seconds>,
    /// Seconds that the player had left for the game.
    pub left: Option<Seconds>,
    /// Whether the player is a program that can be asked again.
    pub is_program: bool,
}

impl Mistake {
    /// Whether it cost anything but time: a win that was only made slower did not.
    #[must_use]
    pub fn is_real(&self) -> bool {
        !matches!(self.kind, Kind::Slower(_))
    }

    /// Whether a move of this worth keeps what the mistake gave away.
    #[must_use]
    pub fn is_kept_by(&self, worth: Proof) -> bool {
        match self.kind {
            Kind::Margin(_) => worth.margin == self.best.margin,
            Kind::Slower(_) => worth.value == Value::Win && worth.distance == self.best.distance,
            _ => worth.value == self.best.value,
        }
    }

    /// What every move that keeps it is worth: the result alone where that was given away.
    #[must_use]
    pub fn at_stake(&self) -> Proof {
        match self.kind {
            Kind::Margin(_) | Kind::Slower(_) => self.best,
            Kind::WinToLoss | Kind::WinToDraw | Kind::DrawToLoss => self.best.value.into(),
        }
    }

    /// Who made it.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(position: Proof, played: Proof, expected: Option<Kind>) {
        assert_eq!(Kind::between(position, played), expected);
    }

    #[test]
    fn mistakes_have_kinds() {
        let in_plies = |value, plies| Proof::with_distance(value, Some(plies));
        let margin = Proof::with_margin;
        check(margin(6), margin(-2), Some(Kind::WinToLoss));
        check(margin(6), margin(0), Some(Kind::WinToDraw));
        check(margin(0), margin(-2), Some(Kind::DrawToLoss));
        check(margin(6), margin(2), Some(Kind::Margin(4)));
        check(margin(-6), margin(-8), Some(Kind::Margin(2)));
        check(margin(6), margin(6), None);
        check(
            in_plies(Value::Win, 3),
            in_plies(Value::Win, 7),
            Some(Kind::Slower(4)),
        );
        check(in_plies(Value::Loss, 6), in_plies(Value::Loss, 2), None);
        check(Value::Win.into(), in_plies(Value::Win, 7), None);
        check(Value::Draw.into(), Value::Draw.into(), None);
    }
}
