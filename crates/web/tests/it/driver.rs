//! A real browser: headless Chromium behind chromedriver, spoken to in plain HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything may take that a page does by itself.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long the browser may take for one request.
const LONGEST: Duration = Duration::from_secs(300);

/// A browser with one window, closed when dropped.
pub(crate) struct Browser {
    driver: Child,
    address: SocketAddr,
    session: String,
    profile: std::path::PathBuf,
    base: String,
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

impl Browser {
    /// Opens a browser on the site at `base`.
    pub(crate) fn open(base: &str) -> Browser {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let port = port_of(&mut driver);
        let address = SocketAddr::from(([127, 0, 0, 1], port));
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
            "--disable-dev-shm-usage",
            "--window-size=1280,900",
        ]
        .map(String::from)
        .into();
        args.push(format!("--user-data-dir={}", profile.display()));
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": args },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let mut browser = Browser {
            driver,
            address,
            session: String::new(),
            profile,
            base: base.into(),
        };
        let answer = browser.call("POST", "/session", &wanted);
        browser.session = answer["sessionId"].as_str().expect("a session").to_string();
        browser
    }

    /// Sends one request and gives the `value` of the answer.
    #[track_caller]
    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.try_call(method, path, body);
        assert!(answer.get("error").is_none(), "{method} {path}: {answer:#}");
        answer
    }

    fn try_call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" {
            body.to_string()
        } else {
            String::new()
        };
        let mut stream = TcpStream::connect(self.address).expect("chromedriver listens");
        let timeout = stream.set_read_timeout(Some(LONGEST));
        timeout.expect("a time limit is set");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .expect("a request is sent");
        let body = read_body(&mut stream);
        let answer: Value = serde_json::from_slice(&body).expect("the answer is JSON");
        answer["value"].clone()
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        self.call("POST", &format!("/session/{}{path}", self.session), body)
    }

    /// Goes to an address of the site.
    #[track_caller]
    pub(crate) fn go(&self, path: &str) {
        self.post("/url", &json!({ "url": format!("{}{path}", self.base) }));
    }

    /// The address without the site's own part.
    pub(crate) fn address(&self) -> String {
        let url = self.js("return location.pathname + location.search");
        url.as_str().unwrap_or_default().to_string()
    }

    /// Runs a script in the page.
    #[track_caller]
    pub(crate) fn js(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Runs a script that calls its last argument when it is done.
    #[track_caller]
    pub(crate) fn js_async(&self, script: &str) -> Value {
        self.post("/execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Clicks the first element that fits, as a mouse does.
    #[track_caller]
    pub(crate) fn click(&self, css: &str) {
        let until = Instant::now() + PATIENCE;
        loop {
            let found = self.try_post(
                "/element",
                &json!({ "using": "css selector", "value": css }),
            );
            if let Some(id) = found
                .as_object()
                .and_then(|o| o.values().next())
                .and_then(Value::as_str)
                && found.get("error").is_none()
            {
                let answer = self.try_post(&format!("/element/{id}/click"), &json!({}));
                if answer.get("error").is_none() {
                    return;
                }
                assert!(Instant::now() < until, "cannot click {css}: {answer}");
            }
            assert!(Instant::now() < until, "nothing to click: {css}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn try_post(&self, path: &str, body: &Value) -> Value {
        self.try_call("POST", &format!("/session/{}{path}", self.session), body)
    }

    /// Presses keys, one after the other, wherever the focus is; `Shift+` goes before a key.
    #[track_caller]
    pub(crate) fn keys(&self, keys: &[&str]) {
        let mut actions = Vec::new();
        let shift = "\u{e008}";
        for key in keys {
            let (shifted, key) = match key.strip_prefix("Shift+") {
                Some(key) => (true, key),
                None => (false, *key),
            };
            let value = match key {
                "Enter" => "\u{e007}",
                "Tab" => "\u{e004}",
                "Escape" => "\u{e00c}",
                "ArrowLeft" => "\u{e012}",
                "ArrowUp" => "\u{e013}",
                "ArrowRight" => "\u{e014}",
                "ArrowDown" => "\u{e015}",
                other => other,
            };
            if shifted {
                actions.push(json!({ "type": "keyDown", "value": shift }));
            }
            actions.push(json!({ "type": "keyDown", "value": value }));
            actions.push(json!({ "type": "keyUp", "value": value }));
            if shifted {
                actions.push(json!({ "type": "keyUp", "value": shift }));
            }
        }
        self.post(
            "/actions",
            &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }),
        );
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

    #[track_caller]
    fn wait_until(&self, script: &str, until: Instant) {
        while self.js(&format!("return Boolean({script})")) != Value::Bool(true) {
            assert!(
                Instant::now() < until,
                "{script} never came true on {}, complaints {:?}:\n{}",
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
        self.post(
            "/goog/cdp/execute",
            &json!({ "cmd": command, "params": params }),
        );
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
        let answer = self.call(
            "GET",
            &format!("/session/{}/screenshot", self.session),
            &Value::Null,
        );
        std::fs::write(path, base64(answer.as_str().unwrap_or_default()))
            .expect("a picture is written");
    }

    /// Complaints of the browser about the pages: scripts that fail, policies broken.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({ "type": "browser" }));
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
        if !self.session.is_empty() {
            self.try_call(
                "DELETE",
                &format!("/session/{}", self.session),
                &Value::Null,
            );
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// The body of an HTTP answer. Chromedriver leaves the connection open after it, so the
/// length in the head decides.
fn read_body(stream: &mut TcpStream) -> Vec<u8> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        let count = reader.read_line(&mut line).expect("an answer comes");
        let line = line.trim_end().to_ascii_lowercase();
        if count == 0 || line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a whole answer");
    body
}

/// The port that chromedriver says it listens on.
fn port_of(driver: &mut Child) -> u16 {
    let output = driver.stdout.take().expect("standard output is piped");
    for line in BufReader::new(output).lines() {
        let line = line.expect("chromedriver speaks");
        if let Some((_, rest)) = line.split_once("started successfully on port ") {
            return rest.trim_end_matches('.').parse().expect("a port");
        }
    }
    panic!("chromedriver does not tell its port");
}

/// Decodes what WebDriver sends pictures in.
fn base64(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for six in text.bytes().filter_map(value) {
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
