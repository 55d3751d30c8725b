//! On the narrowest phones: nothing makes the page wider, and a thumb hits what it means.

use crate::driver::Browser;
use crate::visit::{MY_TURN, fill, start_position, visit};

/// The widths of narrow phones.
const WIDTHS: [u32; 2] = [320, 360];

/// Buttons and their like have to be as wide and high as this, in CSS pixels; the W3C's own least is 24.
const THUMB: u32 = 28;

/// What is too wide for the window, and what a thumb misses. Whatever scrolls in a box of its own is
/// as wide as it likes; links in a text are as high as their line.
fn faults(browser: &Browser) -> Vec<String> {
    let found = browser.js(&format!(
        "const page = document.documentElement;
         const name = (e) => `${{e.tagName}}.${{e.getAttribute('class') ?? ''}} ${{(e.innerText ?? e.name ?? '').slice(0, 30)}}`;
         const boxed = (e) => e && e !== document.body
             && (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX) || boxed(e.parentElement));
         const all = [...document.body.querySelectorAll('*')].filter((e) => e.checkVisibility());
         const wide = page.scrollWidth <= page.clientWidth ? [] : all
             .filter((e) => e.getBoundingClientRect().right > page.clientWidth + 1 && !boxed(e.parentElement))
             .map((e) => `wide: ${{name(e)}}`);
         const sticks = page.scrollWidth > page.clientWidth ? [`page: ${{page.scrollWidth}} > ${{page.clientWidth}}`] : [];
         const targets = 'button:not(.link):not(:disabled), .button, select, textarea, summary, nav a, .moves a, .pt, input:not([type=hidden]):not([type=radio]):not([type=checkbox])';
         const small = all.filter((e) => e.matches(targets) && !e.closest('.top, .unseen'))
             .map((e) => [e, e.getBoundingClientRect()])
             .filter(([e, r]) => r.width < {THUMB} && !e.matches('.moves a') || r.height < ({THUMB}))
             .map(([e, r]) => `small: ${{name(e)}} ${{Math.round(r.width)}}x${{Math.round(r.height)}}`);
         return [...sticks, ...wide.slice(0, 4), ...small.slice(0, 4)];"
    ));
    let address = browser.address();
    let list = found.as_array().into_iter().flatten();
    list.map(|fault| format!("{address}: {fault}")).collect()
}

#[test]
fn narrow_phones_show_every_page() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    let mut all = Vec::new();
    let long = "A-name-without-any-place-to-break-it-".repeat(2);
    browser.go("/tournaments/new?game=mmpawns");
    fill(browser, "name", &long);
    browser.js("document.querySelectorAll('[name=bot]').forEach(bot => { bot.checked = false })");
    fill(browser, "others", "random greedy minimax:1 mcts:n20");
    browser.click("form.card button.primary");
    browser.wait("/finished/.test(document.getElementById('status')?.innerText ?? '')");
    let cup = browser.address();
    let game =
        browser.js("return document.querySelector(\"a[href*='/games/']\").getAttribute('href')");
    let game = game.as_str().unwrap().to_owned();
    browser.go("/tester");
    browser.click("form.card button.primary");
    browser.wait("/did something wrong/.test(document.getElementById('status')?.innerText ?? '')");
    let test = browser.address();
    let pages: Vec<String> = [
        "/",
        "/play?game=reversi",
        "/play?game=gipf",
        "/play?game=gipf-standard",
        "/play?game=mmpawns",
        "/play/games",
        "/edit?game=gipf-standard&position=tournament",
        "/edit?game=gipf&position=4+4+15+15",
        "/edit?game=reversi",
        "/edit?game=reversi&position=nonsense-without-any-place-to-break-it-nonsense-nonsense",
        "/analyse",
        "/analyse/game?game=gipf-standard&start=standard+3+5+W+B___/___w_/___w__/_wwWw__/__w___/_____/___W&wait=1",
        "/learn",
        "/learn/gipf-standard",
        "/learn/gipf-standard/7",
        "/library",
        "/library?game=reversi",
        "/settings",
        "/train",
        "/tournaments",
        "/tournaments/new?game=gipf-standard",
        "/tester",
        "/solved",
        "/solved/2-3-5-5",
        "/login",
        "/nowhere/at-all-with-a-long-name-without-any-place-to-break-it-at-all-at-all",
        &format!("/analyse/game?game=reversi&moves=f5,d6,c3&line=d3,c4&title={long}&wait=1"),
        &game,
        &format!("{cup}/games"),
        &format!("{cup}/players/0"),
        &cup,
        &test,
    ]
    .map(str::to_owned)
    .to_vec();
    for width in WIDTHS {
        browser.resize(width, 640);
        for page in &pages {
            browser.go(page);
            all.extend(faults(browser));
        }
        for (game, position) in [
            ("reversi", "start"),
            ("mmpawns", "start"),
            ("gipf", "4 4 15 15"),
            (
                "gipf-standard",
                "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W",
            ),
        ] {
            start_position(browser, game, position);
            browser.wait(MY_TURN);
            all.extend(faults(browser));
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}
