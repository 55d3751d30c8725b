//! The library on the site.

use axum::body::Body;
use axum::http::{Request, header};

use crate::client::{Answer, Client};

/// Sends files as a form does.
async fn upload(client: &Client, path: &str, files: &[(&str, &[u8])]) -> Answer {
    let mut body = Vec::new();
    for (name, content) in files {
        body.extend(
            format!(
                "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
            )
            .into_bytes(),
        );
        body.extend(*content);
        body.extend(b"\r\n");
    }
    body.extend(b"--x--\r\n");
    let request = Request::post(path)
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    client.send(request.body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn games_are_added_and_found() {
    let client = Client::new().await;
    assert!(client.get("/library").await.ok().contains("0 games"));
    let text = "f5d6c3d3c4f4c5b3c2\nf5f6e6f4e3\nd3c5f6f5e6\n";
    let added = upload(
        &client,
        "/library/import",
        &[("games.txt", text.as_bytes())],
    )
    .await;
    assert_eq!(added.location(), "/library?game=reversi");
    let page = client.get("/library").await.ok();
    assert!(page.contains("3 games"), "{page}");
    // By the name of an opening, in whichever orientation it was played.
    let page = client.get("/library?opening=Tiger").await.ok();
    assert!(page.contains("2 games"), "{page}");
    assert!(page.contains("aria-label=\"What was played\""), "{page}");
    let page = client.get("/library?opening=Heath").await.ok();
    assert!(page.contains("0 games"), "{page}");
    // Every game opens in the analysis.
    let page = client.get("/library?opening=Leader%27s+Tiger").await.ok();
    let link = page.split("href=\"/library/").nth(1).unwrap();
    let number = link.split('"').next().unwrap();
    let number = if number.starts_with("games") {
        page.split("href=\"/library/")
            .nth(2)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
    } else {
        number
    };
    let game = client.get(&format!("/library/{number}")).await.location();
    assert!(game.starts_with("/analyse/game?game=reversi"), "{game}");
    let csv = client.get("/library/games.csv?opening=Tiger").await.ok();
    assert_eq!(csv.lines().count(), 3, "{csv}");
    client.get("/library/999").await.fails(404);
    client.get("/library?from=x").await.fails(400);
    client.get("/library?opening=Nothing").await.fails(400);
    let empty = upload(&client, "/library/import", &[]).await;
    assert!(empty.fails(400).contains("no file was chosen"));
    let bad = upload(&client, "/library/import", &[("x", b"f5f5f5")]).await;
    bad.fails(422);
}

/// A game that was played here is kept under a tag, found, and taken out again.
#[tokio::test]
async fn a_game_played_here_is_kept_in_the_library() {
    let client = Client::new().await;
    let form = "game=reversi&side=first&bot=greedy&name=Anna";
    let game = client.post("/play", form).await.location();
    let refused = client.post(&format!("{game}/library"), "tag=Evening").await;
    assert!(refused.fails(422).contains("the game is not over"));
    client
        .post(&format!("{game}/move"), "move=d3")
        .await
        .location();
    client
        .post(&format!("{game}/resign"), "sure=yes")
        .await
        .location();
    for tag in ["Evening", "Morning"] {
        let kept = client
            .post(&format!("{game}/library"), &format!("tag={tag}"))
            .await;
        assert_eq!(kept.location(), game);
        let page = client.get(&game).await.ok();
        assert!(page.contains(&format!("event={tag}")), "{page}");
        let page = client
            .get(&format!("/library?player=Anna&event={tag}"))
            .await
            .ok();
        assert!(page.contains("1 game<"), "{page}");
        assert!(page.contains("White won 1"), "{page}");
    }
    let page = client.get("/library?player=Anna").await.ok();
    assert!(
        page.contains("1 game<"),
        "another tag, not another game: {page}"
    );
    client
        .post(&format!("{game}/library/remove"), "")
        .await
        .location();
    assert!(client.get("/library").await.ok().contains("0 games"));
    // Whoever deletes a game deletes it everywhere.
    client.post(&format!("{game}/library"), "").await.location();
    let page = client.get("/library?event=Played+here").await.ok();
    assert!(page.contains("1 game<"), "{page}");
    client
        .post(&format!("{game}/delete"), "sure=yes")
        .await
        .location();
    assert!(client.get("/library").await.ok().contains("0 games"));
}

#[tokio::test]
async fn the_analysis_says_how_many_games_reached_a_position() {
    let client = Client::new().await;
    let address = "/analyse/game?game=reversi&moves=f5,d6,c3";
    assert!(!client.get(address).await.ok().contains("of the library"));
    let text = "f5d6c3d3c4\nd3c5f6f5e6\nf5f6e6f4e3\n";
    upload(
        &client,
        "/library/import",
        &[("games.txt", text.as_bytes())],
    )
    .await;
    let page = client.get(address).await.ok();
    assert!(
        page.contains("2 games of the library reached this"),
        "{page}"
    );
    // As it lies in this analysis, not as it was played.
    assert!(page.contains("Then d3 2 (+0 =0 −0) for Black."), "{page}");
}
