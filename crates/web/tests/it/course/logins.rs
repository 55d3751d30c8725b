//! Passwords that are guessed, and other servers in front of the site.

use axum::body::Body;
use axum::http::{Request, header};

use super::{PASSWORD, School};
use crate::fixtures::COURSE;

#[tokio::test(flavor = "multi_thread")]
async fn passwords_cannot_be_guessed_for_long() {
    let school = School::new().await;
    let mut last = 0;
    for _ in 0..12 {
        last = school
            .post("/login", "", "id=c&password=guess")
            .await
            .status
            .as_u16();
    }
    assert_eq!(last, 429);
    // Nor can many ids be tried with one password: the right one is not told from others.
    let school = School::new().await;
    let hash = course::secret::hash_password(PASSWORD);
    school
        .open_course
        .store
        .set_password(school.id("c"), &hash)
        .unwrap();
    for number in 0..25 {
        let form = format!("id=x{number}&password=guess");
        school.post("/login", "", &form).await;
    }
    let right = format!("id=c&password={PASSWORD}").replace(' ', "+");
    school.post("/login", "", &right).await.fails(429);
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_another_server_people_are_told_apart() {
    let text = COURSE.replace(
        "[[assignment]]",
        "url = \"https://games.example\"\n[[assignment]]",
    );
    let school = School::with(&text).await;
    let try_from = async |address: &str, id: &str| {
        let request = Request::post("/login")
            .header(header::HOST, "games.example")
            .header(header::ORIGIN, "https://games.example")
            .header("x-forwarded-for", format!("10.9.9.9, {address}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let form = format!("id={id}&password=guess");
        school.send(request.body(Body::from(form)).unwrap()).await
    };
    for number in 0..25 {
        try_from("10.0.0.1", &format!("x{number}")).await;
    }
    try_from("10.0.0.1", "y").await.fails(429);
    try_from("10.0.0.2", "y").await.fails(401);
    // Cookies are sent over HTTPS only.
    let secret = school.invitation("c");
    let form = format!("password={PASSWORD}&again={PASSWORD}").replace(' ', "+");
    let request = Request::post(format!("/invite/{secret}"))
        .header(header::HOST, "games.example")
        .header(header::ORIGIN, "https://games.example")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let answer = school.send(request.body(Body::from(form)).unwrap()).await;
    let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.ends_with("; Secure"), "{cookie}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_name_of_the_server_is_refused() {
    let school = School::new().await;
    let request = Request::get("/login").header(header::HOST, "evil.example");
    school
        .send(request.body(Body::empty()).unwrap())
        .await
        .fails(403);
}

/// Whoever had to log in first goes on where they were, and never to another site.
#[tokio::test(flavor = "multi_thread")]
async fn a_login_leads_to_pages_of_the_site_only() {
    let school = School::new().await;
    let hash = course::secret::hash_password(PASSWORD);
    let id = school.id("c");
    school.open_course.store.set_password(id, &hash).unwrap();
    for (to, due) in [
        ("/a/othello", "/a/othello"),
        ("/%09/evil.example/x", "/"),
        ("/%0A/evil.example", "/"),
        ("/%0D%0ASet-Cookie:+a=b", "/"),
        ("//evil.example", "/"),
    ] {
        let form = format!("id=c&password={PASSWORD}&to={to}").replace(' ', "+");
        let answer = school.post("/login", "", &form).await;
        assert_eq!(answer.location(), due, "{to}");
    }
}
