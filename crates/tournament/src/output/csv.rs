//! Comma-separated values, for spreadsheets.

use referee::{Score, cell};
use review::Review;

use crate::conversion::{Conversions, is_decided};
use crate::output::table::conversion_row;
use crate::standings::Standings;
use crate::store::{GameRow, LibraryFound, PlayerRow};

/// What the players made of won positions, one line per player.
#[must_use]
pub fn conversion(conversions: &Conversions) -> String {
    let header = [
        "player",
        "games",
        "proven_positions",
        "proven_won",
        "converted",
        "given",
        "given_back",
        "win_to_loss",
        "win_to_draw",
        "draw_to_loss",
        "points_lost",
    ];
    let rows = conversions.players.iter().map(|player| {
        let mut row = conversion_row(player).to_vec();
        row[0] = cell(&player.player);
        row
    });
    write(&header, rows)
}

/// What reviews of games show, one line per game; the most instructive one is marked.
#[must_use]
pub fn reviews(
    reviews: &[(GameRow, Review)],
    conversions: &Conversions,
    players: &[PlayerRow],
) -> String {
    let header = [
        "id",
        "first",
        "second",
        "score",
        "positions",
        "proven_positions",
        "proven_mistakes",
        "turning_point",
        "decided_by_mistake",
        "most_instructive",
        "summary",
    ];
    let yes = |is_so: bool| String::from(if is_so { "yes" } else { "no" });
    let rows = reviews.iter().map(|(game, review)| {
        vec![
            game.id.clone(),
            name(players, game.first),
            name(players, game.second),
            score(game.score),
            review.coverage.positions.to_string(),
            review.coverage.proven.to_string(),
            review.real_mistakes().count().to_string(),
            review
                .turning_point
                .map_or_else(String::new, |turn| turn.to_string()),
            yes(is_decided(game, review)),
            yes(conversions.instructive.as_ref() == Some(&game.id)),
            cell(&review.summary),
        ]
    });
    write(&header, rows)
}

/// Games of the library, moves included.
#[must_use]
pub fn library(found: &LibraryFound) -> String {
    let header = [
        "year", "date", "event", "first", "second", "score", "result", "start", "moves",
    ];
    let rows = found.games.iter().map(|(_, game)| {
        let [first, second] = &game.players;
        vec![
            match game.year {
                0 => String::new(),
                year => year.to_string(),
            },
            game.date.clone(),
            cell(&game.event),
            cell(first),
            cell(second),
            game.score.clone(),
            game.result.map_or_else(String::new, |r| r.to_string()),
            game.start.clone(),
            game.moves.clone(),
        ]
    });
    write(&header, rows)
}

/// The standings, one line per player.
#[must_use]
pub fn standings(standings: &Standings) -> String {
    let header = [
        "rank",
        "player",
        "points",
        "games",
        "wins",
        "draws",
        "losses",
        "first_wins",
        "first_draws",
        "first_losses",
        "second_wins",
        "second_draws",
        "second_losses",
        "byes",
        "forfeits",
        "elo",
        "elo_error",
        "superiority_over_next",
        "buchholz",
        "sonneborn_berger",
        "faults",
        "wall_seconds_per_game",
        "cpu_seconds_per_game",
        "slowest_move_seconds",
        "benched",
    ];
    let rows = standings.rows.iter().map(|row| {
        let all = row.wdl();
        vec![
            row.rank.to_string(),
            cell(&row.name),
            row.points().to_string(),
            all.games().to_string(),
            all.wins.to_string(),
            all.draws.to_string(),
            all.losses.to_string(),
            row.as_first.wins.to_string(),
            row.as_first.draws.to_string(),
            row.as_first.losses.to_string(),
            row.as_second.wins.to_string(),
            row.as_second.draws.to_string(),
            row.as_second.losses.to_string(),
            row.byes.to_string(),
            row.forfeits.to_string(),
            // Whole hundredths first: what is nothing by then has no sign.
            format!("{:.2}", (100.0 * row.rating.elo).round() / 100.0 + 0.0),
            format!("{:.2}", row.rating.error),
            row.above_next
                .map_or_else(String::new, |los| format!("{los:.4}")),
            (f64::from(row.buchholz) / 2.0).to_string(),
            (f64::from(row.sonneborn_berger) / 4.0).to_string(),
            row.faults.to_string(),
            format!("{:.6}", row.wall.0.as_secs_f64()),
            format!("{:.6}", row.cpu.0.as_secs_f64()),
            format!("{:.6}", row.slowest.0.as_secs_f64()),
            row.benched.as_deref().map_or_else(String::new, cell),
        ]
    });
    write(&header, rows)
}

/// The games, one line each.
#[must_use]
pub fn games(games: &[GameRow], players: &[PlayerRow]) -> String {
    let header = [
        "id",
        "round",
        "match",
        "game",
        "first",
        "second",
        "opening",
        "score",
        "ending",
        "ending_text",
        "turns",
        "first_wall_seconds",
        "second_wall_seconds",
        "first_cpu_seconds",
        "second_cpu_seconds",
        "first_faults",
        "second_faults",
        "finished",
    ];
    let rows = games.iter().map(|game| {
        vec![
            game.id.clone(),
            game.key.round.to_string(),
            game.key.table.to_string(),
            game.key.game.to_string(),
            name(players, game.first),
            name(players, game.second),
            game.opening.to_string(),
            score(game.score),
            game.ending.clone(),
            cell(&game.ending_text),
            game.turns.to_string(),
            format!("{:.6}", game.wall[0].0.as_secs_f64()),
            format!("{:.6}", game.wall[1].0.as_secs_f64()),
            format!("{:.6}", game.cpu[0].0.as_secs_f64()),
            format!("{:.6}", game.cpu[1].0.as_secs_f64()),
            game.faults[0].to_string(),
            game.faults[1].to_string(),
            game.finished.to_string(),
        ]
    });
    write(&header, rows)
}

fn name(players: &[PlayerRow], number: usize) -> String {
    let player = players.get(number);
    player.map_or_else(String::new, |player| cell(&player.name))
}

fn score(score: Score) -> String {
    String::from(match score {
        Score::First => "1-0",
        Score::Second => "0-1",
        Score::Draw => "1/2-1/2",
        Score::None => "*",
    })
}

fn write(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail, and all rows have the length of the header.
    let _ = writer.write_record(header);
    for row in rows {
        let _ = writer.write_record(row);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_result_is_no_draw() {
        let all = [Score::First, Score::Draw, Score::Second, Score::None];
        assert_eq!(all.map(score), ["1-0", "1/2-1/2", "0-1", "*"]);
    }

    #[test]
    fn text_of_others_is_no_formula() {
        assert_eq!(cell("=1+1"), "'=1+1");
        assert_eq!(cell("mine"), "mine");
        let text = write(
            &["a", "b"],
            [vec!["x,y".into(), "\"q\"\n".into()]].into_iter(),
        );
        assert_eq!(text, "a,b\n\"x,y\",\"\"\"q\"\"\n\"\n");
    }
}
