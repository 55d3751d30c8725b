//! Every fault, its verdict, and nothing left behind.

use std::fs;
use std::path::PathBuf;

use referee::{Cost, Ending, GameSetup, IsolationMode, Kind, Penalties, Score, Seconds, Size};

use crate::table::{faulty, first_verdict, lives, othello, pawns, play, setup};
use crate::waiting::wait_until;

const BOTH: [IsolationMode; 2] = [IsolationMode::Auto, IsolationMode::None];

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

/// A folder with one file, to be copied into the player's own.
fn folder_with(name: &str, file: &str, content: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(file), content).unwrap();
    folder
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

/// A process that another thread starts inherits what is being written, and holds it open until
/// it executes its own program: the file of a program that was just copied may be busy for a moment.
#[test]
fn a_file_that_is_busy_for_a_moment_is_waited_for() {
    for isolation in BOTH {
        let folder = folder_with(&format!("busy-{isolation}"), "notes.txt", "mine");
        let program = folder.join("program");
        let mut player = faulty(Kind::Argv, "exit-3");
        fs::copy(&player.command.0[0], &program).unwrap();
        player.command.0[0] = program.to_str().unwrap().into();
        let held = fs::OpenOptions::new().append(true).open(&program).unwrap();
        let setup = GameSetup {
            longest: 1,
            ..othello(&player, isolation)
        };
        let verdict = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(20));
                drop(held);
            });
            first_verdict(&setup)
        });
        assert_eq!(verdict, "exit status 3", "under {isolation}");
    }
}

/// Every game copies its program's folder, and starts programs while others are copied.
#[test]
fn programs_that_are_copied_at_the_same_time_are_never_busy() {
    let folder = folder_with("copied", "notes.txt", "mine");
    let mut player = faulty(Kind::Argv, "exit-3");
    fs::copy(&player.command.0[0], folder.join("program")).unwrap();
    player.command.0[0] = "./program".into();
    player.folder = Some(folder);
    std::thread::scope(|scope| {
        for isolation in [IsolationMode::Bwrap, IsolationMode::None].repeat(2) {
            let setup = GameSetup {
                longest: 1,
                ..othello(&player, isolation)
            };
            scope.spawn(move || {
                for _ in 0..10 {
                    match referee::play_game(&setup, &mut |_| (), &Default::default()) {
                        Ok(record) => {
                            let verdict = record.moves[0].verdict.to_string();
                            assert_eq!(verdict, "exit status 3", "under {isolation}");
                        }
                        Err(error) => return println!("skipped: {error}"),
                    }
                }
            });
        }
    });
}

/// Engines that compute all the time, in threads, in children, and in children that wake each
/// other, are halted and go on.
#[test]
fn engines_rest_while_their_opponent_is_to_move() {
    for mode in ["gtp-ponder", "gtp-ponder-children", "gtp-ponder-wakers"] {
        for isolation in BOTH {
            let mut setup = othello(&faulty(Kind::Gtp, mode), isolation);
            setup.players[1] = faulty(Kind::Gtp, "gtp-slow");
            let record = play(&setup);
            match record.ending {
                Ending::TooLong { .. } => assert_eq!(record.moves.len(), 6, "{mode}"),
                // The one thing that an engine can do is wake others before they are halted.
                Ending::Fault { side, verdict } if mode == "gtp-ponder-wakers" => {
                    assert_eq!(side, rules::Side::First.into());
                    assert!(
                        verdict.to_string().contains("went on computing"),
                        "{verdict}"
                    );
                }
                ending => panic!("{mode} under {isolation}: {ending:?}"),
            }
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

/// The seconds of a verdict about time. How long after the limit the referee gets a processor to
/// see it, and whether the program got one before, no test can say.
#[track_caller]
fn seconds_over(verdict: &str, limit: &str) -> f64 {
    let seconds = verdict.strip_prefix("wall time ");
    let seconds = seconds.and_then(|rest| rest.split_once(&format!(" s over {limit} s")));
    let seconds = seconds.and_then(|(text, _)| text.parse().ok());
    seconds.unwrap_or_else(|| panic!("{verdict}"))
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
fn engines_can_fail_too() {
    for (mode, expected) in [
        ("gtp-liar", "illegal move a1"),
        ("crash-at-start", "killed by SIGSEGV"),
        ("silent", "protocol: the engine ended without an answer"),
    ] {
        let player = faulty(Kind::Gtp, mode);
        let setup = GameSetup {
            longest: 1,
            ..othello(&player, IsolationMode::Auto)
        };
        let verdict = first_verdict(&setup);
        assert!(verdict.starts_with(expected), "{mode}: {verdict}");
    }
}

/// What it computes before it is asked for a move is on its clock, too.
#[test]
fn an_engine_that_fails_before_it_is_asked_is_billed() {
    let setup = GameSetup {
        longest: 1,
        ..othello(&faulty(Kind::Gtp, "gtp-sulky"), IsolationMode::Auto)
    };
    let turn = &play(&setup).moves[0];
    assert_eq!(
        turn.verdict.to_string(),
        "protocol: clear_board was answered \"? no\""
    );
    assert!(turn.cpu >= Seconds::from_millis(200), "{}", turn.cpu);
    assert!(turn.wall >= Seconds::from_millis(200), "{}", turn.wall);
}

/// An engine that gave no move has its board set up anew.
#[test]
fn an_engine_that_refuses_once_plays_on() {
    let record = play(&othello(
        &faulty(Kind::Gtp, "gtp-moody"),
        IsolationMode::Auto,
    ));
    let own = record.moves.iter().step_by(2);
    let kinds: Vec<&str> = own.map(|turn| turn.verdict.kind()).collect();
    assert_eq!(kinds, ["legal", "protocol", "legal"]);
}

#[test]
fn an_engine_that_chatters_is_stopped() {
    let setup = GameSetup {
        longest: 1,
        ..othello(&faulty(Kind::Nboard, "nboard-chatter"), IsolationMode::Auto)
    };
    assert_eq!(first_verdict(&setup), "output over 64 KB");
}

#[test]
fn an_engine_that_says_nothing_is_out_of_time() {
    let setup = GameSetup {
        longest: 1,
        ..othello(&faulty(Kind::Gtp, "gtp-mute"), IsolationMode::Auto)
    };
    let seconds = seconds_over(&first_verdict(&setup), "10.000");
    assert!((10.0..60.0).contains(&seconds), "{seconds}");
}

#[test]
fn programs_that_are_not_there() {
    let mut player = faulty(Kind::Argv, "honest");
    player.command.0[0] = "./no/such/program".into();
    let verdict = first_verdict(&othello(&player, IsolationMode::Auto));
    assert_eq!(verdict, "cannot start: ./no/such/program: no such program");
    let text = folder_with("text", "text", "not a program");
    player.command.0[0] = text.join("text").display().to_string();
    let verdict = first_verdict(&othello(&player, IsolationMode::Auto));
    assert!(
        verdict.starts_with("cannot start: Permission denied"),
        "{verdict}"
    );
}

/// `bwrap` stands between: what it could not start never ran, whatever its own status.
#[test]
fn what_bwrap_does_not_start_has_no_status() {
    let text = folder_with("text", "text", "not a program");
    let mut player = faulty(Kind::Argv, "honest");
    player.command.0[0] = text.join("text").display().to_string();
    for (folder, expected) in [(None, "cannot-start"), (Some(text), "not-started")] {
        player.folder = folder;
        let setup = othello(&player, IsolationMode::Bwrap);
        match referee::play_game(&setup, &mut |_| (), &Default::default()) {
            Ok(record) => {
                let verdict = &record.moves[0].verdict;
                assert_eq!(verdict.kind(), expected, "{verdict}");
                assert!(
                    verdict.to_string().contains("Permission denied"),
                    "{verdict}"
                );
            }
            Err(error) => println!("skipped: {error}"),
        }
    }
}

/// The player's folder says that the program comes with the machine.
#[test]
fn an_interpreter_that_is_not_installed_is_no_fault_of_the_program() {
    let folder = folder_with("interpreted", "bot.x", "");
    let mut player = faulty(Kind::Argv, "honest");
    player.command.0 = ["no-such-interpreter", "bot.x", "token"]
        .map(String::from)
        .into();
    player.folder = Some(folder);
    let record = play(&othello(&player, IsolationMode::Auto));
    let what = "no result: the machine could not start a program: \
                no-such-interpreter: no such program";
    assert_eq!(record.ending.to_string(), what);
    assert_eq!(record.score, Score::None);
    assert_eq!(record.faults(rules::Side::First).count(), 0);
}

/// A referee that can open no more files judges nobody.
#[test]
fn nobody_is_blamed_for_a_machine_that_starts_nothing() {
    let program = &faulty(Kind::Argv, "honest").command.0[0];
    let mut command = std::process::Command::new(program);
    let said = command.arg("starved-referee").output().unwrap();
    let text = String::from_utf8_lossy(&said.stdout);
    let errors = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{errors}");
    let reason = "the machine could not start a program: Too many open files (os error 24)";
    let game = format!("no result: {reason}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines, [&game, &game, reason].repeat(2), "{errors}");
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

#[test]
fn a_killed_referee_leaves_nothing_behind() {
    for walls in [
        IsolationMode::Namespaces,
        IsolationMode::Bwrap,
        IsolationMode::Landlock,
        IsolationMode::None,
    ] {
        match referee::survey(walls) {
            Ok(_) => check_killed_referee(&walls.to_string()),
            Err(error) => println!("skipped: {error}"),
        }
    }
}

#[track_caller]
fn check_killed_referee(walls: &str) {
    let hanging = faulty(Kind::Argv, "orphan-and-hang");
    let [program, mode, token] = &hanging.command.0[..] else {
        unreachable!("three words")
    };
    // The referee and its supervisors have the first of these tokens, the program the other one.
    let own = format!("own-{token}");
    let referee = |mode: &str, token: &str| {
        let mut command = std::process::Command::new(program);
        command.args(["referee", &own, mode, token, walls]);
        command.spawn().unwrap()
    };
    let mut killed = referee(mode, token);
    // Itself, and three that have left its session.
    wait_until("the program runs", || living(token, mode) == 4);
    killed.kill().unwrap();
    killed.wait().unwrap();
    wait_until("the program is gone", || living(token, mode) == 0);
    wait_until("its supervisor is gone", || living(&own, "referee") == 0);
    // Its folder is removed by the next referee.
    let user = fs::metadata("/proc/self").unwrap();
    let user = std::os::unix::fs::MetadataExt::uid(&user);
    let folders = [0, 1]
        .map(|number| std::env::temp_dir().join(format!("ludex-{user}/{}-{number}", killed.id())));
    let are_left = || folders.iter().any(|folder| folder.exists());
    assert_eq!(are_left(), walls != "namespaces", "{walls}");
    assert!(referee("honest", "after").wait().unwrap().success());
    assert!(!are_left(), "{walls}");
}

fn is_root() -> bool {
    let own = fs::metadata("/proc/self").unwrap();
    std::os::unix::fs::MetadataExt::uid(&own) == 0
}

/// How many processes with this token and this mode are alive.
fn living(token: &str, mode: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let is_one = |process: &fs::DirEntry| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        words.get(1) == Some(&mode.as_bytes()) && words.get(2) == Some(&token.as_bytes())
    };
    processes.filter(is_one).count()
}
