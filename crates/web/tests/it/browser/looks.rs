//! On a phone, in the dark, and above the fold.

use crate::visit::{MY_TURN, check_axe, check_width, fill, start_game, visit};

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
        "/play?game=gipf-standard",
        "/edit?game=gipf-standard",
        "/edit?game=mmpawns",
        "/analyse",
        "/learn",
        "/learn/gipf-standard/1",
        "/library",
        "/play/games",
        "/settings",
        "/analyse/game?game=reversi&moves=f5,d6,c3",
        "/tournaments",
        "/tournaments/new",
        "/tester",
        "/solved",
        "/solved/2-3-5-5",
        "/login",
        "/nowhere",
    ] {
        browser.go(path);
        check_width(browser);
        check_axe(browser);
    }
    start_game(browser, "gipf", "greedy", "4 4 15 15");
    check_width(browser);
    check_axe(browser);
    let background = "return getComputedStyle(document.body).backgroundColor";
    let dark = browser.js(background);
    browser.scheme("light");
    assert_ne!(browser.js(background), dark);
}

/// The board that is shown is the one that is played, whatever is chosen.
#[test]
fn the_preview_is_what_is_played() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/play?game=mmpawns");
    let shown = "[...document.querySelectorAll('#preview .piece, #preview svg use, #preview svg circle, #preview svg path')].map(e => e.outerHTML).join()";
    let first = browser.js(&format!("return {shown}"));
    let choose = |value: &str| {
        browser.js(&format!(
            "const f = document.querySelector('[name=start]'); f.value = {value:?};
             f.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
    };
    choose("start");
    browser.wait(&format!("{shown} !== {first}"));
    choose("random");
    browser.wait(&format!("{shown} === {first}"));
    fill(browser, "bot", "greedy");
    let position =
        browser.js("return new FormData(document.querySelector('form.card')).get('seed')");
    let seed: u64 = position.as_str().unwrap().parse().unwrap();
    browser.click("form.card button.primary");
    browser.wait(MY_TURN);
    let game = browser.js_async(
        "const done = arguments[arguments.length - 1];
         fetch('/api' + location.pathname).then(r => r.json()).then(g => done(g.start));",
    );
    assert_eq!(game, games::MMPAWNS.random_start(seed).to_string());
}

/// On a phone the button to start is there without scrolling, for every game.
#[test]
fn start_is_above_the_fold_on_a_phone() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.resize(390, 844);
    for game in ["reversi", "gipf", "gipf-standard", "mmpawns"] {
        browser.go(&format!("/play?game={game}"));
        check_width(browser);
        let bottom = browser.js(
            "return document.querySelector('form.card button.primary').getBoundingClientRect().bottom",
        );
        assert!(bottom.as_f64().unwrap() < 844.0, "{game}: {bottom}");
    }
}
