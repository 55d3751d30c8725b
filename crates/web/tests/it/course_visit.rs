//! The whole way through a course in a real browser: from the invitation to the grades.

use std::sync::Arc;

use course::roster;
use course::{Course, OpenCourse};
use web::CourseSite;

use crate::driver::{Browser, available};
use crate::fixtures::{COURSE, program};
use crate::visit::{check_axe, check_axe_only, check_width, fill, turn};

const ROSTER: &str = "name,id,role\nSteffi Staff,staff,staff\nAnna Ek,a,\n";

/// Looks at a page: no finding, and as wide as a window and a phone.
#[track_caller]
fn look(browser: &Browser) {
    check_axe(browser);
    browser.resize(400, 800);
    check_width(browser);
    check_axe_only(browser);
    browser.resize(1280, 900);
    check_width(browser);
}

/// Chooses a program of the tests in the form, and hands it in.
pub(crate) fn hand_in(browser: &Browser, file: &str) {
    let text = program(file);
    browser.go("/a/othello");
    browser.js(&format!(
        "const files = new DataTransfer();
         files.items.add(new File([{text:?}], {file:?}));
         document.querySelector('input[type=file]').files = files.files;"
    ));
    browser.click("form.card button.primary");
    browser.wait("location.pathname.startsWith('/v/')");
}

/// Opens a link and chooses a password.
pub(crate) fn come_in(browser: &Browser, secret: &str) {
    browser.go(&format!("/invite/{secret}"));
    look(browser);
    fill(browser, "password", "correct horse battery");
    fill(browser, "again", "correct horse battery");
    browser.click("form.card button.primary");
    browser.wait("location.pathname === '/'");
}

/// A course that is served, with people who have been invited.
pub(crate) struct Opened {
    pub(crate) open_course: Arc<OpenCourse>,
    /// The secrets of the invitations, in the order of the roster.
    pub(crate) secrets: Vec<String>,
    pub(crate) base: String,
    end: tokio::sync::oneshot::Sender<()>,
    server: tokio::task::JoinHandle<std::io::Result<()>>,
    runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

impl Opened {
    /// Serves the course of the tests, whose final references take part in.
    pub(crate) fn new(roster: &str) -> Opened {
        let folder = tempfile::tempdir().unwrap();
        let text = COURSE.replace(
            "[assignment.grade]",
            "[assignment.final]\nreferences = true\n\n[assignment.grade]",
        );
        std::fs::write(folder.path().join("course.toml"), text).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let course = Course::open(folder.path()).unwrap();
        let open_course = Arc::new(runtime.block_on(OpenCourse::open(course)).unwrap());
        let added = open_course
            .store
            .add(&roster::read(roster).unwrap())
            .unwrap();
        let secrets = added.into_iter().filter_map(|added| added.secret).collect();
        let (listener, address) = runtime
            .block_on(web::listen("127.0.0.1:0".parse().unwrap()))
            .unwrap();
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let stop = async { drop(ended.await) };
        let server = runtime.spawn(web::serve_course(
            listener,
            CourseSite::new(open_course.clone()),
            stop,
        ));
        Opened {
            open_course,
            secrets,
            base: format!("http://{address}"),
            end,
            server,
            runtime,
            _folder: folder,
        }
    }

    /// Closes it as it should be.
    pub(crate) fn close(self) {
        drop(self.end);
        self.runtime.block_on(self.server).unwrap().unwrap();
    }
}

#[test]
fn the_whole_way_through_a_course() {
    if !available() {
        return;
    }
    let _turn = turn();
    let course = Opened::new(ROSTER);
    let (open_course, secrets) = (&course.open_course, &course.secrets);
    let anna = Browser::open(&course.base);
    let steffi = Browser::open(&course.base);

    // Who is not known sees the door.
    anna.go("/a/othello");
    assert!(anna.address().contains("/login?to="), "{}", anna.address());
    look(&anna);
    come_in(&steffi, &secrets[0]);
    come_in(&anna, &secrets[1]);
    look(&anna);

    // A wrong program, live: the page says what and where.
    anna.go("/a/othello");
    look(&anna);
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
    let pseudonym = open_course
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
    anna.click("a[href$='/finals/1']");
    anna.wait("location.pathname === '/a/othello/finals/1'");
    look(&anna);
    anna.click("a[href^='/f/']");
    anna.wait("location.pathname.startsWith('/f/')");
    look(&anna);
    anna.go("/a/othello/grade");
    assert!(anna.text().contains("50.0"), "{}", anna.text());
    look(&anna);
    anna.go("/a/othello/faults");
    look(&anna);
    anna.go("/me");
    look(&anna);
    anna.click("form[action='/me/tokens'] button");
    anna.wait("location.pathname === '/me/tokens'");
    look(&anna);
    anna.click("form[action='/logout'] button");
    anna.wait("location.pathname === '/login'");
    drop((anna, steffi));
    course.close();
}
