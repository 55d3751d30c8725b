//! Pairing of a Swiss round.

use std::collections::BTreeSet;

use super::{GameKey, Pairing, Results};

/// What the rounds so far mean for the next.
pub(super) struct History {
    half_points: Vec<u32>,
    met: BTreeSet<Pairing>,
    rested: BTreeSet<usize>,
}

/// The matches of a round, and who rests if the number of players is odd.
pub(super) struct Round {
    pub(super) matches: Vec<Pairing>,
    pub(super) bye: Option<usize>,
}

impl History {
    pub(super) fn new(players: usize) -> History {
        History {
            half_points: vec![0; players],
            met: BTreeSet::new(),
            rested: BTreeSet::new(),
        }
    }

    pub(super) fn add_round(&mut self, round: &Round, number: u32, results: &Results, bye: u32) {
        for &(a, b) in &round.matches {
            self.met.insert((a.min(b), a.max(b)));
        }
        if let Some(player) = round.bye {
            self.rested.insert(player);
            self.half_points[player] += bye;
        }
        let key = |round| GameKey {
            round,
            table: 0,
            game: 0,
        };
        for (_, game) in results.range(key(number)..key(number + 1)) {
            self.half_points[game.first] += u32::from(game.half_points);
            self.half_points[game.second] += 2 - u32::from(game.half_points);
        }
    }

    fn have_met(&self, a: usize, b: usize) -> bool {
        self.met.contains(&(a.min(b), a.max(b)))
    }
}

/// How many pairings are tried before a second meeting is allowed after all.
const TRIES: u32 = 20_000;

/// Pairs the next round: who rests is the last who has not rested yet; the others meet
/// players with about as many points, the upper half of a group the lower half.
pub(super) fn pair(history: &History) -> Round {
    let players = history.half_points.len();
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by_key(|&p| (std::cmp::Reverse(history.half_points[p]), p));
    if players.is_multiple_of(2) {
        return Round {
            matches: pair_all(history, order),
            bye: None,
        };
    }
    let bye = order
        .iter()
        .rposition(|p| !history.rested.contains(p))
        .unwrap_or(players - 1);
    let bye = order.remove(bye);
    Round {
        matches: pair_all(history, order),
        bye: Some(bye),
    }
}

fn pair_all(history: &History, order: Vec<usize>) -> Vec<Pairing> {
    let mut matches = Vec::new();
    let mut tries = TRIES;
    if !search(history, &order, &mut matches, &mut tries) {
        matches = order.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    }
    matches
}

/// Pairs the first of the list with the best possible opponent, then the rest.
fn search(history: &History, left: &[usize], matches: &mut Vec<Pairing>, tries: &mut u32) -> bool {
    let [player, others @ ..] = left else {
        return true;
    };
    for at in opponents(history, *player, others) {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let opponent = others[at];
        if history.have_met(*player, opponent) {
            continue;
        }
        let mut rest = others.to_vec();
        rest.remove(at);
        matches.push((*player, opponent));
        if search(history, &rest, matches, tries) {
            return true;
        }
        matches.pop();
    }
    false
}

/// Places of possible opponents, best first: those of the same group of points from its
/// middle down and then up, then those with fewer points.
fn opponents(history: &History, player: usize, others: &[usize]) -> Vec<usize> {
    let points = history.half_points[player];
    let group = others
        .iter()
        .take_while(|&&p| history.half_points[p] == points)
        .count();
    let middle = group / 2;
    (middle..group)
        .chain((0..middle).rev())
        .chain(group..others.len())
        .collect()
}
