//! Pairing of a Swiss round.

use super::{GameKey, Pairing, Results, matching};

/// What the rounds so far mean for the next.
pub(super) struct History {
    half_points: Vec<u32>,
    /// Who has met whom. If the number of players is odd there is one more, nobody, whom everyone
    /// meets who rests.
    met: Vec<Vec<bool>>,
}

/// The matches of a round, and who rests if the number of players is odd.
pub(super) struct Round {
    pub(super) matches: Vec<Pairing>,
    pub(super) bye: Option<usize>,
}

impl History {
    pub(super) fn new(players: usize) -> History {
        let seats = players.next_multiple_of(2);
        History {
            half_points: vec![0; players],
            met: vec![vec![false; seats]; seats],
        }
    }

    /// Who nobody is, if somebody has to rest.
    fn nobody(&self) -> Option<usize> {
        let players = self.half_points.len();
        (players < self.met.len()).then_some(players)
    }

    /// All players, the first in the table first.
    fn table(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.half_points.len()).collect();
        order.sort_by_key(|&p| (std::cmp::Reverse(self.half_points[p]), p));
        order
    }

    pub(super) fn add_round(&mut self, round: &Round, number: u32, results: &Results, bye: u32) {
        let rest = round.bye.zip(self.nobody());
        for (a, b) in round.matches.iter().copied().chain(rest) {
            self.met[a][b] = true;
            self.met[b][a] = true;
        }
        if let Some(player) = round.bye {
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
        self.met[a][b]
    }
}

/// How many pairings are tried before others are taken than the best.
const TRIES: u32 = 20_000;

/// Pairs the next round: who rests is the last who has not rested yet; the others meet
/// players with about as many points, the upper half of a group the lower half, and nobody whom
/// they have met.
pub(super) fn pair(history: &History) -> Round {
    let mut order = history.table();
    let bye = history.nobody().map(|nobody| {
        let last = order.iter().rposition(|&p| !history.have_met(p, nobody));
        order.remove(last.unwrap_or(order.len() - 1))
    });
    let (mut matches, mut tries) = (Vec::new(), TRIES);
    match search(history, &order, &mut matches, &mut tries) {
        true => Round { matches, bye },
        false => pair_by_matching(history, order, bye),
    }
}

/// As many new meetings as there can be, for which somebody else may rest. Who is left over meets
/// somebody again.
fn pair_by_matching(history: &History, mut free: Vec<usize>, bye: Option<usize>) -> Round {
    let join = |mate: &mut [usize], a: usize, b: usize| (mate[a], mate[b]) = (b, a);
    let mut mate: Vec<usize> = (0..history.met.len()).collect();
    if let Some((player, nobody)) = bye.zip(history.nobody()) {
        join(&mut mate, player, nobody);
    }
    // First those with about as many points, so that little has to change.
    while !free.is_empty() {
        let player = free.remove(0);
        let new = |&at: &usize| !history.have_met(player, free[at]);
        if let Some(at) = opponents(history, player, &free).into_iter().find(new) {
            join(&mut mate, player, free.remove(at));
        }
    }
    matching::enlarge(&mut mate, |a, b| !history.have_met(a, b));
    let table = history.table();
    let mut left = table.clone();
    left.retain(|&player| mate[player] == player);
    for two in left.chunks_exact(2) {
        join(&mut mate, two[0], two[1]);
    }
    let (mut matches, mut bye) = (Vec::new(), None);
    let mut seated = vec![false; mate.len()];
    for player in table {
        let other = mate[player];
        if Some(other) == history.nobody() {
            bye = Some(player);
        } else if !seated[player] {
            seated[other] = true;
            matches.push((player, other));
        }
    }
    Round { matches, bye }
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

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::super::Played;
    use super::super::matching::tests::most_pairs;
    use super::*;

    /// Plays all rounds that there can be by chance; some players withdraw and lose from then on.
    fn check(players: usize, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut history = History::new(players);
        let mut results = Results::new();
        let mut withdrawn = vec![false; players];
        for number in 1..players as u32 {
            let round = pair(&history);
            let place = format!("{players} players, seed {seed}, round {number}");
            let seats = history.met.len();
            let rest = round.bye.zip(history.nobody());
            let pairs: Vec<Pairing> = round.matches.iter().copied().chain(rest).collect();
            let mut seated: Vec<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
            seated.sort_unstable();
            assert_eq!(seated, Vec::from_iter(0..seats), "{place}");
            let met = |&&(a, b): &&Pairing| history.have_met(a, b);
            let again = pairs.iter().filter(met).count();
            if number as usize <= players / 2 {
                assert_eq!(again, 0, "{place}");
            }
            if seats <= 10 {
                let most = most_pairs(seats, |a, b| !history.have_met(a, b));
                assert_eq!(pairs.len() - again, most, "{place}");
            }
            assert!(
                !rest.is_some_and(|(a, b)| history.have_met(a, b)),
                "{place}"
            );
            for (table, &(first, second)) in (1..).zip(&round.matches) {
                let half_points = match [first, second].map(|player| withdrawn[player]) {
                    [true, false] => 0,
                    [false, true] => 2,
                    _ => rng.random_range(0..=2),
                };
                let key = GameKey {
                    round: number,
                    table,
                    game: 1,
                };
                let played = Played {
                    first,
                    second,
                    half_points,
                };
                results.insert(key, played);
            }
            history.add_round(&round, number, &results, 4);
            if rng.random_bool(0.2) {
                withdrawn[rng.random_range(0..players)] = true;
            }
        }
    }

    /// In the first half of all rounds that there could be nobody meets twice, later as few as
    /// possible do; nobody rests twice.
    #[test]
    fn nobody_meets_twice_unless_there_is_no_other_way() {
        for players in 2..=10 {
            (0..50).for_each(|seed| check(players, seed));
        }
        for players in [11, 16, 23, 32, 41] {
            (0..2).for_each(|seed| check(players, seed));
        }
    }
}
