//! Who wins, however long it takes.
//!
//! The search for the shortest win has to show of every shorter length that it is not
//! enough. Here the length does not matter: a proof-number search, depth first, goes where a
//! proof looks nearest, of a win of either side. Each position has two numbers, how much there
//! seems to be left to show that the player to move wins, and that he loses; who is to move
//! takes the easiest of his moves to win, and all of them have to be answered to show that he
//! loses.
//!
//! A number gets to 0 only by those of the successors, and from the ends of games, so whatever
//! led to a position, a proof is a proof. All other numbers are guesses: play can go round in
//! circles, and of positions that nobody wins the search finds out nothing.

use std::ops::ControlFlow;

use search::Clock;

use super::boards::Boards;
use super::table::Table;

/// What there is left to prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    /// That the player to move wins.
    win: u32,
    /// That the other one does.
    loss: u32,
}

/// The number of what cannot be proved, since the contrary has been.
const NEVER: u32 = 1 << 30;

/// No other number is larger.
const MOST: u32 = 1 << 26;

/// Marks a position that is being looked at, in the number of its win.
const ON_PATH: u32 = 1 << 31;

impl Numbers {
    const WON: Numbers = Numbers {
        win: 0,
        loss: NEVER,
    };

    const LOST: Numbers = Numbers {
        win: NEVER,
        loss: 0,
    };

    const UNKNOWN: Numbers = Numbers { win: 1, loss: 1 };

    /// Whether one of the numbers is as large as that.
    fn reach(self, limits: Numbers) -> bool {
        self.win >= limits.win || self.loss >= limits.loss
    }

    fn on_path(self) -> Numbers {
        Numbers {
            win: self.win | ON_PATH,
            ..self
        }
    }
}

/// The number of an even chance. Others are so many times larger or smaller as the square
/// root of the odds.
const EVEN: f64 = 64.0;

/// Larger and smaller chances count as this, in hundredths of a power of e.
const RANGE: i32 = 1000;

/// Of the numbers of moves that all have to be answered the largest counts, and the others
/// this much less: often they are answered by the same positions.
const OTHERS: u64 = 4;

/// Half-moves from the root that are followed at most.
const DEEPEST: u32 = 300;

/// Positions between two looks whether another search has its answer.
const LOOK_EVERY: u64 = 2_000;

/// A successor.
#[derive(Clone, Copy)]
struct Child<B> {
    board: B,
    key: u64,
    /// As they were seen last.
    numbers: Numbers,
    on_path: bool,
}

/// The numbers of a position, as they follow from its successors'.
struct Outcome {
    numbers: Numbers,
    /// Where to go on, and the limits of the numbers there.
    next: usize,
    limits: Numbers,
}

/// The search for a proof that a side wins.
pub(crate) struct Proof<'a, B: Boards> {
    boards: &'a B,
    root: B::Board,
    table: Table<Numbers>,
    /// The number for each chance, from the smallest.
    first: Vec<u32>,
    nodes: u64,
    /// Successors of all positions on the current path, one after the other.
    children: Vec<Child<B::Board>>,
}

/// The search has been stopped.
struct Stopped;

impl<'a, B: Boards> Proof<'a, B> {
    /// A search whose table takes at most so many bytes. The game is not over.
    pub(crate) fn new(boards: &'a B, root: &B::Board, memory: usize) -> Proof<'a, B> {
        let number = |chance: i32| (EVEN * (-f64::from(chance) / 200.0).exp()) as u32;
        Proof {
            boards,
            root: boards.canonical(root),
            table: Table::new(memory, Numbers::UNKNOWN),
            first: (-RANGE..=RANGE)
                .map(|chance| number(chance).max(1))
                .collect(),
            nodes: 0,
            children: Vec::new(),
        }
    }

    /// Positions looked at so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Goes on for at most `slice` positions, or until it is `over`: whether the player to
    /// move wins, or the other one, if that is found.
    pub(crate) fn run(
        &mut self,
        clock: &mut Clock,
        slice: u64,
        over: impl Fn() -> bool,
    ) -> Option<bool> {
        let end = self.nodes.saturating_add(slice);
        let key = self.boards.key(&self.root, true);
        let root = self.root;
        let mut limits = Numbers { win: 1, loss: 1 };
        loop {
            self.children.clear();
            let mut search = Search {
                pause_at: end.min(self.nodes + LOOK_EVERY),
                proof: self,
                clock,
            };
            match search.visit(&root, key, limits, 0) {
                Ok(Numbers { win: 0, .. }) => return Some(true),
                Ok(Numbers { loss: 0, .. }) => return Some(false),
                // Nothing can be learned from numbers that are all too large.
                Ok(Numbers { win, loss }) if win.max(loss) >= MOST => return None,
                Ok(Numbers { win, loss }) => {
                    limits = Numbers {
                        win: limits.win.max(2 * win).min(MOST),
                        loss: limits.loss.max(2 * loss).min(MOST),
                    };
                }
                Err(Stopped) if self.nodes >= end || clock.stopped() || over() => return None,
                Err(Stopped) => {}
            }
        }
    }

    /// The numbers of a position that has not been looked at yet.
    fn guess(&self, board: &B::Board) -> Numbers {
        if self.boards.wins_at_once(board) {
            return Numbers::WON;
        }
        let number = |chance: i32| self.first[(chance.clamp(-RANGE, RANGE) + RANGE) as usize];
        let [win, loss] = self.boards.chances(board).map(number);
        Numbers { win, loss }
    }
}

/// One stretch of the search.
struct Search<'s, 'a, B: Boards> {
    proof: &'s mut Proof<'a, B>,
    clock: &'s mut Clock,
    pause_at: u64,
}

impl<B: Boards> Search<'_, '_, B> {
    /// Goes on until one of the position's numbers reaches its limit, or it is decided.
    fn visit(
        &mut self,
        board: &B::Board,
        key: u64,
        limits: Numbers,
        depth: u32,
    ) -> Result<Numbers, Stopped> {
        if self.proof.nodes >= self.pause_at || self.clock.tick() {
            return Err(Stopped);
        }
        self.proof.nodes += 1;
        let start = self.proof.children.len();
        let answer = self.expand(board, key, limits, depth);
        self.proof.children.truncate(start);
        answer
    }

    fn expand(
        &mut self,
        board: &B::Board,
        key: u64,
        limits: Numbers,
        depth: u32,
    ) -> Result<Numbers, Stopped> {
        let start = self.proof.children.len();
        let mut won = self.list(board);
        loop {
            let decided = match won {
                true => Some(Numbers::WON),
                false => self.is_lost(start).then_some(Numbers::LOST),
            };
            if let Some(numbers) = decided {
                self.store(key, numbers);
                return Ok(numbers);
            }
            let outcome = self.combine(start, limits);
            let numbers = outcome.numbers;
            if numbers.reach(limits) {
                self.store(key, numbers);
                return Ok(numbers);
            }
            if depth == DEEPEST {
                // As if it had been tried in vain.
                self.store(key, limits);
                return Ok(limits);
            }
            self.store(key, numbers.on_path());
            let Child { board, key: to, .. } = self.proof.children[outcome.next];
            match self.visit(&board, to, outcome.limits, depth + 1) {
                // The table may forget it.
                Ok(numbers) => {
                    self.proof.children[outcome.next].numbers = numbers;
                    won = self.look_up(start);
                }
                Err(Stopped) => {
                    self.store(key, numbers);
                    return Err(Stopped);
                }
            }
        }
    }

    fn store(&mut self, key: u64, numbers: Numbers) {
        let table = &mut self.proof.table;
        *table.entry(key, Numbers::UNKNOWN, self.clock) = numbers;
    }

    /// Lists the successors, each once, or says that one of them wins.
    fn list(&mut self, board: &B::Board) -> bool {
        let boards = self.proof.boards;
        let children = &mut self.proof.children;
        let start = children.len();
        let won = boards.after_moves(board, |next| {
            if boards.is_over(&next) {
                return ControlFlow::Break(());
            }
            let board = boards.canonical(&next);
            let key = boards.key(&board, true);
            if children[start..].iter().all(|child| child.key != key) {
                children.push(Child {
                    board,
                    key,
                    numbers: Numbers::UNKNOWN,
                    on_path: false,
                });
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return true;
        }
        // All are looked up before any is guessed, so that the memory is not waited for each
        // time, and often it is not needed.
        if self.look_up(start) {
            return true;
        }
        let proof = &mut *self.proof;
        for at in start..proof.children.len() {
            if proof.children[at].numbers == Numbers::UNKNOWN {
                proof.children[at].numbers = proof.guess(&proof.children[at].board);
            }
        }
        false
    }

    /// Whether all successors are won for the opponent.
    fn is_lost(&self, start: usize) -> bool {
        let mut children = self.proof.children[start..].iter();
        children.all(|child| child.numbers.win == 0)
    }

    /// Sees what is known of the successors by now; whether one of them is lost.
    fn look_up(&mut self, start: usize) -> bool {
        let Proof {
            children, table, ..
        } = &mut *self.proof;
        for child in &mut children[start..] {
            if let Some(Numbers { win, loss }) = table.get(child.key) {
                child.on_path = win & ON_PATH != 0;
                let win = win & !ON_PATH;
                child.numbers = Numbers { win, loss };
            }
        }
        children[start..]
            .iter()
            .any(|child| child.numbers.loss == 0)
    }

    /// The numbers of a position, from those of its successors, which begin at `start`.
    fn combine(&self, start: usize, limits: Numbers) -> Outcome {
        let children = &self.proof.children;
        // The easiest win, and the next one; what has to be answered in all, and the most
        // that one of them takes.
        let (mut next, mut easiest, mut second) = (start, NEVER, NEVER);
        let (mut all, mut hardest, mut circles) = (0u64, 0, false);
        for (at, child) in children.iter().enumerate().skip(start) {
            let Numbers { win, loss } = child.numbers;
            all += u64::from(win);
            hardest = hardest.max(win);
            if child.on_path {
                circles = true;
            } else if loss < easiest {
                (next, easiest, second) = (at, loss, easiest);
            } else {
                second = second.min(loss);
            }
        }
        if circles && easiest == NEVER {
            // Going round in circles does not win: enough of this for now.
            easiest = limits.win;
        }
        let numbers = Numbers {
            win: easiest.min(MOST),
            loss: weigh(hardest, all),
        };
        let own = children[next].numbers.win;
        let others = children.iter().enumerate().skip(start);
        let others = others.filter(|(at, _)| *at != next);
        let hardest = others.map(|(_, child)| child.numbers.win).max();
        Outcome {
            numbers,
            next,
            limits: Numbers {
                win: weigh_back(limits.loss, hardest.unwrap_or(0), all - u64::from(own))
                    .max(own + 1),
                // A little more than the next best, so as not to go to and fro.
                loss: limits.win.min(second + second / 2 + 1),
            },
        }
    }
}

/// The number for answering all moves: the largest of theirs, and all of them.
fn weigh(hardest: u32, all: u64) -> u32 {
    let others = (all - u64::from(hardest)) / OTHERS;
    (u64::from(hardest) + others).min(u64::from(MOST)) as u32
}

/// The least number of one move for which all together get to `wanted`, given the largest
/// number and the sum of the others.
fn weigh_back(wanted: u32, hardest: u32, others: u64) -> u32 {
    let (wanted, hardest) = (u64::from(wanted), u64::from(hardest));
    let as_hardest = wanted.saturating_sub(others / OTHERS);
    let least = if as_hardest > hardest {
        as_hardest
    } else {
        (OTHERS * wanted.saturating_sub(hardest)).saturating_sub(others - hardest)
    };
    least.min(u64::from(MOST)) as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use gipf::Position;
    use search::Limits;

    use super::super::boards::{Plain, Small};
    use super::*;

    /// Who wins each of the positions that can arise from one: by going over all of them
    /// again and again, until nothing new comes of it.
    fn slowly<B: Boards>(boards: &B, root: &B::Board) -> Vec<(B::Board, Option<bool>)> {
        let mut numbers = HashMap::new();
        let mut positions = vec![boards.canonical(root)];
        numbers.insert(boards.key(&positions[0], true), 0);
        let (mut successors, mut at) = (Vec::new(), 0);
        while at < positions.len() {
            let mut list = Vec::new();
            let over = boards.after_moves(&positions[at].clone(), |next| {
                if boards.is_over(&next) {
                    return ControlFlow::Break(());
                }
                let next = boards.canonical(&next);
                let number = *numbers.entry(boards.key(&next, true)).or_insert_with(|| {
                    positions.push(next);
                    positions.len() - 1
                });
                list.push(number);
                ControlFlow::Continue(())
            });
            successors.push((over.is_break(), list));
            at += 1;
        }
        let mut wins: Vec<Option<bool>> = vec![None; positions.len()];
        loop {
            let before = wins.clone();
            for (at, (over, list)) in successors.iter().enumerate() {
                if *over || list.iter().any(|&next| wins[next] == Some(false)) {
                    wins[at] = Some(true);
                } else if list.iter().all(|&next| wins[next] == Some(true)) {
                    wins[at] = Some(false);
                }
            }
            if wins == before {
                return positions.into_iter().zip(wins).collect();
            }
        }
    }

    /// Counts the wins, the losses and the ties among the positions that were compared.
    fn check<B: Boards>(boards: &B, root: &B::Board, counts: &mut [u32; 3]) {
        let positions = slowly(boards, root);
        let step = positions.len() / 60 + 1;
        for (number, (position, expected)) in positions.iter().step_by(step).enumerate() {
            let mut proof = Proof::new(boards, position, 1 << (12 + number % 9));
            let mut clock = Clock::start(&Limits::default());
            // In one go, or stopped again and again.
            let slice = [3_000, 40][number % 2];
            let found = (0..6_000 / slice).find_map(|_| {
                let before = proof.nodes();
                let found = proof.run(&mut clock, slice, || false);
                assert!(proof.nodes() - before <= slice);
                found
            });
            assert_eq!(found, *expected, "{number} of {}", positions.len());
            counts[expected.map_or(2, usize::from)] += 1;
        }
    }

    #[test]
    fn agrees_with_the_slow_twin() {
        let mut counts = [0; 3];
        for variant in ["2 2 4 4", "2 2 5 5", "2 3 5 5", "3 4 5 5", "3 5 5 5"] {
            let position: Position = variant.parse().unwrap();
            let (small, board) = Small::new(&position).unwrap();
            check(&small, &board, &mut counts);
            let plain = Plain::new(position.variant());
            check(&plain, &position, &mut counts);
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }

    #[test]
    fn long_wins_are_found() {
        // Black wins in 18 half-moves.
        let position: Position = "3 4 8 8".parse().unwrap();
        let (boards, board) = Small::new(&position).unwrap();
        let mut proof = Proof::new(&boards, &board, 1 << 24);
        let mut clock = Clock::start(&Limits::default());
        assert_eq!(proof.run(&mut clock, 200_000, || false), Some(false));
    }

    #[test]
    fn one_number_gets_all_to_the_limit() {
        for wanted in [1, 10, 77, 1000, 30_000] {
            for others in [vec![], vec![0], vec![3], vec![500, 2], vec![90, 90, 90, 7]] {
                let hardest = others.iter().copied().max().unwrap_or(0);
                let sum = others.iter().copied().map(u64::from).sum();
                let all = |own: u32| weigh(hardest.max(own), sum + u64::from(own));
                let least = weigh_back(wanted, hardest, sum);
                assert!(all(least) >= wanted, "{wanted} {others:?}");
                assert!(least == 0 || all(least - 1) < wanted, "{wanted} {others:?}");
            }
        }
    }
}
