//! The site in a real browser, as people use it.

use serde_json::Value;

use crate::driver::Browser;
use crate::reviews::late_game;
use crate::visit::{
    MY_TURN, OVER, check_axe, check_axe_only, check_width, fill, start_game, visit,
};

fn is_over(browser: &Browser) -> bool {
    browser.js(&format!("return {OVER}")) == Value::Bool(true)
}

/// Reloads the page, and finds everything as it was.
#[track_caller]
fn reload(browser: &Browser) {
    let status = "return document.getElementById('status').innerText";
    let text = browser.js(status);
    browser.js("window.old = true; location.reload()");
    browser.wait("!window.old && document.readyState === 'complete'");
    assert_eq!(browser.js(status), text);
}

/// Plays with the mouse until the game is over.
#[track_caller]
fn play_by_mouse(browser: &Browser, most: usize) {
    let moves = "document.querySelector('[data-moves]').dataset.moves";
    let picks = "(document.querySelector('[name=picks]')?.value ?? null)";
    for turn in 0..most {
        browser.wait(&format!("({OVER}) || {MY_TURN}"));
        if is_over(browser) {
            assert!(turn > 1);
            return;
        }
        if turn == 2 {
            reload(browser);
        }
        let before = browser.js(&format!("return {moves}"));
        // A move takes several clicks in some games; a pass has a button of its own.
        while browser.js(&format!("return {moves}")) == before {
            let picked = browser.js(&format!("return {picks}"));
            // Rows that cross come first, then whatever is open, not always the same.
            let target = browser.js(&format!(
                "if (document.querySelector('.typed button.primary')) return '.typed button.primary';
                 if (document.querySelector('.rows button')) return '.rows button';
                 const open = [...document.querySelectorAll('.pt:not([aria-disabled])')];
                 return '#' + open[{picks} ? 0 : {turn} % open.length].id;"
            ));
            browser.click(target.as_str().unwrap());
            browser.wait(&format!("{moves} !== {before} || {picks} !== {picked}"));
        }
    }
    panic!("the game is not over after {most} turns");
}

#[test]
fn reversi_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/");
    check_axe(browser);
    start_game(browser, "reversi", "greedy", "start");
    check_axe(browser);
    play_by_mouse(browser, 70);
    check_axe(browser);
    reload(browser);
    // Back through the game, and on from an earlier address.
    browser.click(".steps [data-key=ArrowLeft]");
    browser.wait("/at=/.test(location.search)");
    reload(browser);
}

#[test]
fn gipf_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    start_game(browser, "gipf", "greedy", "3 3 6 6");
    check_axe(browser);
    play_by_mouse(browser, 80);
    check_axe(browser);
}

#[test]
fn mmpawns_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    start_game(browser, "mmpawns", "greedy", "random");
    check_axe(browser);
    play_by_mouse(browser, 80);
    check_axe(browser);
}

#[test]
fn rows_that_cross_are_taken_by_a_click() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/play?game=gipf");
    fill(
        browser,
        "position",
        "3 3 12 12 7 6 W WW_/_BWB/_BW_B/W___/_B_",
    );
    fill(browser, "bot", "greedy");
    browser.click("form.card button.primary");
    for (point, picks) in [("a3", "a3"), ("b4", "a3,b4")] {
        browser.click(&format!("#pt-{point}"));
        browser.wait(&format!(
            "document.querySelector('[name=picks]')?.value === '{picks}'"
        ));
    }
    browser.wait("document.querySelectorAll('g.row').length === 2");
    check_axe(browser);
    // The board is the one after the push, and says whose rows they are.
    let stone = browser.js("return document.getElementById('pt-b4').getAttribute('aria-label')");
    assert!(stone.as_str().unwrap().starts_with("b4, white"), "{stone}");
    let legend = browser.js("return document.querySelector('.rows legend').innerText");
    assert_eq!(legend, "Rows of White cross. Which comes off first?");
    // A step back, and on again.
    browser.js("[...document.querySelectorAll('a.button')].find(a => a.innerText === 'Back a step').click()");
    browser.wait("document.querySelector('[name=picks]')?.value === 'a3'");
    browser.click("#pt-b4");
    browser.wait("document.querySelectorAll('g.row').length === 2");
    // The stone where they cross does not say which; one at an end does.
    browser.click("#pt-d6");
    browser.wait("/several rows cross/.test(document.querySelector('.problem')?.innerText ?? '')");
    browser.click("#pt-b4");
    browser.wait("document.querySelector('[data-moves]').dataset.moves > 0");
    let moves = browser.js("return document.querySelector('.moves').innerText");
    assert!(moves.as_str().unwrap().contains("w: b4 d6"), "{moves}");
}

#[test]
fn published_gipf_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/play?game=gipf-standard");
    check_axe(browser);
    // Few pieces in reserve: a short game, in which GIPF-pieces may be brought in as well.
    fill(
        browser,
        "position",
        "tournament 5+ 5+ W W__B/_____/______/B_____W/______/_____/W__B",
    );
    fill(browser, "bot", "greedy");
    browser.click("form.card button.primary");
    browser.wait(MY_TURN);
    check_axe(browser);
    play_by_mouse(browser, 80);
    check_axe(browser);
}

/// Taps on an element with a finger.
fn tap(browser: &Browser, css: &str) {
    let at = browser.js(&format!(
        "const at = document.querySelector('{css}');
         at.scrollIntoView({{block: 'center'}});
         const box = at.getBoundingClientRect();
         return {{x: box.x + box.width / 2, y: box.y + box.height / 2}};"
    ));
    let touch = |kind: &str, points: Value| {
        let params = serde_json::json!({ "type": kind, "touchPoints": points });
        browser.devtools("Input.dispatchTouchEvent", &params);
    };
    touch("touchStart", serde_json::json!([at]));
    touch("touchEnd", serde_json::json!([]));
}

/// Rows that cross on a GIPF-piece: which goes first, whether the piece stays, and then the push,
/// by mouse, keyboard and touch.
#[test]
fn rows_and_kept_pieces_are_entered_step_by_step() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    let picks = |picks: &str| {
        browser.wait(&format!(
            "document.querySelector('[name=picks]')?.value === '{picks}'"
        ));
    };
    let stands = |point: &str, what: &str| {
        let label = format!("document.getElementById('pt-{point}').getAttribute('aria-label')");
        browser.wait(&format!("{label}.startsWith('{point}, {what}')"));
    };
    let start = || {
        browser.go("/play?game=gipf-standard");
        fill(
            browser,
            "position",
            "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W",
        );
        fill(browser, "bot", "greedy");
        browser.click("form.card button.primary");
        browser.wait("document.querySelectorAll('g.row').length === 2");
    };
    let played = |mv: &str| {
        browser.wait("document.querySelector('[data-moves]').dataset.moves > 0");
        let moves = browser.js("return document.querySelector('.moves').innerText");
        assert!(moves.as_str().unwrap().contains(mv), "{moves}");
    };
    // By mouse.
    start();
    check_axe(browser);
    browser.click("#pt-e5");
    browser.wait("/several rows cross/.test(document.querySelector('.problem')?.innerText ?? '')");
    browser.click("#pt-c3");
    picks("c3");
    browser.wait("/stay/.test(document.querySelector('.rows legend').innerText)");
    check_axe(browser);
    browser.click("#pt-e5");
    picks("c3,e5");
    // The row has gone, the piece has stayed, and belongs to another row.
    stands("c3", "empty");
    stands("e5", "white, stacked");
    browser.click(".rows button[value='take e5']");
    picks("c3,e5,take e5");
    stands("e7", "empty");
    browser.click("#pt-e1");
    picks("c3,e5,take e5,e1");
    // Another dot instead.
    browser.click("#pt-d1");
    picks("c3,e5,take e5,d1");
    browser.click("#pt-d2");
    played("xc3,d4,e4,Ge5,e6,e7,f5;d1-d2");
    // By keyboard.
    start();
    browser.js("document.querySelector('.rows button').focus()");
    browser.keys(&["Enter"]);
    browser.wait("document.querySelector('.rows button[value=\"keep e5\"]')");
    browser.js("const p = document.getElementById('pt-d4'); p.tabIndex = 0; p.focus()");
    browser.keys(&["ArrowRight", "Enter"]);
    browser.wait("document.querySelector('[name=picks]')?.value.endsWith('e5')");
    browser.js("document.querySelector('.rows button[value=\"keep e5\"]').focus()");
    browser.keys(&["Enter"]);
    browser.wait("!document.querySelector('.rows')");
    browser.js("const p = document.getElementById('pt-e1'); p.tabIndex = 0; p.focus()");
    browser.keys(&["Enter"]);
    browser.wait("document.querySelector('[name=picks]')?.value.endsWith('e1')");
    browser.keys(&["ArrowUp"]);
    browser.js("document.getElementById('pt-e2').focus()");
    browser.keys(&["Enter"]);
    played("xc3,d4,e4,e6,e7,f5,=Ge5;e1-e2");
    // With a finger, on a phone.
    browser.resize(390, 844);
    start();
    check_width(browser);
    for (target, then) in [
        ("#pt-c3", "c3"),
        (".rows button:last-of-type", "c3,take e5"),
        ("#pt-e1", "c3,take e5,e1"),
    ] {
        tap(browser, target);
        picks(then);
        check_width(browser);
    }
    tap(browser, "#pt-e2");
    played("xc3,d4,Ge5,f5;e1-e2");
    // The game can be analysed with such moves in its address.
    browser.click("details.more summary");
    browser.click(".links a[href^='/analyse/game']");
    browser.wait("/xc3.d4.Ge5.f5/.test(decodeURIComponent(location.search))");
    browser.wait("document.querySelector('#part-board')");
    check_axe(browser);
}

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

/// A legal move of the game on the page, from the JSON interface.
fn legal_move(browser: &Browser, turn: usize) -> String {
    let moves = browser.js_async(
        "const done = arguments[arguments.length - 1];
         fetch('/api' + location.pathname).then(r => r.json()).then(g => done(g.moves));",
    );
    let moves = moves.as_array().cloned().unwrap_or_default();
    moves[turn % moves.len()].as_str().unwrap().to_string()
}

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
    browser.wait("!document.body.innerText.includes('at work') && /games reviewed/.test(document.body.innerText)");
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
    for game in ["reversi", "gipf", "mmpawns"] {
        browser.go(&format!("/play?game={game}"));
        check_width(browser);
        let bottom = browser.js(
            "return document.querySelector('form.card button.primary').getBoundingClientRect().bottom",
        );
        assert!(bottom.as_f64().unwrap() < 844.0, "{game}: {bottom}");
    }
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

/// Two people at two devices, and the clock of each.
#[test]
fn two_people_play_by_link() {
    let Some(visit) = visit() else { return };
    let (anna, ben) = (&visit.browser, visit.another());
    anna.go("/play?game=reversi&side=link&clock=300&seed=2&name=Anna");
    anna.click("form.card button.primary");
    anna.wait("document.getElementById('invitation')");
    check_axe(anna);
    ben.resize(390, 844);
    ben.go(&anna.address());
    ben.wait("document.querySelector('form[action$=\"/join\"]')");
    check_axe(&ben);
    check_width(&ben);
    fill(&ben, "name", "Ben");
    ben.click("form[action$='/join'] button");
    ben.wait("document.querySelector('[data-moves]')");
    // Nobody reloads: what one does, the other sees.
    for (turn, mv) in ["d3", "c5", "e6", "d2"].into_iter().enumerate() {
        let [mover, other] = if turn % 2 == 0 {
            [anna, &ben]
        } else {
            [&ben, anna]
        };
        mover.wait(MY_TURN);
        mover.click(&format!("#pt-{mv}"));
        let shown = format!(
            "document.querySelector('[data-moves]').dataset.moves === '{}'",
            turn + 1
        );
        mover.wait(&shown);
        other.wait(&shown);
    }
    check_axe(anna);
    check_width(&ben);
    ben.click("form[action$='/draw'] button");
    anna.wait("/offers a draw/.test(document.querySelector('.ask')?.innerText ?? '')");
    check_axe(anna);
    anna.click(".ask button.primary");
    anna.wait(OVER);
    ben.wait(OVER);
    anna.click("form[action$='/rematch'] button");
    ben.wait("/wants to play again/.test(document.body.innerText)");
    ben.click("form[action$='/rematch'] button");
    ben.wait(MY_TURN);
    anna.wait("/To the next game/.test(document.body.innerText)");
}

/// A server that has died is not passed over in silence, and the move is not lost.
#[test]
fn a_move_waits_for_a_server_that_does_not_answer() {
    let Some(mut visit) = visit() else { return };
    visit.browser.go("/play?game=reversi&side=both");
    visit.browser.click("form.card button.primary");
    visit.browser.wait(MY_TURN);
    visit.stop_server();
    visit
        .browser
        .wait("!document.getElementById('trouble').hidden");
    visit.browser.click("#pt-d3");
    visit
        .browser
        .wait("/What you entered is kept/.test(document.getElementById('trouble').innerText)");
    check_axe_only(&visit.browser);
    visit.start_server();
    visit
        .browser
        .wait("document.querySelector('[data-moves]').dataset.moves === '1'");
    visit
        .browser
        .wait("document.getElementById('trouble').hidden");
}
