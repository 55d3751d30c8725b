//! The site of a course: hand-ins, verdicts, the ladder, finals and grades.
//!
//! It is a site of its own, with its own people: nothing of the other pages is served here.

mod account;
mod api;
mod assignment;
mod doors;
mod finals;
mod game;
mod guard;
mod hand_in;
mod ladder;
mod seen;
mod staff;
mod version;
mod view;
mod workers;

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::Uri;
use axum::routing::{MethodRouter, get, post};
use course::{OpenCourse, OpenCourseError, Work};
use handin::ArchiveLimits;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::assets;
use crate::connections;
use crate::fault::Fault;
use crate::seats::Seats;
use crate::visitors::Visitors;

use guard::Tries;

/// Room for what a browser puts around files.
const AROUND_FILES: usize = 64 * 1024;

/// So many times what may be handed in is read, so that whoever sends too much is told.
const READ: usize = 8;

/// So many passwords are looked at at once, of different addresses: each takes 19 MiB.
const PASSWORDS: usize = 2;

/// So many wait for that at one address: a class may be behind it.
const MOST_WAITING: usize = 100;

/// So many hand-ins are unpacked at once.
const UNPACKING: usize = 4;

/// So many hand-ins of one person arrive at once, and so many of all: what has arrived is in memory.
const RECEIVED_FROM: usize = 2;
const RECEIVED: usize = 64;

/// So many wrong passwords of one id in a row shut its door for a while.
const MOST_WRONG: u32 = 10;

/// So many times one person sends files without a pause, taken or not.
const MOST_UPLOADS: u32 = 60;

/// And so many from one address: a class may be behind it.
const MOST_UPLOADS_FROM: u32 = 3000;

/// The site of a course.
#[derive(Debug)]
pub struct CourseSite {
    pub(crate) open_course: Arc<OpenCourse>,
    /// The workers of the open course, for staff to look at.
    cluster: Option<::cluster::Cluster>,
    visitors: Visitors,
    /// Wrong passwords, by id.
    guesses: Tries,
    /// Files sent, by person and by address.
    uploads: Tries,
    uploads_from: Tries,
    /// Passwords that are looked at, by address.
    passwords: Seats<IpAddr>,
    /// Hand-ins that arrive, by person.
    receiving: Seats<i64>,
    unpacking: Arc<Semaphore>,
}

impl CourseSite {
    /// The site of an open course.
    #[must_use]
    pub fn new(open_course: Arc<OpenCourse>) -> CourseSite {
        CourseSite {
            open_course,
            cluster: None,
            visitors: Visitors::default(),
            guesses: Tries::new(MOST_WRONG),
            uploads: Tries::new(MOST_UPLOADS),
            uploads_from: Tries::new(MOST_UPLOADS_FROM),
            passwords: Seats::new(1, PASSWORDS),
            receiving: Seats::new(RECEIVED_FROM, RECEIVED),
            unpacking: Arc::new(Semaphore::new(UNPACKING)),
        }
    }

    /// The same, where the open course plays and grades on these workers.
    #[must_use]
    pub fn with_workers(self, cluster: ::cluster::Cluster) -> CourseSite {
        CourseSite {
            cluster: Some(cluster),
            ..self
        }
    }
}

/// Every address: method, path, and who answers.
fn table() -> Vec<(&'static str, &'static str, MethodRouter<Arc<CourseSite>>)> {
    vec![
        ("GET", "/", get(assignment::list)),
        ("GET", "/assets/{name}", get(assets::file)),
        ("GET", "/login", get(doors::form)),
        ("POST", "/login", post(doors::enter)),
        ("POST", "/logout", post(doors::leave)),
        ("GET", "/invite/{secret}", get(doors::invitation)),
        ("POST", "/invite/{secret}", post(doors::accept)),
        ("GET", "/me", get(account::show)),
        ("POST", "/me/pseudonym", post(account::pseudonym)),
        ("POST", "/me/password", post(account::password)),
        ("POST", "/me/tokens", post(account::new_token)),
        ("POST", "/me/tokens/{id}/end", post(account::end_token)),
        ("POST", "/me/leave", post(account::leave_everywhere)),
        ("GET", "/a/{id}", get(assignment::show)),
        ("POST", "/a/{id}", post(hand_in::form)),
        ("GET", "/a/{id}/ladder", get(ladder::show)),
        ("POST", "/a/{id}/challenge", post(ladder::challenge)),
        ("GET", "/a/{id}/faults", get(version::faults)),
        ("GET", "/a/{id}/final", get(finals::show)),
        ("GET", "/a/{id}/finals/{number}", get(finals::games)),
        ("GET", "/a/{id}/grade", get(finals::grade)),
        ("GET", "/v/{id}", get(version::show)),
        ("GET", "/v/{id}/events", get(version::events)),
        ("GET", "/g/{id}", get(game::show)),
        ("GET", "/g/{id}/record.json", get(game::record)),
        ("GET", "/f/{id}", get(game::show_final)),
        ("GET", "/f/{id}/record.json", get(game::final_record)),
        ("GET", "/staff", get(staff::show)),
        ("POST", "/staff/people/{id}/link", post(staff::link)),
        ("GET", "/staff/a/{id}", get(staff::grades)),
        ("GET", "/staff/a/{id}/grades.csv", get(staff::csv)),
        ("GET", "/staff/a/{id}/junit.xml", get(staff::junit)),
        ("GET", "/staff/a/{id}/sources.tar.gz", get(staff::sources)),
        (
            "GET",
            "/staff/a/{id}/teams/{team}/results.json",
            get(staff::results),
        ),
        ("POST", "/staff/a/{id}/final", post(staff::new_final)),
        ("GET", "/cluster", get(workers::show)),
        ("POST", "/cluster/retry", post(workers::retry)),
        ("GET", "/api/assignments", get(api::assignments)),
        ("POST", "/api/a/{id}/hand-ins", post(hand_in::api)),
        ("GET", "/api/v/{id}", get(api::version)),
    ]
}

/// The addresses of the site of a course: method and path.
#[must_use]
pub fn course_addresses() -> Vec<(&'static str, &'static str)> {
    let table = table().into_iter();
    table.map(|(method, path, _)| (method, path)).collect()
}

/// The whole site of a course as a service.
pub fn course_app(site: Arc<CourseSite>) -> Router {
    let upload = ArchiveLimits::default().upload.0;
    let upload = usize::try_from(upload).unwrap_or(usize::MAX / READ / 2) * READ + AROUND_FILES;
    let mut router = Router::new();
    for (method, path, answer) in table() {
        let takes_files = method == "POST" && matches!(path, "/a/{id}" | "/api/a/{id}/hand-ins");
        let most = if takes_files { upload } else { AROUND_FILES };
        router = router.route(path, answer.layer(DefaultBodyLimit::max(most)));
    }
    router
        .fallback(nowhere)
        .layer(axum::middleware::from_fn_with_state(
            site.clone(),
            guard::guard,
        ))
        .with_state(site)
}

/// The answer to an address that is none.
async fn nowhere(uri: Uri) -> Fault {
    Fault::missing(format!("there is no page {}", uri.path()))
}

/// Serves the site of a course until `stop` is done, and lets its threads judge and play
/// meanwhile. What they were at is begun again after the next start.
pub async fn serve_course(
    listener: TcpListener,
    site: CourseSite,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let work = Work::start(&site.open_course, tournament::cores());
    let served = serve_course_pages(listener, site, stop).await;
    let _ = tokio::task::spawn_blocking(move || work.stop()).await;
    served
}

/// The same without the threads: what is handed in waits.
pub async fn serve_course_pages(
    listener: TcpListener,
    site: CourseSite,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    connections::serve(listener, course_app(Arc::new(site)), stop).await;
    Ok(())
}

/// Does what blocks for a moment, away from the threads that must not.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Fault::ours)?
}

impl From<tournament::StoreError> for Fault {
    fn from(error: tournament::StoreError) -> Fault {
        Fault::ours(error)
    }
}

impl From<OpenCourseError> for Fault {
    fn from(error: OpenCourseError) -> Fault {
        use axum::http::StatusCode;
        match error {
            OpenCourseError::Refused(message) => Fault::refused(message),
            OpenCourseError::TooMany(message) => Fault::new(StatusCode::TOO_MANY_REQUESTS, message),
            OpenCourseError::Store(error) => Fault::ours(error),
            // Where it stands on this machine is nobody's business.
            OpenCourseError::Disk { error, .. } => {
                Fault::ours(format!("the disk of the server fails: {error}"))
            }
        }
    }
}
