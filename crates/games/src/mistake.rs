//! What a move gave away.

use search::Score;

use crate::Scale;

/// What a move gave away, beside the best move of its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// How bad it is.
    pub weight: Weight,
    /// Whether both scores are proven.
    pub proven: bool,
    /// What was lost: `win → draw`, `4.5`.
    pub words: String,
}

/// How bad a mistake is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// A mistake: `?`.
    Mistake,
    /// A blunder: `??`.
    Blunder,
}

impl Weight {
    /// How it is written beside a move.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Weight::Mistake => "?",
            Weight::Blunder => "??",
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Weight::Mistake => "mistake",
            Weight::Blunder => "blunder",
        }
    }
}

impl Mistake {
    /// How it is written beside a move: `?? win → draw`, `? −4.5`.
    #[must_use]
    pub fn text(&self) -> String {
        let minus = if self.words.starts_with(|c: char| c.is_ascii_digit()) {
            "−"
        } else {
            ""
        };
        format!("{} {minus}{}", self.weight.sign(), self.words)
    }
}

impl Scale {
    /// What a move gave away whose score is `played`, where the best move has the score `best`,
    /// both for the player who moves. A game that stays won or lost is no mistake, however long
    /// it takes now; a smaller margin is one.
    #[must_use]
    pub fn mistake(&self, best: Score, played: Score) -> Option<Mistake> {
        let proven = best.is_proven() && played.is_proven();
        let blunder = |words: String| {
            Some(Mistake {
                weight: Weight::Blunder,
                proven,
                words,
            })
        };
        if let (Some(could), Some(does)) = (best.sign(), played.sign())
            && could > does
        {
            return blunder(format!("{} → {}", name(could), name(does)));
        }
        match (best, played) {
            (Score::Estimate(_) | Score::Margin(_), Score::Estimate(_) | Score::Margin(_)) => {
                let points = best.value() - played.value();
                let weight = match points {
                    _ if points < self.mistake => return None,
                    _ if points < 3 * self.mistake => Weight::Mistake,
                    _ => Weight::Blunder,
                };
                Some(Mistake {
                    weight,
                    proven,
                    words: self.price(points),
                })
            }
            // Another move seemed to hold, and this one is known to lose.
            (Score::Estimate(points), Score::Loss(_)) if points > -3 * self.mistake => {
                blunder("loses".into())
            }
            _ => None,
        }
    }
}

fn name(sign: i32) -> &'static str {
    match sign {
        1 => "win",
        0 => "draw",
        _ => "loss",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::About;
    use search::Distance::{AtMost, Exactly, Unknown};
    use search::Score::{Draw, Estimate, Loss, Margin, Win};

    #[track_caller]
    fn check(scale: &Scale, best: Score, played: Score, expected: &str) {
        let found = scale.mistake(best, played);
        let found = found.map_or(String::new(), |m| {
            let sure = if m.proven { "!" } else { "" };
            format!("{} {}{sure}", m.weight.sign(), m.words)
        });
        assert_eq!(found, expected, "{best:?} {played:?}");
    }

    #[test]
    fn mistakes() {
        let scale = &About::new("").scale;
        // A game that stays won is no mistake.
        check(scale, Win(Exactly(3)), Win(Exactly(9)), "");
        check(scale, Win(Exactly(7)), Win(Unknown), "");
        check(scale, Win(AtMost(7)), Win(Exactly(33)), "");
        check(scale, Loss(Exactly(8)), Loss(Exactly(2)), "");
        check(scale, Draw, Draw, "");
        // A result that is thrown away.
        check(scale, Win(Unknown), Draw, "?? win → draw!");
        check(scale, Win(Exactly(5)), Loss(Exactly(2)), "?? win → loss!");
        check(scale, Draw, Loss(Unknown), "?? draw → loss!");
        // Nothing is known of the move, or of the position.
        check(scale, Win(Unknown), Estimate(-900), "");
        check(scale, Draw, Estimate(-900), "");
        check(scale, Estimate(-900), Loss(Exactly(4)), "");
        check(scale, Estimate(10), Loss(Exactly(4)), "?? loses");
        // By estimates.
        check(scale, Estimate(10), Estimate(0), "");
        check(scale, Estimate(20), Estimate(0), "? 20");
        check(scale, Estimate(20), Estimate(-40), "?? 60");
        check(scale, Estimate(20), Win(Unknown), "");
    }

    #[test]
    fn mistakes_in_discs() {
        let scale = &crate::REVERSI.about().scale;
        check(scale, Margin(10), Margin(8), "");
        check(scale, Margin(10), Margin(6), "? 4.0!");
        check(scale, Margin(30), Margin(6), "?? 24.0!");
        check(scale, Margin(2), Margin(0), "?? win → draw!");
        check(scale, Margin(2), Margin(-2), "?? win → loss!");
        check(scale, Margin(-2), Margin(-12), "?? 10.0!");
        check(scale, Margin(10), Estimate(550), "? 4.5");
        check(scale, Estimate(0), Margin(-10), "?? 10.0");
    }
}
