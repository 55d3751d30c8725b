//! Who plays whom, when, and from which start position.
//!
//! A [`Plan`] is a pure function: given the games that have been played it says which
//! may be played next. Nothing about a schedule is ever stored, so a tournament goes on
//! after any interruption exactly where it was.

mod knockout;
mod matching;
mod round_robin;
mod swiss;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use knockout::BracketMatch;

/// The place of a game in its tournament; all three numbers count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct GameKey {
    /// The round.
    pub round: u32,
    /// The match within the round.
    pub table: u32,
    /// The game within the match: 1 and 2 are the first pair, 3 and 4 the second, …
    pub game: u32,
}

impl GameKey {
    /// Which pair of the match this game belongs to, from 0.
    #[must_use]
    pub fn pair(self) -> u32 {
        (self.game - 1) / 2
    }
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fixture {
    /// Where it stands in the tournament.
    pub key: GameKey,
    /// Number of the player who moves first.
    pub first: usize,
    /// Number of the other player.
    pub second: usize,
    /// Number of the start position.
    pub opening: u32,
}

/// A game that has been played (or forfeited).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// Number of the player who moved first.
    pub first: usize,
    /// Number of the other player.
    pub second: usize,
    /// 2, 1 or 0 as the first player won, drew or lost.
    pub half_points: u8,
}

impl Played {
    /// The half points of a player in this game, or `None` if it was not theirs.
    #[must_use]
    pub fn half_points_of(&self, player: usize) -> Option<u8> {
        if player == self.first {
            Some(self.half_points)
        } else if player == self.second {
            Some(2 - self.half_points)
        } else {
            None
        }
    }
}

/// All games played so far.
pub type Results = BTreeMap<GameKey, Played>;

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone meets everyone.
    RoundRobin,
    /// The first players of the list meet everyone else, who do not meet each other.
    Gauntlet {
        /// How many players run the gauntlet.
        challengers: usize,
    },
    /// In every round players with about equally many points meet: nobody twice in the first half
    /// of all rounds that there could be, and as few as possible after it.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
    /// Who loses a match is out. The list gives the seeds, strongest first.
    Knockout {
        /// How many more pairs a drawn match gets; after those the higher seed goes on.
        extra_pairs: u32,
    },
}

impl Format {
    /// The name people type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Swiss { .. } => "swiss",
            Format::Knockout { .. } => "knockout",
        }
    }
}

/// The schedule of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How many players there are.
    pub players: usize,
    /// How players are paired.
    pub format: Format,
    /// How many pairs of games make a match.
    pub pairs: u32,
}

/// A match between two players: `(number, number)`.
type Pairing = (usize, usize);

impl Plan {
    /// The games that can be played now and have not been, in the order to play them.
    /// None are left if the tournament is over, or (Swiss, knockout) if the next round
    /// waits for results.
    #[must_use]
    pub fn ready(&self, results: &Results) -> Vec<Fixture> {
        let fixtures = match self.format {
            Format::RoundRobin => self.all_rounds(&round_robin::everyone(self.players)),
            Format::Gauntlet { challengers } => {
                self.all_rounds(&round_robin::gauntlet(self.players, challengers))
            }
            Format::Swiss { rounds } => self.swiss_round(rounds, results),
            Format::Knockout { .. } => self.knockout_round(results),
        };
        fixtures
            .into_iter()
            .filter(|fixture| !results.contains_key(&fixture.key))
            .collect()
    }

    /// How many games there will be; for a knockout the least number, as drawn matches
    /// are prolonged.
    #[must_use]
    pub fn games(&self) -> usize {
        self.matches() * 2 * self.pairs as usize
    }

    /// How many games there can be, if every match of a knockout is drawn.
    #[must_use]
    pub fn most_games(&self) -> usize {
        let extra_pairs = match self.format {
            Format::Knockout { extra_pairs } => extra_pairs as usize,
            _ => 0,
        };
        self.games() + self.matches() * 2 * extra_pairs
    }

    fn matches(&self) -> usize {
        match self.format {
            Format::RoundRobin => self.players * self.players.saturating_sub(1) / 2,
            Format::Gauntlet { challengers } => challengers * (self.players - challengers),
            Format::Swiss { rounds } => rounds as usize * (self.players / 2),
            Format::Knockout { .. } => self.players.saturating_sub(1),
        }
    }

    /// How many games there will be, as far as these results say: drawn matches of a knockout
    /// are prolonged.
    #[must_use]
    pub fn games_after(&self, results: &Results) -> usize {
        let Format::Knockout { .. } = self.format else {
            return self.games();
        };
        let bracket = self.bracket(results);
        let played =
            |m: &&BracketMatch| m.winner.is_none() || m.players.iter().all(Option::is_some);
        let pairs = bracket.iter().flatten().filter(played).map(|m| m.pairs);
        2 * pairs.sum::<u32>() as usize
    }

    /// Rounds in which a player had nobody to play against: `(round, player)`. Such a
    /// round counts as a won match.
    #[must_use]
    pub fn byes(&self, results: &Results) -> Vec<(u32, usize)> {
        match self.format {
            Format::Swiss { rounds } => self.swiss_byes(rounds, results),
            _ => Vec::new(),
        }
    }

    /// The bracket of a knockout as far as it is known, round by round.
    #[must_use]
    pub fn bracket(&self, results: &Results) -> Vec<Vec<BracketMatch>> {
        match self.format {
            Format::Knockout { extra_pairs } => {
                knockout::bracket(self.players, self.pairs, extra_pairs, results)
            }
            _ => Vec::new(),
        }
    }

    /// Half points of a match that is won without playing.
    #[must_use]
    pub fn bye_half_points(&self) -> u32 {
        4 * self.pairs
    }

    /// The games of rounds that do not depend on results: first the first pair of every
    /// match, then the second, so that at any time everyone has played about as much.
    fn all_rounds(&self, rounds: &[Vec<Pairing>]) -> Vec<Fixture> {
        let mut fixtures = Vec::with_capacity(self.games());
        for pair in 0..self.pairs {
            for (round, matches) in (1..).zip(rounds) {
                for (table, &pairing) in (1..).zip(matches) {
                    fixtures.extend(games_of_pair(round, table, pairing, pair, pair));
                }
            }
        }
        fixtures
    }

    /// The games of one round of a tournament whose rounds have start positions of
    /// their own.
    fn one_round(&self, round: u32, matches: &[Pairing]) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for pair in 0..self.pairs {
            let opening = (round - 1) * self.pairs + pair;
            for (table, &pairing) in (1..).zip(matches) {
                fixtures.extend(games_of_pair(round, table, pairing, pair, opening));
            }
        }
        fixtures
    }

    fn swiss_round(&self, rounds: u32, results: &Results) -> Vec<Fixture> {
        let mut history = swiss::History::new(self.players);
        for round in 1..=rounds {
            let pairings = swiss::pair(&history);
            let fixtures = self.one_round(round, &pairings.matches);
            if fixtures.iter().any(|f| !results.contains_key(&f.key)) {
                return fixtures;
            }
            history.add_round(&pairings, round, results, self.bye_half_points());
        }
        Vec::new()
    }

    fn swiss_byes(&self, rounds: u32, results: &Results) -> Vec<(u32, usize)> {
        let mut history = swiss::History::new(self.players);
        let mut byes = Vec::new();
        for round in 1..=rounds {
            let pairings = swiss::pair(&history);
            let fixtures = self.one_round(round, &pairings.matches);
            if !fixtures.iter().any(|f| results.contains_key(&f.key)) {
                break;
            }
            byes.extend(pairings.bye.map(|player| (round, player)));
            history.add_round(&pairings, round, results, self.bye_half_points());
        }
        byes
    }

    fn knockout_round(&self, results: &Results) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for (round, matches) in (1..).zip(self.bracket(results)) {
            for m in matches {
                let (Some(a), Some(b), None) = (m.players[0], m.players[1], m.winner) else {
                    continue;
                };
                for pair in 0..m.pairs {
                    // Rounds never share a start position, however long a match gets.
                    let Format::Knockout { extra_pairs } = self.format else {
                        unreachable!("brackets are of knockouts");
                    };
                    let opening = (round - 1) * (self.pairs + extra_pairs) + pair;
                    fixtures.extend(games_of_pair(round, m.table, (a, b), pair, opening));
                }
            }
        }
        fixtures
    }
}

/// The two games of a pair, colours exchanged.
fn games_of_pair(round: u32, table: u32, (a, b): Pairing, pair: u32, opening: u32) -> [Fixture; 2] {
    [(a, b, 2 * pair + 1), (b, a, 2 * pair + 2)].map(|(first, second, game)| Fixture {
        key: GameKey { round, table, game },
        first,
        second,
        opening,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    /// Plays a whole tournament, a few games at a time in a scrambled order, as a runner
    /// would; the stronger player (lower number) wins unless `luck` says otherwise.
    fn play_out(plan: &Plan, luck: impl Fn(&Fixture) -> u8) -> (Results, Vec<Fixture>) {
        let mut results = Results::new();
        let mut order = Vec::new();
        loop {
            let ready = plan.ready(&results);
            if ready.is_empty() {
                return (results, order);
            }
            for fixture in ready.iter().rev().take(3) {
                let played = Played {
                    first: fixture.first,
                    second: fixture.second,
                    half_points: luck(fixture),
                };
                assert!(results.insert(fixture.key, played).is_none(), "{fixture:?}");
                order.push(*fixture);
            }
        }
    }

    fn stronger_wins(fixture: &Fixture) -> u8 {
        if fixture.first < fixture.second { 2 } else { 0 }
    }

    /// How often each two players met, by the number who moved first.
    fn encounters(games: &[Fixture]) -> BTreeMap<(usize, usize), usize> {
        let mut counts = BTreeMap::new();
        for game in games {
            *counts.entry((game.first, game.second)).or_default() += 1;
        }
        counts
    }

    proptest! {
        #[test]
        fn in_a_round_robin_all_meet_alike(players in 2..12usize, pairs in 1..4u32) {
            let plan = Plan { players, format: Format::RoundRobin, pairs };
            let (_, games) = play_out(&plan, stronger_wins);
            prop_assert_eq!(games.len(), plan.games());
            let counts = encounters(&games);
            prop_assert_eq!(counts.len(), players * (players - 1));
            prop_assert!(counts.values().all(|&count| count == pairs as usize));
            // Nobody plays two matches in one round.
            let mut seats = BTreeSet::new();
            for game in games.iter().filter(|g| g.key.game == 1) {
                prop_assert!(seats.insert((game.key.round, game.first)));
                prop_assert!(seats.insert((game.key.round, game.second)));
            }
        }

        #[test]
        fn both_games_of_a_pair_start_alike(players in 2..9usize, pairs in 1..4u32, kind in 0..4) {
            let format = match kind {
                0 => Format::RoundRobin,
                1 => Format::Gauntlet { challengers: 1 },
                2 => Format::Swiss { rounds: 3 },
                _ => Format::Knockout { extra_pairs: 1 },
            };
            let plan = Plan { players, format, pairs };
            let (_, games) = play_out(&plan, stronger_wins);
            let by_key: BTreeMap<GameKey, &Fixture> = games.iter().map(|g| (g.key, g)).collect();
            for game in games.iter().filter(|g| g.key.game % 2 == 1) {
                let other = by_key[&GameKey { game: game.key.game + 1, ..game.key }];
                prop_assert_eq!((game.first, game.second), (other.second, other.first));
                prop_assert_eq!(game.opening, other.opening);
            }
        }

        #[test]
        fn nobody_meets_twice_in_a_swiss(
            players in 2..17usize,
            rounds in 1..6u32,
            luck in any::<u64>(),
        ) {
            // With fewer rounds than this there is always a way to avoid it.
            prop_assume!(rounds as usize <= players / 2);
            let plan = Plan { players, format: Format::Swiss { rounds }, pairs: 1 };
            let (results, games) = play_out(&plan, |f| {
                ((luck >> ((f.first * 7 + f.second * 3 + f.key.game as usize) % 60)) % 3) as u8
            });
            prop_assert_eq!(games.len(), plan.games());
            prop_assert!(encounters(&games).values().all(|&count| count == 1));
            let byes = plan.byes(&results);
            prop_assert_eq!(byes.len(), if players % 2 == 1 { rounds as usize } else { 0 });
            let rested: BTreeSet<usize> = byes.iter().map(|&(_, player)| player).collect();
            prop_assert_eq!(rested.len(), byes.len(), "nobody rests twice");
        }

        #[test]
        fn a_knockout_has_one_winner(players in 2..20usize, luck in any::<u64>()) {
            let plan = Plan { players, format: Format::Knockout { extra_pairs: 2 }, pairs: 1 };
            let (results, _) = play_out(&plan, |f| {
                ((luck >> ((f.first + f.second * 5 + f.key.game as usize) % 60)) % 3) as u8
            });
            let bracket = plan.bracket(&results);
            let last = bracket.last().unwrap();
            prop_assert_eq!(last.len(), 1);
            prop_assert!(last[0].winner.is_some());
            let matches: usize = bracket
                .iter()
                .flatten()
                .filter(|m| m.players.iter().all(Option::is_some))
                .count();
            prop_assert_eq!(matches, players - 1);
        }
    }

    #[test]
    fn in_a_gauntlet_only_the_challenger_meets_all() {
        let plan = Plan {
            players: 4,
            format: Format::Gauntlet { challengers: 1 },
            pairs: 2,
        };
        let (_, games) = play_out(&plan, stronger_wins);
        assert_eq!(games.len(), 12);
        assert!(games.iter().all(|g| g.first == 0 || g.second == 0));
    }

    #[test]
    fn the_best_win_a_swiss_and_a_knockout() {
        for format in [
            Format::Swiss { rounds: 3 },
            Format::Knockout { extra_pairs: 1 },
        ] {
            let plan = Plan {
                players: 8,
                format,
                pairs: 1,
            };
            let (results, games) = play_out(&plan, stronger_wins);
            let points = |player| -> u32 {
                let own = results.values().filter_map(|p| p.half_points_of(player));
                own.map(u32::from).sum()
            };
            assert_eq!(points(0), 12, "{format:?}");
            assert!(
                games.iter().any(|g| g.key.round == 3 && g.first == 0),
                "{format:?}"
            );
        }
    }

    #[test]
    fn a_drawn_knockout_match_is_prolonged_then_the_higher_seed_goes_on() {
        let plan = Plan {
            players: 2,
            format: Format::Knockout { extra_pairs: 2 },
            pairs: 1,
        };
        let (results, games) = play_out(&plan, |_| 1);
        assert_eq!(games.len(), 6);
        assert_eq!(plan.bracket(&results)[0][0].winner, Some(0));
    }
}
