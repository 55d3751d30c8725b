//! The prover: depth-first proof-number search with a transposition table.

use isa::Available;
use mmpawns::Position;
use rules::{Game, Side};
use search::proof_number::{self, Child, Effort, INFINITE, ProofNumbers, ProofTree, Stopped};
use search::{Clock, Distance, Limits, Score};

use crate::arena::{Arena, Judgement, Key, side};
use crate::batch::{Asked, ChildBatch};
use crate::board::Board;
use crate::proof_table::{ProofTable, won_by};
use crate::training::Sample;

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

impl From<Value> for Score {
    fn from(value: Value) -> Score {
        match value {
            Value::Win => Score::Win(Distance::Unknown),
            Value::Draw => Score::Draw,
            Value::Loss => Score::Loss(Distance::Unknown),
        }
    }
}

/// A prover of who wins. It keeps what it has found about a field for later questions.
pub struct Prover {
    pub(crate) table: ProofTable,
    /// The instruction set for child batches.
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

/// The first numbers of an even position: large, so that small differences of estimate count.
pub(crate) const EVEN: u32 = 64;

impl Prover {
    /// A prover with a table of at most so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Prover {
        Prover {
            table: ProofTable::new(bytes),
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
        match self.arena.judge(board, number) {
            Judgement::Win(_) => return Some(Value::Win),
            Judgement::Loss(_) => return Some(Value::Loss),
            Judgement::Draw | Judgement::Open => {}
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
        match self.arena.judge(board, number) {
            Judgement::Win(_) => Some(true),
            Judgement::Loss(_) => Some(false),
            Judgement::Draw | Judgement::Open => {
                let thresholds = ProofNumbers {
                    proof: INFINITE,
                    disproof: INFINITE,
                };
                let node = Node {
                    board,
                    number,
                    key: self.arena.key(board, number, self.question()),
                };
                self.search(node, thresholds, clock).ok()?.decided()
            }
        }
    }

    /// Searches below a position until one of its numbers reaches its threshold.
    pub(crate) fn search(
        &mut self,
        node: Node,
        thresholds: ProofNumbers,
        clock: &mut Clock,
    ) -> Result<ProofNumbers, Stopped> {
        let prover = self;
        proof_number::search(&mut Tree { prover, clock }, node, thresholds, 0)
    }

    /// All children of a position; one copy of this long code is enough.
    #[inline(never)]
    pub(crate) fn child_batch(&self, board: Board, number: u32) -> ChildBatch {
        let asked = Asked {
            arena: &self.arena,
            board,
            number,
            question: self.question(),
            table: &self.table,
        };
        self.isa.call(asked)
    }

    /// The first numbers of a child: by the table, static rules or else the static evaluation.
    #[inline]
    pub(crate) fn first_numbers(
        &mut self,
        batch: &ChildBatch,
        i: usize,
        number: u32,
    ) -> ProofNumbers {
        let (board, key) = (batch.boards[i], batch.keys[i]);
        if batch.known >> i & 1 != 0
            && let Some(numbers) = self.table.get(key.whole)
        {
            return numbers;
        }
        if batch.sharp >> i & 1 == 0 {
            return initial_numbers(batch.estimates[i], batch.steps[i]);
        }
        match self.arena.judge(board, number) {
            Judgement::Win(_) => ProofNumbers::PROVEN,
            Judgement::Loss(_) => ProofNumbers::DISPROVEN,
            Judgement::Open => initial_numbers(batch.estimates[i], batch.steps[i]),
            Judgement::Draw => {
                self.met_draw = true;
                if self.draws_for == side(number) {
                    ProofNumbers::PROVEN
                } else {
                    ProofNumbers::DISPROVEN
                }
            }
        }
    }

    /// After the opponent has been seen to win by one child, tries the same proof in the others
    /// that are open.
    fn simulate_in(
        &mut self,
        batch: &mut ChildBatch,
        model: usize,
        number: u32,
        clock: &mut Clock,
    ) {
        for i in 0..batch.count {
            if batch.numbers[i].decided().is_none()
                && self.simulate(batch.boards[model], batch.boards[i], number, clock)
            {
                batch.numbers[i] = ProofNumbers::PROVEN;
            }
        }
    }
}

/// A position under search.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) board: Board,
    /// The ply to be played.
    pub(crate) number: u32,
    pub(crate) key: Key,
}

/// The search of one question.
struct Tree<'a> {
    prover: &'a mut Prover,
    clock: &'a mut Clock,
}

impl ProofTree for Tree<'_> {
    type Node = Node;
    type Children = ChildBatch;

    const LARGEST: u32 = INFINITE - 1;
    const SLACK: u32 = 3;

    #[inline]
    fn enter(&mut self) -> Result<u64, Stopped> {
        let before = self.clock.nodes();
        match self.clock.tick() {
            true => Err(Stopped),
            false => Ok(before),
        }
    }

    #[inline]
    fn children(&mut self, node: &Node) -> ChildBatch {
        self.prover.child_batch(node.board, node.number)
    }

    #[inline]
    fn initialise(&mut self, node: &Node, batch: &mut ChildBatch) -> Option<ProofNumbers> {
        for i in 0..batch.count {
            batch.numbers[i] = self.prover.first_numbers(batch, i, node.number + 1);
            if batch.numbers[i].disproof == 0 {
                return Some(self.proven_by(node, batch, i));
            }
        }
        None
    }

    #[inline]
    fn each<'a>(&'a self, batch: &'a ChildBatch) -> impl Iterator<Item = Child> {
        let numbers = batch.numbers[..batch.count].iter();
        numbers.map(|&numbers| Child {
            numbers,
            on_path: false,
        })
    }

    #[inline]
    fn child(&self, node: &Node, batch: &ChildBatch, at: usize) -> Node {
        Node {
            board: batch.boards[at],
            number: node.number + 1,
            key: batch.keys[at],
        }
    }

    #[inline]
    fn proven_by(&self, node: &Node, batch: &ChildBatch, at: usize) -> ProofNumbers {
        won_by(node.board.move_to(batch.boards[at]))
    }

    #[inline]
    fn child_threshold(effort: Effort, number: u32, whole: u32, wanted: u32) -> u32 {
        effort.grown_child(number, wanted - whole).min(INFINITE)
    }

    #[inline]
    fn update(&mut self, node: &Node, batch: &mut ChildBatch, at: usize, numbers: ProofNumbers) {
        batch.numbers[at] = numbers;
        if numbers.proof == 0 {
            self.prover
                .simulate_in(batch, at, node.number + 1, self.clock);
        }
    }

    #[inline]
    fn store(&mut self, node: &Node, numbers: ProofNumbers, entered: u64) {
        let work = self.clock.nodes() - entered;
        let Node { board, number, key } = *node;
        self.prover.table.put(key, numbers, work);
        if let Some(samples) = &mut self.prover.samples
            && numbers.decided().is_some()
            && key.whole & if work > 16 { 0 } else { 7 } == 0
        {
            samples.push(Sample {
                board,
                field: self.prover.arena.field(number),
                won: numbers.proof == 0,
            });
        }
    }
}

/// Estimates that double a number; those beyond eight doublings count no further, and
/// differences below the grain do not count at all.
const STEP: i32 = 300;
const FURTHEST: i32 = 8 * STEP;
const GRAIN: i32 = 10;

/// Proof-number initialisation: by the static evaluation, and by the number of squares that the
/// player to move can step to: the more moves there are, the more there is to refute.
#[inline]
fn initial_numbers(estimate: i32, steps: u8) -> ProofNumbers {
    let scale = |x: i32| SCALE[((x.clamp(-FURTHEST, FURTHEST) + FURTHEST) / GRAIN) as usize];
    ProofNumbers {
        proof: scale(-estimate),
        disproof: (scale(estimate) * (u32::from(steps) + 1) / 8).max(1),
    }
}

/// Two to the power of the estimate, with straight lines between whole powers.
static SCALE: [u32; (2 * FURTHEST / GRAIN) as usize + 1] = {
    let mut scale = [0; (2 * FURTHEST / GRAIN) as usize + 1];
    let mut x = 0;
    while x < scale.len() {
        let step = (STEP / GRAIN) as usize;
        let number = (EVEN * 256 * (step + x % step) as u32 / step as u32) << (x / step) >> 16;
        scale[x] = if number == 0 { 1 } else { number };
        x += 1;
    }
    scale
};
