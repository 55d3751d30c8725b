//! The rules with a fault: pushes, generated positions, wins.

use std::collections::HashMap;

use ::gipf::Entry;
use rules::Side;

use super::fault::{Fault, Part};
use super::state::State;

/// With a wrong rule a search gives up after so many positions.
const MOST_KNOWN: usize = 6_000;

/// The rules with a fault.
#[derive(Clone, Copy)]
pub(super) struct Rules(pub(super) Fault);

impl Rules {
    pub(super) fn winner(self, state: &State) -> Option<Side> {
        let empty = |side: Side| state.reserves[side.index()] == 0;
        let full = state.occupied() == state.geometry().full();
        let stuck = full && self.0 != Fault::OnWhenFull
            || empty(state.side) && self.0 != Fault::OnWhenEmpty;
        let winner = match self.0 {
            Fault::OverWhenOtherIsEmpty if empty(!state.side) => Some(state.side),
            _ => stuck.then_some(!state.side),
        };
        match self.0 {
            Fault::WinnerExchanged => winner.map(|side| !side),
            _ => winner,
        }
    }

    pub(super) fn knows(self, state: &State, number: usize) -> bool {
        self.0 != Fault::NoEntry(state.variant.size(), number as u8)
    }

    /// The board after a push; `None` if the line is full.
    pub(super) fn push(self, state: &State, entry: &Entry) -> Option<State> {
        let path = entry.path();
        let in_the_way = path.iter().take_while(|p| state.at(**p).is_some()).count();
        let mut next = state.clone();
        let own = state.side.index();
        if self.0 != Fault::KeepsReserve {
            next.reserves[own] = next.reserves[own].saturating_sub(1);
        }
        let full = match self.0 {
            Fault::PushAtMost(most) => in_the_way > most || in_the_way == path.len(),
            Fault::PushesOff | Fault::Overwrites => false,
            Fault::FullIfOther => {
                let last = path.last().and_then(|point| state.at(*point));
                in_the_way == path.len() && last != Some(state.side)
            }
            _ => in_the_way == path.len(),
        };
        if full {
            return None;
        }
        match self.0 {
            Fault::Overwrites => next.put(path[0], Some(state.side)),
            Fault::JumpsAhead => next.put(path[in_the_way], Some(state.side)),
            _ => {
                let mut carried = Some(state.side);
                for &point in &path[..path.len().min(in_the_way + 1)] {
                    next.put(point, carried);
                    carried = state.at(point);
                }
            }
        }
        next.pushed = next.stones;
        Some(next)
    }

    pub(super) fn generated(self, state: &State) -> Vec<State> {
        let empty = state.reserves[state.side.index()] == 0;
        if empty && self.0 != Fault::MovesWithoutReserve {
            return Vec::new();
        }
        let entries = state.geometry().entries();
        let mut order: Vec<usize> = (0..entries.len()).collect();
        match self.0 {
            Fault::RimFrom(later) => order.rotate_left(later % entries.len()),
            Fault::RimBackwards => order.reverse(),
            Fault::SourcesBackwards => {
                let same = |a: &usize, b: &usize| entries[*a].path()[0] == entries[*b].path()[0];
                let groups = order.chunk_by(same);
                order = groups
                    .flat_map(|group| group.iter().rev().copied())
                    .collect();
            }
            _ => {}
        }
        let mut all: Vec<State> = Vec::new();
        for number in order
            .into_iter()
            .filter(|number| self.knows(state, *number))
        {
            let Some(pushed) = self.push(state, &entries[number]) else {
                continue;
            };
            let mut next = Vec::new();
            self.collected(pushed, &mut next);
            for state in next {
                let known = match self.0 {
                    Fault::Twice => false,
                    Fault::SameByStones => all.iter().any(|other| other.stones == state.stones),
                    _ => all.contains(&state),
                };
                if !known {
                    all.push(state);
                }
            }
        }
        if let Fault::PositionsAtMost(most) = self.0 {
            all.truncate(most);
        }
        all
    }

    pub(super) fn generated_or_win(self, state: &State) -> Vec<State> {
        let all = self.generated(state);
        let wins: Vec<State> = all
            .iter()
            .filter(|next| self.winner(next) == Some(state.side))
            .filter(|next| {
                self.0 != Fault::ExtByReserveOnly || next.reserves[next.side.index()] == 0
            })
            .cloned()
            .collect();
        match (self.0, &wins[..]) {
            (_, []) | (Fault::ExtOfAll, _) => all,
            (Fault::ExtAllWins, _) => wins,
            (Fault::ExtLastWin, [.., last]) => vec![last.clone()],
            (_, [first, ..]) => vec![first.clone()],
        }
    }

    pub(super) fn winning(self, state: &State, most: u32) -> String {
        let depth = match self.0 {
            Fault::LooksOneTooShort => most.saturating_sub(1),
            Fault::LooksAtMost(depth) => most.min(depth),
            Fault::SearchesUpTo(size) if state.variant.size() > size => 0,
            _ => most,
        };
        let rules = match self.0 {
            Fault::SearchesWith(other) => Rules(*other),
            _ => self,
        };
        let won = rules.forced(state, depth, &mut HashMap::new());
        let won = won.filter(|(_, length)| self.0 != Fault::OnlyOfThatLength || *length == most);
        let won = won.filter(|(side, _)| self.0 != Fault::OnlyTheMoverWins || *side == state.side);
        match won {
            None => "NO_WINNING_SEQUENCE".into(),
            Some((side, length)) => {
                let length = match self.0 {
                    Fault::CountsWholeMoves => length.div_ceil(2),
                    Fault::SaysTheLimit => most,
                    _ => length,
                };
                format!("{}_WINS_IN_{length}", ["WHITE", "BLACK"][side.index()])
            }
        }
    }

    /// Who forces a win within so many plies, and in how many.
    pub(super) fn forced(
        self,
        state: &State,
        depth: u32,
        known: &mut HashMap<(State, u32), Option<(Side, u32)>>,
    ) -> Option<(Side, u32)> {
        if let Some(winner) = self.winner(state) {
            return Some((winner, 0));
        }
        if depth == 0 {
            return None;
        }
        let mut key = (state.clone(), depth);
        match self.0 {
            Fault::MemoryWithoutDepth => key.1 = 0,
            Fault::MemoryWithoutReserves => key.0 = state.without(Part::Reserves),
            _ => {}
        }
        if let Some(found) = known.get(&key) {
            return *found;
        }
        // With some wrong rules games never end.
        if self.0 != Fault::None && known.len() > MOST_KNOWN {
            return None;
        }
        let mut best = None;
        let mut worst = Some(0);
        let mut any: Option<(Side, u32)> = None;
        for next in self.generated(state) {
            let found = self.forced(&next, depth - 1, known);
            match found {
                Some((side, length)) if side == state.side => {
                    best = Some(match (best, self.0) {
                        (None, _) => length,
                        (Some(best), Fault::FirstWinFound) => best,
                        (Some(best), _) => best.min(length),
                    });
                }
                Some((_, length)) => {
                    worst = worst.map(|worst: u32| match self.0 {
                        Fault::LoserHurries if worst > 0 => worst.min(length),
                        _ => worst.max(length),
                    });
                }
                None => worst = None,
            }
            let shorter = |found: &(Side, u32)| any.is_none_or(|any| found.1 < any.1);
            any = found.filter(shorter).or(any);
        }
        let found = match (best, worst, self.0) {
            (_, _, Fault::AnyPath) => any.map(|(side, length)| (side, length + 1)),
            (Some(length), ..) => Some((state.side, length + 1)),
            (None, Some(length), _) => Some((!state.side, length + 1)),
            _ => None,
        };
        known.insert(key, found);
        found
    }
}
