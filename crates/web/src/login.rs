//! Giving the token, where one is needed. Whoever was sent here goes on where they were, with
//! the form as they had filled it in.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;
use tower::ServiceExt as _;

use crate::Site;
use crate::fault::Fault;
use crate::guard::{COOKIE, same};
use crate::page::shell;
use crate::visitors::{Deed, Visitor};

/// Where to go on.
#[derive(Clone, Deserialize, Default, Debug)]
#[serde(default)]
pub(crate) struct Onward {
    /// The address.
    pub(crate) to: String,
    /// The form that was to be sent there; empty for a page to look at.
    pub(crate) form: String,
}

impl Onward {
    /// The address, if it is one of this site.
    pub(crate) fn address(&self) -> &str {
        match is_ours(&self.to) {
            true => &self.to,
            false => "/",
        }
    }
}

/// The longest address to go on at, in bytes.
const LONGEST_ADDRESS: usize = 2048;

/// Whether this is the path of a page here, as pages write it. Browsers read `//` and `/\` as the
/// beginning of another site's name, and leave out control characters before they look.
pub(crate) fn is_ours(address: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    address.starts_with('/')
        && !address.starts_with("//")
        && address.len() <= LONGEST_ADDRESS
        && address.bytes().all(plain)
}

/// `GET /login`
pub(crate) async fn form(Query(onward): Query<Onward>) -> Html<String> {
    page(&onward, None)
}

/// The page that asks for the token.
pub(crate) fn page(onward: &Onward, problem: Option<&str>) -> Html<String> {
    let body = html! {
        div.narrow {
            h1 { "Token" }
            @if onward.form.is_empty() {
                p { "Playing and analysing are open to everybody. Tournaments, tests and tables of solved games need the token that the server printed when it started." }
            } @else {
                p { "This needs the token that the server printed when it started. Nothing that you have filled in is lost: it is sent as soon as the token is there." }
            }
            form.card method="post" action="/login" data-plain {
                input type="hidden" name="to" value=(onward.address());
                input type="hidden" name="form" value=(onward.form);
                label { span { "Token" } input name="token" type="password" autocomplete="current-password" required autofocus
                    aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| "token-problem")]; }
                @if let Some(problem) = problem { p.problem #token-problem role="alert" { (problem) } }
                div.actions { button.primary { "Enter" } a.button href="/" { "Cancel" } }
            }
        }
    };
    shell("Token", "", body)
}

/// What was entered.
#[derive(Deserialize)]
pub(crate) struct Entered {
    token: String,
    #[serde(default)]
    to: String,
    #[serde(default)]
    form: String,
}

/// `POST /login`
pub(crate) async fn enter(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    Form(entered): Form<Entered>,
) -> Result<Response, Fault> {
    let onward = Onward {
        to: entered.to,
        form: entered.form,
    };
    let Some(token) = &site.config.token else {
        return Ok(Redirect::to(onward.address()).into_response());
    };
    // Whoever guesses is not told when a guess is right.
    site.visitors.note(&visitor, Deed::Guess)?;
    if !same(token, entered.token.trim()) {
        let page = page(&onward, Some("that is not the token"));
        return Ok((StatusCode::UNAUTHORIZED, page).into_response());
    }
    site.visitors.take_back(&visitor, Deed::Guess);
    let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000");
    let cookie = HeaderValue::from_str(&cookie).map_err(Fault::ours)?;
    let mut response = if onward.form.is_empty() {
        Redirect::to(onward.address()).into_response()
    } else {
        send_on(&site, token, &headers, &onward).await?
    };
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Sends the form that had to wait.
async fn send_on(
    site: &Arc<Site>,
    token: &str,
    headers: &HeaderMap,
    onward: &Onward,
) -> Result<Response, Fault> {
    let mut request = Request::post(onward.address())
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .body(Body::from(onward.form.clone()))
        .map_err(Fault::bad)?;
    for name in [header::HOST, header::COOKIE] {
        if let Some(value) = headers.get(&name) {
            request.headers_mut().insert(name, value.clone());
        }
    }
    let answer = Box::pin(crate::app(site.clone()).oneshot(request));
    match answer.await {
        Ok(response) => Ok(response),
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, ours: bool) {
        assert_eq!(is_ours(address), ours, "{address:?}");
    }

    #[test]
    fn only_paths_of_this_site_are_gone_on_at() {
        for ours in ["/", "/tester", "/library?player=J%C3%BCrgen&page=2#g7"] {
            check(ours, true);
        }
        for other in ["", "tester", "https://evil.example/", "//evil.example"] {
            check(other, false);
        }
        for slash in ['/', '\\'] {
            check(&format!("/{slash}evil.example/x"), false);
        }
        // No character that a browser might leave out, and none that a header cannot carry.
        for between in ('\0'..=' ').chain(['\u{7f}', '\u{85}', '\u{a0}', '\u{e9}', '\u{2028}']) {
            check(&format!("/{between}/evil.example/x"), false);
            check(&format!("/tester{between}"), false);
        }
        check(&format!("/{}", "a".repeat(LONGEST_ADDRESS)), false);
    }
}
