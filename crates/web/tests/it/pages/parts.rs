//! Every part of the site answers.

use super::tournaments::finished;
use crate::client::Client;

#[tokio::test]
async fn every_part_answers() {
    let client = Client::new().await;
    for address in [
        "/",
        "/play",
        "/play?game=gipf",
        "/play?game=mmpawns",
        "/analyse",
        "/tournaments",
        "/tournaments/new",
        "/tester",
        "/edit",
        "/edit?game=gipf",
        "/edit?game=mmpawns",
        "/login",
        "/learn",
        "/library",
        "/settings",
    ] {
        let page = client.get(address).await.ok();
        assert!(page.starts_with("<!DOCTYPE html>"), "{address}");
        assert!(
            !page.contains("style=") && !page.contains("onclick"),
            "{address}"
        );
    }
    for asset in ["site.css", "site.js", "moves.js", "icon.svg"] {
        assert!(
            !client
                .get(&format!("/assets/{asset}"))
                .await
                .ok()
                .is_empty()
        );
    }
    client.get("/nowhere").await.fails(404);
    client.get("/assets/..%2Fsrc%2Flib.rs").await.fails(404);
}

#[tokio::test]
async fn boards_come_as_pictures() {
    let client = Client::new().await;
    assert!(
        client
            .get("/board.svg?game=gipf&position=2+3+5+5")
            .await
            .ok()
            .starts_with("<svg")
    );
    assert!(
        client
            .get("/board.png?game=mmpawns")
            .await
            .ok()
            .contains("PNG")
    );
    client
        .get("/board.png?game=reversi&position=x")
        .await
        .fails(400);
}

#[tokio::test]
async fn analyses_are_read_and_shown() {
    let client = Client::new().await;
    let address = client
        .post("/analyse", "game=&text=f5d6c3d3c4")
        .await
        .location();
    let page = client.get(&format!("{address}?at=2")).await.ok();
    assert!(page.contains("after move 2 d6"), "{page}");
    assert!(client.get("/analyse").await.ok().contains(&address));
    // The address says which game is meant, by any of its names.
    for game in ["gipf-standard", "published-gipf"] {
        let form = client.get(&format!("/analyse?game={game}")).await.ok();
        let chosen = "<option value=\"gipf-standard\" selected>";
        assert!(form.contains(chosen), "{form}");
    }
    assert!(
        !client
            .get("/analyse?game=x")
            .await
            .ok()
            .contains("selected")
    );
    let page = client.get(&format!("{address}?at=2&line=e6")).await;
    assert!(page.body.contains("Variation") || page.status == 400);
    let page = client
        .post("/analyse", "game=reversi&text=f5f5")
        .await
        .fails(422);
    assert!(page.contains("f5f5"), "what was pasted is kept");
    client.get(&format!("{address}?at=9")).await.fails(404);
    let text = client
        .get("/analyse/export?game=reversi&moves=d3,c5&form=text")
        .await
        .ok();
    assert!(text.contains("d3\nc5"));
    assert!(
        client
            .get("/analyse/export?game=reversi&moves=d3&form=json")
            .await
            .ok()
            .contains("\"moves\":[\"d3\"]")
    );
    client
        .get("/analyse/export?game=reversi&moves=a1")
        .await
        .fails(400);
}

#[tokio::test]
async fn a_restart_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let config = web::Config {
        database: Some(folder.path().join("site.sqlite")),
        ..web::Config::default()
    };
    let (game, analysis, tournament) = {
        let client = Client::with(config.clone()).await;
        let game = client
            .post("/play", "game=reversi&side=first&bot=greedy")
            .await
            .location();
        client
            .post(&format!("{game}/move"), "move=d3")
            .await
            .location();
        let analysis = client.post("/analyse", "text=f5d6c3").await.location();
        let form = "name=Cup&game=mmpawns&bot=random&bot=greedy&pairs=1";
        let tournament = client.post("/tournaments", form).await.location();
        (game, analysis, tournament)
    };
    let client = Client::with(config).await;
    assert!(client.get(&game).await.ok().contains("2 / 2"));
    assert!(client.get(&analysis).await.ok().contains("after move 3 c3"));
    assert!(client.get("/play").await.ok().contains(&game));
    assert!(client.get(&tournament).await.ok().contains("of 2 games"));
    // What was left of the tournament is played after the restart.
    let page = finished(&client, &tournament).await;
    assert!(page.contains("2 of 2 games"), "{page}");
}

#[tokio::test]
async fn solved_games_can_be_walked_through() {
    let client = Client::new().await;
    let page = client.get("/solved").await.ok();
    assert!(
        page.contains("2 3 5 5") && page.contains("wins in"),
        "{page}"
    );
    let page = client.get("/solved/2-3-5-5").await.ok();
    let link = page
        .split("href=\"")
        .filter_map(|rest| rest.split('"').next())
        .find(|link| link.contains("position=2") && link.starts_with("/solved"));
    let link = link.unwrap().replace("&amp;", "&");
    assert!(client.get(&link).await.ok().contains("Black to move"));
    let found = client
        .get("/solved/2-3-5-5/random?kind=long&seed=5")
        .await
        .location();
    assert!(client.get(&found).await.ok().contains("to move wins in"));
    client.get("/solved/9-9-9-9").await.fails(404);
    client.get("/solved/2-3-5-5?position=x").await.fails(400);
    client
        .get("/solved/2-3-5-5/random?kind=odd")
        .await
        .fails(400);
}

#[tokio::test]
async fn a_faulty_program_gets_its_verdict() {
    let programs = vec!["argv:echo nonsense".parse::<referee::PlayerSpec>().unwrap()];
    let client = Client::with(web::Config {
        programs,
        ..web::Config::default()
    })
    .await;
    let form = "name=Cup&game=reversi&bot=random&bot=greedy&program=0&pairs=1";
    let address = client.post("/tournaments", form).await.location();
    let page = finished(&client, &address).await;
    assert!(page.contains("6 of 6 games"), "{page}");
    let player = client.get(&format!("{address}/players/0")).await.ok();
    assert!(player.contains("unreadable answer"), "{player}");
}
