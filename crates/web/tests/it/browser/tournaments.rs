//! Tournaments and the verdict on a program.

use crate::visit::{check_axe, check_width, fill, visit};

#[test]
fn a_tournament_of_a_variant() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/tournaments/new?game=gipf");
    let rounds = "document.querySelector('[name=rounds]').getClientRects().length";
    assert_eq!(
        browser.js(&format!("return {rounds}")),
        0,
        "not for this format"
    );
    fill(browser, "format", "swiss");
    browser.wait(&format!("{rounds} === 1"));
    browser.click("[name=bot][value='minimax:2']");
    fill(browser, "rounds", "2");
    fill(browser, "variant", "2 2 5");
    fill(browser, "plies", "2");
    browser.click("form.card button.primary");
    browser.wait("document.querySelector('.problem')");
    // What is wrong is said beside the field, which has the focus; all else is kept.
    let focused = browser.js("const f = document.activeElement;
         const said = document.getElementById(f.getAttribute('aria-describedby'));
         return [f.name, f.value, f.getAttribute('aria-invalid'), said.innerText];");
    let problem = "\"2 2 5\" is not the four numbers S K GW GB";
    assert_eq!(
        focused,
        serde_json::json!(["variant", "2 2 5", "true", problem])
    );
    for (width, scheme) in [(1200, "light"), (390, "dark"), (390, "light")] {
        browser.resize(width, 844);
        browser.scheme(scheme);
        // Colours change in a moment, not at once.
        browser.wait("document.getAnimations().length === 0");
        check_width(browser);
        check_axe(browser);
    }
    fill(browser, "variant", "2 2 5 5");
    browser.click("form.card button.primary");
    browser.wait("/finished/.test(document.getElementById('status')?.innerText ?? '')");
    assert!(browser.text().contains("Swiss of 2 rounds"));
    assert!(
        browser
            .text()
            .contains("from 2 2 5 5 and 2 random plies on")
    );
    check_width(browser);
}

#[test]
fn a_faulty_program_gets_its_verdict() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/tournaments/new");
    check_axe(browser);
    browser.click("[name=program]");
    browser.click("form.card button.primary");
    browser.wait("/finished/.test(document.getElementById('status')?.innerText ?? '')");
    check_axe(browser);
    let cup = browser.address();
    for page in ["/games", "/games?faults=yes"] {
        browser.go(&format!("{cup}{page}"));
        check_axe(browser);
    }
    browser.go(&cup);
    browser
        .js("[...document.querySelectorAll('table a')].find(a => a.innerText === 'echo').click()");
    browser.wait("document.querySelector('h1').innerText === 'echo'");
    let text = browser.text();
    assert!(text.contains("unreadable answer"), "{text}");
    check_axe(browser);
    browser.click("table a[href*='at=']");
    browser.wait("document.body.innerText.includes('Arguments')");
    assert!(browser.text().contains("nonsense"));
    check_axe(browser);
    browser.go("/tester");
    check_axe(browser);
    browser.click("form.card button.primary");
    browser.wait("/did something wrong/.test(document.getElementById('status')?.innerText ?? '')");
    check_axe(browser);
    browser.go("/tournaments");
    check_axe(browser);
}
