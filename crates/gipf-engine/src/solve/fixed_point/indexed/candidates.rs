//! The replies that the defender chooses from.

use crate::solve::defender::Estimate;

/// A reply that may be chosen: when it is to be tried, and its place in the list of replies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate(i64);

impl Candidate {
    /// Not to be chosen.
    pub(super) const NONE: Candidate = Candidate(i64::MAX);

    /// The reply at this place, unless its risk is above the limit. That cannot be foreseen, so it is
    /// no branch.
    #[inline(always)]
    pub(super) fn new(estimate: Estimate, at: u16, risk_limit: i32) -> Candidate {
        let key = i64::from(estimate.order) << 16 | i64::from(at);
        Candidate(if estimate.risk <= risk_limit {
            key
        } else {
            i64::MAX
        })
    }

    /// The place of the one to be tried first, which is none afterwards.
    #[inline(always)]
    pub(super) fn take_best(candidates: &mut [Candidate]) -> Option<usize> {
        let best = candidates
            .iter()
            .fold(Candidate::NONE, |best, &next| best.min(next));
        if best == Candidate::NONE {
            return None;
        }
        let at = (best.0 & 0xffff) as usize;
        candidates[at] = Candidate::NONE;
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comes_first_and_of_equals_the_earlier() {
        let orders = [
            (30, 0),
            (-7, 90),
            (30, 10),
            (-7, -5),
            (2, 101),
            (i32::MIN, 200),
        ];
        let candidate = |(at, (order, risk)): (u16, (i32, i32))| {
            Candidate::new(Estimate { risk, order }, at, 100)
        };
        let mut candidates: Vec<Candidate> = (0..).zip(orders).map(candidate).collect();
        candidates.push(Candidate::NONE);
        let found = std::iter::from_fn(|| Candidate::take_best(&mut candidates));
        assert_eq!(found.collect::<Vec<_>>(), [1, 3, 0, 2]);
    }
}
