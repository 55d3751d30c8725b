//! Reviews of games on the site, and training on the mistakes that they show.

use std::sync::Arc;
use std::time::{Duration, Instant};

use games::{AnyPosition, AnyProver, Proof};
use percent_encoding::percent_decode_str;
use review::{Case, Review, Suite};
use web::Config;

use crate::client::Client;
use crate::waiting::HANG;

/// Squares that are empty where the games begin, so that everything is proven soon.
const EMPTIES: usize = 9;

/// A position late in a game, and moves from there to the end, none of them chosen well.
pub(crate) fn late_game(seed: usize) -> (AnyPosition, Vec<String>) {
    let mut position = AnyPosition::random_start(games::REVERSI, seed as u64);
    let empties = |position: &AnyPosition| {
        let text = position.to_string();
        text.chars().filter(|&c| c == '-').count()
    };
    let mut turn = seed;
    let mut any = |position: &mut AnyPosition| {
        let moves = position.moves();
        turn = (turn * 31 + 7) % 10_007;
        position.play(&moves[turn % moves.len()]).unwrap()
    };
    while position.outcome().is_none() && empties(&position) > EMPTIES {
        any(&mut position);
    }
    let start = position.clone();
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        moves.push(any(&mut position));
    }
    (start, moves)
}

/// The form of a game.
fn form((start, moves): &(AnyPosition, Vec<String>)) -> String {
    let start = start.to_string().replace(' ', "+");
    format!(
        "game=reversi&start={start}&moves={}&title=a+%E2%80%93+b,+Cup+2009",
        moves.join(",")
    )
}

/// Waits until a page says this.
async fn page_with(client: &Client, address: &str, words: &str) -> String {
    let until = Instant::now() + HANG;
    loop {
        let page = client.get(address).await.ok();
        if page.contains(words) {
            return page;
        }
        assert!(Instant::now() < until, "no {words:?} on {address}: {page}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The addresses on a page that contain this.
fn links(page: &str, part: &str) -> Vec<String> {
    let links = page.split("href=\"").skip(1);
    let links = links.filter_map(|rest| rest.split('"').next());
    let links = links.map(|link| link.replace("&amp;", "&"));
    links.filter(|link| link.contains(part)).collect()
}

/// A review that is over, with a mistake.
async fn reviewed(client: &Client) -> (String, Review) {
    for seed in 1..20 {
        let address = client
            .post("/review", &form(&late_game(seed)))
            .await
            .location();
        page_with(client, &address, "Look further").await;
        let json = client.get(&format!("{address}/review.json")).await.ok();
        let review: Review = serde_json::from_str(&json).unwrap();
        assert_eq!(review.coverage.proven, review.coverage.positions, "{json}");
        let refuted = |one: &&review::Mistake| !one.kept.is_empty() && one.refutation.len() > 1;
        if review.turning_point.is_some() && review.real_mistakes().any(|one| refuted(&one)) {
            return (address, review);
        }
    }
    panic!("no game with a mistake");
}

#[tokio::test]
async fn a_pasted_game_is_reviewed_in_the_background() {
    let client = Client::new().await;
    let (address, review) = reviewed(&client).await;
    assert_eq!(
        review.players,
        ["a", "b"],
        "players are called by their names"
    );
    let page = client.get(&address).await.ok();
    // The turning point comes first, then how much is proven.
    let place = |words: &str| {
        page.find(words)
            .unwrap_or_else(|| panic!("no {words:?}: {page}"))
    };
    assert!(place(&review.summary) < place("positions proven"));
    assert!(place("positions proven") < place("Kept the value"));
    // The refutation can be walked through.
    let steps = links(&page, "&step=");
    let lines: usize = review.real_mistakes().map(|one| one.refutation.len()).sum();
    assert_eq!(steps.len(), lines);
    let mistake = review
        .real_mistakes()
        .find(|one| one.refutation.len() > 1)
        .unwrap();
    let second = steps.iter().find(|link| link.contains("step=2")).unwrap();
    let board = client.get(second).await.ok();
    assert!(
        board.contains("Variation:") && board.contains(&mistake.refutation[1]),
        "{board}"
    );
    // It cannot be begun with a time that nobody offers, and other games are not there.
    client.post(&address, "seconds=86400").await.fails(400);
    client.get("/review/analysis/none").await.fails(404);
    client.get("/review/chess/none").await.fails(404);
    client.get("/review/tournament/cup.1.1.1").await.fails(404);
}

#[tokio::test]
async fn a_game_is_reviewed_when_it_is_over() {
    let client = Client::new().await;
    let (start, _) = late_game(3);
    let start = start.to_string().replace(' ', "+");
    let form = format!("game=reversi&side=none&bot=greedy&position={start}");
    let game = client.post("/play", &form).await.location();
    let review = game.replace("/play/", "/review/play/");
    client.get(&review).await.fails(422);
    page_with(&client, &game, "Review the game").await;
    let page = client.get(&review).await.ok();
    assert!(page.contains("Review this game"), "{page}");
    assert_eq!(client.post(&review, "seconds=10").await.location(), review);
    let page = page_with(&client, &review, "Look further").await;
    assert!(page.contains("positions proven"), "{page}");
}

async fn enter(client: &Client, game: &str, mv: &str) {
    let address = format!("{game}/move");
    client
        .post(&address, &format!("move={mv}"))
        .await
        .location();
}

/// Plays both sides of a game to its end; forced passes are made by themselves.
async fn finish(client: &Client, game: &str, mut position: AnyPosition, last: bool) {
    while position.outcome().is_none() {
        let mut moves = position.moves();
        let mv = match last {
            true => moves.pop().unwrap(),
            false => moves.remove(0),
        };
        if position.only_pass().is_none() {
            enter(client, game, &mv).await;
        }
        position.play(&mv).unwrap();
    }
}

/// A game that went on otherwise after its review has none.
#[tokio::test]
async fn moves_that_were_taken_back_are_not_reviewed() {
    let client = Client::new().await;
    let (start, _) = late_game(3);
    let text = start.to_string().replace(' ', "+");
    let form = format!("game=reversi&side=both&position={text}");
    let game = client.post("/play", &form).await.location();
    let address = game.replace("/play/", "/review/play/");
    let reviewed = async || {
        client.post(&address, "seconds=10").await.location();
        page_with(&client, &address, "Look further").await;
        client.get(&format!("{address}/review.json")).await.ok()
    };
    finish(&client, &game, start.clone(), false).await;
    let first = reviewed().await;
    let undo = format!("{game}/undo");
    while client.post(&undo, "").await.status.as_u16() == 303 {}
    finish(&client, &game, start, true).await;
    let page = client.get(&address).await.ok();
    assert!(page.contains("Review this game"), "{page}");
    assert!(!page.contains("positions proven"), "{page}");
    client
        .get(&format!("{address}/review.json"))
        .await
        .fails(404);
    assert_ne!(reviewed().await, first);
}

#[tokio::test]
async fn mistakes_are_trained_and_progress_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        database: Some(folder.path().join("site.sqlite")),
        ..Config::default()
    };
    let (training, solved) = {
        let client = Client::with(config.clone()).await;
        let (address, review) = reviewed(&client).await;
        let suite = client.get(&format!("{address}/suite.txt")).await.ok();
        let suite: Suite = suite.parse().unwrap();
        let training = client
            .post(&format!("{address}/train"), "")
            .await
            .location();
        let page = client.get(&training).await.ok();
        assert!(
            page.contains(&format!("0 of {} solved", suite.cases.len())),
            "{page}"
        );
        // Where the result was given away, the moves that keep it need not keep the margin.
        for mistake in review.real_mistakes() {
            let is_it = |case: &&Case| case.position.to_string() == mistake.position;
            if let Some(case) = suite.cases.iter().find(is_it) {
                let whole = !mistake.kind.changes_result();
                assert_eq!(case.worth.margin, mistake.best.margin.filter(|_| whole));
            }
        }
        let case = &suite.cases[0];
        let puzzle = format!("{training}/1");
        assert!(client.get(&puzzle).await.ok().contains("to move: keep"));
        // What is not legal is said, and changes nothing.
        let refused = client
            .post(&format!("{puzzle}/move"), "move=z9")
            .await
            .fails(422);
        assert!(
            refused.contains("z9") && refused.contains("to move: keep"),
            "{refused}"
        );
        // The move that was played then fails again.
        let played = &review
            .mistakes
            .iter()
            .find(|one| one.position == case.position.to_string());
        let played = &played.unwrap().played;
        client
            .post(&format!("{puzzle}/move"), &format!("move={played}"))
            .await
            .location();
        let page = client.get(&puzzle).await.ok();
        assert!(
            page.contains("not solved") && page.contains("Try again"),
            "{page}"
        );
        client.post(&format!("{puzzle}/again"), "").await.location();
        // Moves that keep the value, to the end.
        let line = solve(&client, &puzzle, case).await;
        let page = client.get(&puzzle).await.ok();
        assert!(page.contains("You have kept"), "{line:?}: {page}");
        assert!(client.get("/train").await.ok().contains(&training));
        (training, format!("1 of {} solved", suite.cases.len()))
    };
    let client = Client::with(config).await;
    let page = client.get(&training).await.ok();
    assert!(page.contains(&solved), "{page}");
    client.get(&format!("{training}/99")).await.fails(404);
    client.get("/train/none").await.fails(404);
    let page = client
        .post("/train", "suite=game+reversi%0Anonsense")
        .await
        .fails(422);
    assert!(
        page.contains("line 2") && page.contains("nonsense"),
        "{page}"
    );
}

/// Plays the person's side of a game against a quick bot to its end.
async fn play_out(client: &Client, game: &str, start: &AnyPosition) {
    let own = start.side_to_move();
    loop {
        let state = client.get(&format!("/api{game}")).await.ok();
        let state: serde_json::Value = serde_json::from_str(&state).unwrap();
        let mut position = start.clone();
        for mv in state["played"].as_array().unwrap() {
            position.play(mv.as_str().unwrap()).unwrap();
        }
        if position.outcome().is_some() {
            return;
        }
        if position.side_to_move() == own {
            let mv = position.moves().remove(0);
            enter(client, game, &mv).await;
        }
    }
}

#[tokio::test]
async fn a_person_with_a_name_trains_on_own_mistakes() {
    let client = Client::new().await;
    for seed in 1..20 {
        let (start, _) = late_game(seed);
        let own = start.side_to_move();
        let side = ["first", "second"][own.index()];
        let text = start.to_string().replace(' ', "+");
        let form = format!("game=reversi&side={side}&name=Ben&bot=random&position={text}");
        let game = client.post("/play", &form).await.location();
        play_out(&client, &game, &start).await;
        let address = game.replace("/play/", "/review/play/");
        client.post(&address, "seconds=10").await.location();
        page_with(&client, &address, "Look further").await;
        let json = client.get(&format!("{address}/review.json")).await.ok();
        let review: Review = serde_json::from_str(&json).unwrap();
        let real = review.real_mistakes().filter(|one| !one.kept.is_empty());
        let sides: Vec<_> = real.map(review::Mistake::side).collect();
        if sides.contains(&own) && sides.contains(&!own) {
            let suite = client.get(&format!("{address}/suite.txt")).await.ok();
            let suite: Suite = suite.parse().unwrap();
            let mut cases = suite.cases.iter();
            assert!(!suite.cases.is_empty());
            assert!(cases.all(|case| case.position.side_to_move() == own));
            return;
        }
    }
    panic!("no game in which both made mistakes");
}

/// A won position of which one move keeps the margin, and another one that wins by less.
fn margin_case() -> (Case, String) {
    let prove = |after: &AnyPosition| {
        let proof = prover().prove(after, &search::Limits::default());
        proof.unwrap().before().margin.unwrap()
    };
    for seed in 1..100 {
        let (position, _) = late_game(seed);
        let worth = |mv: String| {
            let mut after = position.clone();
            after.play(&mv).unwrap();
            (prove(&after), mv)
        };
        let mut worths: Vec<(i32, String)> = position.moves().into_iter().map(worth).collect();
        worths.sort_unstable();
        let (best, keeps) = worths.pop().unwrap();
        let less = worths
            .into_iter()
            .find(|(margin, _)| (1..best).contains(margin));
        if let Some((_, less)) = less {
            let case = Case {
                position,
                worth: Proof::with_margin(best),
                keeps: vec![keeps],
                open: vec![less.clone()],
                source: "a test".into(),
            };
            return (case, less);
        }
    }
    panic!("no position with a margin to lose");
}

#[tokio::test]
async fn a_smaller_win_keeps_no_margin() {
    let client = Client::new().await;
    let (case, less) = margin_case();
    let goal = format!("the margin ({})", case.worth);
    let suite = Suite {
        game: games::REVERSI,
        cases: vec![case.clone()],
    };
    let form = serde_urlencoded::to_string([("suite", suite.to_string())]).unwrap();
    let puzzle = format!("{}/1", client.post("/train", &form).await.location());
    assert!(client.get(&puzzle).await.ok().contains(&goal));
    let act = format!("{puzzle}/move");
    let played = client.post(&act, &format!("move={less}")).await;
    played.location();
    let page = client.get(&puzzle).await.ok();
    assert!(page.contains("not solved"), "{page}");
    client.post(&format!("{puzzle}/again"), "").await.location();
    solve(&client, &puzzle, &case).await;
    let page = client.get(&puzzle).await.ok();
    assert!(page.contains(&format!("You have kept {goal}")), "{page}");
}

/// Two tabs train at the same time, each on a position of its own.
#[tokio::test]
async fn tabs_do_not_undo_what_others_have_trained() {
    let client = Client::new().await;
    let (case, less) = margin_case();
    let suite = Suite {
        game: games::REVERSI,
        cases: vec![case.clone(), case],
    };
    let form = serde_urlencoded::to_string([("suite", suite.to_string())]).unwrap();
    let training = client.post("/train", &form).await.location();
    let act = async |number: u32| {
        let address = format!("{training}/{number}/move");
        let answer = client.post(&address, &format!("move={less}")).await;
        answer.location()
    };
    tokio::join!(act(1), act(2));
    for number in [1, 2] {
        let page = client.get(&format!("{training}/{number}")).await.ok();
        assert!(page.contains("not solved"), "{number}: {page}");
    }
}

/// Plays the best moves of a case until the try is over.
async fn solve(client: &Client, puzzle: &str, case: &review::Case) -> Vec<String> {
    let mut line = Vec::new();
    let mut mv = case.keeps[0].clone();
    for _ in 0..20 {
        client
            .post(&format!("{puzzle}/move"), &format!("move={mv}"))
            .await
            .location();
        let page = client.get(puzzle).await.ok();
        line.push(mv);
        if !page.contains("Right so far") {
            return line;
        }
        let played = page.split("class=\"mono\">").nth(1).unwrap();
        let played = played.split('<').next().unwrap();
        let mut position = case.position.clone();
        for mv in played.split("; ") {
            position.play(mv).unwrap();
        }
        mv = best(&position);
    }
    panic!("{line:?}");
}

/// The best move of a position with few moves left.
fn best(position: &AnyPosition) -> String {
    let line = prover().line(position, &search::Limits::default());
    line[0].clone()
}

fn prover() -> Box<dyn AnyProver> {
    let room = games::Room {
        threads: 1,
        memory: 1 << 20,
    };
    let mut provers = games::REVERSI.provers(&games::Resources::default(), room);
    provers.remove(0)
}

/// A server that is gone while one review is at work and another one waits.
#[tokio::test]
async fn reviews_go_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        database: Some(folder.path().join("site.sqlite")),
        ..Config::default()
    };
    let (long, short) = {
        let config = config.clone();
        let server = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let asked = runtime.block_on(async {
                let client = Client::with(config).await;
                let early = (AnyPosition::start(games::REVERSI), opening());
                let long = client.post("/review", &form(&early)).await.location();
                let late = form(&late_game(1));
                let short = client.post("/review", &late).await.location();
                page_with(&client, &long, "positions proven").await;
                page_with(&client, &short, "Waits for the review of another game").await;
                (long, short)
            });
            runtime.shutdown_background();
            asked
        });
        server.join().unwrap()
    };
    let site = Arc::new(web::Site::open(config).await.unwrap());
    let anywhere = "127.0.0.1:0".parse().unwrap();
    let (listener, _) = web::listen(anywhere).await.unwrap();
    tokio::spawn(web::serve(listener, site.clone(), std::future::pending()));
    let client = Client::of(site);
    page_with(&client, &long, "positions proven").await;
    client.post(&format!("{long}/stop"), "").await.location();
    let page = page_with(&client, &short, "Look further").await;
    assert!(page.contains("positions proven"), "{page}");
}

/// The first moves of a game, of which nothing can be proven soon.
fn opening() -> Vec<String> {
    let mut position = AnyPosition::start(games::REVERSI);
    (0..12)
        .map(|turn| {
            let moves = position.moves();
            position.play(&moves[turn * 7 % moves.len()]).unwrap()
        })
        .collect()
}

/// A pawn before the last row, and a move of another one.
const SLOWER: &str = "A 1 -------B/A-------/--------/--------/--------/--------/--------/---A----";

#[tokio::test]
async fn slower_wins_are_shown_on_request() {
    let start = SLOWER.replace(' ', "+");
    let form = format!("game=mmpawns&start={start}&moves=d8-d7&title=slow");
    // Distances are looked for in a few milliseconds, which a busy machine may take away: then
    // another site tries again.
    let mut tries = 0;
    let (client, address, more) = loop {
        let client = Client::new().await;
        let address = client.post("/review", &form).await.location();
        let page = page_with(&client, &address, "Look further").await;
        assert!(!page.contains("plies slower"), "{page}");
        let more = links(&page, "slower=yes");
        if more.len() == 1 {
            break (client, address, more);
        }
        tries += 1;
        assert!(tries < 20, "{page}");
    };
    let page = client.get(&more[0]).await.ok();
    assert!(page.contains("plies slower"), "{page}");
    let fewer = links(&page, &address);
    assert!(fewer.contains(&address), "{fewer:?}");
}

/// Games of a small variant that is solved, so that all of their positions are proven.
#[tokio::test]
async fn players_of_a_tournament_have_their_mistakes() {
    let client = Client::new().await;
    let form = "name=Cup&game=gipf&bot=random&bot=greedy&pairs=2&variant=2+2+5+5&plies=2&seed=3";
    let address = client.post("/tournaments", form).await.location();
    page_with(&client, &address, "finished").await;
    let page = client.get(&format!("{address}/players/0")).await.ok();
    assert!(
        page.contains("No game of this player has been reviewed"),
        "{page}"
    );
    client
        .post(&format!("{address}/players/0/train"), "")
        .await
        .fails(422);
    client
        .post(&format!("{address}/review"), "seconds=10")
        .await
        .location();
    let page = page_with(&client, &address, "4 games reviewed").await;
    let game = links(&page, "/review/tournament/")
        .pop()
        .expect("an instructive game");
    let review = client.get(&game).await.ok();
    assert!(
        review.contains("positions proven") && review.contains("Kept the value"),
        "{review}"
    );
    let id = game.rsplit('/').next().unwrap();
    let board = client.get(&format!("{address}/games/{id}")).await.ok();
    assert!(board.contains("Kept the value"), "{board}");
    for file in ["conversion.csv", "reviews.csv"] {
        assert!(page.contains(file), "{page}");
        let csv = client.get(&format!("{address}/files/{file}")).await.ok();
        assert!(csv.lines().count() >= 3, "{csv}");
    }
    let weak = page_with(&client, &format!("{address}/players/0"), "Proven won").await;
    for words in [
        "Lost by kind",
        "Lost by turn",
        "Lost by opponent",
        "most expensive",
        "<svg",
    ] {
        assert!(weak.contains(words), "no {words}: {weak}");
    }
    let own = client
        .get(&format!("{address}/players/0/suite.txt"))
        .await
        .ok();
    let all = format!("{address}/players/0/suite.txt?opponents=yes");
    let all = client.get(&all).await.ok();
    let [own, all] = [own, all].map(|text| text.parse::<Suite>().unwrap().cases.len());
    assert!(own > 0 && own <= all, "{own} of {all}");
    let training = client
        .post(&format!("{address}/players/0/train"), "")
        .await
        .location();
    let page = client.get(&training).await.ok();
    assert!(page.contains(&format!("0 of {own} solved")), "{page}");
    let stop = client
        .post(&format!("{address}/review/stop"), "")
        .await
        .location();
    assert_eq!(percent_decode_str(&stop).decode_utf8().unwrap(), address);
}

/// What a review has proven, the analysis knows without a search.
#[tokio::test]
async fn the_analysis_reads_what_reviews_have_proven() {
    let client = Client::new().await;
    let (address, review) = reviewed(&client).await;
    let kept = address.replace("/review/analysis/", "/analyse/");
    let json = client.get(&format!("{kept}/export?form=json")).await.ok();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let values = json["values"].as_array().unwrap();
    for turn in &review.turns {
        let proof = turn.statement.proof().unwrap();
        let value = &values[turn.turn as usize - 1];
        assert_eq!(value["score"]["margin"], proof.margin.unwrap(), "{value}");
    }
}
