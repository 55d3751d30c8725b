//! Pages made and forms sent.

use std::time::{Duration, Instant};

use crate::client::Client;

/// The buttons of a board that can be chosen.
fn open_points(page: &str) -> Vec<String> {
    page.split("<button class=\"pt\"")
        .skip(1)
        .filter(|button| !button.split('>').next().unwrap().contains("aria-disabled"))
        .map(|button| {
            let value = button.split("value=\"").nth(1).unwrap();
            value.split('"').next().unwrap().to_string()
        })
        .collect()
}

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
    ] {
        let page = client.get(address).await.ok();
        assert!(page.starts_with("<!DOCTYPE html>"), "{address}");
        assert!(
            !page.contains("style=") && !page.contains("onclick"),
            "{address}"
        );
    }
    for asset in ["site.css", "site.js", "icon.svg"] {
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

/// Plays a game by choosing the first open point again and again.
async fn play_through(game: &str, form: &str) {
    let client = Client::new().await;
    let form = format!("game={game}&side=first&bot=greedy&{form}");
    let address = client.post("/play", &form).await.location();
    for turn in 0..400 {
        let page = client.get(&address).await.ok();
        let status = page.split("id=\"status\"").nth(1).unwrap();
        let status = status.split("</p>").next().unwrap();
        if status.contains("You won") || status.contains("You lost") || status.contains("Draw") {
            assert!(
                status.contains("</strong>") && status.contains(": "),
                "{status}"
            );
            assert!(turn > 1);
            return;
        }
        let mut at = page;
        // A move may take several choices.
        for _ in 0..6 {
            let picks = at
                .split("name=\"picks\" value=\"")
                .nth(1)
                .map_or("", |rest| rest.split('"').next().unwrap());
            let points = open_points(&at);
            let next = if let Some(row) = at.split("data-row=\"0\"").nth(1) {
                assert!(row.contains(": "));
                let label = at
                    .split("<fieldset")
                    .nth(1)
                    .unwrap()
                    .split("value=\"")
                    .nth(1)
                    .unwrap();
                label.split('"').next().unwrap().to_string()
            } else if let Some(point) = points.get(turn % points.len().max(1)) {
                point.clone()
            } else {
                let answer = client.post(&format!("{address}/move"), "move=pass").await;
                assert_eq!(answer.location(), address);
                break;
            };
            let picks = picks.replace(' ', "+").replace(':', "%3A");
            let next = next.replace(' ', "+").replace(':', "%3A");
            let answer = client
                .post(
                    &format!("{address}/move"),
                    &format!("picks={picks}&pick={next}"),
                )
                .await;
            let location = answer.location();
            if location == address {
                break;
            }
            at = client.get(&location).await.ok();
        }
    }
    panic!("the game does not end");
}

#[tokio::test]
async fn reversi_can_be_played_to_its_end() {
    play_through("reversi", "").await;
}

#[tokio::test]
async fn mmpawns_can_be_played_to_its_end() {
    play_through("mmpawns", "start=random").await;
}

#[tokio::test]
async fn gipf_can_be_played_to_its_end() {
    play_through("gipf", "position=3+3+6+6").await;
}

#[tokio::test]
async fn a_wrong_position_leaves_the_form_as_it_was() {
    let client = Client::new().await;
    let form = "game=gipf&side=second&bot=mcts&budget=3s&start=3+3+8+8&clock=300&position=3+3+x+9";
    let page = client.post("/play", form).await.fails(400);
    let problem = "id=\"position-problem\" role=\"alert\">number of white stones &quot;x&quot; is not a number";
    assert!(page.contains(problem), "{page}");
    assert!(page.contains("value=\"3 3 x 9\""), "{page}");
    for chosen in ["second", "mcts", "3s", "3 3 8 8", "300"] {
        let chosen = format!("value=\"{chosen}\" selected");
        assert!(page.contains(&chosen), "{chosen} is lost: {page}");
    }
    let page = client.get("/play?game=gipf&position=x").await.fails(400);
    assert!(page.contains("position-problem"), "{page}");
    client.post("/play", "game=chess").await.fails(400);
}

#[tokio::test]
async fn undo_takes_back_the_reply_in_one_click() {
    let client = Client::new().await;
    let address = client
        .post("/play", "game=reversi&side=first&bot=greedy")
        .await
        .location();
    client.post(&format!("{address}/undo"), "").await.fails(422);
    client
        .post(&format!("{address}/move"), "move=d3")
        .await
        .location();
    assert!(client.get(&address).await.ok().contains("2 / 2"));
    let back = client.post(&format!("{address}/undo"), "").await.location();
    assert_eq!(back, address);
    assert!(client.get(&address).await.ok().contains("0 / 0"));
}

/// A page that had no answer sends its move again: it counts once.
#[tokio::test]
async fn a_move_that_is_sent_twice_counts_once() {
    let client = Client::new().await;
    let address = client
        .post("/play", "game=reversi&side=both")
        .await
        .location();
    for _ in 0..2 {
        let answer = client
            .post(&format!("{address}/move"), "pick=d3&picks=&after=0")
            .await;
        assert_eq!(answer.location(), address);
    }
    assert!(client.get(&address).await.ok().contains("1 / 1"));
    let other = client
        .post(&format!("{address}/move"), "move=c4&after=0")
        .await;
    assert!(other.fails(422).contains("the game has gone on meanwhile"));
}

/// White has no move after e1: nobody is asked to pass.
#[tokio::test]
async fn forced_passes_need_no_click() {
    let client = Client::new().await;
    let board = "--OX----------------------------------------------------OX------+O";
    let address = client
        .post("/play", &format!("game=reversi&side=both&position={board}"))
        .await
        .location();
    client
        .post(&format!("{address}/move"), "move=e1")
        .await
        .location();
    let page = client.get(&address).await.ok();
    assert!(
        page.contains("Black had no move and passed; White to move"),
        "{page}"
    );
    assert!(page.contains("2 / 2"), "{page}");
}

/// What is announced says why, also where the rules are not what one expects.
#[tokio::test]
async fn results_have_reasons() {
    let client = Client::new().await;
    let form = "game=mmpawns&side=first&bot=greedy&position=A+1+--------/A--B----/--------/--------/--------/--------/--------/--------";
    let address = client.post("/play", form).await.location();
    client
        .post(&format!("{address}/move"), "move=a2-a1")
        .await
        .location();
    let page = client.get(&address).await.ok();
    assert!(
        page.contains("You won: a pawn of A has reached the far edge"),
        "{page}"
    );
}

#[tokio::test]
async fn wrong_moves_say_why() {
    let client = Client::new().await;
    let address = client
        .post("/play", "game=reversi&side=first&bot=greedy")
        .await
        .location();
    let page = client
        .post(&format!("{address}/move"), "move=a1")
        .await
        .fails(422);
    assert!(page.contains("not adjacent to a white disc"));
    let page = client
        .post(&format!("{address}/move"), "pick=d4")
        .await
        .fails(422);
    assert!(page.contains("the square is taken"));
    let page = client
        .post(&format!("{address}/move"), "move=%3Cb%3E")
        .await
        .fails(422);
    assert!(page.contains("&lt;b&gt;") && !page.contains("<b>"));
    client.get("/play/nothing").await.fails(404);
    client.get(&format!("{address}?at=7")).await.fails(404);
    client.get(&format!("{address}?at=x")).await.fails(400);
    client.post("/play", "game=chess").await.fails(400);
    client
        .post("/play", "game=reversi&bot=alphabeta&budget=900s")
        .await
        .fails(400);
    client
        .post("/play", "game=gipf&position=9+9+9")
        .await
        .fails(400);
}

#[tokio::test]
async fn a_game_can_be_resigned_and_walked_through() {
    let client = Client::new().await;
    let address = client
        .post("/play", "game=gipf&side=second&bot=greedy&start=3+3+8+8")
        .await
        .location();
    let page = client.get(&address).await.ok();
    assert!(page.contains("1 / 1"), "the bot has moved");
    assert!(
        client
            .get(&format!("{address}?at=0"))
            .await
            .ok()
            .contains("After move 0 of 1")
    );
    let asked = client
        .post(&format!("{address}/resign"), "")
        .await
        .location();
    assert!(client.get(&asked).await.ok().contains("Give this game up?"));
    client
        .post(&format!("{address}/resign"), "sure=1")
        .await
        .location();
    assert!(
        client
            .get(&address)
            .await
            .ok()
            .contains("You lost: Black resigned")
    );
}

/// Games that are over are found again by who played and when, and can be deleted.
#[tokio::test]
async fn games_are_listed_and_deleted() {
    let client = Client::new().await;
    let form = "game=gipf&side=second&bot=greedy&start=3+3+8+8&name=Anna";
    let address = client.post("/play", form).await.location();
    // The bot moves when somebody looks.
    client.get(&address).await.ok();
    client
        .post(&format!("{address}/resign"), "sure=1")
        .await
        .location();
    let page = client.get("/play/games").await.ok();
    assert!(page.contains("GIPF: greedy – Anna"), "{page}");
    assert!(page.contains("White wins: Black resigned"), "{page}");
    assert!(page.contains("<td>20"), "{page}");
    let short = client.get("/play").await.ok();
    assert!(short.contains(", 1 move, "), "{short}");
    let asked = client
        .post(&format!("{address}/delete"), "")
        .await
        .location();
    assert!(client.get(&asked).await.ok().contains("Delete this game?"));
    let list = client.post(&format!("{address}/delete"), "sure=yes").await;
    assert_eq!(list.location(), "/play/games");
    client.get(&address).await.fails(404);
    assert!(!client.get("/play/games").await.ok().contains("Anna"));
}

#[tokio::test]
async fn two_different_bots_can_be_watched() {
    let client = Client::new().await;
    let form = "game=reversi&side=none&bot=greedy&bot2=random";
    let address = client.post("/play", form).await.location();
    let page = client.get(&address).await.ok();
    assert!(page.contains("<span>greedy</span>"), "{page}");
    assert!(page.contains("<span>random</span>"), "{page}");
}

/// What cannot be played is not offered to be.
#[tokio::test]
async fn a_position_that_is_over_is_not_played() {
    let client = Client::new().await;
    let empty = format!("{}+X", "-".repeat(64));
    let page = client
        .get(&format!("/edit?game=reversi&position={empty}"))
        .await
        .ok();
    assert!(
        page.contains("the game is over: Draw: 0 discs each"),
        "{page}"
    );
    assert!(!page.contains("Play from here"), "{page}");
    let page = client
        .post("/play", &format!("game=reversi&position={empty}"))
        .await;
    assert!(
        page.fails(400)
            .contains("the game is over in this position")
    );
}

/// Nobody is told what three parsers think.
#[tokio::test]
async fn errors_are_for_readers() {
    let client = Client::new().await;
    let page = client.post("/analyse", "text=what%3F").await.fails(422);
    assert!(
        page.contains("is no game or position of any game here"),
        "{page}"
    );
    assert!(!page.contains("as reversi"), "{page}");
    let page = client.post("/analyse/file", "file=x").await.fails(400);
    assert!(page.contains("the file did not arrive"), "{page}");
    assert!(!page.contains("multipart"), "{page}");
    let page = client.get("/play/games?page=x").await.fails(400);
    assert!(
        page.contains("the address of this page has a wrong value"),
        "{page}"
    );
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
async fn the_editor_works_by_links() {
    let client = Client::new().await;
    let page = client.get("/edit?game=reversi&brush=O").await.ok();
    let link = page
        .split("id=\"pt-a1\" href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let next = client.get(&link.replace("&amp;", "&")).await.ok();
    assert!(next.contains("O--------------------------OX------XO--------------------------- X"));
    // What cannot be drawn is kept in the box, with what is wrong.
    let page = client
        .get("/edit?game=gipf&position=1+2+3")
        .await
        .fails(400);
    assert!(page.contains(">1 2 3</textarea>"), "{page}");
    assert!(page.contains("Not a position yet: "), "{page}");
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
        &variant=2+2+5+5&plies=3&pairs=1&seed=7";
    let address = client.post("/tournaments", form).await.location();
    let report = client
        .get(&format!("{address}/files/report.json"))
        .await
        .ok();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let file = "name = \"Cup\"\ngame = \"gipf\"\nformat = \"swiss\"\nrounds = 2\nseed = 7\n\
        openings = { positions = [\"2 2 5 5\"], plies = 3 }\n\
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
async fn finished(client: &Client, address: &str) -> String {
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
