//! Tables for a terminal; readable without colour.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use referee::printable;

use review::{Conversion, Kind};

use crate::conversion::Conversions;
use crate::standings::Standings;
use crate::store::TournamentRow;

/// The standings: rank, points, results by colour, rating, tie-breaks, faults.
#[must_use]
pub fn standings(standings: &Standings, sides: [&str; 2]) -> String {
    let mut table = new_table([
        "#",
        "player",
        "points",
        "games",
        "W-D-L",
        &format!("as {}", sides[0]),
        &format!("as {}", sides[1]),
        "Elo",
        "±",
        "LOS",
        "SB",
        "faults",
        "s/game",
        "slowest",
    ]);
    for row in &standings.rows {
        let name = match row.benched {
            Some(_) => format!("{} (benched)", printable(&row.name)),
            None => printable(&row.name),
        };
        let rating = row.rated();
        let dash = || "–".to_string();
        table.add_row([
            row.rank.to_string(),
            name,
            row.points().to_string(),
            row.wdl().games().to_string(),
            row.wdl().to_string(),
            row.as_first.to_string(),
            row.as_second.to_string(),
            rating.map_or_else(dash, |rating| crate::rating::signed(rating.elo, 0)),
            rating.map_or_else(dash, |rating| format!("{:.0}", rating.error)),
            row.above_next
                .map_or_else(String::new, |los| format!("{:.0} %", los * 100.0)),
            (f64::from(row.sonneborn_berger) / 4.0).to_string(),
            row.faults.to_string(),
            format!("{:.3}", row.wall.0.as_secs_f64()),
            format!("{:.3}", row.slowest.0.as_secs_f64()),
        ]);
    }
    align_right(&mut table, 1);
    table.to_string()
}

/// Who beat whom: won-drawn-lost of the row's player against the column's.
#[must_use]
pub fn crosstable(standings: &Standings) -> String {
    let mut header = vec![String::new(), "player".into()];
    // Lines and columns are numbered by their place, because ranks can be shared.
    header.extend((1..=standings.rows.len()).map(|place| place.to_string()));
    let mut table = new_table(header);
    for (index, row) in standings.rows.iter().enumerate() {
        let mut cells = vec![(index + 1).to_string(), printable(&row.name)];
        cells.extend(standings.rows.iter().map(|other| {
            let wdl = standings.crosstable[row.player][other.player];
            match (row.player == other.player, wdl.games()) {
                (true, _) => "×".into(),
                (false, 0) => String::new(),
                (false, _) => wdl.to_string(),
            }
        }));
        table.add_row(cells);
    }
    align_right(&mut table, 1);
    table.to_string()
}

/// What the players made of won positions, as far as it is proven.
#[must_use]
pub fn conversion(conversions: &Conversions) -> String {
    let mut table = new_table(conversion_columns());
    for player in &conversions.players {
        table.add_row(conversion_row(player));
    }
    align_right(&mut table, 0);
    table.to_string()
}

/// The columns of the table of conversion, wherever it is shown.
#[must_use]
pub const fn conversion_columns() -> [&'static str; 11] {
    [
        "player",
        "games",
        "proven positions",
        "proven won",
        "converted",
        "given",
        "given back",
        "win → loss",
        "win → draw",
        "draw → loss",
        "points lost",
    ]
}

/// A row of the table of conversion.
#[must_use]
pub fn conversion_row(player: &Conversion) -> [String; 11] {
    let kind = |kind: Kind| player.by_kind.get(kind.name()).copied().unwrap_or(0);
    let numbers = [
        player.games,
        player.coverage.proven,
        player.won,
        player.converted,
        player.given,
        player.given_back,
        kind(Kind::WinToLoss),
        kind(Kind::WinToDraw),
        kind(Kind::DrawToLoss),
        player.points as usize,
    ];
    let mut cells = [const { String::new() }; 11];
    cells[0] = printable(&player.player);
    for (cell, number) in cells[1..].iter_mut().zip(numbers) {
        *cell = number.to_string();
    }
    cells
}

/// The matches of a knockout, round by round; empty for other formats.
#[must_use]
pub fn bracket(standings: &Standings) -> String {
    let name = |player: Option<usize>| {
        player
            .and_then(|p| standings.of(p))
            .map_or_else(|| "-".into(), |row| printable(&row.name))
    };
    let mut text = String::new();
    for (round, matches) in (1..).zip(&standings.bracket) {
        text += &format!("round {round}\n");
        for m in matches {
            if let [Some(one), None] | [None, Some(one)] = m.players
                && m.winner == Some(one)
            {
                text += &format!("  {} goes on without a match\n", name(m.winner));
                continue;
            }
            let [a, b] = m.half_points.map(|half| f64::from(half) / 2.0);
            let winner = match m.winner {
                Some(_) => format!(" → {}", name(m.winner)),
                None => String::new(),
            };
            text += &format!(
                "  {} {a} : {b} {}{winner}\n",
                name(m.players[0]),
                name(m.players[1])
            );
        }
    }
    text
}

/// All tournaments of a store.
#[must_use]
pub fn tournaments(rows: &[TournamentRow]) -> String {
    let mut table = new_table(["id", "name", "game", "format", "players", "games", "made"]);
    for row in rows {
        let games = match row.finished {
            true => format!("{} (finished)", row.played),
            false => format!("{} of {}", row.played, row.planned),
        };
        table.add_row([
            row.id.clone(),
            printable(&row.name),
            row.game.to_string(),
            row.format.clone(),
            row.players.len().to_string(),
            games,
            row.created.to_string(),
        ]);
    }
    table.to_string()
}

fn new_table<H: Into<comfy_table::Row>>(header: H) -> Table {
    let mut table = Table::new();
    table
        .load_style(UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    table
}

/// Numbers stand under each other, all but the column of names.
fn align_right(table: &mut Table, names: usize) {
    for (index, column) in table.column_iter_mut().enumerate() {
        if index != names {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
