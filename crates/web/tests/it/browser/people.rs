//! Two people, and a server that does not answer.

use web::Config;

use crate::visit::{
    MY_TURN, OVER, check_axe, check_axe_only, check_width, fill, visit, visit_from,
};

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

/// The server is started anew in the middle of a game: nobody reloads, and nothing is lost; somebody
/// else watches, and the game is in the library at its end.
#[test]
fn a_game_between_two_people_survives_a_restart_while_somebody_watches() {
    let folder = tempfile::tempdir().unwrap();
    let config = || Config {
        database: Some(folder.path().join("site.sqlite")),
        ..Config::default()
    };
    let Some(mut visit) = visit_from("127.0.0.1", config()) else {
        return;
    };
    let (ben, eve) = (visit.another(), visit.another());
    let moves = |count: usize| {
        format!("document.querySelector('[data-moves]')?.dataset.moves === '{count}'")
    };
    let anna = &visit.browser;
    anna.go("/play?game=reversi&side=link&clock=900&seed=2&name=Anna");
    anna.click("form.card button.primary");
    anna.wait("document.getElementById('invitation')");
    let game = anna.address();
    ben.go(&game);
    ben.wait("document.querySelector('form[action$=\"/join\"]')");
    fill(&ben, "name", "Ben");
    ben.click("form[action$='/join'] button");
    ben.wait("document.querySelector('[data-moves]')");
    eve.go(&game);
    eve.wait("/You are watching/.test(document.body.innerText)");
    anna.wait(MY_TURN);
    anna.click("#pt-d3");
    for browser in [anna, &ben, &eve] {
        browser.wait(&moves(1));
    }
    visit.stop_server();
    for browser in [&visit.browser, &ben, &eve] {
        browser.wait("!document.getElementById('trouble').hidden");
    }
    // Ben moves while nobody listens.
    ben.click("#pt-c5");
    ben.wait("/What you entered is kept/.test(document.getElementById('trouble').innerText)");
    visit.reopen(config());
    visit.start_server();
    for browser in [&visit.browser, &ben, &eve] {
        browser.wait(&moves(2));
        browser.wait("document.getElementById('trouble').hidden");
    }
    let anna = &visit.browser;
    anna.wait(MY_TURN);
    anna.click("form[action$='/resign'] button");
    anna.wait("document.querySelector('.ask')");
    anna.click(".ask button.primary");
    for browser in [anna, &ben, &eve] {
        browser.wait(OVER);
    }
    eve.go("/library?player=Anna&opponent=Ben");
    eve.wait("/^1 game White won 1|^1 game Black won 0/.test(document.getElementById('status').innerText)");
}
