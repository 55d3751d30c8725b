//! Commands where memory is short, what is typed is no text, and programs write what they like.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::console;

/// Runs a line of a shell in which `ludex` is found.
fn shell(name: &str, line: &str, input: &[u8]) -> Output {
    let mut child = Command::new("sh")
        .args(["-c", line])
        .current_dir(console::scratch(name))
        .env("PATH", console::search_path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input has closed it: that is its right.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

#[test]
fn too_much_memory_is_refused() {
    for command in [
        "ludex solve othello f5d6 --depth 1 --hash 6G",
        "ludex engine othello --protocol gtp --hash 6G",
        "ludex solve mmpawns start --memory 6G",
    ] {
        let line = format!("ulimit -v 4000000 && exec {command}");
        let output = shell("memory", &line, b"");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
        assert!(errors.contains("6G") && errors.contains("memory to give"));
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}

/// What was played is shown, and then why it cannot go on.
#[test]
fn a_tournament_that_cannot_go_on_shows_what_was_played() {
    // A program that comes with the machine, until it is gone.
    let line = r#"
        mkdir -m 777 tools && mkdir bots && touch bots/bot.x && export PATH="$PWD/tools:$PATH"
        printf '#!/bin/sh\nrm -f "$0"; echo nonsense\n' > tools/tool && chmod +x tools/tool
        cat > cup.toml && ludex tournament run cup.toml -j 1 --html cup.html; status=$?
        test -s cup.html && exit $status"#;
    let cup = r#"
        name = "Cup"
        game = "othello"
        isolation = "none"
        [[player]]
        bot = "minimax:2"
        [[player]]
        bot = "random"
        [[player]]
        name = "gone"
        kind = "argv"
        command = "tool bot.x"
        folder = "bots""#;
    let output = shell("cannot-go-on", line, cup.as_bytes());
    let errors = String::from_utf8(output.stderr).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.starts_with("ludex: game cup-") && errors.contains("tool: no such program"),
        "{errors}"
    );
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(
        said.contains("2 of 6 games") && said.contains("1 ┆ minimax:2 ┆      2 ┆"),
        "{said}"
    );
}

#[test]
fn input_without_end_is_refused() {
    for (command, place, most) in [
        ("moves reversi -", "standard input", 256),
        ("analyse othello -", "standard input", 256),
        ("solve mmpawns -", "standard input", 256),
        ("tournament run /dev/zero", "/dev/zero", 256),
        ("library import /dev/zero", "/dev/zero", 512),
        ("book query f5 --book /dev/zero", "/dev/zero", 512),
        ("check othello --class /dev/zero", "/dev/zero", 256),
        ("check reversi ./x --positions /dev/zero", "/dev/zero", 256),
        (
            "course invite /dev/zero --course games101",
            "/dev/zero",
            256,
        ),
    ] {
        let line = format!(
            "ludex course new games101 > new && \
             ulimit -v 4000000 && exec ludex {command} < /dev/zero"
        );
        let output = shell("endless", &line, b"");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors, format!("ludex: {place}: larger than {most} MB\n"));
        assert_eq!(output.status.code(), Some(2), "{command}");
    }
}

/// What was read is repeated where it is wrong, but not all of it.
#[test]
fn messages_stay_short_however_long_the_input_is() {
    let word = "A".repeat(5000);
    let words = "A b ".repeat(2000);
    for junk in [&word, &words] {
        for (command, file) in [
            ("replay x", format!("{{\"{junk}\": 1}}")),
            ("review x", format!("f5d6{junk}")),
            (
                "analyse othello x",
                format!("(;GM[Othello]PC[x]B[{junk}];)"),
            ),
            ("solve mmpawns x", format!("{junk}\n{junk}\n")),
            (
                "tournament run x",
                format!("{} = 1\n", junk.replace(' ', "_")),
            ),
            ("restore x y", junk.clone()),
            (&format!("moves reversi '{junk}'"), String::new()),
            (
                &format!("draw reversi '--{}'", junk.replace(' ', "")),
                String::new(),
            ),
        ] {
            let line = format!("cat > x; ludex {command}");
            let output = shell("junk", &line, file.as_bytes());
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
            assert!(errors.chars().count() < 1100, "{command}: {errors}");
            assert_eq!(errors.lines().count(), 1, "{command}: {errors}");
        }
    }
}

/// A picture for which there is no room leaves the one before it as it was.
#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let line = "ludex draw reversi --svg x.svg && cp x.svg y.svg && trap '' XFSZ && ulimit -S -f 0 && \
                ludex draw reversi --svg x.svg; echo $? && cmp x.svg y.svg && ls";
    let output = shell("no-room", line, b"");
    let errors = String::from_utf8(output.stderr).unwrap();
    let seen = String::from_utf8(output.stdout).unwrap();
    assert_eq!(seen, "2\nx.svg\ny.svg\n", "{errors}");
    assert!(
        errors.starts_with("ludex: x.svg: File too large"),
        "{errors}"
    );
}

/// A slip of the keyboard is no move, and the game goes on.
#[test]
fn what_is_no_text_does_not_end_a_game() {
    let play = "ludex play reversi --first human --second human";
    let output = shell("no-text", play, b"\xff\xfe\nd3\n");
    assert!(output.status.success(), "{output:?}");
    let seen = String::from_utf8(output.stdout).unwrap();
    assert!(seen.contains("is not a move"), "{seen}");
    assert!(seen.contains("Black 4, White 1"), "{seen}");
}

/// What a program writes is shown, but no terminal obeys it.
#[test]
fn programs_cannot_reach_the_terminal() {
    let line = "printf '#!/bin/sh\\nprintf \"\\\\033[2J\\\\007owned\" | tee /dev/stderr\\n' > sly && chmod +x sly; \
                ludex check othello ./sly --only start --isolation none; \
                ludex tester ./sly --games games --isolation none; \
                ludex replay games/1.json --move 1 --isolation none";
    let output = shell("sly", line, b"");
    let seen = String::from_utf8(output.stdout).unwrap();
    assert!(seen.contains("stderr: \u{fffd}[2J\u{fffd}owned"), "{seen}");
    assert!(
        seen.contains("answer\n  \u{fffd}[2J\u{fffd}owned"),
        "{seen}"
    );
    assert!(!seen.contains(['\u{1b}', '\u{7}']), "{seen}");
}

/// Cases have the same names for all programs, and none of them is overwritten.
#[test]
fn failed_cases_of_several_programs_are_kept_apart() {
    let line = "printf '#!/bin/sh\\necho 0,0\\n' > one; printf '#!/bin/sh\\necho 7,7\\n' > two; \
                chmod +x one two; \
                ludex check othello ./one ./two --only start-black --save failed --isolation none; \
                cat failed/1-one/start-black.actual failed/2-two/start-black.actual >&2; \
                ludex check othello ./one --only start-black --save failed --isolation none; \
                cat failed/start-black.actual >&2";
    let output = shell("several", line, b"");
    let seen = String::from_utf8(output.stderr).unwrap();
    let kept: Vec<&str> = seen.lines().filter(|line| line.contains(',')).collect();
    assert_eq!(kept, ["0,0", "7,7", "0,0"], "{seen}");
}

/// Every command has its page.
#[test]
fn manual_pages_are_written() {
    let folder = console::scratch("pages");
    let output = shell("pages", "ludex man .", b"");
    assert!(output.status.success(), "{output:?}");
    for (page, part) in [
        ("ludex.1", "ludex\\-play(1)"),
        ("ludex-solve-gipf.1", "Threads"),
    ] {
        let text = std::fs::read_to_string(folder.join(page)).expect(page);
        assert!(text.contains(part), "{page}: {text}");
    }
}
