//! Analyses, reviews and solved games.

use serde_json::Value;

use super::reload;
use crate::reviews::late_game;
use crate::visit::{check_axe, check_width, fill, visit};

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
    // A variation by clicking a square, and back.
    browser.click("#part-board a.pt");
    browser.wait("/line=/.test(location.search)");
    browser.wait("document.body.innerText.includes('Variation')");
    browser.click("[data-let-go]");
    browser.wait("!/line=/.test(location.search)");
    // The best line, walked through with the arrow keys.
    browser.click("#part-table .actions .button");
    browser.wait("/step=1/.test(location.search)");
    browser.js("document.activeElement.blur()");
    browser.keys(&["ArrowRight"]);
    browser.wait("/step=2/.test(location.search)");
    browser.wait("document.querySelectorAll('#part-table tbody tr td strong').length > 3");
    check_axe(browser);
    reload(browser);
    // What cannot be read says why.
    browser.go("/analyse");
    fill(browser, "text", "f5f5");
    browser.click("form.card button.primary");
    browser.wait("document.querySelector('.problem')");
    assert!(browser.text().contains("f5"));
    check_axe(browser);
    // Values on the arrows of the other games.
    browser.go("/analyse/position?game=gipf&position=3+3+6+6");
    browser.wait("document.querySelectorAll('#part-board a.badge').length > 3");
    check_axe(browser);
    browser.click("#part-board a.badge");
    browser.wait("/line=/.test(location.search)");
}

#[test]
fn a_game_is_reviewed_and_its_mistakes_are_trained() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    let over = "document.body.innerText.includes('Look further')";
    let refuted = "document.querySelectorAll('.slip .line a').length > 1";
    for seed in 1..20 {
        let (start, moves) = late_game(seed);
        let start = start.to_string().replace(' ', "+");
        let moves = moves.join(",");
        browser.go(&format!(
            "/analyse/game?game=reversi&start={start}&moves={moves}"
        ));
        browser.click("form[action='/review'] button");
        // The page fills in by itself.
        browser.wait(over);
        if browser.js(&format!("return {refuted}")) == Value::Bool(true) {
            break;
        }
    }
    assert_eq!(browser.js(&format!("return {refuted}")), true);
    check_axe(browser);
    let review = browser.address();
    browser.js("document.querySelector('details.more').open = true");
    check_axe(browser);
    browser.click(".slip .line a:nth-child(2)");
    browser.wait("document.querySelector('nav.line a:nth-of-type(2)[aria-current=step]')");
    browser.click(".steps [data-key=ArrowLeft]");
    browser.wait("document.querySelector('nav.line a:nth-of-type(1)[aria-current=step]')");
    browser.go(&review);
    browser.click("form[action$='/train'] button");
    browser.wait("/0 of \\d+ solved/.test(document.getElementById('status')?.innerText ?? '')");
    check_axe(browser);
    let training = browser.address();
    browser.click(".actions a.primary");
    browser.wait("document.querySelector('.boardform')");
    check_axe(browser);
    // A move by the mouse: the strongest player answers, or it is over.
    browser.click(".pt:not([aria-disabled])");
    browser.wait("/Played:/.test(document.body.innerText)");
    check_axe(browser);
    // Those that keep the value, until it is solved.
    browser.click("form[action$='/again'] button");
    browser.wait("!/Played:/.test(document.body.innerText)");
    browser.js(
        "document.getElementById('typed').value = document.querySelector('details p').textContent.split(',')[0]",
    );
    browser.click(".typed button");
    browser.wait(
        "/Right so far|You have kept/.test(document.getElementById('status')?.innerText ?? '')",
    );
    reload(browser);
    browser.resize(390, 844);
    for page in [&review, &training, &format!("{training}/1"), "/train"] {
        browser.go(page);
        check_width(browser);
        check_axe(browser);
    }
}

#[test]
fn games_of_a_tournament_are_reviewed() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/tournaments/new?game=gipf");
    fill(browser, "variant", "2 2 5 5");
    browser.click("form.card button.primary");
    browser.wait("/finished/.test(document.getElementById('status')?.innerText ?? '')");
    let cup = browser.address();
    browser.click("form[action$='/review'] button");
    browser.wait_long("!document.body.innerText.includes('at work') && /games reviewed/.test(document.body.innerText)");
    check_axe(browser);
    let best =
        browser.js("return document.querySelector('a[href^=\"/review/\"]').getAttribute('href')");
    let best = best.as_str().unwrap().to_owned();
    browser.resize(390, 844);
    for page in [format!("{cup}/players/0"), best, cup] {
        browser.go(&page);
        check_width(browser);
        check_axe(browser);
    }
}

#[test]
fn solved_games_and_the_editor() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/solved");
    check_axe(browser);
    browser.click("tbody a");
    browser.wait("document.querySelector('.board a.badge')");
    check_axe(browser);
    browser.click(".board a.badge");
    browser.wait("/position=/.test(location.search)");
    browser.wait("/Black to move/.test(document.getElementById('status').innerText)");
    browser.click("a[href*='kind=long']");
    browser.wait("/wins in/.test(document.getElementById('status').innerText)");
    check_axe(browser);
    for game in ["reversi", "gipf", "gipf-standard", "mmpawns"] {
        browser.go(&format!("/edit?game={game}"));
        check_axe(browser);
        let position = "return document.querySelector('[name=position]').value";
        let before = browser.js(position);
        browser.click(".board a.pt");
        browser.wait(&format!(
            "document.querySelector('[name=position]').value !== {before}"
        ));
    }
}
