//! The rules of the games as small positions to solve, step by step.

mod progress;
mod view;

use axum::Router;
use axum::extract::{Form, Path, Query};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use games::{AnyPosition, GameName, Lesson};
use serde::Deserialize;

use crate::board;
use crate::fault::Fault;
use progress::Progress;
use view::{Said, Step};

/// The addresses of this part.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/learn", get(all))
        .route("/learn/{game}", get(overview))
        .route("/learn/{game}/{number}", get(show).post(enter))
}

/// `GET /learn`
async fn all(headers: HeaderMap) -> Html<String> {
    view::all(&Progress::of(&headers))
}

/// The game with this name, if it has lessons.
fn game(name: &str) -> Result<GameName, Fault> {
    let game: GameName = name.parse().map_err(Fault::missing)?;
    match game.about().lessons {
        [] => Err(Fault::missing(format!("{game} has no lessons"))),
        _ => Ok(game),
    }
}

/// The lesson with this number, from 1, and its position.
fn lesson(game: GameName, number: usize) -> Result<(&'static Lesson, AnyPosition), Fault> {
    let lessons = game.about().lessons;
    let lesson = number
        .checked_sub(1)
        .and_then(|index| lessons.get(index))
        .ok_or_else(|| Fault::missing(format!("{game} has lessons 1 to {}", lessons.len())))?;
    let position = AnyPosition::parse(game, lesson.position).map_err(Fault::ours)?;
    Ok((lesson, position))
}

/// `GET /learn/{game}`
async fn overview(headers: HeaderMap, Path(name): Path<String>) -> Result<Html<String>, Fault> {
    Ok(view::overview(game(&name)?, &Progress::of(&headers)))
}

/// What has been pointed at, or typed.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Entered {
    #[serde(rename = "move")]
    mv: String,
    picks: String,
    pick: String,
}

/// `GET /learn/{game}/{number}`
async fn show(
    headers: HeaderMap,
    Path((name, number)): Path<(String, usize)>,
    Query(entered): Query<Entered>,
) -> Result<Html<String>, Fault> {
    let game = game(&name)?;
    let (lesson, position) = lesson(game, number)?;
    let step = Step {
        number,
        lesson,
        position: &position,
        picks: &board::split(&entered.picks),
        progress: &Progress::of(&headers),
    };
    step.page(&Said::Nothing).map_err(Fault::refused)
}

/// `POST /learn/{game}/{number}`: a move, typed whole or pointed at step by step.
async fn enter(
    headers: HeaderMap,
    Path((name, number)): Path<(String, usize)>,
    Form(entered): Form<Entered>,
) -> Result<Response, Fault> {
    let game = game(&name)?;
    let (lesson, position) = lesson(game, number)?;
    let mut progress = Progress::of(&headers);
    let picks = board::split(&entered.picks);
    let answer = |picks: &[String], said: Said, progress: &Progress| {
        let step = Step {
            number,
            lesson,
            position: &position,
            picks,
            progress,
        };
        let page = step.page(&said).map_err(Fault::refused)?;
        let status = match said {
            Said::Wrong(_) => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::OK,
        };
        Ok((status, page).into_response())
    };
    let mv = match board::entered(&position, &entered.mv, &picks, &entered.pick) {
        Ok(board::Entered::Move(mv)) => mv,
        Ok(board::Entered::More(picks)) => return answer(&picks, Said::Nothing, &progress),
        Err(reason) => return answer(&picks, Said::Wrong(reason), &progress),
    };
    let mut after = position.clone();
    let mv = match after.play(&mv) {
        Ok(mv) => mv,
        Err(error) => return answer(&[], Said::Wrong(error.to_string()), &progress),
    };
    if !lesson.is_solved_by(&mv, &after) {
        let reason = format!("{mv}: {}", lesson.wrong);
        return answer(&[], Said::Wrong(reason), &progress);
    }
    progress.add(game, number);
    let cookie = progress.cookie()?;
    let page = answer(&[], Said::Solved(mv), &progress)?;
    Ok(([cookie], page).into_response())
}
