//! Games by keyboard, and where the focus goes.

use super::is_over;
use crate::driver::Browser;
use crate::visit::{MY_TURN, OVER, check_axe, fill, start_game, start_position, visit};

#[test]
fn undo_hint_and_resign() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    start_game(browser, "reversi", "greedy", "start");
    browser.click("a[href$='?hint=1']");
    browser.wait("document.querySelector('.hint')");
    check_axe(browser);
    browser.click(".pt:not([aria-disabled])");
    browser.wait("document.querySelector('[data-moves]').dataset.moves === '2'");
    // One click takes back the move and the reply.
    browser.click("form[action$='/undo'] button");
    browser.wait("document.querySelector('[data-moves]').dataset.moves === '0'");
    check_axe(browser);
    browser.click("form[action$='/resign'] button");
    browser.wait("document.querySelector('.ask')");
    browser.click(".ask button.primary");
    browser.wait(OVER);
    assert!(browser.text().contains("You lost: Black resigned"));
    check_axe(browser);
    // The same again with sides exchanged, in one click.
    browser.click("form[action$='/rematch'] button");
    browser.wait("document.querySelector('[data-moves]').dataset.moves === '1'");
    assert!(browser.text().contains("White you"), "{}", browser.text());
}

#[test]
fn the_focus_and_the_way_back_stay() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    start_game(browser, "reversi", "random", "start");
    let steps = browser.js("return history.length");
    browser.js("document.querySelector('.pt:not([aria-disabled])').focus()");
    for moves in [2, 4, 6] {
        // The point stays where it was, taken now; the next open one is a few steps away.
        let at = browser.js("return document.activeElement.id");
        browser.keys(&["Enter"]);
        browser.wait(&format!(
            "document.querySelector('[data-moves]').dataset.moves === '{moves}' && {MY_TURN}"
        ));
        browser.wait(&format!("document.activeElement.id === {at}"));
        browser.js(
            "const open = document.querySelector('.pt:not([aria-disabled])');
             open.tabIndex = 0; open.focus()",
        );
    }
    assert_eq!(
        browser.js("return history.length"),
        steps,
        "moves are no steps"
    );
    browser.js("history.back()");
    browser.wait("location.pathname === '/play'");
}

#[test]
fn a_game_by_keyboard_alone() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/play?game=gipf");
    fill(browser, "bot", "greedy");
    fill(browser, "start", "3 3 6 6");
    browser.js("document.querySelector('form.card button.primary').focus()");
    browser.keys(&["Enter"]);
    browser.wait(MY_TURN);
    // Six directions from the middle of the board.
    browser.js("const p = document.getElementById('pt-c3'); p.tabIndex = 0; p.focus()");
    for (keys, at) in [
        (&["ArrowLeft"][..], "pt-b2"),
        (&["ArrowRight"], "pt-c3"),
        (&["ArrowUp"], "pt-b3"),
        (&["ArrowDown"], "pt-c3"),
        (&["Shift+ArrowUp"], "pt-c4"),
        (&["Shift+ArrowDown"], "pt-c3"),
    ] {
        browser.keys(keys);
        assert_eq!(
            browser.js("return document.activeElement.id"),
            at,
            "{keys:?}"
        );
    }
    for turn in 0..60 {
        browser.wait(&format!("({OVER}) || {MY_TURN}"));
        if is_over(browser) {
            break;
        }
        let moves = browser.js("return document.querySelector('[data-moves]').dataset.moves");
        if turn == 0 {
            // Once by walking to a dot and on to its neighbour …
            browser.js("const p = document.getElementById('pt-b2'); p.tabIndex = 0; p.focus()");
            browser.keys(&["ArrowLeft", "Enter"]);
            browser.wait("document.querySelector('[name=picks]')?.value === 'a1'");
            browser.keys(&["ArrowRight", "Enter"]);
        } else {
            // … and then by typing.
            browser.keys(&["m"]);
            browser.wait("document.activeElement.id === 'typed'");
            let mv = legal_move(browser, turn);
            let keys: Vec<String> = mv.chars().map(String::from).collect();
            let mut keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            keys.push("Enter");
            browser.keys(&keys);
        }
        browser.wait(&format!(
            "document.querySelector('[data-moves]').dataset.moves !== {moves}"
        ));
        // The focus must not stay in a box that has gone.
        browser.js("document.activeElement.blur()");
    }
    assert!(is_over(browser));
    // Through the game, and the list of keys.
    browser.keys(&["ArrowLeft"]);
    browser.wait("/at=/.test(location.search)");
    browser.keys(&["?"]);
    browser.wait("document.getElementById('keys').open");
    check_axe(browser);
    browser.keys(&["Escape"]);
    browser.wait("!document.getElementById('keys').open");
}

/// On published GIPF the columns stand upright: up and down go along them.
#[test]
fn six_directions_where_columns_stand_upright() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    start_game(browser, "gipf-standard", "greedy", "standard");
    browser.js("const p = document.getElementById('pt-e5'); p.tabIndex = 0; p.focus()");
    for (keys, at) in [
        (&["ArrowUp"][..], "pt-e6"),
        (&["ArrowDown"], "pt-e5"),
        (&["Shift+ArrowUp"], "pt-e6"),
        (&["Shift+ArrowDown"], "pt-e5"),
        (&["ArrowRight"], "pt-f5"),
        (&["ArrowLeft"], "pt-e5"),
        (&["Shift+ArrowRight"], "pt-f4"),
        (&["Shift+ArrowLeft"], "pt-e5"),
    ] {
        browser.keys(keys);
        let focus = browser.js("return document.activeElement.id");
        assert_eq!(focus, at, "{keys:?}");
    }
    // e1 lies before White, in the middle.
    let box_of = |point: &str| {
        let at = browser.js(&format!(
            "const at = document.getElementById('pt-{point}').getBoundingClientRect();
             return [at.x, at.y].map(Math.round)"
        ));
        [0, 1].map(|i| at[i].as_i64().unwrap())
    };
    let [bottom, centre, top] = ["e1", "e5", "e9"].map(box_of);
    assert!(bottom[0] == centre[0] && centre[0] == top[0]);
    assert!(bottom[1] > centre[1] && centre[1] > top[1]);
    check_axe(browser);
}

/// Questions that are answered by Enter: the focus goes on to the next one, and to the board after
/// the last.
#[test]
fn the_focus_follows_the_questions() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    start_position(
        browser,
        "gipf-standard",
        "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W",
    );
    browser.wait("document.querySelector('.rows button')");
    let row = "document.activeElement.value?.startsWith('row ')";
    let question = "document.activeElement.matches('.rows button[value$=\" e5\"]')";
    let board = "document.activeElement.matches('.pt:not([aria-disabled])')";
    let picks = |count: usize| {
        browser.wait(&format!(
            "document.querySelector('[name=picks]').value.split(',').filter(Boolean).length === {count}"
        ));
    };
    browser.js("document.querySelector('.rows button').focus()");
    for (keys, count, focus) in [
        // The row, the piece where it crosses the other one, and once more for that one.
        (&["Enter"][..], 1, question),
        (&["Enter"], 2, question),
        (&["Enter"], 3, board),
        // Let go on the board: the point stays where it was, and need not be open now.
        (&["Escape"], 0, "document.activeElement.matches('.pt')"),
    ] {
        browser.keys(keys);
        picks(count);
        browser.wait(focus);
    }
    // And on a button.
    browser.js("document.querySelector('.rows button').focus()");
    browser.keys(&["Enter"]);
    picks(1);
    browser.wait(question);
    browser.keys(&["Escape"]);
    picks(0);
    browser.wait(row);
    // A step back by its button, until there is none.
    for count in 1..=3 {
        browser.keys(&["Enter"]);
        picks(count);
        browser.wait("document.activeElement !== document.body");
    }
    browser.js("document.getElementById('back-step').focus()");
    browser.keys(&["Enter"]);
    picks(2);
    browser.wait("document.activeElement.id === 'back-step'");
    browser.keys(&["Enter"]);
    picks(1);
    browser.wait(question);
}

/// A legal move of the game on the page, from the JSON interface.
fn legal_move(browser: &Browser, turn: usize) -> String {
    let moves = browser.js_async(
        "const done = arguments[arguments.length - 1];
         fetch('/api' + location.pathname).then(r => r.json()).then(g => done(g.moves));",
    );
    let moves = moves.as_array().cloned().unwrap_or_default();
    moves[turn % moves.len()].as_str().unwrap().to_string()
}

/// A link is as good as a button for the space bar.
#[test]
fn the_editor_hears_the_space_bar() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/edit?game=mmpawns");
    let label = "document.getElementById('pt-a8').getAttribute('aria-label')";
    assert_eq!(
        browser.js(&format!("return {label}")),
        "a8, piece of A: put A"
    );
    browser.js("const p = document.getElementById('pt-a8'); p.tabIndex = 0; p.focus()");
    browser.keys(&[" "]);
    browser.wait(&format!("{label} === 'a8, empty: put A'"));
}
