//! What searches share that list successors with their positions and number moves as they are
//! generated: the order in which to try them, and how to keep the best in a table.

use rules::{Game, Side};

use crate::{Bound, Store};

/// A successor in the list of its ply.
#[derive(Clone, Copy, Debug)]
pub struct Child<P, M> {
    /// The position after the move.
    pub position: P,
    /// The move.
    pub mv: M,
    /// Its number in the order of generation.
    pub number: u16,
    /// Larger is searched earlier.
    pub order: i32,
}

/// The order of the move that the table knows to be best.
pub const KNOWN_BEST: i32 = i32::MAX;

/// The next of the children from `tried` on, which it brings to that place; the first of equals.
#[inline]
pub fn pick<P: Copy, M: Copy>(children: &mut [Child<P, M>], tried: usize) -> Option<Child<P, M>> {
    let rest = children.get_mut(tried..)?;
    let best = (0..rest.len()).max_by_key(|&i| (rest[i].order, std::cmp::Reverse(i)))?;
    rest.swap(0, best);
    Some(rest[0])
}

/// Kinds of quiet moves that are distinguished, for each side.
pub const KINDS: usize = 128;

/// The order of a quiet move that refuted a sister of the position: the most that a quiet move has.
pub const KILLER: i32 = 1 << 18;

/// Which kinds of quiet moves were good elsewhere. A killer has the order [`KILLER`]; other kinds have
/// less, by how often they refuted anything.
#[derive(Clone, Debug)]
pub struct QuietMoves {
    killers: Vec<[u8; 2]>,
    history: [[i32; KINDS]; 2],
}

impl Default for QuietMoves {
    fn default() -> QuietMoves {
        QuietMoves {
            killers: Vec::new(),
            history: [[0; KINDS]; 2],
        }
    }
}

impl QuietMoves {
    /// Makes old merits count less: another position is searched.
    pub fn fade(&mut self) {
        for merit in self.history.as_flattened_mut() {
            *merit /= 4;
        }
        self.killers.clear();
    }

    /// Makes room for so many plies.
    pub fn resize(&mut self, plies: usize) {
        self.killers.resize(plies, [u8::MAX; 2]);
    }

    /// What is known of the moves of a side at a ply.
    #[inline]
    #[must_use]
    pub fn at(&self, side: Side, ply: usize) -> QuietOrder<'_> {
        QuietOrder {
            killers: self.killers[ply],
            history: &self.history[side.index()],
        }
    }

    /// A move of this kind was too good.
    pub fn reward(&mut self, side: Side, ply: usize, kind: u8, depth: i32) {
        let [first, second] = &mut self.killers[ply];
        if *first != kind {
            *second = *first;
            *first = kind;
        }
        let merit = &mut self.history[side.index()][usize::from(kind)];
        *merit = (*merit + depth * depth).min(KILLER - 1);
    }
}

/// The order of the quiet moves of one position.
#[derive(Clone, Copy, Debug)]
pub struct QuietOrder<'a> {
    killers: [u8; 2],
    history: &'a [i32; KINDS],
}

impl QuietOrder<'_> {
    /// The order of a move of this kind.
    #[inline]
    #[must_use]
    pub fn of(&self, kind: u8) -> i32 {
        if self.killers.contains(&kind) {
            KILLER
        } else {
            self.history[usize::from(kind)]
        }
    }
}

/// What a table keeps of a position, in 16 bytes.
#[derive(Clone, Copy, Debug)]
pub struct NumberedEntry {
    /// The key of the position.
    pub key: u64,
    /// Its value; wins by their distance from it.
    pub value: i32,
    /// The number of the best move in the order of generation.
    pub best: u16,
    /// How deep it was searched.
    pub depth: u8,
    /// What the value is, and above it the number of the search that found it.
    mark: u8,
}

impl NumberedEntry {
    /// What was found about the position of this key.
    #[inline]
    #[must_use]
    pub fn new(key: u64, value: i32, bound: Bound, best: u16, depth: u8) -> NumberedEntry {
        NumberedEntry {
            key,
            value,
            best,
            depth,
            mark: bound as u8,
        }
    }

    /// What the value is.
    #[inline]
    #[must_use]
    pub fn bound(&self) -> Bound {
        match self.mark % BOUNDS {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

/// Bounds are numbered below this.
const BOUNDS: u8 = 4;

const _: () = assert!(size_of::<NumberedEntry>() == 16);

/// The number of no move, and of moves beyond so many.
pub const NO_MOVE: u16 = u16::MAX;

/// How [`NumberedEntry`]s are kept in a [`DepthTable`](crate::DepthTable).
#[derive(Clone, Copy, Debug)]
pub enum NumberedEntries {}

impl Store for NumberedEntries {
    type Entry = NumberedEntry;

    const FREE: NumberedEntry = NumberedEntry {
        key: 0,
        value: 0,
        best: NO_MOVE,
        depth: 0,
        mark: 0,
    };

    #[inline]
    fn is_of(entry: &NumberedEntry, key: u64) -> bool {
        entry.key == key
    }

    #[inline]
    fn depth(entry: &NumberedEntry) -> u8 {
        entry.depth
    }

    #[inline]
    fn age(entry: &NumberedEntry) -> u8 {
        entry.mark / BOUNDS
    }

    #[inline]
    fn stamp(entry: &mut NumberedEntry, age: u8) {
        entry.mark = entry.mark % BOUNDS + BOUNDS * age;
    }
}

/// The best move and what is expected after it, as long as `best_number` knows a move.
pub fn expected_line<G: Game + Copy>(
    position: &G,
    best: Option<G::Move>,
    best_number: impl Fn(&G) -> Option<u16>,
) -> Vec<G::Move> {
    const LONGEST: usize = 12;
    let mut line: Vec<G::Move> = best.into_iter().collect();
    let mut at = *position;
    let mut next = best;
    while let Some(mv) = next {
        at.play_unchecked(mv);
        if line.len() >= LONGEST {
            break;
        }
        next = best_number(&at)
            .filter(|&number| number != NO_MOVE)
            .and_then(|number| at.moves().get(usize::from(number)).copied());
        line.extend(next);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_come_in_order_and_the_first_of_equals_first() {
        let child = |(number, order): (u16, i32)| Child {
            position: (),
            mv: (),
            number,
            order,
        };
        let mut list: Vec<_> = [(0, 3), (1, 5), (2, 5), (3, KNOWN_BEST)].map(child).into();
        let next = |tried| pick(&mut list, tried).map(|child| child.number);
        let order: Vec<u16> = (0..).map_while(next).collect();
        assert_eq!(order, [3, 1, 2, 0]);
    }

    #[test]
    fn killers_come_before_what_was_often_good() {
        let mut quiet = QuietMoves::default();
        quiet.resize(2);
        for kind in [7, 8, 8, 9] {
            quiet.reward(Side::First, 1, kind, 3);
        }
        let order = |side, ply, kind| quiet.at(side, ply).of(kind);
        assert_eq!(
            [7, 8, 9].map(|kind| order(Side::First, 1, kind)),
            [9, KILLER, KILLER]
        );
        assert_eq!(order(Side::First, 0, 8), 18);
        assert_eq!(order(Side::Second, 0, 8), 0);
        quiet.reward(Side::First, 0, 8, 1_000);
        assert_eq!(quiet.at(Side::First, 1).of(9), KILLER);
        quiet.resize(0);
        quiet.fade();
        quiet.resize(1);
        assert_eq!(quiet.at(Side::First, 0).of(8), (KILLER - 1) / 4);
    }
}
