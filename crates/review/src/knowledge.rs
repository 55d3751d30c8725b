//! What has been proven, by position.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use games::{AnyPosition, Proof};

use crate::prove::line;

/// Proofs of positions of one game, under a text that symmetric positions share. Threads prove
/// side by side into one knowledge; whoever keeps it between runs takes out what is new.
#[derive(Debug, Default)]
pub struct Knowledge(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    proofs: HashMap<String, Proof>,
    /// Keys of proofs that are new or stronger than before.
    news: Vec<String>,
}

impl Knowledge {
    /// Proofs that were kept: pairs of a key and a proof.
    pub fn new(proofs: impl IntoIterator<Item = (String, Proof)>) -> Knowledge {
        Knowledge(Mutex::new(State {
            proofs: proofs.into_iter().collect(),
            news: Vec::new(),
        }))
    }

    /// The key of a position.
    #[must_use]
    pub fn key(position: &AnyPosition) -> String {
        position.canonical_text()
    }

    /// Adds proofs that were kept.
    pub fn extend(&self, proofs: impl IntoIterator<Item = (String, Proof)>) {
        self.state().proofs.extend(proofs);
    }

    /// What is proven of a position; a finished game is known.
    #[must_use]
    pub fn of(&self, position: &AnyPosition) -> Option<Proof> {
        if let Some(score) = position.final_score() {
            return Proof::of(score);
        }
        self.state().proofs.get(&Knowledge::key(position)).copied()
    }

    /// Best play from a position as far as it is known: every move keeps the proven value.
    #[must_use]
    pub fn line(&self, position: &AnyPosition) -> Vec<String> {
        line(self, position)
    }

    /// Adds a proof. What was known of the position stays.
    pub fn learn(&self, position: &AnyPosition, proof: Proof) {
        if position.outcome().is_some() {
            return;
        }
        let key = Knowledge::key(position);
        let state = &mut *self.state();
        let known = state.proofs.get(&key).copied();
        let all = known.map_or(proof, |known| known.and(proof));
        if known != Some(all) {
            state.proofs.insert(key.clone(), all);
            state.news.push(key);
        }
    }

    /// What has become known since the last call.
    #[must_use]
    pub fn take_news(&self) -> Vec<(String, Proof)> {
        let state = &mut *self.state();
        let news = std::mem::take(&mut state.news);
        let known = news
            .into_iter()
            .map(|key| (state.proofs.get(&key).copied(), key));
        known
            .filter_map(|(proof, key)| Some((key, proof?)))
            .collect()
    }

    /// How many positions are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state().proofs.len()
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A map of proofs is whole whatever panicked while it was locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
