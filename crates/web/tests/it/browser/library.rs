//! The library in a browser: games are added, searched, and found from an analysis.

use crate::visit::{check_axe, check_width, fill, visit};

#[test]
fn the_library_is_searched() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/library");
    check_axe(browser);
    browser.js(
        "const files = new DataTransfer();
         files.items.add(new File(['f5d6c3d3c4f4c5b3c2\\nf5f6e6f4e3\\nd3c5f6f5e6\\n'], 'games.txt'));
         document.querySelector('input[type=file]').files = files.files;",
    );
    browser.js("document.querySelector('form[action=\"/library/import\"] button').click()");
    browser.wait("/3 games/.test(document.getElementById('status')?.innerText ?? '')");
    fill(browser, "opening", "Tiger");
    browser.click("form.card button.primary");
    browser.wait("/2 games/.test(document.getElementById('status')?.innerText ?? '')");
    check_axe(browser);
    browser.resize(375, 812);
    check_width(browser);
    // The analysis says how many games came to a position, also when it lies another way round.
    browser.go("/analyse/game?game=reversi&moves=e6,f4,c3");
    let reached = "document.querySelector('.reached')?.innerText ?? ''";
    browser.wait(&format!(
        "/^2 games of the library reached this/.test({reached})"
    ));
    check_axe(browser);
    browser.click(".reached a");
    browser.wait("location.pathname === '/library'");
    browser.wait("/2 games/.test(document.getElementById('status')?.innerText ?? '')");
}
