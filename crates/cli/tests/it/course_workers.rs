//! A course as a real process whose games and cases are done by a worker, by the commands that
//! teachers and students type.

#[path = "../../../cluster/tests/it/thread_worker.rs"]
mod thread_worker;

use std::path::Path;
use std::process::Output;

use ::cluster::Address;
use ::course::{STORE, Store};

use self::thread_worker::ThreadWorker;
use super::cluster::{ludex, server, text};
use super::course::Server;
use crate::fixtures::{COURSE, program};
use crate::waiting::wait_until;

const ROSTER: &str = "name,id,role\nAnna,a,\nBo,b,\n";

/// A course whose programs may look into a folder.
fn write_course(folder: &Path, shown: &Path) {
    let language = format!(
        "[[language]]\nname = \"C\"\nextensions = [\"c\"]\nbuild = \"gcc -O2 -o program {{sources}}\"\n\
         run = \"./program\"\nread = [{:?}]\n\n[[assignment]]",
        shown.display().to_string()
    );
    let text = COURSE.replacen("[[assignment]]", &language, 1);
    let text = text.replace("wall = \"60 s\"", "wall = \"1500 s\"");
    let text = text.replace("[assignment.ladder]", "[assignment.ladder]\non = false");
    std::fs::write(folder.join("games/course.toml"), text).unwrap();
}

#[test]
fn a_course_is_graded_and_played_on_a_worker() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    // Programs may be started as somebody else, and look for the file there.
    let rights = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder, rights).unwrap();
    let Some((_nats, address)) = server(folder, &[]) else {
        return;
    };
    let url = format!("nats://{address}");
    let run = |args: &[&str]| -> Output { ludex(folder, args).output().unwrap() };
    let made = run(&["course", "new", "games"]);
    assert!(made.status.success(), "{}", text(&made));
    let shown = folder.join("shown");
    std::fs::create_dir(&shown).unwrap();
    write_course(folder, &shown);
    let nats = ["--nats", &url, "--creds", "lab/coordinator.creds"];
    let creds = folder.join("lab/coordinator.creds").display().to_string();
    let site_nats = ["--nats", &url, "--creds", &creds];
    let site = Server::start_with(&folder.join("games"), &site_nats);
    // One course, one site: on this machine, and on others, which do not see the locks.
    let again = ["serve", "--course", "games", "--addr", "127.0.0.1:0"];
    for (start, part) in [
        (
            "ludex: games/course.db: ",
            "another process is working on it",
        ),
        ("ludex: course-", " is being run by "),
    ] {
        let refused = run(&[&again[..], &nats[..]].concat());
        let said = text(&refused);
        assert!(said.starts_with(start) && said.contains(part), "{said}");
        assert_eq!((said.lines().count(), refused.status.code()), (1, Some(1)));
        for store in ["course.db", "finals.db"] {
            let _ = std::fs::remove_file(folder.join(format!("games/{store}.lock")));
        }
    }

    // People come while it is open.
    std::fs::write(folder.join("roster.csv"), ROSTER).unwrap();
    let invited = text(&run(&[
        "course",
        "invite",
        "roster.csv",
        "--course",
        "games",
    ]));
    assert_eq!(invited.lines().count(), 3, "{invited}");
    let store = Store::open(&folder.join("games").join(STORE)).unwrap();
    let id = |login: &str| {
        let people = store.people().unwrap();
        people.iter().find(|one| one.login == login).unwrap().id
    };
    let cookie = |login: &str| {
        let secret = store.log_in(id(login)).unwrap();
        format!("Cookie: ludex_course={secret}")
    };
    let (staff, anna) = (cookie("staff"), cookie("a"));
    let get = |path: &str, way: &str| site.ask(&format!("GET {path}"), way, b"").unwrap();

    // A program that waits in every case until a file is there.
    let flag = shown.join("go");
    let main = "int main(int count, char **words) {\n";
    let source = program("good.c");
    assert!(source.contains(main));
    let wait = format!(
        "#include <unistd.h>\n{main}while (access({:?}, F_OK)) usleep(50000);\n",
        flag.display().to_string()
    );
    let source = source.replace(main, &wait);
    let token = store.new_token(id("a"), "x").unwrap().unwrap();
    let (status, answer) = site.hand_in(&token, &source).unwrap();
    assert_eq!(status, 201, "{answer}");
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let version = format!("/v/{}", answer["version"]);
    // No worker is there.
    wait_until("it waits", || {
        get(&version, &anna)
            .1
            .contains("It is waiting for a worker.")
    });
    let empty = get("/cluster", &staff).1;
    assert!(empty.contains("None is there."), "{empty}");
    // No process of its own: how fast this machine is must decide nothing.
    let address = Address {
        credentials: Some(folder.join("lab/worker.creds")),
        ..Address::new(url.as_str())
    };
    let _worker = ThreadWorker::start("pc-in-room-7", address, folder.join("work"));
    let mut page = String::new();
    wait_until("the page says how far it is", || {
        page = get(&version, &anna).1;
        page.contains("It is being graded: case 1 of ")
    });
    // Staff see who does it, and nobody else.
    let (status, page) = get("/cluster", &staff);
    assert_eq!(status, 200, "{page}");
    assert!(
        page.contains("<th scope=\"row\">pc-in-room-7</th>"),
        "{page}"
    );
    assert!(page.contains("1 worker, 1 of 2 games at once"), "{page}");
    assert!(get("/staff", &staff).1.contains("href=\"/cluster\""));
    for way in [&anna, "Cookie: nothing"] {
        for path in ["/cluster", "/", "/a/othello", &version] {
            let (status, page) = get(path, way);
            assert!(!page.contains("pc-in-room-7"), "{path}: {page}");
            assert!(path != "/cluster" || status != 200, "{page}");
        }
    }
    std::fs::write(&flag, "").unwrap();
    wait_until("it has passed", || {
        let page = get(&version, &anna).1;
        assert!(!page.contains(">failed<"), "{page}");
        page.contains(">active<")
    });

    // From a terminal, with a worker that is there.
    std::fs::write(folder.join("bot.c"), program("other.c")).unwrap();
    std::fs::write(
        folder.join("token"),
        store.new_token(id("b"), "x").unwrap().unwrap(),
    )
    .unwrap();
    let page = format!("http://{}/a/othello", site.address);
    let submitted = run(&["submit", &page, "bot.c", "--token-file", "token"]);
    let said = text(&submitted);
    assert!(submitted.status.success(), "{said}");
    assert!(said.starts_with("version 1 received (C, "), "{said}");

    // A challenge is played there, too.
    let finished = || {
        let status = run(&[&["cluster", "status", "--json"][..], &nats[..]].concat());
        let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
        status["workers"][0]["finished"].as_u64().unwrap()
    };
    let before = finished();
    let form = format!("{anna}\r\nContent-Type: application/x-www-form-urlencoded");
    let (status, page) = site
        .ask("POST /a/othello/challenge", &form, b"opponent=r%3Agreedy")
        .unwrap();
    assert_eq!(status, 303, "{page}");
    let team = store.person(id("a")).unwrap().unwrap().team;
    wait_until("the challenge is played", || {
        let asked = store.challenges_of(team, "othello").unwrap().remove(0);
        assert_eq!(asked.problem, None);
        asked.game.is_some()
    });
    assert_eq!(finished(), before + 1);

    // Somebody is forgotten while it is open.
    let forgotten = run(&["course", "forget", "b", "--course", "games"]);
    assert_eq!(text(&forgotten), "forgotten; backups still know the name\n");
    assert!(!get("/staff", &staff).1.contains(">Bo"), "still known");
}
