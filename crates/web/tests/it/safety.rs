//! What the site refuses.

use axum::body::Body;
use axum::http::{Request, header};
use web::Config;

use crate::client::Client;

fn post(host: &str, origin: Option<&str>) -> Request<Body> {
    let mut request = Request::post("/play")
        .header(header::HOST, host)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    if let Some(origin) = origin {
        request = request.header(header::ORIGIN, origin);
    }
    request.body(Body::from("game=reversi")).unwrap()
}

#[tokio::test]
async fn other_sites_cannot_send_forms() {
    let client = Client::new().await;
    client
        .send(post("127.0.0.1:7171", Some("http://evil.example")))
        .await
        .fails(403);
    client
        .send(post("127.0.0.1:7171", Some("null")))
        .await
        .fails(403);
    client
        .send(post("127.0.0.1:7171", Some("http://127.0.0.1:7171")))
        .await
        .location();
    // A page whose name leads here still bears its own name.
    client
        .send(post("evil.example", Some("http://evil.example")))
        .await
        .fails(403);
    let read = Request::get("/")
        .header(header::HOST, "evil.example")
        .body(Body::empty())
        .unwrap();
    client.send(read).await.fails(403);
}

/// A form that somebody sends from elsewhere.
fn send(path: &str, form: &str, header: Option<(header::HeaderName, &str)>) -> Request<Body> {
    let mut request = Request::post(path)
        .header(header::HOST, "games.example")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    if let Some((name, value)) = header {
        request = request.header(name, value);
    }
    request.body(Body::from(form.to_string())).unwrap()
}

fn look(path: &str, cookie: &str) -> Request<Body> {
    Request::get(path)
        .header(header::HOST, "games.example")
        .header(header::COOKIE, cookie)
        .body(Body::empty())
        .unwrap()
}

async fn with_token() -> Client {
    Client::with(Config {
        token: Some("secret".into()),
        ..Config::default()
    })
    .await
}

/// A cookie of an answer, as it is sent back.
fn cookie(answer: &crate::client::Answer, name: &str) -> String {
    let all = answer.headers.get_all(header::SET_COOKIE);
    let mut all = all.iter().map(|value| value.to_str().unwrap());
    let found = all.find(|value| value.starts_with(name)).unwrap();
    assert!(found.contains("HttpOnly") && found.contains("SameSite"));
    found.split(';').next().unwrap().to_string()
}

const CUP: &str = "name=My+Cup&game=reversi&bot=random&bot=greedy&seed=5";

#[tokio::test]
async fn visitors_play_and_analyse_without_a_token() {
    let client = with_token().await;
    let begun = client
        .send(send("/play", "game=reversi&name=Eve", None))
        .await;
    let key = cookie(&begun, "ludex_visitor");
    let address = begun.location();
    client
        .send(send(&format!("{address}/move"), "move=d3", None))
        .await
        .location();
    client
        .send(send("/analyse", "text=f5d6c3", None))
        .await
        .location();
    // Everybody finds their own games, and nobody else's.
    assert!(
        client
            .send(look("/play/games", &key))
            .await
            .ok()
            .contains("Eve")
    );
    let other = client
        .send(look("/play/games", "ludex_visitor=other"))
        .await;
    assert!(!other.ok().contains("Eve"));
    let not_mine = send(&format!("{address}/delete"), "sure=1", None);
    client.send(not_mine).await.fails(422);
    let mine = Some((header::COOKIE, key.as_str()));
    client
        .send(send(&format!("{address}/delete"), "sure=1", mine))
        .await
        .location();
}

#[tokio::test]
async fn what_costs_more_needs_the_token() {
    let client = with_token().await;
    for path in ["/tournaments", "/tester", "/api/tester", "/api/tournaments"] {
        client.send(send(path, CUP, None)).await.fails(401);
    }
    let bearer = Some((header::AUTHORIZATION, "Bearer secret"));
    client
        .send(send("/tournaments", CUP, bearer))
        .await
        .location();
    let wrong = Some((header::COOKIE, "ludex_token=guess"));
    client
        .send(send("/tournaments", CUP, wrong))
        .await
        .fails(401);
}

/// Whoever had to enter the token first is where they wanted to be afterwards, with everything
/// that they had filled in.
#[tokio::test]
async fn a_form_waits_for_the_token() {
    let client = with_token().await;
    let asked = client
        .send(send("/tournaments", CUP, None))
        .await
        .fails(401);
    assert!(
        asked.contains("<form") && asked.contains("action=\"/login\""),
        "{asked}"
    );
    let form = asked.split("name=\"form\" value=\"").nth(1).unwrap();
    let form = form.split('"').next().unwrap().replace("&amp;", "&");
    assert_eq!(form, CUP);
    let escaped = form
        .replace('=', "%3D")
        .replace('&', "%26")
        .replace('+', "%2B");
    let sent = |token: &str| {
        let form = format!("token={token}&to=%2Ftournaments&form={escaped}");
        client.send(send("/login", &form, None))
    };
    let again = sent("guess").await.fails(401);
    assert!(
        again.contains("that is not the token") && again.contains("My+Cup"),
        "{again}"
    );
    let answer = sent("secret").await;
    let token = cookie(&answer, "ludex_token");
    let page = client.send(look(&answer.location(), &token)).await.ok();
    assert!(page.contains("My Cup"), "{page}");
    // Without a form one comes back to the page; never to another site.
    let to = |to: &str| client.send(send("/login", &format!("token=secret&to={to}"), None));
    assert_eq!(to("%2Ftester").await.location(), "/tester");
    for other in [
        "%2F%2Fevil.example",
        "/%09/evil.example/x",
        "/%0A",
        "/%C3%A9",
    ] {
        assert_eq!(to(other).await.location(), "/", "{other}");
    }
    let offered = look("/login?to=/%09/evil.example/x", "");
    let page = client.send(offered).await.ok();
    assert!(!page.contains("evil.example"), "{page}");
}

/// Every token that is accepted opens the door, in a form and as a cookie.
#[tokio::test]
async fn tokens_can_be_logged_in_with() {
    assert!(web::is_token(&web::random_token()));
    for refused in ["", " ", " x ", "a b", "a;b", "\u{fc}", "a\nb"] {
        assert!(!web::is_token(refused), "{refused:?}");
    }
    let signs: String = ('!'..='~').filter(|&sign| sign != ';').collect();
    assert!(web::is_token(&signs));
    let client = Client::with(Config {
        token: Some(signs.clone()),
        ..Config::default()
    })
    .await;
    let form = serde_urlencoded::to_string([("token", &signs)]).unwrap();
    let answer = client.send(send("/login", &form, None)).await;
    let cookie = cookie(&answer, "ludex_token");
    assert_eq!(answer.location(), "/");
    let staff = Some((header::COOKIE, cookie.as_str()));
    let cup = client.send(send("/tournaments", CUP, staff)).await;
    cup.location();
}

/// Whoever has guessed too often is not told when a guess is right.
#[tokio::test]
async fn tokens_cannot_be_guessed_for_long() {
    let client = with_token().await;
    let login = |token: &str| client.send(send("/login", &format!("token={token}"), None));
    for _ in 0..50 {
        assert_eq!(login("secret").await.location(), "/");
    }
    let mut wrong = 0;
    while login("guess").await.status.as_u16() == 401 {
        wrong += 1;
        assert!(wrong < 10_000, "nothing stops a guesser");
    }
    login("secret").await.fails(429);
}

#[tokio::test]
async fn a_visitor_who_asks_for_too_much_is_told_when_to_come_again() {
    let client = with_token().await;
    let mut refused = None;
    for _ in 0..200 {
        let answer = client
            .send(send("/play", "game=reversi&side=both", None))
            .await;
        if answer.status.as_u16() != 303 {
            refused = Some(answer);
            break;
        }
    }
    let page = refused.unwrap().fails(429);
    assert!(
        page.contains("too many games and analyses begun from your address"),
        "{page}"
    );
    // What has begun goes on, and whoever has the token is not counted.
    let bearer = Some((header::AUTHORIZATION, "Bearer secret"));
    client
        .send(send("/play", "game=reversi", bearer))
        .await
        .location();
}

/// Whatever lets engines think is counted, even if it only asks for a page.
#[tokio::test]
async fn engines_cannot_be_kept_busy_by_looking() {
    let client = with_token().await;
    let status = async |path: &str| client.send(look(path, "")).await.status.as_u16();
    for path in [
        "/analyse/none/export",
        "/analyse/none?wait=1",
        "/analyse/none/live",
    ] {
        // Meanwhile, some more may become possible: fewer than would be from the beginning.
        let most = if path.ends_with("export") {
            10_000
        } else {
            300
        };
        let mut asked = 0;
        let last = loop {
            match status(path).await {
                404 if asked < most => asked += 1,
                last => break last,
            }
        };
        assert_eq!(last, 429, "{path}: nothing stops who asks for ever");
    }
    assert_eq!(status("/analyse/none").await, 404, "looking is free");
}

#[tokio::test]
async fn answers_are_dressed() {
    let answer = Client::new().await.get("/").await;
    let policy = answer.headers[header::CONTENT_SECURITY_POLICY]
        .to_str()
        .unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
    assert_eq!(answer.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
}

#[tokio::test]
async fn large_bodies_are_refused() {
    let client = Client::new().await;
    let text = "x".repeat(300 * 1024);
    let answer = client.post("/analyse", &format!("text={text}")).await;
    assert_eq!(answer.status.as_u16(), 413);
}
