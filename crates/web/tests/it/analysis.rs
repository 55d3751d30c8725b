//! What an analysis says is right: the same as tables and rules say.

use serde_json::Value;

use crate::client::Client;

/// Values of moves that are not found by then are a hang.
const LONG: u32 = 20_000;

/// The values of a position's moves, by move.
async fn values(client: &Client, game: &str, position: &str) -> Vec<(String, Value)> {
    let position = position.replace(' ', "+").replace('/', "%2F");
    let address = format!("/api/analyse?game={game}&position={position}&ms={LONG}");
    let answer: Value = serde_json::from_str(&client.get(&address).await.ok()).unwrap();
    let values = answer["values"].as_array().unwrap().clone();
    let named = |value: Value| (value["move"].as_str().unwrap().to_owned(), value);
    let mut values: Vec<_> = values.into_iter().map(named).collect();
    values.sort_by(|a, b| a.0.cmp(&b.0));
    values
}

/// What the page of solved games proves, the analysis says too: the same value, the same distance.
#[tokio::test]
async fn tables_are_used() {
    let client = Client::new().await;
    // Without a visit to the pages of solved games before.
    let drawn = values(&client, "gipf", "2 2 5 5").await;
    assert_eq!(drawn.len(), 21);
    assert!(drawn.iter().all(|(_, value)| value["score"] == "draw"));
    let mut positions = 0;
    for variant in ["2-2-5-5", "3-3-4-4", "2-3-5-5"] {
        for (seed, kind) in ["long", "only", "draw", "loss"].into_iter().enumerate() {
            let random = format!("/solved/{variant}/random?kind={kind}&seed={seed}");
            let answer = client.get(&random).await;
            if answer.status == 404 {
                continue;
            }
            let address = answer.location();
            let position = address.split_once("position=").unwrap().1;
            check_table(&client, variant, position).await;
            positions += 1;
        }
    }
    assert!(positions > 5, "{positions}");
}

async fn check_table(client: &Client, variant: &str, position: &str) {
    let address = format!("/api/solved/{variant}?position={position}");
    let table: Value = serde_json::from_str(&client.get(&address).await.ok()).unwrap();
    let text = |value: &Value, name: &str| value[name].as_str().unwrap().to_owned();
    let moves = table["moves"].as_array().unwrap().iter();
    let mut solved: Vec<_> = moves
        .map(|mv| (text(mv, "move"), text(mv, "value")))
        .collect();
    solved.sort();
    assert!(!solved.is_empty(), "{position}");
    let found = values(client, "gipf", position).await.into_iter();
    let found: Vec<_> = found
        .map(|(mv, value)| (mv, text(&value, "text")))
        .collect();
    assert_eq!(found, solved, "{position}");
}

/// A move that ends the game is a win in 1, and a position that loses by force says when.
#[tokio::test]
async fn distances_are_plies_to_the_end() {
    let client = Client::new().await;
    let race = "A 1 --------/-A------/--------/--------/--------/--------/------B-/--------";
    for (mv, value) in values(&client, "mmpawns", race).await {
        assert_eq!(value["text"], "W1", "{mv}");
        assert_eq!(value["score"]["win"]["exactly"], 1, "{mv}");
    }
    for (mv, value) in values(&client, "nim", "5 first").await {
        // Two of five leave three, which lose whatever is taken.
        let expected = if mv == "2" { "W3" } else { "L4" };
        assert_eq!(value["text"], expected, "{mv}");
    }
}

/// Where a page says how the game stands.
fn status(page: &str) -> &str {
    let status = page.split("id=\"status\"").nth(1).unwrap();
    status.split("</p>").next().unwrap()
}

#[tokio::test]
async fn a_finished_game_says_who_has_won() {
    let client = Client::new().await;
    // The shortest game of Othello: White loses all discs.
    let address = client
        .post("/analyse", "text=e6f4e3f6g5d6e7f5c5")
        .await
        .location();
    let page = client.get(&address).await.ok();
    assert!(status(&page).contains("Black to move"), "{}", status(&page));
    assert!(page.contains("0 / 9"), "it is read from its beginning");
    assert!(page.contains("Black 2, White 2"));
    let page = client.get(&format!("{address}?at=9")).await.ok();
    let ending = "Black wins: White has no disc left";
    assert!(status(&page).contains(ending), "{}", status(&page));
    assert!(!page.contains("Black to move") && !page.contains("White to move"));
    assert!(page.contains("Black 13, White 0"));
}

/// A game as a file keeps its values, and can be pasted.
#[tokio::test]
async fn exports_keep_the_analysis() {
    let client = Client::new().await;
    let address = client
        .post("/analyse", "text=e6f4e3f6g5d6e7f5c5")
        .await
        .location();
    let page = client.get(&address).await.ok();
    for form in ["json", "text"] {
        assert!(page.contains(&format!("{address}/export?form={form}")));
    }
    let json = client
        .get(&format!("{address}/export?form=json"))
        .await
        .ok();
    let json: Value = serde_json::from_str(&json).unwrap();
    let values = json["values"].as_array().unwrap();
    assert_eq!(values.len(), 10);
    assert!(
        values.iter().all(|value| value["score"].is_object()),
        "{json}"
    );
    assert_eq!(values[9]["score"]["margin"], -64);
    assert_eq!(
        values[8]["played"]["margin"], 64,
        "what is proven of a move"
    );
    let text = client
        .get(&format!("{address}/export?form=text"))
        .await
        .ok();
    assert!(text.contains("%   9. c5  +64  best "), "{text}");
    assert!(text.contains("% Black 13, White 0"), "{text}");
    let form: String = form_urlencoded(&text);
    let again = client.post("/analyse", &format!("text={form}")).await;
    let again = client.get(&format!("{}?at=9", again.location())).await.ok();
    assert!(again.contains("after move 9 c5"), "{again}");
}

fn form_urlencoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A game that stays won has no mistakes, and one that is thrown away has.
#[tokio::test]
async fn mistakes_are_proven_ones() {
    let client = Client::new().await;
    let export = async |game: &str, start: &str, moves: &str| {
        let start = start.replace(' ', "+").replace('/', "%2F");
        let address = format!("/analyse/export?game={game}&start={start}&moves={moves}&form=text");
        client.get(&address).await.ok()
    };
    // A runs alone; whatever B does, the game stays won.
    let race = "A 1 --------/--------/--------/-A------/------B-/--------/--------/--------";
    let text = export("mmpawns", race, "b4-b3,g5-g6,b3-b2,g6-g7").await;
    assert!(!text.contains('?'), "{text}");
    // From a heap of four, one leaves three and wins; two leave two and lose.
    let mut text = export("nim", "4 first", "2").await;
    // What is proven is remembered, so that each try knows more; only a hang tries so often.
    for _ in 0..100 {
        if text.contains("?? win → loss") {
            return;
        }
        text = export("nim", "4 first", "2").await;
    }
    panic!("{text}");
}

/// Moves of several parts have commas of their own: they go through forms and addresses whole.
#[tokio::test]
async fn moves_with_commas_are_analysed_and_reviewed() {
    let client = Client::new().await;
    let start = "standard 3 5 W W___/_____/______/_WwwwB_/______/_____/___B";
    let mut position = games::AnyPosition::parse(games::GIPF_STANDARD, start).unwrap();
    let moves = position.moves();
    let taking = moves.iter().find(|mv| mv.contains(',')).expect("a choice");
    let taking = position.play(taking).unwrap();
    let fields = [
        ("game", "gipf-standard"),
        ("start", start),
        ("moves", &taking.replace(',', ".")),
    ];
    let address = serde_urlencoded::to_string(fields).unwrap();
    let page = client.get(&format!("/analyse/game?{address}")).await.ok();
    assert!(page.contains("1 / 1"), "{page}");
    let form = page.split("action=\"/review\"").nth(1).unwrap();
    let field = |name: &str| {
        let value = form.split(&format!("name=\"{name}\" value=\"")).nth(1);
        let value = value.unwrap().split('"').next().unwrap();
        (name.to_string(), value.to_string())
    };
    let sent = serde_urlencoded::to_string(["game", "start", "moves"].map(field)).unwrap();
    let review = client.post("/review", &sent).await.location();
    let page = client
        .get(&review.replacen("/review/analysis", "/analyse", 1))
        .await;
    assert!(page.ok().contains("1 / 1"), "{review}");
}
