//! Schedules that do not depend on results.

use super::Pairing;

/// Rounds in which everyone meets everyone once: one player stays, the others go round.
pub(super) fn everyone(players: usize) -> Vec<Vec<Pairing>> {
    let seats = players + players % 2;
    (0..seats.saturating_sub(1))
        .map(|round| {
            let at = |seat: usize| match seat {
                0 => 0,
                _ => 1 + (seat - 1 + round) % (seats - 1),
            };
            (0..seats / 2)
                .map(|i| (at(i), at(seats - 1 - i)))
                .filter(|&(a, b)| a < players && b < players)
                .map(|(a, b)| (a.min(b), a.max(b)))
                .collect()
        })
        .collect()
}

/// Rounds in which each of the first players meets each of the others once.
pub(super) fn gauntlet(players: usize, challengers: usize) -> Vec<Vec<Pairing>> {
    let others = players - challengers;
    // With more challengers than others some have to sit out, and the other way round.
    (0..others.max(challengers))
        .map(|round| {
            (0..challengers.max(others))
                .map(|i| (i, (i + round) % others.max(challengers)))
                .filter(|&(c, o)| c < challengers && o < others)
                .map(|(c, o)| (c, challengers + o))
                .collect()
        })
        .collect()
}
