//! Cases for players of published GIPF: a position in, a move out.

use gipf_standard::{Position, Rules};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;

use super::case::{Case, Want};
use super::phases;

const START: &str = "the first move of every game";
const FORM: &str = "one line with a move, and nothing else";
const PUSH: &str = "a piece is pushed onto the board, and never along a closed line";
const ROWS: &str = "rows are taken off with what touches them, before and after the push";
const CROSS: &str =
    "of rows that cross, one is taken off first, and the others are looked at again";
const KEEP: &str = "the owner of a row says which GIPF-pieces stay";
const TOURNAMENT: &str = "GIPF-pieces are brought in until the first single piece";
const END: &str = "the game ends when the last GIPF-piece goes, or nothing can be brought in";
const GAMES: &str = "a legal move in every position of a game";

/// Positions in which wrong programs give themselves away: a letter for the rule, and the text.
const POSITIONS: &str = include_str!("published.txt");

/// The rule that a letter stands for.
fn rule(letter: &str) -> &'static str {
    match letter {
        "p" => PUSH,
        "r" => ROWS,
        "c" => CROSS,
        "k" => KEEP,
        "t" => TOURNAMENT,
        "e" => END,
        _ => FORM,
    }
}

pub(super) fn case(name: impl Into<String>, rule: &'static str, position: Position) -> Case {
    let input = format!("{position}\n");
    Case::stdin(name, rule, input, Want::Play(position))
}

/// The chosen positions, and positions of random games.
pub(super) fn cases(seed: u64, generated: usize) -> Vec<Case> {
    let mut cases: Vec<Case> = Rules::ALL
        .into_iter()
        .map(|rules| case(format!("start-{rules}"), START, Position::start(rules)))
        .collect();
    for (number, line) in (1..).zip(POSITIONS.lines()) {
        let Some((letter, text)) = line.split_once(' ') else {
            continue;
        };
        let position = text.parse().expect("the grader's own positions are right");
        cases.push(case(format!("position-{number}"), rule(letter), position));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for number in 0..generated {
        let rules = Rules::ALL[number % 3];
        let position = random(rules, &mut rng);
        cases.push(case(format!("game-{}", number + 1), GAMES, position));
    }
    for (number, position) in (1..).zip(phases::phases(&mut rng)) {
        cases.push(case(format!("phase-{number}"), GAMES, position));
    }
    cases
}

/// A position of a random game that is not over.
pub(super) fn random(rules: Rules, rng: &mut ChaCha8Rng) -> Position {
    let plies = rng.random_range(1..60);
    let mut position = Position::start(rules);
    let mut last = position;
    for _ in 0..plies {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        last = position;
        position.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    match position.outcome() {
        None => position,
        Some(_) => last,
    }
}
