//! The list of assignments, and one of them: where one hands in.

use axum::extract::Path;
use axum::response::Html;
use course::time::now;
use course::{Assignment, OpenCourse, Person};
use handin::ArchiveLimits;
use maud::{Markup, html};

use super::guard::Member;
use super::view;
use crate::fault::Fault;
use crate::page::count;

/// The assignment with this name.
pub(super) fn find<'a>(open_course: &'a OpenCourse, id: &str) -> Result<&'a Assignment, Fault> {
    let found = open_course.course.assignment(id);
    found.ok_or_else(|| Fault::missing(format!("there is no assignment {id}")))
}

/// `GET /`
pub(super) async fn list(member: Member) -> Result<Html<String>, Fault> {
    member.aside(move |open_course, person| {
        let mut rows = Vec::new();
        for assignment in &open_course.course.assignments {
            let versions = open_course.store.versions(person.team, &assignment.id)?;
            rows.push((assignment, versions));
        }
        let waiting = open_course.queue()?;
        let body = html! {
            h1 { (open_course.course.name) }
            p { "You are " strong { (person.name) } "; others see " strong { (person.pseudonym) } "." }
            @for (assignment, versions) in &rows {
                section.card {
                    h2 { a href={ "/a/" (assignment.id) } { (assignment.title) } }
                    p { (dates(open_course, person, assignment)?) }
                    p { @match versions.first() {
                        Some(last) => { "Your latest version is number " (last.number) ": " (view::state(last, None)) }
                        None => "You have not handed in anything.",
                    } }
                    (links(assignment))
                }
            }
            p.quiet { @if waiting == 0 { "No version is waiting to be judged." } @else { (count(waiting as u64, "version")) " waiting or being judged." } }
        };
        Ok(view::page(open_course, Some(person), "Assignments", "/", body))
    })
    .await
}

/// When hand-ins are taken.
fn dates(
    open_course: &OpenCourse,
    person: &Person,
    assignment: &Assignment,
) -> Result<Markup, Fault> {
    let extension = open_course.store.extension(person.team)?;
    Ok(html! {
        @if let Some(opens) = assignment.opens { @if opens.at > now() { "Hand-ins are taken from " (opens) " on. " } }
        @match assignment.deadline_with(extension) {
            Some(deadline) => {
                @if deadline.at > now() { "The deadline is " strong { (deadline) } } @else { "The deadline was " strong { (deadline) } }
                @if extension > 0 { ", with your extension" }
                "."
            }
            None => "There is no deadline.",
        }
    })
}

/// Where else to look.
pub(super) fn links(assignment: &Assignment) -> Markup {
    let base = format!("/a/{}", assignment.id);
    html! {
        p.links {
            a href=(base) { "Hand in" }
            @if assignment.play.is_some() {
                " · " a href={ (base) "/ladder" } { "Ladder" }
                " · " a href={ (base) "/faults" } { "Faults" }
                " · " a href={ (base) "/final" } { "Final" }
            }
            " · " a href={ (base) "/grade" } { "Grade" }
        }
    }
}

/// `GET /a/{id}`
pub(super) async fn show(member: Member, Path(id): Path<String>) -> Result<Html<String>, Fault> {
    member
        .aside(move |open_course, person| page(open_course, person, &id, None))
        .await
}

/// The page of an assignment; `problem` is why a hand-in was not taken.
pub(super) fn page(
    open_course: &OpenCourse,
    person: &Person,
    id: &str,
    problem: Option<&str>,
) -> Result<Html<String>, Fault> {
    let assignment = find(open_course, id)?;
    let versions = open_course.store.versions(person.team, id)?;
    let active = open_course.store.active_of(person.team, id)?;
    let active = active.map(|version| version.id);
    let open = open_course.check_open(person, assignment, now());
    let waiting = open_course.queue()?;
    let body = html! {
        h1 { (assignment.title) }
        p { (dates(open_course, person, assignment)?) }
        (links(assignment))
        @if let Some(problem) = problem { p.problem role="alert" { (problem) } }
        @match &open {
            Ok(()) => (form(open_course, assignment)),
            Err(closed) => p.problem { (closed) },
        }
        p.quiet { @if waiting == 0 { "Nobody is waiting: a version is judged at once." } @else { (count(waiting as u64, "version")) " waiting or being judged before a new one." } }
        h2 { "Your versions" }
        @if versions.is_empty() { p { "None yet." } } @else { (view::versions(&versions, active)) }
    };
    Ok(view::page(
        open_course,
        Some(person),
        &assignment.title,
        "/",
        body,
    ))
}

/// The form to hand in, with what is taken.
fn form(open_course: &OpenCourse, assignment: &Assignment) -> Markup {
    let languages: Vec<_> = open_course
        .course
        .languages
        .iter()
        .map(|language| (language, language.installed()))
        .collect();
    html! {
        form.card.narrow method="post" action={ "/a/" (assignment.id) } enctype="multipart/form-data" data-plain {
            h2 { "Hand in" }
            label { span { "Files" } input type="file" name="file" multiple required; }
            p.quiet { "One file, several, or one archive (zip, tar, tar.gz), up to " (ArchiveLimits::default().upload) "; " (assignment.hand_ins_per_day) " times in 24 hours." }
            details {
                summary { "Languages" }
                ul {
                    @for (language, installed) in &languages {
                        li {
                            strong { (language.name) }
                            @match (installed, &language.build) {
                                (Err(missing), _) => { ": not here, " (missing) },
                                // More than a line is a script.
                                (Ok(()), Some(build)) if build.trim().contains('\n') => { ": " code { (language.run) } ", made by" pre tabindex="0" { (build) } },
                                (Ok(()), Some(build)) => { ": " code { (build) } ", then " code { (language.run) } },
                                (Ok(()), None) => { ": " code { (language.run) } },
                            }
                        }
                    }
                }
            }
            div.actions { button.primary { "Hand in" } }
        }
    }
}
