//! The site of a course as a service: who may do what, and the way from the invitation to the
//! ladder.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use course::roster;
use course::store::{Purpose, State};
use course::{Course, OpenCourse, Side, Work};
use tower::ServiceExt;
use web::{CourseSite, course_addresses, course_app};

use crate::client::Answer;
use crate::fixtures::{COURSE, program, upload};

const ROSTER: &str = "name,id,team,role\nSteffi,staff,,staff\nAnna,a,red,\nBo,b,red,\nCeci,c,,\n";

const PASSWORD: &str = "correct horse battery";

/// A course, its site, and ways in.
pub(crate) struct School {
    folder: tempfile::TempDir,
    pub(crate) open_course: Arc<OpenCourse>,
    app: Router,
}

impl School {
    async fn new() -> School {
        School::with(COURSE).await
    }

    pub(crate) async fn with(text: &str) -> School {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("course.toml"), text).unwrap();
        let course = Course::open(folder.path()).unwrap();
        let open_course = Arc::new(OpenCourse::open(course).await.unwrap());
        open_course
            .store
            .add(&roster::read(ROSTER).unwrap())
            .unwrap();
        let app = course_app(Arc::new(CourseSite::new(open_course.clone())));
        School {
            folder,
            open_course,
            app,
        }
    }

    pub(crate) fn id(&self, login: &str) -> i64 {
        let people = self.open_course.store.people().unwrap();
        people
            .iter()
            .find(|person| person.login == login)
            .unwrap()
            .id
    }

    pub(crate) fn login(&self, login: &str) -> String {
        self.open_course.store.log_in(self.id(login)).unwrap()
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        // A live page never ends.
        let live = headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind == "text/event-stream");
        let body = match live {
            true => String::new(),
            false => {
                let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
                String::from_utf8_lossy(&bytes).into_owned()
            }
        };
        Answer {
            status,
            headers,
            body,
        }
    }

    pub(crate) async fn get(&self, path: &str, cookie: &str) -> Answer {
        let request = Request::get(path)
            .header(header::HOST, "127.0.0.1:7171")
            .header(header::COOKIE, format!("ludex_course={cookie}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn post(&self, path: &str, cookie: &str, form: &str) -> Answer {
        let request = Request::post(path)
            .header(header::HOST, "127.0.0.1:7171")
            .header(header::ORIGIN, "http://127.0.0.1:7171")
            .header(header::COOKIE, format!("ludex_course={cookie}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(form.to_string())).unwrap())
            .await
    }

    /// The folder of the course.
    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Hands in one file as somebody; the number of the version.
    pub(crate) async fn hand_in_as(&self, login: &str, name: &str, text: &str) -> i64 {
        let token = self
            .open_course
            .store
            .new_token(self.id(login), "x")
            .unwrap();
        let way = (header::AUTHORIZATION, format!("Bearer {token}"));
        let path = "/api/a/othello/hand-ins";
        let answer = self.send_file(path, way, name, text.as_bytes()).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        let version: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        version["version"].as_i64().unwrap()
    }

    async fn upload(&self, path: &str, way: (header::HeaderName, String), file: &str) -> Answer {
        let text = program(file);
        self.send_file(path, way, file, text.as_bytes()).await
    }

    pub(crate) async fn send_file(
        &self,
        path: &str,
        way: (header::HeaderName, String),
        name: &str,
        bytes: &[u8],
    ) -> Answer {
        let (kind, body) = form(name, bytes);
        let request = Request::post(path)
            .header(header::HOST, "127.0.0.1:7171")
            .header(way.0, way.1)
            .header(header::CONTENT_TYPE, kind);
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    /// Lets the threads judge everything that waits.
    pub(crate) async fn judge(&self) {
        let open_course = self.open_course.clone();
        tokio::task::spawn_blocking(move || {
            let work = Work::start(&open_course, 2);
            let begin = std::time::Instant::now();
            while open_course.queue().unwrap() > 0 {
                assert!(begin.elapsed().as_secs() < 1800, "never judged");
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            work.stop();
        })
        .await
        .unwrap();
    }
}

/// A file as a form.
fn form(name: &str, bytes: &[u8]) -> (String, Vec<u8>) {
    let mut body = format!(
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    )
    .into_bytes();
    body.extend(bytes);
    body.extend(b"\r\n--x--\r\n");
    ("multipart/form-data; boundary=x".into(), body)
}

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
    let anna = school
        .open_course
        .store
        .person(school.id("a"))
        .unwrap()
        .unwrap();
    let assignment = &school.open_course.course.assignments[0];
    let wrong = upload("wrong.c");
    let version = school
        .open_course
        .hand_in(&anna, assignment, &[wrong])
        .unwrap();
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
            let invitation = school
                .open_course
                .store
                .invite_again(school.id("c"), school.id("staff"))
                .unwrap();
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
                        Asker::Owner | Asker::Foreign => school
                            .open_course
                            .store
                            .new_token(school.id("a"), "x")
                            .unwrap(),
                        Asker::Mate => school
                            .open_course
                            .store
                            .new_token(school.id("b"), "x")
                            .unwrap(),
                        Asker::Other => school
                            .open_course
                            .store
                            .new_token(school.id("c"), "x")
                            .unwrap(),
                        Asker::Staff => school
                            .open_course
                            .store
                            .new_token(school.id("staff"), "x")
                            .unwrap(),
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
async fn from_the_invitation_to_the_ladder() {
    let school = School::new().await;
    let secret = school
        .open_course
        .store
        .invite_again(school.id("c"), school.id("staff"))
        .unwrap();
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
    let ceci = school
        .open_course
        .store
        .person(school.id("c"))
        .unwrap()
        .unwrap();
    assert!(ladder.contains(&ceci.pseudonym) && !ladder.contains("Ceci"));
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

#[tokio::test(flavor = "multi_thread")]
async fn evidence_is_for_whoever_made_the_fault() {
    let school = School::new().await;
    let anna = school
        .open_course
        .store
        .person(school.id("a"))
        .unwrap()
        .unwrap();
    let wrong = upload("wrong.c");
    let version = school
        .open_course
        .hand_in(&anna, &school.open_course.course.assignments[0], &[wrong])
        .unwrap();
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
    let secret = school
        .open_course
        .store
        .invite_again(school.id("c"), school.id("staff"))
        .unwrap();
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
