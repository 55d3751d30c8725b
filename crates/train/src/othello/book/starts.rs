//! Positions that a book grows from.

use std::collections::{BTreeMap, BTreeSet};

use othello::book::settled;
use reversi::Board;
use reversi::notation::Record;

use crate::othello::selfplay::{generator, random_board};

/// The positions that so many games have come through within their first plies, each as
/// a book has it.
#[must_use]
pub fn reached(games: &[Record], seen: usize, plies: usize) -> Vec<Board> {
    let mut counts: BTreeMap<Board, usize> = BTreeMap::new();
    for game in games {
        let positions = game.positions().into_iter().take(plies + 1);
        let boards = positions.filter_map(|position| Some(settled(position.board())?.board));
        for board in boards.collect::<BTreeSet<Board>>() {
            *counts.entry(board).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count >= seen);
    counts.into_keys().collect()
}

/// Different positions after so many random plies, each as a book has it, sorted; fewer
/// where there are not so many.
#[must_use]
pub fn random(count: usize, plies: u32, seed: u64) -> Vec<Board> {
    let mut boards = BTreeSet::new();
    // Most openings are drawn once; a hundred times as many draws find nearly all there are.
    let draws = (count as u64).saturating_mul(100);
    for draw in 0..draws {
        if boards.len() == count {
            break;
        }
        let board = random_board(&mut generator(seed, draw), 60 - plies.min(60));
        boards.extend(settled(board).map(|next| next.board));
    }
    boards.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi::notation;

    #[test]
    fn positions_that_games_share_are_found_through_symmetry() {
        // The same game, a mirrored one, another one.
        let games: Vec<Record> = ["f5d6c3d3", "f5d6c3d3", "e6f4c3c4", "f5f6"]
            .iter()
            .flat_map(|text| notation::read(text).unwrap())
            .collect();
        let count = |seen, plies| reached(&games, seen, plies).len();
        assert_eq!([count(4, 60), count(3, 60), count(1, 60)], [2, 5, 6]);
        assert_eq!([count(1, 0), count(1, 1), count(1, 2)], [1, 2, 4]);
        assert_eq!(count(5, 60), 0);
        // A position alone is a game without moves.
        let alone = notation::read("start").unwrap();
        assert_eq!(reached(&alone, 1, 60).len(), 1);
    }

    #[test]
    fn random_positions_follow_from_the_seed() {
        let some = random(20, 8, 1);
        assert_eq!(some.len(), 20);
        assert_eq!(some, random(20, 8, 1));
        assert_ne!(some, random(20, 8, 2));
        assert!(some.iter().all(|board| board.empty().len() == 52));
        assert!(
            random(30, 8, 1)
                .iter()
                .filter(|board| some.contains(board))
                .count()
                == 20
        );
        // There is one position after a ply, and three after two.
        assert_eq!([random(9, 1, 1).len(), random(9, 2, 1).len()], [1, 3]);
        assert_eq!(random(0, 8, 1), []);
    }
}
