//! The page that says what moves are worth.

mod export;
mod files;
mod idle_engines;
pub(crate) mod subject;
pub(crate) mod values;
mod view;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use futures_util::{Stream, stream};
use games::{AnyPosition, GameName};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use crate::collection;
use crate::fault::Fault;
use crate::page::{count, shell};
use crate::query::{joined, parted, query};
use crate::settings::Settings;
use crate::{Site, fresh_id};
use subject::Subject;
use values::{GRAPH, Graph, Listening, Persistence, Values};
use view::View;

/// Parts of a page are sent no more often than this.
const PACE: Duration = Duration::from_millis(150);

/// How long a page without live parts waits for values.
const GLANCE: Duration = Duration::from_millis(1500);

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/analyse", get(form).post(begin))
        .merge(files::routes())
        .route("/analyse/position", get(position))
        .route("/analyse/game", get(game))
        .route("/analyse/game/live", get(game_live))
        .route("/analyse/export", get(export_given))
        .route("/analyse/{id}", get(kept))
        .route("/analyse/{id}/live", get(kept_live))
        .route("/analyse/{id}/export", get(export_kept))
}

/// An analysis that was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) subject: Subject,
}

/// Which view of an analysis is wanted.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
struct Look {
    /// How many moves of the game have been made; if absent, all of a game that goes on and none
    /// of one that is over.
    at: Option<usize>,
    /// The moves of a variation from there, joined by commas.
    line: String,
    /// How many of them have been made; all if absent.
    step: Option<usize>,
    /// Not empty: wait a moment for values, for readers without live parts.
    wait: String,
    /// Not empty: think on for as long as the page is open.
    deep: String,
}

impl Look {
    fn persistence(&self) -> Persistence {
        match self.deep.as_str() {
            "" => Persistence::Usual,
            _ => Persistence::Endless,
        }
    }
}

/// A game in an address.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(crate) struct Given {
    game: String,
    start: String,
    moves: String,
    title: String,
}

impl Given {
    pub(crate) fn subject(&self) -> Result<Subject, Fault> {
        let game: GameName = self.game.parse().map_err(Fault::bad)?;
        let start = match self.start.as_str() {
            "" => AnyPosition::start(game),
            text => AnyPosition::parse(game, text).map_err(Fault::bad)?,
        };
        let moves = parted(&self.moves);
        let subject = Subject {
            game,
            start: start.to_string(),
            moves,
            title: referee::shortened(&self.title, 200),
        };
        subject.positions().map_err(Fault::bad)?;
        Ok(subject)
    }
}

/// `GET /analyse`: the address may say which game is meant, and begin the text.
async fn form(
    State(site): State<Arc<Site>>,
    Query(wanted): Query<Pasted>,
) -> Result<Html<String>, Fault> {
    let asked: Vec<Kept> = site.documents.latest("analysis", 12).await?;
    let body = html! {
        div.narrow {
            h1 { "Analyse" }
            (paste(&wanted, None))
            form.card method="post" action="/analyse/file" enctype="multipart/form-data" {
                label { span { "or files" } input type="file" name="file" multiple required; }
                p.quiet { "WTHOR (.wtb), with its names (.jou, .trn) if you have them, or any text that could be pasted above, up to " (files::LARGEST_MB) " MB and " (subject::MOST_GAMES) " games." }
                div.actions { button { "Read the files" } }
            }
            p { "Nothing at hand? Look at "
                @for (number, (before, words, address)) in examples().iter().enumerate() {
                    @if number > 0 { " or at " }
                    (before) a href=(address) { (words) }
                }
            "." }
            p { a href="/train" { "Train on mistakes" } " that reviews of games have shown." }
            @if !asked.is_empty() {
                h2 { "Asked for" }
                ul.games {
                    @for kept in &asked {
                        li { a href={ "/analyse/" (kept.id) } { (name(&kept.subject)) } " " span.quiet { (count(kept.subject.moves.len() as u64, "move")) } }
                    }
                }
            }
        }
    };
    Ok(shell("Analyse", "/analyse", body))
}

/// Games and positions that show what an analysis can: words before a link, its words, and
/// its address.
fn examples() -> Vec<(&'static str, &'static str, String)> {
    let mut examples = Vec::new();
    for game in GameName::all() {
        for example in game.about().examples {
            let address = match subject::read(game.name(), example.text).ok().as_deref() {
                Some([subject]) if subject.moves.is_empty() => {
                    let pairs = [("game", game.name()), ("position", example.text)];
                    format!("/analyse/position{}", query(&pairs))
                }
                Some([subject, ..]) => subject.address(),
                _ => "/analyse".into(),
            };
            examples.push((example.before, example.words, address));
        }
    }
    examples
}

/// The box to paste into.
fn paste(Pasted { game, text }: &Pasted, problem: Option<&str>) -> Markup {
    // A game has more than one name.
    let chosen = game.parse::<GameName>().ok();
    html! {
        form.card method="post" action="/analyse" data-plain {
            @if let Some(problem) = problem { p.problem role="alert" { (problem) } }
            label { span { "Game" }
                select name="game" {
                    option value="" { "find out" }
                    @for g in GameName::all() { option value=(g) selected[chosen == Some(g)] { (g.about().title) } }
                }
            }
            label { span { "Game or position" }
                textarea name="text" rows="7" required spellcheck="false" placeholder="f5d6c3d3c4 … a transcript, GGF, OBF, a board, a position in one line, or moves" { (text) }
            }
            div.actions { button.primary { "Analyse" } a.button href="/edit" { "Set up a board" } }
        }
    }
}

fn name(subject: &Subject) -> String {
    if subject.title.is_empty() {
        subject.game.about().title.into()
    } else {
        subject.title.clone()
    }
}

/// What was pasted.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Pasted {
    game: String,
    text: String,
}

/// `POST /analyse`
async fn begin(
    State(site): State<Arc<Site>>,
    Form(pasted): Form<Pasted>,
) -> Result<Response, Fault> {
    match subject::read(&pasted.game, &pasted.text) {
        Ok(subjects) => files::open(&site, "Games in this text", subjects).await,
        Err(problem) => {
            let body = html! { div.narrow { h1 { "Analyse" } (paste(&pasted, Some(&problem))) } };
            let page = shell("Analyse", "/analyse", body);
            Ok((axum::http::StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
    }
}

/// Keeps an analysis that was asked for, under a name of its own.
pub(crate) async fn keep_subject(site: &Site, subject: Subject) -> Result<Kept, Fault> {
    let id = fresh_id();
    let kept = Kept { id, subject };
    site.documents.put("analysis", &kept.id, &kept).await?;
    Ok(kept)
}

/// `GET /analyse/position`: the short address of a lone position.
async fn position(Query(wanted): Query<BTreeMap<String, String>>) -> Redirect {
    let get = |name: &str| wanted.get(name).map_or("", String::as_str);
    let pairs = [("game", get("game")), ("start", get("position"))];
    Redirect::to(&format!("/analyse/game{}", query(&pairs)))
}

/// An analysis, however it was found.
pub(crate) struct Found {
    pub(crate) subject: Subject,
    pub(crate) positions: Vec<AnyPosition>,
    /// Its address.
    base: String,
    /// The address of its live parts.
    live: String,
    /// Under which id the graph is kept.
    keep: Option<String>,
}

impl Found {
    fn new(
        subject: Subject,
        base: String,
        live: String,
        keep: Option<String>,
    ) -> Result<Found, Fault> {
        let positions = subject.positions().map_err(Fault::ours)?;
        Ok(Found {
            subject,
            positions,
            base,
            live,
            keep,
        })
    }

    fn given(given: &Given) -> Result<Found, Fault> {
        let subject = given.subject()?;
        let base = subject.address();
        let live = base.replacen("/analyse/game", "/analyse/game/live", 1);
        Found::new(subject, base, live, None)
    }

    pub(crate) async fn kept(site: &Site, id: &str) -> Result<Found, Fault> {
        let kept: Option<Kept> = site.documents.get("analysis", id).await?;
        let kept = kept.ok_or_else(|| Fault::missing(format!("there is no analysis {id:?}")))?;
        Found::new(
            kept.subject,
            format!("/analyse/{id}"),
            format!("/analyse/{id}/live"),
            Some(id.into()),
        )
    }

    /// The graph as far as it is kept.
    async fn graph(&self, site: &Site) -> Result<Graph, Fault> {
        match &self.keep {
            Some(id) => Ok(site.documents.get(GRAPH, id).await?.unwrap_or_default()),
            None => Ok(Graph::default()),
        }
    }

    /// Joins the searches for this view.
    async fn listen(
        &self,
        site: &Arc<Site>,
        shown: &Shown,
    ) -> Result<(Listening<Values>, Listening<Graph>), Fault> {
        let (position, persistence) = (shown.position(), shown.persistence);
        let values = site.analyst.position(site, position, persistence);
        Ok((values, self.listen_to_game(site).await?))
    }

    /// Joins the search of the whole game.
    pub(crate) async fn listen_to_game(&self, site: &Arc<Site>) -> Result<Listening<Graph>, Fault> {
        let known = self.graph(site).await?;
        Ok(site.analyst.game(
            site,
            self.base.clone(),
            (&self.positions, &self.subject.moves),
            known,
            self.keep.clone(),
        ))
    }
}

/// A view of an analysis, checked.
struct Shown {
    at: usize,
    line: Vec<String>,
    step: usize,
    /// The positions along the variation, from the game's position on.
    path: Vec<AnyPosition>,
    /// How long it is looked at.
    persistence: Persistence,
}

impl Shown {
    fn new(found: &Found, look: &Look) -> Result<Shown, Fault> {
        let last = found.subject.moves.len();
        // A game that is over is read from its beginning; of one that goes on, the last position
        // is to be thought about.
        let over = found.positions[last].outcome().is_some();
        let at = look.at.unwrap_or(if over { 0 } else { last });
        if at > last {
            let moves = count(last as u64, "move");
            return Err(Fault::missing(format!("the game has {moves}, not {at}")));
        }
        let line = parted(&look.line);
        let mut path = vec![found.positions[at].clone()];
        for mv in &line {
            let mut next = path[path.len() - 1].clone();
            next.play(mv).map_err(Fault::bad)?;
            path.push(next);
        }
        let step = look.step.unwrap_or(line.len());
        if step > line.len() {
            let moves = count(line.len() as u64, "move");
            return Err(Fault::missing(format!(
                "the variation has {moves}, not {step}"
            )));
        }
        Ok(Shown {
            at,
            line,
            step,
            path,
            persistence: look.persistence(),
        })
    }

    /// The position to look at.
    fn position(&self) -> &AnyPosition {
        &self.path[self.step]
    }

    fn view<'a>(&'a self, found: &'a Found) -> View<'a> {
        let before = match (self.step.checked_sub(1), self.at.checked_sub(1)) {
            (Some(i), _) => Some((&self.path[i], self.line[i].as_str())),
            (None, Some(i)) => Some((&found.positions[i], found.subject.moves[i].as_str())),
            (None, None) => None,
        };
        View {
            subject: &found.subject,
            positions: &found.positions,
            at: self.at,
            line: &self.line,
            step: self.step,
            shown: self.position(),
            before,
            base: &found.base,
            persistence: self.persistence,
        }
    }
}

/// `GET /analyse/game`
async fn game(
    State(site): State<Arc<Site>>,
    Query(given): Query<Given>,
    Query(look): Query<Look>,
) -> Result<Html<String>, Fault> {
    show(&site, &Found::given(&given)?, &look).await
}

/// `GET /analyse/{id}`
async fn kept(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Query(look): Query<Look>,
) -> Result<Html<String>, Fault> {
    show(&site, &Found::kept(&site, &id).await?, &look).await
}

async fn show(site: &Arc<Site>, found: &Found, look: &Look) -> Result<Html<String>, Fault> {
    let shown = Shown::new(found, look)?;
    let view = shown.view(found);
    // A glance only: the values come while the page is open.
    let (values, graph) = if look.wait.is_empty() {
        (Values::default(), found.graph(site).await?)
    } else {
        let (mut values, graph) = found.listen(site, &shown).await?;
        let done = values.latest.wait_for(|values| values.done);
        let _ = tokio::time::timeout(GLANCE, done).await;
        let values = values.latest.borrow().clone();
        (values, graph.latest.borrow().clone())
    };
    let graph = graph.with_proofs(&site.analyst, &found.positions, &found.subject.moves);
    let sign = if found.live.contains('?') { '&' } else { '?' };
    let rest = query(&[
        ("at", &shown.at.to_string()),
        ("line", &joined(&shown.line)),
        ("step", &shown.step.to_string()),
        ("deep", &look.deep),
    ]);
    let live = format!("{}{sign}{}", found.live, &rest[1..]);
    let reached = collection::reached(site, shown.position()).await?;
    let body = view.body(&values, &graph, &live, &reached);
    Ok(shell(
        &format!("Analysis: {}", name(&found.subject)),
        "/analyse",
        body,
    ))
}

/// `GET /analyse/game/live`
async fn game_live(
    State(site): State<Arc<Site>>,
    Query(given): Query<Given>,
    Query(look): Query<Look>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    live(&site, Found::given(&given)?, &look).await
}

/// `GET /analyse/{id}/live`
async fn kept_live(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Query(look): Query<Look>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    live(&site, Found::kept(&site, &id).await?, &look).await
}

/// Sends the parts of the page that change, while somebody listens.
async fn live(
    site: &Arc<Site>,
    found: Found,
    look: &Look,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Fault> {
    let shown = Shown::new(&found, look)?;
    let (values, graph) = found.listen(site, &shown).await?;
    let settings = Settings::current();
    let state = (site.clone(), found, shown, values, graph, false);
    let stream = stream::unfold(
        state,
        move |(site, found, shown, mut values, mut graph, over)| async move {
            if over {
                return None;
            }
            tokio::select! {
                changed = values.latest.changed() => if changed.is_err() { graph.latest.changed().await.ok()?; },
                changed = graph.latest.changed() => if changed.is_err() { values.latest.changed().await.ok()?; },
            }
            tokio::time::sleep(PACE).await;
            let now = values.latest.borrow_and_update().clone();
            let points = graph.latest.borrow_and_update().clone();
            let points = points.with_proofs(&site.analyst, &found.positions, &found.subject.moves);
            let over = now.done && points.done;
            let view = shown.view(&found);
            let parts = settings.draw(|| {
                serde_json::json!({
                    "part-board": view::text(view.board(&now)),
                    "part-table": view::text(view.table(&now)),
                    "part-graph": view::text(view.graph(&points)),
                    "part-moves": view::text(view.moves(&points)),
                })
            });
            let event = Event::default().event("parts").data(parts.to_string());
            Some((event, (site, found, shown, values, graph, over)))
        },
    );
    let stream = futures_util::StreamExt::chain(
        stream,
        stream::once(async { Event::default().event("done").data("all") }),
    );
    let stream = futures_util::StreamExt::map(stream, Ok);
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// In which form a game is wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Form_ {
    form: String,
}

/// `GET /analyse/export`
async fn export_given(
    State(site): State<Arc<Site>>,
    Query(given): Query<Given>,
    Query(form): Query<Form_>,
) -> Result<Response, Fault> {
    export::file(&site, &Found::given(&given)?, &form.form).await
}

/// `GET /analyse/{id}/export`
async fn export_kept(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Query(form): Query<Form_>,
) -> Result<Response, Fault> {
    export::file(&site, &Found::kept(&site, &id).await?, &form.form).await
}
