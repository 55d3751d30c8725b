//! The page to play on.

pub(crate) mod create;
pub(crate) mod game;
pub(crate) mod keep;
pub(crate) mod list;
pub(crate) mod open_games;
mod people;
pub(crate) mod view;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use bots::{BotSpec, Budget};
use futures_util::{Stream, stream};
use games::Algorithm;
use rules::Side;
use serde::Deserialize;

use crate::Site;
use crate::board::{self, Arrived, Sent, Steps};
use crate::fault::Fault;
use crate::pool::Interest;
use crate::review::source::Source;
use crate::review::work;
use crate::visitors::Visitor;
pub(crate) use create::{Filled, Fit, new_game, spec};
use game::{Cut, Match, Seat};
use open_games::{Table, Thinking};

/// How long a page waits for a quick reply before it is sent without.
const PATIENCE: Duration = Duration::from_millis(250);

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/play", get(create::form).post(create::create))
        .route("/play/games", get(list::all))
        .route("/play/{id}", get(show))
        .route("/play/{id}/move", post(enter))
        .route("/play/{id}/undo", post(undo))
        .route("/play/{id}/resign", post(resign))
        .route("/play/{id}/rematch", post(people::rematch))
        .route("/play/{id}/join", post(people::join))
        .route("/play/{id}/draw", post(people::draw))
        .route("/play/{id}/decline", post(people::decline))
        .route("/play/{id}/delete", post(list::delete))
        .route("/play/{id}/library", post(keep::put))
        .route("/play/{id}/library/remove", post(keep::remove))
        .route("/play/{id}/events", get(events))
}

/// What the address says beside the game.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Look {
    /// How many moves have been made in the position to show; all if absent.
    at: Option<usize>,
    /// A question to answer first: `resign` or `delete`.
    ask: String,
    /// Not empty: show a good move.
    hint: String,
}

/// `GET /play/{id}`
async fn show(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Query(look): Query<Look>,
    Query(steps): Query<Steps>,
) -> Result<Html<String>, Fault> {
    let table = site.open_games.find(&site, &id).await?;
    open_games::look_at_clock(&site, &table).await?;
    if let Some(thinking) = open_games::think(&site, &table).await {
        settle(thinking).await;
    }
    let game = table.lock().await?.clone();
    let hint = match look.hint.as_str() {
        "" => None,
        _ => hint(&site, &game).await?,
    };
    let host = people::host(&headers);
    page(
        &game,
        &visitor,
        &look,
        &steps,
        Said {
            hint,
            notice: None,
            host,
        },
    )
}

/// What a page says beside the game.
#[derive(Default)]
struct Said<'a> {
    hint: Option<String>,
    notice: Option<&'a str>,
    /// Where the site was found: `http://games.example`.
    host: String,
}

/// Draws the page.
fn page(
    game: &Match,
    visitor: &Visitor,
    look: &Look,
    steps: &Steps,
    said: Said<'_>,
) -> Result<Html<String>, Fault> {
    let positions = game.positions().map_err(Fault::ours)?;
    let at = look.at.unwrap_or(game.moves.len());
    if at > game.moves.len() {
        return Err(Fault::missing(format!(
            "the game has {}, not {at}",
            crate::page::count(game.moves.len() as u64, "move")
        )));
    }
    let view = view::View {
        game,
        positions: &positions,
        mine: game.sides_of(visitor.key.as_deref()),
        may_delete: list::may_delete(game, visitor),
        may_keep: visitor.trusted,
        may_take_out: keep::may_take_out(game, visitor),
        at,
        picks: &steps.in_position(&positions[at]),
        ask: &look.ask,
        hint: said.hint,
        notice: said.notice,
        host: &said.host,
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

/// A good move for the player to move, if a person is; in a game between two people neither gets any.
pub(crate) async fn hint(site: &Arc<Site>, game: &Match) -> Result<Option<String>, Fault> {
    let position = game.position().map_err(Fault::ours)?;
    if game.link.is_some()
        || game.ending(&position).is_some()
        || game.bot_to_move(&position).is_some()
    {
        return Ok(None);
    }
    let spec = BotSpec::new(Algorithm::Best, Budget::Time(Duration::from_millis(400)));
    let interest = Interest::default();
    let found = open_games::choose(site, &interest.flag(), position, spec, game.seed).await;
    Ok(found.and_then(|report| report.best))
}

/// `POST /play/{id}/move`
async fn enter(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    let table = site.open_games.find(&site, &id).await?;
    let mut game = table.lock().await?;
    let positions = game.positions().map_err(Fault::ours)?;
    let refuse = |game: &Match, steps: &Steps, error: &str| refusal(game, &visitor, steps, error);
    let none = Steps::default();
    let moves: Vec<&str> = game.moves.iter().map(|played| played.mv.as_str()).collect();
    let entered = match sent.read(&positions, &moves) {
        Arrived::Now(entered) => entered,
        Arrived::Before => return Ok(Redirect::to(&format!("/play/{id}")).into_response()),
        Arrived::Late => return refuse(&game, &none, board::LATE),
    };
    let position = &positions[moves.len()];
    let over = game.ending(position).is_some();
    if !over && game.bot_to_move(position).is_some() {
        return refuse(&game, &none, "it is the opponent's turn");
    }
    let side = position.side_to_move();
    let mine = game.sides_of(visitor.key.as_deref());
    if !over && !mine[side.index()] {
        let error = match mine {
            [false, false] => "you are watching this game",
            _ => "it is the opponent's turn",
        };
        return refuse(&game, &none, error);
    }
    let mv = match entered {
        Ok(board::Entered::Move(mv)) => mv,
        Ok(board::Entered::More(picks)) => {
            let address = format!("/play/{id}{}", Steps::query(position, &picks));
            return Ok(Redirect::to(&address).into_response());
        }
        Err(reason) => return refuse(&game, &sent.steps(), &reason),
    };
    if let Err(error) = open_games::play(&site, &table, &mut game, &mv).await? {
        return refuse(&game, &none, &error);
    }
    drop(game);
    if let Some(thinking) = open_games::think(&site, &table).await {
        settle(thinking).await;
    }
    Ok(Redirect::to(&format!("/play/{id}")).into_response())
}

/// The same page again, with what was wrong and what had been chosen before.
fn refusal(game: &Match, visitor: &Visitor, steps: &Steps, error: &str) -> Result<Response, Fault> {
    let said = Said {
        notice: Some(error),
        ..Said::default()
    };
    let page = page(game, visitor, &Look::default(), steps, said)?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// Whether the reader has been asked already.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Sure {
    sure: String,
}

impl Sure {
    /// The question to answer first, unless it has been.
    fn question(&self, id: &str, what: &str) -> Option<Redirect> {
        let asked = !self.sure.is_empty();
        (!asked).then(|| Redirect::to(&format!("/play/{id}?ask={what}")))
    }
}

/// How many moves the page showed that sends this.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Seen {
    after: Option<usize>,
}

/// `POST /play/{id}/undo`: takes back one's last move, and what followed it.
async fn undo(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Form(seen): Form<Seen>,
) -> Result<Redirect, Fault> {
    take_back(&site, &id, seen.after).await?;
    Ok(Redirect::to(&format!("/play/{id}")))
}

/// Takes back a person's last move, and what followed it; nothing where moves that were `seen` have
/// been taken back already, as by the first half of a double click.
pub(crate) async fn take_back(
    site: &Arc<Site>,
    id: &str,
    seen: Option<usize>,
) -> Result<(), Fault> {
    let table = site.open_games.find(site, id).await?;
    let mut game = table.lock().await?;
    if seen.is_some_and(|seen| seen > game.moves.len()) {
        return Ok(());
    }
    if game.link.is_some() {
        return Err(Fault::refused("moves between people are not taken back"));
    }
    let position = game.position().map_err(Fault::ours)?;
    let count = game.undo_count(&position);
    if count == 0 {
        return Err(Fault::refused("there is no move of yours to take back"));
    }
    let left = game.moves.len() - count;
    game.moves.truncate(left);
    game.cut = None;
    game.cut_ms = 0;
    game.since = game::now();
    work::leave(site, &Source::Play(id.into())).await?;
    changed(site, &table, game).await
}

/// Keeps a game that has been changed, and tells everybody who watches.
async fn changed(
    site: &Site,
    table: &Table,
    mut game: tokio::sync::MutexGuard<'_, Match>,
) -> Result<(), Fault> {
    table.stop_search();
    open_games::save(site, &mut game).await?;
    drop(game);
    table.changed();
    Ok(())
}

/// `POST /play/{id}/resign`
async fn resign(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(sure): Form<Sure>,
) -> Result<Redirect, Fault> {
    if let Some(question) = sure.question(&id, "resign") {
        return Ok(question);
    }
    give_up(&site, &id, visitor.key.as_deref()).await?;
    Ok(Redirect::to(&format!("/play/{id}")))
}

/// Ends a game early: the person loses it.
pub(crate) async fn give_up(site: &Arc<Site>, id: &str, key: Option<&str>) -> Result<(), Fault> {
    let table = site.open_games.find(site, id).await?;
    let mut game = table.lock().await?;
    let position = game.position().map_err(Fault::ours)?;
    if game.ending(&position).is_some() {
        return Err(Fault::refused("the game is over"));
    }
    let turn = position.side_to_move();
    let mine = game.sides_of(key);
    let loser = [turn, !turn]
        .into_iter()
        .find(|side: &Side| mine[side.index()])
        .ok_or_else(|| match game.seats.contains(&Seat::Human) {
            true => Fault::refused("you are watching this game"),
            false => Fault::refused("only people resign"),
        })?;
    game.cut_short(loser, Cut::Resigned);
    changed(site, &table, game).await
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
            version.borrow_and_update();
            let event = match table.lock().await {
                Ok(game) => Event::default().event("changed").data(game.stamp()),
                // It has been deleted, which the page itself says.
                Err(_) => Event::default().event("reload").data("gone"),
            };
            let interest = open_games::think(&site, &table).await.map(|t| t.interest);
            Some((Ok(event), (site, table, version, interest, false)))
        },
    );
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}
