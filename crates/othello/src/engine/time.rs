//! Time management: the time of a move, and whether another iteration fits into it.

use std::time::Duration;

use search::{Clock, Limits};

use super::schedule::{Goal, Step};
use crate::Level;

/// Predicts from the iterations so far how long the next one will take.
#[derive(Default)]
pub(crate) struct Predictor {
    /// When the last step was finished.
    last: Duration,
    /// How long the last step took that looked for the value.
    value: f64,
    /// How long the last one took that looked only for the winner.
    winner: Option<f64>,
    /// How much longer a step to a value is than the one before it.
    growth: f64,
}

/// The share of a step after which its first move, the one that matters most, is known.
const FIRST_MOVE: f64 = 0.4;

impl Predictor {
    /// A step was finished at this time.
    pub(crate) fn finished(&mut self, now: Duration, step: Step) {
        let took = now.saturating_sub(self.last).as_secs_f64();
        self.last = now;
        match step.goal {
            Goal::Value => {
                // One odd step says little: steps to odd and even depths differ.
                let growth = took / self.value.max(1e-6);
                self.growth = (0.5 * self.growth + 0.5 * growth).clamp(1.3, 8.0);
                self.value = took;
            }
            Goal::WinLossDraw => self.winner = Some(took),
        }
    }

    /// How many seconds a step will take.
    fn seconds(&self, step: Step, empties: u32) -> f64 {
        let before = match step.goal {
            Goal::Value => self.value,
            Goal::WinLossDraw => self.winner.unwrap_or(self.value),
        };
        before * leap(step, empties).unwrap_or(self.growth)
    }

    /// Whether the next step is likely to find something before the time is up.
    pub(crate) fn worth_starting(&self, clock: Option<&Clock>, step: Step, empties: u32) -> bool {
        let Some(clock) = clock else {
            return true;
        };
        let next = self.seconds(step, empties);
        let elapsed = clock.elapsed().as_secs_f64();
        let Some(about) = clock.about() else {
            // Time that is left over is of no use later, and half a step may find a better move.
            return clock.left().is_none_or(|left| left > Duration::ZERO);
        };
        // Whichever is nearer to the time that is well spent: now, or after the step.
        if elapsed + next / 2.0 > about.as_secs_f64() {
            return false;
        }
        clock
            .left()
            .is_none_or(|left| left > Duration::ZERO && next * FIRST_MOVE <= left.as_secs_f64())
    }
}

/// The time of a step to the end of the game, divided by that of the last step with the same
/// goal, or of the last step of the midgame if there is none: of the mean times over positions
/// with 22 and 24 empty squares, measured before late moves were reduced. But to know for certain
/// who wins is what time is saved for: that step counts a quarter of what it takes, and may go on
/// until the limit.
fn leap(step: Step, empties: u32) -> Option<f64> {
    (step.depth == empties).then_some(match (step.goal, step.level) {
        (Goal::WinLossDraw, Level::FIRST) => 0.5,
        (Goal::WinLossDraw, Level::NEARLY_EXACT) => 6.5,
        (Goal::WinLossDraw, Level::EXACT) => 1.0,
        (Goal::WinLossDraw, _) => 4.0,
        (Goal::Value, Level::FIRST) => 10.0,
        (Goal::Value, _) => 25.0,
    })
}

/// How far a move may go beyond its time, so as not to break off what it has begun.
const LENIENCE: f64 = 3.0;

/// The time for one move of a game: `left` on the player's clock, with `empties` empty
/// squares. Most goes to the moves with which the end of the game is solved; after them
/// the answers are known and cost next to nothing.
#[must_use]
pub fn allot(left: Duration, empties: u32) -> Limits {
    let solving = solved_in(left / 2);
    let later = (1..=empties).rev().step_by(2);
    let all: f64 = later.map(|empties| weight(empties, solving)).sum();
    let share = weight(empties, solving) / all.max(f64::MIN_POSITIVE);
    let about = left.mul_f64(share.min(0.5));
    let wall = about.mul_f64(LENIENCE).min(left.mul_f64(0.7));
    Limits::default().with_about(about).with_wall(wall)
}

/// How much a move with so many empty squares matters beside the others, where the end is
/// solved from `solving` empty squares on.
fn weight(empties: u32, solving: f64) -> f64 {
    match f64::from(empties) - solving {
        6.0.. => 1.4,
        3.0.. => 2.0,
        -1.0.. => 4.0,
        -3.0.. => 0.5,
        -7.0.. => 0.1,
        _ => 0.02,
    }
}

/// The number of empty squares with which an end is solved in this time: a tenth of a
/// second for 20, twice as long for each one more.
fn solved_in(time: Duration) -> f64 {
    (20.0 + (time.as_secs_f64() / 0.1).max(f64::MIN_POSITIVE).log2()).clamp(12.0, 30.0)
}

#[cfg(test)]
mod tests {
    use search::{HeldTime, Time};

    use super::*;

    #[test]
    fn a_game_fits_into_its_time() {
        let mut left = Duration::from_secs(60);
        for empties in (1..=60).rev().step_by(2) {
            let limits = allot(left, empties);
            let (about, wall) = (
                limits.about.expect("a guide"),
                limits.wall.expect("a limit"),
            );
            assert!(
                about > Duration::ZERO && about <= wall,
                "{about:?} of {wall:?}"
            );
            // Even if every move takes all that it may, something is left for the next.
            assert!(wall < left, "{wall:?} of {left:?}");
            left -= wall;
        }
    }

    fn value(depth: u32) -> Step {
        Step {
            depth,
            level: Level::FIRST,
            goal: Goal::Value,
        }
    }

    fn winner(level: Level) -> Step {
        Step {
            level,
            goal: Goal::WinLossDraw,
            ..value(30)
        }
    }

    /// Whether another step is worth starting after steps that were finished at these seconds,
    /// on a clock that the test holds.
    fn worth(limits: Limits, steps: &[u64], empties: u32) -> bool {
        let time = HeldTime::new(Duration::ZERO);
        let clock = Clock::start(&Limits {
            time: Time::held(&time),
            ..limits
        });
        let mut predictor = Predictor::default();
        for &step in steps {
            let step = Duration::from_secs(step);
            time.advance(step - clock.elapsed());
            predictor.finished(step, value(8));
        }
        predictor.worth_starting(Some(&clock), value(9), empties)
    }

    fn wall(seconds: u64) -> Limits {
        Limits::default().with_wall(Duration::from_secs(seconds))
    }

    fn about(limits: Limits, seconds: u64) -> Limits {
        limits.with_about(Duration::from_secs(seconds))
    }

    #[test]
    fn a_step_that_cannot_fit_is_not_begun() {
        let limits = about(wall(30), 30);
        assert!(worth(limits.clone(), &[], 40));
        assert!(worth(limits.clone(), &[1, 2], 40));
        assert!(!worth(limits, &[2, 10], 40));
        assert!(worth(Limits::default(), &[50_000], 40));
    }

    #[test]
    fn the_first_move_of_a_step_must_be_known_in_time() {
        // The next step takes 3 s × 4.5; its first move is known after 5.4 s.
        assert!(worth(about(wall(12), 60), &[3, 6], 40));
        assert!(!worth(about(wall(11), 60), &[3, 6], 40));
    }

    #[test]
    fn time_for_one_move_alone_is_used_to_the_last() {
        assert!(worth(wall(11), &[1, 2, 10], 40));
        assert!(!worth(wall(10), &[1, 2, 10], 40));
        assert!(!worth(wall(0), &[], 40));
    }

    #[test]
    fn the_leap_to_the_end_is_seen_before_it_is_made() {
        let worth = |empties| worth(about(wall(6), 6), &[1, 2], empties);
        assert!(worth(40) && !worth(9));
    }

    #[test]
    fn a_step_is_compared_with_those_of_its_goal() {
        let mut predictor = Predictor::default();
        predictor.finished(Duration::from_secs(8), value(20));
        let seconds = |predictor: &Predictor, step| predictor.seconds(step, 30);
        assert_eq!(seconds(&predictor, winner(Level::FIRST)), 4.0);
        // A winner that is clear at once says nothing about the value.
        predictor.finished(Duration::from_secs(9), winner(Level::FIRST));
        assert_eq!(seconds(&predictor, winner(Level::SECOND)), 4.0);
        assert_eq!(seconds(&predictor, value(30)), 80.0);
    }

    #[test]
    fn a_step_may_go_a_little_over_the_time_that_is_well_spent() {
        // The next step takes 3 s × 4.5, and half of that counts.
        assert!(worth(about(wall(60), 13), &[3, 6], 40));
        assert!(!worth(about(wall(60), 12), &[3, 6], 40));
    }
}
