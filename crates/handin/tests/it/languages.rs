//! What hand-ins are written in, and programs made of them.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use handin::{
    ArchiveLimits, BuildError, BuildLimits, Built, Language, Sources, Upload, build, unpack,
};
use referee::Kind;

/// The sources of a hand-in.
fn sources(folder: &Path, files: &[(&str, &str)]) -> Sources {
    let upload = |(name, text): &(&str, &str)| Upload {
        name: (*name).into(),
        bytes: text.as_bytes().to_vec(),
    };
    let uploads: Vec<Upload> = files.iter().map(upload).collect();
    unpack(&uploads, folder, &ArchiveLimits::default()).unwrap()
}

#[track_caller]
fn check_language(files: &[&str], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|name| {
            (
                *name,
                if name.ends_with("run") {
                    "#!/bin/sh\n"
                } else {
                    "x"
                },
            )
        })
        .collect();
    let sources = sources(&folder.path().join("s"), &files);
    let found = match Language::of(&sources, &Language::standard()) {
        Ok(language) => language.name.clone(),
        Err(refusal) => refusal.to_string(),
    };
    assert_eq!(found, expected);
}

#[test]
fn languages_are_told_by_their_files() {
    check_language(&["bot.c", "bot.h", "book.txt"], "C");
    check_language(&["BOT.CPP"], "C++");
    check_language(&["src/main.rs", "Cargo.toml"], "Rust with Cargo");
    check_language(&["main.rs"], "Rust");
    check_language(&["main.py", "util.py"], "Python");
    check_language(&["org/Main.java"], "Java");
    check_language(&["run", "book.txt"], "executable");
    check_language(
        &["bot.cpp", "plot.py"],
        "bot.cpp is C++ and plot.py is Python: hand in one language",
    );
    check_language(
        &["bot.zip.zip.txt", "inner.tar", "x.pas"][..1],
        "bot.zip.zip.txt: no source in a language of this course: C (.c), \
         C++ (.cpp, .cc, .cxx, .c++), Rust with Cargo (Cargo.toml), Rust (.rs), Python (.py), \
         Java (.java), executable",
    );
    check_language(
        &["inner.jar"],
        "inner.jar: an archive in an archive; hand in what is in it",
    );
}

#[test]
fn languages_are_lines_of_a_file() {
    let pascal: Language = toml::from_str(
        "name = 'Pascal'\nextensions = ['pas']\nbuild = 'fpc -oprogram {main}'\nrun = './program'",
    )
    .unwrap();
    assert_eq!(pascal.check(), Ok(()));
    assert_eq!(pascal.programs(), ["fpc"]);
    let missing = Language {
        build: Some("no-such-compiler {main}".into()),
        ..pascal.clone()
    };
    assert_eq!(
        missing.installed().unwrap_err().to_string(),
        "Pascal: no-such-compiler is not installed"
    );
    for (line, expected) in [
        ("run = ''", "language \"X\": run is empty"),
        ("run = 'x'\nbuild = ' '", "language \"X\": build is empty"),
        (
            "run = 'x'\nextensions = ['.c']",
            "language \"X\": extension \".c\" begins with a dot",
        ),
        (
            "run = 'x'\nread = ['here']",
            "language \"X\": read: here is not an absolute path",
        ),
    ] {
        let language: Language = toml::from_str(&format!("name = 'X'\n{line}")).unwrap();
        assert_eq!(language.check(), Err(expected.into()));
    }
    for language in Language::standard() {
        assert_eq!(language.check(), Ok(()));
    }
}

fn built(folder: &Path, files: &[(&str, &str)]) -> Result<Built, BuildError> {
    let from = folder.join("sources");
    let sources = sources(&from, files);
    let languages = Language::standard();
    let language = Language::of(&sources, &languages).unwrap();
    if let Err(missing) = language.installed() {
        println!("skipped: {missing}");
        return Err(BuildError::Stopped);
    }
    let into = folder.join("built");
    let stop = AtomicBool::new(false);
    build(&from, &into, language, &BuildLimits::default(), &stop)
}

/// Builds a program that plays a move, and lets it play.
#[track_caller]
fn check_plays(files: &[(&str, &str)], kept: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let built = match built(folder.path(), files) {
        Err(BuildError::Stopped) => return,
        other => other.unwrap(),
    };
    let start = games::AnyPosition::start(games::REVERSI);
    let players = [built.player(Kind::Argv), "random".parse().unwrap()];
    let mut setup = referee::GameSetup::new(start, players);
    setup.longest = 1;
    setup.limits.wall = Some(referee::Seconds::from_secs(60));
    let record = referee::play_game(&setup, &mut |_| (), &Default::default()).unwrap();
    let first = &record.moves[0];
    assert_eq!(
        first.verdict.kind(),
        "legal",
        "{} {}",
        first.verdict,
        first.stderr
    );
    let mut names: Vec<String> = Sources::of(&built.folder)
        .unwrap()
        .files
        .into_iter()
        .map(|file| file.path)
        .filter(|path| !path.starts_with("__pycache__"))
        .collect();
    names.sort();
    assert_eq!(names, kept);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn c_is_built() {
    let main = "#include <stdio.h>\n#include <math.h>\n#include \"util/m.h\"\n\
                int main(int n, char **a) { (void)a; puts(move(sqrt(n * 1.0))); }\n";
    let util = "const char *move(double x) { return x > 0 ? \"3,2\" : \"\"; }\n";
    check_plays(
        &[
            ("main.c", main),
            ("util/m.c", util),
            ("util/m.h", "const char *move(double);\n"),
        ],
        &["main.c", "program", "util/m.c", "util/m.h"],
    );
}

#[test]
fn cpp_is_built() {
    let main = "#include <iostream>\n#include <thread>\nint main() {\n\
                std::thread t([] { std::cout << \"3,2\" << std::endl; }); t.join(); }\n";
    check_plays(&[("bot.cpp", main)], &["bot.cpp", "program"]);
}

#[test]
fn rust_is_built() {
    let main = "mod util;\nfn main() { println!(\"{}\", util::MOVE) }\n";
    let util = "pub const MOVE: &str = \"3,2\";\n";
    check_plays(
        &[("main.rs", main), ("util.rs", util)],
        &["main.rs", "program", "util.rs"],
    );
    let manifest = "[package]\nname = \"anna\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
    check_plays(
        &[
            ("Cargo.toml", manifest),
            (
                "build.rs",
                "fn main() { println!(\"cargo::rustc-env=MOVE=3,2\"); }\n",
            ),
            (
                "src/main.rs",
                "fn main() { println!(\"{}\", env!(\"MOVE\")) }\n",
            ),
        ],
        &[
            "Cargo.lock",
            "Cargo.toml",
            "build.rs",
            "program",
            "src/main.rs",
        ],
    );
}

#[test]
fn python_is_built() {
    check_plays(
        &[
            ("main.py", "import util\nprint(util.MOVE)\n"),
            ("util.py", "MOVE = '3,2'\n"),
        ],
        &["main.py", "util.py"],
    );
}

#[test]
fn java_is_built() {
    let main = "package anna;\npublic class Main {\n\
                public static void main(String[] a) { System.out.println(Util.MOVE); } }\n";
    let util = "package anna;\nclass Util { static final String MOVE = \"3,2\"; }\n";
    check_plays(
        &[("anna/Main.java", main), ("anna/Util.java", util)],
        &[
            "anna/Main.class",
            "anna/Main.java",
            "anna/Util.class",
            "anna/Util.java",
        ],
    );
}

#[test]
fn executables_are_taken_as_they_are() {
    check_plays(
        &[("run", "#!/bin/sh\ncat book.txt\n"), ("book.txt", "3,2\n")],
        &["book.txt", "run"],
    );
}

#[track_caller]
fn check_fails(files: &[(&str, &str)], what: &str, command: &str) {
    let folder = tempfile::tempdir().unwrap();
    match built(folder.path(), files) {
        Err(BuildError::Failed(failure)) => {
            assert_eq!(failure.what, what, "{}", failure.log);
            assert_eq!(failure.command, command);
            assert!(!folder.path().join("built").exists());
        }
        Err(BuildError::Stopped) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn failures_say_what_and_where() {
    check_fails(
        &[("bot.c", "int main(void) { return x; }\n")],
        "exit status 1: ./bot.c:1:25: error: ‘x’ undeclared (first use in this function)",
        "gcc -std=gnu17 -O2 -Wall -pthread -o program ./bot.c -lm",
    );
    check_fails(
        &[("main.rs", "fn main() { x }\n")],
        "exit status 1: error[E0425]: cannot find value `x` in this scope (./main.rs:1:13)",
        "rustc --edition 2021 -O -o program ./main.rs",
    );
    check_fails(
        &[("bot.py", "def f(:\n")],
        "exit status 1: SyntaxError: invalid syntax (File \"./bot.py\", line 1)",
        "python3 -m compileall -q --invalidation-mode unchecked-hash .",
    );
    check_fails(
        &[("a.py", ""), ("b.py", "")],
        "2 files of Python (a.py, …), and none of them is main.py",
        "",
    );
}

/// The command is the teacher's, its arguments are files of the hand-in.
#[test]
fn a_missing_compiler_is_the_machines_fault_and_too_many_files_are_not() {
    let built = |line: &str| {
        let folder = tempfile::tempdir().unwrap();
        let (from, into) = (folder.path().join("sources"), folder.path().join("built"));
        sources(&from, &[("bot.c", "int main(void) {}\n")]);
        let language = Language {
            build: Some(line.into()),
            ..Language::standard()[0].clone()
        };
        let limits = BuildLimits::default();
        build(&from, &into, &language, &limits, &AtomicBool::new(false)).unwrap_err()
    };
    assert_eq!(
        built("no-such-compiler {sources}").to_string(),
        "the machine could not start a program: no-such-compiler: no such program"
    );
    assert_eq!(
        built(&format!("true {}", "x".repeat(1 << 20))).to_string(),
        "build failed: cannot start: Argument list too long (os error 7)"
    );
    // What is to be among the sources is theirs to bring.
    let missing = built("./configure").to_string();
    assert!(
        missing.starts_with("build failed: cannot start: ./configure"),
        "{missing}"
    );
}
