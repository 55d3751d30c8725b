//! What staff see and do.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};

use axum::body::Body;
use axum::extract::Path;
use axum::http::header;
use axum::response::{Html, IntoResponse, Redirect, Response};
use course::grades::Grade;
use course::time::{Moment, now};
use course::{Assignment, Person, Role, exports};
use futures_util::{Stream, stream};
use maud::{Markup, html};

use super::guard::{Member, Staff};
use super::view::Names;
use super::{assignment, view};
use crate::fault::Fault;
use crate::page::count;

/// So much of a file is read at once.
const PART: usize = 256 << 10;

/// So many lines of the log are shown.
const LINES: u32 = 100;

/// `GET /staff`
pub(super) async fn show(Staff(member): Staff) -> Result<Html<String>, Fault> {
    let has_workers = member.site.cluster.is_some();
    member.aside(move |open_course, person| {
        let people = open_course.store.people()?;
        let log = open_course.store.audit(LINES)?;
        let quarantined = open_course.store.quarantined(LINES)?;
        let waiting = open_course.queue()?;
        let body = html! {
            h1 { "Staff" }
            p { (count(waiting as u64, "version")) " waiting or being judged."
                @if has_workers { " " a.button href="/cluster" { "Workers" } } }
            h2 { "Assignments" }
            ul { @for assignment in &open_course.course.assignments { li { a href={ "/staff/a/" (assignment.id) } { (assignment.title) } } } }
            h2 { "People" }
            (people_table(&people))
            @if !quarantined.is_empty() {
                h2 { "Games that were not scored" }
                p { "The machine was at fault, not a player. They are played again." }
                div.scroll tabindex="0" role="region" aria-label="Games that were not scored" {
                    table {
                        thead { tr { th { "When" } th { "Assignment" } th { "Players" } th { "Why" } } }
                        tbody { @for row in &quarantined {
                            tr { td { (view::time(row.at)) } td { (row.assignment) } td { (row.players[0].key()) " – " (row.players[1].key()) } td { (row.reason) } }
                        } }
                    }
                }
            }
            h2 { "Log" }
            div.scroll tabindex="0" role="region" aria-label="Log" {
                table {
                    thead { tr { th { "When" } th { "Who" } th { "What" } } }
                    tbody { @for line in &log {
                        tr {
                            td { (view::time(line.at)) }
                            td { @if let Some(id) = line.person { (people.iter().find(|p| p.id == id).map_or_else(|| format!("person {id}"), Person::shown)) } }
                            td { (line.what) }
                        }
                    } }
                }
            }
        };
        Ok(view::page(open_course, Some(person), "Staff", "/staff", body))
    })
    .await
}

fn people_table(people: &[Person]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="People" {
            table {
                thead { tr { th { "Name" } th { "Role" } th { "Team" } th { "Others see" } th { "Password" } th { "Link" } } }
                tbody { @for person in people {
                    tr {
                        td { (person.shown()) }
                        td { @if person.role == Role::Staff { "staff" } @else { "student" } }
                        td { (person.team_name) }
                        td { (person.pseudonym) }
                        td { @if person.active { "set" } @else { "not yet" } }
                        td { @if !person.login.is_empty() { form method="post" action={ "/staff/people/" (person.id) "/link" } data-plain { button aria-label={ "New link for " (person.name) } { "New link" } } } }
                    }
                } }
            }
        }
    }
}

/// `POST /staff/people/{id}/link`
pub(super) async fn link(Staff(member): Staff, Path(id): Path<i64>) -> Result<Html<String>, Fault> {
    member.aside(move |open_course, staff| {
        let person = open_course.store.person(id)?.filter(|person| !person.login.is_empty());
        let person = person.ok_or_else(|| Fault::missing("there is no such person"))?;
        let secret = open_course.store.invite_again(id, staff.id)?;
        let body = html! {
            h1 { "New link" }
            p { "For " strong { (person.shown()) } ", to be used once; the present password holds until then:" }
            pre tabindex="0" { (open_course.course.link(&secret)) }
            p { a href="/staff" { "Back" } }
        };
        Ok(view::page(open_course, Some(staff), "New link", "/staff", body))
    })
    .await
}

/// `GET /staff/a/{id}`
pub(super) async fn grades(
    Staff(member): Staff,
    Path(id): Path<String>,
) -> Result<Html<String>, Fault> {
    let handle = tokio::runtime::Handle::current();
    member.aside(move |open_course, staff| {
        let assignment = assignment::find(open_course, &id)?;
        let grades = handle.block_on(open_course.grades(assignment))?;
        let names = Names::for_reader(open_course, staff)?;
        let ahead = |moment: &Moment| now() <= moment.at;
        let trial = assignment.deadline.filter(ahead);
        let extended = open_course.last_deadline(assignment)?.filter(ahead);
        let base = format!("/staff/a/{id}");
        let body = html! {
            p { a href="/staff" { "← Staff" } }
            h1 { (assignment.title) }
            p.links {
                a href={ (base) "/grades.csv" } { "Grades (CSV)" } " · "
                a href={ (base) "/junit.xml" } { "Cases (JUnit)" } " · "
                a href={ (base) "/sources.tar.gz" } { "All sources" }
                @if assignment.play.is_some() { " · " a href={ "/a/" (id) "/ladder" } { "Ladder" } " · " a href={ "/a/" (id) "/final" } { "Final" } }
            }
            @if assignment.play.is_some() {
                form.card.narrow method="post" action={ (base) "/final" } data-plain {
                    h2 { "Final" }
                    @match trial {
                        Some(_) => p { "Freezes the list of versions as it is now and plays a trial, which counts for no grade." },
                        None => p { "Freezes the list of versions as it is now (those that came before the deadline and have passed by now) and plays another final, which counts for grades instead of earlier ones. They stay." },
                    }
                    @if let Some(last) = extended { p { "Hand-ins end at " (last) ", the last extension included. Then the final with all of them begins by itself." } }
                    div.actions { button { @if trial.is_some() { "Play a trial" } @else { "Play a new final" } } }
                }
            }
            h2 { "Grades" }
            div.scroll tabindex="0" role="region" aria-label="Grades" {
                table {
                    thead { tr { th { "Team" } th { "Version" } th.num { "Points of " (format!("{:.1}", assignment.most_points())) } th { "Made of" } th { "Gradescope" } } }
                    tbody { @for (team, grade) in &grades {
                        tr {
                            td { (names.team(*team)) }
                            td { @if let Some(version) = &grade.version { a href={ "/v/" (version.id) } { (version.number) } } }
                            td.num { (format!("{:.1}", grade.points())) }
                            td { (grade.lines.iter().map(|line| format!("{} {:.1}", line.what, line.points)).collect::<Vec<_>>().join(", ")) }
                            td { a href={ (base) "/teams/" (team) "/results.json" } aria-label={ "results.json of team " (team) } { "results.json" } }
                        }
                    } }
                }
            }
        };
        Ok(view::page(open_course, Some(staff), &assignment.title, "/staff", body))
    })
    .await
}

/// Writes the grades of people for an assignment.
type Write<E> = fn(&Assignment, &[Person], &BTreeMap<i64, Grade>) -> Result<String, E>;

/// The grades of an assignment in a form that staff take out, which is noted.
async fn taken_out<E: Display + 'static>(
    member: Member,
    id: String,
    what: &'static str,
    write: Write<E>,
) -> Result<String, Fault> {
    let handle = tokio::runtime::Handle::current();
    member
        .aside(move |open_course, staff| {
            let assignment = assignment::find(open_course, &id)?;
            let grades = handle.block_on(open_course.grades(assignment))?;
            let people = open_course.store.people()?;
            let text = write(assignment, &people, &grades).map_err(Fault::ours)?;
            let note = format!("{what} of {id} taken out");
            open_course.store.note(Some(staff.id), &note)?;
            Ok(text)
        })
        .await
}

/// A file to save.
fn download(kind: &'static str, name: &str, content: impl Into<Body>) -> Response {
    let name = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_string()),
        (header::CONTENT_DISPOSITION, name),
    ];
    (headers, content.into()).into_response()
}

/// `GET /staff/a/{id}/grades.csv`
pub(super) async fn csv(Staff(member): Staff, Path(id): Path<String>) -> Result<Response, Fault> {
    let text = taken_out(member, id.clone(), "grades", exports::csv).await?;
    Ok(download(
        "text/csv; charset=utf-8",
        &format!("{id}.csv"),
        text,
    ))
}

/// `GET /staff/a/{id}/junit.xml`
pub(super) async fn junit(Staff(member): Staff, Path(id): Path<String>) -> Result<Response, Fault> {
    let text = taken_out(member, id.clone(), "cases", exports::junit).await?;
    Ok(download("application/xml", &format!("{id}.xml"), text))
}

/// `GET /staff/a/{id}/sources.tar.gz`
pub(super) async fn sources(
    Staff(member): Staff,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    member
        .aside(move |open_course, staff| {
            let assignment = assignment::find(open_course, &id)?;
            let packed = open_course.sources(assignment)?;
            let note = format!("sources of {id} taken out");
            open_course.store.note(Some(staff.id), &note)?;
            let length = packed.metadata().map_err(Fault::ours)?.len();
            let name = format!("{id}.tar.gz");
            let answer = download("application/gzip", &name, Body::from_stream(parts(packed)));
            Ok(([(header::CONTENT_LENGTH, length)], answer).into_response())
        })
        .await
}

/// A file in parts, as they are wanted.
fn parts(file: File) -> impl Stream<Item = io::Result<Vec<u8>>> {
    stream::try_unfold(file, async |mut file| {
        let read = tokio::task::spawn_blocking(move || {
            let mut part = vec![0; PART];
            let size = file.read(&mut part)?;
            part.truncate(size);
            Ok((size > 0).then_some((part, file)))
        });
        read.await.map_err(io::Error::other)?
    })
}

/// `GET /staff/a/{id}/teams/{team}/results.json`
pub(super) async fn results(
    Staff(member): Staff,
    Path((id, team)): Path<(String, i64)>,
) -> Result<Response, Fault> {
    let handle = tokio::runtime::Handle::current();
    member
        .aside(move |open_course, staff| {
            let assignment = assignment::find(open_course, &id)?;
            let grades = handle.block_on(open_course.grades(assignment))?;
            let grade = grades.get(&team);
            let grade = grade.ok_or_else(|| Fault::missing("there is no such team of students"))?;
            let text = serde_json::to_string_pretty(&exports::results_json(grade));
            let note = format!("grade of team {team} for {id} taken out");
            open_course.store.note(Some(staff.id), &note)?;
            let text = text.map_err(Fault::ours)?;
            Ok(download("application/json", "results.json", text))
        })
        .await
}

/// `POST /staff/a/{id}/final`
pub(super) async fn new_final(
    Staff(member): Staff,
    Path(id): Path<String>,
) -> Result<Redirect, Fault> {
    member
        .aside(move |open_course, staff| {
            let assignment = assignment::find(open_course, &id)?;
            open_course.freeze(assignment, Some(staff.id))?;
            Ok(Redirect::to(&format!("/a/{id}/final")))
        })
        .await
}
