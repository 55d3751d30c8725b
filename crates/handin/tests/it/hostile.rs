//! Hand-ins that attack by being built: behind every kind of walls, as root and as an ordinary
//! user, each fails or succeeds as is due, and shows nothing of the course.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use handin::{BuildError, BuildLimits, Language, build};
use referee::{IsolationMode, Seconds, Size};

use crate::collection::{complaints, is_wanted, modes, run_as_ordinary_user};

/// What no build may see.
const SECRET: &str = "the-solution-of-another";

/// A hand-in: its name, language and files, and what is due: a part of what the failure says, or
/// `ok` and the files that are left.
struct Row {
    name: &'static str,
    language: &'static str,
    files: Vec<(&'static str, String)>,
    due: &'static str,
    limits: fn(&mut BuildLimits),
}

fn row(
    name: &'static str,
    language: &'static str,
    files: &[(&'static str, &str)],
    due: &'static str,
) -> Row {
    let files = files.iter().map(|(name, text)| (*name, (*text).into()));
    Row {
        name,
        language,
        files: files.collect(),
        due,
        limits: |_| (),
    }
}

/// A shell script in the place of a build, with limits of its own.
fn script(name: &'static str, text: &str, due: &'static str, limits: fn(&mut BuildLimits)) -> Row {
    Row {
        limits,
        ..row(name, "script", &[("build.sh", text)], due)
    }
}

const MANIFEST: &str = "[package]\nname = \"a\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
/// A program, made by a shell.
const PROGRAM: &str = "printf '#!/bin/sh\\n' >program; chmod +x program 2>/dev/null; true\n";

/// Looks around in every way that a build script can, and says what it has seen.
const LOOK: &str = r#"
fn look() {
    for path in ["SECRET", "/etc/shadow", "/proc/1/environ", "/root/.ssh", "/home"] {
        if let Ok(text) = std::fs::read_to_string(path) {
            panic!("THROUGH {path}: {text}");
        }
    }
    for folder in ["COURSE", "/root", "/home", "/var/tmp", "/srv", "/etc/ssh"] {
        let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for name in names {
            if name.path().to_string_lossy().contains("hostile-course") {
                panic!("THROUGH {folder}: {name:?}");
            }
        }
    }
    if std::net::TcpStream::connect("127.0.0.1:PORT").is_ok() {
        panic!("THROUGH network");
    }
    if std::net::UdpSocket::bind("127.0.0.1:0").is_ok() {
        panic!("THROUGH sockets");
    }
    if std::fs::write("COURSE/planted", "x").is_ok() || std::fs::write("/usr/planted", "x").is_ok() {
        panic!("THROUGH writing");
    }
    for (name, value) in std::env::vars() {
        if value.contains("hostile-course") || name.contains("TOKEN") {
            panic!("THROUGH {name}={value}");
        }
    }
}
"#;

fn rows() -> Vec<Row> {
    let tiny: fn(&mut BuildLimits) = |limits| limits.wall = Seconds::from_secs(2);
    let none: fn(&mut BuildLimits) = |_| ();
    let macros = "extern crate proc_macro;\nuse proc_macro::TokenStream;\n#[proc_macro]\n\
                  pub fn peek(_: TokenStream) -> TokenStream { look(); TokenStream::new() }\n";
    let mut rows = vec![
        // The compiler reads for us.
        row("include-shadow", "C", &[("a.c", "#include \"/etc/shadow\"\n")], "No such file|Permission denied"),
        row("include-passwd", "C", &[("a.c", "#include \"/etc/passwd\"\n")], "error"),
        row("include-secret", "C", &[("a.c", "#include \"SECRET\"\n")], "No such file|Permission denied"),
        row("include-dots", "C", &[("a.c", "#include \"../../../../../../..SECRET\"\n")], "No such file|Permission denied"),
        row("include-neighbour", "C", &[("a.c", "#include \"../anna/sources/bot.c\"\nint main(void){}\n")], "No such file|Permission denied"),
        row("include-environment", "C++", &[("a.cpp", "#include \"/proc/1/environ\"\n")], "error|undefined reference"),
        row("has-include", "C", &[("a.c", "#if __has_include(\"SECRET\")\n#error THROUGH\n#endif\nint main(void){}\n")], "ok|Permission denied"),
        row("embed", "C", &[("a.c", "const char s[] = {\n#embed \"SECRET\"\n};\nint main(void){}\n")], "error"),
        row("incbin", "C", &[("a.c", "__asm__(\".incbin \\\"SECRET\\\"\");\nint main(void){}\n")], "file not found"),
        row("incbin-shadow", "C", &[("a.c", "int main(void){}\n"), ("b.c", "__asm__(\".section .x,\\\"a\\\"\\n.incbin \\\"/etc/shadow\\\"\");\n")], "file not found"),
        row("include-device", "C", &[("a.c", "#include \"/dev/zero\"\nint main(void){}\n")], "error|memory"),
        row("include-itself", "C", &[("a.c", "#include __FILE__\nint main(void){}\n")], "exit status 1"),
        row("include-str", "Rust", &[("main.rs", "fn main(){ print!(\"{}\", include_str!(\"SECRET\")) }\n")], "No such file|Permission denied"),
        row("include-bytes", "Rust", &[("main.rs", "fn main(){ print!(\"{:?}\", include_bytes!(\"/etc/shadow\")) }\n")], "No such file|Permission denied"),
        row("rust-path", "Rust", &[("main.rs", "#[path = \"SECRET\"] mod x;\nfn main(){}\n")], "couldn't read"),
        row("python-module", "Python", &[("main.py", "print(1)\n"), ("compileall.py", "import os,sys\nfor p in ['SECRET','/etc/shadow']:\n  try: print('THROUGH', open(p).read()); sys.exit(1)\n  except OSError: pass\n")], "ok"),
        row("java-source", "Java", &[("Main.java", "class Main { int x = \"\\u0022; /* SECRET */ }\n")], "error"),
        // The build is a program.
        Row {
            files: vec![
                ("Cargo.toml", MANIFEST.into()),
                ("src/main.rs", "fn main() {}\n".into()),
                ("build.rs", format!("{LOOK}\nfn main() {{ look() }}\n")),
            ],
            ..row("build-script", "Rust with Cargo", &[], "ok")
        },
        Row {
            files: vec![
                ("Cargo.toml", format!("{MANIFEST}[dependencies]\nm = {{ path = \"m\" }}\n")),
                ("src/main.rs", "m::peek!();\nfn main() {}\n".into()),
                ("m/Cargo.toml", "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n".into()),
                ("m/src/lib.rs", format!("{macros}{LOOK}")),
            ],
            ..row("procedural-macro", "Rust with Cargo", &[], "ok")
        },
        row("cargo-download", "Rust with Cargo", &[("Cargo.toml", "[package]\nname = \"a\"\nversion = \"1.0.0\"\n[dependencies]\nrand = \"0.8\"\n"), ("src/main.rs", "fn main() {}\n")], "error"),
        row("cargo-path", "Rust with Cargo", &[("Cargo.toml", "[package]\nname = \"a\"\nversion = \"1.0.0\"\n[dependencies]\nx = { path = \"COURSE/anna/sources\" }\n"), ("src/main.rs", "fn main() {}\n")], "error"),
        row("cargo-two-programs", "Rust with Cargo", &[("Cargo.toml", MANIFEST), ("src/main.rs", "fn main() {}\n"), ("src/bin/b.rs", "fn main() {}\n")], "exit status 1"),
        script("read", &format!("cat SECRET /etc/shadow COURSE/anna/sources/bot.c /proc/1/environ && echo THROUGH\nfind / -name '*hostile-course*' 2>/dev/null | grep . && echo THROUGH\n{PROGRAM}"), "ok", none),
        script("write", &format!("for f in COURSE/planted /usr/planted /etc/planted /var/tmp/planted; do echo x >$f && echo THROUGH; done\n{PROGRAM}"), "ok", none),
        script("network", &format!("bash -c 'echo >/dev/tcp/127.0.0.1/PORT' && echo THROUGH\n{PROGRAM}"), "ok", none),
        script("privileges", &format!("chmod 4755 /bin/sh && echo THROUGH; mount -t tmpfs x /tmp && echo THROUGH; unshare -r true && echo THROUGH\n{PROGRAM}"), "ok", none),
        // What it uses.
        script("sleep", "sleep 1000\n", "wall time|too busy", tiny),
        script("fork-bomb", "f() { if [ $1 = 0 ]; then sleep 100; else f $(($1 - 1)) & f $(($1 - 1)) & wait; fi; }; f 8\n", "processes|wall time|too busy|exit status|no program", |limits| { limits.wall = Seconds::from_secs(20); limits.processes = 32; }),
        script("memory", "head -c 2000000000 /dev/zero | tail\n", "memory", |limits| limits.memory = Size::mb(200)),
        script("disk", "i=0; while true; do head -c 4000000 /dev/zero >f$i || exit 1; i=$((i+1)); done\n", "disk", |limits| limits.disk = Size::mb(50)),
        script("one-file", "head -c 100000000 /dev/zero >f\n", "153|file", |limits| { limits.file = Size::mb(10); }),
        script("output", "yes\n", "output", |limits| limits.output = Size::mb(1)),
        script("errors", &format!("yes THROUGHPUT | head -c 50000000 >&2\n{PROGRAM}"), "ok", none),
        row("template-bomb", "C++", &[("a.cpp", "template<int N, int M> struct F { static const long v = F<N-1, 2*M>::v + F<N-1, 2*M+1>::v; };\ntemplate<int M> struct F<0, M> { static const long v = M; };\nint main() { return F<40, 1>::v; }\n")], "wall time|memory|too busy"),
        row("macro-bomb", "C", &[("a.c", "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) B(B(B(x)))\nint main(void){ return 0; }\nint a = 1 C(+1);\n")], "wall time|memory|too busy"),
        row("huge-array", "C", &[("a.c", "char a[1ull << 36] = {1};\nint main(void){}\n")], "file|disk|exit status"),
        // What it leaves.
        script("nothing", "true\n", "no program", none),
        script("program-link", "ln -s /bin/sh program\n", "no program", none),
        script("program-folder", "mkdir program\n", "no program", none),
        script("links", &format!("ln -s SECRET a; ln -s /etc/passwd b; ln -s . c; ln -s c/c/program d; ln /bin/sh e\n{PROGRAM}"), "ok", none),
        script("pipe", &format!("mkfifo p\n{PROGRAM}"), "ok", none),
        script("daemon", &format!("(setsid sleep 12345 &)\nsetsid sh -c 'sleep 12345' &\n{PROGRAM}"), "ok", none),
        script("rights", &format!("{PROGRAM}cp /bin/true s; chmod 6777 s; mkdir l; touch l/x; chmod 500 l; true\n"), "ok", none),
        script("many", "i=0; while [ $i -lt 20000 ]; do : >f$i; i=$((i+1)); done\n", "no program|folder", none),
        script("deep", &format!("{PROGRAM}i=0; while [ $i -lt 200 ]; do mkdir d; cd d; i=$((i+1)); done\n"), "deep", none),
        script("long", &format!("{PROGRAM}n=$(printf %0250d 0); for i in 1 2 3 4 5 6 7 8; do mkdir $n; cd $n; done\n"), "longer than 1024 bytes", none),
        script("copies", &format!("{PROGRAM}head -c 8000000 /dev/zero >f; i=0; while [ $i -lt 200 ]; do ln -s f l$i; i=$((i+1)); done\n"), "larger than 1 GB", none),
        script("names", &format!("{PROGRAM}touch \"$(printf 'a\\nb')\" \"$(printf '\\377')\" -- -x; true\n"), "ok", none),
    ];
    for row in &mut rows {
        if matches!(row.name, "template-bomb" | "macro-bomb") {
            row.limits = |limits| {
                limits.wall = Seconds::from_secs(4);
                limits.memory = Size::mb(300);
            };
        }
    }
    rows
}

/// A course that must not be seen, in a folder that everybody may read and write: only walls keep it
/// closed.
struct Scene {
    folder: tempfile::TempDir,
    listener: std::net::TcpListener,
}

impl Scene {
    fn new() -> Scene {
        let folder = tempfile::Builder::new()
            .prefix("hostile-course")
            .tempdir_in("/var/tmp")
            .unwrap();
        let all =
            |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
        all(folder.path());
        let anna = folder.path().join("anna/sources");
        fs::create_dir_all(&anna).unwrap();
        for path in [folder.path().join("secret.txt"), anna.join("bot.c")] {
            fs::write(&path, format!("{SECRET}\n")).unwrap();
            all(&path);
        }
        Scene {
            folder,
            listener: std::net::TcpListener::bind("127.0.0.1:0").unwrap(),
        }
    }

    fn filled(&self, text: &str) -> String {
        let course = self.folder.path();
        let port = self.listener.local_addr().unwrap().port();
        text.replace("SECRET", &course.join("secret.txt").display().to_string())
            .replace("COURSE", &course.display().to_string())
            .replace("PORT", &port.to_string())
    }

    /// What the course holds but for the hand-ins.
    fn state(&self) -> Vec<(PathBuf, u64, i64)> {
        let mut state = Vec::new();
        let mut left = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = left.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let (path, data) = (entry.path(), entry.metadata().unwrap());
                if path
                    .file_name()
                    .unwrap()
                    .to_string_lossy()
                    .starts_with("handed-in")
                {
                    continue;
                }
                state.push((path.clone(), data.size(), data.mtime()));
                if data.is_dir() {
                    left.push(path);
                }
            }
        }
        state.sort();
        state
    }

    /// What is wrong with how a row went, if anything.
    fn complaint(&self, row: &Row, mode: IsolationMode, number: usize) -> Option<String> {
        let language = language(row.language);
        if let Err(missing) = language.installed() {
            println!("skipped {}: {missing}", row.name);
            return None;
        }
        let home = self.folder.path().join(format!("handed-in-{number}"));
        for (name, text) in &row.files {
            let path = home.join("sources").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, self.filled(text)).unwrap();
        }
        let mut limits = BuildLimits {
            isolation: mode,
            ..BuildLimits::default()
        };
        (row.limits)(&mut limits);
        let into = home.join("built");
        let stop = AtomicBool::new(false);
        let built = build(&home.join("sources"), &into, &language, &limits, &stop);
        if let Err(BuildError::Machine(what)) = &built
            && what.ends_with("cannot be run by other users")
        {
            println!("skipped {} under {mode}: {what}", row.name);
            return None;
        }
        let mut wrong = Vec::new();
        let (what, log) = match &built {
            Ok(built) => ("ok".to_string(), built.log.clone()),
            Err(BuildError::Failed(failure)) => (failure.what.clone(), failure.log.clone()),
            Err(other) => (other.to_string(), String::new()),
        };
        if !row.due.split('|').any(|due| what.contains(due)) {
            let end: Vec<&str> = log.lines().rev().take(3).collect();
            wrong.push(format!("{what}, not {} ({})", row.due, end.join(" / ")));
        }
        if what.lines().count() != 1 {
            wrong.push(format!("not one line: {what:?}"));
        }
        if log.len() > 100 << 10 {
            wrong.push(format!("a log of {} bytes", log.len()));
        }
        let through = |text: &str| {
            text.contains(SECRET) || text.contains("THROUGH ") || text.ends_with("THROUGH\n")
        };
        if through(&log) || through(&what) {
            wrong.push(format!("got through: {log}"));
        }
        if built.is_ok() {
            left_behind(&into, &mut wrong);
        } else if into.exists() {
            wrong.push("a failed build has left a folder".into());
        }
        let name = format!("{} under {mode}", row.name);
        (!wrong.is_empty()).then(|| format!("{name}: {}", wrong.join("; ")))
    }
}

/// What a build may not leave.
fn left_behind(folder: &Path, wrong: &mut Vec<String>) {
    let mut left = vec![folder.to_path_buf()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, data) = (entry.path(), fs::symlink_metadata(entry.path()).unwrap());
            if data.is_dir() {
                left.push(path);
                continue;
            }
            if !data.is_file() || data.nlink() != 1 || data.mode() & 0o7022 != 0 {
                wrong.push(format!("left {} with {:o}", path.display(), data.mode()));
                continue;
            }
            let content = fs::read(&path).unwrap();
            let seen = content
                .windows(SECRET.len())
                .any(|part| part == SECRET.as_bytes());
            if seen {
                wrong.push(format!("the secret is in {}", path.display()));
            }
        }
    }
}

fn language(name: &str) -> Language {
    let script = Language {
        name: "script".into(),
        build: Some("sh build.sh".into()),
        run: "./program".into(),
        ..Language::standard()[0].clone()
    };
    let mut all = Language::standard();
    all.push(script);
    all.into_iter()
        .find(|language| language.name == name)
        .unwrap()
}

fn run_collection() {
    let scene = Scene::new();
    let before = scene.state();
    let rows = rows();
    assert!(rows.len() >= 20);
    let mut runs: Vec<(&Row, IsolationMode)> = Vec::new();
    for mode in modes() {
        runs.extend(rows.iter().map(|row| (row, mode)));
    }
    runs.retain(|(row, mode)| is_wanted(&format!("{} {mode}", row.name)));
    let wrong = complaints(2, &runs, |number, (row, mode)| {
        scene.complaint(row, *mode, number)
    });
    println!("{} builds of {} hand-ins", runs.len(), rows.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(scene.state(), before, "the course was changed");
    assert!(!Path::new("/usr/planted").exists() && !Path::new("/var/tmp/planted").exists());
    scene.listener.set_nonblocking(true).unwrap();
    assert!(scene.listener.accept().is_err(), "the network was reached");
}

#[test]
fn hostile_hand_ins_get_what_is_due() {
    run_collection();
}

#[test]
fn hostile_hand_ins_of_an_ordinary_user_get_what_is_due() {
    run_as_ordinary_user("hostile::hostile_hand_ins_get_what_is_due");
}
