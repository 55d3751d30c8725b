//! Tables of a tournament.

use games::{AnyPosition, GameName};
use maud::{Markup, html};
use tournament::config::OpeningSource;
use tournament::schedule::{BracketMatch, Format};
use tournament::standings::{Standing, Standings};
use tournament::store::FaultRow;
use tournament::{GameRow, RunningGame, TournamentRow};

use crate::board;
use crate::page::count;
use crate::play::game::replay;

/// A player's name as a link to its page.
pub(super) fn player(row: &TournamentRow, number: usize) -> Markup {
    let name = row
        .players
        .get(number)
        .map_or("?", |player| player.name.as_str());
    html! { a href={ "/tournaments/" (row.id) "/players/" (number) } { (name) } }
}

/// What kind of tournament it is, in a line.
pub(super) fn about(row: &TournamentRow) -> String {
    let config = &row.config;
    let format = match config.format {
        Format::RoundRobin => "everyone meets everyone".into(),
        Format::Gauntlet { challengers: 1 } => "the first meets all others".into(),
        Format::Gauntlet { challengers } => format!("the first {challengers} meet all others"),
        Format::Swiss { rounds } => format!("Swiss of {}", count(rounds, "round")),
        Format::Knockout { .. } => "knockout".into(),
    };
    let start = match &config.openings.source {
        OpeningSource::Random => "random starts".into(),
        OpeningSource::Start => "the usual start".into(),
        OpeningSource::List(list) => match &list[..] {
            [one] if one.len() <= SHORT => format!("from {one}"),
            list => format!("from {}", count(list.len() as u64, "given position")),
        },
    };
    let plies = match config.openings.plies {
        0 => String::new(),
        1 => " and 1 random ply on".into(),
        plies => format!(" and {plies} random plies on"),
    };
    format!(
        "{}, {} players, {format}, {} a match, {start}{plies}, seed {}",
        row.game.about().title,
        row.players.len(),
        count(config.pairs, "pair"),
        config.seed
    )
}

/// A position that is not longer can stand in a line: a variant of GIPF.
const SHORT: usize = 24;

/// `2½`
fn points(half_points: u32) -> String {
    let half = if half_points % 2 == 1 { "½" } else { "" };
    match half_points / 2 {
        0 if !half.is_empty() => half.into(),
        whole => format!("{whole}{half}"),
    }
}

/// The table of points.
pub(super) fn standings(row: &TournamentRow, standings: &Standings) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Standings" {
            table {
                thead { tr {
                    th.num { "#" } th { "Player" } th.num { "Points" } th.num { "Games" } th { "W-D-L" }
                    th.num { "Elo ± 95 %" } th.num { "Better than next" } th.num { "Faults" } th.num { "Time a game" } th.num { "Slowest move" }
                } }
                tbody {
                    @for line in &standings.rows {
                        tr {
                            td.num { (line.rank) }
                            th scope="row" { (player(row, line.player)) @if line.benched.is_some() { " " span.tag.bad { "benched" } } }
                            td.num { strong { (points(line.half_points)) } }
                            td.num { (line.wdl().games()) }
                            td { (line.wdl()) }
                            td.num { (elo(line)) }
                            td.num { @if let Some(p) = line.above_next { (format!("{:.0} %", p * 100.0)) } }
                            td.num { (line.faults) }
                            td.num { (line.wall) }
                            td.num { (line.slowest) }
                        }
                    }
                }
            }
        }
    }
}

fn elo(line: &Standing) -> String {
    let rating = line.rated();
    rating.map_or_else(|| "–".into(), |rating| format!("{rating:.0}"))
}

/// Ratings as points with error bars.
pub(super) fn ratings(standings: &Standings) -> Markup {
    let rows = &standings.rows;
    let known = |line: &&Standing| {
        line.rated()
            .is_some_and(|r| r.elo.is_finite() && r.error.is_finite())
    };
    let reach = rows
        .iter()
        .filter(known)
        .map(|line| line.rating.elo.abs() + line.rating.error)
        .fold(50.0, f64::max)
        .min(1200.0);
    let height = rows.len() as f64 * 30.0 + 34.0;
    let x = |elo: f64| 400.0 + (elo / reach).clamp(-1.0, 1.0) * 220.0;
    html! {
        div.plot tabindex="0" role="region" aria-label="Ratings" { svg.graph.bars viewBox={ "0 0 640 " (height) } role="img" aria-label="ratings with error bars" {
            line.zero x1="400" x2="400" y1="8" y2=(height - 24.0) {}
            text x="400" y=(height - 6.0) text-anchor="middle" { "average" }
            text x="180" y=(height - 6.0) text-anchor="middle" { (format!("−{reach:.0} Elo")) }
            text x="600" y=(height - 6.0) text-anchor="middle" { (format!("+{reach:.0}")) }
            @for (i, line) in rows.iter().enumerate() {
                @let y = 22.0 + i as f64 * 30.0;
                text x="8" y=(y + 5.0) { (line.name.chars().take(22).collect::<String>()) }
                @if known(&line) {
                    path.whisker d=(format!("M{:.1} {y}H{:.1}M{:.1} {}v12M{:.1} {}v12", x(line.rating.elo - line.rating.error), x(line.rating.elo + line.rating.error), x(line.rating.elo - line.rating.error), y - 6.0, x(line.rating.elo + line.rating.error), y - 6.0)) {}
                    circle.bar cx=(format!("{:.1}", x(line.rating.elo))) cy=(y) r="6" {}
                }
            }
        } }
    }
}

/// The matches of a knockout, a column for each round.
pub(super) fn bracket(row: &TournamentRow, standings: &Standings) -> Markup {
    let rounds = standings.bracket.len();
    html! {
        @if rounds > 0 {
            h2 { "Bracket" }
            ol.bracket tabindex="0" aria-label="Bracket" {
                @for (number, matches) in (1..).zip(&standings.bracket) {
                    @let last = number == rounds;
                    @let reward = if last { "wins" } else { "goes on" };
                    li {
                        h3 { @if last { "Final" } @else { "Round " (number) } }
                        ol { @for pairing in matches { li.pairing { (seat(row, pairing, 0, reward)) (seat(row, pairing, 1, reward)) } } }
                    }
                }
            }
        }
    }
}

/// One of the two who meet in a match of a knockout; `reward` is what the winner gets.
fn seat(row: &TournamentRow, pairing: &BracketMatch, index: usize, reward: &str) -> Markup {
    let [one, other] = [pairing.players[index], pairing.players[1 - index]];
    let Some(one) = one else {
        // Nobody is left to meet, or it is not known yet who that will be.
        let alone = other.is_some() && pairing.winner == other;
        return html! { p { span.quiet { @if alone { "no opponent" } @else { "not known yet" } } } };
    };
    let won = pairing.winner == Some(one);
    html! {
        p class=[won.then_some("won")] {
            @if won { strong { (player(row, one)) } } @else { span { (player(row, one)) } }
            @if other.is_some() { span { (points(pairing.half_points[index])) } }
            @if won { span.quiet { (reward) } }
        }
    }
}

/// Who beat whom.
pub(super) fn crosstable(row: &TournamentRow, standings: &Standings) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Crosstable" {
            table {
                thead { tr { th { "Player" } @for (i, line) in standings.rows.iter().enumerate() { th.num title=(line.name) { (i + 1) } } } }
                tbody {
                    // Numbered by place: ranks can be shared.
                    @for (i, line) in standings.rows.iter().enumerate() {
                        tr {
                            th scope="row" { (i + 1) ". " (player(row, line.player)) }
                            @for other in &standings.rows {
                                @let wdl = standings.crosstable[line.player][other.player];
                                td.num {
                                    @if line.player == other.player { "·" }
                                    @else if wdl.games() > 0 {
                                        a href={ "/tournaments/" (row.id) "/games?player=" (line.player) "&opponent=" (other.player) } title=(wdl) { (points(wdl.half_points())) "/" (wdl.games()) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The games that are being played.
pub(super) fn running(row: &TournamentRow, games: &[RunningGame]) -> Markup {
    html! {
        @if !games.is_empty() {
            ul.boards {
                @for game in games {
                    li {
                        @if let Some(scene) = last_scene(row.game, game) { (board::picture(&scene, "a running game")) }
                        p { (player(row, game.first)) " – " (player(row, game.second)) br; span.quiet { "move " (game.moves.len()) } }
                    }
                }
            }
        }
    }
}

/// The board of a running game after its last move.
pub(crate) fn last_scene(game: GameName, running: &RunningGame) -> Option<draw::Scene> {
    // A lost turn passes to the opponent, which a replay of the moves alone cannot show.
    let positions = replay(game, &running.start, &running.moves).ok();
    if let Some((last, before)) = positions.as_deref().and_then(|all| all.split_last())
        && let (Some(before), Some(mv)) = (before.last(), running.moves.last())
    {
        return Some(before.scene_after(mv).unwrap_or_else(|_| last.scene()));
    }
    let position = AnyPosition::parse(game, &running.position).ok()?;
    Some(position.scene())
}

/// A list of games.
pub(crate) fn games(row: &TournamentRow, games: &[GameRow]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Games" {
            table {
                thead { tr { th { "Game" } th { "First" } th { "Second" } th { "Result" } th { "Ended" } th.num { "Turns" } th { "Time" } } }
                tbody {
                    @for game in games {
                        tr {
                            td { a href={ "/tournaments/" (row.id) "/games/" (game.id) } { (game.key.round) "." (game.key.table) "." (game.key.game) } }
                            td { (player(row, game.first)) }
                            td { (player(row, game.second)) }
                            td { (result(game)) }
                            td.wrap { (game.ending_text) }
                            td.num { (game.turns) }
                            td { (game.wall[0]) " – " (game.wall[1]) }
                        }
                    }
                    @if games.is_empty() { tr { td colspan="7" { "No games yet" } } }
                }
            }
        }
    }
}

/// A game's id without its tournament's.
pub(super) fn short(row: &TournamentRow, game: &str) -> String {
    let rest = game.strip_prefix(&row.id).unwrap_or(game);
    rest.trim_start_matches('.').to_string()
}

/// What was done wrong, each with the turn that shows the input and the answer.
pub(crate) fn faults(row: &TournamentRow, faults: &[FaultRow]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Faults" {
            table {
                thead { tr { th { "Game" } th.num { "Turn" } th { "Verdict" } } }
                tbody {
                    @for fault in faults {
                        tr {
                            td { a href={ "/tournaments/" (row.id) "/games/" (fault.turn.game) "?at=" (fault.turn.turn) } { (short(row, &fault.turn.game)) } }
                            td.num { (fault.turn.turn) }
                            td.wrap { (fault.text) }
                        }
                    }
                }
            }
        }
    }
}

/// `1–0`
pub(super) fn result(game: &GameRow) -> &'static str {
    match game.score {
        referee::Score::First => "1–0",
        referee::Score::Second => "0–1",
        referee::Score::Draw => "½–½",
        referee::Score::None => "–",
    }
}
