//! Coming in and going out: logins and invitations.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use course::secret::{SHORTEST_PASSWORD, check_password, hash_password, is_password};
use course::store::LOGIN_SECONDS;
use maud::html;
use serde::Deserialize;

use super::guard::{COOKIE, Who, login_of};
use super::{CourseSite, MOST_WAITING, aside, view};
use crate::fault::Fault;
use crate::login::Onward;
use crate::seats::Seat;
use crate::visitors::{Deed, Visitor};

/// `GET /login`
pub(super) async fn form(
    State(site): State<Arc<CourseSite>>,
    Query(onward): Query<Onward>,
) -> Html<String> {
    login_page(&site, &onward, "", None)
}

fn login_page(site: &CourseSite, onward: &Onward, id: &str, problem: Option<&str>) -> Html<String> {
    let body = html! {
        div.narrow {
            h1 { "Log in" }
            p { "The first time, use the link that you were given: it lets you choose a password." }
            form.card method="post" action="/login" data-plain {
                input type="hidden" name="to" value=(onward.address());
                label { span { "Id" } input name="id" autocomplete="username" required value=(id) autofocus; }
                label { span { "Password" } input name="password" type="password" autocomplete="current-password" required
                    aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| "login-problem")]; }
                @if let Some(problem) = problem { p.problem #login-problem role="alert" { (problem) } }
                div.actions { button.primary { "Log in" } }
            }
        }
    };
    view::page(&site.open_course, None, "Log in", "", body)
}

/// What was entered.
#[derive(Deserialize)]
pub(super) struct Entered {
    id: String,
    password: String,
    #[serde(default)]
    to: String,
}

/// `POST /login`
pub(super) async fn enter(
    State(site): State<Arc<CourseSite>>,
    Extension(who): Extension<Who>,
    Form(entered): Form<Entered>,
) -> Result<Response, Fault> {
    let onward = Onward {
        to: entered.to,
        form: String::new(),
    };
    let id = entered.id.trim().to_string();
    site.visitors.note(&who.visitor, Deed::Change)?;
    let Some(person) = guess(&site, &who.visitor, &id, entered.password).await? else {
        let problem = "there is nobody with this id and password";
        let page = login_page(&site, &onward, &id, Some(problem));
        return Ok((StatusCode::UNAUTHORIZED, page).into_response());
    };
    let open_course = Arc::clone(&site.open_course);
    aside(move || Ok(open_course.store.note(Some(person), "logged in")?)).await?;
    let mut response = Redirect::to(onward.address()).into_response();
    log_in(&site, person, &mut response).await?;
    Ok(response)
}

/// Whose id and password these are. It counts as wrong until it has turned out to be right, so
/// that many at the same time are no more than one after the other.
pub(super) async fn guess(
    site: &Arc<CourseSite>,
    visitor: &Visitor,
    id: &str,
    password: String,
) -> Result<Option<i64>, Fault> {
    let seat = turn(site, visitor).await?;
    // Whoever guesses is not told when a guess is right.
    site.visitors.note(visitor, Deed::Guess)?;
    if let Err(fault) = site.guesses.take(id, "wrong passwords for this id") {
        site.visitors.take_back(visitor, Deed::Guess);
        return Err(fault);
    }
    let (open_course, login) = (Arc::clone(&site.open_course), id.to_string());
    let right = aside(move || {
        let _seat = seat;
        let known = open_course.store.password_of(&login)?;
        let hash = known.as_ref().and_then(|(_, hash)| hash.as_deref());
        let right = is_password(&password, hash);
        Ok(known.filter(|_| right).map(|(person, _)| person))
    })
    .await?;
    if right.is_some() {
        site.guesses.forget(id);
        site.visitors.take_back(visitor, Deed::Guess);
    }
    Ok(right)
}

/// Waits until a password of this visitor may be hashed: one of an address at a time.
async fn turn(site: &CourseSite, visitor: &Visitor) -> Result<Seat, Fault> {
    let seat = site.passwords.wait(visitor.address, MOST_WAITING).await;
    seat.map_err(|_| {
        Fault::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many passwords from your address at once: try again in a moment",
        )
    })
}

/// A new password as it is kept.
pub(super) async fn kept(
    site: &Arc<CourseSite>,
    visitor: &Visitor,
    password: String,
) -> Result<String, Fault> {
    let seat = turn(site, visitor).await?;
    aside(move || {
        let _seat = seat;
        Ok(hash_password(&password))
    })
    .await
}

/// Gives an answer the cookie of a new login.
async fn log_in(site: &Arc<CourseSite>, person: i64, response: &mut Response) -> Result<(), Fault> {
    let open_course = Arc::clone(&site.open_course);
    let secret = aside(move || Ok(open_course.store.log_in(person)?)).await?;
    set_cookie(site, &secret, LOGIN_SECONDS, response)
}

fn set_cookie(
    site: &CourseSite,
    secret: &str,
    seconds: i64,
    response: &mut Response,
) -> Result<(), Fault> {
    let secure = if site.is_public() { "; Secure" } else { "" };
    let cookie =
        format!("{COOKIE}={secret}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}{secure}");
    let cookie = HeaderValue::from_str(&cookie).map_err(Fault::ours)?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(())
}

/// `POST /logout`
pub(super) async fn leave(
    State(site): State<Arc<CourseSite>>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    if let Some(secret) = login_of(&headers) {
        let open_course = Arc::clone(&site.open_course);
        aside(move || Ok(open_course.store.log_out(&secret)?)).await?;
    }
    let mut response = Redirect::to("/login").into_response();
    set_cookie(&site, "", 0, &mut response)?;
    Ok(response)
}

/// `GET /invite/{secret}`
pub(super) async fn invitation(
    State(site): State<Arc<CourseSite>>,
    Path(secret): Path<String>,
) -> Result<Html<String>, Fault> {
    invitation_page(&site, secret, None).await
}

async fn invitation_page(
    site: &Arc<CourseSite>,
    secret: String,
    problem: Option<String>,
) -> Result<Html<String>, Fault> {
    let open_course = Arc::clone(&site.open_course);
    let asked = secret.clone();
    let person = aside(move || Ok(open_course.store.invited(&asked)?)).await?;
    let person = person.ok_or_else(used)?;
    let body = html! {
        div.narrow {
            h1 { "Welcome to " (site.open_course.course.name) }
            p { "You are " strong { (person.name) } ", and your id here is " strong { (person.login) } ". Others see you as " strong { (person.pseudonym) } ", which you can change." }
            form.card method="post" action={ "/invite/" (secret) } data-plain {
                input type="hidden" name="username" value=(person.login) autocomplete="username";
                label { span { "Password" } input name="password" type="password" autocomplete="new-password" required minlength=(SHORTEST_PASSWORD)
                    aria-invalid=[problem.as_ref().map(|_| "true")] aria-describedby="invite-hint"; }
                label { span { "Once more" } input name="again" type="password" autocomplete="new-password" required minlength=(SHORTEST_PASSWORD); }
                p.quiet #invite-hint { "At least " (SHORTEST_PASSWORD) " characters. The link can be used once." }
                @if let Some(problem) = &problem { p.problem role="alert" { (problem) } }
                div.actions { button.primary { "Set the password" } }
            }
        }
    };
    Ok(view::page(&site.open_course, None, "Welcome", "", body))
}

fn used() -> Fault {
    Fault::missing("this link has been used or is too old: ask the staff for a new one")
}

/// A password that was chosen.
#[derive(Deserialize)]
pub(super) struct Chosen {
    password: String,
    again: String,
}

impl Chosen {
    /// The password, or what is wrong with it.
    fn checked(self) -> Result<String, String> {
        check_password(&self.password)?;
        match self.password == self.again {
            true => Ok(self.password),
            false => Err("the two passwords differ".into()),
        }
    }
}

/// `POST /invite/{secret}`
pub(super) async fn accept(
    State(site): State<Arc<CourseSite>>,
    Extension(who): Extension<Who>,
    Path(secret): Path<String>,
    Form(chosen): Form<Chosen>,
) -> Result<Response, Fault> {
    site.visitors.note(&who.visitor, Deed::Change)?;
    let open_course = Arc::clone(&site.open_course);
    let asked = secret.clone();
    // A link that is none costs nothing but this.
    let known = aside(move || Ok(open_course.store.invited(&asked)?)).await?;
    if known.is_none() {
        site.visitors.note(&who.visitor, Deed::Guess)?;
        return Err(used());
    }
    let password = match chosen.checked() {
        Ok(password) => password,
        Err(problem) => {
            let page = invitation_page(&site, secret, Some(problem)).await?;
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
        }
    };
    let hash = kept(&site, &who.visitor, password).await?;
    let open_course = Arc::clone(&site.open_course);
    let person = aside(move || Ok(open_course.store.accept(&secret, &hash)?)).await?;
    let person = person.ok_or_else(used)?;
    let mut response = Redirect::to("/").into_response();
    log_in(&site, person.id, &mut response).await?;
    Ok(response)
}
