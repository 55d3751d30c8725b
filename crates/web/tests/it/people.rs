//! Games between two people: each has a cookie, and nothing else is needed.

use axum::body::Body;
use axum::http::{Request, header};
use web::Config;

use crate::client::{Answer, Client};

/// Somebody with a browser.
struct Person<'a> {
    client: &'a Client,
    key: &'a str,
}

impl Person<'_> {
    async fn get(&self, path: &str) -> String {
        let request = Request::get(path)
            .header(header::HOST, "localhost")
            .header(header::COOKIE, format!("ludex_visitor={}", self.key));
        let answer = self.client.send(request.body(Body::empty()).unwrap());
        answer.await.ok()
    }

    async fn post(&self, path: &str, form: &str) -> Answer {
        let request = Request::post(path)
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::COOKIE, format!("ludex_visitor={}", self.key));
        let request = request.body(Body::from(form.to_string())).unwrap();
        self.client.send(request).await
    }
}

fn people(client: &Client) -> [Person<'_>; 3] {
    ["anna", "ben", "eve"].map(|key| Person { client, key })
}

/// An even seed seats whoever begins the game on the first side.
const INVITATION: &str = "game=reversi&side=link&name=Anna&seed=2&clock=300";

async fn begin(anna: &Person<'_>, ben: &Person<'_>) -> String {
    let address = anna.post("/play", INVITATION).await.location();
    let join = ben.post(&format!("{address}/join"), "name=Ben").await;
    assert_eq!(join.location(), address);
    address
}

#[tokio::test]
async fn a_game_by_link() {
    let client = Client::new().await;
    let [anna, ben, eve] = people(&client);
    let address = anna.post("/play", INVITATION).await.location();
    let page = anna.get(&address).await;
    assert!(
        page.contains(&format!("value=\"http://localhost{address}\"")),
        "{page}"
    );
    let early = anna.post(&format!("{address}/move"), "move=d3").await;
    assert!(early.fails(422).contains("the opponent has not come yet"));
    let page = ben.get(&address).await;
    assert!(
        page.contains("Anna</strong> invites you to a game of Reversi"),
        "{page}"
    );
    assert!(page.contains("You would play <strong>White"), "{page}");
    ben.post(&format!("{address}/join"), "name=Ben")
        .await
        .location();
    // Whoever comes later watches.
    let late = eve.post(&format!("{address}/join"), "name=Eve").await;
    assert!(late.fails(422).contains("you can watch this game"));
    assert!(eve.get(&address).await.contains("You are watching"));
    let meddling = eve.post(&format!("{address}/move"), "move=d3").await;
    assert!(meddling.fails(422).contains("you are watching this game"));
    // Each moves for one side.
    let wrong = ben.post(&format!("{address}/move"), "move=d3").await;
    assert!(wrong.fails(422).contains("it is the opponent"));
    anna.post(&format!("{address}/move"), "move=d3")
        .await
        .location();
    assert!(ben.get(&address).await.contains("White to move"));
    ben.post(&format!("{address}/move"), "move=c5")
        .await
        .location();
    ben.post(&format!("{address}/undo"), "").await.fails(422);
    let page = anna.get(&address).await;
    assert!(
        page.contains("Anna (you)") && page.contains("Ben"),
        "{page}"
    );
    eve.post(&format!("{address}/resign"), "sure=1")
        .await
        .fails(422);
    ben.post(&format!("{address}/resign"), "sure=1")
        .await
        .location();
    assert!(anna.get(&address).await.contains("You won: White resigned"));
    assert!(ben.get(&address).await.contains("You lost: White resigned"));
    assert!(
        eve.get(&address)
            .await
            .contains("Black wins: White resigned")
    );
}

#[tokio::test]
async fn a_draw_is_offered_and_agreed_on() {
    let client = Client::new().await;
    let [anna, ben, eve] = people(&client);
    let address = begin(&anna, &ben).await;
    // Engines help nobody, however they are asked.
    assert!(
        !anna
            .get(&format!("{address}?hint=1"))
            .await
            .contains("A good move")
    );
    let hint = anna.get(&format!("/api{address}/hint")).await;
    assert_eq!(hint, "{\"move\":null}");
    let draw = format!("{address}/draw");
    anna.post(&draw, "").await.location();
    assert!(
        ben.get(&address)
            .await
            .contains("Your opponent offers a draw")
    );
    assert!(anna.get(&address).await.contains("You have offered a draw"));
    // A move or a word declines it.
    ben.post(&format!("{address}/decline"), "").await.location();
    assert!(!ben.get(&address).await.contains("offers a draw"));
    anna.post(&format!("{address}/move"), "move=d3")
        .await
        .location();
    anna.post(&draw, "").await.location();
    ben.post(&format!("{address}/move"), "move=c5")
        .await
        .location();
    assert!(!ben.get(&address).await.contains("offers a draw"));
    ben.post(&draw, "").await.location();
    eve.post(&draw, "").await.fails(422);
    anna.post(&draw, "").await.location();
    let page = eve.get(&address).await;
    assert!(
        page.contains("Draw: White offered it, Black agreed"),
        "{page}"
    );
}

#[tokio::test]
async fn a_rematch_begins_when_both_want_it() {
    let client = Client::new().await;
    let [anna, ben, _] = people(&client);
    let address = begin(&anna, &ben).await;
    let again = format!("{address}/rematch");
    anna.post(&again, "").await.fails(422);
    anna.post(&format!("{address}/resign"), "sure=1")
        .await
        .location();
    assert_eq!(anna.post(&again, "").await.location(), address);
    assert!(
        ben.get(&address)
            .await
            .contains("Your opponent wants to play again")
    );
    let next = ben.post(&again, "").await.location();
    assert_ne!(next, address);
    assert!(
        anna.get(&address)
            .await
            .contains(&format!("href=\"{next}\""))
    );
    // Sides are exchanged.
    assert!(
        ben.get(&next)
            .await
            .contains("Black</strong> <span>Ben (you)")
    );
    ben.post(&format!("{next}/move"), "move=d3")
        .await
        .location();
    assert!(anna.get(&next).await.contains("White to move"));
}

#[tokio::test]
async fn a_game_between_people_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let config = || Config {
        database: Some(folder.path().join("site.sqlite")),
        ..Config::default()
    };
    let client = Client::with(config()).await;
    let [anna, ben, _] = people(&client);
    let address = begin(&anna, &ben).await;
    anna.post(&format!("{address}/move"), "move=d3")
        .await
        .location();
    drop(client);
    let client = Client::with(config()).await;
    let [anna, ben, _] = people(&client);
    ben.post(&format!("{address}/move"), "move=c5")
        .await
        .location();
    assert!(anna.get(&address).await.contains("Black to move"));
    assert!(
        anna.get("/play/games")
            .await
            .contains("Reversi: Anna – Ben")
    );
}

/// Both halves of a double click are sent.
#[tokio::test]
async fn a_game_that_is_asked_for_twice_is_begun_once() {
    let client = Client::new().await;
    let [anna, ben, _] = people(&client);
    let begin = async |form: &str| anna.post("/play", form).await.location();
    for form in [
        INVITATION,
        "game=reversi&side=second&bot=greedy&seed=2",
        "game=gipf&side=none&bot=greedy&seed=2",
    ] {
        let (first, second) = tokio::join!(begin(form), begin(form));
        assert_eq!(first, second, "{form}");
        let other = begin(&form.replace("seed=2", "seed=4")).await;
        assert_ne!(other, first, "another form");
        let other = ben.post("/play", form).await.location();
        assert_ne!(other, first, "another visitor");
    }
    let list = client.get("/play/games").await.ok();
    assert_eq!(list.matches("?ask=delete").count(), 9);
    // Who sends no number has seen no form.
    let form = "game=reversi&side=both";
    assert_ne!(begin(form).await, begin(form).await);

    let form = "game=reversi&side=both&seed=2";
    let address = begin(form).await;
    let moved = anna.post(&format!("{address}/move"), "move=d3").await;
    assert_eq!(moved.location(), address);
    assert_ne!(begin(form).await, address, "a game that is being played");

    let resigned = anna.post(&format!("{address}/resign"), "sure=yes").await;
    assert_eq!(resigned.location(), address);
    let rematch = format!("{address}/rematch");
    let again = async || anna.post(&rematch, "").await.location();
    let (first, second) = tokio::join!(again(), again());
    assert_eq!(first, second);
    let moved = anna.post(&format!("{first}/move"), "move=d3").await;
    assert_eq!(moved.location(), first);
    assert_ne!(again().await, first, "a game that is being played");
}
