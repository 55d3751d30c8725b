//! The library on the site.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::Value;
use web::Config;

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
    let small = client.get("/library?opening=tiger").await.ok();
    assert!(small.contains("2 games"), "{small}");
    assert!(small.contains("value=\"Tiger\" selected"), "{small}");
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

/// A game that was played here is in the library when it is over, with names, date and a tag; a
/// game that goes on again is not.
#[tokio::test]
async fn a_game_played_here_comes_into_the_library() {
    let client = Client::new().await;
    let form = "game=reversi&side=first&bot=greedy&name=Anna";
    let game = client.post("/play", form).await.location();
    let refused = client.post(&format!("{game}/library"), "tag=Evening").await;
    assert!(refused.fails(422).contains("the game is not over"));
    let act = async |what: &str, form: &str| {
        let answer = client.post(&format!("{game}/{what}"), form).await;
        assert_eq!(answer.location(), game, "{what}");
    };
    let count = async |query: &str| {
        let page = client.get(&format!("/library?{query}")).await.ok();
        let status = page.split("id=\"status\"").nth(1).unwrap();
        let status = status.split("<strong>").nth(1).unwrap();
        let games = status.split(' ').next().unwrap().parse::<u32>().unwrap();
        (games, page)
    };
    act("move", "move=d3").await;
    assert_eq!(count("").await.0, 0);
    act("resign", "sure=yes").await;
    let (games, page) = count("player=Anna&event=Played+here").await;
    assert_eq!(games, 1, "{page}");
    assert!(page.contains("White won 1"), "{page}");
    // The whole date, in the list and in the file.
    let csv = client.get("/library/games.csv").await.ok();
    let line = csv.lines().nth(1).unwrap();
    let fields: Vec<&str> = line.split(',').collect();
    assert!(
        fields[1].starts_with(fields[0]) && fields[1].len() == 16,
        "{line}"
    );
    assert!(page.contains(fields[1]), "{page}");
    assert_eq!(&fields[2..5], ["Played here", "Anna", "greedy"]);
    // A move that is taken back takes the game out, its next end brings it in once.
    act("undo", "").await;
    assert_eq!(count("").await.0, 0);
    act("move", "move=c4").await;
    act("resign", "sure=yes").await;
    assert_eq!(count("").await.0, 1);
    for tag in ["Evening", "Morning"] {
        act("library", &format!("tag={tag}")).await;
        let page = client.get(&game).await.ok();
        assert!(page.contains(&format!("event={tag}")), "{page}");
        assert_eq!(count(&format!("player=Anna&event={tag}")).await.0, 1);
    }
    assert_eq!(count("").await.0, 1, "another tag, not another game");
    act("library/remove", "").await;
    assert_eq!(count("").await.0, 0);
    client.get(&game).await.ok();
    assert_eq!(count("").await.0, 0, "what was taken out stays out");
    // Whoever deletes a game deletes it everywhere.
    act("library", "").await;
    assert_eq!(count("event=Played+here").await.0, 1);
    let deleted = client.post(&format!("{game}/delete"), "sure=yes").await;
    assert_eq!(deleted.location(), "/play/games");
    assert_eq!(count("").await.0, 0);
}

/// Every game, at one board and by the JSON interface, to its natural end; bots by themselves are
/// nobody's games.
#[tokio::test]
async fn games_of_every_kind_come_into_the_library() {
    let client = Client::new().await;
    for (game, start) in [
        ("reversi", "start"),
        ("gipf", "3 3 6 6"),
        ("gipf-standard", "standard"),
        ("mmpawns", "random"),
    ] {
        let start = start.replace(' ', "+");
        let form = format!("game={game}&side=both&start={start}&name=Anna&seed=7");
        let table = client.post("/play", &form).await.location();
        let mut turns = 0;
        loop {
            let state = client.get(&format!("/api{table}")).await.ok();
            let state: Value = serde_json::from_str(&state).unwrap();
            if !state["result"].is_null() {
                break;
            }
            let moves = state["moves"].as_array().unwrap();
            let mv = moves[(turns * 7 + 3) % moves.len()].as_str().unwrap();
            let form = serde_urlencoded::to_string([("move", mv)]).unwrap();
            client
                .post(&format!("{table}/move"), &form)
                .await
                .location();
            turns += 1;
            if turns == 300 {
                client
                    .post(&format!("{table}/resign"), "sure=yes")
                    .await
                    .location();
            }
        }
        let page = client.get(&format!("/library?game={game}")).await.ok();
        assert!(page.contains("<strong>1 game</strong>"), "{game}: {page}");
        // It opens in the analysis with all its moves, those of several parts too.
        let csv = client
            .get(&format!("/library/games.csv?game={game}"))
            .await
            .ok();
        let link = page
            .split("href=\"/library/")
            .skip(1)
            .map(|part| part.split('"').next().unwrap());
        let number = link
            .into_iter()
            .find(|link| !link.starts_with("games"))
            .unwrap();
        let analysis = client.get(&format!("/library/{number}")).await.location();
        let page = client.get(&format!("{analysis}&at={turns}")).await.ok();
        assert!(page.contains("Analysis"), "{csv}");
    }
    let form = "game=reversi&side=none&bot=random";
    let watched = client.post("/play", form).await.location();
    client.get(&watched).await.ok();
    let page = client.get("/library").await.ok();
    assert!(page.contains("<strong>1 game</strong>"), "{page}");
}

/// Games of strangers are there for everybody, but not what they call themselves; and they can take
/// them out.
#[tokio::test]
async fn strangers_names_stay_out_of_the_library() {
    let config = Config {
        token: Some("t".repeat(20)),
        ..Config::default()
    };
    let client = Client::with(config).await;
    let send = async |method: &str, address: &str, form: &str, cookie: &str| {
        let request = Request::builder()
            .method(method)
            .uri(address)
            .header(header::HOST, "games.example")
            .header(header::ORIGIN, "http://games.example")
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        client
            .send(request.body(Body::from(form.to_string())).unwrap())
            .await
    };
    let form = "game=reversi&side=first&bot=greedy&name=Mallory";
    let begun = send("POST", "/play", form, "").await;
    let cookie = begun.headers[header::SET_COOKIE].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_string();
    let game = begun.location();
    for (what, form) in [("move", "move=d3"), ("resign", "sure=yes")] {
        send("POST", &format!("{game}/{what}"), form, &cookie)
            .await
            .location();
    }
    let page = send("GET", "/library", "", "").await.ok();
    assert!(page.contains("<strong>1 game</strong>"), "{page}");
    assert!(
        page.contains("a guest") && !page.contains("Mallory"),
        "{page}"
    );
    let tag = send("POST", &format!("{game}/library"), "tag=Mine", &cookie).await;
    tag.fails(403);
    let remove = format!("{game}/library/remove");
    send("POST", &remove, "", "").await.fails(422);
    send("POST", &remove, "", &cookie).await.location();
    let page = send("GET", "/library", "", "").await.ok();
    assert!(page.contains("<strong>0 games</strong>"), "{page}");
}

/// Single games are tagged and deleted, wherever they came from, and only by whoever holds the token.
#[tokio::test]
async fn single_games_are_tagged_and_deleted_with_the_token() {
    let token = "t".repeat(20);
    let config = Config {
        token: Some(token.clone()),
        ..Config::default()
    };
    let client = Client::with(config).await;
    let send = async |method: &str, address: &str, form: &str, cookie: &str, origin: &str| {
        let request = Request::builder()
            .method(method)
            .uri(address)
            .header(header::HOST, "games.example")
            .header(header::ORIGIN, origin)
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        client
            .send(request.body(Body::from(form.to_string())).unwrap())
            .await
    };
    let here = "http://games.example";
    let staff = format!("ludex_token={token}");
    let games = "--x\r\ncontent-disposition: form-data; name=\"tag\"\r\n\r\nSpring\r\n\
        --x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n\
        f5d6c3d3c4\nd3c3c4\nf5f6e6\n\r\n--x--\r\n";
    let request = Request::post("/library/import")
        .header(header::HOST, "games.example")
        .header(header::COOKIE, &staff)
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    let added = client.send(request.body(Body::from(games)).unwrap()).await;
    assert_eq!(added.location(), "/library?game=reversi");
    let found = async |query: &str| {
        let page = send("GET", &format!("/library?{query}"), "", "", here).await;
        let page = page.ok();
        let count = page.split("id=\"status\"").nth(1).unwrap();
        let count = count.split("<strong>").nth(1).unwrap();
        count.split(' ').next().unwrap().parse::<u32>().unwrap()
    };
    assert_eq!(found("event=spring").await, 3);
    // A stranger sees no way to change them, and finds none.
    let page = send("GET", "/library", "", "", here).await.ok();
    assert!(!page.contains("Tag or delete"), "{page}");
    let page = send("GET", "/library?event=spring", "", &staff, here)
        .await
        .ok();
    let link = page.split("href=\"").find(|part| part.contains("/change"));
    let link = link.unwrap().split('"').next().unwrap();
    let link = link.replace("&amp;", "&");
    let number: i64 = link.split('/').nth(2).unwrap().parse().unwrap();
    let at = |what: &str| format!("/library/{number}/{what}");
    let door = send("GET", &link, "", "", here).await.location();
    assert!(
        door.starts_with("/login?to=%2Flibrary%2F") && door.contains("change"),
        "{door}"
    );
    for (what, form) in [("tag", "tag=Theirs"), ("delete", "")] {
        let page = send("POST", &at(what), form, "", here).await.fails(401);
        assert!(page.contains("Nothing that you have filled in"), "{page}");
        let cross = send("POST", &at(what), form, &staff, "http://evil.example").await;
        cross.fails(403);
    }
    assert_eq!(found("event=spring").await, 3);
    // With the token, one comes back to the search.
    let page = send("GET", &link, "", &staff, here).await.ok();
    let to = page.split("name=\"to\" value=\"").nth(1).unwrap();
    let to = to.split('"').next().unwrap();
    assert_eq!(to, "/library?event=spring");
    let form = serde_urlencoded::to_string([("tag", "Autumn\u{7}"), ("to", to)]).unwrap();
    let done = send("POST", &at("tag"), &form, &staff, here).await;
    assert_eq!(done.location(), to);
    assert_eq!(
        (found("event=spring").await, found("event=autumn").await),
        (2, 1)
    );
    let form = "to=http%3A%2F%2Fevil.example";
    let done = send("POST", &at("delete"), form, &staff, here).await;
    assert_eq!(done.location(), "/");
    assert_eq!((found("").await, found("event=autumn").await), (2, 0));
    for what in ["tag", "delete"] {
        let gone = send("POST", &at(what), "tag=x", &staff, here).await;
        gone.fails(404);
    }
    send("GET", &at("change"), "", &staff, here)
        .await
        .fails(404);
    // A game that was played here knows what became of it.
    let form = "game=reversi&side=both&name=Anna";
    let game = send("POST", "/play", form, &staff, here).await.location();
    for (what, form) in [("move", "move=d3"), ("resign", "sure=yes")] {
        let act = format!("{game}/{what}");
        send("POST", &act, form, &staff, here).await.location();
    }
    let page = send("GET", "/library?event=played", "", &staff, here);
    let page = page.await.ok();
    let number = page.split("/change").next().unwrap();
    let number = number.rsplit('/').next().unwrap();
    let act = format!("/library/{number}/tag");
    send("POST", &act, "tag=Evening", &staff, here)
        .await
        .location();
    let page = send("GET", &game, "", &staff, here).await.ok();
    assert!(page.contains("event=Evening"), "{page}");
    let act = format!("/library/{number}/delete");
    send("POST", &act, "", &staff, here).await.location();
    let page = send("GET", &game, "", &staff, here).await.ok();
    assert!(!page.contains("event=Evening"), "{page}");
    assert_eq!(found("").await, 2, "it does not come back");
}

/// A file with more games than fit on a page: all of them can be reached, and found by name.
#[tokio::test]
async fn all_games_of_a_long_file_can_be_reached() {
    let client = Client::new().await;
    let board = "---------------------------O*------*O--------------------------- *";
    let one = |number: usize| {
        format!("(;GM[Othello]PB[Anna {number}]PW[Ben]TY[8]BO[8 {board}]B[F5]W[F6];)\n")
    };
    let file: String = (1..=450).map(one).collect();
    let answer = upload(&client, "/analyse/file", &[("games.ggf", file.as_bytes())]).await;
    let address = answer.location();
    let mut page = client.get(&address).await.ok();
    let mut seen = Vec::new();
    loop {
        let links = page.split("<a href=\"/analyse/game?").skip(1);
        seen.extend(links.map(|link| {
            let words = link.split('>').nth(1).unwrap().split('<').next().unwrap();
            words.split('.').next().unwrap().parse::<usize>().unwrap()
        }));
        let Some(more) = page
            .split(">More games<")
            .next()
            .filter(|_| page.contains("More games"))
        else {
            break;
        };
        let next = more
            .rsplit("href=\"")
            .next()
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        page = client.get(&next.replace("&amp;", "&")).await.ok();
    }
    assert_eq!(seen, (1..=450).collect::<Vec<_>>());
    let page = client.get(&format!("{address}?find=ANNA+437")).await.ok();
    assert!(page.contains("<strong>1 game</strong>"), "{page}");
    assert!(page.contains("437. Anna 437 – Ben"), "{page}");
    client.get("/analyse/games/nothing").await.fails(404);
}

/// A WTHOR file: header, and entries.
fn wthor(long: u32, short: u16, year: u16, entries: &[u8]) -> Vec<u8> {
    let mut bytes = vec![20, 26, 1, 1];
    bytes.extend(long.to_le_bytes());
    bytes.extend(short.to_le_bytes());
    bytes.extend(year.to_le_bytes());
    bytes.extend([8, 0, 0, 0]);
    bytes.extend(entries);
    bytes
}

#[tokio::test]
async fn wthor_is_analysed_with_its_names() {
    let client = Client::new().await;
    let game = |black: u8, white: u8, score: u8| {
        let mut bytes = vec![0, 0, black, 0, white, 0, score, score, 56, 64];
        bytes.resize(68, 0);
        bytes
    };
    let games = wthor(2, 0, 2009, &[game(0, 1, 40), game(1, 0, 20)].concat());
    let padded = |size: usize, names: [&str; 2]| {
        let entry = |name: &str| {
            let mut bytes = name.as_bytes().to_vec();
            bytes.resize(size, 0);
            bytes
        };
        wthor(0, 2, 0, &names.map(entry).concat())
    };
    let players = padded(20, ["Archer Ann", "Baker Bob"]);
    let events = padded(26, ["Spring Open", "Autumn Cup"]);
    let alone = upload(&client, "/analyse/file", &[("a.wtb", &games)])
        .await
        .ok();
    assert!(
        alone.contains("1. player 0 – player 1, 2009, 40–24"),
        "{alone}"
    );
    let files: [(&str, &[u8]); 3] = [("a.wtb", &games), ("a.jou", &players), ("a.trn", &events)];
    let named = upload(&client, "/analyse/file", &files).await.ok();
    let first = "1. Archer Ann – Baker Bob, Spring Open, 2009, 40–24";
    assert!(named.contains(first), "{named}");
    let names = upload(&client, "/analyse/file", &[("a.jou", &players)]).await;
    let page = names.fails(422);
    assert!(page.contains("choose it together with the games"), "{page}");
    // A collection of many years is for the library.
    let many = wthor(20_001, 0, 2009, &game(0, 1, 40).repeat(20_001));
    let many = upload(&client, "/analyse/file", &[("all.wtb", &many)]).await;
    let page = many.fails(422);
    assert!(page.contains("put them into the library"), "{page}");
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
