//! Tutorials: every lesson is solved on its page, and what does not solve it is refused.

use axum::body::Body;
use axum::http::{Request, header};
use games::AnyPosition;

use crate::client::{Answer, Client};

/// Sends a move with what has been learned so far.
async fn send(client: &Client, address: &str, mv: &str, cookie: &str) -> Answer {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.append_pair("move", mv);
    let request = Request::post(address)
        .header(header::HOST, "localhost")
        .header(header::COOKIE, cookie)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let request = request.body(Body::from(form.finish())).unwrap();
    client.send(request).await
}

/// The cookie of lessons that an answer sets.
fn learned(answer: &Answer) -> String {
    let cookies = answer.headers.get_all(header::SET_COOKIE).iter();
    let mut texts = cookies.map(|cookie| cookie.to_str().unwrap());
    let cookie = texts.find(|text| text.starts_with("ludex_learned="));
    cookie.unwrap().split(';').next().unwrap().to_string()
}

/// As it stands in a page.
fn escaped(text: &str) -> String {
    maud::html! { (text) }.into_string()
}

#[tokio::test]
async fn every_lesson_is_solved_and_wrong_moves_are_refused_with_the_reason() {
    let client = Client::new().await;
    let page = client.get("/learn").await.ok();
    for game in games::BUILT_IN {
        assert!(page.contains(&format!("/learn/{game}")), "{game}");
        let lessons = game.about().lessons;
        let mut cookie = String::from("a=b");
        for (number, lesson) in (1..).zip(lessons) {
            let address = format!("/learn/{game}/{number}");
            let page = client.get(&address).await.ok();
            assert!(page.contains(&escaped(lesson.text)), "{address}: {page}");
            let position = AnyPosition::parse(game, lesson.position).unwrap();
            let solves = |mv: &String| {
                let mut after = position.clone();
                after.play(mv).unwrap();
                lesson.is_solved_by(mv, &after)
            };
            let (right, wrong): (Vec<_>, Vec<_>) = position.moves().into_iter().partition(solves);
            if let Some(mv) = wrong.first() {
                let refused = send(&client, &address, mv, &cookie).await;
                assert!(
                    refused
                        .headers
                        .get(header::SET_COOKIE)
                        .is_none_or(|c| { !c.to_str().unwrap().starts_with("ludex_learned") })
                );
                let page = refused.fails(422);
                assert!(
                    page.contains(&escaped(lesson.wrong)),
                    "{address} {mv}: {page}"
                );
            }
            let solved = send(&client, &address, &right[0], &cookie).await;
            cookie = learned(&solved);
            let page = solved.ok();
            assert!(page.contains(&escaped(lesson.right)), "{address}: {page}");
        }
        // All is kept, and the next thing is a game.
        let request = Request::get(format!("/learn/{game}"))
            .header(header::HOST, "localhost")
            .header(header::COOKIE, &cookie);
        let page = client.send(request.body(Body::empty()).unwrap()).await.ok();
        let all = format!("{0} of {0} steps solved", lessons.len());
        assert!(page.contains(&all), "{page}");
        assert!(page.contains("Play a first game"), "{page}");
    }
}

#[tokio::test]
async fn moves_that_are_none_are_refused_by_the_rules() {
    let client = Client::new().await;
    let refused = send(&client, "/learn/reversi/4", "e3", "").await;
    assert!(refused.fails(422).contains("illegal move e3"));
    let refused = client.post("/learn/reversi/4", "pick=e3").await;
    assert!(refused.fails(422).contains("e3: "));
    // A point where a push can begin, then the one that it goes to.
    let begun = client.post("/learn/gipf/1", "pick=a1").await.ok();
    assert!(begun.contains("name=\"picks\" value=\"a1\""), "{begun}");
    let solved = client.post("/learn/gipf/1", "picks=a1&pick=b2").await.ok();
    assert!(solved.contains("Solved"), "{solved}");
    for missing in ["/learn/chess", "/learn/reversi/0", "/learn/reversi/11"] {
        client.get(missing).await.fails(404);
    }
    // Whatever stands in the cookie.
    let noise = "ludex_learned=_:.reversi:-1.99999999999999999999_%%~gipf";
    send(&client, "/learn/reversi/1", "d3", noise).await.ok();
}
