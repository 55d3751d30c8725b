//! The pictures of the README and of the documentation: `cargo xtask screenshots` runs this.

use std::path::PathBuf;

use crate::course_visit::{Opened, come_in, hand_in};
use crate::driver::{Browser, available};
use crate::fixtures::upload;
use crate::visit::{fill, start_game, turn, visit};

/// A game with some mistakes in it.
const GAME: &str =
    "d3c5e6d2c6f4c4f6f5d6e7g4f3e3g6e8c2g5h4c3h6h5d7h3h2d8f7b6b5a5c8f8b7f2d1c7g8a8b4g3";

/// Where the pictures go.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("LUDEX_SCREENSHOTS").map(PathBuf::from);
    if folder.is_none() {
        println!("left out: LUDEX_SCREENSHOTS names no folder");
    }
    folder
}

#[test]
fn screenshots() {
    let Some(folder) = folder() else { return };
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    let picture = |name: &str| browser.screenshot(&folder.join(format!("{name}.png")));
    browser.resize(1200, 860);

    browser.go("/analyse");
    fill(browser, "text", GAME);
    browser.click("form.card button.primary");
    browser.wait("document.querySelectorAll('.graph .dot').length === 41");
    browser.go(&format!("{}?at=20", browser.address()));
    // Far enough that the values mean something.
    let depths = "[...document.querySelectorAll('#part-table tbody tr td:nth-child(3)')]";
    browser.wait_long(&format!(
        "{depths}.length && {depths}.every(d => Number(d.innerText) >= 8)"
    ));
    browser.wait_long("document.querySelectorAll('#part-moves .tag').length > 1");
    picture("analyse");

    start_game(browser, "gipf", "greedy", "4 4 15 15");
    for mv in ["a5-b5", "i5-h5", "e1-e2", "b6-c6", "i4-h4"] {
        play(browser, mv);
    }
    picture("play");

    browser.go("/tournaments/new");
    for name in ["[value='minimax:2']", "[name=program]"] {
        browser.click(name);
    }
    fill(browser, "pairs", "4");
    browser.click("form.card button.primary");
    browser.wait_long("/finished/.test(document.getElementById('status')?.innerText ?? '')");
    picture("tournament");
    browser
        .js("[...document.querySelectorAll('table a')].find(a => a.innerText === 'echo').click()");
    browser.wait("location.pathname.includes('/players/')");
    browser.click("table a[href*='at=']");
    browser.wait("document.body.innerText.includes('Arguments')");
    picture("verdict");

    browser.go("/solved");
    browser.click("button[value='3 3 5 5']");
    browser.wait_long("document.querySelector('a[href=\"/solved/3-3-5-5\"]')");
    browser.go("/solved/3-3-5-5/random?kind=only&seed=3");
    picture("solved");

    browser.resize(390, 844);
    browser.scheme("dark");
    start_game(browser, "reversi", "greedy", "start");
    for mv in ["d3", "e3", "c4"] {
        play(browser, mv);
    }
    picture("phone");
}

/// The pictures of a course.
#[test]
fn screenshots_of_a_course() {
    let Some(folder) = folder().filter(|_| available()) else {
        return;
    };
    let _turn = turn();
    let names = "Ada Byron,Emil Post,Grace Murray,Kurt Friedrich,Sofja Korwin";
    let mut roster = "name,id,role\nSteffi Staff,staff,staff\nAnna Ek,anna,\n".to_string();
    for (number, name) in names.split(',').enumerate() {
        roster += &format!("{name},s{number},\n");
    }
    let course = Opened::new(&roster);
    let (open_course, secrets) = (&course.open_course, &course.secrets);
    let browser = Browser::open(&course.base);
    let picture = |name: &str| browser.screenshot(&folder.join(format!("{name}.png")));
    browser.resize(1200, 860);
    // Others are there already.
    for person in open_course.store.people().unwrap() {
        if let Some(number) = person
            .login
            .strip_prefix('s')
            .and_then(|n| n.parse::<u32>().ok())
        {
            let file = upload(if number % 2 == 0 { "good.c" } else { "other.c" });
            open_course
                .hand_in(
                    &person,
                    &open_course.course.assignments[0],
                    &[file],
                    &open_course.arriving(),
                )
                .unwrap();
        }
    }
    come_in(&browser, &secrets[1]);
    browser.resize(1200, 860);
    browser.go("/a/othello");
    picture("course-hand-in");
    hand_in(&browser, "wrong.c");
    browser.wait_long("document.body.innerText.includes('cases failed')");
    picture("course-verdict");
    hand_in(&browser, "good.c");
    browser.wait_long("document.querySelector('.tag.good')?.innerText === 'active'");
    for _ in 0..1200 {
        browser.go("/a/othello/ladder");
        let rated = "return [...document.querySelectorAll('tbody tr td:nth-child(4)')].every(d => d.innerText !== '–')";
        if browser.js(rated) == true {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    picture("course-ladder");
    browser.go("/a/othello/grade");
    picture("course-grade");
    browser.go("/me");
    browser.click("form[action='/logout'] button");
    browser.wait("location.pathname === '/login'");
    come_in(&browser, &secrets[0]);
    browser.resize(1200, 860);
    browser.go("/staff/a/othello");
    picture("course-staff");
    drop(browser);
    course.close();
}

/// Types a move if it is legal, else makes the first one that is; waits for the reply.
fn play(browser: &Browser, mv: &str) {
    let before = browser.js("return document.querySelector('[data-moves]').dataset.moves");
    let legal = browser.js_async(&format!(
        "const done = arguments[arguments.length - 1];
         fetch('/api' + location.pathname).then(r => r.json())
            .then(g => done(g.moves.includes({mv:?}) ? {mv:?} : g.moves[0]));"
    ));
    fill(browser, "move", legal.as_str().unwrap());
    browser.click(".typed button");
    browser.wait(&format!(
        "Number(document.querySelector('[data-moves]').dataset.moves) === Number({before}) + 2"
    ));
}
