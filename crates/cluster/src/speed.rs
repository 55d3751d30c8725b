//! How fast a core is: the time that a fixed piece of work takes on it.
//!
//! Counted is processor time of the thread, the least of a few rounds: another program on the same
//! core takes turns away, but says nothing about how fast the core is. What it shares with others
//! (its clock, its caches, the other half of a physical core) does count.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// Machines are of the right speed up to this much more or less.
pub const TOLERANCE: f64 = 0.10;

/// Limits are scaled to half and to twice at most.
pub const MOST_SCALE: f64 = 2.0;

/// How often the work is done.
const ROUNDS: usize = 5;

/// The length of one round.
const STEPS: u32 = 200_000;

/// The time of the fixed work on the core of this thread, in seconds.
#[must_use]
pub fn measure() -> f64 {
    let mut table = vec![0u32; 1 << 15];
    let rounds = (0..ROUNDS).map(|_| {
        let start = own_time();
        std::hint::black_box(work(&mut table));
        own_time().saturating_sub(start).as_secs_f64()
    });
    rounds.fold(f64::INFINITY, f64::min)
}

/// The fixed work: arithmetic, branches that cannot be foreseen, and memory of the size of a cache.
fn work(table: &mut [u32]) -> u32 {
    let mask = table.len() - 1;
    let mut x = 0x9e37_79b9_u32;
    let mut sum = 0u32;
    for step in 0..STEPS {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        let place = x as usize & mask;
        if x & 4 == 0 {
            sum = sum.wrapping_add(table[place]).rotate_left(5);
        } else {
            table[place] = table[place].wrapping_mul(31).wrapping_add(step);
        }
    }
    sum
}

/// Processor time of this thread.
fn own_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// How fast a core is that takes so long, where 1 is the reference.
#[must_use]
pub fn speed(seconds: f64, reference: f64) -> f64 {
    match seconds > 0.0 && reference > 0.0 {
        true => reference / seconds,
        false => 1.0,
    }
}

/// Whether timed games may be played at this speed.
#[must_use]
pub fn is_right(speed: f64) -> bool {
    (speed - 1.0).abs() <= TOLERANCE
}

/// By how much limits are scaled at this speed, if that is allowed; nothing if it is too far off.
#[must_use]
pub fn scale(speed: f64) -> Option<f64> {
    let factor = 1.0 / speed;
    (1.0 / MOST_SCALE..=MOST_SCALE)
        .contains(&factor)
        .then_some(factor)
}

/// The middle one.
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_percent_more_or_less_is_right() {
        assert!(is_right(speed(1.0, 1.0)));
        assert!(is_right(speed(1.0, 1.09)));
        assert!(!is_right(speed(1.0, 1.12)));
        assert!(!is_right(speed(1.0, 0.88)));
        assert_eq!(scale(0.5), Some(2.0));
        assert_eq!(scale(0.4), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn the_work_takes_some_time() {
        let seconds = measure();
        assert!(seconds > 0.0 && seconds.is_finite());
        // Always the same work.
        assert_eq!(work(&mut vec![0; 1 << 15]), work(&mut vec![0; 1 << 15]));
    }
}
