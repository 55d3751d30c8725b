//! Bounded search: wins within a number of plies.
//!
//! Whether a side can force a win *within n plies* depends on the position and n alone, so every
//! answer can be kept in a transposition table, whatever led there. [`ShortestWin`] asks for
//! longer and longer wins.

use std::ops::ControlFlow;

use search::proof_number::Stopped;
use search::{Clock, GrowingTable};

use super::rules::Rules;
use super::tuning::{BOUNDED_LOOK, BOUNDED_LOOKS_PER_TURN, DEFENDER_WEIGHT, LONGEST_WIN, material};

/// A win within more plies than any that is looked for.
const _: () = assert!(LONGEST_WIN < u8::MAX as u32);

/// What is known of a position and of the attacker, who wants to win it.
#[derive(Clone, Copy)]
struct Entry {
    /// The attacker wins within so many plies, or at the end of the scale it is not known.
    wins: u8,
    /// The attacker does not win within so many.
    fails: u8,
    /// The number of the move that decided last, in the order of generation.
    best: u16,
}

const UNKNOWN: Entry = Entry {
    wins: u8::MAX,
    fails: 0,
    best: u16::MAX,
};

/// A child that has not been searched.
#[derive(Clone, Copy)]
struct Child<B> {
    board: B,
    number: u16,
    order: i32,
}

/// Depth-first search for wins of bounded length, with a transposition table.
struct Bounded<'a, R: Rules> {
    rules: &'a R,
    table: GrowingTable<Entry>,
    nodes: u64,
    /// Children of all positions on the path, one batch after the other.
    children: Vec<Child<R::Board>>,
}

impl<'a, R: Rules> Bounded<'a, R> {
    /// A search whose table takes at most so many bytes.
    fn new(rules: &'a R, memory: usize) -> Bounded<'a, R> {
        Bounded {
            rules,
            table: GrowingTable::new(memory, UNKNOWN),
            nodes: 0,
            children: Vec::new(),
        }
    }

    /// Whether the player to move (`attacking`) or the opponent can force a win within
    /// `length` plies. When the clock stops or `slice` positions have been expanded,
    /// what has been found stays in the table.
    fn wins(
        &mut self,
        board: &R::Board,
        attacking: bool,
        length: u32,
        clock: &mut Clock,
        slice: u64,
    ) -> Result<bool, Stopped> {
        self.children.clear();
        Search {
            pause_at: self.nodes.saturating_add(slice),
            bounded: self,
            clock,
        }
        .visit(board, attacking, length.min(LONGEST_WIN) as u8)
    }

    fn store(&mut self, key: u64, length: u8, won: bool, best: u16, clock: &Clock) {
        let entry = self.table.entry(key, UNKNOWN, clock);
        if won {
            entry.wins = entry.wins.min(length);
        } else {
            entry.fails = entry.fails.max(length);
        }
        if best != u16::MAX {
            entry.best = best;
        }
    }
}

/// One question, and the search that answers it.
struct Search<'s, 'a, R: Rules> {
    bounded: &'s mut Bounded<'a, R>,
    clock: &'s mut Clock,
    pause_at: u64,
}

impl<R: Rules> Search<'_, '_, R> {
    /// The game is not over, and there may be a ply to play.
    fn visit(&mut self, board: &R::Board, attacking: bool, length: u8) -> Result<bool, Stopped> {
        let rules = self.bounded.rules;
        if length == 0 || !possible(rules, board, attacking, length) {
            return Ok(false);
        }
        let board = &rules.canonical(board);
        let key = rules.key(board, attacking);
        let entry = self.bounded.table.get(key).unwrap_or(UNKNOWN);
        if entry.wins <= length {
            return Ok(true);
        }
        if entry.fails >= length {
            return Ok(false);
        }
        self.bounded.nodes += 1;
        if self.bounded.nodes > self.pause_at || self.clock.tick() {
            return Err(Stopped);
        }
        let start = self.bounded.children.len();
        let answer = self.expand(board, attacking, length, entry.best);
        self.bounded.children.truncate(start);
        let (won, decided_by) = answer?;
        self.bounded.store(key, length, won, decided_by, self.clock);
        Ok(won)
    }

    /// Whether the attacker wins, and the number of the move that decides.
    fn expand(
        &mut self,
        board: &R::Board,
        attacking: bool,
        length: u8,
        best: u16,
    ) -> Result<(bool, u16), Stopped> {
        let rules = self.bounded.rules;
        let start = self.bounded.children.len();
        let mut number = 0;
        let children = &mut self.bounded.children;
        let decided = rules.visit_children(board, |next| {
            // Who is to move and cannot has lost.
            if rules.is_over(&next) {
                return ControlFlow::Break(());
            }
            children.push(Child {
                board: next,
                number,
                order: if number == best {
                    i32::MIN
                } else {
                    order(rules, &next, attacking)
                },
            });
            number += 1;
            ControlFlow::Continue(())
        });
        if decided.is_break() {
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
            let Child { board, number, .. } = self.bounded.children[i];
            if self.visit(&board, !attacking, length - 1)? == attacking {
                return Ok((attacking, number));
            }
        }
        Ok((!attacking, u16::MAX))
    }
}

/// Whether the attacker can conceivably win within so many plies: a reserve shrinks
/// only by its owner's own moves, one stone each, and the board fills by one a move.
#[inline]
fn possible<R: Rules>(rules: &R, board: &R::Board, attacking: bool, length: u8) -> bool {
    let moves = if attacking {
        length / 2
    } else {
        length.div_ceil(2)
    };
    let victim = usize::from(attacking);
    rules.reserves(board)[victim] <= i32::from(moves) || rules.empty(board) <= i32::from(length)
}

/// Move ordering: smaller is searched earlier, what is best for the mover (the attacker or not)
/// before this position.
#[inline]
fn order<R: Rules>(rules: &R, next: &R::Board, attacking: bool) -> i32 {
    let (reserves, stones) = (rules.reserves(next), rules.stones(next));
    // After the attacker's move the defender is the one to move.
    let (attacker, defender) = if attacking { (1, 0) } else { (0, 1) };
    let attack = material(reserves[attacker], stones[attacker]);
    let defence = DEFENDER_WEIGHT * material(reserves[defender], stones[defender]);
    if attacking {
        defence - attack
    } else {
        attack - defence
    }
}

/// The search for the shortest win, which can be interrupted.
pub(crate) struct ShortestWin<'a, R: Rules> {
    root: R::Board,
    search: Bounded<'a, R>,
    /// Nobody wins within fewer plies.
    length: u32,
}

impl<'a, R: Rules> ShortestWin<'a, R> {
    pub(crate) fn new(rules: &'a R, root: &R::Board, memory: usize) -> ShortestWin<'a, R> {
        ShortestWin {
            root: *root,
            search: Bounded::new(rules, memory),
            length: 1,
        }
    }

    /// Turns to another position; what is known of others stays.
    pub(crate) fn turn_to(&mut self, root: &R::Board) {
        self.root = *root;
        self.length = 1;
    }

    /// Positions expanded so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// Goes on for at most `slice` positions, or until it is `over`: whether the mover wins or
    /// the opponent, and in how many plies. If it is known who does, the other need not
    /// be asked.
    pub(crate) fn run(
        &mut self,
        most: u32,
        winner: Option<bool>,
        clock: &mut Clock,
        slice: u64,
        over: impl Fn() -> bool,
    ) -> Result<Option<(bool, u32)>, Stopped> {
        let end = self.search.nodes.saturating_add(slice);
        // A search that is stopped begins again at the root, so it is not stopped too often.
        let step = BOUNDED_LOOK.max(slice / BOUNDED_LOOKS_PER_TURN);
        loop {
            let left = end.saturating_sub(self.search.nodes);
            let found = self.look(most, winner, clock, left.min(step));
            if found.is_ok() || left <= step || clock.stopped() || over() {
                return found;
            }
        }
    }

    /// The same without looking whether it is over.
    fn look(
        &mut self,
        most: u32,
        winner: Option<bool>,
        clock: &mut Clock,
        slice: u64,
    ) -> Result<Option<(bool, u32)>, Stopped> {
        let end = self.search.nodes.saturating_add(slice);
        while self.length <= most.min(LONGEST_WIN) {
            let length = self.length;
            // A win takes an odd number of plies of the mover, an even one of the opponent.
            let mover = length % 2 == 1;
            if winner.is_none_or(|winner| winner == mover) {
                let left = end.saturating_sub(self.search.nodes);
                if self.search.wins(&self.root, mover, length, clock, left)? {
                    return Ok(Some((mover, length)));
                }
            }
            self.length += 1;
        }
        Ok(None)
    }
}
