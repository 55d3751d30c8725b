//! Who asks, and what every request to the site of a course must pass.
//!
//! A cookie is a login, for pages; a token is for the addresses under `/api/`, where no cookie
//! counts. Whoever is not known sees the door only.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use course::{OpenCourse, Person};
use futures_util::FutureExt;

use super::{CourseSite, aside, view};
use crate::arrival;
use crate::fault::Fault;
use crate::guard::{cookies, dressed, is_local, is_same_site, protect, text};
use crate::query::query;
use crate::visitors::{Visitor, network};

/// The name of the cookie that is a login.
pub(super) const COOKIE: &str = "ludex_course";

/// Who sent a request.
#[derive(Clone, Debug)]
pub(super) struct Who {
    person: Option<Person>,
    /// Where it came from, for counting.
    pub(super) visitor: Visitor,
}

impl Who {
    /// Whoever is logged in.
    pub(super) fn known(&self) -> Option<&Person> {
        self.person.as_ref()
    }
}

/// Somebody of the course who asks for something.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) site: Arc<CourseSite>,
    pub(super) person: Person,
    pub(super) visitor: Visitor,
}

/// Somebody of the staff who asks for something.
#[derive(Clone, Debug)]
pub(super) struct Staff(pub(super) Member);

impl FromRequestParts<Arc<CourseSite>> for Member {
    type Rejection = Fault;

    async fn from_request_parts(
        parts: &mut Parts,
        site: &Arc<CourseSite>,
    ) -> Result<Member, Fault> {
        let who = parts.extensions.get::<Who>().cloned();
        let who = who.ok_or_else(|| Fault::ours("nobody has looked who asks"))?;
        let person = who.person;
        let why = match parts.uri.path().starts_with("/api/") {
            true => "the token is missing or not known: Authorization: Bearer TOKEN",
            false => "log in first",
        };
        let person = person.ok_or_else(|| Fault::new(StatusCode::UNAUTHORIZED, why))?;
        Ok(Member {
            site: Arc::clone(site),
            person,
            visitor: who.visitor,
        })
    }
}

impl FromRequestParts<Arc<CourseSite>> for Staff {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<CourseSite>) -> Result<Staff, Fault> {
        let member = Member::from_request_parts(parts, site).await?;
        match member.person.is_staff() {
            true => Ok(Staff(member)),
            false => Err(Fault::new(StatusCode::FORBIDDEN, "this is for staff")),
        }
    }
}

impl Member {
    /// Does what blocks for a moment, away from the threads that must not.
    pub(super) async fn aside<T: Send + 'static>(
        self,
        work: impl FnOnce(&OpenCourse, &Person) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        aside(move || work(&self.site.open_course, &self.person)).await
    }
}

/// Whether somebody may see what only a team and the staff do.
pub(super) fn of_team(person: &Person, team: i64) -> Result<(), Fault> {
    match person.is_staff() || person.team == team {
        true => Ok(()),
        false => Err(Fault::new(StatusCode::FORBIDDEN, "this is not yours")),
    }
}

/// Checks a request, and dresses the answer.
pub(super) async fn guard(
    State(site): State<Arc<CourseSite>>,
    request: Request,
    next: Next,
) -> Response {
    let (mut request, arrival) = arrival::in_time(request);
    let path = request.uri().path().to_string();
    let api = path.starts_with("/api/");
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads {
        // What is sent counts from its beginning, however long the rest takes.
        let arriving = Arc::new(site.open_course.arriving());
        request.extensions_mut().insert(arriving);
    }
    let mut known = None;
    let answer = match admit(&site, &mut request, api).await {
        Ok(who) => {
            known = who.known().cloned();
            // A mistake of ours must not cut the connection without a word.
            match AssertUnwindSafe(next.run(request)).catch_unwind().await {
                Ok(response) => dressed(arrival.judge(response), api).await,
                Err(_) => dressed(StatusCode::INTERNAL_SERVER_ERROR.into_response(), api).await,
            }
        }
        Err(fault) => fault.into_response(),
    };
    let fault = answer.extensions().get::<Fault>().cloned();
    let mut response = match fault {
        None => answer,
        Some(fault) if api => fault.json(),
        Some(fault) if fault.status == StatusCode::UNAUTHORIZED && reads => {
            Redirect::to(&format!("/login{}", query(&[("to", path.as_str())]))).into_response()
        }
        Some(fault) => view::fault(&site, known.as_ref(), &fault),
    };
    let headers = response.headers_mut();
    protect(headers);
    if known.is_some() || !reads {
        // What is somebody's own is nobody else's to keep.
        let keep = axum::http::HeaderValue::from_static("no-store");
        headers.entry(header::CACHE_CONTROL).or_insert(keep);
    }
    response
}

/// Whether the request may go on, and who sent it.
async fn admit(site: &Arc<CourseSite>, request: &mut Request, api: bool) -> Result<Who, Fault> {
    let forbidden = |message: &str| Err(Fault::new(StatusCode::FORBIDDEN, message));
    let headers = request.headers();
    let host = text(headers, &header::HOST).unwrap_or_default();
    if !is_local(host) && site.host() != Some(host) {
        return forbidden("this server is known by another name");
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads && !is_same_site(headers) {
        return forbidden("the request comes from another site");
    }
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = address.map_or(Visitor::HERE, |info| info.0.ip());
    let visitor = Visitor {
        address: network(site.comes_from(address, headers)),
        key: None,
        trusted: false,
    };
    let secret = match api {
        true => text(headers, &header::AUTHORIZATION)
            .and_then(|value| value.strip_prefix("Bearer "))
            .map(|token| token.trim().to_string()),
        false => login_of(headers),
    };
    let open_course = Arc::clone(&site.open_course);
    let person = match secret {
        None => None,
        Some(secret) => {
            aside(move || {
                Ok(match api {
                    true => open_course.store.token_of(&secret)?,
                    false => open_course.store.logged_in(&secret)?,
                })
            })
            .await?
        }
    };
    let who = Who { person, visitor };
    request.extensions_mut().insert(who.clone());
    Ok(who)
}

/// The secret of the login that a request carries.
pub(super) fn login_of(headers: &axum::http::HeaderMap) -> Option<String> {
    let mut all = cookies(headers);
    let found = all.find(|(name, _)| *name == COOKIE);
    found.map(|(_, secret)| secret.to_string())
}

impl CourseSite {
    /// The name and port by which people reach the site.
    fn host(&self) -> Option<&str> {
        let (_, rest) = self.open_course.course.url.split_once("://")?;
        rest.split('/').next()
    }

    /// Where a request comes from. People of other machines come through a server on this one,
    /// which says last for whom it asks.
    fn comes_from(&self, address: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !(self.is_public() && address.is_loopback()) {
            return address;
        }
        let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
        let last = forwarded.and_then(|value| value.to_str().ok()?.rsplit(',').next());
        let last = last.and_then(|text| text.trim().parse().ok());
        last.unwrap_or(address)
    }

    /// Whether people come from other machines, so that cookies must not be sent in the clear.
    pub(super) fn is_public(&self) -> bool {
        !self.host().is_some_and(is_local)
    }
}

/// What somebody has done lately too often: wrong passwords of one id, files sent by one person.
#[derive(Debug)]
pub(super) struct Tries {
    most: u32,
    done: Mutex<HashMap<String, (u32, Instant)>>,
}

/// Whoever has used up everything waits so long.
const SHUT: Duration = Duration::from_secs(15 * 60);

/// So many are remembered.
const MOST_KNOWN: usize = 10_000;

impl Tries {
    /// So many in a row, without a pause of a quarter of an hour.
    pub(super) fn new(most: u32) -> Tries {
        Tries {
            most,
            done: Mutex::default(),
        }
    }

    /// Counts one more, if it is allowed; `what` says of what there were too many. It is the same
    /// for somebody who is not there. Who looks first and counts later lets through whatever
    /// comes meanwhile.
    pub(super) fn take(&self, key: &str, what: &str) -> Result<(), Fault> {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        if done.len() >= MOST_KNOWN {
            done.retain(|_, (_, last)| last.elapsed() < SHUT);
        }
        let now = Instant::now();
        let count = match done.get(key) {
            Some((count, last)) if last.elapsed() < SHUT => *count,
            _ => 0,
        };
        if count >= self.most {
            return Err(Fault::new(
                StatusCode::TOO_MANY_REQUESTS,
                format!("too many {what}: try again in a quarter of an hour"),
            ));
        }
        if done.len() < MOST_KNOWN || done.contains_key(key) {
            done.insert(key.into(), (count + 1, now));
        }
        Ok(())
    }

    /// Forgets what there was.
    pub(super) fn forget(&self, key: &str) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_are_too_many() {
        let tries = Tries::new(2);
        for _ in 0..2 {
            tries.take("x", "things").unwrap();
        }
        assert!(tries.take("x", "things").is_err());
        tries.take("y", "things").unwrap();
        tries.forget("x");
        tries.take("x", "things").unwrap();
    }
}
