//! Levels are chosen on the form, and play.

use super::play_by_mouse;
use crate::visit::{check_axe, start_game, visit};

#[test]
fn a_game_against_a_level() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/play?game=mmpawns");
    browser.click(".panel > details:has(.levels) summary");
    browser.wait("document.querySelectorAll('.levels tbody tr').length === 8");
    check_axe(browser);
    start_game(browser, "mmpawns", "first-steps", "random");
    let seats = browser.js("return document.querySelector('.seats').innerText");
    assert!(seats.as_str().unwrap().contains("First steps"), "{seats}");
    play_by_mouse(browser, 80);
    // Once more, with sides exchanged, in one click.
    browser.click("form[action$='/rematch'] button");
    browser.wait("document.querySelector('.seat').innerText.includes('First steps')");
}
