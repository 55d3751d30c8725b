//! The site in a real browser, as people use it.

mod analysis;
mod keyboard;
mod learn;
mod levels;
mod library;
mod looks;
mod mouse;
mod outside;
mod people;
mod phone;
mod settings;
mod speed;
mod stacked;
mod tournaments;

use serde_json::Value;

use crate::driver::Browser;
use crate::visit::{MY_TURN, OVER, visit};

/// Tests share browsers, one after the other, and what one leaves behind is nobody else's.
#[test]
fn a_browser_has_seen_nothing_yet() {
    let Some(visit) = visit() else { return };
    let state = "return [
        document.cookie, localStorage.length, sessionStorage.length, history.length, innerWidth,
        innerHeight, matchMedia('(prefers-color-scheme: dark)').matches, window.name]";
    let look = |browser: &Browser| {
        browser.go("/");
        browser.js(state)
    };
    let first = visit.another();
    let new = look(&first);
    first.js("document.cookie = 'a=b; max-age=1000'; localStorage.a = 1; sessionStorage.a = 1; window.name = 'a'");
    first.scheme("dark");
    first.resize(390, 844);
    first.js("console.error('left behind'); open('/learn')");
    assert_ne!(look(&first), new);
    drop(first);
    let next = visit.another();
    assert_eq!(look(&next), new);
    assert!(next.complaints().is_empty());
}

fn is_over(browser: &Browser) -> bool {
    browser.js(&format!("return {OVER}")) == Value::Bool(true)
}

/// Reloads the page, and finds everything as it was.
#[track_caller]
fn reload(browser: &Browser) {
    let status = "return document.getElementById('status').innerText";
    let text = browser.js(status);
    browser.js("window.old = true; location.reload()");
    browser.wait("!window.old && document.readyState === 'complete'");
    assert_eq!(browser.js(status), text);
}

/// Plays with the mouse until the game is over.
#[track_caller]
fn play_by_mouse(browser: &Browser, most: usize) {
    let moves = "document.querySelector('[data-moves]').dataset.moves";
    let picks = "(document.querySelector('[name=picks]')?.value ?? null)";
    for turn in 0..most {
        browser.wait(&format!("({OVER}) || {MY_TURN}"));
        if is_over(browser) {
            assert!(turn > 1);
            return;
        }
        if turn == 2 {
            reload(browser);
        }
        let before = browser.js(&format!("return {moves}"));
        // A move takes several clicks in some games; a pass has a button of its own.
        while browser.js(&format!("return {moves}")) == before {
            let picked = browser.js(&format!("return {picks}"));
            // Rows that cross come first, then whatever is open, not always the same.
            let target = browser.js(&format!(
                "if (document.querySelector('.typed button.primary')) return '.typed button.primary';
                 if (document.querySelector('.rows button')) return '.rows button';
                 const open = [...document.querySelectorAll('.pt:not([aria-disabled])')];
                 return '#' + open[{picks} ? 0 : {turn} % open.length].id;"
            ));
            browser.click(target.as_str().unwrap());
            browser.wait(&format!("{moves} !== {before} || {picks} !== {picked}"));
        }
    }
    panic!("the game is not over after {most} turns");
}
