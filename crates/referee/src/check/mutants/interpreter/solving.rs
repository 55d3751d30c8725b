//! What a solver can get wrong.

use std::collections::{HashMap, HashSet};

use ::rules::Side;

use super::Interpreter;
use super::fault::Fault;
use super::rules::Rules;
use super::state::State;

const ANSWERS: [&str; 3] = [
    "WHITE_HAS_WINNING_STRATEGY",
    "BLACK_HAS_WINNING_STRATEGY",
    "BOTH_PLAYERS_TIE",
];

/// So far ahead lie the ends of games in which both have few stones.
const FAR: u32 = 8;

/// A search along lines of play can go as deep as there are positions.
const STACK: usize = 256 << 20;

impl Interpreter {
    /// The answer to `SOLVE_GAME_STATE`.
    pub(super) fn solved(&mut self, state: &State) -> String {
        let answer = |winner: Option<Side>| ANSWERS[winner.map_or(2, Side::index)].to_string();
        match self.fault {
            Fault::SolvesByPath => {
                let state = state.clone();
                let search = std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn(move || Search::default().winner(&state));
                let found = search.map(|search| search.join().unwrap_or(None));
                answer(found.unwrap_or(None))
            }
            Fault::SolvesWithin(plies) => {
                let rules = Rules(Fault::None);
                let forced = rules.forced(state, plies, &mut HashMap::new());
                answer(forced.map(|(side, _)| side))
            }
            fault if fault.is_of_searching() => {
                let rules = match fault {
                    Fault::SearchesUpTo(size) if state.variant.size() > size => {
                        return answer(None);
                    }
                    Fault::SearchesWith(other) => Rules(*other),
                    _ => Rules(fault),
                };
                let plies = match fault {
                    Fault::LooksAtMost(depth) => depth,
                    _ => FAR,
                };
                let forced = rules.forced(state, plies, &mut HashMap::new());
                answer(forced.map(|(side, _)| side))
            }
            Fault::SolvesFromMemory(part) => {
                let known = self.said.entry((state.without(part), None));
                known.or_insert_with(|| state.solved()).clone()
            }
            _ => state.solved(),
        }
    }
}

/// Depth-first search with a memory, in which a repetition counts as a tie.
#[derive(Default)]
struct Search {
    known: HashMap<State, Option<Side>>,
    path: HashSet<State>,
}

impl Search {
    fn winner(&mut self, state: &State) -> Option<Side> {
        let rules = Rules(Fault::None);
        if let Some(winner) = rules.winner(state) {
            return Some(winner);
        }
        if let Some(known) = self.known.get(state) {
            return *known;
        }
        if !self.path.insert(state.clone()) {
            return None;
        }
        let mut best = Some(!state.side);
        for next in rules.generated(state) {
            match self.winner(&next) {
                Some(side) if side == state.side => {
                    best = Some(side);
                    break;
                }
                None => best = None,
                Some(_) => {}
            }
        }
        self.path.remove(state);
        self.known.insert(state.clone(), best);
        best
    }
}
