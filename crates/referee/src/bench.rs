//! What the referee costs: a move of a one-shot program over a bare spawn of it.

use std::io;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::player::program::Program;
use crate::{Input, IsolationMode, Kind, Limits, PlayerSpec, RefereeError, Seconds, process};

/// The cost of one way to run a program.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cost {
    /// The way of isolating; `bare` for a plain spawn without any referee.
    pub mode: String,
    /// The middle one of the measured times, in milliseconds.
    pub median_ms: f64,
    /// Nine of ten times are below this, in milliseconds.
    pub ninth_ms: f64,
    /// The median beyond that of a bare spawn, in milliseconds.
    pub over_bare_ms: f64,
}

/// Measures `rounds` runs of a program that does nothing (`true`): bare, and by the
/// referee with every way of isolating that works here.
pub fn cost_per_move(rounds: usize) -> Result<Vec<Cost>, RefereeError> {
    let failed = |error: io::Error| RefereeError::Folder {
        path: "true".into(),
        error,
    };
    let mut runners: Vec<(String, Runner)> = vec![("bare".into(), Box::new(bare))];
    for mode in [
        IsolationMode::None,
        IsolationMode::Namespaces,
        IsolationMode::Landlock,
        IsolationMode::Bwrap,
    ] {
        if process::resolve(mode).is_ok() {
            runners.push((mode.to_string(), refereed(mode)?));
        }
    }
    let mut times = vec![Vec::with_capacity(rounds); runners.len()];
    // In turns, so that a busy moment of the machine hits all alike.
    for round in 0..=rounds {
        for ((_, run), times) in runners.iter_mut().zip(&mut times) {
            let started = Instant::now();
            run().map_err(failed)?;
            // The first round warms the caches.
            if round > 0 {
                times.push(started.elapsed());
            }
        }
    }
    let mut costs: Vec<Cost> = Vec::new();
    for ((mode, _), mut times) in runners.into_iter().zip(times) {
        times.sort_unstable();
        let at = |part: usize| {
            times
                .get(times.len() * part / 10)
                .copied()
                .unwrap_or_default()
        };
        let median_ms = millis(at(5));
        let bare = costs.first().map_or(median_ms, |bare| bare.median_ms);
        costs.push(Cost {
            mode,
            median_ms,
            ninth_ms: millis(at(9)),
            over_bare_ms: median_ms - bare,
        });
    }
    Ok(costs)
}

type Runner = Box<dyn FnMut() -> io::Result<()>>;

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn bare() -> io::Result<()> {
    Command::new("true")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?
        .wait_with_output()
        .map(drop)
}

fn refereed(mode: IsolationMode) -> Result<Runner, RefereeError> {
    let spec = PlayerSpec::program(Kind::Argv, vec!["true".into()]);
    let program = Program::new(&spec, mode)?;
    let limits = Limits {
        wall: Some(Seconds::from_secs(10)),
        ..Limits::for_game(games::GameName::default())
    };
    let never = AtomicBool::new(false);
    Ok(Box::new(move || {
        let exit = program.run(&Input::default(), &limits, &never);
        match exit.failure {
            Some(failure) => Err(failure.error),
            None => Ok(()),
        }
    }))
}
