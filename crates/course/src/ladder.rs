//! The ladder: who is how strong, and who should meet next.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use tournament::rating::{RatedGame, Rating, Ratings, elo, expected_score};
use tournament::{StoreError, Wdl};

use crate::config::{Assignment, Ladder};
use crate::open_course::{OpenCourse, locked};
use crate::store::{LadderGame, Side};

/// A ladder as it stands.
#[derive(Clone, Debug)]
pub struct Table {
    /// The players: references first, in the order of the file, then active versions.
    pub players: Vec<Contender>,
    /// How many of them are references.
    pub references: usize,
    ratings: Ratings,
    /// The games that say so, and the number of the last one.
    games: Vec<RatedGame>,
    last: i64,
    /// How often each two have met, by their numbers, the lower first.
    met: HashMap<(usize, usize), u32>,
}

/// Who takes part: the player, the team and the number of the version among the team's.
pub(crate) type Entrant = (Side, Option<i64>, Option<u32>);

/// A player of the ladder.
#[derive(Clone, PartialEq, Debug)]
pub struct Contender {
    /// Who it is.
    pub side: Side,
    /// Whose version it is.
    pub team: Option<i64>,
    /// The number of the version among the team's.
    pub number: Option<u32>,
    /// How strong it is: the average of the references is 0.
    pub rating: Rating,
    /// What came of its games.
    pub results: Wdl,
}

impl Contender {
    /// Its strength for comparing places, the strongest lowest: less than a hundredth of a point apart
    /// is no difference.
    pub(crate) fn level(&self) -> i64 {
        (-100.0 * self.rating.elo).round() as i64
    }
}

impl Table {
    /// A table of players who have not met.
    #[must_use]
    pub fn new(players: Vec<Entrant>) -> Table {
        let references = players
            .iter()
            .filter(|(side, ..)| matches!(side, Side::Reference(_)))
            .count();
        let players = players.into_iter().map(|(side, team, number)| Contender {
            side,
            team,
            number,
            rating: Rating {
                elo: 0.0,
                error: f64::INFINITY,
            },
            results: Wdl::default(),
        });
        let mut table = Table {
            players: players.collect(),
            references,
            ratings: elo(0, &[]),
            games: Vec::new(),
            last: 0,
            met: HashMap::new(),
        };
        table.fit();
        table
    }

    /// The same table after more games between its players.
    #[must_use]
    pub fn after(&self, games: &[LadderGame]) -> Table {
        let mut table = self.clone();
        let numbers: HashMap<String, usize> = self
            .players
            .iter()
            .enumerate()
            .map(|(number, player)| (player.side.key(), number))
            .collect();
        for game in games {
            table.last = table.last.max(game.id);
            let [Some(&first), Some(&second)] = game.players.each_ref().map(|key| numbers.get(key))
            else {
                continue;
            };
            if first != second {
                table.add(first, second, game);
            }
        }
        table.fit();
        table
    }

    fn add(&mut self, first: usize, second: usize, game: &LadderGame) {
        let met = (first.min(second), first.max(second));
        *self.met.entry(met).or_default() += 1;
        for (player, points) in [(first, game.half_points), (second, 2 - game.half_points)] {
            let results = &mut self.players[player].results;
            match points {
                2 => results.wins += 1,
                1 => results.draws += 1,
                _ => results.losses += 1,
            }
        }
        self.games.push(RatedGame {
            first,
            second,
            half_points: game.half_points,
            pair: game.pair as u64,
        });
    }

    /// Rates everybody by all games.
    fn fit(&mut self) {
        self.ratings = elo(self.players.len(), &self.games);
        // Ratings that begin at the average of the references do not drift with who takes part.
        let anchors: Vec<usize> = match self.references {
            0 => (0..self.players.len()).collect(),
            count => (0..count).collect(),
        };
        let ratings = self.ratings.above(&anchors);
        for (player, rating) in self.players.iter_mut().zip(ratings) {
            player.rating = rating;
        }
    }

    /// Whether it is a table of these.
    fn is_of(&self, entrants: &[Entrant]) -> bool {
        let players = self.players.iter();
        players
            .map(|player| (&player.side, player.team, player.number))
            .eq(entrants
                .iter()
                .map(|(side, team, number)| (side, *team, *number)))
    }

    /// The numbers of the players, the strongest first.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        let elo = |number: &usize| self.players[*number].rating.elo;
        order.sort_by(|a, b| elo(b).total_cmp(&elo(a)).then(a.cmp(b)));
        order
    }

    /// The players in the same order, each with its place among these teams; references and the others
    /// take none. Who is as strong shares a place.
    #[must_use]
    pub fn places(&self, teams: &BTreeSet<i64>) -> Vec<(usize, Option<usize>)> {
        let (mut taken, mut last) = (0, None);
        let mut place_of = |number: usize| {
            let player = &self.players[number];
            player.team.filter(|team| teams.contains(team))?;
            taken += 1;
            let (level, place) = match last {
                Some((level, place)) if level == player.level() => (level, place),
                _ => (player.level(), taken),
            };
            last = Some((level, place));
            Some(place)
        };
        let order = self.order().into_iter();
        order.map(|number| (number, place_of(number))).collect()
    }

    /// The number of the player, if it takes part.
    #[must_use]
    pub fn find(&self, side: &Side) -> Option<usize> {
        self.players.iter().position(|player| player.side == *side)
    }

    /// How much stronger one player is than another.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Rating {
        self.ratings.difference(a, b)
    }

    /// Whether the games say that one player is stronger than another: the whole interval lies
    /// above nothing.
    #[must_use]
    pub fn beats(&self, a: usize, b: usize) -> bool {
        let difference = self.difference(a, b);
        self.players[a].results.games() > 0 && difference.elo > difference.error
    }

    /// Who should meet next, or nobody if enough is known. `busy` says how many games of a player
    /// are being played, and nothing of one who is left alone; `turn` counts the calls.
    ///
    /// First comes whoever knows least about itself: the version with the widest interval, new
    /// ones before all; every fourth time the one with the fewest games, so that everybody gets a
    /// share. Its opponent is the one from whom a game tells most: a likely draw against somebody
    /// whose own strength is known well, and whom it has not met often. A version that has played
    /// all its games is nobody's opponent; references always are.
    #[must_use]
    pub fn next_pair(
        &self,
        ladder: &Ladder,
        busy: &dyn Fn(usize) -> Option<u32>,
        turn: u64,
    ) -> Option<[usize; 2]> {
        let busy: Vec<Option<u32>> = (0..self.players.len()).map(busy).collect();
        let may_play = |number: &usize| busy[*number].is_some();
        let busy = |number: usize| busy[number].unwrap_or(0);
        let games = |number: usize| self.players[number].results.games() + 2 * busy(number);
        let has_room = |number: &usize| games(*number) + 2 <= ladder.games;
        let wants = |number: &usize| {
            let known = self.players[*number].rating.error <= ladder.precision;
            has_room(number) && !(known && games(*number) >= 8)
        };
        let versions = self.references..self.players.len();
        let need = |number: &usize| {
            let games = f64::from(games(*number));
            match turn % 4 {
                3 => -games,
                // The interval shrinks with the root of the games that are being played.
                _ => {
                    self.players[*number].rating.error / (1.0 + f64::from(2 * busy(*number))).sqrt()
                        + 1000.0 / (1.0 + games)
                }
            }
        };
        let one = versions
            .filter(may_play)
            .filter(wants)
            .max_by(|a, b| need(a).total_cmp(&need(b)).then(b.cmp(a)))?;
        let worth = |other: &usize| {
            let difference = self.difference(one, *other);
            let expected = expected_score(difference.elo);
            let information = expected * (1.0 - expected);
            let key = (one.min(*other), one.max(*other));
            let met = self.met.get(&key).copied().unwrap_or(0);
            let unsure = self.players[*other].rating.error / 400.0;
            information / (1.0 + f64::from(met)).sqrt() / (1.0 + unsure)
        };
        let other = (0..self.players.len())
            .filter(|other| *other != one && may_play(other))
            .filter(|other| *other < self.references || has_room(other))
            .max_by(|a, b| worth(a).total_cmp(&worth(b)).then(b.cmp(a)))?;
        Some([one, other])
    }
}

impl OpenCourse {
    /// The ladder of an assignment as it stands now. While the same players take part, only new
    /// games are read, and without any nothing is done.
    pub fn fresh_table(&self, assignment: &Assignment) -> Result<Arc<Table>, StoreError> {
        let mut players: Vec<Entrant> = assignment
            .references
            .iter()
            .map(|reference| (Side::Reference(reference.name()), None, None))
            .collect();
        for version in self.store.active(&assignment.id)? {
            let side = Side::Version(version.id);
            players.push((side, Some(version.team), Some(version.number)));
        }
        let known = locked(&self.tables).get(&assignment.id).cloned();
        let known = known.filter(|table| table.is_of(&players));
        let sides: Vec<Side> = players.iter().map(|(side, ..)| side.clone()).collect();
        let last = known.as_ref().map_or(0, |table| table.last);
        let games = self.store.ladder_games(&assignment.id, &sides, last)?;
        let table = match known {
            Some(table) if games.is_empty() => return Ok(table),
            Some(table) => table.after(&games),
            None => Table::new(players).after(&games),
        };
        let table = Arc::new(table);
        locked(&self.tables).insert(assignment.id.clone(), Arc::clone(&table));
        Ok(table)
    }

    /// The ladder of an assignment as it was last looked at: a moment ago.
    pub fn table(&self, assignment: &Assignment) -> Result<Arc<Table>, StoreError> {
        let known = locked(&self.tables).get(&assignment.id).cloned();
        match known {
            Some(table) => Ok(table),
            None => self.fresh_table(assignment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: Ladder = Ladder {
        on: true,
        games: 40,
        precision: 60.0,
    };

    fn players(references: usize, versions: i64) -> Vec<Entrant> {
        let bots = (0..references).map(|n| (Side::Reference(format!("bot{n}")), None, None));
        let versions = (1..=versions).map(|id| (Side::Version(id), Some(id), Some(1)));
        bots.chain(versions).collect()
    }

    fn game(first: &str, second: &str, half_points: u8, pair: i64) -> LadderGame {
        LadderGame {
            id: pair,
            players: [first.into(), second.into()],
            half_points,
            pair,
        }
    }

    fn table(players: Vec<Entrant>, games: &[LadderGame]) -> Table {
        Table::new(players).after(games)
    }

    #[test]
    fn games_that_come_later_count_as_if_they_had_come_at_once() {
        let games: Vec<_> = (0..12)
            .flat_map(|pair| {
                let (a, b) = (["v1", "v2", "r:bot0"][pair % 3], ["v3", "r:bot1"][pair % 2]);
                let half_points = [2, 0, 1, 2, 2][pair % 5];
                let pair = pair as i64;
                [game(a, b, half_points, pair), game(b, a, 1, pair)]
            })
            .collect();
        let at_once = table(players(2, 3), &games);
        let mut slowly = Table::new(players(2, 3));
        for some in games.chunks(5) {
            slowly = slowly.after(some);
        }
        assert_eq!(slowly.players, at_once.players);
        assert_eq!(slowly.met, at_once.met);
        assert_eq!(slowly.last, 11);
        assert!(slowly.is_of(&players(2, 3)) && !slowly.is_of(&players(2, 4)));
    }

    #[test]
    fn references_are_where_ratings_begin() {
        let games: Vec<_> = (0..20)
            .flat_map(|pair| {
                [
                    game("v1", "r:bot0", 2, pair),
                    game("r:bot0", "v1", (pair % 2) as u8, pair),
                ]
            })
            .collect();
        let table = table(players(1, 1), &games);
        assert_eq!(table.players[0].rating.elo, 0.0);
        assert!(table.players[1].rating.elo > 100.0);
        assert!(table.beats(1, 0) && !table.beats(0, 1));
        assert_eq!(table.order(), [1, 0]);
    }

    #[test]
    fn new_versions_come_first_and_everybody_gets_a_share() {
        let games: Vec<_> = (0..6)
            .flat_map(|pair| [game("v1", "v2", 2, pair), game("v2", "v1", 0, pair)])
            .collect();
        let table = table(players(2, 3), &games);
        let next = table.next_pair(&LADDER, &|_| Some(0), 0).unwrap();
        assert_eq!(next[0], 4, "version 3 has not played");
        assert_eq!(table.next_pair(&LADDER, &|_| Some(0), 3).unwrap()[0], 4);
        // While it is playing, others do.
        let busy = |number: usize| Some(if number == 4 { 30 } else { 0 });
        assert_ne!(table.next_pair(&LADDER, &busy, 0).unwrap()[0], 4);
        // Nor is anybody waited for who is left alone.
        let alone = |number: usize| (number != 4).then_some(0);
        for turn in 0..8 {
            let next = table.next_pair(&LADDER, &alone, turn);
            assert!(!next.unwrap().contains(&4));
        }
        assert_eq!(table.next_pair(&LADDER, &|_| None, 0), None);
    }

    /// A whole ladder of two references and players of known strength, until nobody is next.
    fn played(ladder: &Ladder, strengths: &[f64]) -> Table {
        let mut games: Vec<LadderGame> = Vec::new();
        let mut state = 7u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / (1u64 << 31) as f64
        };
        for turn in 0..200 {
            let table = table(players(2, strengths.len() as i64 - 2), &games);
            let Some([a, b]) = table.next_pair(ladder, &|_| Some(0), turn) else {
                return table;
            };
            for [first, second] in [[a, b], [b, a]] {
                let expected = expected_score(strengths[first] - strengths[second]);
                let half_points = if random() < expected { 2 } else { 0 };
                let key = |number: usize| table.players[number].side.key();
                games.push(game(&key(first), &key(second), half_points, turn as i64));
            }
        }
        panic!("the ladder does not end");
    }

    #[test]
    fn a_ladder_ends_and_finds_the_order() {
        let table = played(&LADDER, &[0.0, 300.0, -200.0, 100.0, 500.0, 900.0]);
        for player in &table.players[2..] {
            assert!(player.results.games() >= 8, "{player:?}");
        }
        let order = table.order();
        let versions: Vec<usize> = order.into_iter().filter(|n| *n >= 2).collect();
        assert_eq!(versions, [5, 4, 3, 2]);
    }

    #[test]
    fn no_version_plays_more_games_than_it_may() {
        for games in [2, 7, 8, 20] {
            let ladder = Ladder {
                games,
                precision: 1.0,
                ..LADDER
            };
            let table = played(&ladder, &[0.0, 300.0, -200.0, 100.0, 500.0, 900.0]);
            for player in &table.players[2..] {
                assert_eq!(player.results.games(), games / 2 * 2, "{player:?}");
            }
        }
    }

    #[test]
    fn nobody_to_play_is_nobody_next() {
        assert_eq!(
            Table::new(players(0, 1)).next_pair(&LADDER, &|_| Some(0), 0),
            None
        );
        assert_eq!(
            Table::new(players(3, 0)).next_pair(&LADDER, &|_| Some(0), 0),
            None
        );
    }
}
