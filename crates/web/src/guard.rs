//! Who may do what: the checks that every request passes.
//!
//! On the loopback interface nothing but the browser's own machine gets here, so it is
//! enough to keep other sites' pages out: the `Host` must be a local one (or a page could
//! be bound to our address by its name server), and a request that changes anything must
//! not come from a foreign origin. On any other interface everybody may play and analyse, each
//! visitor within limits; what costs more, or reaches others, needs the token.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::{FutureExt, StreamExt};

use crate::arrival;
use crate::fault::Fault;
use crate::login::{self, Onward};
use crate::settings::Settings;
use crate::visitors::{Deed, Visitor, network};
use crate::{LARGEST_BODY, Site, random_token};

/// The name of the cookie that holds the token.
pub(crate) const COOKIE: &str = "ludex_token";

/// Nothing but our own files; no script or style inside a page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// The name of the cookie by which a visitor's games are known to be theirs.
const VISITOR: &str = "ludex_visitor";

/// What everybody may change, where strangers can come: these addresses and all below them.
const OPEN: [&str; 6] = [
    "/play",
    "/analyse",
    "/learn",
    "/settings",
    "/api/play",
    "/api/analyse",
];

/// Checks a request, and dresses the answer.
pub(crate) async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let (mut request, arrival) = arrival::in_time(request);
    let api = request.uri().path().starts_with("/api/");
    let (visitor, fresh) = visitor(&site, &request);
    request.extensions_mut().insert(visitor.clone());
    let settings = Settings::of(request.headers());
    let mut response = match admit(&site, &visitor, &request) {
        // A mistake of ours must not cut the connection without a word.
        Ok(live) => match AssertUnwindSafe(settings.hold(next.run(request)))
            .catch_unwind()
            .await
        {
            // Programs are told in their own way, whoever found the fault.
            Ok(response) => {
                let response = arrival.judge(response);
                match response.extensions().get::<Fault>().cloned() {
                    Some(fault) if api => fault.json(),
                    _ => counted(dressed(response, api).await, live),
                }
            }
            Err(_) => dressed(StatusCode::INTERNAL_SERVER_ERROR.into_response(), api).await,
        },
        Err(fault) if api => fault.json(),
        Err(fault) if fault.status == StatusCode::UNAUTHORIZED => ask_for_token(request).await,
        Err(fault) => fault.into_response(),
    };
    let headers = response.headers_mut();
    if let (true, Some(key)) = (fresh, &visitor.key) {
        let cookie = format!("{VISITOR}={key}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.append(header::SET_COOKIE, cookie);
        }
    }
    protect(headers);
    response
}

/// The headers that every answer has.
pub(crate) fn protect(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Who sent this request, and whether the visitor's key is a new one: it is made when a page
/// sends its first form.
fn visitor(site: &Site, request: &Request) -> (Visitor, bool) {
    let headers = request.headers();
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let known = cookies(headers).find(|(name, _)| *name == VISITOR);
    let known = known.map(|(_, key)| key.to_string());
    let new = known.is_none()
        && request.method() == Method::POST
        && !request.uri().path().starts_with("/api/");
    let trusted = site.config.token.as_ref();
    let visitor = Visitor {
        address: address.map_or(Visitor::HERE, |info| network(info.0.ip())),
        key: known.or_else(|| new.then(random_token)),
        trusted: trusted.is_none_or(|token| holds(headers, token)),
    };
    (visitor, new)
}

/// Whether the request may go on; a live page gets a place that it must keep.
fn admit(site: &Site, visitor: &Visitor, request: &Request) -> Result<Option<Arc<()>>, Fault> {
    check(site, visitor, request)?;
    let uri = request.uri();
    let (path, query) = (uri.path(), uri.query().unwrap_or_default());
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if matches!(
        path,
        "/play" | "/analyse" | "/analyse/file" | "/api/play" | "/api/analyse"
    ) && !reads
    {
        site.visitors.note(visitor, Deed::Begin)?;
    }
    if !reads || is_work(path, query) {
        site.visitors.note(visitor, Deed::Change)?;
    }
    let live = path.ends_with("/events") || path.ends_with("/live");
    live.then(|| site.visitors.live(visitor)).transpose()
}

/// Whether an answer takes an engine, or about as long as one; what is only looked at is not counted.
fn is_work(path: &str, query: &str) -> bool {
    // Names are read as pages read them, whatever in them is escaped.
    let fields: Vec<(String, String)> = serde_urlencoded::from_str(query).unwrap_or_default();
    let asks = |name: &str| {
        let mut fields = fields.iter();
        fields.any(|(field, value)| field == name && !value.is_empty())
    };
    let (above, last) = path.rsplit_once('/').unwrap_or_default();
    match above.split('/').nth(1).unwrap_or(last) {
        "analyse" => matches!(last, "export" | "live") || above == "/analyse/games" || asks("wait"),
        "api" => last == "hint" || path.starts_with("/api/analyse"),
        "play" => asks("hint"),
        "solved" => last == "random",
        "board.png" => true,
        _ => false,
    }
}

/// The answer, which keeps the place of a live page until it has been sent.
fn counted(response: Response, live: Option<Arc<()>>) -> Response {
    let Some(live) = live else {
        return response;
    };
    let (parts, body) = response.into_parts();
    let stream = body.into_data_stream().inspect(move |_| {
        let _ = &live;
    });
    Response::from_parts(parts, Body::from_stream(stream))
}

/// The page that asks for the token, and keeps the form that was sent.
async fn ask_for_token(request: Request) -> Response {
    let to = request.uri().path().to_string();
    let kind = text(request.headers(), &header::CONTENT_TYPE).unwrap_or_default();
    let is_form = kind.starts_with("application/x-www-form-urlencoded");
    let body = axum::body::to_bytes(request.into_body(), LARGEST_BODY).await;
    let form = match body {
        Ok(body) if is_form => String::from_utf8_lossy(&body).into_owned(),
        _ => String::new(),
    };
    // A form without fields is sent again too.
    let form = if form.is_empty() { "-=".into() } else { form };
    let page = login::page(&Onward { to, form }, None);
    (StatusCode::UNAUTHORIZED, page).into_response()
}

/// What the framework refuses, it refuses in plain text or without a word: makes the same
/// kind of answer of it that all other faults have.
pub(crate) async fn dressed(response: Response, api: bool) -> Response {
    let status = response.status();
    let kind = text(response.headers(), &header::CONTENT_TYPE).unwrap_or_default();
    let fine = !status.is_client_error() && !status.is_server_error();
    if fine || kind.starts_with("text/html") || kind.contains("json") {
        return response;
    }
    let body = axum::body::to_bytes(response.into_body(), LONGEST_REFUSAL).await;
    let message = body.map_or_else(|_| String::new(), |b| String::from_utf8_lossy(&b).into());
    let fault = plainly(status, &message);
    if api {
        fault.json()
    } else {
        fault.into_response()
    }
}

/// What the framework refuses, in words that are meant for people.
pub(crate) fn plainly(status: StatusCode, message: &str) -> Fault {
    let reason = message
        .rsplit_once(": ")
        .map_or(message, |(_, reason)| reason);
    let words = if status == StatusCode::PAYLOAD_TOO_LARGE {
        "what was sent is too large".into()
    } else if let Some(value) = refused_in_path(message) {
        // What would have that number is not here, as with any other number.
        return Fault::missing(format!("there is nothing with the number {value:?} here"));
    } else if let Some(what) = message.strip_prefix("Failed to deserialize query string: ") {
        let what = value_in_words(what);
        format!("the address of this page has a wrong value: {what}")
    } else if message.contains("form body") {
        let what = message.split_once(": ").map_or(message, |(_, what)| what);
        let what = value_in_words(what);
        format!("a field of the form is missing or wrong: {what}")
    } else if let Some(what) =
        message.strip_prefix("Failed to deserialize the JSON body into the target type: ")
    {
        // The name of the field says where it stands.
        let what = what.rsplit_once(" at line ").map_or(what, |(what, _)| what);
        what.replace('`', "\"")
    } else if message.starts_with("Failed to parse the request body as JSON") {
        format!("this is not JSON: {reason}")
    } else if message.contains("Content-Type: application/json") {
        "send JSON, and say so: Content-Type: application/json".into()
    } else if message.contains("multipart") || message.contains("boundary") {
        "the file did not arrive: choose it and send it again".into()
    } else if message.starts_with("Invalid URL: ") {
        "the address of this page is not written in UTF-8".into()
    } else if message.is_empty() {
        status.to_string().to_lowercase()
    } else {
        message.into()
    };
    Fault::new(status, words)
}

/// The part of a path that should have been a number: `Cannot parse … value `x` to a `usize``.
fn refused_in_path(message: &str) -> Option<&str> {
    let what = message.strip_prefix("Invalid URL: Cannot parse ")?;
    let (what, _) = what.rsplit_once("` to a `")?;
    let value = what.split_once("with value `").map(|(_, value)| value);
    value.or_else(|| what.strip_prefix('`'))
}

/// What the framework says of a value, `at: invalid digit found in string`.
fn value_in_words(what: &str) -> String {
    let (field, reason) = what.rsplit_once(": ").unwrap_or(("a number", what));
    let rule = match reason {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "has to be a whole number from 0 on"
        }
        "number too large to fit in target type" => "is too large a number",
        "number too small to fit in target type" => "is too small a number",
        "invalid float literal" | "cannot parse float from empty string" => "has to be a number",
        "provided string was not `true` or `false`" => "has to be true or false",
        _ => return reason.replace('`', "\""),
    };
    format!("{field} {rule}")
}

/// More is not read of a refusal of the framework.
const LONGEST_REFUSAL: usize = 4096;

/// Whether the visitor may do this at all.
fn check(site: &Site, visitor: &Visitor, request: &Request) -> Result<(), Fault> {
    let forbidden = |message: &str| Err(Fault::new(StatusCode::FORBIDDEN, message));
    let headers = request.headers();
    let host = text(headers, &header::HOST).unwrap_or_default();
    if site.config.token.is_none() && !is_local(host) {
        return forbidden("this server answers on this machine only");
    }
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    if !is_same_site(headers) {
        return forbidden("the request comes from another site");
    }
    let path = request.uri().path();
    let below = |open: &&str| {
        let rest = path.strip_prefix(*open);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if visitor.trusted || path == "/login" || OPEN.iter().any(below) {
        return Ok(());
    }
    Err(Fault::new(
        StatusCode::UNAUTHORIZED,
        "this needs the token that the server printed: Authorization: Bearer TOKEN",
    ))
}

/// Whether a request that changes something comes from a page of this site, or from no page.
pub(crate) fn is_same_site(headers: &HeaderMap) -> bool {
    let host = text(headers, &header::HOST).unwrap_or_default();
    let origin = text(headers, &header::ORIGIN);
    let ours = origin.is_none_or(|origin| {
        let authority = origin.split_once("://").map(|(_, rest)| rest);
        authority == Some(host)
    });
    ours && !matches!(headers.get("sec-fetch-site"), Some(from) if from != "same-origin" && from != "none")
}

/// A header as text.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Whether a `Host` header names this machine, with or without a port.
pub(crate) fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// Whether the request carries the token, as a cookie or in `Authorization`.
fn holds(headers: &HeaderMap, token: &str) -> bool {
    let bearer = text(headers, &header::AUTHORIZATION)
        .and_then(|value| value.strip_prefix("Bearer "))
        .is_some_and(|given| same(given, token));
    bearer || cookies(headers).any(|(name, given)| name == COOKIE && same(given, token))
}

/// The cookies of a request: names and values.
pub(crate) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let cookies = text(headers, &header::COOKIE).unwrap_or_default();
    let pairs = cookies.split(';');
    pairs.filter_map(|cookie| cookie.trim().split_once('='))
}

/// Compares without telling by the time taken how much was right.
pub(crate) fn same(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .fold(0, |all, (x, y)| all | (x ^ y))
            == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_work(address: &str, work: bool) {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        assert_eq!(is_work(path, query), work, "{address}");
    }

    #[test]
    fn engines_are_work_whoever_asks_them() {
        for address in [
            "/analyse/game?game=reversi&wait=1",
            "/analyse/game?w%61it=1",
            "/analyse/abc?at=3&wait=yes",
            "/analyse/game/live",
            "/analyse/abc/live?at=3",
            "/analyse/export?game=reversi",
            "/analyse/abc/export?form=json",
            "/analyse/games/abc?page=2",
            "/api/analyse?game=reversi",
            "/api/analyse/abc",
            "/api/play/abc/hint",
            "/play/abc?hint=1",
            "/solved/2-3-5-5/random",
            "/board.png?game=gipf",
        ] {
            check_work(address, true);
        }
        for address in [
            "/",
            "/analyse",
            "/analyse/game?game=reversi&wait=",
            "/analyse/abc?at=3",
            "/api/play/abc",
            "/api/games",
            "/play/abc?hint=&at=3",
            "/play/abc/events",
            "/solved/2-3-5-5?position=x",
            "/board.svg?game=gipf",
            "/learn/gipf/3",
        ] {
            check_work(address, false);
        }
    }

    #[test]
    fn only_names_of_this_machine_are_local() {
        for host in ["localhost", "localhost:7171", "127.0.0.1:1", "[::1]:80"] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost:x",
            "10.0.0.1",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
