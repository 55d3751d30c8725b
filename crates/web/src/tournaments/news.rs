//! What happens in a tournament, reported while somebody listens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, stream};
use serde_json::Value;
use tournament::TournamentRow;

use crate::Site;
use crate::fault::Fault;
use crate::tournaments::fault;

/// How often a running tournament is looked at for its readers.
const PACE: Duration = Duration::from_millis(300);

/// Sends the parts of a page whenever something has happened, and at the end asks for the
/// whole page once more: buttons and headings change too.
pub(crate) async fn news<P>(
    site: Arc<Site>,
    id: String,
    parts: impl Fn(Arc<Site>, TournamentRow) -> P + Copy + Send + 'static,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault>
where
    P: Future<Output = Result<Value, Fault>> + Send,
{
    site.store.tournament(&id).await.map_err(fault)?;
    let stream = stream::unfold((site, id, None, false), move |state| async move {
        let (site, id, mut seen, over) = state;
        if over {
            return None;
        }
        loop {
            let run = site.runs.find(&id)?;
            if run.live.ended() {
                // Browsers drop events without data.
                let event = Event::default().event("reload").data("ended");
                return Some((Ok(event), (site, id, seen, true)));
            }
            let version = Some(run.live.version());
            if seen == version {
                tokio::time::sleep(PACE).await;
                continue;
            }
            seen = version;
            let row = site.store.tournament(&id).await.ok()?;
            let parts = parts(site.clone(), row).await.ok()?;
            let event = Event::default().event("parts").data(parts.to_string());
            tokio::time::sleep(PACE).await;
            return Some((Ok(event), (site, id, seen, false)));
        }
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}
