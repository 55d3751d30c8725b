//! A game with its analysis, as a file.

use std::sync::Arc;
use std::time::Duration;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use games::{Form, comment};
use serde_json::{Value, json};

use super::Found;
use super::values::{Graph, Point};
use crate::Site;
use crate::fault::Fault;

/// How long a file waits for the end of the search.
const GLANCE: Duration = Duration::from_secs(2);

/// How long it waits, after that, until every position has some value.
const PATIENCE: Duration = Duration::from_secs(10);

/// The game in this form, with the values that are known by now.
pub(super) async fn file(site: &Arc<Site>, found: &Found, form: &str) -> Result<Response, Fault> {
    let form = match form {
        "json" => None,
        "text" | "" => Some(Form::Complete),
        "short" => Some(Form::Short),
        other => {
            let problem = format!("form {other:?} is not text, short or json");
            return Err(Fault::bad(problem));
        }
    };
    let values = values(site, found).await?;
    Ok(match form {
        None => axum::Json(json(found, &values)).into_response(),
        Some(form) => {
            let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
            (kind, text(found, &values, form)).into_response()
        }
    })
}

/// What is known of the game after a moment, once there is something about every position.
async fn values(site: &Arc<Site>, found: &Found) -> Result<Graph, Fault> {
    let mut listening = found.listen_to_game(site).await?;
    let count = found.positions.len();
    let whole = |graph: &Graph| graph.points.iter().flatten().count() == count;
    let _ = tokio::time::timeout(GLANCE, listening.latest.wait_for(|graph| graph.done)).await;
    let _ = tokio::time::timeout(PATIENCE, listening.latest.wait_for(whole)).await;
    let graph = listening.latest.borrow().clone();
    Ok(graph.with_proofs(&site.analyst, &found.positions, &found.subject.moves))
}

fn json(found: &Found, graph: &Graph) -> Value {
    let (subject, scale) = (&found.subject, &found.subject.game.about().scale);
    let texts: Vec<String> = found.positions.iter().map(ToString::to_string).collect();
    let value = |Point { report, played }: &Point| {
        json!({
            "score": report.score, "value": report.score.value(),
            "text": scale.words(report.score), "exact": report.score.is_proven(),
            "depth": report.depth, "best": report.best.as_deref().unwrap_or_default(),
            "line": report.line, "played": played,
        })
    };
    let values: Vec<Option<Value>> = (0..texts.len())
        .map(|i| graph.points.get(i)?.as_ref().map(value))
        .collect();
    json!({
        "game": subject.game, "title": subject.title, "start": subject.start,
        "moves": subject.moves, "positions": texts, "values": values,
    })
}

/// The game as it can be pasted, and everything else in comments.
fn text(found: &Found, graph: &Graph, form: Form) -> String {
    let (subject, scale) = (&found.subject, &found.subject.game.about().scale);
    let mut text = comment(&subject.title);
    text += &match found.positions[0].record(&subject.moves, form) {
        Ok(record) => record,
        Err(error) => comment(&error.to_string()),
    };
    text += &comment(scale.meaning);
    let wide = subject.moves.iter().map(String::len).max().unwrap_or(0);
    for (i, point) in graph.points.iter().enumerate() {
        let Some(Point { report, played }) = point else {
            continue;
        };
        let depth = match report.score.is_proven() {
            true => "proven".into(),
            false => format!("depth {}", report.depth),
        };
        let words = scale.words(report.score);
        let Some(mv) = subject.moves.get(i) else {
            text += &comment(&format!("the end: {words} ({depth})"));
            continue;
        };
        let mut line = format!("{:>3}. {mv:<wide$}", i + 1);
        if let Some(played) = played {
            line += &format!("  {}", scale.words(*played));
        }
        let best = report.best.as_deref().unwrap_or_default();
        line += &format!("  best {best} {words} ({depth})");
        if let Some(played) = played
            && let Some(mistake) = scale.mistake(report.score, *played)
        {
            line += &format!("  {}", mistake.text());
        }
        text += &comment(&line);
    }
    if let Some(last) = found.positions.last() {
        text += &comment(&draw::text(&last.scene(), draw::TextStyle::default()));
    }
    text
}
