//! The bracket of a knockout.

use serde::Serialize;

use super::{GameKey, Results};

/// A match of a knockout, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BracketMatch {
    /// Its number within the round, from 1.
    pub table: u32,
    /// Who meets; `None` for a player that is not known yet or, in the first round, for
    /// nobody.
    pub players: [Option<usize>; 2],
    /// Half points of both.
    pub half_points: [u32; 2],
    /// How many pairs are played, those to break a tie included.
    pub pairs: u32,
    /// Who goes on, once that is known.
    pub winner: Option<usize>,
}

/// All rounds of the bracket, the first round first.
pub(super) fn bracket(
    players: usize,
    pairs: u32,
    extra_pairs: u32,
    results: &Results,
) -> Vec<Vec<BracketMatch>> {
    let slots = players.next_power_of_two();
    let mut entrants: Vec<Entrant> = seeds(slots)
        .into_iter()
        .map(|seed| {
            if seed < players {
                Entrant::Player(seed)
            } else {
                Entrant::Nobody
            }
        })
        .collect();
    let mut rounds = Vec::new();
    while entrants.len() > 1 {
        let round = rounds.len() as u32 + 1;
        let matches: Vec<BracketMatch> = (1..)
            .zip(entrants.chunks_exact(2))
            .map(|(table, two)| meet(round, table, [two[0], two[1]], pairs, extra_pairs, results))
            .collect();
        entrants = matches
            .iter()
            .map(|m| m.winner.map_or(Entrant::Unknown, Entrant::Player))
            .collect();
        rounds.push(matches);
    }
    rounds
}

#[derive(Clone, Copy)]
enum Entrant {
    Player(usize),
    /// A place in the first round that is not taken: the other one goes on.
    Nobody,
    /// The winner of a match that is still to be played.
    Unknown,
}

/// Seeds in the order of the bracket: the best two can only meet in the last round, the
/// best four in the last but one, and so on.
fn seeds(slots: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < slots {
        let last = 2 * order.len() - 1;
        order = order.into_iter().flat_map(|s| [s, last - s]).collect();
    }
    order
}

fn meet(
    round: u32,
    table: u32,
    entrants: [Entrant; 2],
    pairs: u32,
    extra_pairs: u32,
    results: &Results,
) -> BracketMatch {
    let players = entrants.map(|entrant| match entrant {
        Entrant::Player(player) => Some(player),
        _ => None,
    });
    let mut result = BracketMatch {
        table,
        players,
        half_points: [0, 0],
        pairs,
        winner: None,
    };
    let (a, b) = match entrants {
        [Entrant::Player(a), Entrant::Player(b)] => (a, b),
        [Entrant::Player(one), Entrant::Nobody] | [Entrant::Nobody, Entrant::Player(one)] => {
            result.winner = Some(one);
            return result;
        }
        _ => return result,
    };
    let mut complete = 0;
    for pair in 0..pairs + extra_pairs {
        let games =
            [2 * pair + 1, 2 * pair + 2].map(|game| results.get(&GameKey { round, table, game }));
        for game in games.into_iter().flatten() {
            let own = game.half_points_of(a).unwrap_or(0);
            result.half_points[0] += u32::from(own);
            result.half_points[1] += 2 - u32::from(own);
        }
        if games.iter().any(Option::is_none) {
            break;
        }
        complete += 1;
    }
    let [own, other] = result.half_points;
    if complete >= pairs {
        if own != other {
            result.winner = Some(if own > other { a } else { b });
        } else if complete == pairs + extra_pairs {
            result.winner = Some(a.min(b));
        }
        result.pairs = match result.winner {
            Some(_) => complete,
            None => complete + 1,
        };
    }
    result
}
