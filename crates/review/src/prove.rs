//! Proving many positions with a few provers, the cheap proofs first.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use games::{AnyPosition, AnyProver};
use search::{Clock, Limits, Time};

use crate::knowledge::Knowledge;
use crate::priority;

/// Time for a position in the first round.
const FIRST_ROUND: Duration = Duration::from_millis(20);

/// After the round with this time, positions are proven together where that is possible.
const TOGETHER_FROM: Duration = Duration::from_millis(100);

/// How much more time a position gets in every round than in the one before.
const ROUND_GROWTH: u32 = 5;

/// The most plies of a line of best play.
const LONGEST_LINE: usize = 60;

/// Provers with a thread each, all with one knowledge.
pub(crate) struct Workers<'a> {
    pub(crate) provers: Vec<Box<dyn AnyProver>>,
    pub(crate) knowledge: &'a Knowledge,
    /// The most time for one position.
    pub(crate) per_position: Duration,
    /// Where the time comes from.
    pub(crate) source: Time,
    /// Whether threads have a low priority.
    pub(crate) gives_way: bool,
}

impl Workers<'_> {
    /// Proves as many of the positions as it can. In every round each open position gets the
    /// same time, the first ones of the list first; the next round gives more time to those
    /// that are left. After the short rounds one prover goes on with all of them together, as
    /// far as it can do that, beside the rounds of the others. The limits have begun.
    pub(crate) fn prove(&mut self, positions: &[&AnyPosition], limits: &Limits) {
        let rounds = Rounds {
            knowledge: self.knowledge,
            per_position: self.per_position,
            source: &self.source,
            gives_way: self.gives_way,
            positions,
            limits,
        };
        let mut next = Some(FIRST_ROUND.min(self.per_position));
        rounds.go(&mut self.provers, &mut next, TOGETHER_FROM);
        if let Some((first, others)) = self.provers.split_first_mut() {
            std::thread::scope(|scope| {
                scope.spawn(|| rounds.go_together(&mut **first));
                if !others.is_empty() {
                    rounds.go(others, &mut next, self.per_position);
                }
            });
        }
        rounds.go(&mut self.provers, &mut next, self.per_position);
    }

    /// Proves positions of best play after each of these, so that a line can be followed.
    pub(crate) fn follow(&mut self, positions: &[&AnyPosition], limits: &Limits) {
        let (knowledge, each) = (self.knowledge, self.per_position);
        let source = &self.source.clone();
        self.share(positions.len(), |prover, number| {
            let mut at = positions[number].clone();
            for mv in line(knowledge, &at) {
                if at.play(&mv).is_err() {
                    return;
                }
            }
            let Some(now) = within(limits, source, each) else {
                return;
            };
            // The line of a prover is a proposal: every position of it is proven for itself.
            for mv in prover.line(&at, &now) {
                let value = knowledge.of(&at);
                if at.play(&mv).is_err() {
                    return;
                }
                let Some(now) = within(limits, source, each) else {
                    return;
                };
                let Some(proof) = prover.prove(&at, &now) else {
                    return;
                };
                knowledge.learn(&at, proof);
                if value.is_some_and(|value| value.value != proof.before().value) {
                    return;
                }
            }
        });
    }

    /// Calls `work` with the numbers below `count`, in order, on the threads of all provers.
    fn share(&mut self, count: usize, work: impl Fn(&mut dyn AnyProver, usize) + Sync) {
        side_by_side(
            &mut self.provers,
            self.gives_way,
            count,
            |prover, number| {
                work(&mut **prover, number);
            },
        );
    }
}

/// Positions that are proven in rounds.
#[derive(Clone, Copy)]
struct Rounds<'a> {
    knowledge: &'a Knowledge,
    per_position: Duration,
    source: &'a Time,
    gives_way: bool,
    positions: &'a [&'a AnyPosition],
    limits: &'a Limits,
}

impl Rounds<'_> {
    /// The positions that nobody has proven.
    fn open(&self) -> Vec<&AnyPosition> {
        let positions = self.positions.iter().copied();
        positions
            .filter(|position| self.knowledge.of(position).is_none())
            .collect()
    }

    /// Rounds from the `next` one to that which gives `most` time to each position.
    fn go(&self, provers: &mut [Box<dyn AnyProver>], next: &mut Option<Duration>, most: Duration) {
        while let Some(each) = next.filter(|&each| each <= most) {
            let open = self.open();
            if open.is_empty() || Clock::start(self.limits).check() {
                return;
            }
            side_by_side(provers, self.gives_way, open.len(), |prover, number| {
                let position = open[number];
                // A neighbour may have brought the proof meanwhile.
                if self.knowledge.of(position).is_none()
                    && let Some(within) = within(self.limits, self.source, each)
                    && let Some(proof) = prover.prove(position, &within)
                {
                    self.knowledge.learn(position, proof);
                }
            });
            let more = (each * ROUND_GROWTH).min(self.per_position);
            *next = (each < self.per_position).then_some(more);
        }
    }

    /// All open positions at once.
    fn go_together(&self, prover: &mut dyn AnyProver) {
        if self.gives_way {
            priority::lower();
        }
        let open = self.open();
        let most = self.per_position.saturating_mul(open.len() as u32);
        if let Some(within) = within(self.limits, self.source, most) {
            prover.prove_together(&open, &within, &mut |number, proof| {
                self.knowledge.learn(open[number], proof);
            });
        }
    }
}

/// Calls `work` with the numbers below `count`, in order, each on the thread of one of the
/// helpers, with a low priority if it `gives_way`.
pub(crate) fn side_by_side<H: Send>(
    helpers: &mut [H],
    gives_way: bool,
    count: usize,
    work: impl Fn(&mut H, usize) + Sync,
) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for helper in helpers {
            scope.spawn(|| {
                if gives_way {
                    priority::lower();
                }
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    work(helper, number);
                }
            });
        }
    });
}

/// Limits that begin now: this time, or what is left of the whole; `None` if nothing is.
pub(crate) fn within(whole: &Limits, source: &Time, each: Duration) -> Option<Limits> {
    let mut clock = Clock::start(whole);
    if clock.check() {
        return None;
    }
    let left = whole.wall.map(|wall| wall.saturating_sub(clock.elapsed()));
    Some(Limits {
        wall: Some(left.map_or(each, |left| left.min(each))),
        time: source.clone(),
        ..whole.clone()
    })
}

/// Best play from a position as far as it is known: every move keeps the proven value.
pub(crate) fn line(knowledge: &Knowledge, position: &AnyPosition) -> Vec<String> {
    let mut at = position.clone();
    let mut line = Vec::new();
    let mut seen = vec![Knowledge::key(&at)];
    while let Some(value) = knowledge.of(&at)
        && line.len() < LONGEST_LINE
    {
        let best = worths(knowledge, &at)
            .into_iter()
            .filter_map(|(mv, after, proof)| Some((mv, after, proof?)))
            .filter(|(_, after, proof)| {
                let same = proof.value == value.value
                    && (proof.margin.is_none() || proof.margin == value.margin);
                same && !seen.contains(&Knowledge::key(after))
            })
            .min_by_key(|(_, _, proof)| proof.order());
        let Some((mv, after, _)) = best else { break };
        seen.push(Knowledge::key(&after));
        line.push(mv);
        at = after;
    }
    line
}

/// Every move of a position with the position after it, and what the move is proven to be worth.
pub(crate) fn worths(
    knowledge: &Knowledge,
    position: &AnyPosition,
) -> Vec<(String, AnyPosition, Option<games::Proof>)> {
    let moves = position.moves().into_iter();
    moves
        .filter_map(|mv| {
            let mut after = position.clone();
            after.play(&mv).ok()?;
            let worth = knowledge.of(&after).map(games::Proof::before);
            Some((mv, after, worth))
        })
        .collect()
}

/// A list that threads fill.
pub(crate) struct Filled<T>(Mutex<Vec<Option<T>>>);

impl<T> Filled<T> {
    pub(crate) fn new(count: usize) -> Filled<T> {
        Filled(Mutex::new((0..count).map(|_| None).collect()))
    }

    pub(crate) fn put(&self, number: usize, value: T) {
        if let Ok(mut list) = self.0.lock() {
            list[number] = Some(value);
        }
    }

    pub(crate) fn into_list(self) -> Vec<Option<T>> {
        self.0.into_inner().unwrap_or_default()
    }
}
