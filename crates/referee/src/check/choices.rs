//! Cases for the choices that belong to a GIPF move: found in games, so that the boards
//! are such as really arise.

use ::gipf::{Position, Variant, text};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};

use super::case::Case;
use super::gipf::{CHOICE, GENERATE, case};

/// A move and what it is an example of.
struct Found {
    kind: &'static str,
    position: Position,
    text: String,
}

const KINDS: [&str; 8] = [
    "own-row",
    "own-row-with-other-stones",
    "other-row",
    "own-choice",
    "other-choice",
    "two-choices",
    "two-ways",
    "three-ways",
];

/// Moves that take rows, with right and with wrong choices.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for Found {
        kind,
        position,
        text,
    } in examples()
    {
        let load = format!("LOAD_GAME_BOARD\n{}", text::print(&position));
        let mut words: Vec<&str> = text.split(' ').collect();
        let mut tries = vec![text.clone(), words[0].to_string()];
        if words.len() > 3 {
            let right = words.clone();
            // The ends of a row in the other order are the same row.
            words.swap(2, 3);
            tries.push(words.join(" "));
            for (place, wrong) in [(1, other_colour(right[1])), (2, "a1"), (3, right[2])] {
                let mut words = right.clone();
                words[place] = wrong;
                tries.push(words.join(" "));
            }
            // One more than is needed.
            tries.push(format!("{text} {}", right[1..].join(" ")));
        } else {
            tries.push(format!("{text} w: a1 b2"));
            tries.push(format!("{text} b: b2 b3"));
        }
        let input: String = tries
            .iter()
            .map(|mv| format!("{load}DO_MOVE {mv}\nPRINT_GAME_STATE\nPRINT_GAME_BOARD\n"))
            .collect();
        cases.push(case(format!("choice-{kind}"), CHOICE, input));
        let input = format!("{load}GEN_ALL_POS_MOV\nGEN_ALL_POS_MOV_NUM\n");
        cases.push(case(format!("generate-{kind}"), GENERATE, input));
    }
    cases
}

fn other_colour(letter: &str) -> &'static str {
    if letter == "w:" { "b:" } else { "w:" }
}

/// The first example of every kind in random games, which are always the same ones.
fn examples() -> Vec<Found> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut found: Vec<Found> = Vec::new();
    for game in 0..2000 {
        let (size, run) = [(3, 3), (4, 3), (4, 4), (3, 2)][game % 4];
        let Ok(variant) = Variant::new(size, run, 15, 15) else {
            continue;
        };
        let mut position = Position::start(variant);
        for _ in 0..60 {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let texts: Vec<String> = moves.iter().map(|mv| position.move_text(*mv)).collect();
            for (mv, text) in moves.iter().zip(&texts) {
                let mut next = position;
                next.play_unchecked(*mv);
                for kind in kinds(&position, &next, text, &texts) {
                    if found.iter().all(|example| example.kind != kind) {
                        let text = text.clone();
                        found.push(Found {
                            kind,
                            position,
                            text,
                        });
                    }
                }
            }
            if found.len() == KINDS.len() {
                return found;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
    }
    found
}

/// What a move is an example of.
fn kinds(before: &Position, after: &Position, text: &str, all: &[String]) -> Vec<&'static str> {
    let mover = before.side_to_move();
    let on_board =
        |position: &Position, side: Side| position.material(side) - position.reserve(side);
    let taken = |side: Side| {
        let put = u16::from(side == mover);
        (on_board(before, side) + put).saturating_sub(on_board(after, side))
    };
    let lost = |side: Side| before.material(side) - after.material(side);
    let letters: Vec<&str> = text.split(' ').filter(|word| word.ends_with(':')).collect();
    let own = ["w:", "b:"][mover.index()];
    let mut kinds = Vec::new();
    if letters.is_empty() {
        let others = lost(!mover);
        if taken(mover) > 0 && taken(!mover) == 0 {
            kinds.push("own-row");
        } else if taken(mover) > 0 && others > 0 {
            kinds.push("own-row-with-other-stones");
        } else if taken(!mover) > 0 {
            kinds.push("other-row");
        }
        return kinds;
    }
    match letters[..] {
        [one] if one == own => kinds.push("own-choice"),
        [_] => kinds.push("other-choice"),
        _ => kinds.push("two-choices"),
    }
    let push = text.split(' ').next().unwrap_or_default();
    let ways = all.iter().filter(|other| {
        let mut words = other.split(' ');
        words.next() == Some(push) && words.count() == 3
    });
    match ways.count() {
        2 => kinds.push("two-ways"),
        3 => kinds.push("three-ways"),
        _ => {}
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_an_example_of_every_kind() {
        let mut found: Vec<&str> = examples().iter().map(|example| example.kind).collect();
        found.sort_unstable();
        let mut all = KINDS;
        all.sort_unstable();
        assert_eq!(found, all);
    }
}
