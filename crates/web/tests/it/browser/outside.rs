//! A visitor who comes from elsewhere: plays without a word, and needs the token for more.

use web::Config;

use crate::visit::{MY_TURN, check_axe, fill, visit_from};

#[test]
fn a_visitor_from_elsewhere_plays_and_is_asked_for_the_token_only_for_more() {
    let config = Config {
        token: Some("open-sesame".into()),
        ..Config::default()
    };
    let Some(visit) = visit_from("games.example", config) else {
        return;
    };
    let browser = &visit.browser;
    browser.go("/play?game=reversi");
    let host = browser.js("return location.hostname");
    assert_eq!(host, "games.example");
    fill(browser, "bot", "beginner");
    browser.click("form.card button.primary");
    browser.wait(MY_TURN);
    browser.click("#pt-d3");
    browser.wait("document.querySelector('[data-moves]').dataset.moves > 1");
    check_axe(browser);
    browser.click("#turn");
    browser.wait("document.getElementById('turn').getAttribute('aria-pressed') === 'true'");
    browser.go("/learn/reversi/1");
    browser.click("#pt-d3");
    browser.wait("/Solved/.test(document.getElementById('status')?.innerText ?? '')");
    // A tournament reaches others: the form waits until the token is there, and is sent then.
    browser.go("/tournaments/new?game=mmpawns");
    browser.click("form.card button.primary");
    browser.wait("document.querySelector('[name=token]')");
    check_axe(browser);
    fill(browser, "token", "open-sesame");
    browser.click("form.card button.primary");
    browser.wait("/^.tournaments.[^n]/.test(location.pathname)");
}
