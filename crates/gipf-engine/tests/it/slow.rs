//! Solving by writing down everything: all positions that can be reached, and then, round
//! by round, those that are decided because of the round before.

use std::collections::HashMap;

use gipf::Position;
use rules::{Game, Side};

/// The winner and the number of plies of every decided position.
pub(crate) type Values = HashMap<Position, Option<(Side, u32)>>;

fn after_all_moves(position: &Position) -> Vec<Position> {
    let play = |mv| {
        let mut next = *position;
        next.play_unchecked(mv);
        next
    };
    position.moves().into_iter().map(play).collect()
}

/// The values of all positions that can be reached; `None` if there are more than `most`.
pub(crate) fn solve(start: &Position, most: usize) -> Option<Values> {
    let mut all = vec![*start];
    let mut values: Values = HashMap::from([(*start, None)]);
    let mut next = 0;
    while next < all.len() {
        for position in after_all_moves(&all[next]) {
            if values.insert(position, None).is_none() {
                all.push(position);
            }
        }
        if all.len() > most {
            return None;
        }
        next += 1;
    }
    for round in 0.. {
        let mut found = Vec::new();
        for position in all.iter().filter(|position| values[position].is_none()) {
            let mover = position.side_to_move();
            let replies: Vec<_> = after_all_moves(position)
                .iter()
                .map(|reply| values[reply].map(|(winner, _)| winner))
                .collect();
            // Decided by rounds, so the first time is the least number of plies.
            if replies.contains(&Some(mover)) {
                found.push((*position, mover));
            } else if replies.iter().all(|reply| *reply == Some(!mover)) {
                found.push((*position, !mover));
            }
        }
        if found.is_empty() {
            return Some(values);
        }
        for (position, winner) in found {
            values.insert(position, Some((winner, round)));
        }
    }
    unreachable!("rounds end when nothing is found")
}

/// Whether a side wins within so many plies, by trying everything.
pub(crate) fn wins_within(position: &Position, side: Side, length: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(side);
    }
    if length == 0 {
        return false;
    }
    let wins = |next: &Position| wins_within(next, side, length - 1);
    let replies = after_all_moves(position);
    if position.side_to_move() == side {
        replies.iter().any(wins)
    } else {
        replies.iter().all(wins)
    }
}
