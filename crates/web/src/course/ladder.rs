//! The ladder, and challenges.

use axum::extract::{Form, Path};
use axum::response::{Html, Redirect};
use course::store::ChallengeRow;
use course::{Assignment, Contender, OpenCourse, Person, Side, Table};
use maud::{Markup, html};
use serde::Deserialize;

use super::guard::Member;
use super::view::Names;
use super::{assignment, view};
use crate::fault::Fault;

/// An assignment whose programs play.
fn find<'a>(open_course: &'a OpenCourse, id: &str) -> Result<&'a Assignment, Fault> {
    let assignment = assignment::find(open_course, id)?;
    match assignment.play {
        Some(_) => Ok(assignment),
        None => Err(Fault::missing("programs of this assignment do not play")),
    }
}

/// `GET /a/{id}/ladder`
pub(super) async fn show(member: Member, Path(id): Path<String>) -> Result<Html<String>, Fault> {
    member.aside(move |open_course, person| {
        let assignment = find(open_course, &id)?;
        let table = open_course.table(assignment)?;
        let names = Names::for_reader(open_course, person)?;
        let places = table.places(&open_course.store.teams_of_students()?);
        let challenges = open_course.store.challenges_of(person.team, &id)?;
        let title = format!("Ladder of {}", assignment.title);
        let body = html! {
            p { a href={ "/a/" (id) } { "← " (assignment.title) } }
            h1 { (title) }
            p { "Ratings in Elo points, with 95 % intervals, from games between the versions that play now; the average of the references is 0. A version plays until " (assignment.ladder.games) " games are over or its rating is known to " (assignment.ladder.precision) " points." }
            @if !assignment.ladder.on { p.problem { "The ladder of this assignment is switched off." } }
            (standings(&table, &places, &names, person))
            (challenge_card(open_course, assignment, &table, &names, person)?)
            @if !challenges.is_empty() { h2 { "Your challenges" } (challenges_table(open_course, &names, &challenges)?) }
        };
        Ok(view::page(open_course, Some(person), &title, "/", body))
    })
    .await
}

fn name(player: &Contender, names: &Names) -> String {
    match (&player.side, player.team) {
        (Side::Reference(name), _) => format!("{name} (reference)"),
        (Side::Version(_), Some(team)) => names.team(team),
        (Side::Version(id), None) => format!("version {id}"),
    }
}

fn standings(
    table: &Table,
    places: &[(usize, Option<usize>)],
    names: &Names,
    person: &Person,
) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Ladder" {
            table {
                thead { tr { th.num { "Place" } th { "Player" } th.num { "Version" } th.num { "Rating" } th.num { "Won" } th.num { "Drawn" } th.num { "Lost" } } }
                tbody {
                    @for (number, place) in places {
                        @let player = &table.players[*number];
                        tr aria-current=[(player.team == Some(person.team)).then_some("true")] {
                            td.num { @if let Some(place) = place { (place) } }
                            td { (name(player, names)) }
                            td.num { @if let Some(version) = player.number { (version) } }
                            td.num { @if player.results.games() == 0 { "–" } @else { (format!("{:.0}", player.rating)) } }
                            td.num { (player.results.wins) }
                            td.num { (player.results.draws) }
                            td.num { (player.results.losses) }
                        }
                    }
                }
            }
        }
    }
}

fn challenge_card(
    open_course: &OpenCourse,
    assignment: &Assignment,
    table: &Table,
    names: &Names,
    person: &Person,
) -> Result<Markup, Fault> {
    let mine = open_course.store.active_of(person.team, &assignment.id)?;
    let others: Vec<&Contender> = table
        .order()
        .into_iter()
        .map(|number| &table.players[number])
        .filter(|player| player.team != Some(person.team))
        .collect();
    Ok(html! {
        section.card.narrow {
            h2 { "Challenge" }
            @match mine {
                None => p { "As soon as a version of yours has passed, you can let it play anyone." },
                Some(_) if others.is_empty() => p { "There is nobody to challenge yet." },
                Some(mine) => {
                    p { "One game of your version " (mine.number) " against another player, at once and unrated; " (assignment.challenges_per_hour) " in an hour." }
                    form method="post" action={ "/a/" (assignment.id) "/challenge" } data-plain {
                        label { span { "Opponent " } select name="opponent" {
                            @for player in &others { option value=(player.side.key()) { (name(player, names)) } }
                        } }
                        div.actions { button { "Challenge" } }
                    }
                }
            }
        }
    })
}

fn challenges_table(
    open_course: &OpenCourse,
    names: &Names,
    challenges: &[ChallengeRow],
) -> Result<Markup, Fault> {
    let mut rows = Vec::new();
    for challenge in challenges {
        let other = names.side(open_course, &challenge.players[1])?;
        let game = match challenge.game {
            Some(game) => open_course.store.game(game)?,
            None => None,
        };
        rows.push((challenge, other, game));
    }
    Ok(html! {
        div.scroll tabindex="0" role="region" aria-label="Challenges" {
            table {
                thead { tr { th { "Opponent" } th { "Asked" } th { "Game" } } }
                tbody {
                    @for (challenge, other, game) in &rows {
                        tr {
                            td { (other) }
                            td { (view::time(challenge.at)) }
                            td { @match (game, &challenge.problem) {
                                (Some(game), _) => {
                                    @let first = game.players[0] == challenge.players[0];
                                    @let points = if first { game.half_points } else { 2 - game.half_points };
                                    a href={ "/g/" (game.id) } { (["lost", "drawn", "won"][usize::from(points.min(2))]) }
                                },
                                (None, Some(problem)) => (problem),
                                (None, None) => "being played",
                            } }
                        }
                    }
                }
            }
        }
    })
}

/// Whom to play.
#[derive(Deserialize)]
pub(super) struct Chosen {
    opponent: String,
}

/// `POST /a/{id}/challenge`
pub(super) async fn challenge(
    member: Member,
    Path(id): Path<String>,
    Form(chosen): Form<Chosen>,
) -> Result<Redirect, Fault> {
    member
        .aside(move |open_course, person| {
            let assignment = find(open_course, &id)?;
            let other = Side::read(&chosen.opponent);
            open_course.challenge(person, assignment, &other)?;
            Ok(Redirect::to(&format!("/a/{id}/ladder")))
        })
        .await
}
