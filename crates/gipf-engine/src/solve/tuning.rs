//! All tuning constants of the solver: how provers share time and memory, and what they try
//! first. They change how long an answer takes, never which answer is found.

use std::time::Duration;

// The portfolio: turns, threads, time and memory.

/// Positions of the first turn of a fixed-point prover; those of the other provers follow from
/// it.
pub(crate) const FIRST_TURN: u64 = 100;

/// How much longer every turn is than the one before.
pub(crate) const TURN_GROWTH: u64 = 3;

/// Turns of so many positions are worth a thread of their own.
pub(crate) const WORTH_A_THREAD: u64 = 1_000;

/// Proof-number search expands so many positions for each of a fixed-point prover where its
/// first numbers are fitted, and elsewhere one for so many.
pub(crate) const FITTED_PROOF_SHARE: u64 = 8;
pub(crate) const PLAIN_PROOF_SHARE: u64 = 4;

/// In turns that are worth a thread, provers whose numbers are not fitted to the board do this part
/// of their turn beside those whose numbers are: where only one core is free, they slow those down.
/// These are the provers of wins beside a fitted fixed-point prover, and a fixed-point prover beside
/// fitted proof-number search.
pub(crate) const UNFITTED_WINS_SHARE: u64 = 8;
pub(crate) const UNFITTED_TIES_SHARE: u64 = 64;

/// Beside fitted proof-number search bounded search does this part of such a turn.
pub(crate) const BOUNDED_LONG_SHARE: u64 = 8;

/// Bounded search expands one position for each of a fixed-point prover on a board of this many
/// points squared, and more on larger ones: a fixed-point prover looks at all replies to all
/// moves.
pub(crate) const BOUNDED_POINTS_SQUARED: u64 = 150;

/// Time between two looks whether a turn on another thread is over.
pub(crate) const NAP: Duration = Duration::from_micros(200);

/// Positions of bounded search between two looks whether another prover has the answer. It begins
/// again at the root after each look, so at least one part in so many of its turn passes between
/// two.
pub(crate) const BOUNDED_LOOK: u64 = 10_000;
pub(crate) const BOUNDED_LOOKS_PER_TURN: u64 = 8;

/// The share of a time limit for work. The rest covers what cannot be interrupted: one
/// expansion, the growth of a table, and giving memory back.
pub(crate) const WORK_SHARE: f64 = 0.95;

/// Parts of the memory, in tenths: transposition table of bounded search, that of proof-number
/// search, fixed-point prover.
pub(crate) const MEMORY_TENTHS: [usize; 3] = [1, 1, 8];

/// Positions that a shared safe set expands between two looks at what others have found.
pub(crate) const TOGETHER_SLICE: u64 = 2_000;

// Bounded search.

/// Plies of the longest win that is looked for.
pub(crate) const LONGEST_WIN: u32 = 250;

// Proof-number search.

/// The first number of an even chance; others are larger or smaller by a root of the odds.
pub(crate) const EVEN_NUMBER: f64 = 64.0;
pub(crate) const ODDS_ROOT: f64 = 3.0;

/// The search goes back to the root after so many positions, and looks whether another prover has
/// the answer. Where play repeats positions, numbers on the path are soon out of date, and a search
/// that does not go back gets lost.
pub(crate) const PROOF_STRETCH: u64 = 500;

/// Log-odds beyond this count as this, in hundredths.
pub(crate) const MOST_LOG_ODDS: i32 = 1000;

/// Log-odds by the lead in [`material`], where nothing is fitted.
pub(crate) const LOG_ODDS_PER_STONE: i32 = 50;

/// The largest number that is not infinite.
pub(crate) const LARGEST_NUMBER: u32 = 1 << 29;

/// A child is searched beyond the second best by this part of its number.
pub(crate) const PROOF_SLACK: u32 = 2;

/// Plies from the root that are followed at most.
pub(crate) const DEEPEST_PROOF: u32 = 300;

// Move ordering.

/// What stones are worth in the order of moves: those in reserve count three times.
#[inline]
pub(crate) fn material(reserve: i32, on_board: i32) -> i32 {
    3 * reserve + on_board
}

/// The defender's own stones count twice in the order of bounded search and of the hashed
/// prover.
pub(crate) const DEFENDER_WEIGHT: i32 = 2;

// The indexed prover.

/// Risk limits: the defender first does without positions whose estimated risk of loss is above
/// the first, then above the second, then takes any.
pub(crate) const CAUTIOUS_RISK_LIMIT: i32 = 100;
pub(crate) const BOLD_RISK_LIMIT: i32 = 400;
pub(crate) const NO_RISK_LIMIT: i32 = i32::MAX;

/// The risk limit after one with which the defender loses.
pub(crate) const fn next_risk_limit(limit: i32) -> Option<i32> {
    match limit {
        CAUTIOUS_RISK_LIMIT => Some(BOLD_RISK_LIMIT),
        BOLD_RISK_LIMIT => Some(NO_RISK_LIMIT),
        _ => None,
    }
}

/// So many of the best replies are compared with the safe set by dominance before a position is
/// added to it.
pub(crate) const COMPARED_REPLIES: usize = 8;

/// So many replies are looked up at the same time: memory is not waited for one by one.
pub(crate) const LOOKED_UP_TOGETHER: usize = 8;

/// Stones that the attacker may have more, and the defender fewer, in a position of the safe set
/// that another one is compared with: those further apart are hardly ever safe.
pub(crate) const DOMINANCE_ATTACKER: u8 = 2;
pub(crate) const DOMINANCE_DEFENDER: u8 = 1;

/// The work queue: risks of one bucket, the least risk above the lowest bucket, and buckets.
pub(crate) const BUCKET_RISKS: i32 = 20;
pub(crate) const LOWEST_RISK: i32 = -800;
pub(crate) const RISK_BUCKETS: usize = 64;
