//! Crowded boards of GIPF, on which a single push makes many rows: choices one after the other,
//! many rows to choose between, the same stones with different reserves, long pushes, very many
//! positions to generate, and reserves of up to four digits.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use ::gipf::{Geometry, Position, Setup, Variant, text};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};

use super::case::Case;
use super::cover::{Candidate, cover};
use super::gipf::{CHOICE, GENERATE, case};

/// What a board shows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Shown {
    /// A move with these choices, one after the other: whether each is of the mover's rows.
    Choices(Vec<bool>),
    /// A push after which there are so many rows to choose between.
    Ways(usize),
    /// Two moves that leave the same stones with different reserves.
    Twins,
    /// More positions after one move.
    Positions(usize),
    /// A push of so many stones.
    Pushes(usize),
}

/// Bounds for the number of generated positions that are exceeded.
pub(super) const POSITIONS: [usize; 4] = [48, 64, 72, 80];

/// The largest number of stones that one push moves.
pub(super) const MOST_PUSHED: usize = 11;

/// The most rows to choose between.
pub(super) const MOST_WAYS: usize = 5;

/// The most choices that belong to one move.
pub(super) const MOST_CHOICES: usize = 3;

/// Reserves before the move, in turn: on both sides of what a byte or a digit less can hold.
pub(super) const RESERVES: [u16; 7] = [9, 15, 30, 99, 127, 255, 999];

/// The boards that are looked through: size, run and how many.
const BOARDS: [(u8, u8, usize); 4] = [(4, 3, 150), (5, 3, 400), (6, 3, 60), (7, 3, 60)];

/// A board with what it shows, and the moves with most choices.
struct Crowded {
    position: Position,
    moves: Vec<String>,
}

/// Every board is asked for its positions, and the moves with most choices are made.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut load = String::new();
    for (number, Crowded { position, moves }) in (1..).zip(boards()) {
        load.clear();
        let _ = write!(load, "LOAD_GAME_BOARD\n{}", text::print(&position));
        let generate = format!("{load}GEN_ALL_POS_MOV\nGEN_ALL_POS_MOV_NUM\n");
        cases.push(case(
            format!("generate-crowded-{number}"),
            GENERATE,
            generate,
        ));
        let mut made = String::new();
        for mv in &moves {
            let words: Vec<&str> = mv.split(' ').collect();
            // With one choice too few, and right.
            let few = words[..words.len().saturating_sub(3).max(1)].join(" ");
            for mv in [&few, mv] {
                let _ = write!(
                    made,
                    "{load}DO_MOVE {mv}\nPRINT_GAME_STATE\nPRINT_GAME_BOARD\n"
                );
            }
        }
        cases.push(case(format!("choice-crowded-{number}"), CHOICE, made));
    }
    cases
}

/// The boards, always the same ones.
fn boards() -> Vec<Crowded> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut seen = BTreeSet::new();
    let mut candidates = Vec::new();
    for (size, run, boards) in BOARDS {
        let Ok(variant) = Variant::new(size, run, 2000, 2000) else {
            continue;
        };
        for board in 0..boards {
            let reserve = RESERVES[board % RESERVES.len()];
            let Some(position) = crowded(variant, reserve, &mut rng) else {
                continue;
            };
            let (shows, moves) = shown(&position);
            if shows.iter().any(|one| !seen.contains(one)) {
                seen.extend(shows.iter().cloned());
                let case = Crowded { position, moves };
                candidates.push(Candidate { case, shows });
            }
        }
    }
    cover(candidates)
}

/// A board that is nearly full at random; rows are broken until none is left.
pub(super) fn crowded(variant: Variant, reserve: u16, rng: &mut ChaCha8Rng) -> Option<Position> {
    let geometry = Geometry::of(variant.size());
    let share = rng.random_range(30..90);
    let mut stones = [0_u128; 2];
    for point in 0..geometry.points() {
        if rng.random_range(0..100) < share {
            stones[rng.random_range(0..2)] |= 1 << point;
        }
    }
    for _ in 0..500 {
        let Some((side, row)) = row_of(geometry, &stones, variant.run()) else {
            break;
        };
        let point = row[rng.random_range(0..row.len())];
        stones[side] &= !(1 << point);
        if rng.random_range(0..3) > 0 {
            stones[1 - side] |= 1 << point;
        }
    }
    let setup = Setup {
        variant,
        reserves: [reserve, reserve],
        side: Side::BOTH[rng.random_range(0..2)],
        stones,
    };
    Position::try_from(setup).ok()
}

/// Some row that is on a board: whose it is, and its points.
fn row_of<'a>(geometry: &'a Geometry, stones: &[u128; 2], run: u8) -> Option<(usize, &'a [u8])> {
    let run = usize::from(run);
    let windows = geometry.lines().iter().flat_map(|line| line.windows(run));
    let whose =
        |points: &[u8]| (0..2).find(|side| points.iter().all(|p| stones[*side] >> p & 1 != 0));
    windows
        .filter_map(|points| Some((whose(points)?, points)))
        .next()
}

/// What a board shows, and the moves with most choices.
fn shown(position: &Position) -> (Vec<Shown>, Vec<String>) {
    let own = ["w:", "b:"][position.side_to_move().index()];
    let mut shows = BTreeSet::new();
    let mut ways: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut moves: BTreeMap<Vec<bool>, String> = BTreeMap::new();
    let mut boards: BTreeMap<[u128; 2], BTreeSet<[u16; 2]>> = BTreeMap::new();
    for mv in position.moves() {
        let text = position.move_text(mv);
        let words: Vec<&str> = text.split(' ').collect();
        let choices: Vec<bool> = words[1..]
            .chunks(3)
            .map(|choice| choice[0] == own)
            .collect();
        if choices.len() > 1 {
            moves.entry(choices.clone()).or_insert_with(|| text.clone());
            shows.insert(Shown::Choices(choices));
        }
        if let Some(first) = words.get(1..4) {
            let ways = ways.entry(words[0].into()).or_default();
            ways.insert(first.join(" "));
        }
        let entry = &position.geometry().entries()[usize::from(mv.entry())];
        let in_the_way = entry.path().iter();
        let pushed = in_the_way.take_while(|point| position.stone(**point).is_some());
        shows.insert(Shown::Pushes(pushed.count()));
        let mut next = *position;
        next.play_unchecked(mv);
        let stones = Side::BOTH.map(|side| next.stones(side));
        let reserves = Side::BOTH.map(|side| next.reserve(side));
        boards.entry(stones).or_default().insert(reserves);
    }
    for (push, ways) in ways {
        if ways.len() > 2 {
            shows.insert(Shown::Ways(ways.len()));
            // The last of many choices.
            let last = ways.iter().next_back();
            let choices = vec![true; ways.len() + MOST_CHOICES];
            moves.extend(last.map(|choice| (choices, format!("{push} {choice}"))));
        }
    }
    if boards.values().any(|reserves| reserves.len() > 1) {
        shows.insert(Shown::Twins);
    }
    let positions: usize = boards.values().map(BTreeSet::len).sum();
    let exceeded = POSITIONS.into_iter().filter(|bound| positions > *bound);
    shows.extend(exceeded.map(Shown::Positions));
    (shows.into_iter().collect(), moves.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boards_show_everything() {
        let boards = boards();
        let seen: BTreeSet<Shown> = boards
            .iter()
            .flat_map(|crowded| shown(&crowded.position).0)
            .collect();
        let mut wanted = vec![Shown::Twins];
        wanted.extend(POSITIONS.map(Shown::Positions));
        wanted.extend((0..=MOST_PUSHED).map(Shown::Pushes));
        wanted.extend((3..=MOST_WAYS).map(Shown::Ways));
        for choices in [[true, true], [true, false], [false, false]] {
            wanted.push(Shown::Choices(choices.to_vec()));
        }
        wanted.push(Shown::Choices(vec![true; MOST_CHOICES]));
        wanted.retain(|one| !seen.contains(one));
        assert!(wanted.is_empty(), "{wanted:?} of {seen:?}");
        assert!(boards.len() < 25, "{}", boards.len());
    }
}
