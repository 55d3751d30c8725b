//! Grading a class: rosters and folders, builds, programs that hang, interrupts.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::console;

/// Plays h1, which is the only move of the cases `only-h1`.
const RIGHT: &str = "#!/bin/sh\necho 7,0\n";
const WRONG: &str = "#!/bin/sh\necho 0,7\n";
const HANGS: &str = "#!/bin/sh\nsleep 1000\n";

fn ludex(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command
        .args(console::words(arguments))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn class(name: &str, programs: &[(&str, &str)]) -> PathBuf {
    let folder = console::scratch(name);
    std::fs::create_dir(folder.join("class")).unwrap();
    for (student, program) in programs {
        let path = folder.join("class").join(student);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        console::write_file(&path, program);
    }
    folder
}

/// The first columns of the grades: student, verdict, points, passed.
fn grades(folder: &Path) -> Vec<String> {
    grades_in(&folder.join("grades"))
}

fn grades_in(grades: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(grades.join("grades.csv")).unwrap();
    let lines = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        [cells[0], cells[2], cells[3], cells[4]].join(" ")
    });
    lines.collect()
}

#[track_caller]
fn succeeds(output: &Output) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

const GRADE: &str = "check othello --class class --only only-h1";

#[test]
fn a_folder_of_programs_is_graded_and_graded_again_where_it_changed() {
    let programs = [("Anna Berg", RIGHT), ("=Bruno <b>", WRONG)];
    let folder = class("check-folder", &programs);
    let output = ludex(&folder, &format!("{GRADE} -j 2")).output().unwrap();
    succeeds(&output);
    let first = ["'=Bruno <b> fail 0.0 0", "Anna Berg pass 100.0 2"];
    assert_eq!(grades(&folder), first);
    let page = std::fs::read_to_string(folder.join("grades/_Bruno__b_.html")).unwrap();
    assert!(page.contains("=Bruno &lt;b&gt;"), "{page}");
    assert!(page.contains("the only legal move is h1 (7,0)"), "{page}");
    assert!(!page.contains("<b>") && !page.contains("<script"), "{page}");
    // Nothing is overwritten unless that is asked for.
    let again = ludex(&folder, GRADE).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    let again = ludex(&folder, &format!("{GRADE} --resume"))
        .output()
        .unwrap();
    succeeds(&again);
    let said = String::from_utf8(again.stdout).unwrap();
    assert!(
        said.starts_with("2 of 2 students graded: grades/grades.csv\n"),
        "{said}"
    );
    console::write_file(&folder.join("class/=Bruno <b>"), RIGHT);
    let again = ludex(&folder, &format!("{GRADE} --resume"))
        .output()
        .unwrap();
    succeeds(&again);
    let said = String::from_utf8(again.stdout).unwrap();
    assert!(
        said.starts_with("100.0 points,    2 of 2 cases: =Bruno"),
        "{said}"
    );
    assert_eq!(grades(&folder)[0], "'=Bruno <b> pass 100.0 2");
}

#[test]
fn programs_are_built_in_a_copy_of_their_folder() {
    let folder = class(
        "check-build",
        &[
            ("anna/make.sh", "cp source othello && chmod +x othello\n"),
            ("anna/source", RIGHT),
            ("bruno/make.sh", "echo no compiler >&2; exit 3\n"),
            ("clara/make.sh", "true\n"),
        ],
    );
    let command = format!("{GRADE} --build \"sh make.sh\"");
    succeeds(&ludex(&folder, &command).output().unwrap());
    assert_eq!(
        grades(&folder),
        [
            "anna pass 100.0 2",
            "bruno build failed: exit status 3 0.0 0",
            "clara fail 0.0 0",
        ]
    );
    let page = std::fs::read_to_string(folder.join("grades/bruno.html")).unwrap();
    assert!(page.contains("no compiler"), "{page}");
    assert!(!folder.join("class/anna/othello").exists());
}

/// A compiler that is not there says nothing about the hand-in, which is built once it is.
#[test]
fn who_was_not_graded_is_graded_by_the_next_go() {
    let folder = class("check-missing", &[("anna/othello", RIGHT)]);
    let command = format!("{GRADE} --build ./bin/make --resume");
    std::fs::create_dir(folder.join("bin")).unwrap();
    let tool = folder.join("bin/make").display().to_string();
    let command = command.replace("./bin/make", &tool);
    let output = ludex(&folder, &command).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let graded = grades(&folder);
    let what = "anna not graded: the machine could not start a program";
    assert!(graded[0].starts_with(what), "{graded:?}");
    console::write_file(&folder.join("bin/make"), "#!/bin/sh\n");
    succeeds(&ludex(&folder, &command).output().unwrap());
    assert_eq!(grades(&folder), ["anna pass 100.0 2"]);
}

#[test]
fn rosters_name_students_programs_and_folders() {
    let folder = class("check-roster", &[("a b/othello", RIGHT), ("wrong", WRONG)]);
    let roster = "name,folder,program\nAnna,class/a b,\nBruno,,./class/wrong\n";
    std::fs::write(folder.join("roster.csv"), roster).unwrap();
    let command = "check othello --class roster.csv --only only-h1";
    succeeds(&ludex(&folder, command).output().unwrap());
    assert_eq!(grades(&folder), ["Anna pass 100.0 2", "Bruno fail 0.0 0"]);
}

/// The teacher's own solution lies in the working folder, and nobody is graded by it: not who
/// hands in nothing, nor who hands in a link to it, in a folder or as a program.
#[test]
fn nobody_is_graded_by_the_program_of_another() {
    let folder = class(
        "check-others",
        &[("anna/othello", RIGHT), ("bruno/notes", "")],
    );
    console::write_file(&folder.join("othello"), RIGHT);
    let link = |to: PathBuf, name: &str| {
        let name = folder.join("class").join(name);
        std::fs::create_dir_all(name.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, name).unwrap();
    };
    link(folder.join("othello"), "clara/othello");
    link("../../othello".into(), "dora/othello");
    link("../anna/othello".into(), "emil/othello");
    link(folder.join("othello"), "fritz");
    link(folder.join("class/anna"), "gerda");
    for walls in ["namespaces", "bwrap", "landlock", "none"] {
        let command = format!("{GRADE} --isolation {walls} --out {walls}");
        let output = ludex(&folder, &command).output().unwrap();
        if output.status.code() == Some(2) {
            println!("skipped: {}", String::from_utf8_lossy(&output.stderr));
            continue;
        }
        succeeds(&output);
        assert_eq!(
            grades_in(&folder.join(walls)),
            [
                "anna pass 100.0 2",
                "bruno fail 0.0 0",
                "clara fail 0.0 0",
                "dora fail 0.0 0",
                "emil fail 0.0 0",
            ],
            "{walls}"
        );
        let said = String::from_utf8_lossy(&output.stderr);
        for name in ["fritz", "gerda"] {
            let note = format!("note: class/{name} is a link and is not followed");
            assert!(said.contains(&note), "{said}");
        }
    }
}

/// What one student has handed in keeps nobody else from a grade: a pipe that would never be
/// read, folders without end, a file larger than the disk.
#[test]
fn a_class_is_graded_whatever_one_hands_in() {
    let programs = [("anna/othello", RIGHT), ("zora/othello", WRONG)];
    let folder = class("check-odd", &programs);
    let class = folder.join("class");
    for name in ["bruno", "clara", "dora"] {
        std::fs::create_dir(class.join(name)).unwrap();
    }
    let made = Command::new("mkfifo")
        .arg(class.join("bruno/othello"))
        .status();
    assert!(made.unwrap().success());
    let deep = class.join("clara").join(["x"; 100].join("/"));
    std::fs::create_dir_all(deep).unwrap();
    let large = std::fs::File::create(class.join("dora/othello")).unwrap();
    large.set_len(1 << 40).unwrap();
    console::write_file(&class.join(".emil"), RIGHT);
    let output = ludex(&folder, GRADE).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    for line in [
        "note: class/.emil is hidden and left out; a roster can name it",
        "3 not graded; bruno: class/bruno: othello: a pipe cannot be copied",
    ] {
        assert!(said.contains(line), "{said}");
    }
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("2 of 5 students graded"), "{said}");
    let found = grades(&folder);
    let expected = [
        "anna pass",
        "bruno not graded",
        "clara not",
        "dora not",
        "zora fail",
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
    assert_eq!(found.len(), expected.len());
}

/// Of a rule three cases are waited for, the others are left out.
#[test]
fn a_program_that_hangs_is_given_up() {
    let folder = class("check-hangs", &[("hangs", HANGS)]);
    let command = "check othello class/hangs --only line- --time 50ms --json";
    let output = ludex(&folder, command).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let reports: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let cases = reports[0]["cases"].as_array().unwrap();
    let told = |text: &str| {
        let says = |case: &&serde_json::Value| {
            let what = case["failure"]["what"].as_str();
            what.is_some_and(|what| what.starts_with(text))
        };
        cases.iter().filter(says).count()
    };
    assert_eq!(told("wall time"), 3);
    assert_eq!(told("not tried"), cases.len() - 3);
    assert!(cases.len() > 90, "{}", cases.len());
}

#[test]
fn an_interrupt_keeps_the_grades_so_far() {
    let folder = class("check-stopped", &[("anna", RIGHT), ("bruno", HANGS)]);
    let command = format!("{GRADE} --time 600 --patience 0");
    let child = ludex(&folder, &command).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    while !folder.join("grades/results/anna.json").exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    // Until then nobody else writes grades there.
    let second = ludex(&folder, &format!("{GRADE} --resume")).output();
    let second = second.unwrap();
    assert_eq!(
        String::from_utf8(second.stderr).unwrap(),
        "ludex: grades: another process is working on it\n"
    );
    assert_eq!(second.status.code(), Some(1));
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        errors,
        "ludex: stopped; the same command with --resume goes on\n"
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(grades(&folder), ["anna pass 100.0 2"]);
}

/// A lost game becomes a test: games are played, their mistakes found and written to a file, and a
/// program passes if it plays a move that keeps the value.
#[test]
fn mistakes_of_games_are_a_test_of_programs() {
    let folder = console::scratch("mistakes");
    // Few squares are empty, so that everything is proven soon.
    let late = "X-O-XOOOOXOXOOO---XOOOOOOOOOOOOOXOXOXOOO-OXXOOOOO-XOXOO--OXXXXOX O";
    let cup = format!(
        "name = \"Cup\"\ngame = \"reversi\"\nseed = 5\nopenings = {{ positions = [\"{late}\"] }}\n\
         [[player]]\nbot = \"random\"\n[[player]]\nbot = \"greedy\"\n"
    );
    std::fs::write(folder.join("cup.toml"), cup).unwrap();
    for command in [
        "tournament run cup.toml --db cup.db -j 1",
        "review --tournament cup --db cup.db --time 60 --priority normal --player random --opponents --export suite.txt",
    ] {
        succeeds(&ludex(&folder, command).output().unwrap());
    }
    let suite = std::fs::read_to_string(folder.join("suite.txt")).unwrap();
    let mut lines = suite.lines();
    let (game, about) = (lines.next().unwrap(), lines.next().unwrap());
    let case = lines.next().expect("a mistake of weak players");
    std::fs::write(folder.join("one.txt"), format!("{game}\n{about}\n{case}\n")).unwrap();
    let cells: Vec<&str> = case.split('\t').collect();
    let kept = cells[2].split(';').next().unwrap();
    let played = cells[4].split("played ").nth(1).unwrap();
    for (name, mv) in [("right", kept), ("wrong", played)] {
        let [column, row] = *mv.as_bytes() else {
            panic!("{mv} is no square");
        };
        let program = format!("#!/bin/sh\necho {},{}\n", column - b'a', row - b'1');
        console::write_file(&folder.join(name), &program);
    }
    let check = |program: &str| {
        let command = format!("check othello {program} --positions one.txt");
        let output = ludex(&folder, &command).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text)
    };
    let (code, text) = check("./right");
    assert!(
        code == Some(0) && text.contains("1 of 1 positions pass"),
        "{text}"
    );
    let (code, text) = check("./wrong");
    assert!(
        code == Some(1) && text.contains("0 of 1 positions pass"),
        "{text}"
    );
    assert!(text.contains(&format!("played {played}; ")), "{text}");
    let (code, text) = check("bot:best:200ms");
    assert!(code == Some(0), "{text}");
}
