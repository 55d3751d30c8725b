//! What a request carries must arrive in time: whoever sends it drop by drop is not waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};

use crate::fault::Fault;

/// So long everything that a request carries may take: 16 MB over a slow line.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whether something came too late.
#[derive(Debug)]
pub(crate) struct Arrival(Arc<AtomicBool>);

/// The request, of which nothing is read after its time.
pub(crate) fn in_time(request: Request) -> (Request, Arrival) {
    within(PATIENCE, request)
}

fn within(time: Duration, request: Request) -> (Request, Arrival) {
    let end = Instant::now() + time;
    let late = Arc::new(AtomicBool::new(false));
    let arrival = Arrival(Arc::clone(&late));
    let request = request.map(|body| {
        let chunks = stream::unfold(Some(body.into_data_stream()), move |chunks| {
            let late = Arc::clone(&late);
            async move {
                let mut chunks = chunks?;
                match timeout_at(end, chunks.next()).await {
                    Ok(chunk) => Some((chunk?, Some(chunks))),
                    Err(error) => {
                        late.store(true, Ordering::Relaxed);
                        Some((Err(axum::Error::new(error)), None))
                    }
                }
            }
        });
        Body::from_stream(chunks)
    });
    (request, arrival)
}

impl Arrival {
    /// The answer, or what was wrong with the request if it came too late.
    pub(crate) fn judge(self, answer: Response) -> Response {
        match self.0.load(Ordering::Relaxed) {
            false => answer,
            true => {
                let limit = PATIENCE.as_secs();
                let message = format!("what was sent took longer than {limit} s: send it again");
                Fault::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    fn request(chunks: Vec<&'static str>, ends: bool) -> Request {
        let chunks = stream::iter(chunks.into_iter().map(Ok::<_, axum::Error>));
        let body = match ends {
            true => Body::from_stream(chunks),
            false => Body::from_stream(chunks.chain(stream::pending())),
        };
        Request::new(body)
    }

    #[tokio::test]
    async fn what_never_ends_is_not_waited_for() {
        let (slow, arrival) = within(Duration::from_millis(5), request(vec!["a", "b"], false));
        assert!(to_bytes(slow.into_body(), 99).await.is_err());
        let answer = arrival.judge(StatusCode::BAD_REQUEST.into_response());
        assert_eq!(answer.status(), StatusCode::REQUEST_TIMEOUT);
    }

    #[tokio::test]
    async fn what_ends_arrives() {
        let (whole, arrival) = in_time(request(vec!["a", "b"], true));
        assert_eq!(to_bytes(whole.into_body(), 99).await.unwrap(), "ab");
        let answer = arrival.judge(StatusCode::OK.into_response());
        assert_eq!(answer.status(), StatusCode::OK);
    }
}
