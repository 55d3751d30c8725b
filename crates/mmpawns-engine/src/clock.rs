//! How much of the clock to spend on a move.

use std::time::Duration;

/// Seconds that are never spent on thinking, whatever happens.
const RESERVE: f64 = 0.4;

/// Seconds that a move costs beside its thinking: the program starts anew every time.
const START: f64 = 0.003;

/// Seconds that no move needs more of, however much a file may promise.
const MOST: f64 = 3600.0;

/// Processor time for one move, given the seconds left for the whole game and the number
/// of the ply to be made.
///
/// While the outcome is open each move takes a fixed share of what is left, so that the
/// early moves, where proofs are long, get most; a decided game costs next to nothing.
/// Never more than what is above the reserve, and a millisecond even below it.
#[must_use]
pub fn budget(seconds_left: f64, number: u32) -> Duration {
    let moves_left = f64::from((62u32.saturating_sub(number)) / 2).max(1.0);
    let spare = (seconds_left - RESERVE - moves_left * START).max(0.0);
    let share = spare / moves_left.min(6.0);
    Duration::from_secs_f64(share.clamp(0.001, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a whole game at full budget, with `overhead` seconds lost on every move.
    fn left_after(seconds: f64, overhead: f64) -> f64 {
        let numbers = (1..=60).step_by(2);
        numbers.fold(seconds, |left, number| {
            left - budget(left, number).as_secs_f64() - overhead
        })
    }

    #[test]
    fn the_reserve_stays() {
        for seconds in [30.0, 5.0, 1.0, 0.5] {
            for overhead in [0.0, 0.001, START] {
                let left = left_after(seconds, overhead);
                assert!(left >= 0.35, "{seconds} {overhead}: {left}");
            }
        }
        assert!(left_after(0.45, 0.002) > 0.3);
        assert!(left_after(30.0, 0.006) > 0.3);
        assert!(left_after(0.1, 0.002) > 0.0);
    }

    #[test]
    fn any_number_of_seconds_gives_a_time() {
        for seconds in [f64::MAX, f64::INFINITY] {
            assert_eq!(budget(seconds, 1), Duration::from_secs_f64(MOST));
        }
        for seconds in [f64::MIN, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(budget(seconds, 1), Duration::from_millis(1));
        }
    }

    #[test]
    fn most_is_spent_early() {
        let first = budget(30.0, 1).as_secs_f64();
        assert!((4.0..6.0).contains(&first), "{first}");
        assert!(budget(10.0, 41) < budget(30.0, 1));
        assert!(budget(0.1, 1) <= Duration::from_millis(1));
    }
}
