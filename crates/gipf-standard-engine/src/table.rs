//! Keys and answers of the player's transposition table: what draws do to them.

use gipf_standard::{DrawLimit, Position};
use rules::{Hashed, WIN};
use search::successors::NumberedEntry;
use search::{PROVEN, answers, from_table};

/// Plies before the draw from which on the count is part of a key.
const NEAR_DRAW: i32 = 24;

/// The key of a position: all that its value depends on. The plies without a capture are part
/// of it only near the draw; [`usable`] sees to it that a win further ahead comes before the draw.
#[inline]
pub(crate) fn key(position: &Position) -> u64 {
    if plies_to_draw(position) > NEAR_DRAW {
        position.never_drawn().hash()
    } else {
        position.hash()
    }
}

/// Plies without a capture until the game is drawn.
#[inline]
fn plies_to_draw(position: &Position) -> i32 {
    match position.limit() {
        DrawLimit::NEVER => i32::MAX,
        limit => i32::from(limit.half_moves().saturating_sub(position.quiet())),
    }
}

/// The value of an entry, seen from the root, if it answers a question with this window.
#[inline]
pub(crate) fn usable(
    entry: NumberedEntry,
    position: &Position,
    window: [i32; 2],
    depth: i32,
    ply: usize,
) -> Option<i32> {
    let value = from_table(entry.value, ply);
    let deep = i32::from(entry.depth) >= depth;
    let proven = entry.value.abs() >= PROVEN;
    let in_time = !proven || WIN - entry.value.abs() <= plies_to_draw(position);
    (in_time && answers(value, entry.bound(), deep, window)).then_some(value)
}
