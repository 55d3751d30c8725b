//! The prover: proof-number search, depth first, on a table.

use isa::Available;
use mmpawns::Position;
use rules::{Game, Side};
use search::{Clock, Limits};

use crate::arena::{Arena, Glance, side};
use crate::board::Board;
use crate::family::{Asked, Family};
use crate::table::{INFINITE, Numbers, Table};
use crate::train::Sample;

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
    pub(crate) table: Table,
    /// The instruction set for batches of children.
    isa: Available,
    pub(crate) arena: Arena,
    /// Positions expanded for the last question.
    nodes: u64,
    /// Who is given the drawn games in the present question.
    draws_for: Side,
    /// Whether any game drawn by its length has been met on this field.
    met_draw: bool,
    /// Some of the positions solved, when they are wanted.
    samples: Option<Vec<Sample>>,
}

/// Numbers are multiples of this, so that small differences of estimate count.
pub(crate) const UNIT: u32 = 64;

impl Prover {
    /// A prover with a table of at most so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Prover {
        Prover {
            table: Table::new(bytes),
            isa: Available::best(),
            arena: Arena::default(),
            nodes: 0,
            draws_for: Side::First,
            met_draw: false,
            samples: None,
        }
    }

    /// From now on keeps some of the positions it solves.
    pub(crate) fn collect_samples(&mut self) {
        self.samples = Some(Vec::new());
    }

    /// The positions kept since the last time.
    pub(crate) fn take_samples(&mut self) -> Vec<Sample> {
        self.samples.as_mut().map_or_else(Vec::new, std::mem::take)
    }

    /// Positions expanded for the last question.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins from here, if that is found within the limits.
    pub fn prove(&mut self, position: &Position, limits: &Limits) -> Option<Value> {
        let side = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return Some(Value::of(outcome.sign_for(side)));
        }
        self.enter(position);
        let mut clock = Clock::start(limits);
        let value = self.answer(position, &mut clock);
        self.nodes = clock.nodes();
        value
    }

    fn answer(&mut self, position: &Position, clock: &mut Clock) -> Option<Value> {
        // Does the player to move win? If not, and no drawn game was met on the way,
        // the opponent does.
        let (board, side) = (Board::of(position), position.side_to_move());
        if self.ask(board, position.number(), !side, clock)? {
            return Some(Value::Win);
        }
        if !self.met_draw {
            return Some(Value::Loss);
        }
        let holds = self.ask(board, position.number(), side, clock)?;
        Some(if holds { Value::Draw } else { Value::Loss })
    }

    /// Forgets what belongs to another field.
    fn enter(&mut self, position: &Position) {
        let arena = Arena::of(position);
        if arena != self.arena {
            self.forget();
            self.arena = arena;
        }
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.table.clear();
        self.met_draw = false;
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
        self.table.get(key.whole)?.decided()
    }

    #[inline]
    pub(crate) fn question(&self) -> u64 {
        self.draws_for.index() as u64
    }

    /// Whether the player to move wins when drawn games count for `draws_for`.
    fn ask(
        &mut self,
        board: Board,
        number: u32,
        draws_for: Side,
        clock: &mut Clock,
    ) -> Option<bool> {
        self.draws_for = draws_for;
        let numbers = match self.arena.glance(board, number) {
            Glance::Win(_) => Numbers::WON,
            Glance::Loss(_) => Numbers::LOST,
            Glance::Draw | Glance::Open => {
                let most = Numbers {
                    win: INFINITE,
                    loss: INFINITE,
                };
                self.search(board, number, most, clock)
            }
        };
        numbers.decided()
    }

    /// Searches below a position until one of its numbers reaches the threshold.
    pub(crate) fn search(
        &mut self,
        board: Board,
        number: u32,
        most: Numbers,
        clock: &mut Clock,
    ) -> Numbers {
        let start = clock.nodes();
        let key = self.arena.key(board, number, self.question());
        if clock.tick() {
            return Numbers { win: 1, loss: 1 };
        }
        let mut family = self.family(board, number);
        let winning = (0..family.count).find(|&i| {
            family.numbers[i] = self.first_numbers(&family, i, number + 1);
            family.numbers[i].loss == 0
        });
        let result = match winning {
            Some(i) => Numbers::won_by(board.move_to(family.boards[i])),
            None => self.select(board, &mut family, number, most, clock),
        };
        if !clock.stopped() {
            let work = clock.nodes() - start;
            self.table.put(key, result, work);
            if let Some(samples) = &mut self.samples
                && (result.win == 0 || result.loss == 0)
                && key.whole & if work > 16 { 0 } else { 7 } == 0
            {
                samples.push(Sample {
                    board,
                    field: self.arena.field(number),
                    won: result.win == 0,
                });
            }
        }
        result
    }

    /// All moves of a position; one copy of this long code is enough.
    #[inline(never)]
    pub(crate) fn family(&self, board: Board, number: u32) -> Family {
        let asked = Asked {
            arena: &self.arena,
            board,
            number,
            question: self.question(),
            table: &self.table,
        };
        self.isa.call(asked)
    }

    /// What the table, a glance or else the estimate says of a branch.
    #[inline]
    pub(crate) fn first_numbers(&mut self, family: &Family, i: usize, number: u32) -> Numbers {
        let (board, key) = (family.boards[i], family.keys[i]);
        if family.known >> i & 1 != 0
            && let Some(numbers) = self.table.get(key.whole)
        {
            return numbers;
        }
        if family.sharp >> i & 1 == 0 {
            return guess(family.estimates[i], family.steps[i]);
        }
        match self.arena.glance(board, number) {
            Glance::Win(_) => Numbers::WON,
            Glance::Loss(_) => Numbers::LOST,
            Glance::Open => guess(family.estimates[i], family.steps[i]),
            Glance::Draw => {
                self.met_draw = true;
                if self.draws_for == side(number) {
                    Numbers::WON
                } else {
                    Numbers::LOST
                }
            }
        }
    }

    /// Searches the most promising branch until the numbers of the whole reach `most`.
    fn select(
        &mut self,
        board: Board,
        family: &mut Family,
        number: u32,
        most: Numbers,
        clock: &mut Clock,
    ) -> Numbers {
        loop {
            // The whole is won by the branch that the opponent loses most easily; it is
            // lost if he wins them all.
            let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
            let mut all = Together::default();
            for (i, &Numbers { win, loss }) in family.numbers[..family.count].iter().enumerate() {
                if loss < least {
                    (second, least, best) = (least, loss, i);
                } else if loss < second {
                    second = loss;
                }
                all.add(win);
            }
            if least == 0 {
                return Numbers::won_by(board.move_to(family.boards[best]));
            }
            if all.sum == 0 {
                return Numbers::LOST;
            }
            let whole = Numbers {
                win: least,
                loss: all.effort(),
            };
            if whole.win >= most.win || whole.loss >= most.loss {
                return whole;
            }
            // A little beyond the second best, lest two take turns all the time.
            let below = Numbers {
                win: all.most_of_one(family.numbers[best].win, most.loss - whole.loss),
                loss: most.win.min(second + second / 3 + 1),
            };
            let numbers = self.search(family.boards[best], number + 1, below, clock);
            if clock.stopped() {
                return numbers;
            }
            family.numbers[best] = numbers;
            if numbers.win == 0 {
                self.imitate_in(family, best, number + 1, clock);
            }
        }
    }

    /// After the opponent has been seen to win by one branch, tries the same against the
    /// others that are open.
    fn imitate_in(&mut self, family: &mut Family, model: usize, number: u32, clock: &mut Clock) {
        for i in 0..family.count {
            if family.numbers[i].decided().is_none()
                && self.imitate(family.boards[model], family.boards[i], number, clock)
            {
                family.numbers[i] = Numbers::WON;
            }
        }
    }
}

/// The numbers of branches that must all be refuted. They lead to many positions in
/// common, so only the largest counts whole, and of each other four sixteenths.
#[derive(Clone, Copy, Default)]
struct Together {
    sum: u32,
    largest: u32,
}

const SHARED: u32 = 4;

impl Together {
    #[inline]
    fn add(&mut self, number: u32) {
        self.sum = (self.sum + number).min(INFINITE);
        self.largest = self.largest.max(number);
    }

    /// The number of all together.
    #[inline]
    fn effort(self) -> u32 {
        let rest = self.sum - self.largest;
        (self.largest + rest / 16 * SHARED + rest % 16 * SHARED / 16).min(INFINITE - 1)
    }

    /// What the branch with this number may come to until that of all has grown by `room`.
    #[inline]
    fn most_of_one(self, number: u32, room: u32) -> u32 {
        let below = self.largest - number;
        let until_largest = below / 16 * SHARED + below % 16 * SHARED / 16;
        let most = if room > until_largest {
            self.largest + (room - until_largest)
        } else {
            (number + room / SHARED * 16 + room % SHARED * 16 / SHARED).min(self.largest)
        };
        most.clamp(number + 1, INFINITE)
    }
}

/// Estimates that double a number; those beyond eight doublings count no further, and
/// differences below the grain do not count at all.
const STEP: i32 = 300;
const FURTHEST: i32 = 8 * STEP;
const GRAIN: i32 = 10;

/// The first numbers of a position, by its estimate and by the number of squares that its
/// player can step to: the more moves there are, the more there is to refute.
#[inline]
fn guess(estimate: i32, steps: u8) -> Numbers {
    let scale = |x: i32| SCALE[((x.clamp(-FURTHEST, FURTHEST) + FURTHEST) / GRAIN) as usize];
    Numbers {
        win: scale(-estimate),
        loss: (scale(estimate) * (u32::from(steps) + 1) / 8).max(1),
    }
}

/// Two to the power of the estimate, with straight lines between whole powers.
static SCALE: [u32; (2 * FURTHEST / GRAIN) as usize + 1] = {
    let mut scale = [0; (2 * FURTHEST / GRAIN) as usize + 1];
    let mut x = 0;
    while x < scale.len() {
        let step = (STEP / GRAIN) as usize;
        let number = (UNIT * 256 * (step + x % step) as u32 / step as u32) << (x / step) >> 16;
        scale[x] = if number == 0 { 1 } else { number };
        x += 1;
    }
    scale
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_branch_may_grow_until_all_have_no_room() {
        let whole = |numbers: &[u32]| {
            let mut all = Together::default();
            numbers.iter().for_each(|&number| all.add(number));
            all
        };
        for numbers in [[40, 7, 900], [900, 900, 1], [5, 5, 5], [1, 2000, 30]] {
            for room in [1, 10, 100, 1000] {
                for i in 0..3 {
                    let before = whole(&numbers).effort();
                    let most = whole(&numbers).most_of_one(numbers[i], room);
                    let mut after = numbers;
                    after[i] = most;
                    let grown = whole(&after).effort() - before;
                    assert!(
                        grown.abs_diff(room) <= 2,
                        "{numbers:?} {i}: {grown} of {room}"
                    );
                }
            }
        }
    }
}
