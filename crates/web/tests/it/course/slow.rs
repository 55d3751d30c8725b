//! Uploads that take for ever.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::{StreamExt, stream};
use tokio::sync::mpsc;

use super::{School, form};
use crate::fixtures::{COURSE, program};

const PATH: &str = "/api/a/othello/hand-ins";

/// Only what hangs takes so long.
const HANG: Duration = Duration::from_secs(100);

/// An upload of which the beginning comes and then nothing. Tells when it is waited for.
fn endless(token: &str, waiting: mpsc::UnboundedSender<()>) -> Request<Body> {
    let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.c\"\r\n\r\nint";
    let begun = stream::once(async move { Ok::<_, std::io::Error>(head) });
    let hangs = stream::once(async move {
        waiting.send(()).unwrap();
        std::future::pending().await
    });
    Request::post(PATH)
        .header(header::HOST, "127.0.0.1:7171")
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=x")
        .body(Body::from_stream(begun.chain(hangs)))
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_uploads_keep_nobody_else_waiting() {
    let school = School::new().await;
    let (waits, mut waiting) = mpsc::unbounded_channel();
    let mut slow = Vec::new();
    // Two of each, which is more in all than are unpacked at once.
    for login in ["a", "a", "b", "b", "staff", "staff"] {
        let app = school.app.clone();
        let request = endless(&school.token(login), waits.clone());
        slow.push(tokio::spawn(tower::ServiceExt::oneshot(app, request)));
        let begun = tokio::time::timeout(HANG, waiting.recv()).await;
        begun.unwrap().unwrap();
    }
    let refused = school.send(endless(&school.token("a"), waits)).await;
    let said = refused.fails(429);
    assert!(
        said.contains("too many files are being sent by you"),
        "{said}"
    );
    let way = (
        header::AUTHORIZATION,
        format!("Bearer {}", school.token("c")),
    );
    let text = program("good.c");
    let sent = school.send_file(PATH, way, "good.c", text.as_bytes());
    let answer = tokio::time::timeout(HANG, sent).await.unwrap();
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    // Who gives up has room again.
    for upload in slow.drain(..) {
        upload.abort();
        assert!(upload.await.unwrap_err().is_cancelled());
    }
    school.hand_in_as("a", "good.c", &text).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_began_before_the_deadline_is_in_time() {
    let deadline = course::time::now() + 4000;
    let text = tournament::store::Moment(deadline).to_string();
    let text = COURSE.replace(
        "hand-ins-per-day",
        &format!("deadline = {}Z\nhand-ins-per-day", text.replace(' ', "T")),
    );
    let school = School::with(&text).await;
    let (kind, body) = form("good.c", program("good.c").as_bytes());
    let over = Duration::from_millis(4100);
    let sent = |token: String| {
        let body = body.clone();
        let late = stream::once(async move {
            tokio::time::sleep(over).await;
            Ok::<_, std::io::Error>(body)
        });
        Request::post(PATH)
            .header(header::HOST, "127.0.0.1:7171")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, kind.as_str())
            .body(Body::from_stream(late))
            .unwrap()
    };
    let answer = school.send(sent(school.token("a"))).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    let versions = school.open_course.store.latest("othello").unwrap();
    assert!(versions[0].received <= deadline);
    let said = school.send(sent(school.token("c"))).await.fails(422);
    assert!(said.contains("the deadline was"), "{said}");
}
