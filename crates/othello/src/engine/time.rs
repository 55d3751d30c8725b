//! Time: how much a move gets, and whether another step fits into it.

use std::time::Duration;

use search::Clock;

/// Tells from the steps so far how long the next one will take.
#[derive(Default)]
pub(crate) struct Predictor {
    /// When the last step was finished.
    last: Duration,
    /// How long it took.
    step: Duration,
    /// How much longer than the one before it.
    growth: f64,
}

/// The share of a step after which its first move, the one that matters most, is known.
const FIRST_MOVE: f64 = 0.4;

impl Predictor {
    /// A step was finished at this time.
    pub(crate) fn finished(&mut self, now: Duration) {
        let step = now.saturating_sub(self.last);
        let growth = step.as_secs_f64() / self.step.as_secs_f64().max(1e-6);
        // One odd step says little: steps to odd and even depths differ.
        self.growth = (0.5 * self.growth + 0.5 * growth).clamp(1.3, 8.0);
        (self.last, self.step) = (now, step);
    }

    /// Whether the next step is likely to tell something before the time is up.
    pub(crate) fn worth_starting(&self, clock: Option<&Clock>) -> bool {
        let Some((used, elapsed)) = clock.and_then(|c| Some((c.used()?, c.elapsed()))) else {
            return true;
        };
        if used >= 1.0 {
            return false;
        }
        let left = elapsed.as_secs_f64() * (1.0 - used) / used.max(f64::MIN_POSITIVE);
        self.step.as_secs_f64() * self.growth * FIRST_MOVE <= left
    }
}

/// The time for one move of a game: `left` on the player's clock, with `empties` empty
/// squares. Most goes to the moves with which the end of the game is solved; after them
/// the answers are known and cost next to nothing.
#[must_use]
pub fn allot(left: Duration, empties: u32) -> Duration {
    let solving = solved_in(left.mul_f64(0.3));
    let later = (1..=empties).rev().step_by(2);
    let all: f64 = later.map(|empties| weight(empties, solving)).sum();
    let share = weight(empties, solving) / all.max(f64::MIN_POSITIVE);
    left.mul_f64(share.min(0.5))
}

/// How much a move with so many empty squares matters beside the others, where the end is
/// solved from `solving` empty squares on.
fn weight(empties: u32, solving: f64) -> f64 {
    match f64::from(empties) - solving {
        6.0.. => 1.0,
        3.0.. => 1.5,
        -1.0.. => 4.0,
        -3.0.. => 2.0,
        -7.0.. => 0.5,
        _ => 0.05,
    }
}

/// The number of empty squares with which an end is solved in this time: a tenth of a
/// second for 20, twice as long for each one more.
fn solved_in(time: Duration) -> f64 {
    (20.0 + (time.as_secs_f64() / 0.1).max(f64::MIN_POSITIVE).log2()).clamp(12.0, 30.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Limits;

    #[test]
    fn a_game_fits_into_its_time() {
        let mut left = Duration::from_secs(60);
        for empties in (1..=60).rev().step_by(2) {
            let time = allot(left, empties);
            assert!(time > Duration::ZERO && time < left, "{time:?} of {left:?}");
            left -= time;
        }
    }

    #[test]
    fn a_step_that_cannot_fit_is_not_begun() {
        let clock = Clock::start(&Limits::default().with_wall(Duration::from_secs(10)));
        let mut predictor = Predictor::default();
        assert!(predictor.worth_starting(Some(&clock)));
        predictor.finished(Duration::from_secs(1));
        predictor.finished(Duration::from_secs(2));
        assert!(predictor.worth_starting(Some(&clock)));
        predictor.finished(Duration::from_secs(50));
        assert!(!predictor.worth_starting(Some(&clock)));
        let unlimited = Clock::start(&Limits::default());
        assert!(predictor.worth_starting(Some(&unlimited)));
    }
}
