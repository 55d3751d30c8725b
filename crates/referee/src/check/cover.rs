//! Greedy set cover: few cases that between them show everything that is to be seen.

use std::collections::BTreeSet;

/// A candidate for a case, and what it shows.
pub(super) struct Candidate<T, F> {
    pub(super) case: T,
    pub(super) shows: Vec<F>,
}

/// Chooses candidates until nothing that any of them shows is missing: always the one
/// that shows most of what is still missing, the first of several.
pub(super) fn cover<T, F: Ord + Clone>(candidates: Vec<Candidate<T, F>>) -> Vec<T> {
    let mut missing: BTreeSet<F> = candidates
        .iter()
        .flat_map(|candidate| candidate.shows.iter().cloned())
        .collect();
    let mut left: Vec<Option<Candidate<T, F>>> = candidates.into_iter().map(Some).collect();
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let gain = |candidate: &Option<Candidate<T, F>>| {
            candidate.as_ref().map_or(0, |candidate| {
                let new = candidate.shows.iter().filter(|seen| missing.contains(seen));
                new.count()
            })
        };
        // Of several the last one is the largest: count from behind.
        let best = (0..left.len())
            .rev()
            .max_by_key(|&index| gain(&left[index]));
        let Some(best) = best.and_then(|index| left[index].take()) else {
            break;
        };
        for seen in &best.shows {
            missing.remove(seen);
        }
        chosen.push(best.case);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_candidates_show_everything() {
        let candidates = [
            ("a", "12"),
            ("b", "23"),
            ("c", "1234"),
            ("d", "5"),
            ("e", "5"),
        ];
        let candidates = candidates.map(|(case, shows)| Candidate {
            case,
            shows: shows.chars().collect(),
        });
        assert_eq!(cover(candidates.into()), ["c", "d"]);
    }
}
