//! The site: play, analyse and watch tournaments in a browser.
//!
//! [`app`] is the whole site as a service, apart from any listener, so that tests need no
//! port; [`serve`] gives it one. Pages are made on the server, boards by the crate `draw`;
//! a little JavaScript makes them quicker, and reading needs none. Engines run in a
//! bounded pool and only while somebody waits for them.

mod analyse;
mod api;
mod arrival;
mod assets;
mod board;
mod cluster;
mod collection;
mod connections;
mod course;
mod documents;
mod edit;
mod fault;
mod guard;
mod home;
mod howto;
mod images;
mod learn;
mod login;
mod page;
mod play;
mod pool;
mod programs;
mod query;
mod review;
mod seats;
mod settings;
mod solved;
mod tester;
mod tournaments;
mod train;
mod visitors;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use games::{GameName, Resources};
use referee::PlayerSpec;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, Semaphore};
use tournament::{Store, StoreError};

use crate::analyse::values::Analyst;
use crate::documents::Documents;
use crate::fault::Fault;
use crate::play::open_games::OpenGames;
use crate::pool::Pool;
use crate::review::work::Reviews;
use crate::seats::{Seat, Seats};
use crate::solved::library::Library;
use crate::tournaments::runs::{Place, Runs};
use crate::visitors::{Visitor, Visitors};

pub use course::{CourseSite, course_addresses, course_app, serve_course, serve_course_pages};
pub use programs::{ProgramsError, read_programs};

/// Larger bodies are refused.
const LARGEST_BODY: usize = 256 * 1024;

/// So many files are received at once, and so many from one address: all that has arrived is in memory.
const RECEIVED: usize = 32;
const RECEIVED_FROM: usize = 8;

/// How the site is set up.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// What those must know who do more than play and analyse; `None` only on the loopback
    /// interface.
    pub token: Option<String>,
    /// How many searches run at once; 0 for one less than there are cores.
    pub searches: usize,
    /// Where everything is kept; `None` to forget it at the end.
    pub database: Option<PathBuf>,
    /// Programs that tournaments and the tester offer.
    pub programs: Vec<PlayerSpec>,
    /// Folders with tables of solved games, to walk through.
    pub tables: Vec<PathBuf>,
    /// What bots, hints and analyses may use beside their own code.
    pub resources: Resources,
    /// Whether reviews run only where a processor has nothing else to do.
    pub reviews_give_way: bool,
    /// The workers that tournaments are played on, instead of this machine.
    pub cluster: Option<::cluster::Cluster>,
}

/// The state of the site.
#[derive(Debug)]
pub struct Site {
    config: Config,
    documents: Documents,
    store: Store,
    open_games: OpenGames,
    analyst: Analyst,
    pool: Pool,
    runs: Runs,
    reviews: Reviews,
    library: Library,
    visitors: Visitors,
    /// Files that are being sent, by address.
    receiving: Seats<IpAddr>,
    /// One collection of games is in memory at a time.
    reading: Arc<Semaphore>,
    /// One training is changed at a time.
    training: Mutex<()>,
    /// What engines may use: the tables of solved games.
    resources: Resources,
}

impl Site {
    /// Opens the store, and goes on with the tournaments that were being played.
    pub async fn open(config: Config) -> Result<Site, StoreError> {
        let store = match &config.database {
            Some(path) => Store::open(path).await?,
            None => Store::in_memory().await?,
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let searches = match config.searches {
            0 => cores.saturating_sub(1).max(1),
            searches => searches,
        };
        let runs = Runs::default();
        let documents = Documents::new(store.clone());
        let resources = config.resources.clone();
        let place = Place::new(&resources, config.cluster.as_ref());
        runs.resume(&store, &documents, &place).await;
        Ok(Site {
            resources,
            config,
            documents,
            store,
            open_games: OpenGames::default(),
            analyst: Analyst::default(),
            pool: Pool::new(searches),
            runs,
            reviews: Reviews::default(),
            library: Library::default(),
            visitors: Visitors::default(),
            receiving: Seats::new(RECEIVED_FROM, RECEIVED),
            reading: Arc::new(Semaphore::new(1)),
            training: Mutex::default(),
        })
    }
}

impl Site {
    /// A seat for files that a visitor sends.
    pub(crate) fn receive(&self, visitor: &Visitor) -> Result<Seat, Fault> {
        let seat = self.receiving.take(visitor.address);
        seat.map_err(|full| full.fault("from your address"))
    }

    /// What engines of this game may use: its tables are opened before it is asked for, so that
    /// it takes a moment the first time.
    pub(crate) fn resources(&self, game: GameName) -> &Resources {
        if game.about().solved.is_some() {
            self.library.all(&self.config);
        }
        &self.resources
    }
}

/// The whole site as a service.
pub fn app(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(home::home))
        .route("/assets/{name}", get(assets::file))
        .route("/edit", get(edit::edit))
        .route("/login", get(login::form).post(login::enter))
        .route("/board.svg", get(images::svg))
        .route("/board.png", get(images::png))
        .merge(play::routes())
        .merge(analyse::routes())
        .merge(tournaments::routes())
        .merge(cluster::routes())
        .merge(review::routes())
        .merge(train::routes())
        .merge(tester::routes())
        .merge(solved::routes())
        .merge(collection::routes())
        .merge(settings::routes())
        .merge(learn::routes())
        .merge(api::routes())
        .fallback(nowhere)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(axum::middleware::from_fn_with_state(
            site.clone(),
            guard::guard,
        ))
        .with_state(site)
}

/// The answer to an address that is none.
async fn nowhere(uri: axum::http::Uri) -> Fault {
    Fault::missing(format!("there is no page {}", uri.path()))
}

/// The addresses of the JSON interface: method and path.
#[must_use]
pub fn api_addresses() -> Vec<(&'static str, &'static str)> {
    let table = api::table().into_iter();
    table.map(|(method, path, _)| (method, path)).collect()
}

/// Opens the port; returns the address that it got.
pub async fn listen(address: SocketAddr) -> std::io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves the site until `stop` is done. Answers under way are finished; pages that listen
/// for news, which would never end by themselves, are left after a moment.
pub async fn serve(
    listener: TcpListener,
    site: Arc<Site>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    review::work::resume(&site).await;
    connections::serve(listener, app(site), stop).await;
    Ok(())
}

/// A token that nobody can guess.
#[must_use]
pub fn random_token() -> String {
    fresh_id() + &fresh_id()
}

/// Whether somebody can log in with this token: forms leave blanks out, cookies end at a semicolon,
/// and headers have no other letters.
#[must_use]
pub fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b';')
}

/// A name that nobody can guess, for a game or an analysis.
fn fresh_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    (0..12)
        .map(|_| char::from(LETTERS[rand::random::<u8>() as usize % 32]))
        .collect()
}
