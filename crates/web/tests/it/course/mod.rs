//! The site of a course as a service.

mod access;
mod logins;
mod slow;
mod way;

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use course::roster;
use course::{Course, OpenCourse, Person, Work};
use tower::ServiceExt;
use web::{CourseSite, course_app};

use crate::client::Answer;
use crate::fixtures::{COURSE, program};
use crate::waiting::wait_until;

const ROSTER: &str = "name,id,team,role\nSteffi,staff,,staff\nAnna,a,red,\nBo,b,red,\nCeci,c,,\n";

const PASSWORD: &str = "correct horse battery";

/// A course, its site, and ways in.
pub(crate) struct School {
    folder: tempfile::TempDir,
    pub(crate) open_course: Arc<OpenCourse>,
    app: Router,
}

impl School {
    async fn new() -> School {
        School::with(COURSE).await
    }

    pub(crate) async fn with(text: &str) -> School {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("course.toml"), text).unwrap();
        let course = Course::open(folder.path()).unwrap();
        let open_course = Arc::new(OpenCourse::open(course).await.unwrap());
        open_course
            .store
            .add(&roster::read(ROSTER).unwrap())
            .unwrap();
        let app = course_app(Arc::new(CourseSite::new(open_course.clone())));
        School {
            folder,
            open_course,
            app,
        }
    }

    pub(crate) fn person(&self, login: &str) -> Person {
        let people = self.open_course.store.people().unwrap();
        let mut people = people.into_iter();
        people.find(|person| person.login == login).unwrap()
    }

    pub(crate) fn id(&self, login: &str) -> i64 {
        self.person(login).id
    }

    /// A token of somebody.
    pub(crate) fn token(&self, login: &str) -> String {
        let token = self.open_course.store.new_token(self.id(login), "x");
        token.unwrap().unwrap()
    }

    /// The secret of a new invitation.
    fn invitation(&self, login: &str) -> String {
        let staff = self.id("staff");
        let secret = self.open_course.store.invite_again(self.id(login), staff);
        secret.unwrap()
    }

    pub(crate) fn login(&self, login: &str) -> String {
        self.open_course.store.log_in(self.id(login)).unwrap()
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        // A live page never ends.
        let live = headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind == "text/event-stream");
        let body = match live {
            true => String::new(),
            false => {
                let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
                String::from_utf8_lossy(&bytes).into_owned()
            }
        };
        Answer {
            status,
            headers,
            body,
        }
    }

    pub(crate) async fn get(&self, path: &str, cookie: &str) -> Answer {
        let request = Request::get(path)
            .header(header::HOST, "127.0.0.1:7171")
            .header(header::COOKIE, format!("ludex_course={cookie}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn post(&self, path: &str, cookie: &str, form: &str) -> Answer {
        let request = Request::post(path)
            .header(header::HOST, "127.0.0.1:7171")
            .header(header::ORIGIN, "http://127.0.0.1:7171")
            .header(header::COOKIE, format!("ludex_course={cookie}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(form.to_string())).unwrap())
            .await
    }

    /// The folder of the course.
    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Hands in one file as somebody; the number of the version.
    pub(crate) async fn hand_in_as(&self, login: &str, name: &str, text: &str) -> i64 {
        let token = self.token(login);
        let way = (header::AUTHORIZATION, format!("Bearer {token}"));
        let path = "/api/a/othello/hand-ins";
        let answer = self.send_file(path, way, name, text.as_bytes()).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        let version: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        version["version"].as_i64().unwrap()
    }

    async fn upload(&self, path: &str, way: (header::HeaderName, String), file: &str) -> Answer {
        let text = program(file);
        self.send_file(path, way, file, text.as_bytes()).await
    }

    pub(crate) async fn send_file(
        &self,
        path: &str,
        way: (header::HeaderName, String),
        name: &str,
        bytes: &[u8],
    ) -> Answer {
        let (kind, body) = form(name, bytes);
        let request = Request::post(path)
            .header(header::HOST, "127.0.0.1:7171")
            .header(way.0, way.1)
            .header(header::CONTENT_TYPE, kind);
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    /// Lets the threads judge everything that waits.
    pub(crate) async fn judge(&self) {
        let open_course = self.open_course.clone();
        tokio::task::spawn_blocking(move || {
            let work = Work::start(&open_course, 2);
            wait_until("all are judged", || open_course.queue().unwrap() == 0);
            work.stop();
        })
        .await
        .unwrap();
    }
}

/// A file as a form.
fn form(name: &str, bytes: &[u8]) -> (String, Vec<u8>) {
    let mut body = format!(
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    )
    .into_bytes();
    body.extend(bytes);
    body.extend(b"\r\n--x--\r\n");
    ("multipart/form-data; boundary=x".into(), body)
}
