//! What the tests share: setting up games with the faulty player, and looking for what
//! was left behind.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use games::AnyPosition;
use referee::{GameRecord, GameSetup, IsolationMode, Kind, Limits, PlayerSpec, Seconds};

/// Walls, and none.
pub(crate) const BOTH: [IsolationMode; 2] = [IsolationMode::Auto, IsolationMode::None];

/// A player with a fault, and the token by which its processes are found.
pub(crate) fn faulty(kind: Kind, mode: &str) -> PlayerSpec {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let token = format!("token-{}-{count}-{mode}", std::process::id());
    let program = env!("CARGO_BIN_EXE_faulty").to_string();
    PlayerSpec {
        name: mode.into(),
        ..PlayerSpec::program(kind, vec![program, mode.into(), token])
    }
}

/// Whether a process with this player's token is alive.
pub(crate) fn lives(player: &PlayerSpec) -> bool {
    let token = player.command.0[2].as_bytes();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.into_iter().any(|process| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == token)
    })
}

/// A short game: the fault shows in the first turns.
pub(crate) fn setup(start: AnyPosition, players: [PlayerSpec; 2]) -> GameSetup {
    GameSetup {
        longest: 6,
        ..GameSetup::new(start, players)
    }
}

/// So long may a turn take on the busiest machine; tests of time itself set their own limit.
const PATIENCE: Option<Seconds> = Some(Seconds::from_secs(60));

/// An Othello game of the faulty player, who is Black, against a bot.
pub(crate) fn othello(player: &PlayerSpec, mode: IsolationMode) -> GameSetup {
    let start = AnyPosition::start(games::REVERSI);
    GameSetup {
        isolation: mode,
        limits: Limits {
            wall: PATIENCE,
            ..Limits::for_game(games::REVERSI)
        },
        ..setup(start, [player.clone(), "random".parse().unwrap()])
    }
}

/// An MMPawns game of the faulty player, who is A, against a bot.
pub(crate) fn pawns(player: &PlayerSpec, mode: IsolationMode) -> GameSetup {
    let start = AnyPosition::start(games::MMPAWNS);
    GameSetup {
        isolation: mode,
        limits: Limits {
            wall: PATIENCE,
            ..Limits::for_game(games::MMPAWNS)
        },
        ..setup(start, [player.clone(), "random".parse().unwrap()])
    }
}

/// Plays it and checks that nobody of the faulty player's is left.
#[track_caller]
pub(crate) fn play(setup: &GameSetup) -> GameRecord {
    let record = referee::play_game(setup, &mut |_| (), &Default::default()).unwrap();
    for player in &setup.players {
        if player.kind.is_program() {
            assert!(!lives(player), "{} left a process behind", player.name);
        }
    }
    record
}

/// The verdict on the first turn.
#[track_caller]
pub(crate) fn first_verdict(setup: &GameSetup) -> String {
    play(setup).moves[0].verdict.to_string()
}

/// A folder with one file, to be copied into the player's own.
pub(crate) fn folder_with(name: &str, file: &str, content: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(file), content).unwrap();
    folder
}

/// The seconds of a verdict about time. How long after the limit the referee gets a processor to
/// see it, and whether the program got one before, no test can say.
#[track_caller]
pub(crate) fn seconds_over(verdict: &str, limit: &str) -> f64 {
    let seconds = verdict.strip_prefix("wall time ");
    let seconds = seconds.and_then(|rest| rest.split_once(&format!(" s over {limit} s")));
    let seconds = seconds.and_then(|(text, _)| text.parse().ok());
    seconds.unwrap_or_else(|| panic!("{verdict}"))
}
