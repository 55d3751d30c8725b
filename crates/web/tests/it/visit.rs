//! A running site with a browser that looks at it.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use serde_json::Value;
use web::{Config, Site};

use crate::driver::{Browser, Pool, available, pool};

/// A running site and a browser that looks at it.
pub(crate) struct Visit {
    pub(crate) browser: Browser,
    base: String,
    site: Arc<Site>,
    server: tokio::task::JoinHandle<std::io::Result<()>>,
    runtime: tokio::runtime::Runtime,
    _turn: Turn,
}

impl Visit {
    /// Another person's browser on the same site.
    pub(crate) fn another(&self) -> Browser {
        Browser::open(&self.base)
    }

    /// The server dies: nobody listens any more, and open connections are cut.
    pub(crate) fn stop_server(&mut self) {
        self.server.abort();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        std::mem::replace(&mut self.runtime, runtime)
            .shutdown_timeout(std::time::Duration::from_secs(5));
    }

    /// The whole site begins anew, from what is in its store.
    pub(crate) fn reopen(&mut self, config: Config) {
        let site = self.runtime.block_on(Site::open(config));
        self.site = Arc::new(site.unwrap());
    }

    /// The server comes back with everything that it knew.
    pub(crate) fn start_server(&mut self) {
        let address = self.base.trim_start_matches("http://").parse().unwrap();
        let site = self.site.clone();
        let listener = self
            .runtime
            .block_on(async { web::listen(address).await.unwrap().0 });
        let server = web::serve(listener, site, std::future::pending());
        self.server = self.runtime.spawn(server);
    }
}

/// Browsers are heavy: so many at a time, however many tests run at once.
const BROWSERS: usize = 3;

/// How many there are now, and who waits for one to end.
static OPEN: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// The right to have a browser open. Browsers are kept for the next one who has it.
pub(crate) struct Turn {
    _pool: Arc<Pool>,
}

/// Waits until a browser may be started.
pub(crate) fn turn() -> Turn {
    let pool = pool();
    let open = OPEN.0.lock().unwrap_or_else(PoisonError::into_inner);
    let open = OPEN.1.wait_while(open, |open| *open == BROWSERS);
    *open.unwrap_or_else(PoisonError::into_inner) += 1;
    Turn { _pool: pool }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *OPEN.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        OPEN.1.notify_one();
    }
}

/// Opens a site and a browser, if there is one.
pub(crate) fn visit() -> Option<Visit> {
    visit_from("127.0.0.1", config())
}

/// The same with a site that is set up so and found under this name.
pub(crate) fn visit_from(host: &str, config: Config) -> Option<Visit> {
    if !available() {
        return None;
    }
    let turn = turn();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (site, listener, address) = runtime.block_on(async {
        let site = Site::open(config).await.unwrap();
        let (listener, address) = web::listen("127.0.0.1:0".parse().unwrap()).await.unwrap();
        (Arc::new(site), listener, address)
    });
    let server = web::serve(listener, site.clone(), std::future::pending());
    let server = runtime.spawn(server);
    let base = format!("http://{host}:{}", address.port());
    Some(Visit {
        browser: Browser::open(&base),
        base,
        site,
        server,
        runtime,
        _turn: turn,
    })
}

/// A site with a program that cannot play.
fn config() -> Config {
    let faulty = "argv:echo nonsense".parse::<referee::PlayerSpec>().unwrap();
    Config {
        programs: vec![faulty],
        ..Config::default()
    }
}

/// Fails if axe finds any fault on the page, or the browser complains.
#[track_caller]
pub(crate) fn check_axe(browser: &Browser) {
    check_axe_only(browser);
    let complaints = browser.complaints();
    assert!(
        complaints.is_empty(),
        "on {}: {complaints:#?}",
        browser.address()
    );
}

/// Fails if axe finds any fault on the page.
#[track_caller]
pub(crate) fn check_axe_only(browser: &Browser) {
    let Some(path) = std::env::var_os("LUDEX_AXE").map(PathBuf::from) else {
        return;
    };
    if browser.js("return typeof axe === 'undefined'") == Value::Bool(true) {
        let script = std::fs::read_to_string(&path).expect("LUDEX_AXE names a file");
        browser.js(&script);
    }
    let found = browser.js_async(
        "const done = arguments[arguments.length - 1];
         axe.run({ resultTypes: ['violations'], preload: false, iframes: false }).then(r => done(r.violations
            .map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).slice(0, 3).join(' | '))));",
    );
    let found: Vec<&str> = found
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert!(found.is_empty(), "axe on {}: {found:#?}", browser.address());
}

/// Fails if something sticks out of the window on the right.
#[track_caller]
pub(crate) fn check_width(browser: &Browser) {
    let wide = browser
        .js("const page = document.documentElement; return page.scrollWidth - page.clientWidth");
    assert_eq!(wide, 0, "{} is wider than the window", browser.address());
}

/// Fills in a `select` or an `input`.
pub(crate) fn fill(browser: &Browser, name: &str, value: &str) {
    let filled = browser.js(&format!(
        "const f = document.querySelector('[name={name}]'); f.value = {value:?}; return f.value"
    ));
    assert_eq!(filled, value, "{name} cannot be {value:?}");
}

/// Starts a game from this position, against `greedy`.
pub(crate) fn start_position(browser: &Browser, game: &str, position: &str) {
    browser.go(&format!("/play?game={game}"));
    fill(browser, "position", position);
    fill(browser, "bot", "greedy");
    browser.click("form.card button.primary");
}

/// Starts a game from the form.
pub(crate) fn start_game(browser: &Browser, game: &str, bot: &str, start: &str) {
    browser.go(&format!("/play?game={game}"));
    fill(browser, "bot", bot);
    fill(browser, "start", start);
    browser.click("form.card button.primary");
    browser.wait(MY_TURN);
}

/// Whether the game on the page is over.
pub(crate) const OVER: &str =
    "/ wins|You (won|lost)|Draw/.test(document.getElementById('status')?.innerText ?? '')";

/// Whether a person can move.
pub(crate) const MY_TURN: &str = "document.querySelector('.boardform, .typed button.primary')";
