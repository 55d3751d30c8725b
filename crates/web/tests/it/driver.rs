//! A real browser: headless Chromium behind chromedriver.

use std::future::Future;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use url::Url;

/// How long anything may take that a page does by itself.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long the browser may take for one request.
const LONGEST: Duration = Duration::from_secs(300);

/// A browser with one window that has seen nothing yet.
pub(crate) struct Browser {
    /// There until this is dropped.
    process: Option<Process>,
    pool: Arc<Pool>,
    base: String,
}

/// A browser's process, closed when dropped.
pub(crate) struct Process {
    driver: Child,
    runtime: Runtime,
    client: Client,
    profile: std::path::PathBuf,
}

/// Browsers that nobody looks through: to start one takes as long as a short test.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Vec<Process>>);

/// So many browsers are kept.
const KEPT: usize = 3;

/// The browsers for all tests. They are closed when nobody has this any more.
pub(crate) fn pool() -> Arc<Pool> {
    static POOL: Mutex<Weak<Pool>> = Mutex::new(Weak::new());
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    known.upgrade().unwrap_or_else(|| {
        let pool = Arc::default();
        *known = Arc::downgrade(&pool);
        pool
    })
}

impl Pool {
    fn take(&self) -> Option<Process> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop()
    }

    fn give_back(&self, process: Process) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(process);
        }
    }
}

impl std::ops::Deref for Browser {
    type Target = Process;

    fn deref(&self) -> &Process {
        self.process.as_ref().expect("there until it is dropped")
    }
}

/// A command that only Chromium knows.
#[derive(Debug)]
struct Special {
    path: &'static str,
    body: Value,
}

impl Special {
    /// A command of the browser's own protocol.
    fn devtools(command: &str, params: &Value) -> Special {
        Special {
            path: "goog/cdp/execute",
            body: json!({ "cmd": command, "params": params }),
        }
    }

    /// What pages have complained about since this was last asked.
    fn log() -> Special {
        Special {
            path: "se/log",
            body: json!({ "type": "browser" }),
        }
    }
}

impl WebDriverCompatibleCommand for Special {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/{}", self.path))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}

/// Whether to test in a browser: with `LUDEX_BROWSER_TESTS=1` in any case, with `0` not at
/// all, and otherwise if there is one.
pub(crate) fn available() -> bool {
    let wanted = std::env::var("LUDEX_BROWSER_TESTS").unwrap_or_default();
    let found = wanted != "0"
        && Command::new("chromedriver")
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
    assert!(
        found || wanted != "1",
        "LUDEX_BROWSER_TESTS is 1 but chromedriver cannot be started"
    );
    if !found {
        println!("left out: no browser, or none wanted");
    }
    found
}

impl Process {
    fn start() -> Process {
        let (driver, port) = (0..STARTS)
            .find_map(|_| start_driver())
            .expect("chromedriver tells its port");
        let name = format!("ludex-browser-{}-{port}", std::process::id());
        let profile = std::env::temp_dir().join(name);
        let mut args: Vec<String> = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            // A name that is not of this machine, for visitors from elsewhere.
            "--host-resolver-rules=MAP games.example 127.0.0.1",
            "--disable-dev-shm-usage",
            "--window-size=1280,900",
        ]
        .map(String::from)
        .into();
        args.push(format!("--user-data-dir={}", profile.display()));
        let mut wanted = serde_json::Map::new();
        wanted.insert("goog:chromeOptions".into(), json!({ "args": args }));
        wanted.insert("goog:loggingPrefs".into(), json!({ "browser": "ALL" }));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let client = runtime.block_on(async {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            builder.capabilities(wanted);
            let address = format!("http://127.0.0.1:{port}");
            builder.connect(&address).await.expect("a session")
        });
        Process {
            driver,
            runtime,
            client,
            profile,
        }
    }

    /// What the browser answers, or its refusal.
    fn ask<T>(&self, request: impl Future<Output = Result<T, CmdError>>) -> Result<T, CmdError> {
        let answer = async { tokio::time::timeout(LONGEST, request).await };
        self.runtime.block_on(answer).expect("an answer comes")
    }

    /// Forgets a site and everything that was set; a new window takes the place of all others.
    fn renew(&self, base: &str) -> Result<(), CmdError> {
        let of_the_site = json!({ "origin": base, "storageTypes": "all" });
        let nothing = json!({});
        let client = &self.client;
        self.ask(async {
            for (command, params) in [
                ("Storage.clearDataForOrigin", &of_the_site),
                ("Network.clearBrowserCookies", &nothing),
                ("Network.clearBrowserCache", &nothing),
            ] {
                let command = Special::devtools(command, params);
                client.issue_cmd(command).await?;
            }
            let old = client.windows().await?;
            let new = client.new_window(true).await?.handle;
            for window in old {
                client.switch_to_window(window).await?;
                client.close_window().await?;
            }
            client.switch_to_window(new).await?;
            client.issue_cmd(Special::log()).await?;
            Ok(())
        })
    }
}

impl Browser {
    /// Opens a browser on the site at `base`.
    pub(crate) fn open(base: &str) -> Browser {
        let pool = pool();
        Browser {
            process: Some(pool.take().unwrap_or_else(Process::start)),
            pool,
            base: base.into(),
        }
    }

    /// What the browser answers to something that it cannot refuse.
    #[track_caller]
    fn get<T>(&self, request: impl Future<Output = Result<T, CmdError>>) -> T {
        match self.ask(request) {
            Ok(answer) => answer,
            Err(error) => panic!("{error}"),
        }
    }

    /// Goes to an address of the site.
    #[track_caller]
    pub(crate) fn go(&self, path: &str) {
        self.get(self.client.goto(&format!("{}{path}", self.base)));
    }

    /// Opens a file of this machine.
    #[track_caller]
    pub(crate) fn go_to_file(&self, path: &Path) {
        self.get(self.client.goto(&format!("file://{}", path.display())));
    }

    /// The address without the site's own part.
    pub(crate) fn address(&self) -> String {
        let url = self.js("return location.pathname + location.search");
        url.as_str().unwrap_or_default().to_string()
    }

    /// Runs a script in the page.
    #[track_caller]
    pub(crate) fn js(&self, script: &str) -> Value {
        self.get(self.client.execute(script, Vec::new()))
    }

    /// Runs a script that calls its last argument when it is done.
    #[track_caller]
    pub(crate) fn js_async(&self, script: &str) -> Value {
        self.get(self.client.execute_async(script, Vec::new()))
    }

    /// Clicks the first element that fits, as a mouse does.
    #[track_caller]
    pub(crate) fn click(&self, css: &str) {
        let until = Instant::now() + PATIENCE;
        let click = || self.ask(async { self.client.find(Locator::Css(css)).await?.click().await });
        while let Err(error) = click() {
            assert!(Instant::now() < until, "cannot click {css}: {error}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Presses keys, one after the other, wherever the focus is; `Shift+` goes before a key.
    #[track_caller]
    pub(crate) fn keys(&self, keys: &[&str]) {
        let mut actions = KeyActions::new("keys".into());
        for key in keys {
            let (shifted, key) = match key.strip_prefix("Shift+") {
                Some(key) => (true, key),
                None => (false, *key),
            };
            let value = match key {
                "Enter" => Key::Enter.into(),
                "Tab" => Key::Tab.into(),
                "Escape" => Key::Escape.into(),
                "ArrowLeft" => Key::Left.into(),
                "ArrowUp" => Key::Up.into(),
                "ArrowRight" => Key::Right.into(),
                "ArrowDown" => Key::Down.into(),
                other => other.chars().next().expect("a key"),
            };
            let shift = Key::Shift.into();
            let mut steps = vec![KeyAction::Down { value }, KeyAction::Up { value }];
            if shifted {
                steps.insert(0, KeyAction::Down { value: shift });
                steps.push(KeyAction::Up { value: shift });
            }
            actions = steps.into_iter().fold(actions, InputSource::then);
        }
        self.get(self.client.perform_actions(actions));
    }

    /// Waits until a script gives something true.
    #[track_caller]
    pub(crate) fn wait(&self, script: &str) {
        self.wait_until(script, Instant::now() + PATIENCE);
    }

    /// Waits for something that takes an engine its time.
    #[track_caller]
    pub(crate) fn wait_long(&self, script: &str) {
        self.wait_until(script, Instant::now() + 10 * PATIENCE);
    }

    /// A page that is still on its way is neither: what a script finds there, or misses, says nothing.
    #[track_caller]
    fn wait_until(&self, script: &str, until: Instant) {
        let whole = format!("return document.readyState !== 'loading' && Boolean({script})");
        loop {
            let answer = self.ask(self.client.execute(&whole, Vec::new()));
            if matches!(answer, Ok(Value::Bool(true))) {
                return;
            }
            assert!(
                Instant::now() < until,
                "{script} never came true on {}, last {answer:?}, complaints {:?}:\n{}",
                self.address(),
                self.complaints(),
                self.text()
            );
            std::thread::sleep(Duration::from_millis(25));
        }
    }

    /// The text of the whole page.
    pub(crate) fn text(&self) -> String {
        let text = self.js("return document.body.innerText");
        text.as_str().unwrap_or_default().to_string()
    }

    /// Something that only the browser's own protocol can do.
    #[track_caller]
    pub(crate) fn devtools(&self, command: &str, params: &Value) {
        self.get(self.client.issue_cmd(Special::devtools(command, params)));
    }

    /// A window of this size, as on a phone or a desk.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", &params);
    }

    /// As if the reader preferred `light` or `dark`.
    pub(crate) fn scheme(&self, scheme: &str) {
        let params = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", &params);
    }

    /// Writes a picture of the window.
    pub(crate) fn screenshot(&self, path: &Path) {
        let picture = self.get(self.client.screenshot());
        std::fs::write(path, picture).expect("a picture is written");
    }

    /// Complaints of the browser about the pages: scripts that fail, policies broken.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.get(self.client.issue_cmd(Special::log()));
        let lines = log.as_array().cloned().unwrap_or_default();
        let severe = lines.iter().filter(|line| line["level"] == "SEVERE");
        severe
            .filter_map(|line| line["message"].as_str())
            // Refused moves are answered with 422 on purpose, which the browser reports.
            .filter(|message| !message.contains("status of 4"))
            .map(String::from)
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let Some(process) = self.process.take() else {
            return;
        };
        // What a test has failed with may be in any state.
        if !std::thread::panicking() && process.renew(&self.base).is_ok() {
            self.pool.give_back(process);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.ask(self.client.clone().close());
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// So often chromedriver is started: it ends at once where another program was faster to take the
/// port that it had found.
const STARTS: u32 = 5;

/// Chromedriver, and the port that it says it listens on.
fn start_driver() -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver starts");
    let output = driver.stdout.take().expect("standard output is piped");
    for line in BufReader::new(output).lines() {
        let line = line.expect("chromedriver speaks");
        if let Some((_, rest)) = line.split_once("started successfully on port ") {
            let port = rest.trim_end_matches('.').parse().expect("a port");
            return Some((driver, port));
        }
    }
    let _ = driver.wait();
    None
}
