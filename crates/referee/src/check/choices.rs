//! Cases for the choices that belong to a GIPF move: found in games, so that the boards
//! are such as really arise.

use std::fmt::Write;

use ::gipf::{Field, Position, Variant, text};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};

use super::case::Case;
use super::gipf::{CHOICE, GENERATE, case};
use super::slides;

/// A move and what it is an example of.
struct Found {
    kind: &'static str,
    game: usize,
    position: Position,
    text: String,
}

const KINDS: [&str; 9] = [
    "own-row",
    "own-row-with-other-stones",
    "other-row",
    "own-choice",
    "other-choice",
    "two-choices",
    "two-ways",
    "three-ways",
    "rows-apart",
];

/// Moves that take rows, with right and with wrong choices.
pub(super) fn cases() -> Vec<Case> {
    let mut inputs = KINDS.map(|kind| (kind, String::new(), String::new()));
    for Found {
        kind,
        position,
        text,
        ..
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
            // Right, though nobody asked.
            if let Some((letter, [a, b])) = row_taken(&position, &text) {
                tries.push(format!("{text} {letter}: {a} {b}"));
                tries.push(format!("{text} {letter}: {b} {a}"));
            }
        }
        for (_, moves, generate) in inputs.iter_mut().filter(|(name, ..)| *name == kind) {
            for mv in &tries {
                let state = "PRINT_GAME_STATE\nPRINT_GAME_BOARD";
                let _ = writeln!(moves, "{load}DO_MOVE {mv}\n{state}");
            }
            let _ = writeln!(generate, "{load}GEN_ALL_POS_MOV\nGEN_ALL_POS_MOV_NUM");
        }
    }
    inputs
        .into_iter()
        .flat_map(|(kind, moves, generate)| {
            [
                case(format!("choice-{kind}"), CHOICE, moves),
                case(format!("generate-{kind}"), GENERATE, generate),
            ]
        })
        .collect()
}

/// The first row that a move without a choice takes: its colour and its ends.
fn row_taken(position: &Position, text: &str) -> Option<(char, [String; 2])> {
    let stones = slides::pushed(position, position.read_move(text).ok()?);
    let (geometry, run) = (position.geometry(), usize::from(position.variant().run()));
    Side::BOTH.into_iter().find_map(|side| {
        let is_own = |point: &u8| stones[side.index()] >> point & 1 != 0;
        let lines = geometry.lines().iter();
        let mut runs = lines.flat_map(|line| line.split(|point| !is_own(point)));
        let run = runs.find(|points| points.len() >= run)?;
        let ends = [run[0], run[run.len() - 1]].map(|point| geometry.label(point));
        Some((['w', 'b'][side.index()], ends))
    })
}

fn other_colour(letter: &str) -> &'static str {
    if letter == "w:" { "b:" } else { "w:" }
}

/// How many examples there are of each kind.
const EXAMPLES: usize = 3;

/// The first examples of every kind in random games, which are always the same ones; no
/// two of a kind from one game.
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
                    let alike = |example: &&Found| example.kind == kind;
                    let count = found.iter().filter(alike).count();
                    let here = found.iter().filter(alike).any(|found| found.game == game);
                    if count < EXAMPLES && !here {
                        let text = text.clone();
                        found.push(Found {
                            kind,
                            game,
                            position,
                            text,
                        });
                    }
                }
            }
            if found.len() == EXAMPLES * KINDS.len() {
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
    let rows: Vec<u128> = ways.map(|way| row_chosen(before, way)).collect();
    match rows[..] {
        [a, b] if a & b == 0 => kinds.push("rows-apart"),
        [_, _] => kinds.push("two-ways"),
        [_, _, _] => kinds.push("three-ways"),
        _ => {}
    }
    kinds
}

/// The points of the row that a move with one choice names: from one end to the other.
fn row_chosen(position: &Position, text: &str) -> u128 {
    let geometry = position.geometry();
    let words: Vec<&str> = text.split(' ').collect();
    let ends: Vec<u8> = words[2..]
        .iter()
        .filter_map(|label| geometry.point(Field::from_label(label, geometry.size())?))
        .collect();
    let between = |line: &Vec<u8>| {
        let first = line.iter().position(|point| ends.contains(point))?;
        let last = line.iter().rposition(|point| ends.contains(point))?;
        (last > first).then(|| line[first..=last].iter().fold(0, |set, p| set | 1 << p))
    };
    geometry.lines().iter().find_map(between).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_an_example_of_every_kind() {
        let mut found: Vec<&str> = examples().iter().map(|example| example.kind).collect();
        found.sort_unstable();
        let mut all = KINDS.repeat(EXAMPLES);
        all.sort_unstable();
        assert_eq!(found, all);
    }
}
