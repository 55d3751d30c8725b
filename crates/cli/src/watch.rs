//! Watching a tournament from a terminal, and stopping it with Ctrl-C.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tournament::{Config, Event, GameRow, Note, NoteKind, Observer, Standings};

/// How often the table is made anew.
const REDRAW: Duration = Duration::from_millis(500);

/// So many players are shown in the live table.
const ROWS: usize = 12;

/// A progress bar with the best of the table above it, on standard error if that is a
/// terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    state: Mutex<State>,
}

struct State {
    config: Config,
    games: Vec<GameRow>,
    notes: Vec<Note>,
    drawn: Option<Instant>,
}

impl Progress {
    pub(crate) fn new(config: &Config) -> Progress {
        let bar = ProgressBar::new(config.plan().games() as u64);
        if !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template(
            "{msg}{bar:40} {pos}/{len} games, {elapsed} gone, {eta} to go",
        );
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Progress {
            bar,
            state: Mutex::new(State {
                config: config.clone(),
                games: Vec::new(),
                notes: Vec::new(),
                drawn: None,
            }),
        }
    }

    /// Starts from the games that were played before.
    pub(crate) fn with_games(self, games: Vec<GameRow>, notes: Vec<Note>) -> Progress {
        {
            let mut state = self.lock();
            state.games = games;
            state.notes = notes;
        }
        self
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Progress {
    fn event(&self, event: &Event) {
        match event {
            Event::Started { known, planned, .. } => {
                self.bar.set_length(*planned.max(known) as u64);
                self.bar.set_position(*known as u64);
                // Games of an earlier run say nothing about how fast this one is.
                self.bar.reset_eta();
            }
            Event::GameFinished { row } => {
                let mut state = self.lock();
                state.games.push(row.clone());
                let played = state.games.len() as u64;
                if self.bar.length().is_some_and(|length| played > length) {
                    self.bar.set_length(played);
                }
                self.bar.inc(1);
                let due = state.drawn.is_none_or(|at| at.elapsed() >= REDRAW);
                if due && !self.bar.is_hidden() {
                    self.bar.set_message(state.table());
                    state.drawn = Some(Instant::now());
                }
            }
            Event::Benched { player, reason } => {
                let mut state = self.lock();
                let name = state.config.players[*player].name.clone();
                state.notes.push(Note {
                    kind: NoteKind::Benched,
                    player: Some(*player),
                    text: reason.clone(),
                    at: tournament::store::Moment(0),
                });
                drop(state);
                self.bar.println(format!("{name} is benched: {reason}"));
            }
            Event::GameStarted { .. } | Event::Turn { .. } | Event::Ended { .. } => {}
        }
    }
}

impl State {
    /// A few lines that end in a newline.
    fn table(&self) -> String {
        let standings = Standings::new(&self.config, &self.games, &self.notes);
        let mut text = String::new();
        for row in standings.rows.iter().take(ROWS) {
            text += &format!(
                "{:>3} {:24.24} {:>7} of {:<5} {:>+6.0} ± {:<5.0} {}\n",
                row.rank,
                row.name,
                row.points(),
                row.wdl().games(),
                row.rating.elo,
                row.rating.error,
                if row.benched.is_some() { "benched" } else { "" },
            );
        }
        text
    }
}

/// A plain bar on standard error, if that is a terminal.
pub(crate) fn bar(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what}, {{elapsed}} gone, {{eta}} to go");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// The runtime that the store works on.
pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?)
}

/// A flag that Ctrl-C sets, from now on; a second Ctrl-C ends the process at once.
pub(crate) fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    // Without a handler an interrupt ends the process at once, which loses no game.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    stop
}
