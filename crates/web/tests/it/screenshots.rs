//! The README's pictures: `cargo xtask screenshots` runs this.

use std::path::PathBuf;

use crate::driver::Browser;
use crate::visit::{fill, start_game, visit};

/// An opening, a middle game and some mistakes.
const GAME: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7f7f8e8c8b8b5g6g5g4g3h5h6";

#[test]
fn screenshots() {
    let Some(folder) = std::env::var_os("LUDEX_SCREENSHOTS").map(PathBuf::from) else {
        println!("left out: LUDEX_SCREENSHOTS names no folder");
        return;
    };
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    let picture = |name: &str| browser.screenshot(&folder.join(format!("{name}.png")));
    browser.resize(1280, 860);

    start_game(browser, "gipf", "greedy", "4 4 15 15");
    for mv in ["a1-b2", "e1-e2", "i5-h5", "a5-b5", "e9-e8"] {
        play(browser, mv);
    }
    picture("play");

    browser.go("/analyse");
    fill(browser, "text", GAME);
    browser.click("form.card button.primary");
    browser.wait("document.querySelectorAll('.graph .dot').length === 29");
    browser.go(&format!("{}?at=20", browser.address()));
    // Far enough that the values mean something.
    browser.wait("[...document.querySelectorAll('#part-table tbody tr td:nth-child(3)')].every(d => Number(d.innerText) >= 7)");
    browser.wait("document.querySelectorAll('#part-moves .tag').length > 1");
    picture("analyse");

    browser.go("/tournaments/new");
    for name in ["[value='minimax:2']", "[name=program]"] {
        browser.click(name);
    }
    fill(browser, "pairs", "4");
    browser.click("form.card button.primary");
    browser.wait("/finished/.test(document.getElementById('status')?.innerText ?? '')");
    picture("tournament");
    browser.click("table a[href*='/players/']");
    browser.wait("location.pathname.includes('/players/')");

    browser.go("/solved/2-3-7-7/random?kind=long&seed=4");
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
