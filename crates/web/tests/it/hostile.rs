//! Nonsense at every address: the answer says what was wrong, and nothing falls over.

use axum::body::Body;
use axum::http::{Method, Request, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee::PlayerSpec;

use crate::client::Client;

/// Pieces that addresses and forms are made of: names that mean something, values that
/// nearly do, and values that never do.
const WORDS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "7",
    "18446744073709551616",
    "NaN",
    "1e9",
    "x",
    "reversi",
    "othello",
    "gipf",
    "mmpawns",
    "start",
    "random",
    "greedy",
    "best:99999999999s",
    "minimax:999",
    "alphabeta:d0",
    "mcts:0ms",
    "4 4 15 15",
    "2 3 5 5 2 2 W WB/B_W/WB",
    "2 3 5 5 2 2 W WB/B_W",
    "3 3 0 0",
    "8 2 1 1",
    "2 3 5 5 99 99 W __/___/__",
    "---------------------------OX------XO--------------------------- X",
    "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX O",
    "A 1 -B-B----/--------/--------/--------/--------/--------/A-A-----/--------",
    "A 99999 ********/********/********/********/********/********/********/********",
    "/",
    "////////",
    "f5d6c3d3c4",
    "f5,d6,c3",
    "pass,pass,pass",
    "a1-b2",
    "a1-b2 w: b2 d4",
    "w: a1 a1",
    "a1,a1,a1",
    "(;GM[Othello]BO[8 -------- *]B[d3];)",
    "(;GM[Othello",
    "LOAD_GAME_BOARD\n4 4 15 15\n0 0 W\n",
    "../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "<script>alert(1)</script>",
    "\"'><b>",
    "\u{0}\u{1}\u{7f}",
    "é漢🂡\u{202e}",
    "{\"game\":\"reversi\"}",
    "[1,2",
    "; rm -rf /",
    "$(id)",
    "%",
    "%zz",
];

const NAMES: &[&str] = &[
    "game",
    "position",
    "start",
    "moves",
    "title",
    "at",
    "line",
    "picks",
    "pick",
    "move",
    "ask",
    "hint",
    "sure",
    "side",
    "bot",
    "budget",
    "clock",
    "text",
    "form",
    "brush",
    "kind",
    "seed",
    "ms",
    "name",
    "program",
    "algorithm",
    "format",
    "pairs",
    "others",
    "player",
    "opponent",
    "faults",
    "page",
    "token",
    "wait",
    "players",
    "programs",
    "rounds",
];

/// Every address of the site; `*` stands for something that exists, or does not.
const ADDRESSES: &[&str] = &[
    "/",
    "/play",
    "/play/*",
    "/play/*/move",
    "/play/*/undo",
    "/play/*/resign",
    "/edit",
    "/login",
    "/board.svg",
    "/board.png",
    "/analyse",
    "/analyse/file",
    "/analyse/position",
    "/analyse/game",
    "/analyse/export",
    "/analyse/*",
    "/tournaments",
    "/tournaments/new",
    "/tournaments/*",
    "/tournaments/*/stop",
    "/tournaments/*/resume",
    "/tournaments/*/games",
    "/tournaments/*/games/*",
    "/tournaments/*/games/*/record.json",
    "/tournaments/*/players/*",
    "/tournaments/*/files/*",
    "/tester",
    "/tester/*",
    "/solved",
    "/solved/*",
    "/solved/*/random",
    "/assets/*",
    "/api/*",
    "/api/*/*",
    "/*",
    "/*/*/*",
];

fn escape(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

#[tokio::test]
async fn nonsense_is_refused_with_a_page() {
    let programs = vec!["argv:echo nonsense".parse::<PlayerSpec>().unwrap()];
    let client = Client::with(web::Config {
        programs,
        ..web::Config::default()
    })
    .await;
    let game = client
        .post("/play", "game=gipf&bot=greedy")
        .await
        .location();
    let analysis = client.post("/analyse", "text=f5d6").await.location();
    let cup = "name=Cup&game=mmpawns&bot=random&bot=greedy&pairs=1";
    let cup = client.post("/tournaments", cup).await.location();
    let known = [&game, &analysis, &cup].map(|address| address.rsplit('/').next().unwrap());

    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let api: Vec<String> = web::api_addresses()
        .iter()
        .map(|(_, path)| {
            path.replace("{id}", "*")
                .replace("{game}", "*")
                .replace("{variant}", "*")
        })
        .collect();
    let addresses: Vec<&str> = ADDRESSES
        .iter()
        .copied()
        .chain(api.iter().map(String::as_str))
        .collect();
    for round in 0..40 {
        for address in &addresses {
            let word = |rng: &mut ChaCha8Rng| WORDS[rng.random_range(0..WORDS.len())];
            let mut path = String::new();
            for part in address.split('*') {
                if !path.is_empty() {
                    let known = known[rng.random_range(0..known.len())];
                    let wild = escape(word(&mut rng));
                    path.push_str(if rng.random_range(0..3) == 0 {
                        &wild
                    } else {
                        known
                    });
                }
                path.push_str(part);
            }
            let fields: Vec<String> = (0..rng.random_range(0..5))
                .map(|_| {
                    let name = NAMES[rng.random_range(0..NAMES.len())];
                    format!("{name}={}", escape(word(&mut rng)))
                })
                .collect();
            let fields = fields.join("&");
            let kinds = [
                "application/x-www-form-urlencoded",
                "application/json",
                "multipart/form-data; boundary=x",
                "text/plain",
            ];
            let kind = kinds[if round % 4 == 3 {
                rng.random_range(0..4)
            } else {
                usize::from(address.starts_with("/api"))
            }];
            let posts = rng.random_range(0..2) == 0;
            // Searches and events are other tests' subject, and take their time.
            if !posts && (path.contains("/api/analyse") || path.contains("hint")) {
                continue;
            }
            let request = if posts {
                let body = match (kind, rng.random_range(0..2)) {
                    ("application/json", 0) => serde_json::json!({
                        NAMES[rng.random_range(0..NAMES.len())]: word(&mut rng),
                        "game": word(&mut rng), "text": word(&mut rng), "move": word(&mut rng),
                    })
                    .to_string(),
                    (_, 0) => word(&mut rng).to_string(),
                    _ => fields,
                };
                Request::builder()
                    .method(Method::POST)
                    .uri(&path)
                    .body(Body::from(body))
            } else {
                let fields = fields.replace("hint=", "hunt=");
                Request::builder()
                    .uri(format!("{path}?{fields}"))
                    .body(Body::empty())
            };
            let Ok(mut request) = request else { continue };
            let headers = request.headers_mut();
            headers.insert(header::HOST, "127.0.0.1".parse().unwrap());
            headers.insert(header::CONTENT_TYPE, kind.parse().unwrap());
            let shown = format!("{} {}", request.method(), request.uri());
            let answer = client.send(request).await;
            assert!(
                !answer.status.is_server_error(),
                "{shown}: {} {}",
                answer.status,
                answer.body
            );
            let html = answer.body.starts_with("<!DOCTYPE");
            assert!(!html || !answer.body.contains("<script>alert"), "{shown}");
            if answer.status.is_client_error() {
                let page = answer.body.contains("role=\"alert\"");
                assert!(
                    page || answer.body.starts_with("{\"error\":"),
                    "{shown}: {}",
                    answer.body
                );
            }
        }
    }
    client.get("/").await.ok();
}
