//! What a visitor likes: kept in a cookie, and seen on every page.

use axum::body::Body;
use axum::http::{Request, header};

use crate::client::{Answer, Client};

async fn get(client: &Client, address: &str, cookie: &str) -> String {
    let request = Request::get(address)
        .header(header::HOST, "localhost")
        .header(header::COOKIE, cookie);
    client.send(request.body(Body::empty()).unwrap()).await.ok()
}

async fn post(client: &Client, address: &str, form: &str, cookie: &str) -> Answer {
    let request = Request::post(address)
        .header(header::HOST, "localhost")
        .header(header::COOKIE, cookie)
        .header(header::REFERER, "http://localhost/play?game=mmpawns")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let request = request.body(Body::from(form.to_string())).unwrap();
    client.send(request).await
}

/// The cookie of the settings that an answer sets.
fn kept(answer: &Answer) -> String {
    let cookies = answer.headers.get_all(header::SET_COOKIE).iter();
    let mut texts = cookies.map(|cookie| cookie.to_str().unwrap());
    let cookie = texts.find(|text| text.starts_with("ludex_settings="));
    cookie.unwrap().split(';').next().unwrap().to_string()
}

#[tokio::test]
async fn settings_are_kept_and_obeyed() {
    let client = Client::new().await;
    let plain = client.get("/settings").await.ok();
    assert!(plain.contains("<html lang=\"en\">"), "{plain}");
    let form = "theme=dark&sounds=on";
    let saved = post(&client, "/settings", form, "").await;
    assert_eq!(saved.location(), "/play?game=mmpawns");
    let cookie = kept(&saved);
    assert_eq!(cookie, "ludex_settings=dark.bare.sounds.still");
    let page = get(&client, "/", &cookie).await;
    for sign in [
        "data-theme=\"dark\"",
        "data-bare",
        "data-still",
        "data-sounds",
        "name=\"color-scheme\" content=\"dark\"",
    ] {
        assert!(page.contains(sign), "{sign}: {page}");
    }
    // One at a time, from the foot of a page; the rest stays.
    let light = post(&client, "/settings/theme", "theme=light", &cookie).await;
    assert_eq!(kept(&light), "ludex_settings=light.bare.sounds.still");
    let refused = post(&client, "/settings/theme", "theme=pink", &cookie).await;
    assert!(refused.fails(400).contains("theme &quot;pink&quot; is not"));
}

#[tokio::test]
async fn a_board_is_turned_by_one_button() {
    let client = Client::new().await;
    let game = client
        .post("/play", "game=mmpawns&start=start&bot=greedy")
        .await;
    let game = game.location();
    let turned = post(&client, "/settings/turn", "", "").await;
    let cookie = kept(&turned);
    assert_eq!(cookie, "ludex_settings=turned");
    // Where the point a1 lies: the top left corner, or the bottom right one.
    let place = |page: &str| {
        let button = page.split("id=\"pt-a1\"").nth(1).unwrap();
        let at = |name: &str| {
            let rest = button.split(&format!("{name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().to_string()
        };
        (at("data-x"), at("data-y"))
    };
    let usual = get(&client, &game, "").await;
    assert_eq!(place(&usual), ("0".into(), "0".into()));
    let other = get(&client, &game, &cookie).await;
    assert_eq!(place(&other), ("7".into(), "7".into()));
    let back = post(&client, "/settings/turn", "", &cookie).await;
    assert_eq!(kept(&back), "ludex_settings=");
}

#[tokio::test]
async fn reserves_are_drawn_as_stones() {
    let client = Client::new().await;
    let game = client
        .post("/play", "game=gipf&side=both&start=3+3+6+6")
        .await;
    let page = client.get(&game.location()).await.ok();
    assert_eq!(
        page.matches("aria-label=\"3 in reserve\"").count(),
        2,
        "{page}"
    );
    let stones = page.split("class=\"stones\"").nth(1).unwrap();
    let stones = stones.split("</li>").next().unwrap();
    assert_eq!(stones.matches("chip gipf s0").count(), 3, "{stones}");
}
