//! One version: how far it is, live, and what came of every step.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Path;
use axum::response::Html;
use axum::response::sse::{Event, KeepAlive, Sse};
use course::grades::detail;
use course::judge::{Cases, FailedCase};
use course::store::{Step, StepName, VersionRow};
use course::{OpenCourse, Person};
use futures_util::{Stream, stream};
use maud::{Markup, html};

use super::guard::{Member, of_team};
use super::view::{Line, Names};
use super::{aside, assignment, view};
use crate::fault::Fault;
use crate::page::count;

/// How often a version is looked at for its readers.
const PACE: Duration = Duration::from_millis(400);

/// So many games are listed.
const MOST_GAMES: u32 = 50;

/// A version that this reader may see.
pub(super) fn find(
    open_course: &OpenCourse,
    person: &Person,
    id: i64,
) -> Result<VersionRow, Fault> {
    let version = open_course.store.version(id)?;
    let version = version.ok_or_else(|| Fault::missing("there is no such version"))?;
    of_team(person, version.team)?;
    Ok(version)
}

/// `GET /v/{id}`
pub(super) async fn show(member: Member, Path(id): Path<i64>) -> Result<Html<String>, Fault> {
    member.aside(move |open_course, person| {
        let version = find(open_course, person, id)?;
        let assignment = assignment::find(open_course, &version.assignment)?;
        let names = Names::for_reader(open_course, person)?;
        let games = open_course.store.games_of(id, MOST_GAMES)?;
        let games: Vec<Line> = games.iter().map(Line::from).collect();
        let events = (!version.state.is_final()).then(|| format!("/v/{id}/events"));
        let title = format!("{}, version {}", assignment.title, version.number);
        let body = html! {
            div data-events=[events] {
                p { a href={ "/a/" (version.assignment) } { "← " (assignment.title) } }
                h1 { "Version " (version.number) }
                @if version.team != person.team { p { "Of " (names.team(version.team)) } }
                p.quiet { "Received " (view::time(version.received)) ", " (version.language) ", SHA-256 " code.text { (version.hash) } }
                div #part-progress { (progress(open_course, &version)?) }
            }
            @if !games.is_empty() { h2 { "Games" } (view::games(open_course, &names, &games)?) }
        };
        Ok(view::page(open_course, Some(person), &title, "/", body))
    })
    .await
}

/// How far a version is.
fn progress(open_course: &OpenCourse, version: &VersionRow) -> Result<Markup, Fault> {
    let steps = open_course.store.steps(version.id)?;
    let (before, doing) = open_course.place(version)?;
    let active = open_course
        .store
        .active_of(version.team, &version.assignment)?;
    let active = active.map(|version| version.id);
    let plays = assignment::find(open_course, &version.assignment)?
        .play
        .is_some();
    Ok(html! {
        p.status #status role="status" {
            (view::state(version, active)) " "
            @if !version.state.is_final() {
                @match (&doing, before) {
                    (Some(doing), _) => strong { "It is " (doing) "." },
                    (None, 0) => "It is next.",
                    (None, before) => { (count(before as u64, "version")) " before it in the line." },
                }
            }
        }
        ol.steps-taken {
            li { strong { "received" } ": it is kept" }
            @for name in StepName::ALL {
                @if plays || name != StepName::Played {
                    li { @match steps.iter().find(|step| step.name == name) {
                        Some(step) => (taken(step)),
                        None => span.quiet { (name.name()) },
                    } }
                }
            }
        }
    })
}

/// A step that was taken.
fn taken(step: &Step) -> Markup {
    let detail = detail(step);
    html! {
        strong { (step.name.name()) } " "
        @if step.ok { span.tag.good { "in order" } } @else { span.tag.bad { "failed" } }
        " " (step.summary) span.quiet { " (" (format!("{:.1}", step.seconds)) " s)" }
        @if !detail.log.is_empty() {
            details open[!step.ok] { summary { "What was said" } pre tabindex="0" { (detail.log) } }
        }
        @if !step.ok && !detail.command.is_empty() {
            p { "To see it at home: " code.text { (detail.command) } }
        }
        @if let Some(cases) = &detail.cases { (graded(cases, step.ok)) }
        @if !step.ok && step.name == StepName::Played { p { "The games below with faults say what was asked and answered." } }
    }
}

fn graded(cases: &Cases, ok: bool) -> Markup {
    html! {
        details open[!ok] {
            summary { "Case by case" }
            div.scroll tabindex="0" role="region" aria-label="Rules" {
                table {
                    thead { tr { th { "Rule" } th.num { "Passed" } th.num { "Cases" } } }
                    tbody { @for rule in &cases.rules { tr { td { (rule.rule) } td.num { (rule.passed) } td.num { (rule.cases) } } } }
                }
            }
            @for failure in &cases.failures { (failed(failure)) }
        }
    }
}

fn failed(case: &FailedCase) -> Markup {
    html! {
        section.card {
            h2 { (case.what) }
            p.quiet { "Case " (case.name) @if case.count > 1 { ", and " (case.count - 1) " more of the same cause" } }
            @if !case.reason.is_empty() { p { (case.reason) } }
            @if !case.command.is_empty() { p { "In answer to " code { (case.command) } } }
            @if !case.board.is_empty() { pre tabindex="0" { (case.board) } }
            @for (name, text) in [("Input", &case.input), ("Expected", &case.expected), ("Answered", &case.actual), ("Standard error", &case.stderr)] {
                @if !text.is_empty() { details { summary { (name) } pre tabindex="0" { (text) } } }
            }
            p { "To see it at home: " code.text { (case.reproduce) } }
        }
    }
}

/// `GET /v/{id}/events`
pub(super) async fn events(
    member: Member,
    Path(id): Path<i64>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let site = Arc::clone(&member.site);
    let place = site.visitors.live(&member.visitor)?;
    member
        .aside(move |open_course, person| find(open_course, person, id))
        .await?;
    let state = (site, place, String::new(), false);
    let stream = stream::unfold(state, move |(site, place, seen, over)| async move {
        if over {
            return None;
        }
        loop {
            let open_course = Arc::clone(&site.open_course);
            let look = aside(move || {
                let version = open_course.store.version(id)?;
                let version = version.ok_or_else(|| Fault::missing("there is no such version"))?;
                let part = progress(&open_course, &version)?.into_string();
                Ok((version.state.is_final(), part))
            });
            let (is_final, part) = look.await.ok()?;
            if is_final {
                // Browsers drop events without data.
                let event = Event::default().event("reload").data("ended");
                return Some((Ok(event), (site, place, part, true)));
            }
            tokio::time::sleep(PACE).await;
            if part != seen {
                let parts = serde_json::json!({ "part-progress": part });
                let event = Event::default().event("parts").data(parts.to_string());
                return Some((Ok(event), (site, place, part, false)));
            }
        }
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// `GET /a/{id}/faults`: faults since the latest hand-in.
pub(super) async fn faults(member: Member, Path(id): Path<String>) -> Result<Html<String>, Fault> {
    let handle = tokio::runtime::Handle::current();
    member.aside(move |open_course, person| {
        let assignment = assignment::find(open_course, &id)?;
        let versions = open_course.store.versions(person.team, &id)?;
        let names = Names::for_reader(open_course, person)?;
        let latest = versions.first();
        let faults = |version: Option<&VersionRow>| -> Result<Vec<Line>, Fault> {
            let Some(version) = version else {
                return Ok(Vec::new());
            };
            let finals = handle.block_on(open_course.final_faults(version.id, MOST_GAMES))?;
            let games = open_course.store.faults_of(version.id, MOST_GAMES)?;
            let finals = finals.iter().map(Line::from);
            Ok(finals.chain(games.iter().map(Line::from)).collect())
        };
        let games = faults(latest)?;
        // An older version plays on until a newer one has passed.
        let playing = open_course.store.active_of(person.team, &id)?;
        let older = playing.filter(|playing| latest.is_some_and(|latest| latest.id != playing.id));
        let older_games = faults(older.as_ref())?;
        let body = html! {
            p { a href={ "/a/" (id) } { "← " (assignment.title) } }
            h1 { "Faults since the latest hand-in" }
            @match latest {
                None => p { "You have not handed in anything." },
                Some(version) => {
                    p { "Games in which " a href={ "/v/" (version.id) } { "version " (version.number) } " made a fault; each says what was asked, what was answered, and how to see it at home." }
                    @if games.is_empty() { p { span.tag.good { "none" } } } @else { (view::games(open_course, &names, &games)?) }
                }
            }
            @if let Some(version) = &older {
                h2 { "Version " (version.number) ", which still plays" }
                @if older_games.is_empty() { p { span.tag.good { "none" } } } @else { (view::games(open_course, &names, &older_games)?) }
            }
        };
        Ok(view::page(open_course, Some(person), "Faults", "/", body))
    })
    .await
}
