//! The page to play on.

pub(crate) mod create;
pub(crate) mod game;
pub(crate) mod open_games;
pub(crate) mod view;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use bots::{BotSpec, Budget};
use futures_util::{Stream, stream};
use games::Algorithm;
use rules::Side;
use serde::Deserialize;

use crate::Site;
use crate::board;
use crate::fault::Fault;
use crate::pool::Interest;
use crate::query::query;
pub(crate) use create::{Filled, new_game, spec};
use game::{Cut, Match, Seat};
use open_games::Thinking;

/// How long a page waits for a quick reply before it is sent without.
const PATIENCE: Duration = Duration::from_millis(250);

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/play", get(create::form).post(create::create))
        .route("/play/{id}", get(show))
        .route("/play/{id}/move", post(enter))
        .route("/play/{id}/undo", post(undo))
        .route("/play/{id}/resign", post(resign))
        .route("/play/{id}/events", get(events))
}

/// What the address says beside the game.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Look {
    /// How many moves have been made in the position to show; all if absent.
    at: Option<usize>,
    /// What has been pointed at so far, joined by commas.
    picks: String,
    /// A question to answer first: `undo` or `resign`.
    ask: String,
    /// Not empty: show a good move.
    hint: String,
}

/// `GET /play/{id}`
async fn show(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Query(look): Query<Look>,
) -> Result<Html<String>, Fault> {
    let table = site.open_games.find(&site, &id).await?;
    open_games::look_at_clock(&site, &table).await?;
    if let Some(thinking) = open_games::think(&site, &table).await {
        settle(thinking).await;
    }
    let game = table.game.lock().await.clone();
    let hint = if look.hint.is_empty() {
        None
    } else {
        hint(&site, &game).await?
    };
    page(&game, &look, hint, None)
}

/// Draws the page.
fn page(
    game: &Match,
    look: &Look,
    hint: Option<String>,
    notice: Option<&str>,
) -> Result<Html<String>, Fault> {
    let positions = game.positions().map_err(Fault::ours)?;
    let at = look.at.unwrap_or(game.moves.len());
    if at > game.moves.len() {
        return Err(Fault::missing(format!(
            "the game has {} moves, not {at}",
            game.moves.len()
        )));
    }
    let view = view::View {
        game,
        positions: &positions,
        at,
        picks: &board::split(&look.picks),
        ask: &look.ask,
        hint,
        notice,
    };
    view.page().map_err(Fault::refused)
}

/// Waits a moment for the bot's move, then lets it go on by itself for a while.
pub(crate) async fn settle(mut thinking: Thinking) {
    let moved = thinking.version.changed();
    if tokio::time::timeout(PATIENCE, moved).await.is_err() {
        open_games::linger(thinking.interest);
    }
}

/// A good move for the player to move, if a person is.
pub(crate) async fn hint(site: &Arc<Site>, game: &Match) -> Result<Option<String>, Fault> {
    let position = game.position().map_err(Fault::ours)?;
    if game.ending(&position).is_some() || game.bot_to_move(&position).is_some() {
        return Ok(None);
    }
    let spec = BotSpec::new(Algorithm::Best, Budget::Time(Duration::from_millis(400)));
    let interest = Interest::default();
    Ok(open_games::choose(site, &interest.flag(), position, spec, game.seed).await)
}

/// A move, typed whole or pointed at step by step.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Entered {
    #[serde(rename = "move")]
    mv: String,
    picks: String,
    pick: String,
}

/// `POST /play/{id}/move`
async fn enter(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Form(entered): Form<Entered>,
) -> Result<Response, Fault> {
    let table = site.open_games.find(&site, &id).await?;
    let mut game = table.game.lock().await;
    let position = game.position().map_err(Fault::ours)?;
    if game.bot_to_move(&position).is_some() {
        drop(game);
        return Err(Fault::refused("it is the opponent's turn"));
    }
    let picks = board::split(&entered.picks);
    let mv = match board::entered(&position, &entered.mv, &picks, &entered.pick) {
        Ok(board::Entered::Move(mv)) => mv,
        Ok(board::Entered::More(picks)) => {
            let picks = picks.join(",");
            let address = format!("/play/{id}{}", query(&[("picks", &picks)]));
            return Ok(Redirect::to(&address).into_response());
        }
        Err(reason) => return refusal(&game, &entered.picks, &reason),
    };
    if let Err(error) = game.play(&mv) {
        site.documents.put("play", &id, &*game).await?;
        return refusal(&game, "", &error);
    }
    site.documents.put("play", &id, &*game).await?;
    drop(game);
    table.changed();
    if let Some(thinking) = open_games::think(&site, &table).await {
        settle(thinking).await;
    }
    Ok(Redirect::to(&format!("/play/{id}")).into_response())
}

/// The same page again, with what was wrong and what had been chosen before.
fn refusal(game: &Match, picks: &str, error: &str) -> Result<Response, Fault> {
    let look = Look {
        picks: picks.into(),
        ..Look::default()
    };
    let page = page(game, &look, None, Some(error))?;
    Ok((axum::http::StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// Whether the reader has been asked already.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Sure {
    sure: String,
}

/// `POST /play/{id}/undo`: takes back one's last move; asks before it takes back the
/// opponent's reply with it.
async fn undo(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Form(sure): Form<Sure>,
) -> Result<Redirect, Fault> {
    if take_back(&site, &id, !sure.sure.is_empty()).await? {
        Ok(Redirect::to(&format!("/play/{id}")))
    } else {
        Ok(Redirect::to(&format!("/play/{id}?ask=undo")))
    }
}

/// Takes back a person's last move; `false` if that would take the opponent's reply too
/// and nobody is `sure`.
pub(crate) async fn take_back(site: &Arc<Site>, id: &str, sure: bool) -> Result<bool, Fault> {
    let table = site.open_games.find(site, id).await?;
    let mut game = table.game.lock().await;
    let position = game.position().map_err(Fault::ours)?;
    let count = game.undo_count(&position);
    if count == 0 {
        return Err(Fault::refused("there is no move of yours to take back"));
    }
    if count > 1 && !sure {
        return Ok(false);
    }
    let left = game.moves.len() - count;
    game.moves.truncate(left);
    game.cut = None;
    game.since = game::now();
    site.documents.put("play", id, &*game).await?;
    table.forget_search();
    drop(game);
    table.changed();
    Ok(true)
}

/// `POST /play/{id}/resign`
async fn resign(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Form(sure): Form<Sure>,
) -> Result<Redirect, Fault> {
    if sure.sure.is_empty() {
        return Ok(Redirect::to(&format!("/play/{id}?ask=resign")));
    }
    give_up(&site, &id, Cut::Resigned).await?;
    Ok(Redirect::to(&format!("/play/{id}")))
}

/// Ends a game early: the person loses it.
pub(crate) async fn give_up(site: &Arc<Site>, id: &str, cut: Cut) -> Result<(), Fault> {
    let table = site.open_games.find(site, id).await?;
    let mut game = table.game.lock().await;
    let position = game.position().map_err(Fault::ours)?;
    if game.ending(&position).is_some() {
        return Err(Fault::refused("the game is over"));
    }
    let turn = position.side_to_move();
    let loser = [turn, !turn]
        .into_iter()
        .find(|side: &Side| game.seats[side.index()] == Seat::Human)
        .ok_or_else(|| Fault::refused("only people resign"))?;
    game.cut = Some((loser.index(), cut));
    site.documents.put("play", id, &*game).await?;
    table.forget_search();
    drop(game);
    table.changed();
    Ok(())
}

/// `GET /play/{id}/events`: says when the game has changed, and keeps the bot thinking
/// while somebody listens.
async fn events(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let table = site.open_games.find(&site, &id).await?;
    let version = table.version.subscribe();
    let state = (site, table, version, None::<Interest>, true);
    let stream = stream::unfold(
        state,
        |(site, table, mut version, interest, first)| async move {
            if !first {
                version.changed().await.ok()?;
            }
            drop(interest);
            let now = *version.borrow_and_update();
            let (moves, over) = {
                let game = table.game.lock().await;
                (game.moves.len(), game.cut.is_some())
            };
            let interest = open_games::think(&site, &table).await.map(|t| t.interest);
            let event = Event::default().event("changed").data(format!(
                "{{\"version\":{now},\"moves\":{moves},\"over\":{over}}}"
            ));
            Some((Ok(event), (site, table, version, interest, false)))
        },
    );
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}
