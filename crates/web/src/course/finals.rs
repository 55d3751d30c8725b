//! Finals with their frozen lists, and one's own grade.

use axum::extract::{Path, Query};
use axum::response::Html;
use course::grades::Grade;
use course::{Assignment, Final, OpenCourse, Side, Wanted};
use maud::{Markup, html};
use serde::Deserialize;
use tournament::Standing;

use super::guard::Member;
use super::view::{Line, Names};
use super::{assignment, view};
use crate::fault::Fault;
use crate::query::query;

/// `GET /a/{id}/final`
pub(super) async fn show(member: Member, Path(id): Path<String>) -> Result<Html<String>, Fault> {
    let handle = tokio::runtime::Handle::current();
    member
        .aside(move |open_course, person| {
            let assignment = assignment::find(open_course, &id)?;
            let finals = handle.block_on(open_course.finals_of(assignment))?;
            let names = Names::for_reader(open_course, person)?;
            let title = format!("Final of {}", assignment.title);
            let body = html! {
                p { a href={ "/a/" (id) } { "← " (assignment.title) } }
                h1 { (title) }
                @if !finals.iter().any(|finale| finale.counts) { (ahead(assignment)) }
                @for finale in &finals { (one(open_course, &id, finale, &names)?) }
            };
            Ok(view::page(open_course, Some(person), &title, "/", body))
        })
        .await
}

fn ahead(assignment: &Assignment) -> Markup {
    html! {
        p { @match assignment.deadline {
            Some(deadline) => { "After the deadline, " (deadline) ", and the last extension, the last passing version of every team is frozen, the list is published here with its hashes, and the final is played: " (assignment.finale.format.name()) "." }
            None => "This assignment has no deadline, so staff begin the final.",
        } }
    }
}

fn one(
    open_course: &OpenCourse,
    assignment: &str,
    finale: &Final,
    names: &Names,
) -> Result<Markup, Fault> {
    let mut table = Vec::new();
    for row in finale
        .standings
        .iter()
        .flat_map(|standings| &standings.rows)
    {
        // Players are called by their versions, so that nobody's name is among the games.
        table.push((row, names.side(open_course, &Side::of_player(&row.name))?));
    }
    // References stand between the places and take none.
    let is_team = |row: &&Standing| matches!(Side::of_player(&row.name), Side::Version(_));
    let teams: Vec<&Standing> = table.iter().map(|(row, _)| *row).filter(is_team).collect();
    let before = |rank: usize| teams.iter().filter(|row| row.rank < rank).count();
    let place = |row: &Standing| is_team(&row).then(|| before(row.rank) + 1);
    Ok(html! {
        section.card {
            h2 { "Final " (finale.number) }
            @if finale.tournament.is_none() { p { "Fewer than two programs have passed: there is nothing to play." } }
            @else if finale.finished { p { span.tag.good { "over" } } }
            @else { p { span.tag { "being played" } " " @if let Some(standings) = &finale.standings { (standings.played) " games are over." } } }
            @if !finale.counts { p { "A trial, begun before the deadline was over: it counts for no grade." } }
            @if !table.is_empty() {
                p { a href={ "/a/" (assignment) "/finals/" (finale.number) } aria-label={ "Games of final " (finale.number) } { "Games" } }
                div.scroll tabindex="0" role="region" aria-label={ "Table of final " (finale.number) } {
                    table {
                        thead { tr { th.num { "Place" } th { "Player" } th.num { "Points" } th.num { "Rating" } th.num { "Faults" } } }
                        tbody { @for (row, name) in &table {
                            tr {
                                td.num { @if let Some(place) = place(row) { (place) } }
                                td { (name) }
                                td.num { (row.points()) }
                                td.num { @match row.rated() { Some(rating) => (format!("{rating:.0}")), None => "–" } }
                                td.num { (row.faults) }
                            }
                        }
                        @for team in &finale.absent {
                            tr {
                                td.num { (teams.len() + 1) }
                                td { (names.team(*team)) }
                                td colspan="3" { "no version" }
                            }
                        } }
                    }
                }
            }
            details {
                summary { "The frozen list" }
                div.scroll tabindex="0" role="region" aria-label={ "Frozen list of final " (finale.number) } {
                    table {
                        thead { tr { th { "Team" } th.num { "Version" } th { "SHA-256" } } }
                        tbody { @for row in &finale.list {
                            tr { td { (names.team(row.team)) } td.num { (row.number) } td { code.text { (row.hash) } } }
                        } }
                    }
                }
            }
        }
    })
}

/// Which games of a final.
#[derive(Deserialize)]
pub(super) struct Which {
    /// Those of this version.
    #[serde(default)]
    of: String,
    /// Those with faults.
    faults: Option<String>,
    /// Without so many of the latest.
    #[serde(default)]
    skip: u32,
}

/// So many games are listed at once.
const PAGE: u32 = 50;

/// `GET /a/{id}/finals/{number}`: the games of a final.
pub(super) async fn games(
    member: Member,
    Path((id, number)): Path<(String, u32)>,
    Query(which): Query<Which>,
) -> Result<Html<String>, Fault> {
    let handle = tokio::runtime::Handle::current();
    member.aside(move |open_course, person| {
        assignment::find(open_course, &id)?;
        let rows = open_course.store.finals(&id)?;
        let row = rows.into_iter().find(|row| row.number == number);
        let row = row.ok_or_else(|| Fault::missing("there is no such final"))?;
        let of: Option<i64> = which.of.parse().ok();
        let faults_only = which.faults.is_some();
        let wanted = Wanted { of, faults_only, most: PAGE + 1, skip: which.skip };
        let mut games = match &row.tournament {
            Some(tournament) => handle.block_on(open_course.final_games(tournament, &wanted))?,
            None => Vec::new(),
        };
        let more = games.len() > PAGE as usize;
        games.truncate(PAGE as usize);
        let lines: Vec<Line> = games.iter().map(Line::from).collect();
        let names = Names::for_reader(open_course, person)?;
        let mut list: Vec<(i64, String)> = open_course.store.frozen(row.id)?.into_iter()
            .map(|row| (row.version, format!("{}, version {}", names.team(row.team), row.number)))
            .collect();
        list.sort_by(|a, b| a.1.cmp(&b.1));
        let title = format!("Games of final {number}");
        let base = format!("/a/{id}/finals/{number}");
        let turn = |skip: u32| {
            let mut values = vec![("of", which.of.clone()), ("skip", skip.to_string())];
            values.extend(faults_only.then(|| ("faults", "1".to_string())));
            let values: Vec<(&str, &str)> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
            format!("{base}{}", query(&values))
        };
        let body = html! {
            p { a href={ "/a/" (id) "/final" } { "← Final" } }
            h1 { (title) }
            form.card.narrow method="get" action=(base) data-plain {
                label { span { "Of" } select name="of" {
                    option value="" { "everybody" }
                    @for (version, name) in &list { option value=(version) selected[of == Some(*version)] { (name) } }
                } }
                label { input type="checkbox" name="faults" value="1" checked[faults_only]; " with faults only" }
                div.actions { button { "Show" } }
            }
            @if lines.is_empty() { p { "There is no such game." } } @else { (view::games(open_course, &names, &lines)?) }
            p.links {
                @if which.skip > 0 { a href=(turn(which.skip.saturating_sub(PAGE))) { "Later" } " " }
                @if more { a href=(turn(which.skip.saturating_add(PAGE))) { "Earlier" } }
            }
        };
        Ok(view::page(open_course, Some(person), &title, "/", body))
    })
    .await
}

/// `GET /a/{id}/grade`
pub(super) async fn grade(member: Member, Path(id): Path<String>) -> Result<Html<String>, Fault> {
    let handle = tokio::runtime::Handle::current();
    member.aside(move |open_course, person| {
        let assignment = assignment::find(open_course, &id)?;
        let grade = handle.block_on(open_course.grade(assignment, person))?;
        let title = format!("Grade for {}", assignment.title);
        let body = html! {
            p { a href={ "/a/" (id) } { "← " (assignment.title) } }
            h1 { (title) }
            (grade_table(&grade, assignment))
            @if let Some(version) = &grade.version { p { "It is the grade of " a href={ "/v/" (version.id) } { "version " (version.number) } "." } }
            p.quiet { "What counts is the version of the final, or before it the last one that passed, or else the one with most points for its cases. Points for references are those of the version that plays on the ladder." }
        };
        Ok(view::page(open_course, Some(person), &title, "/", body))
    })
    .await
}

/// A grade with its reasons.
fn grade_table(grade: &Grade, assignment: &Assignment) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Grade" {
            table {
                thead { tr { th { "For" } th.num { "Points" } th.num { "Of" } th { "Why" } } }
                tbody {
                    @for line in &grade.lines {
                        tr { td { (line.what) } td.num { (format!("{:.1}", line.points)) } td.num { (format!("{:.1}", line.most)) } td { (line.why) } }
                    }
                    tr { th scope="row" { "All" } td.num { strong { (format!("{:.1}", grade.points())) } } td.num { (format!("{:.1}", assignment.most_points())) } td {} }
                }
            }
        }
    }
}
