//! The README's pictures: `cargo xtask screenshots` runs this.

use std::path::PathBuf;

use crate::driver::Browser;
use crate::visit::{fill, start_game, visit};

/// A game with some mistakes in it.
const GAME: &str =
    "d3c5e6d2c6f4c4f6f5d6e7g4f3e3g6e8c2g5h4c3h6h5d7h3h2d8f7b6b5a5c8f8b7f2d1c7g8a8b4g3";

#[test]
fn screenshots() {
    let Some(folder) = std::env::var_os("LUDEX_SCREENSHOTS").map(PathBuf::from) else {
        println!("left out: LUDEX_SCREENSHOTS names no folder");
        return;
    };
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    let picture = |name: &str| browser.screenshot(&folder.join(format!("{name}.png")));
    browser.resize(1200, 860);

    browser.go("/analyse");
    fill(browser, "text", GAME);
    browser.click("form.card button.primary");
    browser.wait("document.querySelectorAll('.graph .dot').length === 41");
    browser.go(&format!("{}?at=20", browser.address()));
    // Far enough that the values mean something.
    let depths = "[...document.querySelectorAll('#part-table tbody tr td:nth-child(3)')]";
    browser.wait_long(&format!(
        "{depths}.length && {depths}.every(d => Number(d.innerText) >= 8)"
    ));
    browser.wait_long("document.querySelectorAll('#part-moves .tag').length > 1");
    picture("analyse");

    start_game(browser, "gipf", "greedy", "4 4 15 15");
    for mv in ["a5-b5", "i5-h5", "e1-e2", "b6-c6", "i4-h4"] {
        play(browser, mv);
    }
    picture("play");

    browser.go("/tournaments/new");
    for name in ["[value='minimax:2']", "[name=program]"] {
        browser.click(name);
    }
    fill(browser, "pairs", "4");
    browser.click("form.card button.primary");
    browser.wait_long("/finished/.test(document.getElementById('status')?.innerText ?? '')");
    picture("tournament");
    browser
        .js("[...document.querySelectorAll('table a')].find(a => a.innerText === 'echo').click()");
    browser.wait("location.pathname.includes('/players/')");
    browser.click("table a[href*='at=']");
    browser.wait("document.body.innerText.includes('Arguments')");
    picture("verdict");

    browser.go("/solved");
    browser.click("button[value='3 3 5 5']");
    browser.wait_long("document.querySelector('a[href=\"/solved/3-3-5-5\"]')");
    browser.go("/solved/3-3-5-5/random?kind=only&seed=3");
    picture("solved");

    browser.resize(390, 844);
    browser.scheme("dark");
    start_game(browser, "reversi", "greedy", "start");
    for mv in ["d3", "e3", "c4"] {
        play(browser, mv);
    }
    picture("phone");
}

/// Types a move if it is legal, else makes the first one that is; waits for the reply.
fn play(browser: &Browser, mv: &str) {
    let before = browser.js("return document.querySelector('[data-moves]').dataset.moves");
    let legal = browser.js_async(&format!(
        "const done = arguments[arguments.length - 1];
         fetch('/api' + location.pathname).then(r => r.json())
            .then(g => done(g.moves.includes({mv:?}) ? {mv:?} : g.moves[0]));"
    ));
    fill(browser, "move", legal.as_str().unwrap());
    browser.click(".typed button");
    browser.wait(&format!(
        "Number(document.querySelector('[data-moves]').dataset.moves) === Number({before}) + 2"
    ));
}
