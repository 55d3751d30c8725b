//! How much of the clock to spend on a move.

use std::time::Duration;

/// Seconds that are never spent, whatever happens.
const RESERVE: f64 = 0.35;

/// Processor time for one move, given the seconds left for the whole game and the number
/// of the half-move to be made.
///
/// While the outcome is open each move takes a fixed share of what is left, so that the
/// early moves, where proofs are long, get most; a decided game costs next to nothing.
/// Never more than what is above the reserve, and a few milliseconds even below it.
#[must_use]
pub fn budget(seconds_left: f64, number: u32) -> Duration {
    let moves_left = f64::from((62u32.saturating_sub(number)) / 2).max(1.0);
    let spare = (seconds_left - RESERVE).max(0.0);
    let share = spare / moves_left.min(6.0);
    // Below the reserve: a hundredth, which lasts for thirty moves.
    Duration::from_secs_f64(share.max(seconds_left.max(0.0) / 100.0).max(0.001))
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
            assert!(left_after(seconds, 0.0) >= 0.2, "{seconds}");
        }
        assert!(left_after(30.0, 0.005) > 0.1);
        assert!(left_after(0.1, 0.001) > 0.0);
    }

    #[test]
    fn most_is_spent_early() {
        let first = budget(30.0, 1).as_secs_f64();
        assert!((4.0..6.0).contains(&first), "{first}");
        assert!(budget(10.0, 41) < budget(30.0, 1));
        assert!(budget(0.1, 1) <= Duration::from_millis(1));
    }
}
