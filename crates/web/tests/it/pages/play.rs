//! Games by forms alone.

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

/// Steps are those of one position: in any other one they are let go.
#[tokio::test]
async fn steps_of_a_position_that_is_left_are_let_go() {
    let client = Client::new().await;
    let address = client
        .post("/play", "game=gipf&side=both&position=3+3+8+8")
        .await
        .location();
    let (enter, undo) = (format!("{address}/move"), format!("{address}/undo"));
    let begun = client.post(&enter, "pick=a1&picks=").await.location();
    let page = client.get(&begun).await.ok();
    let field = |name: &str| {
        let start = page.split(&format!("name=\"{name}\" value=\"")).nth(1);
        start.unwrap().split('"').next().unwrap().to_string()
    };
    assert_eq!(field("picks"), "a1");
    let sent = format!(
        "picks=a1&of={}&after={}&pick=b2",
        field("of"),
        field("after")
    );
    // Meanwhile another move is made, and a second one instead of it.
    for (instead, mv) in [(false, "a2-b3"), (true, "a3-b3")] {
        if instead {
            client.post(&undo, "").await.location();
        }
        let typed = format!("move={mv}");
        client.post(&enter, &typed).await.location();
        let now = client.get(&begun).await.ok();
        assert!(now.contains("name=\"picks\" value=\"\""), "{now}");
        let late = client.post(&enter, &sent).await;
        let page = late.fails(422);
        assert!(page.contains("the game has gone on meanwhile"), "{page}");
        assert!(page.contains("name=\"picks\" value=\"\""), "{page}");
        let now = client.get(&address).await.ok();
        assert!(now.contains("1 / 1"), "{now}");
    }
    client.post(&undo, "").await.location();
    // Here they hold again.
    let again = client.get(&begun).await.ok();
    assert!(again.contains("name=\"picks\" value=\"a1\""), "{again}");
    client.post(&enter, &sent).await.location();
}

/// Who clicks twice takes back one move.
#[tokio::test]
async fn an_undo_that_is_sent_twice_counts_once() {
    let client = Client::new().await;
    let address = client
        .post("/play", "game=reversi&side=both")
        .await
        .location();
    for mv in ["d3", "c3", "c4"] {
        let sent = format!("move={mv}");
        let answer = client.post(&format!("{address}/move"), &sent).await;
        answer.location();
    }
    for _ in 0..2 {
        let answer = client.post(&format!("{address}/undo"), "after=3").await;
        answer.location();
        assert!(client.get(&address).await.ok().contains("2 / 2"));
    }
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
