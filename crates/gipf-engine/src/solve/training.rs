//! What training needs of the solver: samples, features of its linear models, and the lengths of
//! proofs under other weights. The crate `train` fits the weights.

use std::sync::Arc;

use gipf::{Position, Variant};
use search::{Clock, Limits};

use super::defender::pairs::{CONTENTS, ON_BOARD, Pairs, mirror};
use super::defender::{CLASSES, DefenderModel, RESERVES, class, lead_place};
use super::fixed_point::indexed::{IndexedProver, Knowledge};
use super::fixed_point::{FixedPointProver, Progress};
use super::portfolio::Prepared;
use super::proof_number::ProofNumberSearch;
use super::proof_number::initial;
use super::rules::{Rules, SmallBoard};
use crate::tables::board::Shape;
use crate::tables::index::Tier;
use crate::tables::moves::Stones;
use crate::tables::{Table, Value};

pub use super::defender::{ORDER, PAIRS};
pub use super::proof_number::initial::FITTED as INITIAL;

/// Memory for a safe set.
const SAFE_SET_MEMORY: usize = 8 << 30;

/// Memory for the table of a proof-number search.
const PROOF_MEMORY: usize = 1 << 28;

/// A position on a small board, as the linear models see it.
#[derive(Clone, Copy, Debug)]
pub struct Sample(SmallBoard);

impl Sample {
    fn new(tier: Tier, stones: Stones) -> Sample {
        Sample(SmallBoard {
            stones,
            totals: [tier.own, tier.other],
        })
    }

    fn tier(self) -> Tier {
        let [own, other] = self.0.totals;
        Tier { own, other }
    }

    /// The value of the position in a tablebase of the same board size and run length.
    #[must_use]
    pub fn value(self, table: &Table) -> Option<Value> {
        let most = table.variant().stones(rules::Side::First);
        let most = most.max(table.variant().stones(rules::Side::Second));
        let fits = self.0.totals.iter().all(|&total| u16::from(total) <= most);
        fits.then(|| table.value_at(self.tier(), self.0.stones))?
    }
}

/// The positions that the defender chooses from in the safe set of a variant: those after the
/// replies of one in `every` of the positions that have little support.
#[must_use]
pub fn defender_choices(variant: Variant, every: usize) -> Vec<Sample> {
    let start = Position::start(variant);
    let mut samples = Vec::new();
    if let Some((root, prepared)) = SmallBoard::new(&start).zip(Prepared::of(variant)) {
        let prover = IndexedProver::new(prepared.knowledge(), root, SAFE_SET_MEMORY);
        let visit = |tier, stones| samples.push(Sample::new(tier, stones));
        prover.visit_choices(every, visit);
    }
    samples
}

/// The positions that proof-number search expands from a position, at most so many; none if the
/// board is not small.
#[must_use]
pub fn expanded_positions(position: &Position, nodes: u64) -> Vec<Sample> {
    let small = SmallBoard::new(position).zip(Prepared::of(position.variant()));
    let Some((root, prepared)) = small else {
        return Vec::new();
    };
    if prepared.rules.is_over(&root) {
        return Vec::new();
    }
    let odds = &prepared.odds;
    let mut search = ProofNumberSearch::new(&prepared.rules, odds, &root, PROOF_MEMORY);
    search.expanded = Some(Vec::new());
    search.run(&mut Clock::start(&Limits::default()), nodes, || false);
    let expanded = search.expanded.take().unwrap_or_default();
    // Wins in one ply need no estimate.
    let open = expanded
        .into_iter()
        .filter(|board| !prepared.rules.wins_in_one(board));
    open.map(Sample).collect()
}

/// The positions that a proof takes that nobody can force a win, with these weights of the
/// defender's move ordering and loss estimate; `None` if they are more than `most`, or if there is
/// no such proof.
#[must_use]
pub fn tie_proof_length(position: &Position, weights: &DefenderWeights, most: u64) -> Option<u64> {
    let knowledge = Knowledge {
        model: Arc::clone(&weights.model),
        ..Prepared::of(position.variant())?.knowledge()
    };
    let root = SmallBoard::new(position)?;
    let mut prover = IndexedProver::new(knowledge, root, SAFE_SET_MEMORY);
    let tie = prover.run(&Limits::default(), most) == [Progress::Fails; 2];
    tie.then(|| prover.take_count())
}

/// Weights of the defender's move ordering and loss estimate.
pub struct DefenderWeights {
    model: Arc<DefenderModel>,
    shape: Shape,
}

impl DefenderWeights {
    /// From the texts of the two files that the engine embeds, [`ORDER`] and [`PAIRS`].
    #[must_use]
    pub fn parse(order: &str, pairs: &[u8]) -> DefenderWeights {
        let shape = board_of_rows(3);
        DefenderWeights {
            model: Arc::new(DefenderModel::parse(&shape, order, pairs)),
            shape,
        }
    }

    /// The estimated risk that a position, the attacker to move, is lost for the defender.
    #[must_use]
    pub fn risk(&self, sample: Sample) -> i32 {
        let (shape, tier) = (&self.shape, sample.tier());
        self.model.estimate(shape, tier, sample.0.stones).risk
    }
}

/// The board of size 3 with rows of this length.
fn board_of_rows(run: u8) -> Shape {
    Shape::new(Variant::new(3, run, 4, 4).expect("a variant"))
}

/// Features of the defender's loss estimate for rows of three on a board of size 3: each is the
/// number of a weight.
pub struct LossFeatures {
    shape: Shape,
    pairs: Pairs,
}

impl LossFeatures {
    /// Weights of pairs of lines, which come first.
    pub const PAIRS: usize = CLASSES * CONTENTS;

    /// Weights in all: then come those of the lead, and those of both reserves.
    pub const WEIGHTS: usize = LossFeatures::PAIRS + 3 * RESERVES;

    /// Features of a position.
    pub const COUNT: usize = ON_BOARD + 3;

    /// The tables that the features are read from.
    #[must_use]
    pub fn new() -> LossFeatures {
        let shape = board_of_rows(3);
        LossFeatures {
            pairs: Pairs::new(&shape),
            shape,
        }
    }

    /// The features of a position in which the attacker is to move.
    #[must_use]
    pub fn of(&self, sample: &Sample) -> [usize; LossFeatures::COUNT] {
        let (tier, stones) = (sample.tier(), sample.0.stones);
        let (own, other) = (self.shape.axes(stones.own), self.shape.axes(stones.other));
        let seen = self.pairs.of(own, other);
        let reserve = |total: u8, set: u32| {
            let reserve = usize::from(total).saturating_sub(set.count_ones() as usize);
            reserve.min(RESERVES - 1)
        };
        std::array::from_fn(|at| match at.checked_sub(ON_BOARD) {
            None => LossFeatures::pair(class(tier) * CONTENTS + seen[at]),
            Some(0) => LossFeatures::lead(i32::from(tier.own) - i32::from(tier.other)),
            Some(1) => LossFeatures::reserve(false, reserve(tier.own, stones.own)),
            Some(_) => LossFeatures::reserve(true, reserve(tier.other, stones.other)),
        })
    }

    /// The weight of a pair of lines, the same from both ends of the lines.
    #[must_use]
    pub fn pair(number: usize) -> usize {
        let (class, pair) = (number / CONTENTS, number % CONTENTS);
        class * CONTENTS + pair.min(mirror(pair))
    }

    /// The weight of a lead of the attacker in stones.
    #[must_use]
    pub fn lead(lead: i32) -> usize {
        LossFeatures::PAIRS + lead_place(lead)
    }

    /// The weight of a reserve of the attacker, or of the defender.
    #[must_use]
    pub fn reserve(defender: bool, stones: usize) -> usize {
        LossFeatures::PAIRS + RESERVES * (1 + usize::from(defender)) + stones
    }
}

impl Default for LossFeatures {
    fn default() -> LossFeatures {
        LossFeatures::new()
    }
}

/// Features of proof-number initialisation for rows of four on a board of size 3: each is the
/// number of a weight.
pub struct OddsFeatures {
    shape: Shape,
    /// What each weight is about, as the file of weights names it.
    names: Vec<String>,
    /// The weight of each content of a line, for each length.
    lines: Vec<usize>,
}

impl OddsFeatures {
    /// Features of a position: its lines, the lead and both reserves.
    pub const COUNT: usize = 15 + 3;

    /// The numbers of all weights.
    #[must_use]
    pub fn new() -> OddsFeatures {
        let (names, lines) = initial::weight_names();
        OddsFeatures {
            shape: board_of_rows(4),
            names,
            lines,
        }
    }

    /// What each weight is about.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The features of a position.
    #[must_use]
    pub fn of(&self, sample: &Sample) -> [usize; OddsFeatures::COUNT] {
        let SmallBoard { stones, totals } = sample.0;
        let (own, other) = (self.shape.axes(stones.own), self.shape.axes(stones.other));
        let after_lines = self.names.len() - initial::STONE_WEIGHTS;
        let stone_weights = initial::stone_weights(totals, stones);
        std::array::from_fn(|at| match at.checked_sub(15) {
            None => {
                let line = &self.shape.lines[at];
                self.lines[initial::line_place(line, self.shape.content(line, own, other))]
            }
            Some(which) => after_lines + stone_weights[which],
        })
    }
}

impl Default for OddsFeatures {
    fn default() -> OddsFeatures {
        OddsFeatures::new()
    }
}

/// Weights of proof-number initialisation.
pub struct OddsWeights {
    weights: initial::Weights,
    shape: Shape,
}

impl OddsWeights {
    /// From the text of the file that the engine embeds, [`INITIAL`].
    #[must_use]
    pub fn parse(text: &str) -> OddsWeights {
        OddsWeights {
            weights: initial::Weights::parse(text),
            shape: board_of_rows(4),
        }
    }

    /// The log-odds in hundredths that the player to move wins soon, and that he loses soon.
    #[must_use]
    pub fn log_odds(&self, sample: &Sample) -> [i32; 2] {
        self.weights.of(&self.shape, &sample.0)
    }
}
