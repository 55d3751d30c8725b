//! Finals with their frozen lists, and one's own grade.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Html;
use course::grades::Grade;
use course::{Assignment, Final, Office, Side};
use maud::{Markup, html};

use super::guard::Who;
use super::view::Names;
use super::{CourseSite, aside, assignment, view};
use crate::fault::Fault;

/// `GET /a/{id}/final`
pub(super) async fn show(
    State(site): State<Arc<CourseSite>>,
    Extension(who): Extension<Who>,
    Path(id): Path<String>,
) -> Result<Html<String>, Fault> {
    let person = who.person()?;
    let office = Arc::clone(&site.office);
    let handle = tokio::runtime::Handle::current();
    aside(move || {
        let assignment = assignment::find(&office, &id)?;
        let finals = handle.block_on(office.finals_of(assignment))?;
        let names = Names::for_reader(&office, &person)?;
        let title = format!("Final of {}", assignment.title);
        let body = html! {
            p { a href={ "/a/" (id) } { "← " (assignment.title) } }
            h1 { (title) }
            @if finals.is_empty() { (ahead(assignment)) }
            @for finale in &finals { (one(&office, finale, &names)?) }
        };
        Ok(view::page(&office, Some(&person), &title, "/", body))
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

fn one(office: &Office, finale: &Final, names: &Names) -> Result<Markup, Fault> {
    let mut table = Vec::new();
    for row in finale
        .standings
        .iter()
        .flat_map(|standings| &standings.rows)
    {
        // Players are called by their versions, so that nobody's name is among the games.
        let side = match row.name.strip_prefix('v').map(str::parse) {
            Some(Ok(id)) => Side::Version(id),
            _ => Side::Reference(row.name.clone()),
        };
        table.push((row, names.side(office, &side)?));
    }
    Ok(html! {
        section.card {
            h2 { "Final " (finale.number) }
            @if finale.tournament.is_none() { p { "Fewer than two programs have passed: there is nothing to play." } }
            @else if finale.finished { p { span.tag.good { "over" } } }
            @else { p { span.tag { "being played" } " " @if let Some(standings) = &finale.standings { (standings.played) " games are over." } } }
            @if !table.is_empty() {
                div.scroll tabindex="0" role="region" aria-label={ "Table of final " (finale.number) } {
                    table {
                        thead { tr { th.num { "Place" } th { "Player" } th.num { "Points" } th.num { "Rating" } th.num { "Faults" } } }
                        tbody { @for (row, name) in &table {
                            tr {
                                td.num { (row.rank) }
                                td { (name) }
                                td.num { (row.points()) }
                                td.num { @match row.rated() { Some(rating) => (format!("{rating:.0}")), None => "–" } }
                                td.num { (row.faults) }
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

/// `GET /a/{id}/grade`
pub(super) async fn grade(
    State(site): State<Arc<CourseSite>>,
    Extension(who): Extension<Who>,
    Path(id): Path<String>,
) -> Result<Html<String>, Fault> {
    let person = who.person()?;
    let office = Arc::clone(&site.office);
    let handle = tokio::runtime::Handle::current();
    aside(move || {
        let assignment = assignment::find(&office, &id)?;
        let grade = handle.block_on(office.grade(assignment, &person))?;
        let title = format!("Grade for {}", assignment.title);
        let body = html! {
            p { a href={ "/a/" (id) } { "← " (assignment.title) } }
            h1 { (title) }
            (grade_table(&grade, assignment))
            @if let Some(version) = &grade.version { p { "It is the grade of " a href={ "/v/" (version.id) } { "version " (version.number) } "." } }
            p.quiet { "What counts is the version of the final, or before it the last one that passed, or else the one with most points for its cases." }
        };
        Ok(view::page(&office, Some(&person), &title, "/", body))
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
