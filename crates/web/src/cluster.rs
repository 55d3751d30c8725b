//! The workers that play for a site: for this one, and for that of a course.

use std::sync::Arc;

use axum::Extension;
use axum::Router;
use axum::extract::State;
use axum::response::{Html, Redirect};
use axum::routing::{get, post};
use cluster::protocol::Presence;
use cluster::{Cluster, Status};
use maud::{Markup, html};

use crate::Site;
use crate::fault::Fault;
use crate::page::{count, shell};
use crate::visitors::Visitor;

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/cluster", get(show))
        .route("/cluster/retry", post(retry))
}

/// The workers of a site, if it has any.
fn workers(cluster: Option<&Cluster>) -> Result<&Cluster, Fault> {
    let none = "this site plays games by itself: ludex serve --nats URL lets workers play them";
    cluster.ok_or_else(|| Fault::missing(none))
}

/// What is known of the workers of a site, for whoever may know it.
pub(crate) async fn known(cluster: Option<&Cluster>) -> Result<Markup, Fault> {
    let link = workers(cluster)?.link();
    let status = Status::ask(link).await.map_err(Fault::ours)?;
    Ok(page(&status))
}

/// Gives out again what is put aside; leads back to the page.
pub(crate) async fn play_again(cluster: Option<&Cluster>) -> Result<Redirect, Fault> {
    let link = workers(cluster)?.link();
    cluster::retry(link, None).await.map_err(Fault::ours)?;
    Ok(Redirect::to("/cluster"))
}

/// `GET /cluster`
async fn show(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, Fault> {
    workers(site.config.cluster.as_ref())?;
    // What machines there are is nobody else's business.
    if !visitor.trusted {
        let status = axum::http::StatusCode::UNAUTHORIZED;
        return Err(Fault::new(
            status,
            "only who has the token sees the workers",
        ));
    }
    let body = known(site.config.cluster.as_ref()).await?;
    Ok(shell("Workers", "/tournaments", body))
}

/// `POST /cluster/retry`
async fn retry(State(site): State<Arc<Site>>) -> Result<Redirect, Fault> {
    play_again(site.config.cluster.as_ref()).await
}

fn page(status: &Status) -> Markup {
    let slots: usize = status.workers.iter().map(|worker| worker.slots).sum();
    html! {
        h1 { "Workers" }
        p { (count(status.workers.len() as u64, "worker")) ", " (status.playing()) " of " (slots) " games at once, NATS server " (status.server) "." }
        @if status.workers.is_empty() {
            p { "None is there. On every machine that may help:" }
            pre tabindex="0" { "ludex worker --nats URL --creds worker.creds" }
        } @else {
            div.scroll tabindex="0" role="region" aria-label="Workers" {
                table {
                    thead { tr { th { "Worker" } th.num { "Games" } th.num { "Pairs done" } th.num { "Speed" } th { "Walls" } th { "Version" } th { "What keeps it from work" } } }
                    tbody { @for worker in &status.workers { (row(status, worker)) } }
                }
            }
        }
        h2 { "Queues" }
        @if status.queues.is_empty() { p { "Nothing has been played yet." } }
        @else {
            div.scroll tabindex="0" role="region" aria-label="Queues" {
                table {
                    thead { tr { th { "Kind of work" } th.num { "Pairs that wait" } th.num { "Pairs being played" } th.num { "Not for the first time" } } }
                    tbody {
                        @for queue in &status.queues {
                            tr { th scope="row" { (queue.class) } td.num { (queue.waiting) } td.num { (queue.playing) } td.num { (queue.again) } }
                        }
                    }
                }
            }
        }
        @if status.results > 0 { p { (count(status.results, "result")) " not yet kept." } }
        @if !status.quarantine.is_empty() {
            h2 { "Put aside" }
            p { "Nothing came of these pairs. They are not scored until they are played." }
            ul { @for aside in &status.quarantine {
                li { code { (aside.work.tournament) "." (aside.work.unit) } ": " (aside.known()) }
            } }
            form method="post" action="/cluster/retry" { button.primary { "Play them again" } }
        }
    }
}

fn row(status: &Status, worker: &Presence) -> Markup {
    let slowest = status.speeds(worker).into_iter().reduce(f64::min);
    html! {
        tr {
            th scope="row" { (worker.worker) }
            td.num { (worker.busy) " / " (worker.slots) }
            td.num { (worker.finished) }
            td.num { @match slowest { Some(speed) => (format!("{:.0} %", 100.0 * speed)), None => "–" } }
            td { @match &worker.walls { Ok(found) => (found.mode), Err(why) => (why) } }
            td { (worker.version) }
            td { (worker.troubles.join("; ")) }
        }
    }
}
