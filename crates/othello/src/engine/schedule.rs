//! Which searches follow each other, from a glance to certainty.

use crate::Level;

/// How sure searches are that do not reach the end.
const MIDGAME: Level = Level::FIRST;

/// Searches that leave at most this many squares empty are followed by one to the end.
const GAP: u32 = 10;

/// Depth and level of all searches, each preparing the next.
pub(crate) fn steps(empties: u32, most: Option<u32>) -> impl Iterator<Item = (u32, Level)> {
    let most = most.unwrap_or(empties).clamp(1, empties.max(1));
    let to_the_end = most == empties;
    let last = if to_the_end {
        empties.saturating_sub(GAP)
    } else {
        most
    };
    let midgame = (1..=last).map(|depth| (depth, MIDGAME));
    let levels = [Level::FIRST, Level::SECOND, Level::EXACT];
    let first = usize::from(empties <= GAP) * 2;
    let endgame = levels
        .into_iter()
        .skip(first)
        .map(move |level| (empties, level));
    midgame.chain(endgame.filter(move |_| to_the_end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_is_what_was_asked_for() {
        for empties in 1..=60 {
            assert_eq!(steps(empties, None).last(), Some((empties, Level::EXACT)));
            for most in 1..empties {
                let last = steps(empties, Some(most)).last();
                assert_eq!(last.map(|(depth, _)| depth), Some(most));
            }
        }
    }
}
