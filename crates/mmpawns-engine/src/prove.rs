//! The prover: proof-number search, depth first, on a table.

use mmpawns::Position;
use rules::{Game, Side};
use search::{Clock, Limits};

use crate::arena::{Arena, Glance, side};
use crate::board::{Board, Child, MOST_MOVES};
use crate::eval;
use crate::table::{INFINITE, Numbers, Table};

/// Who wins, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The player to move wins.
    Win,
    /// Nobody can win.
    Draw,
    /// The opponent wins.
    Loss,
}

impl Value {
    /// A positive number is a win, a negative one a loss.
    pub(crate) const fn of(sign: i32) -> Value {
        match sign {
            1.. => Value::Win,
            0 => Value::Draw,
            _ => Value::Loss,
        }
    }

    /// The same game seen by the opponent.
    #[must_use]
    pub const fn for_opponent(self) -> Value {
        match self {
            Value::Win => Value::Loss,
            Value::Draw => Value::Draw,
            Value::Loss => Value::Win,
        }
    }
}

/// A prover of who wins. It keeps what it has found about a field for later questions.
pub struct Prover {
    table: Table,
    arena: Arena,
    clock: Clock,
    /// Who is given the drawn games in the present question.
    draws_for: Side,
    /// Whether any game drawn by its length has been met on this field.
    met_draw: bool,
}

/// A position after one move, with what is known of it.
#[derive(Clone, Copy)]
struct Branch {
    board: Board,
    key: u64,
    numbers: Numbers,
}

/// Numbers are multiples of this, so that small differences of estimate count.
const UNIT: u32 = 16;

impl Prover {
    /// A prover with a table of at most so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Prover {
        Prover {
            table: Table::new(bytes),
            arena: Arena::default(),
            clock: Clock::start(&Limits::default()),
            draws_for: Side::First,
            met_draw: false,
        }
    }

    /// Positions expanded since the last question.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.clock.nodes()
    }

    /// Who wins from here, if that is found within the limits.
    pub fn prove(&mut self, position: &Position, limits: &Limits) -> Option<Value> {
        let side = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return Some(Value::of(outcome.sign_for(side)));
        }
        self.enter(position);
        self.clock = Clock::start(limits);
        // Does the player to move win? If not, and no drawn game was met on the way,
        // the opponent does.
        let board = Board::of(position);
        if self.ask(board, position.number(), !side)? {
            return Some(Value::Win);
        }
        if !self.met_draw {
            return Some(Value::Loss);
        }
        let holds = self.ask(board, position.number(), side)?;
        Some(if holds { Value::Draw } else { Value::Loss })
    }

    /// Forgets what belongs to another field.
    fn enter(&mut self, position: &Position) {
        let arena = Arena::of(position);
        if arena != self.arena {
            self.arena = arena;
            self.table.clear();
            self.met_draw = false;
        }
    }

    /// What is already known about a position of the field last asked about.
    #[must_use]
    pub fn known(&self, position: &Position) -> Option<Value> {
        let side = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return Some(Value::of(outcome.sign_for(side)));
        }
        let (board, number) = (Board::of(position), position.number());
        match self.arena.glance(board, number) {
            Glance::Win(_) => return Some(Value::Win),
            Glance::Loss(_) => return Some(Value::Loss),
            Glance::Draw | Glance::Open => {}
        }
        match (self.wins(position, !side), self.wins(position, side)) {
            (Some(true), _) => Some(Value::Win),
            (_, Some(false)) => Some(Value::Loss),
            (Some(false), Some(true)) => Some(Value::Draw),
            (Some(false), None) if !self.met_draw => Some(Value::Loss),
            _ => None,
        }
    }

    /// Whether it is already known that the player to move cannot win.
    #[must_use]
    pub fn known_not_won(&self, position: &Position) -> bool {
        match self.known(position) {
            Some(value) => value != Value::Win,
            None => self.wins(position, !position.side_to_move()) == Some(false),
        }
    }

    /// What the table says of a game that goes on, with drawn games given to one side.
    fn wins(&self, position: &Position, draws_for: Side) -> Option<bool> {
        let (board, number) = (Board::of(position), position.number());
        let key = self.arena.key(board, number, draws_for.index() as u64);
        match self.table.get(key)? {
            Numbers { win: 0, .. } => Some(true),
            Numbers { loss: 0, .. } => Some(false),
            _ => None,
        }
    }

    #[inline]
    fn question(&self) -> u64 {
        self.draws_for.index() as u64
    }

    /// Whether the player to move wins when drawn games count for `draws_for`.
    fn ask(&mut self, board: Board, number: u32, draws_for: Side) -> Option<bool> {
        self.draws_for = draws_for;
        let numbers = match self.arena.glance(board, number) {
            Glance::Win(_) => Numbers::WON,
            Glance::Loss(_) => Numbers::LOST,
            Glance::Draw | Glance::Open => {
                let most = Numbers {
                    win: INFINITE,
                    loss: INFINITE,
                };
                self.search(board, number, most)
            }
        };
        match numbers {
            Numbers { win: 0, .. } => Some(true),
            Numbers { loss: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// The first numbers of a position, by its estimate.
    #[inline]
    fn guess(&self, board: Board, number: u32) -> Numbers {
        let estimate = eval::estimate(board, self.arena.field(number));
        let scale = |x: i32| {
            let x = (x as f32 / 100.0).clamp(-6.0, 6.0);
            (UNIT as f32 * (x * 0.5).exp2()) as u32 + 1
        };
        Numbers {
            win: scale(-estimate),
            loss: scale(estimate),
        }
    }

    /// Searches below a position until one of its numbers reaches the threshold.
    fn search(&mut self, board: Board, number: u32, most: Numbers) -> Numbers {
        let start = self.clock.nodes();
        let key = self.arena.key(board, number, self.question());
        if self.clock.tick() {
            return Numbers { win: 1, loss: 1 };
        }
        let mut branches = [Branch {
            board,
            key: 0,
            numbers: Numbers::WON,
        }; MOST_MOVES];
        let mut count = 0;
        let mut won = false;
        let mut children = [Child {
            board,
            from: 0,
            to: 0,
        }; MOST_MOVES];
        let mut total = 0;
        board.each_child(self.arena.field(number), |child| {
            children[total] = child;
            total += 1;
        });
        for child in &children[..total] {
            match self.arena.glance(child.board, number + 1) {
                Glance::Loss(_) => {
                    won = true;
                    break;
                }
                Glance::Win(_) => {}
                Glance::Draw => {
                    self.met_draw = true;
                    if self.draws_for == side(number) {
                        won = true;
                        break;
                    }
                }
                Glance::Open => {
                    let key = self.arena.key(child.board, number + 1, self.question());
                    self.table.prefetch(key);
                    branches[count] = Branch {
                        board: child.board,
                        key,
                        numbers: Numbers::WON,
                    };
                    count += 1;
                }
            }
        }
        let branches = &mut branches[..count];
        let result = if won {
            Numbers::WON
        } else {
            for branch in branches.iter_mut() {
                branch.numbers = match self.table.get(branch.key) {
                    Some(numbers) => numbers,
                    None => self.guess(branch.board, number + 1),
                };
            }
            self.select(branches, number, most)
        };
        if !self.clock.stopped() {
            self.table.put(key, result, self.clock.nodes() - start);
        }
        result
    }

    /// Searches the most promising branch until the numbers of the whole reach `most`.
    fn select(&mut self, branches: &mut [Branch], number: u32, most: Numbers) -> Numbers {
        loop {
            // The whole is won by the branch that the opponent loses most easily; it is
            // lost if he wins them all.
            let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
            let (mut hardest, mut open) = (0, 0);
            for (i, branch) in branches.iter().enumerate() {
                let Numbers { win, loss } = branch.numbers;
                if loss < least {
                    (second, least, best) = (least, loss, i);
                } else if loss < second {
                    second = loss;
                }
                if win > 0 {
                    hardest = hardest.max(win);
                    open += 1;
                }
            }
            if least == 0 {
                return Numbers::WON;
            }
            if open == 0 {
                return Numbers::LOST;
            }
            // Branches often share positions, so a sum would count much twice: the
            // hardest branch stands for all, with a little for each other one.
            let rest = (open - 1) * UNIT;
            let whole = Numbers {
                win: least,
                loss: (hardest + rest).min(INFINITE - 1),
            };
            if whole.win >= most.win || whole.loss >= most.loss {
                return whole;
            }
            let branch = branches[best];
            let below = Numbers {
                win: most.loss - rest,
                loss: most.win.min(second + second / 4 + 1),
            };
            let numbers = self.search(branch.board, number + 1, below);
            if self.clock.stopped() {
                return numbers;
            }
            branches[best].numbers = numbers;
        }
    }
}
