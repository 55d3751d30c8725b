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

#[tokio::test]
async fn elsewhere_changes_need_the_token() {
    let client = Client::with(Config {
        token: Some("secret".into()),
        ..Config::default()
    })
    .await;
    let read = Request::get("/")
        .header(header::HOST, "games.example")
        .body(Body::empty())
        .unwrap();
    client.send(read).await.ok();
    let page = client.send(post("games.example", None)).await.fails(401);
    assert!(page.contains("token"));
    let mut with = post("games.example", None);
    with.headers_mut()
        .insert(header::AUTHORIZATION, "Bearer secret".parse().unwrap());
    client.send(with).await.location();
    let mut wrong = post("games.example", None);
    wrong
        .headers_mut()
        .insert(header::COOKIE, "ludex_token=guess".parse().unwrap());
    client.send(wrong).await.fails(401);
    let login = client.post("/login", "token=secret").await;
    let cookie = login.headers[header::SET_COOKIE]
        .to_str()
        .unwrap()
        .to_string();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let mut with = post("games.example", None);
    let pair = cookie.split(';').next().unwrap();
    with.headers_mut()
        .insert(header::COOKIE, pair.parse().unwrap());
    client.send(with).await.location();
    client.post("/login", "token=guess").await.fails(401);
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
