//! The whole way through a course in a real browser: from the invitation to the grades.

use std::path::Path;
use std::sync::Arc;

use course::roster;
use course::{Course, Office};

use crate::driver::{Browser, available};
use crate::visit::{check_axe, check_axe_only, check_width, fill, turn};

const COURSE: &str = r#"
name = "Games 101"

[[assignment]]
id = "othello"
title = "An Othello player"
program = "othello"

[assignment.check]
generated = 2

[[assignment.reference]]
bot = "random"
points = 10

[assignment.ladder]
games = 4

[assignment.final]
references = true

[assignment.grade]
cases = 50
rank-bonus = 10
"#;

const ROSTER: &str = "name,id,role\nSteffi Staff,staff,staff\nAnna Ek,a,\n";

/// Looks at a page: no serious finding, and as wide as a window and a phone.
#[track_caller]
fn look(browser: &Browser) {
    check_axe(browser);
    browser.resize(400, 800);
    check_width(browser);
    check_axe_only(browser);
    browser.resize(1280, 900);
    check_width(browser);
}

/// Chooses a file of the tests of the crate `course` in the form, and hands it in.
fn hand_in(browser: &Browser, file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../course/tests/data")
        .join(file);
    let text = std::fs::read_to_string(path).unwrap();
    browser.go("/a/othello");
    look(browser);
    browser.js(&format!(
        "const files = new DataTransfer();
         files.items.add(new File([{text:?}], {file:?}));
         document.querySelector('input[type=file]').files = files.files;"
    ));
    browser.click("form.card button.primary");
    browser.wait("location.pathname.startsWith('/v/')");
}

/// Opens a link and chooses a password.
fn come_in(browser: &Browser, secret: &str) {
    browser.go(&format!("/invite/{secret}"));
    look(browser);
    fill(browser, "password", "correct horse battery");
    fill(browser, "again", "correct horse battery");
    browser.click("form.card button.primary");
    browser.wait("location.pathname === '/'");
}

#[test]
fn the_whole_way_through_a_course() {
    if !available() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("course.toml"), COURSE).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let course = Course::open(folder.path()).unwrap();
    let office = Arc::new(runtime.block_on(Office::open(course)).unwrap());
    let added = office.store.add(&roster::read(ROSTER).unwrap()).unwrap();
    let secrets: Vec<String> = added.into_iter().filter_map(|added| added.secret).collect();
    let (listener, address) = runtime
        .block_on(web::listen("127.0.0.1:0".parse().unwrap()))
        .unwrap();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let stop = async { drop(ended.await) };
    let server = runtime.spawn(web::serve_course(listener, office.clone(), stop));
    let anna = Browser::open(&format!("http://{address}"));
    let steffi = Browser::open(&format!("http://{address}"));

    // Who is not known sees the door.
    anna.go("/a/othello");
    assert!(anna.address().contains("/login?to="), "{}", anna.address());
    look(&anna);
    come_in(&steffi, &secrets[0]);
    come_in(&anna, &secrets[1]);
    look(&anna);

    // A wrong program, live: the page says what and where.
    hand_in(&anna, "broken.c");
    anna.wait_long("document.body.innerText.includes('not built')");
    anna.wait("document.body.innerText.includes('no_such_thing')");
    look(&anna);
    // One that answers wrongly.
    hand_in(&anna, "wrong.c");
    anna.wait_long("document.body.innerText.includes('cases failed')");
    assert!(anna.text().contains("To see it at home"));
    look(&anna);
    // A right one.
    hand_in(&anna, "good.c");
    anna.wait_long("document.querySelector('.tag.good')?.innerText === 'active'");
    look(&anna);
    anna.click("a[href^='/g/']");
    anna.wait("location.pathname.startsWith('/g/')");
    look(&anna);

    // The ladder, and a challenge.
    anna.go("/a/othello/ladder");
    let pseudonym = office
        .store
        .people()
        .unwrap()
        .iter()
        .find(|p| p.login == "a")
        .unwrap()
        .pseudonym
        .clone();
    assert!(anna.text().contains(&pseudonym) && !anna.text().contains("Anna"));
    look(&anna);
    anna.click("form[action$='/challenge'] button");
    anna.wait("document.body.innerText.includes('Your challenges')");
    for _ in 0..240 {
        if ["won", "lost", "drawn"]
            .iter()
            .any(|word| anna.text().contains(&format!("\t{word}")))
        {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
        anna.go("/a/othello/ladder");
    }
    look(&anna);

    // Staff play the final, everybody sees it and the grade.
    steffi.go("/staff");
    look(&steffi);
    steffi.go("/staff/a/othello");
    look(&steffi);
    steffi.click("form[action$='/final'] button");
    steffi.wait("location.pathname === '/a/othello/final'");
    for _ in 0..240 {
        anna.go("/a/othello/final");
        if anna.js("return document.querySelector('main .tag.good')?.innerText") == "over" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    assert!(anna.text().contains("Final 1"), "{}", anna.text());
    look(&anna);
    anna.go("/a/othello/grade");
    assert!(anna.text().contains("50.0"), "{}", anna.text());
    look(&anna);
    anna.go("/a/othello/faults");
    look(&anna);
    anna.go("/me");
    look(&anna);
    anna.click("form[action='/logout'] button");
    anna.wait("location.pathname === '/login'");
    drop((anna, steffi));
    drop(end);
    runtime.block_on(server).unwrap().unwrap();
}
