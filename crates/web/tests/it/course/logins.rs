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

/// A login that came through a server on this machine.
fn login_from(address: &str, form: String) -> Request<Body> {
    let request = Request::post("/login")
        .header(header::HOST, "games.example")
        .header(header::ORIGIN, "https://games.example")
        .header("x-forwarded-for", format!("10.9.9.9, {address}"))
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    request.body(Body::from(form)).unwrap()
}

/// A course that people reach from other machines.
async fn public_school() -> School {
    let text = COURSE.replace(
        "[[assignment]]",
        "url = \"https://games.example\"\n[[assignment]]",
    );
    School::with(&text).await
}

/// How often one of these logins was looked at and found wrong, if all are sent at once.
async fn wrong_at_once(school: &School, logins: Vec<Request<Body>>) -> usize {
    let answers = logins.into_iter().map(|login| school.send(login));
    let answers = futures_util::future::join_all(answers).await;
    let looked_at = |answer: &&crate::client::Answer| answer.status.as_u16() == 401;
    answers.iter().filter(looked_at).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn many_guesses_at_once_are_no_more_than_one_after_the_other() {
    let school = public_school().await;
    let guess = |number: usize| format!("id=c&password=guess{number}");
    let from_everywhere = (0..40).map(|number| {
        let address = format!("10.0.0.{number}");
        login_from(&address, guess(number))
    });
    assert_eq!(wrong_at_once(&school, from_everywhere.collect()).await, 10);
    let right = login_from("10.0.1.1", format!("id=c&password={PASSWORD}"));
    school.send(right).await.fails(429);

    // Of all ids together as many as an address has; more are allowed while time passes.
    let school = public_school().await;
    let begun = std::time::Instant::now();
    let of_everybody = (0..60).map(|number| {
        let form = format!("id=x{number}&password=guess");
        login_from("10.0.0.1", form)
    });
    let wrong = wrong_at_once(&school, of_everybody.collect()).await;
    let more = begun.elapsed().as_secs() as usize / 30 + 1;
    assert!((20..=20 + more).contains(&wrong), "{wrong} guesses");
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_another_server_people_are_told_apart() {
    let school = public_school().await;
    let try_from = async |address: &str, id: &str| {
        let form = format!("id={id}&password=guess");
        school.send(login_from(address, form)).await
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
