//! Giving the token, where one is needed.

use std::sync::Arc;

use axum::extract::{Form, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;

use crate::Site;
use crate::fault::Fault;
use crate::guard::{COOKIE, same};
use crate::page::shell;

/// `GET /login`
pub(crate) async fn form() -> Html<String> {
    let body = html! {
        div.narrow {
            h1 { "Token" }
            p { "To change anything on this server you need the token that it printed when it started." }
            form.card method="post" action="/login" data-plain {
                label { span { "Token" } input name="token" type="password" autocomplete="current-password" required; }
                div.actions { button.primary { "Enter" } }
            }
        }
    };
    shell("Token", "", body)
}

/// What was entered.
#[derive(Deserialize)]
pub(crate) struct Entered {
    token: String,
}

/// `POST /login`
pub(crate) async fn enter(
    State(site): State<Arc<Site>>,
    Form(entered): Form<Entered>,
) -> Result<Response, Fault> {
    match &site.config.token {
        Some(token) if same(token, entered.token.trim()) => {
            let cookie =
                format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000");
            Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response())
        }
        Some(_) => Err(Fault::new(
            StatusCode::UNAUTHORIZED,
            "that is not the token",
        )),
        None => Ok(Redirect::to("/").into_response()),
    }
}
