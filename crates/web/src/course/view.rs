//! What the pages of a course share.

use std::collections::HashMap;

use axum::response::{Html, IntoResponse, Response};
use course::store::{GameRow, State, StepName, VersionRow};
use course::time::{Millis, Moment};
use course::{FinalGame, OpenCourse, Person, Side};
use maud::{Markup, html};

use super::CourseSite;
use crate::fault::Fault;
use crate::page::frame;

/// A page of the course.
pub(super) fn page(
    open_course: &OpenCourse,
    who: Option<&Person>,
    title: &str,
    part: &str,
    body: Markup,
) -> Html<String> {
    let mut parts = Vec::new();
    if let Some(person) = who {
        parts.push(("/", "Assignments"));
        if person.is_staff() {
            parts.push(("/staff", "Staff"));
        }
        parts.push(("/me", "Account"));
    }
    let foot = (html! {}, html! {});
    frame(&open_course.course.name, (title, body), &parts, part, foot)
}

/// What goes wrong, as a page of the course.
pub(super) fn fault(site: &CourseSite, who: Option<&Person>, fault: &Fault) -> Response {
    let (title, body) = fault.title_and_body();
    let page = page(&site.open_course, who, title, "", body);
    (fault.status, page).into_response()
}

/// How people are called on a page: others by pseudonyms, and for staff by their names, too.
pub(super) struct Names {
    pseudonyms: HashMap<i64, String>,
    members: HashMap<i64, Vec<String>>,
}

impl Names {
    /// The names that this reader sees.
    pub(super) fn for_reader(open_course: &OpenCourse, reader: &Person) -> Result<Names, Fault> {
        let mut members: HashMap<i64, Vec<String>> = HashMap::new();
        if reader.is_staff() {
            for person in open_course.store.people()? {
                members.entry(person.team).or_default().push(person.shown());
            }
        }
        Ok(Names {
            pseudonyms: open_course.store.pseudonyms()?,
            members,
        })
    }

    /// A team.
    pub(super) fn team(&self, team: i64) -> String {
        let pseudonym = self.pseudonyms.get(&team).map_or("?", String::as_str);
        match self.members.get(&team) {
            Some(members) => format!("{pseudonym}: {}", members.join(", ")),
            None => pseudonym.into(),
        }
    }

    /// Who sat at a side of a game, with the version.
    pub(super) fn side(&self, open_course: &OpenCourse, side: &Side) -> Result<String, Fault> {
        Ok(match side {
            Side::Reference(name) => format!("{name} (reference)"),
            Side::Version(id) => match open_course.store.author(*id)? {
                Some((team, number)) => format!("{}, version {number}", self.team(team)),
                None => "?".into(),
            },
        })
    }
}

/// The team that a side belongs to.
pub(super) fn team_of(open_course: &OpenCourse, side: &Side) -> Result<Option<i64>, Fault> {
    Ok(match side {
        Side::Reference(_) => None,
        Side::Version(id) => open_course.store.author(*id)?.map(|(team, _)| team),
    })
}

/// A moment as it is shown where no time zone is given: in UTC.
pub(super) fn time(at: Millis) -> String {
    Moment::utc(at).to_string()
}

/// The state of a version in words and how it is marked.
pub(super) fn state(version: &VersionRow, active: Option<i64>) -> Markup {
    html! {
        @match version.state {
            State::Before(StepName::Built) => span.tag { "received" },
            State::Before(StepName::Graded) => span.tag { "built" },
            State::Before(StepName::Played) => span.tag { "graded" },
            State::Failed(StepName::Built) => span.tag.bad { "not built" },
            State::Failed(StepName::Graded) => span.tag.bad { "cases failed" },
            State::Failed(StepName::Played) => span.tag.bad { "faults in play" },
            State::Passed => @if active == Some(version.id) { span.tag.good { "active" } } @else { span.tag { "passed" } },
        }
    }
}

/// A table of versions.
pub(super) fn versions(versions: &[VersionRow], active: Option<i64>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Versions" {
            table {
                thead { tr { th.num { "Version" } th { "State" } th { "Received" } th { "Language" } th { "Hash" } } }
                tbody {
                    @for version in versions {
                        tr {
                            td.num { a href={ "/v/" (version.id) } { (version.number) } }
                            td { (state(version, active)) }
                            td { (time(version.received)) }
                            td { (version.language) }
                            td { code { (version.short_hash()) } }
                        }
                    }
                }
            }
        }
    }
}

/// A game in a table.
pub(super) struct Line {
    address: String,
    name: String,
    players: [Side; 2],
    half_points: u8,
    purpose: String,
    faults: [u32; 2],
    at: Millis,
}

impl From<&GameRow> for Line {
    fn from(game: &GameRow) -> Line {
        Line {
            address: format!("/g/{}", game.id),
            name: game.id.to_string(),
            players: game.players.clone(),
            half_points: game.half_points,
            purpose: game.purpose.clone(),
            faults: game.faults,
            at: game.at,
        }
    }
}

impl From<&FinalGame> for Line {
    fn from(game: &FinalGame) -> Line {
        let key = game.row.key;
        Line {
            address: format!("/f/{}", game.row.id),
            name: format!("{}.{}.{}", key.round, key.table, key.game),
            players: game.players.clone(),
            half_points: game.row.played().half_points,
            purpose: format!("final {}", game.number),
            faults: game.row.faults,
            at: game.row.finished.0,
        }
    }
}

/// A table of games.
pub(super) fn games(
    open_course: &OpenCourse,
    names: &Names,
    games: &[Line],
) -> Result<Markup, Fault> {
    let mut rows = Vec::new();
    for game in games {
        let sides = [
            names.side(open_course, &game.players[0])?,
            names.side(open_course, &game.players[1])?,
        ];
        rows.push((game, sides));
    }
    Ok(html! {
        div.scroll tabindex="0" role="region" aria-label="Games" {
            table {
                thead { tr { th { "Game" } th { "First" } th { "Second" } th { "Result" } th { "For" } th { "Faults" } th { "Over" } } }
                tbody {
                    @for (game, [first, second]) in &rows {
                        tr {
                            td { a href=(game.address) { (game.name) } }
                            td { (first) }
                            td { (second) }
                            td { (result(game.half_points)) }
                            td { (game.purpose) }
                            td { @if game.faults == [0, 0] { "–" } @else { (game.faults[0]) " – " (game.faults[1]) } }
                            td { (time(game.at)) }
                        }
                    }
                }
            }
        }
    })
}

/// The result of a game.
pub(super) fn result(half_points: u8) -> &'static str {
    ["0–1", "½–½", "1–0"][usize::from(half_points.min(2))]
}
