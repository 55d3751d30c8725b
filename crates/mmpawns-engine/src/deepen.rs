//! Iterative deepening: alpha–beta on an estimate, with exact distances where it sees
//! the end.

use mmpawns::{LAST_PLY, Position};
use rules::WIN;
use search::{Bound, Clock, Limits, from_table, to_table};

use crate::arena::{Arena, Judgement, side};
use crate::board::{Board, Child, MOST_MOVES};
use crate::eval;
use crate::value_table::{Entry, ValueTable};

/// Values from here on are wins that have been seen to the end.
pub(crate) const SURE: i32 = WIN - 1000;

/// The searcher. It keeps what it has found about a field for later questions.
pub(crate) struct Deepener {
    table: ValueTable,
    arena: Arena,
    history: Box<[[u32; 64]; 64]>,
    killers: [[(u8, u8); 2]; 64],
}

/// A root move, its value so far and how deep that was looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) child: Child,
    pub(crate) value: i32,
}

/// What deepening found: the candidates, the best first, at the last full depth.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// Where in the tree a node is: the board before ply `number`, `ply` plies
/// from the root, to be looked at `depth` plies deep.
#[derive(Clone, Copy)]
struct Place {
    board: Board,
    number: u32,
    ply: u32,
    depth: u32,
}

/// The children of a position with a number to order them by.
struct Ordered {
    children: [(u32, Child); MOST_MOVES],
    count: usize,
}

impl Ordered {
    /// Takes out the child with the highest number.
    fn next(&mut self) -> Option<Child> {
        let rest = &mut self.children[..self.count];
        let best = (0..rest.len()).max_by_key(|&i| rest[i].0)?;
        rest.swap(best, self.count - 1);
        self.count -= 1;
        Some(self.children[self.count].1)
    }
}

impl Deepener {
    pub(crate) fn new(bytes: usize) -> Deepener {
        Deepener {
            table: ValueTable::new(bytes),
            arena: Arena::default(),
            history: Box::new([[0; 64]; 64]),
            killers: [[(0, 0); 2]; 64],
        }
    }

    /// Looks deeper and deeper at the given children of a position (all its moves, or
    /// those worth a look), at least one ply deep, until the limits are reached or
    /// the value is sure.
    pub(crate) fn search(
        &mut self,
        position: &Position,
        children: &[Child],
        limits: &Limits,
    ) -> Found {
        let arena = Arena::of(position);
        if arena != self.arena {
            self.arena = arena;
            self.table.clear();
        }
        self.history.iter_mut().flatten().for_each(|h| *h /= 8);
        let mut clock = Clock::start(limits);
        let number = position.number();
        let field = arena.field(number + 1);
        let mut candidates: Vec<Candidate> = children
            .iter()
            .map(|&child| Candidate {
                child,
                value: match arena.judge(child.board, number + 1) {
                    Judgement::Win(n) => n as i32 + 1 - WIN,
                    Judgement::Loss(n) => WIN - n as i32 - 1,
                    Judgement::Draw => 0,
                    Judgement::Open => -eval::estimate(child.board, field),
                },
            })
            .collect();
        candidates.sort_by_key(|c| -c.value);
        let last = LAST_PLY + 1 - number;
        let most = limits.depth.unwrap_or(last).min(last);
        let mut depth = 0;
        while depth < most {
            let before = candidates.clone();
            let best = self.root(&mut candidates, number, depth + 1, &mut clock);
            if clock.stopped() {
                // What was looked at before the best of the last depth is no use, and that some
                // moves lose proves nothing.
                if best.is_none_or(|value| value <= -SURE) {
                    candidates = before;
                }
                break;
            }
            depth += 1;
            candidates.sort_by_key(|c| -c.value);
            let value = candidates.first().map_or(0, |c| c.value);
            // A win this short cannot be bettered by looking further; nor can a loss.
            if value.abs() >= SURE && WIN - value.abs() <= depth as i32 {
                break;
            }
        }
        Found {
            candidates,
            depth,
            nodes: clock.nodes(),
        }
    }

    /// One depth: gives the value of the best; the others keep a bound below it.
    /// `None` if even the first was not finished.
    fn root(
        &mut self,
        candidates: &mut [Candidate],
        number: u32,
        depth: u32,
        clock: &mut Clock,
    ) -> Option<i32> {
        let mut alpha = -WIN;
        let mut done = None;
        for i in 0..candidates.len() {
            let at = Place {
                board: candidates[i].child.board,
                number: number + 1,
                ply: 1,
                depth: depth - 1,
            };
            let mut value = alpha;
            if done.is_some() {
                value = -self.node(at, -alpha - 1, -alpha, clock);
            }
            if done.is_none() || value > alpha {
                value = -self.node(at, -WIN, -alpha, clock);
            }
            if clock.stopped() {
                if done.is_some() {
                    // The unfinished ones are worth less than the best, as far as is known.
                    candidates[i..]
                        .iter_mut()
                        .for_each(|c| c.value = c.value.min(alpha - 1));
                    candidates[..].sort_by_key(|c| -c.value);
                }
                return done;
            }
            candidates[i].value = if done.is_some() && value <= alpha {
                // Only a bound: keep it behind the best.
                value.min(alpha - 1)
            } else {
                value
            };
            if value > alpha || done.is_none() {
                alpha = alpha.max(value);
                done = Some(alpha);
            }
        }
        done
    }

    /// The value of a position for the player to move, within the window; wins count
    /// their plies from the root, `ply` of which are behind.
    fn node(&mut self, at: Place, mut alpha: i32, beta: i32, clock: &mut Clock) -> i32 {
        let Place {
            board,
            number,
            ply,
            depth,
        } = at;
        if clock.tick() {
            return 0;
        }
        // What the value surely is at least and at most; there may be a shorter way.
        let mut sure = (-WIN, WIN);
        match self.arena.judge(board, number) {
            Judgement::Win(0) => return WIN - ply as i32,
            Judgement::Loss(0) => return ply as i32 - WIN,
            Judgement::Draw => return 0,
            Judgement::Win(n) => {
                let least = WIN - (ply + n) as i32;
                if least >= beta || depth == 0 {
                    return least;
                }
                sure.0 = least;
            }
            Judgement::Loss(n) => {
                let most = (ply + n) as i32 - WIN;
                if most <= alpha || depth == 0 {
                    return most;
                }
                sure.1 = most;
            }
            Judgement::Open if depth == 0 => {
                return eval::estimate(board, self.arena.field(number));
            }
            Judgement::Open => {}
        }
        let key = self.arena.key(board, number, 0).whole;
        let known = self.table.get(key);
        let mut hint = (64, 64);
        if let Some(entry) = known {
            hint = (entry.from, entry.to);
            let value = from_table(entry.value, ply as usize);
            // A sure result holds at any depth.
            if u32::from(entry.depth) >= depth || value.abs() >= SURE {
                let cut = match entry.bound {
                    Bound::Exact => u32::from(entry.depth) >= depth,
                    Bound::Lower => {
                        value >= beta && (value >= SURE || u32::from(entry.depth) >= depth)
                    }
                    Bound::Upper => {
                        value <= alpha && (value <= -SURE || u32::from(entry.depth) >= depth)
                    }
                };
                if cut {
                    return value;
                }
            }
        }
        let mut ordered = self.order(board, number, ply, hint);
        let first_alpha = alpha;
        let (mut best, mut from, mut to) = (-WIN, 0, 0);
        let mut late = false;
        while let Some(child) = ordered.next() {
            let next = Place {
                board: child.board,
                number: number + 1,
                ply: ply + 1,
                depth: depth - 1,
            };
            let mut value = alpha;
            if late {
                value = -self.node(next, -alpha - 1, -alpha, clock);
            }
            if !late || value > alpha && value < beta {
                value = -self.node(next, -beta, -alpha, clock);
            }
            late = true;
            if clock.stopped() {
                return 0;
            }
            if value > best {
                (best, from, to) = (value, child.from, child.to);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.history[from as usize][to as usize] += depth * depth;
                let killers = &mut self.killers[ply as usize & 63];
                if killers[0] != (from, to) {
                    *killers = [(from, to), killers[0]];
                }
                break;
            }
        }
        best = best.clamp(sure.0, sure.1);
        let bound = Bound::of(best, [first_alpha, beta]);
        let entry = Entry {
            value: to_table(best, ply as usize),
            depth: depth as u8,
            bound,
            from,
            to,
        };
        self.table.put(key, entry);
        best
    }

    fn order(&self, board: Board, number: u32, ply: u32, hint: (u8, u8)) -> Ordered {
        let empty = Child {
            board,
            from: 0,
            to: 0,
        };
        let mut ordered = Ordered {
            children: [(0, empty); MOST_MOVES],
            count: 0,
        };
        let killers = self.killers[ply as usize & 63];
        let turn = [0, 56][side(number).index()];
        board.each_child(self.arena.field(number), |child| {
            let mv = (child.from, child.to);
            let jump = child.from - child.to > 9;
            let rank = if mv == hint {
                u32::MAX
            } else if jump {
                1 << 30
            } else if mv == killers[0] {
                1 << 29
            } else if mv == killers[1] {
                1 << 28
            } else {
                let (from, to) = (child.from ^ turn, child.to ^ turn);
                self.history[from as usize][to as usize].min(1 << 27)
            };
            ordered.children[ordered.count] = (rank, child);
            ordered.count += 1;
        });
        ordered
    }
}
