//! What a visitor likes: colours, coordinates, the side of the board, motion and sounds.

use crate::visit::{MY_TURN, check_axe, start_game, visit};

#[test]
fn colours_are_switched_at_the_foot_of_a_page() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.scheme("light");
    browser.go("/learn");
    let paper = "return getComputedStyle(document.body).backgroundColor";
    let light = browser.js(paper);
    browser.click(".themes button[value=dark]");
    browser.wait("document.documentElement.dataset.theme === 'dark'");
    assert_ne!(browser.js(paper), light);
    assert_eq!(browser.address(), "/learn");
    check_axe(browser);
    // On every page, until it is switched back.
    browser.go("/play");
    browser.wait("document.documentElement.dataset.theme === 'dark'");
    browser.click(".themes button[value=system]");
    browser.wait("!document.documentElement.dataset.theme");
    assert_eq!(browser.js(paper), light);
}

#[test]
fn a_board_without_coordinates_from_the_other_side_with_sounds() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/settings");
    check_axe(browser);
    browser.click("[name=coordinates]");
    browser.click("[name=sounds]");
    browser.click("form.card button.primary");
    browser.wait("'sounds' in document.documentElement.dataset");
    start_game(browser, "reversi", "greedy", "start");
    let hidden = "return getComputedStyle(document.querySelector('.coordinates')).visibility";
    assert_eq!(browser.js(hidden), "hidden");
    let left = "document.getElementById('pt-a1').getBoundingClientRect().left";
    let before = browser.js(&format!("return {left}"));
    browser.click("#turn");
    browser.wait(&format!("{left} > {before}"));
    browser.wait("document.getElementById('turn').getAttribute('aria-pressed') === 'true'");
    check_axe(browser);
    // A move is seen and heard: the disc that was turned over is in a group that moves.
    browser.click("#pt-d3");
    browser.wait("document.querySelector('[data-moves]').dataset.moves === '2'");
    browser.wait(MY_TURN);
    browser.wait("Number(document.documentElement.dataset.heard) > 0");
    browser.wait("document.querySelectorAll('#game .came.over').length > 0");
}

#[test]
fn pieces_move_only_where_motion_is_welcome() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    let count = "window.moved = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) { window.moved++; return animate.apply(this, how); };";
    for (motion, moves) in [("no-preference", true), ("reduce", false)] {
        let features = serde_json::json!({
            "features": [{ "name": "prefers-reduced-motion", "value": motion }]
        });
        browser.devtools("Emulation.setEmulatedMedia", &features);
        start_game(browser, "gipf", "greedy", "3 3 6 6");
        browser.js(count);
        browser.click("#pt-a1");
        browser.wait("document.querySelector('[name=picks]')?.value === 'a1'");
        browser.click("#pt-b2");
        browser.wait("document.querySelector('[data-moves]').dataset.moves === '2'");
        let moved = browser.js("return window.moved > 0");
        assert_eq!(moved, moves, "{motion}");
    }
}
