//! One HTML page about a tournament that needs nothing else: tables, plots, and games to
//! play through. All text of others is escaped, in the markup and in the script's data.

mod plots;
mod replay;

use std::fmt::Write as _;

use serde_json::json;

use crate::conversion::Conversions;
use crate::output::table::{conversion_columns, conversion_row};
use crate::schedule::GameKey;
use crate::standings::Standings;
use crate::store::{
    FaultRow, GameFilter, GameRow, Note, NoteKind, Store, StoreResult, TournamentRow,
};

/// What goes into the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReportOptions {
    /// So many games can be played through; those with faults come first.
    pub replays: usize,
    /// So many faults are listed.
    pub faults: u32,
}

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        ReportOptions {
            replays: 400,
            faults: 200,
        }
    }
}

/// The page about a tournament.
pub async fn html(store: &Store, tournament: &str, options: &ReportOptions) -> StoreResult<String> {
    let row = store.tournament(tournament).await?;
    let games = store.games(tournament, &GameFilter::default()).await?;
    let notes = store.notes(tournament).await?;
    let faults = store.faults(tournament, None, options.faults).await?;
    let standings = Standings::new(&row.config, &games, &notes);
    let chosen = choose(&games, options.replays);
    let replays = replay::data(store, &chosen).await?;
    let conversions = store.conversions(tournament).await?;
    let page = Page {
        conversions: &conversions,
        row: &row,
        games: &games,
        notes: &notes,
        faults: &faults,
        standings: &standings,
    };
    Ok(page.text(&replays, chosen.len()))
}

/// The games to be played through: those with faults, then the first pair of every match,
/// then the second, and so on.
fn choose(games: &[GameRow], most: usize) -> Vec<&GameRow> {
    let mut played: Vec<&GameRow> = games.iter().filter(|game| !game.is_forfeit()).collect();
    played.sort_by_key(|game| {
        let GameKey {
            round,
            table,
            game: number,
        } = game.key;
        (game.faults == [0, 0], game.key.pair(), round, table, number)
    });
    played.truncate(most);
    played
}

struct Page<'a> {
    conversions: &'a Conversions,
    row: &'a TournamentRow,
    games: &'a [GameRow],
    notes: &'a [Note],
    faults: &'a [FaultRow],
    standings: &'a Standings,
}

impl Page<'_> {
    fn text(&self, replays: &serde_json::Value, count: usize) -> String {
        let title = escape(&self.row.name);
        let sides = self.sides();
        let data = json!({
            "players": self.row.players.iter().map(|p| &p.name).collect::<Vec<_>>(),
            "sides": sides,
            "games": self.games.iter().map(game_data).collect::<Vec<_>>(),
            "replays": replays,
        });
        let mut page = String::with_capacity(1 << 20);
        write_page(&mut page, |page| {
            writeln!(
                page,
                "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
            )?;
            writeln!(
                page,
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
            )?;
            writeln!(
                page,
                "<title>{title}</title>\n<style>{CSS}</style>\n</head>\n<body>"
            )?;
            writeln!(
                page,
                "<header><h1>{title}</h1>\n<p>{}</p></header>\n<main>",
                self.about()
            )?;
            self.notes(page)?;
            writeln!(
                page,
                "<section><h2>Standings</h2>{}</section>",
                self.table(&sides)
            )?;
            writeln!(
                page,
                "<section><h2>Strength</h2>{}",
                plots::ratings(self.standings)
            )?;
            writeln!(page, "<p>{}</p></section>", self.first_move(&sides))?;
            if self.standings.rows.len() > 2 {
                writeln!(
                    page,
                    "<section><h2>Who beat whom</h2>{}</section>",
                    self.crosstable()
                )?;
            }
            self.bracket(page)?;
            writeln!(
                page,
                "<section><h2>Points as the games went</h2>{}</section>",
                plots::points(self.standings, self.games)
            )?;
            self.conversion(page)?;
            self.faults(page)?;
            writeln!(
                page,
                "<section id=\"games\"><h2>Games</h2>\n<p>{count} of {} games can be played through here.</p>\n\
                 <noscript><p>The list of games needs JavaScript.</p></noscript>\n{GAMES}</section>\n</main>",
                self.games.len()
            )?;
            writeln!(
                page,
                "<script type=\"application/json\" id=\"data\">{}</script>",
                script_json(&data)
            )?;
            writeln!(page, "<script>{SCRIPT}</script>\n</body>\n</html>")
        });
        page
    }

    /// What the game calls its two players.
    fn sides(&self) -> [&'static str; 2] {
        rules::Side::BOTH.map(|side| self.row.config.game.side_name(side))
    }

    fn about(&self) -> String {
        let row = self.row;
        let state = match row.finished {
            true => format!("{} games", row.played),
            false => format!("{} of {} games so far", row.played, row.planned),
        };
        format!(
            "{} · {} · {} players · {state} · begun {} UTC · <code>{}</code>",
            escape(row.game.name()),
            escape(&row.format),
            row.players.len(),
            row.created,
            escape(&row.id)
        )
    }

    fn notes(&self, page: &mut String) -> std::fmt::Result {
        for note in self.notes {
            let player = note.player.and_then(|p| self.row.players.get(p));
            if player.is_none() && note.kind != NoteKind::Remark {
                continue;
            }
            let name = player.map_or_else(String::new, |p| format!("{} ", escape(&p.name)));
            let kind = match note.kind {
                NoteKind::Remark => "note",
                kind => kind.name(),
            };
            writeln!(
                page,
                "<p class=\"note\">{name}{kind}: {}</p>",
                escape(&note.text)
            )?;
        }
        Ok(())
    }

    fn table(&self, sides: &[&str; 2]) -> String {
        let mut rows = String::new();
        for row in &self.standings.rows {
            let benched = row.benched.as_ref().map_or("", |_| " <em>benched</em>");
            let los = row
                .above_next
                .map_or_else(String::new, |los| format!("{:.0} %", los * 100.0));
            let elo = row
                .rated()
                .map_or_else(|| "–".into(), |elo| format!("{elo:.0}"));
            rows += &format!(
                "<tr><td>{}</td><th scope=\"row\">{}{benched}</th><td>{}</td><td>{}</td><td>{}</td>\
                 <td>{}</td><td>{}</td><td>{elo}</td><td>{los}</td><td>{}</td><td>{}</td>\
                 <td>{:.3}</td><td>{:.3}</td></tr>\n",
                row.rank,
                escape(&row.name),
                row.points(),
                row.wdl().games(),
                row.wdl(),
                row.as_first,
                row.as_second,
                f64::from(row.sonneborn_berger) / 4.0,
                row.faults,
                row.wall.0.as_secs_f64(),
                row.slowest.0.as_secs_f64(),
            );
        }
        format!(
            "<div class=\"wide\"><table><thead><tr><th>#</th><th>Player</th><th>Points</th>\
             <th>Games</th><th>W-D-L</th><th>as {}</th><th>as {}</th><th>Elo (95 %)</th>\
             <th title=\"likely to be stronger than the next\">LOS</th>\
             <th title=\"Sonneborn–Berger\">SB</th><th>Faults</th><th>s/game</th>\
             <th>Slowest (s)</th></tr></thead><tbody>\n{rows}</tbody></table></div>",
            escape(sides[0]),
            escape(sides[1])
        )
    }

    fn first_move(&self, sides: &[&str; 2]) -> String {
        format!(
            "{} moves first: {} (won-drawn-lost), worth {:.0} Elo.",
            escape(sides[0]),
            self.standings.first_wdl,
            self.standings.first_move
        )
    }

    fn crosstable(&self) -> String {
        let rows = &self.standings.rows;
        let head: String = (1..=rows.len())
            .map(|place| format!("<th>{place}</th>"))
            .collect();
        let mut body = String::new();
        for (index, row) in rows.iter().enumerate() {
            body += &format!(
                "<tr><td>{}</td><th scope=\"row\">{}</th>",
                index + 1,
                escape(&row.name)
            );
            for other in rows {
                let wdl = self.standings.crosstable[row.player][other.player];
                body += &match (row.player == other.player, wdl.games()) {
                    (true, _) => "<td>×</td>".into(),
                    (false, 0) => "<td></td>".into(),
                    (false, games) => {
                        let share = wdl.half_points() * 50 / games;
                        format!("<td style=\"--share:{share}%\">{wdl}</td>")
                    }
                };
            }
            body += "</tr>\n";
        }
        format!(
            "<div class=\"wide\"><table class=\"cross\"><thead><tr><th>#</th><th>Player</th>{head}\
             </tr></thead><tbody>\n{body}</tbody></table></div>"
        )
    }

    fn bracket(&self, page: &mut String) -> std::fmt::Result {
        if self.standings.bracket.is_empty() {
            return Ok(());
        }
        let text = crate::output::table::bracket(self.standings);
        writeln!(
            page,
            "<section><h2>Bracket</h2><pre>{}</pre></section>",
            escape(&text)
        )
    }

    /// What the players made of won positions, where games are reviewed.
    fn conversion(&self, page: &mut String) -> std::fmt::Result {
        if self.conversions.reviewed == 0 {
            return Ok(());
        }
        let headline = escape(&self.conversions.headline());
        write!(page, "<section><h2>Conversion</h2><p>{headline}</p>")?;
        write!(page, "<div class=\"wide\"><table><thead><tr>")?;
        for name in conversion_columns() {
            write!(page, "<th>{}</th>", escape(name))?;
        }
        write!(page, "</tr></thead><tbody>")?;
        for player in &self.conversions.players {
            let [name, numbers @ ..] = conversion_row(player);
            write!(page, "<tr><th scope=\"row\">{}</th>", escape(&name))?;
            for number in numbers {
                write!(page, "<td>{number}</td>")?;
            }
            write!(page, "</tr>")?;
        }
        writeln!(page, "</tbody></table></div></section>")
    }

    fn faults(&self, page: &mut String) -> std::fmt::Result {
        if self.faults.is_empty() {
            return Ok(());
        }
        writeln!(
            page,
            "<section><h2>Faults</h2><div class=\"wide\"><table class=\"faults\"><thead><tr><th>Player</th>\
             <th>Game</th><th>Turn</th><th>What</th><th>Standard error</th></tr></thead><tbody>"
        )?;
        for fault in self.faults {
            let turn = &fault.turn;
            let name = self.row.players.get(turn.player).map_or("?", |p| &p.name);
            writeln!(
                page,
                "<tr><th scope=\"row\">{}</th><td><a href=\"#{1}\">{1}</a></td><td>{2}</td>\
                 <td class=\"text\">{3}</td><td class=\"text\"><code>{4}</code></td></tr>",
                escape(name),
                escape(&turn.game),
                turn.record.ply,
                escape(&fault.text),
                escape(
                    &turn
                        .record
                        .stderr
                        .text()
                        .chars()
                        .take(400)
                        .collect::<String>()
                ),
            )?;
        }
        writeln!(
            page,
            "</tbody></table></div>\n<p><code>ludex replay GAME --db FILE --move TURN</code> runs the \
             program again on the same input.</p></section>"
        )
    }
}

/// A game as the script wants it.
fn game_data(game: &GameRow) -> serde_json::Value {
    let score = game.played().half_points;
    json!([
        game.id,
        game.first,
        game.second,
        score,
        game.ending_text,
        game.turns
    ])
}

fn write_page(page: &mut String, write: impl FnOnce(&mut String) -> std::fmt::Result) {
    write(page).expect("a string takes everything");
}

/// Text as markup shows it.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in referee::marked(text, |c| c != '\n').chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
    }
    escaped
}

/// JSON that cannot end the script element it stands in.
fn script_json(data: &serde_json::Value) -> String {
    data.to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

const CSS: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
const GAMES: &str = include_str!("games.html");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_stays_text() {
        assert_eq!(
            escape("<script>'\"&\u{1b}[31m"),
            "&lt;script&gt;&#39;&quot;&amp;\u{fffd}[31m"
        );
        let data = json!(["</script><script>alert(1)</script>"]);
        let text = script_json(&data);
        assert!(!text.contains('<'), "{text}");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            data
        );
    }
}
