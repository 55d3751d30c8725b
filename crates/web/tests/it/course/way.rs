//! The way from the invitation to the ladder.

use axum::http::{StatusCode, header};
use course::store::State;

use super::{PASSWORD, School};

#[tokio::test(flavor = "multi_thread")]
async fn from_the_invitation_to_the_ladder() {
    let school = School::new().await;
    let secret = school.invitation("c");
    let path = format!("/invite/{secret}");
    assert!(school.get(&path, "").await.ok().contains("Ceci"));
    let short = school
        .post(&path, "", "password=short&again=short")
        .await
        .fails(422);
    assert!(short.contains("at least 10 characters"));
    let form = format!("password={PASSWORD}&again={PASSWORD}").replace(' ', "+");
    let answer = school.post(&path, "", &form).await;
    assert_eq!(answer.location(), "/");
    let cookie = answer.headers[header::SET_COOKIE]
        .to_str()
        .unwrap()
        .to_string();
    assert!(
        cookie.contains("HttpOnly; SameSite=Lax; Path=/; Max-Age=1209600"),
        "{cookie}"
    );
    assert!(
        !cookie.contains("Secure"),
        "the course is on the loopback interface"
    );
    school.get(&path, "").await.fails(404);

    // No difference between nobody and a wrong password.
    let wrong = school
        .post("/login", "", "id=c&password=something+else")
        .await
        .fails(401);
    let nobody = school
        .post("/login", "", "id=x&password=something+else")
        .await
        .fails(401);
    assert_eq!(
        wrong.replace("value=\"c\"", ""),
        nobody.replace("value=\"x\"", "")
    );
    let login = format!("id=c&password={PASSWORD}&to=/a/othello").replace(' ', "+");
    let answer = school.post("/login", "", &login).await;
    assert_eq!(answer.location(), "/a/othello");
    let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap();
    let cookie = cookie
        .strip_prefix("ludex_course=")
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_string();

    let page = school.get("/a/othello", &cookie).await.ok();
    assert!(page.contains("Hand in") && page.contains("gcc"));
    let way = (header::COOKIE, format!("ludex_course={cookie}"));
    let answer = school.upload("/a/othello", way.clone(), "broken.c").await;
    let broken = answer.location();
    school.judge().await;
    let page = school.get(&broken, &cookie).await.ok();
    assert!(
        page.contains("not built") && page.contains("no_such_thing"),
        "{page}"
    );
    let again = school
        .upload("/a/othello", way, "broken.c")
        .await
        .fails(422);
    assert!(again.contains("the very files of version 1"));

    // With a token, as the command does.
    let page = school.post("/me/tokens", &cookie, "label=mine").await.ok();
    let token = page
        .split("LUDEX_TOKEN=")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .to_string();
    let way = (header::AUTHORIZATION, format!("Bearer {token}"));
    let answer = school
        .upload("/api/a/othello/hand-ins", way, "good.c")
        .await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    let version: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    let id = version["version"].as_i64().unwrap();
    school.judge().await;
    let row = school.open_course.store.version(id).unwrap().unwrap();
    assert_eq!(row.state, State::Passed);
    let page = school.get(&format!("/v/{id}"), &cookie).await.ok();
    assert!(
        page.contains("active") && page.contains("no fault"),
        "{page}"
    );

    let ladder = school.get("/a/othello/ladder", &cookie).await.ok();
    let ceci = school.person("c");
    assert!(ladder.contains(&ceci.pseudonym) && !ladder.contains("Ceci"));
    // References are players, and take no place among the teams.
    let row = |place: &str, name: &str| format!("<td class=\"num\">{place}</td><td>{name}</td>");
    assert!(ladder.contains(&row("", "random (reference)")), "{ladder}");
    assert!(ladder.contains(&row("1", &ceci.pseudonym)), "{ladder}");
    let for_staff = school
        .get("/a/othello/ladder", &school.login("staff"))
        .await
        .ok();
    assert!(for_staff.contains("Ceci (c)"));
    let answer = school
        .post("/a/othello/challenge", &cookie, "opponent=r:random")
        .await;
    assert_eq!(answer.location(), "/a/othello/ladder");
    let grade = school.get("/a/othello/grade", &cookie).await.ok();
    assert!(grade.contains("cases passed"), "{grade}");
    let csv = school
        .get("/staff/a/othello/grades.csv", &school.login("staff"))
        .await
        .ok();
    assert!(csv.contains("c,Ceci"), "{csv}");

    // Who logs out is out.
    school.post("/logout", &cookie, "").await;
    assert!(
        school
            .get("/", &cookie)
            .await
            .location()
            .starts_with("/login?to=")
    );
}
