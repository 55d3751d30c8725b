//! The collection of hostile programs (`tests/hostile`): each gets the verdict that is due,
//! leaves nothing behind, and the machine is as before.
//!
//! Run as root, the collection is run once more as an ordinary user.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use games::AnyPosition;
use referee::{
    GameRecord, GameSetup, IsolationMode, Kind, Limits, PlayerSpec, Seconds, Size, play_game,
};

use crate::collection::{complaints, is_wanted, modes, run_as_ordinary_user};

const TABLE: &str = include_str!("../hostile/table.txt");

/// One line of the table.
struct Row<'a> {
    name: &'a str,
    language: &'a str,
    kind: &'a str,
    due: Vec<&'a str>,
    options: BTreeMap<&'a str, u64>,
}

impl Row<'_> {
    fn read(line: &str) -> Row<'_> {
        let mut words = line.split_whitespace();
        let mut word = || words.next().unwrap_or_else(|| panic!("short line: {line}"));
        let (name, language, kind, due) = (word(), word(), word(), word());
        let options = words.map(|option| {
            let (key, value) = option.split_once('=').unwrap_or((option, "1"));
            (key, value.parse().expect(line))
        });
        Row {
            name,
            language,
            kind,
            due: due.split('|').collect(),
            options: options.collect(),
        }
    }

    fn option(&self, name: &str) -> Option<u64> {
        self.options.get(name).copied()
    }
}

fn rows() -> Vec<Row<'static>> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.map(Row::read).collect()
}

/// Programs and a home, in a folder that everybody may read: only walls keep it closed.
struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Scene {
        let folder = tempfile::Builder::new()
            .prefix("hostile")
            .tempdir_in("/var/tmp")
            .unwrap();
        let root = folder.path();
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        let home = root.join("home");
        fs::create_dir(&home).unwrap();
        fs::set_permissions(&home, fs::Permissions::from_mode(0o777)).unwrap();
        fs::write(home.join("secret.txt"), "the solution").unwrap();
        fs::set_permissions(home.join("secret.txt"), fs::Permissions::from_mode(0o666)).unwrap();
        let programs = root.join("programs");
        fs::create_dir(&programs).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
        let compiled = Command::new("cc")
            .args(["-O1", "-w", "-pthread", "-o"])
            .arg(programs.join("attack-c"))
            .arg(source.join("attack.c"))
            .arg("-lrt")
            .status()
            .unwrap();
        assert!(compiled.success(), "the C compiler");
        for language in ["py", "sh"] {
            let program = programs.join(format!("attack.{language}"));
            fs::copy(source.join(format!("attack.{language}")), &program).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::copy(source.join("table.txt"), programs.join("table.txt")).unwrap();
        Scene::add_scripts(&home, &programs);
        Scene { folder }
    }

    /// Scripts whose first line asks for what is not theirs, and tools in the home for it.
    fn add_scripts(home: &Path, programs: &Path) {
        let write = |path: PathBuf, text: String| {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        };
        for tool in ["tool", "python3"] {
            let text = "#!/bin/sh\necho THROUGH tool >&2\necho 3,2\n";
            write(home.join(tool), text.into());
        }
        let script = fs::read_to_string(programs.join("attack.sh")).unwrap();
        let (_, body) = script.split_once('\n').unwrap();
        let home = home.display();
        for (name, first) in [
            (
                "env-u",
                format!("/usr/bin/env -S -u {home}/secret.txt bash"),
            ),
            (
                "env-unset",
                format!("/usr/bin/env -S --unset {home}/secret.txt bash"),
            ),
            ("env-c", format!("/usr/bin/env -S -C {home} bash")),
            ("env-tool", format!("/usr/bin/env {home}/tool")),
            ("env-python", format!("/usr/bin/env -S -i {home}/python3")),
            ("direct", format!("{home}/tool")),
            ("python", format!("{home}/python3")),
            ("dots", format!("/usr/bin/../..{home}/python3")),
        ] {
            write(
                programs.join(format!("attack.{name}")),
                format!("#!{first}\n{body}"),
            );
        }
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The player of a row, found again by its token.
    fn player(&self, row: &Row, token: &str) -> PlayerSpec {
        let file = match row.language {
            "c" => "attack-c".to_string(),
            other => format!("attack.{other}"),
        };
        let program = self.folder.path().join("programs").join(file);
        let kind = match row.kind {
            "matrix" => Kind::Matrix,
            "gtp" => Kind::Gtp,
            "nboard" => Kind::Nboard,
            _ => Kind::Argv,
        };
        let command = [
            &program.display().to_string(),
            row.name,
            token,
            // Without the first slash: what a command names in full is shown.
            &self.home().display().to_string()[1..],
            &std::process::id().to_string(),
        ];
        let mut player = PlayerSpec::program(kind, command.map(String::from).into());
        player.name = format!("{}-{}", row.language, row.name);
        player
    }
}

/// A game of a row behind these walls.
fn play(scene: &Scene, row: &Row, mode: IsolationMode, token: &str) -> GameRecord {
    let game = match row.kind {
        "matrix" => games::MMPAWNS,
        _ => games::REVERSI,
    };
    let player = scene.player(row, token);
    let bot = "random".parse().unwrap();
    let mut setup = GameSetup::new(AnyPosition::start(game), [player, bot]);
    setup.longest = row.option("moves").unwrap_or(1) as u32;
    setup.isolation = mode;
    setup.penalties.tries = row.option("tries").unwrap_or(1) as u32;
    let millis = |name: &str| row.option(name).map(Seconds::from_millis);
    let size = |name: &str| row.option(name).map(Size::mb);
    setup.limits = Limits {
        wall: millis("wall").or(Some(Seconds::from_secs(600))),
        cpu: millis("cpu"),
        memory: size("memory").or(setup.limits.memory),
        disk: size("disk").or(setup.limits.disk),
        ..setup.limits
    };
    play_game(&setup, &mut |_| (), &Default::default()).unwrap()
}

/// What is wrong with how a row went, if anything.
fn complaint(scene: &Scene, row: &Row, mode: IsolationMode, token: &str) -> Option<String> {
    let record = play(scene, row, mode, token);
    let first = &record.moves[0];
    let mut wrong = Vec::new();
    if !row.due.contains(&first.verdict.kind()) {
        wrong.push(format!(
            "{} ({})",
            first.verdict,
            first.stderr.text().trim()
        ));
    }
    for turn in &record.moves {
        let said = turn.stderr.text();
        wrong.extend(
            said.lines()
                .filter(|l| l.contains("THROUGH"))
                .map(String::from),
        );
    }
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        if line
            .split(|byte| *byte == 0)
            .any(|word| word == token.as_bytes())
        {
            wrong.push(format!("process {:?} is left", process.file_name()));
        }
    }
    let name = format!("{} {} under {mode}", row.language, row.name);
    (!wrong.is_empty()).then(|| format!("{name}: {}", wrong.join("; ")))
}

/// Everything on this machine that the programs tried to change.
fn host(scene: &Scene) -> String {
    let mut state = String::new();
    let mut add = |text: String| {
        state.push_str(&text);
        state.push('\n');
    };
    for file in [
        "/etc/passwd",
        "/etc/profile",
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/kernel/hostname",
        "/proc/sysvipc/shm",
        "/proc/sysvipc/sem",
        "/proc/sysvipc/msg",
    ] {
        add(format!("{file}: {:?}", fs::read_to_string(file).ok()));
    }
    let keys = fs::read_to_string("/proc/keys").unwrap_or_default();
    let ours = keys.lines().filter(|line| line.contains("hostile-token"));
    ours.for_each(|line| add(line.into()));
    let home = scene.home();
    for folder in [
        home.as_path(),
        Path::new("/dev/shm"),
        Path::new("/tmp/note"),
    ] {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.path()).collect();
        names.sort();
        for path in names {
            let data = fs::symlink_metadata(&path).ok();
            let data = data.map(|data| (data.mode(), data.size(), data.mtime()));
            add(format!("{} {data:?}", path.display()));
        }
    }
    for folder in ["/etc", "/usr/bin", "/usr/local/bin", "/usr/lib"] {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let planted = entries.filter(|entry| {
            entry
                .file_name()
                .to_string_lossy()
                .contains("hostile-token")
        });
        planted.for_each(|entry| add(format!("{:?}", entry.path())));
    }
    let secret = fs::read_to_string(home.join("secret.txt"));
    add(format!("{secret:?}"));
    // SAFETY: reads the priority and the affinity of this very process.
    let own = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
    add(format!("priority {own}"));
    state
}

/// The folders of this process that a referee keeps on the disk.
fn folders_left() -> Vec<PathBuf> {
    // SAFETY: only reads who we are.
    let user = unsafe { libc::geteuid() };
    let all = fs::read_dir(std::env::temp_dir().join(format!("ludex-{user}")));
    let own = format!("{}-", std::process::id());
    let entries = all.into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with(&own)
        })
        .collect()
}

fn run_collection() {
    let scene = Scene::new();
    let before = host(&scene);
    let rows = rows();
    let mut runs = Vec::new();
    for mode in modes() {
        let fit =
            |row: &&Row| mode != IsolationMode::Landlock || row.option("no-landlock").is_none();
        runs.extend(rows.iter().filter(fit).map(|row| (row, mode)));
    }
    let bare = rows.iter().filter(|row| row.option("none").is_some());
    runs.extend(bare.map(|row| (row, IsolationMode::None)));
    runs.retain(|(row, mode)| is_wanted(&format!("{} {} {mode}", row.language, row.name)));
    let wrong = complaints(4, &runs, |number, (row, mode)| {
        let token = format!("hostile-token-{}-{number}", std::process::id());
        complaint(&scene, row, *mode, &token)
    });
    println!("{} runs of {} programs", runs.len(), rows.len());
    let after = host(&scene);
    for (before, after) in before.lines().zip(after.lines()) {
        assert_eq!(after, before, "the machine was changed");
    }
    assert_eq!(after.lines().count(), before.lines().count());
    assert!(
        wrong.is_empty(),
        "{} got through:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // Other tests of this process have folders, too, but none for so long.
    let late = Instant::now() + Duration::from_secs(600);
    for folder in folders_left() {
        while folder.exists() {
            assert!(Instant::now() < late, "{} is left", folder.display());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn the_collection_is_large() {
    assert!(rows().len() >= 150, "{}", rows().len());
}

#[test]
fn hostile_programs_get_what_is_due() {
    run_collection();
}

#[test]
fn hostile_programs_of_an_ordinary_user_get_what_is_due() {
    run_as_ordinary_user("hostile::hostile_programs_get_what_is_due");
}
