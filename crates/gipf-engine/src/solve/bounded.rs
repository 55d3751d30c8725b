//! Wins within a number of half-moves.

use std::ops::ControlFlow;

use gipf::Position;
use rules::{Game, Hashed, Side};
use search::Clock;

use super::OutOfBudget;

/// The longest win that is looked for.
pub(crate) const LONGEST: u32 = 250;

/// What is known of a position, for either side as the one that wants to win.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    facts: [Fact; 2],
    /// The number of the move that decided last, in the order of generation.
    best: u16,
}

/// The side wins within `wins` half-moves (0: not known) and not within `fails`.
#[derive(Clone, Copy)]
struct Fact {
    wins: u8,
    fails: u8,
}

/// Entries of a new table: a power of two.
const SMALLEST: usize = 1 << 10;

const UNKNOWN: u8 = u8::MAX;

const EMPTY: Entry = Entry {
    key: 0,
    facts: [Fact {
        wins: UNKNOWN,
        fails: 0,
    }; 2],
    best: u16::MAX,
};

const _: () = assert!(size_of::<Entry>() == 16);

/// A successor waiting to be searched.
#[derive(Clone, Copy)]
struct Child {
    position: Position,
    number: u16,
    order: i32,
}

/// Depth-first search for wins of bounded length, with a table of what it found.
pub(crate) struct Bounded {
    table: Vec<Entry>,
    /// Entries in use; the table doubles before it gets crowded.
    used: usize,
    most_entries: usize,
    nodes: u64,
    /// Successors of all positions on the current path, one after the other.
    children: Vec<Child>,
}

impl Bounded {
    /// A search whose table takes at most so many bytes.
    pub(crate) fn new(memory: usize) -> Bounded {
        // While the table doubles, the old one is there as well.
        let most = memory / size_of::<Entry>() * 2 / 3;
        Bounded {
            table: vec![EMPTY; SMALLEST],
            used: 0,
            most_entries: most.max(SMALLEST),
            nodes: 0,
            children: Vec::new(),
        }
    }

    /// Positions looked at so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether `side` can force a win within `length` half-moves. When the clock stops
    /// or `slice` positions have been looked at, what has been found stays in the table.
    pub(crate) fn wins(
        &mut self,
        position: &Position,
        side: Side,
        length: u32,
        clock: &mut Clock,
        slice: u64,
    ) -> Result<bool, OutOfBudget> {
        self.children.clear();
        Search {
            pause_at: self.nodes.saturating_add(slice),
            bounded: self,
            side,
            clock,
        }
        .visit(position, length.min(LONGEST) as u8)
    }

    /// The place of a position in the table.
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.table.len() - 1)
    }

    /// Makes room, as long as there is memory.
    fn grow(&mut self) {
        let entries = 2 * self.table.len();
        if self.used * 2 < self.table.len() || entries > self.most_entries {
            return;
        }
        let old = std::mem::replace(&mut self.table, vec![EMPTY; entries]);
        for entry in old.into_iter().filter(|entry| entry.key != 0) {
            let slot = self.slot(entry.key);
            self.table[slot] = entry;
        }
    }

    fn store(&mut self, key: u64, side: Side, length: u8, won: bool, best: u16) {
        self.grow();
        let slot = self.slot(key);
        let entry = &mut self.table[slot];
        if entry.key != key {
            self.used += usize::from(entry.key == 0);
            *entry = Entry { key, ..EMPTY };
        }
        let fact = &mut entry.facts[side.index()];
        if won {
            fact.wins = fact.wins.min(length);
        } else {
            fact.fails = fact.fails.max(length);
        }
        if best != u16::MAX {
            entry.best = best;
        }
    }
}

/// One question to the table and the search behind it.
struct Search<'a> {
    bounded: &'a mut Bounded,
    side: Side,
    clock: &'a mut Clock,
    pause_at: u64,
}

impl Search<'_> {
    /// The game is not over, and there may be a half-move to play.
    fn visit(&mut self, position: &Position, length: u8) -> Result<bool, OutOfBudget> {
        if length == 0 || !possible(position, self.side, length) {
            return Ok(false);
        }
        let key = position.hash();
        let known = self.bounded.table[self.bounded.slot(key)];
        let mut best = u16::MAX;
        if known.key == key {
            let fact = known.facts[self.side.index()];
            if fact.wins <= length {
                return Ok(true);
            }
            if fact.fails >= length {
                return Ok(false);
            }
            best = known.best;
        }
        self.bounded.nodes += 1;
        if self.bounded.nodes > self.pause_at || self.clock.tick() {
            return Err(OutOfBudget);
        }
        let start = self.bounded.children.len();
        let answer = self.expand(position, length, best);
        self.bounded.children.truncate(start);
        let (won, decided_by) = answer?;
        self.bounded.store(key, self.side, length, won, decided_by);
        Ok(won)
    }

    /// Whether the side wins, and the number of the move that decides.
    fn expand(
        &mut self,
        position: &Position,
        length: u8,
        best: u16,
    ) -> Result<(bool, u16), OutOfBudget> {
        let side = self.side;
        let attacking = position.side_to_move() == side;
        let start = self.bounded.children.len();
        let mut number = 0;
        let children = &mut self.bounded.children;
        let decided = position.visit_successors(|_, next| {
            let child = Child {
                position: next,
                number,
                order: if number == best {
                    i32::MIN
                } else {
                    order(&next, side, attacking)
                },
            };
            number += 1;
            // Who is to move and cannot has lost.
            if next.outcome().is_some() {
                return ControlFlow::Break(child.number);
            }
            children.push(child);
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(number) = decided {
            // The mover wins: the attacker by this move, or the defender against him.
            return Ok((attacking, number));
        }
        if length == 1 {
            return Ok((false, u16::MAX));
        }
        let end = self.bounded.children.len();
        for i in start..end {
            let least = (i..end)
                .min_by_key(|&j| self.bounded.children[j].order)
                .unwrap_or(i);
            self.bounded.children.swap(i, least);
            let Child {
                position, number, ..
            } = self.bounded.children[i];
            if self.visit(&position, length - 1)? == attacking {
                return Ok((attacking, number));
            }
        }
        Ok((!attacking, u16::MAX))
    }
}

/// Whether a win of `side` within so many half-moves is conceivable: a reserve shrinks
/// only by its owner's own moves, one stone each, and the board fills by one a move.
#[inline]
fn possible(position: &Position, side: Side, length: u8) -> bool {
    let victim = !side;
    let moves = if position.side_to_move() == victim {
        length.div_ceil(2)
    } else {
        length / 2
    };
    if position.reserve(victim) <= u16::from(moves) {
        return true;
    }
    let occupied = position.stones(side) | position.stones(victim);
    let empty = position.geometry().points() as u32 - occupied.count_ones();
    empty <= u32::from(length)
}

/// Smaller is searched earlier: what is best for the mover before this position.
#[inline]
fn order(next: &Position, side: Side, attacking: bool) -> i32 {
    let attack = 3 * i32::from(next.reserve(side)) + next.stones(side).count_ones() as i32;
    let defence = 6 * i32::from(next.reserve(!side)) + 2 * next.stones(!side).count_ones() as i32;
    if attacking {
        defence - attack
    } else {
        attack - defence
    }
}
