//! The defender's loss estimate: logistic regression on positions that the defender chooses from
//! in the safe set of a variant, with their values from its tablebase.

use gipf_engine::solve::training::{LossFeatures, Sample, defender_choices};
use gipf_engine::tables::{Table, Value};

use crate::logistic::{self, HUNDREDTHS, Logistic};

/// What the defender chooses from in the safe set of the table's variant, the replies of one in
/// `every` of the positions with little support, and whether each is lost.
#[must_use]
pub fn samples(table: &Table, every: usize) -> Vec<(Sample, bool)> {
    let choices = defender_choices(table.variant(), every).into_iter();
    let labelled = choices.filter_map(|sample| {
        let lost = matches!(sample.value(table)?, Value::Win(_));
        Some((sample, lost))
    });
    labelled.collect()
}

/// A fitted loss estimate.
pub struct LossEstimate(Logistic);

impl LossEstimate {
    /// The mean logarithmic loss on samples that were held out.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.0.loss
    }

    /// The weights of pairs, as the engine embeds them.
    #[must_use]
    pub fn pairs(&self) -> Vec<u8> {
        let weight = |pair| (HUNDREDTHS * self.0.weights[LossFeatures::pair(pair)]) as i16;
        (0..LossFeatures::PAIRS)
            .flat_map(|pair| weight(pair).to_le_bytes())
            .collect()
    }

    /// The text of the weights with this loss estimate and the move ordering that it had.
    #[must_use]
    pub fn rewrite(&self, text: &str) -> String {
        let risk = |what: &str| {
            let number = |text: &str| text.parse::<usize>().unwrap_or(0);
            let weight = match what.split_once(' ') {
                Some(("lead", lead)) => LossFeatures::lead(lead.parse().unwrap_or(0)),
                Some(("attacker", reserve)) => LossFeatures::reserve(false, number(reserve)),
                Some(("defender", reserve)) => LossFeatures::reserve(true, number(reserve)),
                _ => return 0,
            };
            (HUNDREDTHS * self.0.weights[weight]) as i32
        };
        let line = |line: &str| {
            let mut fields = line.rsplitn(3, ' ');
            let order = fields.next().unwrap_or_default();
            let what = fields.nth(1).unwrap_or_default();
            format!("{what} {} {order}\n", risk(what))
        };
        text.lines().map(line).collect()
    }
}

/// Fits the loss estimate for a board of size 3 with rows of three to samples in so many rounds.
#[must_use]
pub fn fit(samples: &[(Sample, bool)], rounds: u32, seed: u64) -> LossEstimate {
    let features = LossFeatures::new();
    let mut samples: Vec<_> = samples
        .iter()
        .map(|(sample, lost)| (features.of(sample), *lost))
        .collect();
    LossEstimate(logistic::fit(
        &mut samples,
        LossFeatures::WEIGHTS,
        rounds,
        seed,
    ))
}

#[cfg(test)]
mod tests {
    use gipf_engine::solve::training::{DefenderWeights, ORDER};

    use super::*;

    #[test]
    fn finds_what_decides() {
        // Real choices of the defender; lost if the defender has fewer stones, so it is said.
        let choices = defender_choices("3 3 5 5".parse().unwrap(), 20);
        let features = LossFeatures::new();
        let behind = |sample: &Sample| {
            let lead = features.of(sample)[LossFeatures::COUNT - 3];
            lead > LossFeatures::lead(0)
        };
        let labelled: Vec<_> = choices
            .iter()
            .map(|sample| (*sample, behind(sample)))
            .collect();
        assert!(labelled.len() > 1000, "{}", labelled.len());
        let estimate = fit(&labelled, 3, 1);
        assert!(estimate.loss() < 0.1, "{}", estimate.loss());
        // The weights that are written mean the same when they are read.
        let text = estimate.rewrite(ORDER);
        let weights = DefenderWeights::parse(&text, &estimate.pairs());
        let some: Vec<_> = labelled.iter().step_by(50).collect();
        let right = some
            .iter()
            .filter(|(sample, lost)| (weights.risk(*sample) > 0) == *lost)
            .count();
        assert!(right > some.len() * 9 / 10, "{right} of {}", some.len());
        // The move ordering is the same as before.
        let orders = |text: &str| -> Vec<String> {
            let order = |line: &str| line.rsplit(' ').next().map(str::to_owned);
            text.lines().filter_map(order).collect()
        };
        assert_eq!(orders(&text), orders(ORDER));
    }
}
