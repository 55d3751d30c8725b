//! The exact value of a position, slow and obvious: every line of play, to the end.

use std::collections::HashMap;

use mmpawns::Position;
use rules::Game;

/// 0 for a draw; otherwise a win counts 1000 less the plies it takes, a loss the
/// same below 0: the winner hurries, the loser delays. `None` when more than 8,000
/// positions can come about.
pub(crate) fn value(position: &Position) -> Option<i32> {
    let mut known = HashMap::new();
    let value = visit(position, &mut known);
    (known.len() < MOST).then_some(value)
}

const MOST: usize = 8_000;

fn visit(position: &Position, known: &mut HashMap<Position, i32>) -> i32 {
    if known.len() >= MOST {
        return 0;
    }
    if let Some(&value) = known.get(position) {
        return value;
    }
    let value = match position.outcome() {
        Some(outcome) => 1000 * outcome.sign_for(position.side_to_move()),
        None => position
            .moves()
            .into_iter()
            .map(|mv| {
                let mut next = *position;
                next.play_unchecked(mv);
                let value = -visit(&next, known);
                value - value.signum()
            })
            .max()
            .expect("a move while the game goes on"),
    };
    known.insert(*position, value);
    value
}
