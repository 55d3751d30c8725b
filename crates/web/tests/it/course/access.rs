//! Who may do and see what.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use course::store::{Purpose, VersionRow};
use course::{Person, Side};
use web::course_addresses;

use super::School;
use crate::fixtures::upload;

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asker {
    Nobody,
    Owner,
    Mate,
    Other,
    Staff,
    Expired,
    Foreign,
}

const ASKERS: [Asker; 7] = [
    Asker::Nobody,
    Asker::Owner,
    Asker::Mate,
    Asker::Other,
    Asker::Staff,
    Asker::Expired,
    Asker::Foreign,
];

/// Who may use an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum For {
    Everybody,
    Known,
    Team,
    Staff,
}

/// Every address, and for whom it is.
const ROUTES: &[(&str, &str, For)] = &[
    ("GET", "/", For::Known),
    ("GET", "/assets/{name}", For::Everybody),
    ("GET", "/login", For::Everybody),
    ("POST", "/login", For::Everybody),
    ("POST", "/logout", For::Everybody),
    ("GET", "/invite/{secret}", For::Everybody),
    ("POST", "/invite/{secret}", For::Everybody),
    ("GET", "/me", For::Known),
    ("POST", "/me/pseudonym", For::Known),
    ("POST", "/me/password", For::Known),
    ("POST", "/me/tokens", For::Known),
    ("POST", "/me/tokens/{id}/end", For::Known),
    ("POST", "/me/leave", For::Known),
    ("GET", "/a/{id}", For::Known),
    ("POST", "/a/{id}", For::Known),
    ("GET", "/a/{id}/ladder", For::Known),
    ("POST", "/a/{id}/challenge", For::Known),
    ("GET", "/a/{id}/faults", For::Known),
    ("GET", "/a/{id}/final", For::Known),
    ("GET", "/a/{id}/finals/{number}", For::Known),
    ("GET", "/a/{id}/grade", For::Known),
    ("GET", "/v/{id}", For::Team),
    ("GET", "/v/{id}/events", For::Team),
    ("GET", "/g/{id}", For::Known),
    ("GET", "/g/{id}/record.json", For::Team),
    ("GET", "/f/{id}", For::Known),
    ("GET", "/f/{id}/record.json", For::Team),
    ("GET", "/staff", For::Staff),
    ("POST", "/staff/people/{id}/link", For::Staff),
    ("GET", "/staff/a/{id}", For::Staff),
    ("GET", "/staff/a/{id}/grades.csv", For::Staff),
    ("GET", "/staff/a/{id}/junit.xml", For::Staff),
    ("GET", "/staff/a/{id}/sources.tar.gz", For::Staff),
    ("GET", "/staff/a/{id}/teams/{team}/results.json", For::Staff),
    ("POST", "/staff/a/{id}/final", For::Staff),
    ("GET", "/cluster", For::Staff),
    ("POST", "/cluster/retry", For::Staff),
    ("GET", "/api/assignments", For::Known),
    ("POST", "/api/a/{id}/hand-ins", For::Known),
    ("GET", "/api/v/{id}", For::Team),
];

/// Whether somebody may use an address. Whoever comes from another site may change nothing.
fn allowed(asker: Asker, method: &str, whom: For) -> bool {
    match (asker, whom) {
        (Asker::Foreign, _) if method == "POST" => false,
        (_, For::Everybody) => true,
        (Asker::Nobody | Asker::Expired, _) => false,
        (Asker::Owner | Asker::Mate | Asker::Foreign, whom) => whom != For::Staff,
        (Asker::Other, whom) => whom == For::Known,
        (Asker::Staff, _) => true,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_is_for_whom_it_should_be() {
    let table: Vec<_> = ROUTES
        .iter()
        .map(|(method, path, _)| (*method, *path))
        .collect();
    assert_eq!(
        course_addresses(),
        table,
        "an address is missing in the table of this test"
    );
    let school = School::new().await;
    let anna = school.person("a");
    let version = wrong_version(&school, &anna);
    let game = faulty_game(&school, version.id);
    let of_final = faulty_final(&school, anna.team, version.id).await;
    for (method, pattern, whom) in ROUTES {
        for asker in ASKERS {
            // What one asker does must not change what the next one sees.
            let secret = match asker {
                Asker::Nobody => "nothing".to_string(),
                Asker::Owner | Asker::Foreign => school.login("a"),
                Asker::Mate => school.login("b"),
                Asker::Other => school.login("c"),
                Asker::Staff => school.login("staff"),
                Asker::Expired => {
                    let secret = school.login("a");
                    school
                        .open_course
                        .store
                        .expire_logins(school.id("a"))
                        .unwrap();
                    secret
                }
            };
            let invitation = school.invitation("c");
            let path = pattern
                .replace("/a/{id}", "/a/othello")
                .replace("/v/{id}", &format!("/v/{}", version.id))
                .replace("/g/{id}", &format!("/g/{game}"))
                .replace("/f/{id}", &format!("/f/{of_final}"))
                .replace("{number}", "1")
                .replace("/people/{id}", &format!("/people/{}", school.id("c")))
                .replace("/tokens/{id}", "/tokens/0")
                .replace("{team}", &anna.team.to_string())
                .replace("{name}", "site.css")
                .replace("{secret}", &invitation);
            let mut request = Request::builder()
                .method(*method)
                .uri(&path)
                .header(header::HOST, "127.0.0.1:7171");
            request = match pattern.starts_with("/api/") {
                true => {
                    let token = match asker {
                        Asker::Nobody => "nothing".into(),
                        // A cookie of a login is no token.
                        Asker::Expired => secret.clone(),
                        Asker::Owner | Asker::Foreign => school.token("a"),
                        Asker::Mate => school.token("b"),
                        Asker::Other => school.token("c"),
                        Asker::Staff => school.token("staff"),
                    };
                    request
                        .header(header::AUTHORIZATION, format!("Bearer {token}"))
                        .header(header::COOKIE, format!("ludex_course={secret}"))
                }
                false => request.header(header::COOKIE, format!("ludex_course={secret}")),
            };
            let origin = match asker {
                Asker::Foreign => "http://evil.example",
                _ => "http://127.0.0.1:7171",
            };
            if *method == "POST" {
                request = request.header(header::ORIGIN, origin);
            }
            let files = matches!(*pattern, "/a/{id}" | "/api/a/{id}/hand-ins") && *method == "POST";
            let (kind, body) = match files {
                true => (
                    "multipart/form-data; boundary=x".into(),
                    b"--x--\r\n".to_vec(),
                ),
                false => (
                    "application/x-www-form-urlencoded".to_string(),
                    form_of(pattern).into(),
                ),
            };
            let request = request
                .header(header::CONTENT_TYPE, kind)
                .body(Body::from(body))
                .unwrap();
            let answer = school.send(request).await;
            let to_login = answer.status == StatusCode::SEE_OTHER
                && answer.headers[header::LOCATION]
                    .to_str()
                    .unwrap()
                    .starts_with("/login?to=");
            let refused = matches!(answer.status.as_u16(), 401 | 403)
                && !answer.body.contains("nobody with this id");
            let came_in = !to_login && !refused;
            assert_eq!(
                came_in,
                allowed(asker, method, *whom),
                "{asker:?} {method} {path}: {} {}",
                answer.status,
                answer.body
            );
            assert!(
                answer.status.as_u16() < 500,
                "{asker:?} {method} {path}: {}",
                answer.body
            );
            assert_eq!(answer.headers["x-content-type-options"], "nosniff");
            assert!(answer.headers.contains_key(header::CONTENT_SECURITY_POLICY));
        }
    }
}

/// What a form of this address sends.
fn form_of(pattern: &str) -> &'static str {
    match pattern {
        "/login" => "id=nobody&password=nothing&to=",
        "/invite/{secret}" => "password=short&again=short",
        "/me/pseudonym" => "pseudonym=",
        "/me/password" => "old=x&new=x",
        "/me/tokens" => "label=x",
        "/a/{id}/challenge" => "opponent=v0",
        _ => "",
    }
}

/// A version that is wrong.
fn wrong_version(school: &School, person: &Person) -> VersionRow {
    let assignment = &school.open_course.course.assignments[0];
    let (open_course, file) = (&school.open_course, upload("wrong.c"));
    let version = open_course.hand_in(person, assignment, &[file], &open_course.arriving());
    version.unwrap()
}

/// A game in which the version made a fault.
fn faulty_game(school: &School, version: i64) -> i64 {
    let players: [referee::PlayerSpec; 2] = [
        "argv:echo nonsense".parse().unwrap(),
        "random".parse().unwrap(),
    ];
    let setup = referee::GameSetup::new(games::AnyPosition::start(games::REVERSI), players);
    let record = referee::play_game(&setup, &mut |_| (), &Arc::default()).unwrap();
    let game = course::store::NewGame {
        assignment: "othello".into(),
        purpose: Purpose::Ladder,
        players: [Side::Version(version), Side::Reference("random".into())],
        pair: 1,
        half_points: 0,
        record,
    };
    school.open_course.store.add_games(&[game]).unwrap();
    school.open_course.store.games_of(version, 1).unwrap()[0].id
}

/// A final in which the version made a fault: the id of a game.
async fn faulty_final(school: &School, team: i64, version: i64) -> String {
    let mut player: referee::PlayerSpec = "argv:echo nonsense".parse().unwrap();
    player.name = Side::Version(version).key();
    let players = vec![player, "random".parse().unwrap()];
    let config = tournament::RawConfig::new("othello final 1", games::REVERSI, players);
    let config = tournament::Config::try_from(config).unwrap();
    let (open_course, id) = (&school.open_course, config.id());
    let list = [(team, version)];
    let frozen = open_course
        .store
        .freeze("othello", 1, &list, Some(&id), None);
    assert!(frozen.unwrap());
    let options = tournament::RunOptions {
        pin: false,
        ..tournament::RunOptions::default()
    };
    tournament::run(&open_course.finals, &config, &options)
        .await
        .unwrap();
    let first = tournament::schedule::GameKey {
        round: 1,
        table: 1,
        game: 1,
    };
    tournament::game_id(&id, first)
}

#[tokio::test(flavor = "multi_thread")]
async fn evidence_is_for_whoever_made_the_fault() {
    let school = School::new().await;
    let anna = school.person("a");
    let version = wrong_version(&school, &anna);
    let usual = format!("/g/{}", faulty_game(&school, version.id));
    let of_final = faulty_final(&school, anna.team, version.id).await;
    let of_final = format!("/f/{of_final}");
    for (login, sees) in [("a", true), ("b", true), ("c", false), ("staff", true)] {
        let cookie = school.login(login);
        for game in [&usual, &of_final] {
            let page = school.get(game, &cookie).await.ok();
            assert_eq!(page.contains("nonsense"), sees, "{login} {game}: {page}");
            assert_eq!(page.contains("ludex replay game-"), sees, "{page}");
            assert!(page.contains("0–1") || page.contains("1–0"), "{page}");
            let record = school.get(&format!("{game}/record.json"), &cookie).await;
            assert_eq!(record.status == StatusCode::OK, sees);
            if sees {
                assert!(!record.body.contains("\"folder\""), "{}", record.body);
                let disposition = record.headers[header::CONTENT_DISPOSITION]
                    .to_str()
                    .unwrap();
                assert!(disposition.starts_with("attachment"));
            }
        }
        // Who has no version in the final is last.
        let page = school.get("/a/othello/final", &cookie).await.ok();
        assert!(page.contains("<td class=\"num\"></td><td>random (reference)</td>"));
        assert!(page.contains("<td colspan=\"3\">no version</td>"), "{page}");
        // Everybody sees who met whom; the list of faults is one's own.
        let games = school.get("/a/othello/finals/1", &cookie).await.ok();
        assert!(games.contains(&of_final), "{games}");
        let none = school
            .get("/a/othello/finals/1?of=99&faults=1", &cookie)
            .await
            .ok();
        assert!(none.contains("There is no such game."), "{none}");
        let faults = school.get("/a/othello/faults", &cookie).await.ok();
        let own = login == "a" || login == "b";
        assert_eq!(faults.contains(&of_final), own, "{login}: {faults}");
        assert_eq!(faults.contains(&usual), own, "{login}: {faults}");
    }
}
