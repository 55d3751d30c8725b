//! A course as a real process: killed at any moment, behind HTTPS, and large.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use course::store::State;
use course::{STORE, Store, roster};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::console;
use crate::fixtures::{COURSE, program};
use crate::waiting::{HANG, wait_until};

const ROSTER: &str = "name,id,role\nSteffi,staff,staff\nAnna,a,\nBo,b,\n";

/// A course that a process serves.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: String,
}

impl Server {
    fn start(folder: &Path) -> Server {
        Server::start_with(folder, &[])
    }

    /// The same with more arguments.
    pub(crate) fn start_with(folder: &Path, more: &[&str]) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["serve", "--addr", "127.0.0.1:0", "--course"])
            .arg(folder)
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .unwrap_or_else(|| panic!("{line:?}"));
        let address = address.trim().trim_end_matches('/').to_string();
        Server { process, address }
    }

    /// Ends it without a word.
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Asks with a token or a cookie: the status and the body.
    pub(crate) fn ask(&self, head: &str, way: &str, body: &[u8]) -> std::io::Result<(u16, String)> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(HANG))?;
        let address = &self.address;
        let length = body.len();
        let head = format!(
            "{head} HTTP/1.1\r\nHost: {address}\r\n{way}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let status = answer.split(' ').nth(1).and_then(|text| text.parse().ok());
        let body = answer
            .split_once("\r\n\r\n")
            .map(|(_, body)| body.to_string());
        let cut = std::io::ErrorKind::UnexpectedEof;
        Ok((status.ok_or(cut)?, body.ok_or(cut)?))
    }

    /// Hands in a C program.
    pub(crate) fn hand_in(&self, token: &str, source: &str) -> std::io::Result<(u16, String)> {
        let way = format!(
            "Authorization: Bearer {token}\r\nContent-Type: multipart/form-data; boundary=x"
        );
        let body = format!(
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"bot.c\"\r\n\r\n{source}\r\n--x--\r\n"
        );
        self.ask("POST /api/a/othello/hand-ins", &way, body.as_bytes())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The folder of a course, and a token for everybody of the roster.
fn folder_of(name: &str, change: impl Fn(String) -> String) -> (std::path::PathBuf, [String; 3]) {
    let folder = console::scratch(name);
    let text = change(COURSE.replace("hand-ins-per-day = 5", "hand-ins-per-day = 5000"));
    console::write_file(&folder.join("course.toml"), &text);
    let store = Store::open(&folder.join(STORE)).unwrap();
    let added = store.add(&roster::read(ROSTER).unwrap()).unwrap();
    let token = |place: usize| {
        store
            .new_token(added[place].person.id, "x")
            .unwrap()
            .unwrap()
    };
    let tokens = [token(0), token(1), token(2)];
    (folder, tokens)
}

/// Runs `ludex` in a folder to its end: its status, and what it wrote.
fn ludex(folder: &Path, command: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(console::words(command))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// A store is served by one process at a time, by whatever name it is called; others read it
/// meanwhile, and whoever comes after a kill serves it.
#[test]
fn a_second_server_is_refused() {
    let (folder, _) = folder_of("twice", |text| text);
    std::os::unix::fs::symlink("finals.db", folder.join("link.db")).unwrap();
    let mut server = Server::start(&folder);
    for (command, file) in [
        ("serve --addr 127.0.0.1:0 --course .", "./course.db"),
        ("serve --addr 127.0.0.1:0 --db finals.db", "finals.db"),
        ("serve --addr 127.0.0.1:0 --db link.db", "link.db"),
    ] {
        let expected = format!("ludex: {file}: another process is working on it\n");
        assert_eq!(ludex(&folder, command), (Some(1), expected));
    }
    let nothing = (Some(0), "no tournaments yet\n".to_string());
    assert_eq!(ludex(&folder, "tournament list --db finals.db"), nothing);
    assert_eq!(
        ludex(&folder, "backup x.tar --course ."),
        (Some(0), String::new())
    );
    server.kill();
    Server::start(&folder);
}

/// A folder with a description alone is served, and somebody gets in; the next start says nothing.
#[test]
fn a_course_without_people_gives_the_first_link() {
    let folder = console::scratch("first");
    console::write_file(&folder.join("course.toml"), COURSE);
    let first = output_of_start(&folder);
    assert!(first.contains("The first link for staff"), "{first}");
    assert!(first.contains("/invite/"), "{first}");
    assert!(first.contains("course.db was not there"), "{first}");
    let next = output_of_start(&folder);
    assert!(
        !next.contains("link") && !next.contains("course.db"),
        "{next}"
    );
}

/// What a server says when it starts.
fn output_of_start(folder: &Path) -> String {
    let expected = match folder.join("course.db").exists() {
        true => "http://",
        false => "/invite/",
    };
    let said = folder.join("said");
    let file = std::fs::File::create(&said).unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["serve", "--addr", "127.0.0.1:0", "--course", "."])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(file.try_clone().unwrap())
        .stdout(file)
        .spawn()
        .unwrap();
    let text = || std::fs::read_to_string(&said).unwrap();
    wait_until(expected, || text().contains(expected));
    process.kill().unwrap();
    process.wait().unwrap();
    text()
}

/// Nothing that was acknowledged is lost however often the server is killed, and everything goes
/// on where it was. `LUDEX_KILLS` says how often.
#[test]
fn killed_at_any_moment_nothing_is_lost() {
    let kills = std::env::var("LUDEX_KILLS").map_or(3, |text| text.parse().unwrap());
    let (folder, [_, anna, bo]) = folder_of("killed", |text| {
        text.replace("[assignment.ladder]", "[assignment.ladder]\non = false")
    });
    let seed = std::env::var("LUDEX_KILLS_SEED").map_or(1, |text| text.parse().unwrap());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let acknowledged: Mutex<Vec<(i64, String)>> = Mutex::default();
    let take = |answer: &str| {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let hash = answer["hash"].as_str().unwrap().to_string();
        let id = answer["version"].as_i64().unwrap();
        acknowledged.lock().unwrap().push((id, hash));
        id
    };
    // Two that play the final, then many that only have to be there.
    let mut server = Server::start(&folder);
    let mut players = Vec::new();
    for (token, file) in [(&anna, "good.c"), (&bo, "other.c")] {
        let (status, answer) = server.hand_in(token, &program(file)).unwrap();
        assert_eq!(status, 201, "{answer}");
        players.push(take(&answer));
    }
    for round in 0..kills {
        let before = acknowledged.lock().unwrap().len();
        let wanted = before + rng.random_range(1..6);
        let pause = Duration::from_millis(rng.random_range(0..400));
        std::thread::scope(|scope| {
            for (number, token) in [&anna, &bo, &anna, &bo].into_iter().enumerate() {
                let (server, take) = (&server, &take);
                scope.spawn(move || {
                    // Until nobody answers any more.
                    for turn in 0.. {
                        let source = format!("int broken = {round} {number} {turn}");
                        match server.hand_in(token, &source) {
                            Ok((201, answer)) => drop(take(&answer)),
                            // Too many in a quarter of an hour; or cut off.
                            Ok((429, _)) | Err(_) => return,
                            Ok((status, answer)) => panic!("{status}: {answer}"),
                        }
                    }
                });
            }
            wait_until("a hand-in is acknowledged", || {
                acknowledged.lock().unwrap().len() >= wanted
            });
            std::thread::sleep(pause);
            let id = server.process.id().to_string();
            let killed = Command::new("kill").args(["-KILL", &id]).status();
            assert!(killed.unwrap().success());
        });
        server.kill();
        check_kept(&folder, &acknowledged.lock().unwrap());
        server = Server::start(&folder);
    }
    // The two are judged, wherever they were when the server was killed.
    let store = Store::open(&folder.join(STORE)).unwrap();
    let judged = |id: &i64| store.version(*id).unwrap().unwrap().state.is_final();
    wait_until("both are judged", || players.iter().all(judged));
    for id in &players {
        let steps = store.steps(*id).unwrap();
        assert_eq!(
            store.version(*id).unwrap().unwrap().state,
            State::Passed,
            "{steps:?}"
        );
        assert_eq!(steps.len(), 3, "{steps:?}");
    }
    play_final(&folder, &mut server, &store);
}

/// All files and rows of what was acknowledged are there.
fn check_kept(folder: &Path, acknowledged: &[(i64, String)]) {
    let store = Store::open(&folder.join(STORE)).unwrap();
    for (id, hash) in acknowledged {
        let row = store.version(*id).unwrap();
        let row = row.unwrap_or_else(|| panic!("version {id} is lost"));
        assert_eq!(row.hash, *hash, "version {id}");
        let sources = folder.join("versions").join(row.folder()).join("sources");
        assert_eq!(
            handin::hash(&sources).unwrap(),
            *hash,
            "files of version {id}"
        );
    }
}

/// A final goes on where it was, too.
fn play_final(folder: &Path, server: &mut Server, store: &Store) {
    let people = store.people().unwrap();
    let staff = people.iter().find(|person| person.is_staff()).unwrap().id;
    let cookie = format!("Cookie: ludex_course={}", store.log_in(staff).unwrap());
    let (status, answer) = server
        .ask("POST /staff/a/othello/final", &cookie, b"")
        .unwrap();
    assert_eq!(status, 303, "{answer}");
    // Once as soon as it is acknowledged, once more if it is seen being played.
    server.kill();
    *server = Server::start(folder);
    let mut again = true;
    wait_until("the final ends", || {
        let (status, page) = server.ask("GET /a/othello/final", &cookie, b"").unwrap();
        assert_eq!(status, 200, "{page}");
        let over = page.contains("<span class=\"tag good\">over</span>");
        if again && !over && page.contains("games are over") {
            again = false;
            server.kill();
            *server = Server::start(folder);
        }
        over
    });
    assert_eq!(store.finals("othello").unwrap().len(), 1);
    let (_, page) = server.ask("GET /a/othello/finals/1", &cookie, b"").unwrap();
    assert_eq!(page.matches("href=\"/f/").count(), 2, "{page}");
}

/// A course that is restarted while somebody waits for the verdict, and what stands before it
/// meanwhile.
#[test]
fn who_waits_for_a_verdict_goes_on_when_the_course_is_back() {
    let folder = console::scratch("away");
    console::write_file(&folder.join("bot.c"), "");
    console::write_file(&folder.join("token"), "word");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/a/othello", listener.local_addr().unwrap());
    let answers = [
        r#"200 {"version": 1, "number": 1, "page": "/v/1", "steps": []}"#,
        "",
        "502 <p>no</p>",
        "503 ",
        r#"200 {"state": "passed", "steps": [{"step": "build", "ok": true, "summary": "built"}]}"#,
    ];
    let site = std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                request.read_line(&mut line).unwrap();
                if let Some(bytes) = line.strip_prefix("Content-Length: ") {
                    length = bytes.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
            }
            request.read_exact(&mut vec![0; length]).unwrap();
            if let Some((status, body)) = answer.split_once(' ') {
                write!(stream, "HTTP/1.1 {status} X\r\n\r\n{body}").unwrap();
            }
        }
    });
    let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["submit", &url, "bot.c", "--token-file", "token"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let noted = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{noted}");
    assert!(said.ends_with("built\n"), "{said}");
    assert!(noted.ends_with("has broken off; asking again\n"), "{noted}");
    assert_eq!(noted.lines().count(), 1, "{noted}");
    site.join().unwrap();
}

/// `ludex submit` speaks to a course behind a server that speaks HTTPS.
#[test]
fn hand_ins_go_over_https() {
    let has = |tool: &str| {
        let found = Command::new(tool).arg("--version").output();
        found.is_ok_and(|output| output.status.success())
    };
    let openssl = Command::new("openssl").arg("version").output();
    if !(has("curl") && has("python3") && openssl.is_ok()) {
        println!("left out: no curl, python3 or openssl");
        return;
    }
    let (folder, [_, anna, _]) = folder_of("https", |text| text);
    let server = Server::start(&folder);
    let made = Command::new("openssl")
        .args("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split(' '))
        .args("-addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem".split(' '))
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    // What stands before a course: it takes HTTPS and passes everything on.
    console::write_file(&folder.join("front.py"), include_str!("../data/front.py"));
    let mut front = Command::new("python3")
        .args(["front.py", &server.address])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut port = String::new();
    let mut out = BufReader::new(front.stdout.take().unwrap());
    out.read_line(&mut port).unwrap();
    console::write_file(&folder.join("broken.c"), &program("broken.c"));
    console::write_file(&folder.join("token"), &anna);
    let submit = |trusted: bool, token: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
        let url = format!("https://localhost:{}/a/othello", port.trim());
        command
            .args(["submit", &url, "broken.c", "--token-file", token])
            .current_dir(&folder);
        if trusted {
            command.env("CURL_CA_BUNDLE", folder.join("cert.pem"));
        }
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let (code, out, err) = submit(true, "token");
    // A server that nobody vouches for does not get the token.
    let stranger = submit(false, "token");
    console::write_file(&folder.join("wrong"), "nonsense");
    let unknown = submit(true, "wrong");
    front.kill().unwrap();
    front.wait().unwrap();
    assert!(out.starts_with("version 1 received (C, "), "{out} {err}");
    assert!(out.contains("no_such_thing"), "{out}");
    assert_eq!(err, "ludex: the version has not passed\n");
    assert_eq!(code, Some(1));
    assert_eq!(stranger.0, Some(1), "{stranger:?}");
    assert!(stranger.2.contains("certificate"), "{stranger:?}");
    assert_eq!(stranger.2.lines().count(), 1, "{stranger:?}");
    assert_eq!(unknown.2, "ludex: the course does not know the token\n");
    let gone = submit(true, "token");
    assert!(
        gone.2.starts_with("ludex: cannot reach localhost:"),
        "{gone:?}"
    );
}

/// Links that let people in are written for whoever writes them.
#[test]
fn what_a_teacher_makes_is_private() {
    let folder = console::scratch("private");
    console::write_file(&folder.join("roster.csv"), "name,id\nAnna,a\n");
    for words in [
        "course new games",
        "course invite roster.csv --course games --page links.html",
        "backup games.tar --course games",
        "restore games.tar again",
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(words.split(' '))
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
    }
    for name in [
        "games",
        "games/course.db",
        "links.html",
        "games.tar",
        "again",
    ] {
        let data = folder.join(name).metadata().unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&data.permissions());
        assert_eq!(mode & 0o077, 0, "{name}: {mode:o}");
    }
}

/// A small one of what `ludex bench course` makes and measures.
#[test]
fn a_course_is_measured() {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args("bench course --students 4 --versions 9 --games 60".split(' '))
        .args("--visitors 2 --seconds 1 --pause 0 --json".split(' '))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let rows: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows[0]["players"], 4 + 3);
    assert_eq!(rows.len(), 14);
    for row in &rows[1..] {
        assert!(row["looks"].as_u64() >= Some(2), "{row}");
    }
}
