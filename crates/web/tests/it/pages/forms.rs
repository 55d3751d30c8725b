//! What comes back when a form is wrong.

use crate::client::Client;

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

/// Nobody's name turns a page around, or looks like another one's by what cannot be seen.
#[tokio::test]
async fn names_hide_nothing() {
    let client = Client::new().await;
    let hides = |c: char| referee::is_hidden(c) && !c.is_whitespace() || c == '\u{2028}';
    for hidden in ["%E2%80%AE", "%E2%80%8B", "%E2%80%A8"] {
        let cup = format!("name=C{hidden}up&game=mmpawns&bot=random&bot=greedy&pairs=1");
        let page = client.post("/tournaments", &cup).await.fails(422);
        assert!(page.contains("which cannot be shown"), "{page}");
        let form = format!("game=reversi&side=link&name=A{hidden}nna");
        let game = client.post("/play", &form).await.location();
        for address in [
            game,
            format!("/analyse/game?game=reversi&moves=f5&title=A{hidden}nna"),
        ] {
            let page = client.get(&address).await.ok();
            assert!(page.contains("Anna"), "{address}: {page}");
            assert!(!page.contains(hides), "{address}");
        }
        let page = client.get(&format!("/no{hidden}where")).await.fails(404);
        assert!(!page.contains(hides), "{page}");
        // What was pasted may have been read as something.
        let text = format!("text=%25+A{hidden}nna%0Af5d6");
        let game = client.post("/analyse", &text).await.location();
        let page = client.get(&game).await.ok();
        assert!(!page.contains(hides), "{page}");
    }
}

/// What stands in an address in the place of a number is answered in plain words and one line.
#[tokio::test]
async fn wrong_numbers_in_addresses_are_told_plainly() {
    let client = Client::new().await;
    let game = client.post("/play", "game=reversi&side=both").await;
    let game = game.location();
    let cup = "name=Cup&game=mmpawns&bot=random&bot=greedy&pairs=1";
    let cup = client.post("/tournaments", cup).await.location();
    let analysis = client.post("/analyse", "text=f5").await.location();
    let wrong = "the address of this page has a wrong value: ";
    let large = "99999999999999999999";
    for (address, status, words) in [
        (
            format!("{game}?at=abc"),
            400,
            format!("{wrong}at has to be a whole number from 0 on"),
        ),
        (
            format!("{game}?at="),
            400,
            format!("{wrong}at has to be a whole number from 0 on"),
        ),
        (
            format!("{game}?at={large}"),
            400,
            format!("{wrong}at is too large a number"),
        ),
        (
            format!("{game}?at=1"),
            404,
            "the game has 0 moves, not 1".into(),
        ),
        (
            format!("{analysis}?at=2"),
            404,
            "the game has 1 move, not 2".into(),
        ),
        (
            "/play/games?page=-1".into(),
            400,
            format!("{wrong}page has to be a whole number from 0 on"),
        ),
        (
            "/learn/gipf/abc".into(),
            404,
            "there is nothing with the number &quot;abc&quot; here".into(),
        ),
        (
            format!("/learn/gipf/{large}"),
            404,
            format!("there is nothing with the number &quot;{large}&quot; here"),
        ),
        (
            "/learn/gipf/99".into(),
            404,
            "gipf has lessons 1 to 10".into(),
        ),
        (
            format!("{cup}/players/%60%0Ax"),
            404,
            "there is nothing with the number &quot;`\\nx&quot; here".into(),
        ),
        (format!("{cup}/players/99"), 404, String::new()),
        (
            "/train/none/x".into(),
            404,
            "there is nothing with the number &quot;x&quot; here".into(),
        ),
    ] {
        let answer = client.get(&address).await;
        let page = answer.fails(status);
        let said = page.split("role=\"alert\">").nth(1).unwrap();
        let said = said.split("</p>").next().unwrap();
        assert!(said.contains(&words), "{address}: {said}");
        assert!(!said.contains('\n') && !said.contains("usize"), "{said}");
    }
    for page in ["4294967295", "18446744073709551615"] {
        let address = format!("/library?game=reversi&page={page}");
        client.get(&address).await.ok();
    }
    let answer = client.get("/api/analyse?game=reversi&ms=abc").await;
    let answer = answer.fails(400);
    assert!(
        answer.contains("ms has to be a whole number from 0 on"),
        "{answer}"
    );
    let address = format!("{game}/move");
    let page = client.post(&address, "move=d3&after=x").await.fails(422);
    assert!(
        page.contains("after has to be a whole number from 0 on"),
        "{page}"
    );
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
async fn the_editor_sets_what_stands_beside_the_board() {
    let client = Client::new().await;
    let page = client
        .get("/edit?game=gipf-standard&position=tournament")
        .await
        .ok();
    for field in [
        "<option value=\"tournament\" selected>",
        "name=\"White&apos;s reserve\" value=\"18\"",
        "<option value=\"!\" selected>a GIPF-piece first",
    ] {
        let field = field.replace("&apos;", "'");
        assert!(page.contains(&field), "{field} in {page}");
    }
    let set = "Rules=standard&White%27s+reserve=12&White+brings+in=%21&Black%27s+reserve=9";
    let address = client
        .get(&format!(
            "/edit?game=gipf-standard&position=tournament&brush=W&{set}"
        ))
        .await
        .location();
    let page = client.get(&address).await.ok();
    let text = ">standard 12 9 W ____/_____/______/_______/______/_____/____</textarea>";
    assert!(page.contains(text), "{page}");
    let page = client
        .get("/edit?game=gipf-standard&White%27s+reserve=x")
        .await
        .fails(400);
    assert!(
        page.contains("White's reserve cannot be &quot;x&quot;"),
        "{page}"
    );
}
