//! Who may do what: the checks that every request passes.
//!
//! On the loopback interface nothing but the browser's own machine gets here, so it is
//! enough to keep other sites' pages out: the `Host` must be a local one (or a page could
//! be bound to our address by its name server), and a request that changes anything must
//! not come from a foreign origin. On any other interface changes need the token too.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use crate::Site;
use crate::fault::Fault;

/// The name of the cookie that holds the token.
pub(crate) const COOKIE: &str = "ludex_token";

/// Nothing but our own files; no script or style inside a page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// Checks a request, and dresses the answer.
pub(crate) async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = match check(&site, &request) {
        // A mistake of ours must not cut the connection without a word.
        Ok(()) => match AssertUnwindSafe(next.run(request)).catch_unwind().await {
            Ok(response) => dressed(response, api).await,
            Err(_) => dressed(StatusCode::INTERNAL_SERVER_ERROR.into_response(), api).await,
        },
        Err(fault) if api => fault.json(),
        Err(fault) => fault.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// What the framework refuses, it refuses in plain text or without a word: makes the same
/// kind of answer of it that all other faults have.
async fn dressed(response: Response, api: bool) -> Response {
    let status = response.status();
    let kind = text(response.headers(), &header::CONTENT_TYPE).unwrap_or_default();
    let fine = !status.is_client_error() && !status.is_server_error();
    if fine || kind.starts_with("text/html") || kind.contains("json") {
        return response;
    }
    let body = axum::body::to_bytes(response.into_body(), LONGEST_REFUSAL).await;
    let message = body.map_or_else(|_| String::new(), |b| String::from_utf8_lossy(&b).into());
    let message = if message.is_empty() {
        status.to_string().to_lowercase()
    } else {
        message
    };
    let fault = Fault::new(status, message);
    if api {
        fault.json()
    } else {
        fault.into_response()
    }
}

/// More is not read of a refusal of the framework.
const LONGEST_REFUSAL: usize = 4096;

/// Whether the request may go on.
fn check(site: &Site, request: &Request) -> Result<(), Fault> {
    let forbidden = |message: &str| Err(Fault::new(StatusCode::FORBIDDEN, message));
    let headers = request.headers();
    let host = text(headers, &header::HOST).unwrap_or_default();
    if site.config.token.is_none() && !is_local(host) {
        return forbidden("this server answers on this machine only");
    }
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    if let Some(origin) = text(headers, &header::ORIGIN) {
        let authority = origin.split_once("://").map(|(_, rest)| rest);
        if authority != Some(host) {
            return forbidden("the request comes from another site");
        }
    }
    if matches!(headers.get("sec-fetch-site"), Some(from) if from != "same-origin" && from != "none")
    {
        return forbidden("the request comes from another site");
    }
    if request.uri().path() == "/login" {
        return Ok(());
    }
    match &site.config.token {
        Some(token) if !holds(headers, token) => Err(Fault::new(
            StatusCode::UNAUTHORIZED,
            "this needs the token that the server printed: enter it under /login",
        )),
        _ => Ok(()),
    }
}

/// A header as text.
fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Whether a `Host` header names this machine, with or without a port.
fn is_local(host: &str) -> bool {
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
    let cookies = text(headers, &header::COOKIE).unwrap_or_default();
    bearer
        || cookies
            .split(';')
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(name, given)| name == COOKIE && same(given, token))
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
