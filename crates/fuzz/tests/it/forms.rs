//! Requests to the site: whatever a form or an address says, the site answers.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use fuzz::fuzz;
use tower::ServiceExt as _;

/// A request takes longer than a parser does.
const INPUTS: usize = 600;

/// What a browser sends: the method with the address, and below it the form.
const SEEDS: &[&str] = &[
    "POST /play\ngame=reversi&side=first&bot=greedy&position=",
    "POST /play\ngame=gipf&side=first&bot=random&variant=3+3+8+8&start=random&seed=3",
    "POST /analyse\ntext=f5d6c3d3c4&game=reversi",
    "POST /analyse\ntext=%28%3BGM%5BOthello%5DBO%5B8",
    "POST /tournaments\nname=My+cup&game=gipf&bot=random&bot=greedy&pairs=1&format=swiss&rounds=2\
     &openings=random&plies=2&wall=1s&memory=1GB&variant=2+2+5+5",
    "POST /tournaments\nname=%3Cb%3E&game=mmpawns&bot=random&bot=minimax%3A2&format=knockout\
     &extra-pairs=1",
    "POST /login\ntoken=x&next=%2Fplay",
    "GET /edit?game=gipf&position=2+2+5+5+3+3+W+W_B",
    "GET /edit?game=mmpawns",
    "GET /analyse?game=reversi&text=f5",
    "GET /board.svg?game=reversi&position=start&marks=d3",
    "GET /solved/2-2-5-5?position=start",
    "GET /tournaments/x/games?player=0&round=1&faults=on",
];

#[test]
fn forms() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let site = runtime
        .block_on(web::Site::open(web::Config::default()))
        .unwrap();
    let app = web::app(Arc::new(site));
    fuzz("forms", SEEDS, INPUTS, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let (first, body) = text.split_once('\n').unwrap_or((&text, ""));
        let (method, address) = first.split_once(' ').unwrap_or(("GET", first));
        // No games: they are the subject of other tests, and take their time. A form with a
        // number that is none is read like any other.
        let body = match address {
            "/tournaments" => format!("{body}&seed=none"),
            _ => body.to_owned(),
        };
        let request = Request::builder()
            .method(if method == "POST" { method } else { "GET" })
            .uri(address)
            .header(header::HOST, "127.0.0.1:7171")
            .header(header::ORIGIN, "http://127.0.0.1:7171")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body));
        let Ok(request) = request else {
            return "no request".into();
        };
        runtime.block_on(async {
            let response = app.clone().oneshot(request).await.unwrap();
            let status = response.status();
            assert!(!status.is_server_error(), "{first}: {status}");
            // Pages that stream events have no end.
            if !status.is_client_error() {
                return status.to_string();
            }
            let page = to_bytes(response.into_body(), 1 << 24).await.unwrap();
            let page = String::from_utf8_lossy(&page);
            let problem = page.split("role=\"alert\"").nth(1).unwrap_or_default();
            let problem = problem.split('<').next().unwrap_or_default();
            format!("{status} {problem}")
        })
    });
}
