//! Every fault, its verdict, and nothing left behind.

use std::fs;
use std::path::PathBuf;

use referee::{Cost, Ending, GameSetup, IsolationMode, Kind, Penalties, Score, Seconds, Size};

use crate::table::{
    BOTH, faulty, first_verdict, folder_with, lives, othello, pawns, play, seconds_over, setup,
};

#[track_caller]
fn check_othello(mode: &str, expected: &str) {
    for isolation in BOTH {
        let player = referee::PlayerSpec {
            folder: Some(folder_with("othello", "notes.txt", "mine")),
            ..faulty(Kind::Argv, mode)
        };
        let setup = GameSetup {
            longest: 1,
            ..othello(&player, isolation)
        };
        let verdict = first_verdict(&setup);
        assert!(
            verdict.starts_with(expected),
            "{mode} under {isolation}: {verdict}"
        );
    }
}

#[track_caller]
fn check_pawns(mode: &str, expected: &str) {
    for isolation in BOTH {
        let player = referee::PlayerSpec {
            folder: Some(folder_with(
                &format!("{mode}-{isolation}"),
                "notes.txt",
                "mine",
            )),
            ..faulty(Kind::Matrix, mode)
        };
        let record = play(&pawns(&player, isolation));
        let verdict = record.moves[0].verdict.to_string();
        assert_eq!(verdict, expected, "{mode} under {isolation}");
        assert_eq!(record.score, Score::Second, "a false move loses the game");
        assert!(matches!(record.ending, Ending::Fault { .. }));
    }
}

#[test]
fn crashes() {
    check_othello("crash-at-start", "killed by SIGSEGV");
    check_othello("crash-in-move", "killed by SIGSEGV");
    check_othello("abort", "killed by SIGABRT");
    check_othello("exit-3", "exit status 3");
    // `bwrap` stands between, and must not show.
    for (mode, expected) in [
        ("crash-at-start", "killed by SIGSEGV"),
        ("exit-3", "exit status 3"),
    ] {
        let setup = othello(&faulty(Kind::Argv, mode), IsolationMode::Bwrap);
        match referee::play_game(&setup, &mut |_| (), &Default::default()) {
            Ok(record) => assert_eq!(record.moves[0].verdict.to_string(), expected),
            Err(error) => println!("skipped: {error}"),
        }
    }
}

#[test]
fn answers_that_are_none() {
    check_othello("silent", "no output");
    check_othello("garbage", "unreadable answer \"I think c4 is nice\\n\"");
    check_othello("binary", "unreadable answer");
    check_othello("illegal", "illegal move a1 (not adjacent to a white disc)");
    check_othello("flood", "output over 64 KB");
}

/// A program may answer as much as its limit lets it; verdicts, and with them logs and records,
/// show the beginning.
#[test]
fn long_answers_are_shown_by_their_beginning() {
    let beginning = "x".repeat(80);
    for (kind, mode, expected) in [
        (Kind::Argv, "long", "unreadable answer \"X…\""),
        (Kind::Gtp, "gtp-long-move", "unreadable answer \"X…\""),
        (
            Kind::Gtp,
            "gtp-long-refusal",
            "protocol: genmove black was answered \"X…\"",
        ),
        (
            Kind::Nboard,
            "nboard-long",
            "protocol: go was answered \"=== /",
        ),
        (Kind::Line, "line-long", "unreadable answer \"X…\""),
    ] {
        let player = faulty(kind, mode);
        let mut setup = othello(&player, IsolationMode::Auto);
        if kind == Kind::Line {
            setup.start = games::AnyPosition::start(games::GIPF_STANDARD);
        }
        setup.penalties.cost = Cost::Game;
        setup.longest = 1;
        let record = play(&setup);
        let turn = &record.moves[0];
        let verdict = turn.verdict.to_string();
        let expected = expected.replace('X', &beginning);
        assert!(verdict.starts_with(&expected), "{mode}: {verdict}");
        let whole = serde_json::to_string(&record).unwrap();
        assert!(whole.len() < 16 << 10, "{mode}: {} bytes", whole.len());
    }
}

/// However soon the program ends, and whenever the referee looks.
#[test]
fn too_much_is_too_much_in_every_run() {
    let player = faulty(Kind::Argv, "garbage");
    for isolation in BOTH {
        let mut setup = othello(&player, isolation);
        setup.limits.output = Some(Size(10));
        for _ in 0..20 {
            assert_eq!(first_verdict(&setup), "output over 10 bytes");
        }
    }
}

#[test]
fn late_answers() {
    for mode in ["hang", "ignore-term", "late", "spin"] {
        for isolation in BOTH {
            let mut setup = othello(&faulty(Kind::Argv, mode), isolation);
            setup.longest = 1;
            setup.limits.wall = Some(Seconds::from_secs(1));
            let seconds = seconds_over(&first_verdict(&setup), "1.000");
            assert!((1.0..60.0).contains(&seconds), "{mode}: {seconds}");
        }
    }
}

#[test]
fn processor_time_is_limited() {
    for isolation in BOTH {
        let player = faulty(Kind::Argv, "spin");
        let mut setup = othello(&player, isolation);
        setup.longest = 1;
        setup.limits.cpu = Some(Seconds::from_millis(200));
        let verdict = first_verdict(&setup);
        assert!(verdict.starts_with("processor time "), "{verdict}");
    }
}

#[test]
fn errors_are_kept_up_to_a_bound() {
    let player = faulty(Kind::Argv, "flood-errors");
    let record = play(&othello(&player, IsolationMode::Auto));
    let stderr = &record.moves[0].stderr;
    assert!(record.moves[0].verdict.is_ok());
    assert_eq!(stderr.bytes.len(), 16 << 10);
    assert_eq!(stderr.bytes.len() as u64 + stderr.omitted, 200 * 4096);
    let player = faulty(Kind::Argv, "exit-3");
    let record = play(&othello(&player, IsolationMode::Auto));
    assert_eq!(record.moves[0].stderr.text(), "cannot find my book\n");
}

#[test]
fn processes_die_with_the_move() {
    // `play` itself checks that nobody is left.
    check_othello("orphan", "ok");
    check_othello("fork-bomb", "more than 32 processes");
}

#[test]
fn memory_is_limited() {
    for isolation in BOTH {
        for mode in ["memory", "huge-allocation"] {
            let player = faulty(Kind::Argv, mode);
            let mut setup = othello(&player, isolation);
            setup.longest = 1;
            setup.limits.memory = Some(Size::mb(200));
            let record = play(&setup);
            let verdict = record.moves[0].verdict.to_string();
            assert_eq!(
                verdict, "out of memory (limit 200 MB)",
                "{mode} under {isolation}"
            );
            if mode == "memory" {
                assert!(
                    record.moves[0].memory > Size::mb(100),
                    "{:?}",
                    record.moves[0].memory
                );
            }
        }
    }
}

#[test]
fn the_disk_is_not_filled() {
    for isolation in BOTH {
        for (mode, expected) in [
            ("big-file", "file larger than 16 MB"),
            ("many-files", "disk use"),
        ] {
            let player = faulty(Kind::Argv, mode);
            let mut setup = othello(&player, isolation);
            setup.longest = 1;
            let verdict = first_verdict(&setup);
            assert!(
                verdict.starts_with(expected),
                "{mode} under {isolation}: {verdict}"
            );
        }
    }
}

#[test]
fn only_the_matrix_may_change() {
    check_pawns("new-file", "created plan.txt");
    check_pawns("changed-file", "changed notes.txt");
    check_pawns("removed-file", "removed notes.txt");
    check_pawns("removed-matrix", "removed matrix.txt");
    check_pawns("link", "matrix.txt:1: not a plain file any more");
}

#[test]
fn every_false_byte_of_the_matrix_is_found() {
    check_pawns(
        "other-time",
        "matrix.txt:3: the opponent's line was \"0 30.00\", is \"0 1.00\"",
    );
    let player = faulty(Kind::Matrix, "own-time");
    let verdict = first_verdict(&pawns(&player, IsolationMode::Auto));
    assert!(
        verdict.starts_with("matrix.txt:2: own time 99, should be "),
        "{verdict}"
    );
    check_pawns("score", "matrix.txt:2: the score was 0, is 5");
    check_pawns("claim", "matrix.txt:1: claims A, the truth is U");
    check_pawns("unchanged", "matrix.txt:1: the file was not changed");
    check_pawns("number", "matrix.txt:1: ply number 56, not 2");
    check_pawns("crash", "killed by SIGSEGV");
}

#[test]
fn false_boards_are_found() {
    for (mode, expected) in [
        ("piece", "no legal move does that"),
        ("field", "no legal move"),
    ] {
        let player = faulty(Kind::Matrix, mode);
        let record = play(&pawns(&player, IsolationMode::Auto));
        let verdict = record.moves[0].verdict.to_string();
        assert!(verdict.contains(expected), "{mode}: {verdict}");
        assert_eq!(record.score, Score::Second);
    }
    let player = faulty(Kind::Matrix, "garbage");
    let record = play(&pawns(&player, IsolationMode::Auto));
    assert_eq!(record.moves[0].verdict.kind(), "false-file");
}

#[test]
fn other_files_are_found_in_every_game() {
    check_othello("new-file", "created plan.txt");
    check_othello("changed-file", "changed notes.txt");
    for isolation in BOTH {
        let mut player = faulty(Kind::Stdin, "gipf-and-file");
        player.limits.wall = Some(Seconds::from_secs(60));
        let start = games::AnyPosition::start(games::GIPF);
        let mut setup = setup(start, [player, "random".parse().unwrap()]);
        setup.isolation = isolation;
        assert_eq!(first_verdict(&setup), "created plan.txt");
    }
}

#[test]
fn a_removed_folder_does_no_harm() {
    // Behind walls, or with a user of its own, a program cannot remove the folder itself.
    let kept = is_root();
    for (isolation, with_file, expected) in [
        (IsolationMode::Namespaces, false, "ok"),
        (IsolationMode::Namespaces, true, "removed notes.txt"),
        (
            IsolationMode::None,
            false,
            if kept { "ok" } else { "removed its folder" },
        ),
        (
            IsolationMode::None,
            true,
            if kept {
                "removed notes.txt"
            } else {
                "removed its folder"
            },
        ),
    ] {
        let mut player = faulty(Kind::Argv, "remove-folder");
        if with_file {
            player.folder = Some(folder_with("removed", "notes.txt", "mine"));
        }
        let setup = othello(&player, isolation);
        match referee::play_game(&setup, &mut |_| (), &Default::default()) {
            Ok(record) => {
                assert_eq!(record.moves[0].verdict.to_string(), expected, "{isolation}");
                // It is asked again, and has a folder again.
                assert_ne!(record.moves[2].verdict.kind(), "cannot-start");
            }
            Err(error) => println!("skipped: {error}"),
        }
    }
}

#[test]
fn the_network_is_closed() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let player = referee::PlayerSpec {
        folder: Some(folder_with("socket", "port", &port)),
        ..faulty(Kind::Argv, "socket")
    };
    for isolation in [
        IsolationMode::Namespaces,
        IsolationMode::Bwrap,
        IsolationMode::Landlock,
    ] {
        let setup = othello(&player, isolation);
        let Ok(record) = referee::play_game(&setup, &mut |_| (), &Default::default()) else {
            println!("skipped: no {isolation}");
            continue;
        };
        let said = record.moves[0].stderr.text().into_owned();
        assert!(said.starts_with("refused"), "{isolation}: {said}");
    }
}

#[test]
fn nobody_outside_is_hurt() {
    for isolation in [
        IsolationMode::Namespaces,
        IsolationMode::Landlock,
        IsolationMode::None,
    ] {
        let player = referee::PlayerSpec {
            folder: Some(folder_with(
                "kill",
                "referee",
                &std::process::id().to_string(),
            )),
            ..faulty(Kind::Argv, "kill-parent")
        };
        for mode in ["kill-parent", "kill-referee"] {
            let mut player = player.clone();
            player.command.0[1] = mode.into();
            let setup = othello(&player, isolation);
            match referee::play_game(&setup, &mut |_| (), &Default::default()) {
                Ok(record) => assert!(record.moves[0].verdict.is_ok(), "{:#?}", record.moves[0]),
                Err(error) => println!("skipped: {error}"),
            }
            assert!(!lives(&player));
        }
    }
}

#[test]
fn other_folders_and_the_system_are_out_of_reach() {
    let secret = folder_with("secret", "secret.txt", "my plan");
    for isolation in [
        IsolationMode::Namespaces,
        IsolationMode::Bwrap,
        IsolationMode::Landlock,
    ] {
        for mode in ["read-opponent", "write-system"] {
            let player = faulty(Kind::Argv, mode);
            let mut setup = othello(&player, isolation);
            setup.players[1] = referee::PlayerSpec {
                folder: Some(secret.clone()),
                ..faulty(Kind::Argv, "honest")
            };
            match referee::play_game(&setup, &mut |_| (), &Default::default()) {
                Ok(record) => {
                    assert!(record.moves[0].verdict.is_ok(), "{:#?}", record.moves[0]);
                    assert_eq!(
                        record.moves[0].stderr.text(),
                        "",
                        "{mode} under {isolation}"
                    );
                }
                Err(error) => println!("skipped: {error}"),
            }
            for place in ["/tmp", "/var/tmp", "/dev/shm", "/usr", "/"] {
                let path = PathBuf::from(place).join(&player.command.0[2]);
                assert!(!path.exists(), "{} under {isolation}", path.display());
            }
        }
    }
}

#[test]
fn lost_turns_end_the_game_in_the_end() {
    let players = [faulty(Kind::Argv, "illegal"), faulty(Kind::Argv, "silent")];
    let mut setup = othello(&players[0], IsolationMode::Auto);
    setup.players = players;
    setup.longest = 100;
    let record = play(&setup);
    assert_eq!(record.ending, Ending::LostTurns { side: None });
    assert_eq!(record.score, Score::Draw);
    assert_eq!(record.moves.len(), 6, "three lost turns each");
}

/// Black can only pass, which is no lost turn.
#[test]
fn who_lost_all_turns_is_named() {
    let players = [faulty(Kind::Argv, "silent"), faulty(Kind::Argv, "illegal")];
    let mut setup = othello(&players[0], IsolationMode::Auto);
    setup.players = players;
    // Black has no move as long as White makes none.
    let board = "--------------------------------------------------------OX------ O";
    setup.start = games::AnyPosition::parse(games::REVERSI, board).unwrap();
    setup.longest = 100;
    let record = play(&setup);
    let text = "the second player kept losing its turns, the other could only pass";
    assert_eq!(record.ending.to_string(), text);
}

#[test]
fn three_tries_are_an_option() {
    let player = faulty(Kind::Argv, "illegal");
    let mut setup = othello(&player, IsolationMode::Auto);
    setup.longest = 2;
    setup.penalties = Penalties {
        tries: 3,
        ..setup.penalties
    };
    let record = play(&setup);
    let tries: Vec<u32> = record.moves.iter().map(|mv| mv.attempt).collect();
    assert_eq!(tries, [1, 2, 3, 1]);
    setup.penalties.cost = Cost::Game;
    let record = play(&setup);
    assert_eq!(record.moves.len(), 3);
    assert_eq!(record.score, Score::Second);
}

fn is_root() -> bool {
    let own = fs::metadata("/proc/self").unwrap();
    std::os::unix::fs::MetadataExt::uid(&own) == 0
}
