//! Who stands where: points, tie-breaks, ratings, and who beat whom.

use std::cmp::Reverse;
use std::collections::HashMap;

use referee::Seconds;
use serde::Serialize;

use crate::config::Config;
use crate::rating::{PairCounts, RatedGame, Rating, Ratings, SprtState, elo};
use crate::schedule::{BracketMatch, Format, GameKey, Results};
use crate::store::{GameRow, Note, NoteKind};

/// Wins, draws and losses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Wdl {
    fn add(&mut self, half_points: u8) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// How many games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Twice the points.
    #[must_use]
    pub fn half_points(&self) -> u32 {
        2 * self.wins + self.draws
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Wdl) -> Wdl {
        Wdl {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl std::fmt::Display for Wdl {
    /// `12-3-5`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.draws, self.losses)
    }
}

/// One line of the table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// The place, from 1.
    pub rank: usize,
    /// Number of the player.
    pub player: usize,
    /// Its name.
    pub name: String,
    /// Twice its points, byes and forfeits included.
    pub half_points: u32,
    /// Its results as the player who moves first, forfeits included.
    pub as_first: Wdl,
    /// Its results as the other player, forfeits included.
    pub as_second: Wdl,
    /// Rounds without an opponent.
    pub byes: u32,
    /// Games won or lost without being played.
    pub forfeits: u32,
    /// Its strength; forfeits do not count.
    pub rating: Rating,
    /// How likely it is to be stronger than the next in the table.
    pub above_next: Option<f64>,
    /// Twice the sum of its opponents' points.
    pub buchholz: u32,
    /// Four times the points of beaten opponents and half those of drawn ones.
    pub sonneborn_berger: u32,
    /// How many faults it made.
    pub faults: u32,
    /// Average wall time of a game.
    pub wall: Seconds,
    /// Average processor time of a game.
    pub cpu: Seconds,
    /// Wall time of its slowest move.
    pub slowest: Seconds,
    /// Why it was benched, if it was.
    pub benched: Option<String>,
}

impl Standing {
    /// All its results.
    #[must_use]
    pub fn wdl(&self) -> Wdl {
        self.as_first.plus(self.as_second)
    }

    /// Its strength, if that can be compared: who was benched, or has not really played, has a
    /// rating near the average only because nothing says otherwise.
    #[must_use]
    pub fn rated(&self) -> Option<Rating> {
        let played = self.wdl().games() > self.forfeits;
        (played && self.benched.is_none()).then_some(self.rating)
    }

    /// Its points.
    #[must_use]
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }
}

/// The state of a whole tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The table, best first.
    pub rows: Vec<Standing>,
    /// `crosstable[a][b]`: the results of player `a` against player `b`, by number.
    pub crosstable: Vec<Vec<Wdl>>,
    /// `superiority[a][b]`: how likely player `a` is stronger than player `b`, by number.
    pub superiority: Vec<Vec<f64>>,
    /// What moving first is worth.
    pub first_move: Rating,
    /// Results of whoever moved first; forfeits do not count.
    pub first_wdl: Wdl,
    /// Games that are over.
    pub played: usize,
    /// Games there will be; at least, for a knockout.
    pub planned: usize,
    /// The rounds of a knockout.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bracket: Vec<Vec<BracketMatch>>,
    /// What a match of two players says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duel: Option<Duel>,
}

/// A match of two players, seen by the first of the list.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Duel {
    /// All games that were played.
    pub wdl: Wdl,
    /// Those as first and as second player.
    pub by_seat: [Wdl; 2],
    /// Complete pairs by their result: 0, ½, 1, 1½ and 2 points.
    pub pairs: PairCounts,
    /// How much stronger the first player is.
    pub rating: Rating,
    /// How likely it is that it is stronger at all.
    pub superiority: f64,
    /// Where the test stands, if one was asked for.
    pub sprt: Option<SprtState>,
}

impl Standings {
    /// The standings after these games.
    #[must_use]
    pub fn new(config: &Config, games: &[GameRow], notes: &[Note]) -> Standings {
        let plan = config.plan();
        let results: Results = games.iter().map(|g| (g.key, g.played())).collect();
        let ratings = elo(plan.players, &rated(games));
        let mut tally = Tally::new(plan.players);
        games.iter().for_each(|game| tally.add(game));
        for (_, player) in plan.byes(&results) {
            tally.byes[player] += 1;
        }
        let bracket = plan.bracket(&results);
        let mut rows: Vec<Standing> = (0..plan.players)
            .map(|player| {
                let mut row = tally.row(player, plan.bye_half_points());
                row.name.clone_from(&config.players[player].name);
                row.rating = ratings.players[player];
                row.benched = notes
                    .iter()
                    .find(|n| n.kind == NoteKind::Benched && n.player == Some(player))
                    .map(|note| note.text.clone());
                row
            })
            .collect();
        tie_breaks(&mut rows, &tally.crosstable);
        let order = Order {
            format: config.format,
            reached: rounds_won(&bracket, plan.players),
        };
        rows.sort_by_key(|row| order.key(row));
        rank(&mut rows, &order, &ratings);
        Standings {
            rows,
            superiority: (0..plan.players)
                .map(|a| {
                    (0..plan.players)
                        .map(|b| ratings.superiority(a, b))
                        .collect()
                })
                .collect(),
            crosstable: tally.crosstable,
            first_move: ratings.first_move,
            first_wdl: tally.first_wdl,
            played: games.len(),
            planned: plan.games_after(&results).max(games.len()),
            bracket,
            duel: (plan.players == 2).then(|| duel(config, games)),
        }
    }

    /// The line of a player.
    #[must_use]
    pub fn of(&self, player: usize) -> Option<&Standing> {
        self.rows.iter().find(|row| row.player == player)
    }
}

/// The games that count for ratings: those that were really played.
#[must_use]
pub fn rated(games: &[GameRow]) -> Vec<RatedGame> {
    let played = games.iter().filter(|game| !game.is_forfeit());
    played
        .map(|game| {
            let GameKey { round, table, .. } = game.key;
            let place = u64::from(round) << 40 | u64::from(table) << 20;
            RatedGame {
                first: game.first,
                second: game.second,
                half_points: game.played().half_points,
                pair: place ^ u64::from(game.key.pair()),
            }
        })
        .collect()
}

/// The match of the only two players.
fn duel(config: &Config, games: &[GameRow]) -> Duel {
    let (mut wdl, mut by_seat) = (Wdl::default(), [Wdl::default(); 2]);
    let mut pairs = PairCounts::default();
    let mut half: HashMap<(u32, u32, u32), u8> = HashMap::new();
    for game in games.iter().filter(|game| !game.is_forfeit()) {
        let own = game.played().half_points_of(0).unwrap_or(0);
        wdl.add(own);
        by_seat[usize::from(game.first != 0)].add(own);
        let pair = (game.key.round, game.key.table, game.key.pair());
        match half.remove(&pair) {
            Some(other) => pairs.add(own + other),
            None => {
                half.insert(pair, own);
            }
        }
    }
    Duel {
        wdl,
        by_seat,
        pairs,
        rating: pairs.elo(),
        superiority: pairs.superiority(),
        sprt: config.sprt.map(|sprt| sprt.state(&pairs)),
    }
}

/// Sums over all games.
struct Tally {
    crosstable: Vec<Vec<Wdl>>,
    by_seat: Vec<[Wdl; 2]>,
    byes: Vec<u32>,
    forfeits: Vec<u32>,
    faults: Vec<u32>,
    wall: Vec<Seconds>,
    cpu: Vec<Seconds>,
    slowest: Vec<Seconds>,
    first_wdl: Wdl,
}

impl Tally {
    fn new(players: usize) -> Tally {
        Tally {
            crosstable: vec![vec![Wdl::default(); players]; players],
            by_seat: vec![Default::default(); players],
            byes: vec![0; players],
            forfeits: vec![0; players],
            faults: vec![0; players],
            wall: vec![Seconds::ZERO; players],
            cpu: vec![Seconds::ZERO; players],
            slowest: vec![Seconds::ZERO; players],
            first_wdl: Wdl::default(),
        }
    }

    fn add(&mut self, game: &GameRow) {
        let half_points = game.played().half_points;
        if !game.is_forfeit() {
            self.first_wdl.add(half_points);
        }
        let seats = [
            (game.first, game.second, half_points),
            (game.second, game.first, 2 - half_points),
        ];
        for (seat, (player, opponent, own)) in seats.into_iter().enumerate() {
            self.crosstable[player][opponent].add(own);
            self.by_seat[player][seat].add(own);
            self.forfeits[player] += u32::from(game.is_forfeit());
            self.faults[player] += game.faults[seat];
            self.wall[player].0 += game.wall[seat].0;
            self.cpu[player].0 += game.cpu[seat].0;
            self.slowest[player] = self.slowest[player].max(game.slowest[seat]);
        }
    }

    fn row(&self, player: usize, bye_half_points: u32) -> Standing {
        let [as_first, as_second] = self.by_seat[player];
        let all = as_first.plus(as_second);
        let played = (all.games() - self.forfeits[player]).max(1);
        Standing {
            rank: 0,
            player,
            name: String::new(),
            half_points: all.half_points() + self.byes[player] * bye_half_points,
            as_first,
            as_second,
            byes: self.byes[player],
            forfeits: self.forfeits[player],
            rating: Rating {
                elo: 0.0,
                error: 0.0,
            },
            above_next: None,
            buchholz: 0,
            sonneborn_berger: 0,
            faults: self.faults[player],
            wall: Seconds(self.wall[player].0 / played),
            cpu: Seconds(self.cpu[player].0 / played),
            slowest: self.slowest[player],
            benched: None,
        }
    }
}

fn tie_breaks(rows: &mut [Standing], crosstable: &[Vec<Wdl>]) {
    let points: Vec<u32> = rows.iter().map(|row| row.half_points).collect();
    for row in rows {
        for (opponent, wdl) in crosstable[row.player].iter().enumerate() {
            row.buchholz += wdl.games().min(1) * points[opponent];
            row.sonneborn_berger += wdl.half_points() * points[opponent];
        }
    }
}

/// How many rounds of a knockout each player has won.
fn rounds_won(bracket: &[Vec<BracketMatch>], players: usize) -> Vec<u32> {
    let mut won = vec![0; players];
    for m in bracket.iter().flatten() {
        if let Some(winner) = m.winner {
            won[winner] += 1;
        }
    }
    won
}

/// What the order of the table goes by.
struct Order {
    format: Format,
    reached: Vec<u32>,
}

type OrderKey = (Reverse<(u32, u32, u32, u32, u32)>, u32, usize);

impl Order {
    /// Rounds won (knockout), points, Buchholz (Swiss), Sonneborn–Berger, wins, fewer
    /// faults, place in the list.
    fn key(&self, row: &Standing) -> OrderKey {
        let buchholz = match self.format {
            Format::Swiss { .. } => row.buchholz,
            _ => 0,
        };
        (
            Reverse((
                self.reached[row.player],
                row.half_points,
                buchholz,
                row.sonneborn_berger,
                row.wdl().wins,
            )),
            row.faults,
            row.player,
        )
    }
}

/// Numbers the sorted rows; who differs in nothing but the place in the list shares a rank.
fn rank(rows: &mut [Standing], order: &Order, ratings: &Ratings) {
    for i in 0..rows.len() {
        let (score, faults, _) = order.key(&rows[i]);
        rows[i].rank = match i.checked_sub(1).map(|before| order.key(&rows[before])) {
            Some((s, f, _)) if (s, f) == (score, faults) => rows[i - 1].rank,
            _ => i + 1,
        };
        rows[i].above_next = rows
            .get(i + 1)
            .filter(|next| rows[i].rated().is_some() && next.rated().is_some())
            .map(|next| ratings.superiority(rows[i].player, next.player));
    }
}

#[cfg(test)]
mod tests {
    use referee::Score;

    use super::*;
    use crate::config::RawConfig;
    use crate::store::Moment;

    fn config(players: usize) -> Config {
        let mut config = RawConfig::new(
            "t",
            games::REVERSI,
            vec!["random".parse().unwrap(); players],
        );
        for (number, player) in config.players.iter_mut().enumerate() {
            player.name = format!("p{number}");
        }
        config.try_into().unwrap()
    }

    fn game(table: u32, game: u32, first: usize, second: usize, score: Score) -> GameRow {
        GameRow {
            id: format!("t.1.{table}.{game}"),
            key: GameKey {
                round: 1,
                table,
                game,
            },
            first,
            second,
            opening: 0,
            score,
            ending: "rules".into(),
            ending_text: "by the rules".into(),
            turns: 60,
            wall: [Seconds::from_millis(20), Seconds::from_millis(40)],
            cpu: [Seconds::from_millis(10), Seconds::from_millis(30)],
            slowest: [Seconds::from_millis(2), Seconds::from_millis(4)],
            faults: [0, 0],
            failed: [false, false],
            finished: Moment(0),
        }
    }

    #[test]
    fn points_colours_and_tie_breaks_are_counted() {
        let games = [
            game(1, 1, 0, 1, Score::First),
            game(1, 2, 1, 0, Score::Draw),
            game(2, 1, 0, 2, Score::Second),
            game(2, 2, 2, 0, Score::Second),
            game(3, 1, 1, 2, Score::First),
            game(3, 2, 2, 1, Score::First),
        ];
        let standings = Standings::new(&config(3), &games, &[]);
        let names: Vec<&str> = standings.rows.iter().map(|r| r.name.as_str()).collect();
        assert_eq!(names, ["p0", "p2", "p1"]);
        let first = &standings.rows[0];
        assert_eq!(first.half_points, 5);
        assert_eq!(first.as_first.to_string(), "1-0-1");
        assert_eq!(first.as_second.to_string(), "1-1-0");
        // 3 half points from p1 (3 half points), 2 from p2 (4 half points).
        assert_eq!(first.sonneborn_berger, 3 * 3 + 2 * 4);
        assert_eq!(first.wall, Seconds::from_millis((20 + 40) / 2));
        assert_eq!(first.slowest, Seconds::from_millis(4));
        assert_eq!(standings.crosstable[1][0].to_string(), "0-1-1");
        assert_eq!(standings.first_wdl.to_string(), "3-1-2");
        let sum: f64 = standings.rows.iter().map(|r| r.rating.elo).sum();
        assert!(sum.abs() < 1e-6);
        assert!(first.above_next.unwrap() > 0.5);
    }

    #[test]
    fn forfeits_bring_points_but_no_rating() {
        let mut forfeit = game(1, 1, 0, 1, Score::First);
        forfeit.ending = "forfeit".into();
        let note = Note {
            kind: NoteKind::Benched,
            player: Some(1),
            text: "lost 3 games by faults".into(),
            at: Moment(0),
        };
        let standings = Standings::new(&config(2), &[forfeit], &[note]);
        assert_eq!(standings.rows[0].half_points, 2);
        assert_eq!(standings.rows[0].rating.elo, 0.0);
        assert_eq!(
            standings.rows[1].benched.as_deref(),
            Some("lost 3 games by faults")
        );
        let duel = standings.duel.unwrap();
        assert_eq!((duel.wdl.games(), duel.by_seat), (0, [Wdl::default(); 2]));
    }

    #[test]
    fn a_duel_is_seen_by_the_first_of_the_list() {
        let games = [
            game(1, 1, 0, 1, Score::First),
            game(1, 2, 1, 0, Score::Second),
            game(1, 3, 0, 1, Score::Draw),
            game(1, 4, 1, 0, Score::Draw),
            game(1, 5, 0, 1, Score::Second),
        ];
        let duel = Standings::new(&config(2), &games, &[]).duel.unwrap();
        assert_eq!(duel.wdl.to_string(), "2-2-1");
        assert_eq!(duel.by_seat.map(|wdl| wdl.to_string()), ["1-1-1", "1-1-0"]);
        assert_eq!(duel.pairs, PairCounts([0, 0, 1, 0, 1]));
        assert!(duel.rating.elo > 0.0 && duel.superiority > 0.5);
    }

    #[test]
    fn who_was_benched_is_not_rated_above_others() {
        let mut games = vec![
            game(1, 1, 0, 1, Score::First),
            game(1, 2, 1, 0, Score::Second),
        ];
        let mut forfeit = game(2, 1, 1, 2, Score::First);
        forfeit.ending = "forfeit".into();
        games.push(forfeit);
        let note = Note {
            kind: NoteKind::Benched,
            player: Some(2),
            text: "lost 3 games by faults".into(),
            at: Moment(0),
        };
        let standings = Standings::new(&config(3), &games, &[note]);
        assert!(standings.of(1).unwrap().rated().unwrap().elo < 0.0);
        assert_eq!(standings.of(2).unwrap().rated(), None);
        assert_eq!(standings.of(1).unwrap().above_next, None);
    }

    #[test]
    fn a_prolonged_knockout_has_more_games() {
        let mut raw = RawConfig::new("t", games::REVERSI, vec!["random".parse().unwrap(); 3]);
        for (number, player) in raw.players.iter_mut().enumerate() {
            player.name = format!("p{number}");
        }
        raw.format = Format::Knockout { extra_pairs: 2 };
        let config: Config = raw.try_into().unwrap();
        assert_eq!(Standings::new(&config, &[], &[]).planned, 4);
        // The match of the second and third ends with one point each: another pair follows.
        let drawn = [game(2, 1, 1, 2, Score::Draw), game(2, 2, 2, 1, Score::Draw)];
        let standings = Standings::new(&config, &drawn, &[]);
        assert_eq!((standings.played, standings.planned), (2, 6));
    }

    #[test]
    fn equals_share_a_rank() {
        let standings = Standings::new(&config(3), &[], &[]);
        let ranks: Vec<usize> = standings.rows.iter().map(|row| row.rank).collect();
        assert_eq!(ranks, [1, 1, 1]);
        assert_eq!(standings.planned, 6);
    }
}
