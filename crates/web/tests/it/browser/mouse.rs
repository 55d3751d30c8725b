//! Games by mouse and touch.

use serde_json::Value;

use super::{play_by_mouse, reload};
use crate::driver::Browser;
use crate::visit::{MY_TURN, check_axe, check_width, fill, start_game, start_position, visit};

#[test]
fn reversi_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/");
    check_axe(browser);
    start_game(browser, "reversi", "greedy", "start");
    check_axe(browser);
    play_by_mouse(browser, 70);
    check_axe(browser);
    reload(browser);
    // Back through the game, and on from an earlier address.
    browser.click(".steps [data-key=ArrowLeft]");
    browser.wait("/at=/.test(location.search)");
    reload(browser);
}

#[test]
fn gipf_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    start_game(browser, "gipf", "greedy", "3 3 6 6");
    check_axe(browser);
    play_by_mouse(browser, 80);
    check_axe(browser);
}

#[test]
fn mmpawns_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    start_game(browser, "mmpawns", "greedy", "random");
    check_axe(browser);
    play_by_mouse(browser, 80);
    check_axe(browser);
}

#[test]
fn rows_that_cross_are_taken_by_a_click() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    start_position(browser, "gipf", "3 3 12 12 7 6 W WW_/_BWB/_BW_B/W___/_B_");
    for (point, picks) in [("a3", "a3"), ("b4", "a3,b4")] {
        browser.click(&format!("#pt-{point}"));
        browser.wait(&format!(
            "document.querySelector('[name=picks]')?.value === '{picks}'"
        ));
    }
    browser.wait("document.querySelectorAll('g.row').length === 2");
    check_axe(browser);
    // The board is the one after the push, and says whose rows they are.
    let stone = browser.js("return document.getElementById('pt-b4').getAttribute('aria-label')");
    assert!(stone.as_str().unwrap().starts_with("b4, white"), "{stone}");
    let legend = browser.js("return document.querySelector('.rows legend').innerText");
    assert_eq!(legend, "Rows of White cross. Which comes off first?");
    // A step back, and on again.
    browser.js("[...document.querySelectorAll('a.button')].find(a => a.innerText === 'Back a step').click()");
    browser.wait("document.querySelector('[name=picks]')?.value === 'a3'");
    browser.click("#pt-b4");
    browser.wait("document.querySelectorAll('g.row').length === 2");
    // The stone where they cross does not say which; one at an end does.
    browser.click("#pt-d6");
    browser.wait("/several rows cross/.test(document.querySelector('.problem')?.innerText ?? '')");
    browser.click("#pt-b4");
    browser.wait("document.querySelector('[data-moves]').dataset.moves > 0");
    let moves = browser.js("return document.querySelector('.moves').innerText");
    assert!(moves.as_str().unwrap().contains("w: b4 d6"), "{moves}");
}

#[test]
fn published_gipf_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/play?game=gipf-standard");
    check_axe(browser);
    // Few pieces in reserve: a short game, in which GIPF-pieces may be brought in as well.
    fill(
        browser,
        "position",
        "tournament 5+ 5+ W W__B/_____/______/B_____W/______/_____/W__B",
    );
    fill(browser, "bot", "greedy");
    browser.click("form.card button.primary");
    browser.wait(MY_TURN);
    check_axe(browser);
    play_by_mouse(browser, 80);
    check_axe(browser);
}

/// Taps on an element with a finger.
fn tap(browser: &Browser, css: &str) {
    let at = browser.js(&format!(
        "const at = document.querySelector('{css}');
         at.scrollIntoView({{block: 'center'}});
         const box = at.getBoundingClientRect();
         return {{x: box.x + box.width / 2, y: box.y + box.height / 2}};"
    ));
    let touch = |kind: &str, points: Value| {
        let params = serde_json::json!({ "type": kind, "touchPoints": points });
        browser.devtools("Input.dispatchTouchEvent", &params);
    };
    touch("touchStart", serde_json::json!([at]));
    touch("touchEnd", serde_json::json!([]));
}

/// Rows that cross on a GIPF-piece: which goes first, whether the piece stays, and then the push,
/// by mouse, keyboard and touch.
#[test]
fn rows_and_kept_pieces_are_entered_step_by_step() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    let picks = |picks: &str| {
        browser.wait(&format!(
            "document.querySelector('[name=picks]')?.value === '{picks}'"
        ));
    };
    let stands = |point: &str, what: &str| {
        let label = format!("document.getElementById('pt-{point}').getAttribute('aria-label')");
        browser.wait(&format!("{label}.startsWith('{point}, {what}')"));
    };
    let start = || {
        start_position(
            browser,
            "gipf-standard",
            "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W",
        );
        browser.wait("document.querySelectorAll('g.row').length === 2");
    };
    let played = |mv: &str| {
        browser.wait("document.querySelector('[data-moves]').dataset.moves > 0");
        let moves = browser.js("return document.querySelector('.moves').innerText");
        assert!(moves.as_str().unwrap().contains(mv), "{moves}");
    };
    // By mouse.
    start();
    check_axe(browser);
    browser.click("#pt-e5");
    browser.wait("/several rows cross/.test(document.querySelector('.problem')?.innerText ?? '')");
    browser.click("#pt-c3");
    picks("c3");
    browser.wait("/stay/.test(document.querySelector('.rows legend').innerText)");
    check_axe(browser);
    browser.click("#pt-e5");
    picks("c3,e5");
    // The row has gone, the piece has stayed, and belongs to another row.
    stands("c3", "empty");
    stands("e5", "white, stacked");
    browser.click(".rows button[value='take e5']");
    picks("c3,e5,take e5");
    stands("e7", "empty");
    browser.click("#pt-e1");
    picks("c3,e5,take e5,e1");
    // Another dot instead.
    browser.click("#pt-d1");
    picks("c3,e5,take e5,d1");
    browser.click("#pt-d2");
    played("xc3,d4,e4,Ge5,e6,e7,f5;d1-d2");
    // By keyboard.
    start();
    browser.js("document.querySelector('.rows button').focus()");
    browser.keys(&["Enter"]);
    browser.wait("document.querySelector('.rows button[value=\"keep e5\"]')");
    browser.js("const p = document.getElementById('pt-d4'); p.tabIndex = 0; p.focus()");
    browser.keys(&["ArrowRight", "Enter"]);
    browser.wait("document.querySelector('[name=picks]')?.value.endsWith('e5')");
    browser.js("document.querySelector('.rows button[value=\"keep e5\"]').focus()");
    browser.keys(&["Enter"]);
    browser.wait("!document.querySelector('.rows')");
    browser.js("const p = document.getElementById('pt-e1'); p.tabIndex = 0; p.focus()");
    browser.keys(&["Enter"]);
    browser.wait("document.querySelector('[name=picks]')?.value.endsWith('e1')");
    browser.keys(&["ArrowUp"]);
    browser.js("document.getElementById('pt-e2').focus()");
    browser.keys(&["Enter"]);
    played("xc3,d4,e4,e6,e7,f5,=Ge5;e1-e2");
    // With a finger, on a phone.
    browser.resize(390, 844);
    start();
    check_width(browser);
    for (target, then) in [
        ("#pt-c3", "c3"),
        (".rows button:last-of-type", "c3,take e5"),
        ("#pt-e1", "c3,take e5,e1"),
    ] {
        tap(browser, target);
        picks(then);
        check_width(browser);
    }
    tap(browser, "#pt-e2");
    played("xc3,d4,Ge5,f5;e1-e2");
    // The game can be analysed with such moves in its address.
    browser.click("details.more summary");
    browser.click(".links a[href^='/analyse/game']");
    browser.wait("/xc3.d4.Ge5.f5/.test(decodeURIComponent(location.search))");
    browser.wait("document.querySelector('#part-board')");
    check_axe(browser);
}

/// The board is there as it is now, not as it was when the page was opened.
#[test]
fn who_comes_back_sees_what_has_been_played_since() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/train");
    let suite = "game reversi\nstart\tdraw\td3\n";
    browser.js(&format!(
        "document.querySelector('[name=suite]').value = {suite:?}"
    ));
    browser.click("form.card button.primary");
    browser.wait("document.querySelector('.actions a.button.primary')");
    browser.click(".actions a.button.primary");
    browser.wait("document.querySelector('#pt-c4')");
    browser.click("#pt-c4");
    browser.wait("/not solved/.test(document.getElementById('status').innerText)");
    browser.go("/learn");
    browser.js("history.back()");
    browser.wait("/not solved/.test(document.getElementById('status')?.innerText ?? '')");
}
