//! What a test between two players counts.

use std::collections::HashMap;

use crate::rating::PairCounts;
use crate::store::GameRow;

/// Pairs of games of the first player of the list, as they become complete.
#[derive(Default)]
pub(super) struct DuelCounts {
    pub(super) pairs: PairCounts,
    half: HashMap<(u32, u32, u32), u8>,
}

impl DuelCounts {
    pub(super) fn add(&mut self, row: &GameRow) {
        let Some(own) = row.played().half_points_of(0) else {
            return;
        };
        let pair = (row.key.round, row.key.table, row.key.pair());
        match self.half.remove(&pair) {
            Some(other) => self.pairs.add(own + other),
            None => {
                self.half.insert(pair, own);
            }
        }
    }
}
