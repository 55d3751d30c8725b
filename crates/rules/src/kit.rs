//! The test kit: what must hold for every game, checked along random playouts.
//!
//! A game's integration test calls these functions with its start positions. Each
//! panics with the position at fault, so a failure can be replayed by hand.

use std::collections::HashMap;
use std::collections::HashSet;
use std::fmt::Debug;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{Game, Hashed, Side, Symmetric, perft};

/// How much to try: so many random games from every start position, none longer
/// than `longest` plies (a game that can go on for ever is cut there).
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random games from each start position.
    pub games: usize,
    /// Plies after which a game must have ended, or is cut.
    pub longest: usize,
    /// Whether a game that reaches `longest` is a failure.
    pub must_end: bool,
    /// Where the random choices start from.
    pub seed: u64,
}

/// Walks random games and calls `visit` with every position, the last one included.
pub fn walk<G: Game>(starts: &[G], effort: Effort, mut visit: impl FnMut(&G)) {
    let mut rng = ChaCha8Rng::seed_from_u64(effort.seed);
    for start in starts {
        for _ in 0..effort.games {
            let mut position = start.clone();
            for ply in 0..=effort.longest {
                visit(&position);
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                assert!(
                    ply < effort.longest || !effort.must_end,
                    "game not over after {ply} plies: {position}"
                );
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
        }
    }
}

/// The laws of [`Game`]: moves exist exactly while there is no outcome; every legal
/// move is distinct, playable, and survives its text; every position survives its text;
/// random games end.
pub fn check_game<G: Game>(starts: &[G], effort: Effort) {
    walk(starts, effort, |position| {
        let moves = position.moves();
        assert_eq!(
            moves.is_empty(),
            position.outcome().is_some(),
            "moves exist exactly while there is no outcome: {position}"
        );
        assert_eq!(position.count_moves(), moves.len(), "{position}");
        let text = position.to_string();
        assert!(!text.contains('\n'), "one line: {text}");
        let again: G = text
            .parse()
            .unwrap_or_else(|e| panic!("{text} is not read back: {e}"));
        assert_eq!(&again, position, "text of {text}");
        let distinct: HashSet<_> = moves.iter().collect();
        assert_eq!(distinct.len(), moves.len(), "moves repeat: {position}");
        for &mv in &moves {
            assert!(position.is_legal(mv), "{mv:?} in {position}");
            let text = position.move_text(mv);
            let read = position
                .parse_move(&text)
                .unwrap_or_else(|e| panic!("{text} in {position}: {e}"));
            assert_eq!(read, mv, "{text} in {position}");
            let mut next = position.clone();
            next.play(mv)
                .unwrap_or_else(|e| panic!("{text} in {position}: {e}"));
            let mut unchecked = position.clone();
            unchecked.play_unchecked(mv);
            assert_eq!(next, unchecked, "{text} in {position}");
        }
    });
}

/// A move that is legal elsewhere but not here is refused and changes nothing.
pub fn check_illegal<G: Game>(starts: &[G], effort: Effort) {
    let mut seen: Vec<G::Move> = Vec::new();
    let mut refused = 0;
    walk(starts, effort, |position| {
        for &mv in seen.iter().rev().take(64) {
            if !position.is_legal(mv) {
                let mut next = position.clone();
                assert!(next.play(mv).is_err(), "{mv:?} in {position}");
                assert_eq!(&next, position, "a refused move changed it");
                refused += 1;
            }
        }
        seen.extend(position.moves());
    });
    assert!(refused > 0, "no illegal move was tried");
}

/// Hashes are equal exactly where positions are.
pub fn check_hash<G: Hashed>(starts: &[G], effort: Effort) {
    let mut texts: HashMap<u64, String> = HashMap::new();
    let mut hashes: HashMap<String, u64> = HashMap::new();
    walk(starts, effort, |position| {
        let (hash, text) = (position.hash(), position.to_string());
        let first = texts.entry(hash).or_insert_with(|| text.clone());
        assert_eq!(*first, text, "two positions with hash {hash:#x}");
        let first = *hashes.entry(text).or_insert(hash);
        assert_eq!(first, hash, "one position with two hashes: {position}");
    });
}

/// Symmetries map positions to positions and moves to moves, and playing commutes
/// with them. Number 0 is the identity.
pub fn check_symmetry<G: Symmetric>(starts: &[G], effort: Effort) {
    walk(starts, effort, |position| {
        assert_eq!(&position.transform(0), position, "number 0 is the identity");
        for index in 0..position.symmetries() {
            let image = position.transform(index);
            assert_eq!(image.outcome(), position.outcome(), "{position} / {index}");
            let moves = position.moves();
            assert_eq!(image.moves().len(), moves.len(), "{position} / {index}");
            for mv in moves {
                let image_move = position.transform_move(mv, index);
                let mut there = image.clone();
                there
                    .play(image_move)
                    .unwrap_or_else(|e| panic!("{position} / {index}: {e}"));
                let mut here = position.clone();
                here.play_unchecked(mv);
                assert_eq!(there, here.transform(index), "{position} / {index}");
            }
        }
    });
}

/// What a slow, obvious twin of a game must say, as text, to be compared.
pub trait Twin: Sized + Debug {
    /// The twin of a position, from the position's text.
    fn read(text: &str) -> Self;
    /// Every position after one legal move, as text, in any order, repeats allowed.
    fn successors(&self) -> Vec<String>;
    /// `Some(Some(winner))`, `Some(None)` for a draw, `None` while it goes on.
    fn result(&self) -> Option<Option<Side>>;
}

/// The fast rules and the twin agree on successors and results.
pub fn check_twin<G: Game, T: Twin>(starts: &[G], effort: Effort) {
    walk(starts, effort, |position| {
        let twin = T::read(&position.to_string());
        let fast: HashSet<String> = position
            .moves()
            .into_iter()
            .map(|mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                next.to_string()
            })
            .collect();
        let slow: HashSet<String> = twin.successors().into_iter().collect();
        assert_eq!(fast, slow, "successors of {position}");
        assert_eq!(
            position.outcome().map(|o| o.winner()),
            twin.result(),
            "result of {position}"
        );
    });
}

/// Compares perft with a data file. Each line: a position, then `; DEPTH COUNT` fields;
/// `#` starts a comment. Counts above `most` are left to slower tests.
pub fn check_perft<G: Game>(data: &str, most: u64) {
    let mut checked = 0;
    for (number, line) in data.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let mut fields = line.split(';');
        let position: G = fields
            .next()
            .unwrap_or_default()
            .trim()
            .parse()
            .unwrap_or_else(|e| panic!("line {}: {e}", number + 1));
        for field in fields {
            let (depth, count) = field
                .trim()
                .split_once(' ')
                .unwrap_or_else(|| panic!("line {}: {field:?}", number + 1));
            let (depth, count) = (depth.parse().unwrap(), count.trim().parse().unwrap());
            if count <= most {
                assert_eq!(
                    perft(&position, depth),
                    count,
                    "perft {depth} of {position}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 0, "the data file holds no count up to {most}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc_example::Nim;

    const EFFORT: Effort = Effort {
        games: 20,
        longest: 12,
        must_end: true,
        seed: 1,
    };

    fn heap(stones: u32) -> Nim {
        Nim {
            stones,
            side: Side::First,
        }
    }

    #[test]
    fn a_sound_game_passes() {
        check_game(&[heap(12)], EFFORT);
        check_illegal(&[heap(12)], EFFORT);
        check_hash(&[heap(12)], EFFORT);
        check_symmetry(&[heap(12)], EFFORT);
        check_perft::<Nim>(
            "# a heap\n4 first; 1 2; 2 4; 3 5; 4 5; 9 5 # ended lines count on\n",
            100,
        );
    }

    #[test]
    #[should_panic(expected = "game not over")]
    fn a_game_that_does_not_end_is_noticed() {
        check_game(&[heap(100)], EFFORT);
    }

    #[test]
    #[should_panic(expected = "perft 2")]
    fn a_wrong_count_is_noticed() {
        check_perft::<Nim>("4 first; 2 5", 100);
    }
}
