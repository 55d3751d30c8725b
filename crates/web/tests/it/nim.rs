//! A game that is defined and registered here, in one place, is playable everywhere: by every
//! bot, in a match, in a tournament and on the site. All other tests of this binary run with
//! it on the list.

use bots::BotSpec;
use games::linkme::distributed_slice;
use games::{About, Algorithm, AnyPosition, Argument, Definition, GameName};
use referee::{Ending, GameSetup, Score};
use rules::Side;
use rules::doc_example::Nim;
use search::Limits;
use tournament::{RawConfig, RunOptions, Store};

use crate::client::Client;

/// The toy game of the crate `rules`: take one or two stones, who takes the last one wins.
struct TakeAway;

impl Definition for TakeAway {
    type Position = Nim;

    const ABOUT: About = About {
        summary: "Take one or two stones. The last one wins.",
        ..About::new("Nim")
    };

    fn start() -> Nim {
        let side = Side::First;
        Nim { stones: 11, side }
    }
}

#[distributed_slice(games::EXTENSIONS)]
#[linkme(crate = games::linkme)]
static NIM: GameName = GameName::of::<TakeAway>();

#[test]
fn it_is_one_of_the_games() {
    let nim: GameName = "nim".parse().unwrap();
    assert_eq!(nim, NIM);
    assert_eq!(GameName::all().last(), Some(NIM));
    assert_eq!(serde_json::to_string(&nim).unwrap(), "\"nim\"");
    assert_eq!(AnyPosition::start(nim).to_string(), "11 first");
}

/// Every bot finishes a game; those that look to the end win it from a won position.
#[test]
fn every_bot_plays_it() {
    for &algorithm in Algorithm::ALL {
        let name = match algorithm.argument() {
            Argument::None => algorithm.name().to_string(),
            Argument::Depth => format!("{}:12", algorithm.name()),
            Argument::Time | Argument::Budget => format!("{}:n5000", algorithm.name()),
        };
        let spec: BotSpec = name.parse().unwrap();
        let mut bot = spec.build(NIM, 1);
        let mut position = AnyPosition::start(NIM);
        while position.outcome().is_none() {
            let choice = bot.choose(&position, &Limits::default());
            position.play(&choice.best.unwrap()).unwrap();
        }
        if algorithm.argument() != Argument::None || algorithm == Algorithm::Expert {
            let winner = position.outcome().and_then(|outcome| outcome.winner());
            assert_eq!(winner, Some(Side::First), "{name}");
        }
    }
}

#[test]
fn the_referee_judges_it() {
    let players = ["minimax:12".parse().unwrap(), "random".parse().unwrap()];
    let setup = GameSetup::new(AnyPosition::start(NIM), players);
    let record = referee::play_game(&setup, &mut |_| (), &Default::default()).unwrap();
    assert_eq!(
        (record.score, &record.ending),
        (Score::First, &Ending::Rules)
    );
    assert_eq!(record.game, NIM);
    let json = serde_json::to_string(&record).unwrap();
    let read: referee::GameRecord = serde_json::from_str(&json).unwrap();
    assert_eq!((read.game, read.end), (NIM, "0 second".to_string()));
}

#[tokio::test]
async fn tournaments_of_it_are_played_kept_and_reported() {
    let players = ["random", "greedy", "minimax:12"].map(|bot| bot.parse().unwrap());
    let config = RawConfig::new("Nim cup", NIM, players.to_vec());
    let config = config.try_into().unwrap();
    let store = Store::in_memory().await.unwrap();
    let options = RunOptions {
        concurrency: 1,
        pin: false,
        ..RunOptions::default()
    };
    let summary = tournament::run(&store, &config, &options).await.unwrap();
    assert!(summary.finished);
    let row = store.tournament(&summary.tournament).await.unwrap();
    assert_eq!((row.game, row.played), (NIM, 6));
    let report = tournament::output::html(&store, &row.id, &Default::default())
        .await
        .unwrap();
    assert!(report.contains("Nim cup"));
}

/// Where a page says whose turn it is, or who has won.
fn status(page: &str) -> &str {
    let status = page.split("id=\"status\"").nth(1).unwrap();
    status.split("</p>").next().unwrap()
}

/// Waits until it is the visitor's turn.
async fn turn(client: &Client, address: &str) {
    while !status(&client.get(address).await.ok()).contains("first to move") {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn the_site_offers_plays_and_analyses_it() {
    let client = Client::new().await;
    assert!(client.get("/").await.ok().contains("The last one wins."));
    for page in ["/play?game=nim", "/tournaments/new?game=nim", "/analyse"] {
        assert!(client.get(page).await.ok().contains("Nim"), "{page}");
    }
    assert!(
        client
            .get("/assets/site.css")
            .await
            .ok()
            .contains(".chip.nim.s1")
    );
    assert!(client.get("/api/games").await.ok().contains("\"11 first\""));

    let form = "game=nim&side=first&bot=minimax&budget=d12&start=start";
    let address = client.post("/play", form).await.location();
    // By pointing, then by typing; the bot answers each move.
    for form in ["pick=2", "move=1"] {
        turn(&client, &address).await;
        client
            .post(&format!("{address}/move"), form)
            .await
            .location();
    }
    turn(&client, &address).await;
    client
        .post(&format!("{address}/move"), "move=3")
        .await
        .fails(422);
    let page = client.get(&format!("{address}?hint=1")).await.ok();
    assert!(page.contains("A good move:"));

    let moves = "/analyse/game?game=nim&start=5+first&moves=2,1,2&wait=1";
    for (at, state) in [
        (0, "first to move"),
        (1, "second to move"),
        (3, "first wins"),
    ] {
        let page = client.get(&format!("{moves}&at={at}")).await.ok();
        assert!(status(&page).contains(state), "{}", status(&page));
    }
    let values = client
        .get("/api/analyse?game=nim&position=5+first&ms=20000")
        .await
        .ok();
    let values: serde_json::Value = serde_json::from_str(&values).unwrap();
    let best = &values["values"][0];
    assert_eq!(
        (&best["move"], &best["exact"]),
        (&"2".into(), &true.into()),
        "{best}"
    );
    let kept = client
        .post("/analyse", "game=nim&text=4+second")
        .await
        .location();
    client.get(&kept).await.ok();

    let page = client.get("/edit?game=nim&position=7+second").await.ok();
    assert!(
        status(&page).contains("second to move"),
        "{}",
        status(&page)
    );
    assert!(page.contains("Play from here"), "{page}");
    client.get("/edit?game=nim&position=many").await.fails(400);
    client.get("/board.svg?game=nim").await.ok();
}
