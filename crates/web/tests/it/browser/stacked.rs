//! Stacked pieces in a real browser: in the editor, and on the board of a downloaded report.

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::visit::{MY_TURN, check_axe, fill, visit};

/// The text of the position in the editor.
const POSITION: &str = "document.querySelector('[name=position]').value";

/// Chooses what to put on the board.
#[track_caller]
fn choose_brush(browser: &Browser, words: &str) {
    let brush = "nav[aria-label='What to put'] a";
    browser.js(&format!(
        "[...document.querySelectorAll(\"{brush}\")].find(a => a.innerText === '{words}').click()"
    ));
    browser.wait(&format!(
        "document.querySelector(\"{brush}[aria-current]\")?.innerText === '{words}'"
    ));
}

#[test]
fn the_editor_puts_gipf_pieces_on_the_board() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    let label =
        |point: &str| format!("document.getElementById('pt-{point}').getAttribute('aria-label')");
    browser.go("/edit?game=gipf-standard&position=tournament");
    // Onto the empty board a GIPF-piece, a single piece, and one of Black's, by mouse.
    for (brush, point, what, position) in [
        (
            "White GIPF-piece",
            "d4",
            "white, stacked",
            "tournament 16+ 18! W ____/_____/______/__W____/______/_____/____",
        ),
        (
            "White",
            "d5",
            "white",
            "tournament 15 18! W ____/_____/__w___/__W____/______/_____/____",
        ),
        (
            "Black GIPF-piece",
            "f5",
            "black, stacked",
            "tournament 15 16+ W ____/_____/__w___/__W_B__/______/_____/____",
        ),
    ] {
        choose_brush(browser, brush);
        browser.click(&format!("#pt-{point}"));
        browser.wait(&format!("{POSITION} === '{position}'"));
        browser.wait(&format!("{}.startsWith('{point}, {what}')", label(point)));
        check_axe(browser);
    }
    // By the space bar, and once more to clear it.
    browser.js("const p = document.getElementById('pt-e5'); p.tabIndex = 0; p.focus()");
    browser.keys(&[" "]);
    browser.wait(&format!("{}.startsWith('e5, black, stacked')", label("e5")));
    browser.js("const p = document.getElementById('pt-e5'); p.tabIndex = 0; p.focus()");
    browser.keys(&[" "]);
    browser.wait(&format!("{}.startsWith('e5, empty')", label("e5")));
    let edited = browser.js(&format!("return {POSITION}"));
    assert_eq!(
        edited,
        "tournament 15 16+ W ____/_____/__w___/__W_B__/______/_____/____"
    );
    // It can be played from there.
    browser.click("a.button.primary[href^='/play']");
    browser.wait("document.querySelector('form.card [name=bot]')");
    fill(browser, "bot", "greedy");
    browser.click("form.card button.primary");
    browser.wait(MY_TURN);
    browser.wait(&format!("{}.startsWith('d4, white, stacked')", label("d4")));
}

/// The words of all pieces on the board of a report.
fn pieces(browser: &Browser) -> Value {
    browser
        .js("return [...document.querySelectorAll('#board title')].map(t => t.textContent).sort()")
}

#[test]
fn a_report_shows_stacked_pieces() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/tournaments/new?game=gipf-standard");
    fill(
        browser,
        "variant",
        "standard 3 5 W W___/_____/______/_WwwwB_/______/_____/___B",
    );
    fill(browser, "plies", "0");
    // Players that count positions play the same on every machine.
    browser.js("document.querySelectorAll('[name=bot]').forEach(bot => { bot.checked = false })");
    fill(browser, "others", "best:n2000 best:n1000");
    browser.click("form.card button.primary");
    browser.wait("/finished/.test(document.getElementById('status')?.innerText ?? '')");
    // The report is a file to take away: it works where there is no site.
    let report = browser.js_async(
        "const done = arguments[arguments.length - 1];
         const link = document.querySelector(\"a[href$='/files/report.html']\");
         fetch(link.href).then(r => r.text()).then(done);",
    );
    let path = std::env::temp_dir().join(format!("ludex-report-{}.html", std::process::id()));
    std::fs::write(&path, report.as_str().unwrap()).unwrap();
    browser.go_to_file(&path);
    browser.click("#list button.link");
    browser.wait("!document.getElementById('replay').hidden");
    let start = pieces(browser);
    let expected = json!([
        "b5: White, stacked",
        "c3: White, stacked",
        "d4: White",
        "e5: White",
        "f5: White",
        "g5: Black, stacked",
        "h2: Black, stacked"
    ]);
    assert_eq!(start, expected);
    // Columns stand upright, as on the site.
    let upright = "const { width, height } = document.getElementById('board').viewBox.baseVal;
                   return height > width";
    assert_eq!(browser.js(upright), true);
    // A stacked piece is two discs and a spot of the other colour: to be told apart without colour.
    let discs =
        "return ['.p0', '.p1'].map(c => document.querySelectorAll('#board circle' + c).length)";
    assert_eq!(browser.js(discs), json!([3 + 2 * 2 + 2, 2 * 2 + 2]));
    // The first turn takes the row off; what is left of it are stacked pieces.
    browser.keys(&["ArrowRight"]);
    browser.wait("/^turn 1: White x/.test(document.getElementById('now').textContent)");
    let after = pieces(browser);
    let after: Vec<&str> = after
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let stacked = |piece: &&str| piece.ends_with("White, stacked");
    assert!(after.iter().any(stacked), "{after:?}");
    for gone in ["d4: White", "e5: White", "f5: White"] {
        assert!(!after.contains(&gone), "{after:?}");
    }
    browser.click("#first");
    assert_eq!(pieces(browser), expected);
    check_axe(browser);
    let _ = std::fs::remove_file(&path);
}
