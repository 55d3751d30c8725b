//! Hostile hand-ins through the site: archives that attack by being unpacked, sources that attack
//! by being built, programs that attack by being run. Each gets the verdict that is due, in a line
//! that says why, and sees nothing of others.

use axum::http::header;
use course::grades::detail;
use course::store::{State, StepName};

use crate::archives::{Entry, gzip, tar, zip};
use crate::course::School;
use crate::fixtures::{COURSE, program};

/// What only Anna's hand-in says.
const SECRET: &str = "the-solution-of-another";

fn school_text() -> String {
    COURSE
        .replace("hand-ins-per-day = 5", "hand-ins-per-day = 500")
        .replace(
            "wall = \"60 s\"",
            "wall = \"2 s\"\nmemory = \"20 MB\"\noutput = \"1 MB\"\nprocesses = 8",
        )
        .replace("[assignment.ladder]", "[assignment.ladder]\non = false")
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_archives_are_refused_in_one_line() {
    let school = School::with(&school_text()).await;
    let file = |name: &str| Entry::new(name, "int main(void) {}\n");
    let tgz = |name: &str, kind: u8| gzip(&tar(&[(name.as_bytes(), kind, b"")]));
    let zeros = vec![0; 40 << 20];
    let mode = |name: &str, mode: u32| Entry {
        mode,
        ..Entry::new(name, "/etc/passwd")
    };
    let long = "a".repeat(17 << 20);
    let rows: Vec<(&str, Vec<u8>, &str)> = vec![
        (&long, Vec::new(), "larger than 16 MB together"),
        (
            "a.zip",
            zip(&[file("../../course.db")]),
            "leads out of the hand-in",
        ),
        ("a.zip", zip(&[file("/etc/cron.d/x")]), "an absolute path"),
        ("a.zip", zip(&[file(r"C:\bot.c")]), "an absolute path"),
        ("a.tgz", tgz("../bot.c", b'0'), "leads out of the hand-in"),
        ("a.tgz", tgz("/etc/passwd", b'0'), "an absolute path"),
        ("a.zip", zip(&[mode("l", 0o120_777)]), "a link"),
        ("a.tgz", tgz("l", b'2'), "a link"),
        ("a.tgz", tgz("l", b'1'), "a link"),
        ("a.tgz", tgz("d", b'3'), "neither a file nor a folder"),
        ("a.tgz", tgz("p", b'6'), "neither a file nor a folder"),
        (
            "a.zip",
            zip(&[Entry::new(b"b\xf6t.c", "x")]),
            "not in UTF-8",
        ),
        ("a.zip", zip(&[file("a\u{1b}[2J.c")]), "cannot be printed"),
        (
            "a.zip",
            zip(&[file("Bot.c"), file("bot.c")]),
            "upper and lower case",
        ),
        (
            "a.zip",
            zip(&[Entry::new("a", &zeros)]),
            "more than 200 times its size",
        ),
        (
            "a.tgz",
            gzip(&tar(&[(b"a", b'0', &zeros)])),
            "more than 200 times its size",
        ),
        ("a.zip", b"int main".to_vec(), "not a zip archive"),
        ("a.7z", b"7z".to_vec(), ".zip or .tar.gz"),
        (
            "../a.c",
            b"int main(void) {}".to_vec(),
            "leads out of the hand-in",
        ),
        ("notes.txt", b"hello".to_vec(), ""),
        ("a.c", vec![b'x'; 17 << 20], "larger than 16 MB together"),
    ];
    let token = school.token("c");
    for (name, bytes, due) in &rows {
        let way = (header::AUTHORIZATION, format!("Bearer {token}"));
        let answer = school
            .send_file("/api/a/othello/hand-ins", way, name, bytes)
            .await;
        let status = answer.status.as_u16();
        let name = &name[..name.len().min(40)];
        assert!(
            matches!(status, 413 | 422),
            "{name} {due}: {status} {}",
            answer.body
        );
        let said: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        let said = said["error"].as_str().unwrap();
        assert!(said.contains(due), "{name}: {said}, not {due}");
        assert_eq!(said.lines().count(), 1, "{said:?}");
        let folder = school.folder().display().to_string();
        assert!(
            !said.contains(&folder) && !said.contains('\u{1b}'),
            "{said:?}"
        );
    }
    // Nothing was taken, and nothing was left.
    let team = school.person("c").team;
    assert!(
        school
            .open_course
            .store
            .versions(team, "othello")
            .unwrap()
            .is_empty()
    );
    for folder in ["incoming", "versions"] {
        let left = std::fs::read_dir(school.folder().join(folder)).unwrap();
        assert_eq!(left.count(), 0, "{folder}");
    }
}

/// A C program that does something before it answers with a move that is legal at the start.
fn doing(what: &str) -> String {
    format!(
        "#define _GNU_SOURCE\n#include <arpa/inet.h>\n#include <dirent.h>\n#include <fcntl.h>\n\
         #include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         #include <sys/socket.h>\n#include <sys/stat.h>\n#include <unistd.h>\n\
         int main(void) {{\n{what}\nputs(\"3,2\");\nreturn 0;\n}}\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_programs_get_the_verdict_that_is_due() {
    use StepName::{Built, Graded};
    let school = School::with(&school_text()).await;
    let cookie = format!("ludex_course={}", school.login("c"));
    // What must stay hers.
    let secret = format!("/* {SECRET} */\n{}", program("wrong.c"));
    let hers = school.hand_in_as("a", "bot.c", &secret).await;
    let hers = school.open_course.store.version(hers).unwrap().unwrap();
    let path = school.open_course.folder(&hers).join("sources/bot.c");
    let open = |path: &str| {
        format!(
            "{{ char b[4096]; int f = open(\"{path}\", O_RDONLY); long n = f < 0 ? 0 : read(f, b, 4096); if (n > 0) {{ printf(\"THROUGH \"); fwrite(b, 1, n, stdout); }} }}"
        )
    };
    let course = school.folder().display().to_string();
    let hers_path = path.display().to_string();
    let write = |path: &str| {
        format!(
            "{{ int f = open(\"{path}\", O_WRONLY | O_CREAT, 0666); if (f >= 0 && write(f, \"x\", 1) == 1) puts(\"THROUGH\"); }}"
        )
    };
    let network = "struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7171), .sin_addr = {htonl(INADDR_LOOPBACK)}}; int s = socket(AF_INET, SOCK_STREAM, 0); if (s >= 0 && connect(s, (void *)&a, sizeof a) == 0) puts(\"THROUGH\");";
    let list = format!("DIR *d = opendir(\"{course}\"); if (d && readdir(d)) puts(\"THROUGH\");");
    let looks = [
        open(&hers_path),
        open("/etc/shadow"),
        open(&format!("{course}/course.db")),
        open("/proc/1/environ"),
        write(&hers_path),
        write(&format!("{course}/planted")),
        write("/usr/planted"),
        list,
        network.into(),
    ]
    .concat();
    let rows: Vec<(&str, &str, String, StepName)> = vec![
        // By being built.
        ("shadow", "a.c", "#include \"/etc/shadow\"\n".into(), Built),
        ("hers", "a.c", format!("#include \"{hers_path}\"\n"), Built),
        (
            "neighbour",
            "a.c",
            format!("#include \"../../{}/sources/bot.c\"\n", hers.folder()),
            Built,
        ),
        (
            "embed",
            "a.c",
            format!("const char s[] = {{\n#embed \"{hers_path}\"\n}};\nint main(void){{}}\n"),
            Built,
        ),
        (
            "incbin",
            "a.c",
            format!("__asm__(\".incbin \\\"{hers_path}\\\"\");\nint main(void){{}}\n"),
            Built,
        ),
        (
            "itself",
            "a.c",
            "#include __FILE__\nint main(void){}\n".into(),
            Built,
        ),
        (
            "script",
            "<img src=x onerror=alert(1)>.c",
            "#error <script>alert(1)</script>\n".into(),
            Built,
        ),
        // By being run.
        ("looks", "a.c", doing(&looks), Graded),
        (
            "kills",
            "a.c",
            doing("kill(getppid(), SIGKILL); kill(-1, SIGKILL);"),
            Graded,
        ),
        (
            "forks",
            "a.c",
            doing("for (int i = 0; i < 100; i++) if (fork() == 0) pause(); pause();"),
            Graded,
        ),
        (
            "memory",
            "a.c",
            doing(
                "for (;;) { char *p = malloc(1 << 24); if (!p) abort(); memset(p, 1, 1 << 24); }",
            ),
            Graded,
        ),
        ("sleeps", "a.c", doing("for (;;) pause();"), Graded),
        (
            "page",
            "a.c",
            doing("puts(\"<script>alert(1)</script><img src=x>\");"),
            Graded,
        ),
    ];
    let mut versions = Vec::new();
    for (_, file, source, _) in &rows {
        versions.push(school.hand_in_as("c", file, source).await);
    }
    school.judge().await;
    let mut wrong = Vec::new();
    for ((name, _, _, due), id) in rows.iter().zip(&versions) {
        let version = school.open_course.store.version(*id).unwrap().unwrap();
        let steps = school.open_course.store.steps(*id).unwrap();
        if version.state != State::Failed(*due) {
            wrong.push(format!("{name}: {:?}: {steps:?}", version.state));
            continue;
        }
        let last = steps.last().unwrap();
        let mut lines = vec![last.summary.clone()];
        let cases = detail(last).cases.unwrap_or_default();
        lines.extend(cases.failures.iter().map(|failure| failure.what.clone()));
        if *due == Graded && cases.failures.is_empty() {
            wrong.push(format!("{name}: nothing says why"));
        }
        if let Some(bad) = lines.iter().find(|line| line.lines().count() != 1) {
            wrong.push(format!("{name}: not one line: {bad:?}"));
        }
        let page = school
            .get(&format!("/v/{id}"), &cookie["ludex_course=".len()..])
            .await
            .ok();
        for through in [SECRET, "THROUGH", "<script>alert", "<img src"] {
            if page.contains(through) {
                wrong.push(format!("{name}: {through:?} on the page: {page}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Hers is as it was.
    assert_eq!(handin::hash(path.parent().unwrap()).unwrap(), hers.hash);
    assert!(!school.folder().join("planted").exists());
}
