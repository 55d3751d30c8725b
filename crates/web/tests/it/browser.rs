//! The site in a real browser, as people use it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use web::{Config, Site};

use crate::driver::{Browser, available};

/// A running site and a browser that looks at it.
struct Visit {
    browser: Browser,
    _runtime: tokio::runtime::Runtime,
    _turn: MutexGuard<'static, ()>,
}

/// Browsers are heavy: one at a time.
static TURN: Mutex<()> = Mutex::new(());

fn visit() -> Option<Visit> {
    if !available() {
        return None;
    }
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let base = runtime.block_on(async {
        let site = Site::open(config()).await.unwrap();
        let (listener, address) = web::listen("127.0.0.1:0".parse().unwrap()).await.unwrap();
        tokio::spawn(web::serve(listener, Arc::new(site), std::future::pending()));
        format!("http://{address}")
    });
    Some(Visit {
        browser: Browser::open(&base),
        _runtime: runtime,
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

/// Fails if axe finds a serious fault on the page.
#[track_caller]
fn check_axe(browser: &Browser) {
    let Some(path) = std::env::var_os("LUDEX_AXE").map(PathBuf::from) else {
        return;
    };
    let script = std::fs::read_to_string(&path).expect("LUDEX_AXE names a file");
    browser.js(&script);
    let found = browser.js_async(
        "const done = arguments[arguments.length - 1];
         axe.run().then(r => done(r.violations
            .filter(v => ['serious', 'critical'].includes(v.impact))
            .map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).slice(0, 3).join(' | '))));",
    );
    let found: Vec<&str> = found
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert!(found.is_empty(), "axe on {}: {found:#?}", browser.address());
    assert_eq!(
        browser.complaints(),
        Vec::<String>::new(),
        "on {}",
        browser.address()
    );
}

/// A picture for the README, if one is wanted.
fn picture(browser: &Browser, name: &str) {
    if let Some(folder) = std::env::var_os("LUDEX_SCREENSHOTS") {
        let folder = PathBuf::from(folder);
        std::fs::create_dir_all(&folder).expect("the folder for pictures");
        browser.screenshot(&folder.join(format!("{name}.png")));
    }
}

/// Fills in a `select` or an `input`.
fn fill(browser: &Browser, name: &str, value: &str) {
    browser.js(&format!(
        "const f = document.querySelector('[name={name}]'); f.value = {value:?}; return f.value"
    ));
}

const OVER: &str = "/ wins| draw/i.test(document.getElementById('status')?.innerText ?? '')";
const MY_TURN: &str = "document.querySelector('.boardform, .typed button.primary')";

/// Plays with the mouse until the game is over.
fn play_by_mouse(browser: &Browser, most: usize) {
    for turn in 0..most {
        browser.wait(&format!("({OVER}) || {MY_TURN}"));
        if browser.js(&format!("return {OVER}")) == Value::Bool(true) {
            assert!(turn > 1);
            return;
        }
        let before = browser.js("return document.querySelector('[data-moves]').dataset.moves");
        let pass = browser.js("return Boolean(document.querySelector('.typed button.primary'))");
        if pass == Value::Bool(true) {
            browser.click(".typed button.primary");
        } else {
            for _ in 0..5 {
                // Rows that cross come first, then whatever is open, not always the same.
                let target = browser.js(&format!(
                    "if (document.querySelector('.rows button')) return '.rows button';
                     const open = [...document.querySelectorAll('.pt:not([aria-disabled])')];
                     const chosen = document.querySelector('[name=picks]').value;
                     return '#' + open[chosen ? 0 : {turn} % open.length].id;"
                ));
                let picks = browser.js("return document.querySelector('[name=picks]').value");
                browser.click(target.as_str().unwrap());
                browser.wait(&format!(
                    "document.querySelector('[data-moves]').dataset.moves !== {before} || document.querySelector('[name=picks]')?.value !== {picks}"
                ));
                if browser.js("return document.querySelector('[data-moves]').dataset.moves")
                    != before
                {
                    break;
                }
            }
        }
        browser.wait(&format!(
            "document.querySelector('[data-moves]').dataset.moves !== {before}"
        ));
    }
    panic!("the game is not over after {most} turns");
}

#[test]
fn a_game_of_each_kind_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/");
    check_axe(browser);
    picture(browser, "home");
    for (game, start) in [
        ("reversi", "start"),
        ("gipf", "3 3 6 6"),
        ("mmpawns", "random"),
    ] {
        browser.go(&format!("/play?game={game}"));
        check_axe(browser);
        fill(browser, "bot", "greedy");
        fill(browser, "start", start);
        browser.click("form.card button.primary");
        browser.wait(MY_TURN);
        check_axe(browser);
        play_by_mouse(browser, 80);
        check_axe(browser);
        picture(browser, &format!("played-{game}"));
        // The address is the game: reload, and it is all there.
        let text = browser.js("return document.getElementById('status').innerText");
        browser.js("location.reload()");
        browser.wait("document.readyState === 'complete' && document.getElementById('status')");
        assert_eq!(
            browser.js("return document.getElementById('status').innerText"),
            text
        );
    }
}

#[test]
fn a_game_by_keyboard_alone() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/play?game=gipf");
    fill(browser, "bot", "greedy");
    fill(browser, "start", "3 3 6 6");
    browser.js("document.querySelector('form.card button.primary').focus()");
    browser.keys(&["Enter"]);
    browser.wait(MY_TURN);
    // Six directions from the middle of the board.
    browser.js("const p = document.getElementById('pt-c3'); p.tabIndex = 0; p.focus()");
    for (keys, at) in [
        (&["ArrowLeft"][..], "pt-b2"),
        (&["ArrowRight"], "pt-c3"),
        (&["ArrowUp"], "pt-b3"),
        (&["ArrowDown"], "pt-c3"),
    ] {
        browser.keys(keys);
        assert_eq!(browser.js("return document.activeElement.id"), at);
    }
    for turn in 0..60 {
        browser.wait(&format!("({OVER}) || {MY_TURN}"));
        if browser.js(&format!("return {OVER}")) == Value::Bool(true) {
            break;
        }
        let moves = browser.js("return document.querySelector('[data-moves]').dataset.moves");
        if turn == 0 {
            // Once by walking to a dot and on to its neighbour …
            browser.js("const p = document.getElementById('pt-b2'); p.tabIndex = 0; p.focus()");
            browser.keys(&["ArrowLeft", "Enter"]);
            browser.wait("document.querySelector('[name=picks]')?.value === 'a1'");
            browser.keys(&["ArrowRight", "Enter"]);
        } else {
            // … and then by typing.
            browser.js("document.getElementById('pt-c3').focus()");
            browser.keys(&["m"]);
            assert_eq!(browser.js("return document.activeElement.id"), "typed");
            let mv = legal_move(browser, turn);
            let keys: Vec<String> = mv.chars().map(String::from).collect();
            let mut keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            keys.push("Enter");
            browser.keys(&keys);
        }
        browser.wait(&format!(
            "document.querySelector('[data-moves]').dataset.moves !== {moves}"
        ));
    }
    assert_eq!(browser.js(&format!("return {OVER}")), Value::Bool(true));
    // Through the game, and the list of keys.
    browser.js("document.activeElement.blur()");
    browser.keys(&["ArrowLeft"]);
    browser.wait("/at=/.test(location.search)");
    browser.keys(&["?"]);
    browser.wait("document.getElementById('keys').open");
    check_axe(browser);
}

/// A legal move of the game on the page, from the JSON interface.
fn legal_move(browser: &Browser, turn: usize) -> String {
    let moves = browser.js_async(
        "const done = arguments[arguments.length - 1];
         fetch('/api' + location.pathname).then(r => r.json()).then(g => done(g.moves));",
    );
    let moves = moves.as_array().cloned().unwrap_or_default();
    moves[turn % moves.len()].as_str().unwrap().to_string()
}

#[test]
fn a_pasted_game_is_analysed() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/analyse");
    check_axe(browser);
    fill(browser, "text", "f5d6c3d3c4f4f6f3e6e7");
    browser.click("form.card button.primary");
    browser.wait("document.querySelectorAll('#part-table tbody tr td strong').length > 3");
    browser.wait("document.querySelectorAll('#part-board rect').length > 4");
    browser.wait("document.querySelectorAll('.graph .dot').length === 11");
    check_axe(browser);
    picture(browser, "analyse");
    // A variation by clicking a square, and back.
    browser.click("#part-board a.pt");
    browser.wait("/line=/.test(location.search)");
    browser.wait("document.body.innerText.includes('Variation')");
    browser.click("[data-let-go]");
    browser.wait("!/line=/.test(location.search)");
    browser.go("/analyse");
    fill(browser, "text", "f5f5");
    browser.click("form.card button.primary");
    browser.wait("document.querySelector('.problem')");
    assert!(browser.text().contains("f5"));
    check_axe(browser);
}

#[test]
fn a_faulty_program_gets_its_verdict() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/tournaments/new");
    check_axe(browser);
    browser.click("[name=program]");
    browser.click("form.card button.primary");
    browser.wait("/finished/.test(document.getElementById('status')?.innerText ?? '')");
    check_axe(browser);
    picture(browser, "tournament");
    browser
        .js("[...document.querySelectorAll('table a')].find(a => a.innerText === 'echo').click()");
    browser.wait("document.querySelector('h1').innerText === 'echo'");
    assert!(
        browser.text().contains("unreadable answer"),
        "{}",
        browser.text()
    );
    check_axe(browser);
    browser.click("table a[href*='at=']");
    browser.wait("document.body.innerText.includes('Arguments')");
    assert!(browser.text().contains("nonsense"));
    check_axe(browser);
    picture(browser, "verdict");
    browser.go("/tester");
    check_axe(browser);
    browser.click("form.card button.primary");
    browser.wait("/did something wrong/.test(document.getElementById('status')?.innerText ?? '')");
    check_axe(browser);
    browser.go("/tournaments");
    check_axe(browser);
}

#[test]
fn on_a_phone_and_in_the_dark() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.resize(390, 844);
    browser.scheme("dark");
    for path in [
        "/",
        "/play?game=reversi",
        "/play?game=gipf",
        "/edit?game=mmpawns",
        "/analyse",
        "/tournaments",
        "/tournaments/new",
        "/tester",
        "/login",
        "/nowhere",
    ] {
        browser.go(path);
        let wide = browser.js("return document.documentElement.scrollWidth - innerWidth");
        assert_eq!(wide, 0, "{path} is wider than a phone");
        check_axe(browser);
    }
    browser.go("/play?game=gipf");
    fill(browser, "bot", "greedy");
    browser.click("form.card button.primary");
    browser.wait(MY_TURN);
    assert_eq!(
        browser.js("return document.documentElement.scrollWidth - innerWidth"),
        0
    );
    check_axe(browser);
    picture(browser, "phone-dark");
    browser.resize(1280, 900);
    picture(browser, "desk-dark");
    let dark = browser.js("return getComputedStyle(document.body).backgroundColor");
    browser.scheme("light");
    assert_ne!(
        browser.js("return getComputedStyle(document.body).backgroundColor"),
        dark
    );
}
