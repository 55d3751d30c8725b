//! What everybody can change about themselves.

use axum::extract::{Form, Path};
use axum::response::{Html, Redirect};
use course::secret::{SHORTEST_PASSWORD, check_password};
use course::store::MOST_TOKENS;
use course::{OpenCourse, Person};
use maud::{Markup, html};
use serde::Deserialize;

use super::guard::Member;
use super::{doors, view};
use crate::fault::Fault;

/// `GET /me`
pub(super) async fn show(member: Member) -> Result<Html<String>, Fault> {
    page(member, None).await
}

async fn page(member: Member, new_token: Option<String>) -> Result<Html<String>, Fault> {
    member.aside(move |open_course, person| {
        let tokens = open_course.store.tokens(person.id)?;
        let mates: Vec<Person> = open_course
            .store
            .people()?
            .into_iter()
            .filter(|other| other.team == person.team && other.id != person.id)
            .collect();
        let body = html! {
            h1 { (person.name) }
            p { "Id " strong { (person.login) }
                @if !mates.is_empty() { ", in a team with " (mates.iter().map(Person::shown).collect::<Vec<_>>().join(", ")) }
                "." }
            form.card.narrow method="post" action="/me/pseudonym" data-plain {
                h2 { "Pseudonym" }
                p { "What others see instead of your name; staff see both. A team has one pseudonym." }
                label { span { "Pseudonym" } input name="pseudonym" required maxlength="30" value=(person.pseudonym); }
                div.actions { button { "Change it" } }
            }
            (tokens_card(&tokens, new_token.as_deref(), &open_course.course.url))
            form.card.narrow method="post" action="/me/password" data-plain {
                h2 { "Password" }
                input type="hidden" name="username" value=(person.login) autocomplete="username";
                label { span { "Present one" } input name="old" type="password" autocomplete="current-password" required; }
                label { span { "New one" } input name="new" type="password" autocomplete="new-password" required minlength=(SHORTEST_PASSWORD); }
                p.quiet { "All logins end, this one too." }
                div.actions { button { "Change it" } }
            }
            div.card.narrow {
                h2 { "Logins" }
                div.actions {
                    form method="post" action="/logout" data-plain { button { "Log out" } }
                    form method="post" action="/me/leave" data-plain { button { "Log out everywhere" } }
                }
            }
        };
        Ok(view::page(open_course, Some(person), "Account", "/me", body))
    })
    .await
}

fn tokens_card(tokens: &[course::store::TokenRow], new: Option<&str>, url: &str) -> Markup {
    html! {
        div.card.narrow {
            h2 { "Tokens" }
            p { "For handing in without a browser. A token does all that you can do under /api/, and nothing else." }
            @if let Some(token) = new {
                p role="status" { "The new token, shown this once: " code.text { (token) } }
                pre tabindex="0" { "LUDEX_TOKEN=" (token) " ludex submit " (url) "/a/ASSIGNMENT FILE…\n\ncurl -H 'Authorization: Bearer " (token) "' -F file=@FILE " (url) "/api/a/ASSIGNMENT/hand-ins" }
            }
            @if !tokens.is_empty() {
                div.scroll tabindex="0" role="region" aria-label="Tokens" {
                    table {
                        thead { tr { th { "Token" } th { "Made" } th { "End" } } }
                        tbody {
                            @for token in tokens {
                                tr {
                                    td { (token.label) }
                                    td { (view::time(token.made)) }
                                    td { form method="post" action={ "/me/tokens/" (token.id) "/end" } data-plain { button aria-label={ "End the token " (token.label) } { "End" } } }
                                }
                            }
                        }
                    }
                }
            }
            form method="post" action="/me/tokens" data-plain {
                label { span { "What for " } input name="label" required maxlength="40" value="my computer"; }
                div.actions { button { "New token" } }
            }
        }
    }
}

/// A pseudonym that was chosen.
#[derive(Deserialize)]
pub(super) struct Pseudonym {
    pseudonym: String,
}

/// `POST /me/pseudonym`
pub(super) async fn pseudonym(
    member: Member,
    Form(form): Form<Pseudonym>,
) -> Result<Redirect, Fault> {
    member
        .aside(move |open_course, person| {
            open_course.rename(person, &form.pseudonym)?;
            Ok(Redirect::to("/me"))
        })
        .await
}

/// A new password.
#[derive(Deserialize)]
pub(super) struct NewPassword {
    old: String,
    new: String,
}

/// `POST /me/password`
pub(super) async fn password(
    member: Member,
    Form(form): Form<NewPassword>,
) -> Result<Redirect, Fault> {
    check_password(&form.new).map_err(Fault::refused)?;
    let Member {
        site,
        person,
        visitor,
    } = &member;
    if doors::guess(site, visitor, &person.login, form.old).await? != Some(person.id) {
        return Err(Fault::refused("that is not your present password"));
    }
    let hash = doors::kept(site, visitor, form.new).await?;
    member
        .aside(move |open_course, person| {
            open_course.store.set_password(person.id, &hash)?;
            Ok(Redirect::to("/login"))
        })
        .await
}

/// What a token is called.
#[derive(Deserialize)]
pub(super) struct Label {
    label: String,
}

/// `POST /me/tokens`
pub(super) async fn new_token(
    member: Member,
    Form(form): Form<Label>,
) -> Result<Html<String>, Fault> {
    let label = referee::shortened(&form.label, 40);
    let make = move |open_course: &OpenCourse, person: &Person| {
        let token = open_course.store.new_token(person.id, &label)?;
        token.ok_or_else(|| Fault::refused(format!("{MOST_TOKENS} tokens are enough: end one")))
    };
    let token = member.clone().aside(make).await?;
    page(member, Some(token)).await
}

/// `POST /me/tokens/{id}/end`
pub(super) async fn end_token(member: Member, Path(token): Path<i64>) -> Result<Redirect, Fault> {
    member
        .aside(
            move |open_course, person| match open_course.store.end_token(person.id, token)? {
                true => Ok(Redirect::to("/me")),
                false => Err(Fault::missing("you have no such token")),
            },
        )
        .await
}

/// `POST /me/leave`
pub(super) async fn leave_everywhere(member: Member) -> Result<Redirect, Fault> {
    member
        .aside(move |open_course, person| {
            open_course.store.log_out_everywhere(person.id)?;
            Ok(Redirect::to("/login"))
        })
        .await
}
