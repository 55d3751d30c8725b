//! Shallow search: the last plies of a search that does not reach the end of the game.
//! Values are in parts of a disc; there is no transposition table.

use arrayvec::ArrayVec;
use isa::{Isa, Kernel};
use reversi::{Discs, Square};

use super::bitboard::{moves, moves_of_both, play_two};
use crate::eval::{Correction, DISC, Features, LANES, MOST, calibrated, mobility, sum};
use crate::kernel::Node;
use crate::score::final_score;
use crate::worker::Worker;

/// Greater than every value.
pub(crate) const INFINITE: i32 = 1 << 20;

/// The features after a move.
#[inline(always)]
pub(crate) fn played(features: &Features, square: u32, flipped: u64) -> Features {
    features.played_inline(Square::new(square as u8), Discs(flipped))
}

/// The static evaluation of a position, in parts of a disc.
#[inline(always)]
pub(crate) fn evaluate<I: Isa>(isa: I, worker: &Worker<'_>, node: Node<'_>) -> i32 {
    evaluate_near(isa, worker, node, -INFINITE, INFINITE)
}

/// The static evaluation of a position, in parts of a disc; without the network if the value is
/// far outside `low` to `high`.
#[inline(always)]
pub(crate) fn evaluate_near<I: Isa>(
    isa: I,
    worker: &Worker<'_>,
    node: Node<'_>,
    low: i32,
    high: i32,
) -> i32 {
    let Node {
        own,
        other,
        features,
    } = node;
    let [legal, returns] = moves_of_both(isa, own, other);
    let mobility = mobility(legal, returns);
    let empties = (!(own | other)).count_ones();
    let indices = features.indices(mobility);
    let mut value = sum(isa, worker.weights.slots(empties), &indices);
    if value > low - DOUBT && value < high + DOUBT {
        value += isa.call(Correction(worker.network, &indices, empties));
    }
    calibrated(value)
}

/// Larger corrections are rare: a value that is so far outside the window is not corrected.
const DOUBT: i32 = 8 * DISC;

/// One more ply seldom changes a sum of weights by more: a successor that is so far outside the
/// window is not searched.
const FUTILE: i32 = 10 * DISC;

/// The successors of a position with their sums of weights, to be taken one by one, the most
/// promising first.
struct Successors {
    /// Seen by the player to move in the position itself; [`TAKEN`] if it has been taken.
    values: ArrayVec<i32, 64>,
    moves: ArrayVec<Successor, 64>,
}

struct Successor {
    square: u32,
    flipped: u64,
    indices: [u16; LANES],
}

/// Less than every value.
const TAKEN: i32 = -INFINITE;

impl Successors {
    #[inline(always)]
    fn new() -> Successors {
        Successors {
            values: ArrayVec::new(),
            moves: ArrayVec::new(),
        }
    }

    /// All of them; the first value that is `enough`, if there is one.
    #[inline(always)]
    fn fill<I: Isa>(
        &mut self,
        isa: I,
        worker: &mut Worker<'_>,
        node: Node<'_>,
        legal: u64,
        enough: i32,
    ) -> Option<i32> {
        let Node {
            own,
            other,
            features,
        } = node;
        let reply = features.before_reply();
        let slots = worker.weights.slots((!(own | other)).count_ones() - 1);
        let mut left = legal;
        while left != 0 {
            let a = left.trailing_zeros();
            left &= left - 1;
            let b = left.trailing_zeros();
            let turns = play_two::<I, true>(isa, own, other, [a, b]);
            for (next, square) in turns.iter().zip([a, b]) {
                worker.nodes += 1;
                let flipped = next.own ^ other;
                let indices = reply.after(square, flipped, mobility(next.legal, next.returns));
                let value = -sum(isa, slots, &indices);
                if value >= enough {
                    return Some(value);
                }
                self.values.push(value);
                self.moves.push(Successor {
                    square,
                    flipped,
                    indices,
                });
                if left == 0 {
                    return None;
                }
            }
            left &= left - 1;
        }
        None
    }

    /// Takes the one of the highest value.
    #[inline(always)]
    fn take(&mut self) -> Option<(i32, &Successor)> {
        let mut at = 0;
        for index in 1..self.values.len() {
            if self.values[index] > self.values[at] {
                at = index;
            }
        }
        let value = std::mem::replace(&mut self.values[at], TAKEN);
        (value != TAKEN).then(|| (value, &self.moves[at]))
    }
}

/// The last ply, in two stages: the sums of weights of all successors, then the network for
/// those that may matter.
#[inline(always)]
fn last_ply<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    node: Node<'_>,
    legal: u64,
    (alpha, beta): (i32, i32),
) -> i32 {
    let mut successors = Successors::new();
    if let Some(value) = successors.fill(isa, worker, node, legal, beta + DOUBT) {
        return value.min(MOST);
    }
    let empties = (!(node.own | node.other)).count_ones() - 1;
    let mut best = -INFINITE;
    while let Some((value, successor)) = successors.take() {
        if value <= alpha.max(best) - DOUBT {
            return best.max(value).max(-MOST);
        }
        let correction = isa.call(Correction(worker.network, &successor.indices, empties));
        best = best.max(-calibrated(correction - value));
        if best >= beta {
            break;
        }
    }
    best
}

/// The last two plies: the successors that may matter, in the order of their sums of weights.
#[inline(always)]
fn two_plies<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    node: Node<'_>,
    legal: u64,
    (alpha, beta): (i32, i32),
) -> i32 {
    let mut successors = Successors::new();
    if let Some(value) = successors.fill(isa, worker, node, legal, beta + FUTILE) {
        return (value - FUTILE).min(MOST);
    }
    let mut best = -INFINITE;
    while let Some((value, successor)) = successors.take() {
        if value <= alpha.max(best) - FUTILE {
            return best.max(value + FUTILE).max(-MOST);
        }
        let &Successor {
            square, flipped, ..
        } = successor;
        let features = played(node.features, square, flipped);
        let next = Node {
            own: node.other ^ flipped,
            other: node.own | flipped | 1 << square,
            features: &features,
        };
        best = best.max(-isa.call(Shallow(worker, next, -beta, -alpha.max(best), 1)));
        if best >= beta {
            break;
        }
    }
    best
}

/// Alpha–beta to `depth` plies, in parts of a disc.
pub(crate) struct Shallow<'a, 'w>(
    pub(crate) &'a mut Worker<'w>,
    pub(crate) Node<'a>,
    pub(crate) i32,
    pub(crate) i32,
    pub(crate) u32,
);

impl Kernel for Shallow<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Shallow(worker, node, alpha, beta, depth) = self;
        let Node {
            own,
            other,
            features,
        } = node;
        worker.nodes += 1;
        if depth == 0 {
            return evaluate(isa, worker, node);
        }
        let legal = moves(isa, own, other);
        if legal == 0 {
            if moves(isa, other, own) == 0 {
                return final_score(own, other) * DISC;
            }
            let features = features.passed();
            let node = Node {
                own: other,
                other: own,
                features: &features,
            };
            return -isa.call(Shallow(worker, node, -beta, -alpha, depth));
        }
        match depth {
            1 => last_ply(isa, worker, node, legal, (alpha, beta)),
            _ => two_plies(isa, worker, node, legal, (alpha, beta)),
        }
    }
}
