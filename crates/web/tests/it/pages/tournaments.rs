//! The form and the pages of tournaments.

use std::time::{Duration, Instant};

use crate::client::Client;

/// Sends the form for a tournament of GIPF with these fields; it must come back with this
/// problem beside this field, and with all that was filled in.
async fn check_refused(client: &Client, fields: &str, field: &str, problem: &str) {
    let form = format!("name=My+cup&game=gipf&bot=random&bot=greedy&bot=minimax%3A2&{fields}");
    let page = client.post("/tournaments", &form).await.fails(422);
    let said = format!("<p class=\"problem\" id=\"{field}-problem\" role=\"alert\">{problem}");
    assert!(page.contains(&said), "{fields}: {page}");
    for kept in ["value=\"My cup\"", "value=\"minimax:2\" checked"] {
        assert!(page.contains(kept), "{kept} is lost: {page}");
    }
    for (_, value) in serde_urlencoded::from_str::<Vec<(String, String)>>(fields).unwrap() {
        let value = value.replace('"', "&quot;");
        let kept = [format!("value=\"{value}\""), format!(">{value}</textarea>")];
        assert!(
            kept.iter().any(|kept| page.contains(kept)),
            "{value} is lost: {page}"
        );
    }
}

#[tokio::test]
async fn a_wrong_tournament_form_comes_back() {
    let client = Client::new().await;
    for (fields, field, problem) in [
        (
            "variant=3+3+9",
            "variant",
            "&quot;3 3 9&quot; is not the four numbers S K GW GB",
        ),
        (
            "variant=8+3+9+9",
            "variant",
            "board size 8 is not between 2 and 7",
        ),
        (
            "variant=3+6+9+9",
            "variant",
            "run length 6 is not between 2 and 5",
        ),
        (
            "variant=3+3+9+9&positions=3+3+6+6",
            "positions",
            "give a variant or positions, not both",
        ),
        ("positions=3+3+6+6%0Anonsense", "positions", "position 2: "),
        (
            "positions=%23+nothing",
            "positions",
            "the list of positions is empty",
        ),
        ("plies=41", "plies", "plies = 41 is more than 40"),
        (
            "plies=many",
            "plies",
            "plies &quot;many&quot; is not a number in range",
        ),
        (
            "format=swiss&rounds=3",
            "rounds",
            "rounds = 3 is not between 1 and 2",
        ),
        (
            "format=swiss&rounds=",
            "rounds",
            "a swiss needs the number of rounds",
        ),
        (
            "format=swiss&rounds=two",
            "rounds",
            "rounds &quot;two&quot; is not a number in range",
        ),
        (
            "format=gauntlet&challengers=3",
            "challengers",
            "challengers = 3 leaves nobody to meet",
        ),
        ("pairs=0", "pairs", "pairs = 0 leaves nothing to play"),
        ("pairs=501", "pairs", "pairs = 501 is more than 500"),
        (
            "seed=-1",
            "seed",
            "seed &quot;-1&quot; is not a number in range",
        ),
        ("wall=soon", "wall", "&quot;soon&quot;"),
        ("wall=0+s", "wall", "wall = 0 leaves nothing to a player"),
        ("memory=much", "memory", "&quot;much&quot;"),
        (
            "memory=0",
            "memory",
            "memory = 0 leaves nothing to a player",
        ),
        (
            "others=greedy",
            "players",
            "two players are called &quot;greedy&quot;",
        ),
        (
            "others=nobody",
            "players",
            "unknown player &quot;nobody&quot;",
        ),
        (
            "others=best%3A90s",
            "players",
            "best:90s: a bot here may think 60 seconds at most",
        ),
    ] {
        check_refused(&client, fields, field, problem).await;
    }
    for form in [
        "name=Cup&game=gipf&bot=random",
        "name=Cup&game=gipf&program=0&bot=random",
    ] {
        client.post("/tournaments", form).await.fails(422);
    }
    client
        .post("/tournaments", "name=Cup&game=chess")
        .await
        .fails(400);
}

#[tokio::test]
async fn a_tournament_form_says_what_a_file_says() {
    let client = Client::new().await;
    // The number of a format that is not chosen is not looked at.
    let form = "name=Cup&game=gipf&bot=random&bot=greedy&bot=minimax%3A2&format=swiss&rounds=2&challengers=99\
        &variant=2+2+5+5&plies=3&pairs=1&seed=7&wall=2+s&game_cpu=&memory=64+MB";
    let address = client.post("/tournaments", form).await.location();
    let report = client
        .get(&format!("{address}/files/report.json"))
        .await
        .ok();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let file = "name = \"Cup\"\ngame = \"gipf\"\nformat = \"swiss\"\nrounds = 2\nseed = 7\n\
        openings = { positions = [\"2 2 5 5\"], plies = 3 }\n\
        limits = { wall = \"2 s\", memory = \"64 MB\" }\n\
        [[player]]\nbot = \"random\"\n[[player]]\nbot = \"greedy\"\n[[player]]\nbot = \"minimax:2\"\n";
    let config = tournament::Config::from_toml(std::path::Path::new("cup.toml"), file).unwrap();
    assert_eq!(address, format!("/tournaments/{}", config.id()), "{report}");
    let page = client.get(&address).await.ok();
    let about = "GIPF, 3 players, Swiss of 2 rounds, 1 pair a match, from 2 2 5 5 and 3 random plies on, seed 7";
    assert!(page.contains(about), "{page}");
}

#[tokio::test]
async fn a_knockout_shows_its_bracket() {
    let client = Client::new().await;
    let form =
        "name=Cup&game=mmpawns&bot=random&bot=greedy&bot=minimax%3A2&format=knockout&extra-pairs=1";
    let address = client.post("/tournaments", form).await.location();
    let page = finished(&client, &address).await;
    for part in ["Round 1", "Final", "no opponent", "goes on", "wins"] {
        assert!(page.contains(part), "{part} is missing: {page}");
    }
    assert!(!page.contains("not known yet"), "{page}");
}

/// The page of a tournament once all games have been played.
pub(super) async fn finished(client: &Client, address: &str) -> String {
    // Only a hang can miss this, however busy the machine is.
    let until = Instant::now() + Duration::from_secs(300);
    while Instant::now() < until {
        let page = client.get(address).await.ok();
        if page.contains("finished") {
            return page;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{address} does not come to an end");
}

/// A tournament that ends while its page is made was not stopped.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ends_was_not_stopped() {
    let client = Client::new().await;
    for seed in 1..=20 {
        let form = format!("name=Cup&game=reversi&bot=random&bot=greedy&pairs=1&seed={seed}");
        let address = client.post("/tournaments", &form).await.location();
        loop {
            for page in [&address, "/tournaments"] {
                let page = client.get(page).await.ok();
                assert!(!page.contains(">stopped<"), "{page}");
            }
            if client.get(&address).await.ok().contains(">finished<") {
                break;
            }
        }
    }
}

/// What was not played could have changed a verdict.
#[tokio::test]
async fn a_test_that_is_stopped_has_no_verdict() {
    let client = Client::with(web::Config {
        programs: vec!["argv:sleep 60".parse().unwrap()],
        ..web::Config::default()
    })
    .await;
    let form = "program=0&algorithm=random";
    let test = client.post("/tester", form).await.location();
    let stop = test.replace("/tester/", "/tournaments/") + "/stop";
    client.post(&stop, "").await.location();
    let page = loop {
        let page = client.get(&test).await.ok();
        if !page.contains("Playing…") {
            break page;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert!(page.contains("Stopped after 0 of 2 games"), "{page}");
    assert!(!page.contains("kept to the rules"), "{page}");
    let said = client.get(&format!("/api{test}")).await.ok();
    assert!(said.contains("\"finished\":false"), "{said}");
}

/// The next page of some games is the next page of those, not of all.
#[tokio::test]
async fn pages_of_games_keep_their_filter() {
    let client = Client::new().await;
    let form = "name=Cup&game=mmpawns&bot=random&bot=greedy&pairs=101";
    let address = client.post("/tournaments", form).await.location();
    finished(&client, &address).await;
    let games = async |query: &str| client.get(&format!("{address}/games{query}")).await.ok();
    for (query, next) in [
        ("", "?page=1"),
        (
            "?player=1&opponent=0",
            "?player=1&amp;opponent=0&amp;page=1",
        ),
    ] {
        let page = games(query).await;
        let link = format!("href=\"{address}/games{next}\"");
        assert!(page.contains(&link), "{query}");
        let page = games(&next.replace("&amp;", "&")).await;
        assert!(!page.contains("More games"), "{next}");
    }
}

#[tokio::test]
async fn tournaments_have_pages_for_everything() {
    let client = Client::new().await;
    let form = "name=%3Cb%3ECup&game=reversi&bot=random&bot=greedy&pairs=1&seed=3";
    let address = client.post("/tournaments", form).await.location();
    let page = finished(&client, &address).await;
    assert!(
        page.contains("2 of 2 games") && page.contains("&lt;b&gt;Cup"),
        "{page}"
    );
    let id = address.rsplit('/').next().unwrap();
    for rest in [
        "/games",
        "/players/0",
        "/players/1",
        "/files/standings.csv",
        "/files/games.csv",
        "/files/report.json",
        "/files/report.html",
    ] {
        client.get(&format!("{address}{rest}")).await.ok();
    }
    let game = format!("{address}/games/{id}.1.1.1");
    let games = client.get(&format!("{address}/games")).await.ok();
    let game = games
        .split("href=\"")
        .filter_map(|rest| rest.split('"').next())
        .find(|link| link.contains("/games/"))
        .map_or(game, str::to_string);
    assert!(
        client
            .get(&format!("{game}?at=3"))
            .await
            .ok()
            .contains("3 / ")
    );
    client.get(&format!("{game}?at=999")).await.fails(404);
    client.get(&format!("{game}/record.json")).await.ok();
    client.get(&format!("{address}/players/7")).await.fails(404);
    client
        .get(&format!("{address}/files/passwd"))
        .await
        .fails(404);
    client.get("/tournaments/none").await.fails(404);
    assert!(
        client
            .get("/tournaments")
            .await
            .ok()
            .contains("&lt;b&gt;Cup")
    );
}
