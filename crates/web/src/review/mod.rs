//! Where a game was lost: a page beside every game, filled in while solvers look for proofs.

pub(crate) mod source;
pub(crate) mod view;
pub(crate) mod work;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use ::review::{Review, Suite};
use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::header;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use futures_util::{Stream, stream};
use maud::{Markup, html};
use serde::Deserialize;

use crate::Site;
use crate::analyse::{Given, keep_subject};
use crate::fault::Fault;
use crate::page::shell;
use source::{Loaded, Source};
use view::{Look, SECONDS, Stage, View};
use work::Job;

/// How often a review at work is looked at for its readers.
const PACE: Duration = Duration::from_millis(300);

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/review", post(given))
        .route("/review/{kind}/{id}", get(show).post(begin))
        .route("/review/{kind}/{id}/stop", post(stop))
        .route("/review/{kind}/{id}/events", get(events))
        .route("/review/{kind}/{id}/review.json", get(json))
        .route("/review/{kind}/{id}/suite.txt", get(suite))
}

/// The review of a game: what is kept of it, or what is known by now.
pub(crate) struct Shown {
    loaded: Loaded,
    base: String,
    stage: Stage,
    review: Option<Review>,
}

impl Shown {
    /// The review of a game as it is now.
    pub(crate) async fn of(site: &Site, source: &Source) -> Result<Shown, Fault> {
        let loaded = source.load(site).await?;
        let job = site.reviews.find(source);
        let before = job.as_ref().map_or(0, |job| site.reviews.before(job));
        let kept = site
            .store
            .review(&source.key())
            .await
            .map_err(Fault::ours)?;
        let open = job.as_ref().filter(|job| !job.is_over());
        let known = open.and_then(|job| job.known());
        let mut reviews = known.into_iter().chain(kept);
        let review = reviews.find(|review| review.is_of(&loaded.played));
        Ok(Shown {
            loaded,
            base: source.address(),
            stage: Stage::of(job.as_deref(), before, review.as_ref()),
            review,
        })
    }

    fn view(&self, look: Look) -> View<'_> {
        View {
            loaded: &self.loaded,
            base: &self.base,
            stage: &self.stage,
            review: self.review.as_ref(),
            look,
        }
    }

    /// The review as a part of a page that has a board already.
    pub(crate) fn section(&self) -> Markup {
        self.view(Look::default()).section()
    }

    /// The review, which there must be.
    pub(crate) fn review(&self) -> Result<&Review, Fault> {
        let missing = || Fault::missing("this game has not been reviewed");
        self.review.as_ref().ok_or_else(missing)
    }

    /// The positions of mistakes: those of the person who played, or of both players.
    pub(crate) fn suite(&self) -> Result<Suite, Fault> {
        let review = self.review()?;
        let person = self.loaded.person;
        let mistakes = review
            .real_mistakes()
            .filter(|mistake| person.is_none_or(|side| mistake.side() == side));
        let title = self.loaded.title.as_str();
        Ok(Suite::new(review.game, mistakes.map(|one| (title, one))))
    }

    /// Who played.
    pub(crate) fn title(&self) -> &str {
        &self.loaded.title
    }
}

/// `GET /review/{kind}/{id}`
async fn show(
    State(site): State<Arc<Site>>,
    Path((kind, id)): Path<(String, String)>,
    Query(asked): Query<AskedLook>,
) -> Result<Html<String>, Fault> {
    let look = Look {
        boards: true,
        ..asked.look()
    };
    let shown = Shown::of(&site, &Source::parse(&kind, &id)?).await?;
    let body = html! {
        div.review {
            p { a href=(shown.loaded.game) { "← The game" } " · " a href=(shown.loaded.subject.address()) { "Analyse it" } }
            h1 { "Review: " (shown.loaded.title) }
            (shown.view(look).section())
        }
    };
    let title = format!("Review: {}", shown.loaded.title);
    Ok(shell(&title, "/analyse", body))
}

/// How long a review may take.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Allowed {
    seconds: String,
}

impl Allowed {
    /// One of the times that are offered.
    pub(crate) fn seconds(&self) -> Result<u64, Fault> {
        if self.seconds.is_empty() {
            return Ok(SECONDS[0]);
        }
        let known = SECONDS
            .into_iter()
            .find(|seconds| seconds.to_string() == self.seconds);
        known.ok_or_else(|| Fault::bad(format!("{:?} seconds are not offered", self.seconds)))
    }
}

/// `POST /review`: a game in the form, which is kept first.
async fn given(State(site): State<Arc<Site>>, Form(given): Form<Given>) -> Result<Redirect, Fault> {
    let kept = keep_subject(&site, given.subject()?).await?;
    let source = Source::Analysis(kept.id);
    work::ask(&site, vec![source.clone()], SECONDS[0]).await?;
    Ok(Redirect::to(&source.address()))
}

/// `POST /review/{kind}/{id}`
async fn begin(
    State(site): State<Arc<Site>>,
    Path((kind, id)): Path<(String, String)>,
    Form(allowed): Form<Allowed>,
) -> Result<Redirect, Fault> {
    let source = Source::parse(&kind, &id)?;
    // What cannot be read is not begun.
    source.load(&site).await?;
    work::ask(&site, vec![source.clone()], allowed.seconds()?).await?;
    Ok(Redirect::to(&source.address()))
}

/// `POST /review/{kind}/{id}/stop`
async fn stop(
    State(site): State<Arc<Site>>,
    Path((kind, id)): Path<(String, String)>,
) -> Result<Redirect, Fault> {
    let source = Source::parse(&kind, &id)?;
    site.reviews.stop(|one| *one == source);
    Ok(Redirect::to(&source.address()))
}

/// How a review is to look: what is not empty is asked for.
#[derive(Deserialize, Default)]
#[serde(default)]
struct AskedLook {
    boards: String,
    slower: String,
}

impl AskedLook {
    fn look(&self) -> Look {
        Look {
            boards: !self.boards.is_empty(),
            slower: !self.slower.is_empty(),
        }
    }
}

/// `GET /review/{kind}/{id}/events`: the review as it fills in.
async fn events(
    State(site): State<Arc<Site>>,
    Path((kind, id)): Path<(String, String)>,
    Query(asked): Query<AskedLook>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let source = Source::parse(&kind, &id)?;
    let job = site.reviews.find(&source);
    let look = asked.look();
    let stream = stream::unfold((site, source, job, None), move |state| async move {
        let (site, source, job, mut seen) = state;
        let job: Option<Arc<Job>> = job;
        // The page asks for all of itself once more when the review is over.
        let reload = Event::default().event("reload").data("ended");
        let Some(open) = job.filter(|job| !job.is_over()) else {
            return match seen {
                Some((true, _)) => None,
                _ => Some((Ok(reload), (site, source, None, Some((true, 0))))),
            };
        };
        while !open.is_over() && seen == Some(open.version()) {
            tokio::time::sleep(PACE).await;
        }
        if open.is_over() {
            return Some((Ok(reload), (site, source, None, Some((true, 0)))));
        }
        seen = Some(open.version());
        let shown = Shown::of(&site, &source).await.ok()?;
        let parts = serde_json::json!({ "part-review": shown.view(look).part().into_string() });
        let event = Event::default().event("parts").data(parts.to_string());
        tokio::time::sleep(PACE).await;
        Some((Ok(event), (site, source, Some(open), seen)))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// `GET /review/{kind}/{id}/review.json`
async fn json(
    State(site): State<Arc<Site>>,
    Path((kind, id)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let shown = Shown::of(&site, &Source::parse(&kind, &id)?).await?;
    Ok(axum::Json(shown.review()?).into_response())
}

/// `GET /review/{kind}/{id}/suite.txt`
async fn suite(
    State(site): State<Arc<Site>>,
    Path((kind, id)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let shown = Shown::of(&site, &Source::parse(&kind, &id)?).await?;
    Ok(suite_file(&shown.suite()?))
}

/// Positions as a file for `ludex check --positions`.
pub(crate) fn suite_file(suite: &Suite) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"suite.txt\"",
        ),
    ];
    (headers, suite.to_string()).into_response()
}
