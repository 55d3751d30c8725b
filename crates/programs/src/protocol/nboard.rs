//! The NBoard protocol, version 2: by it the NBoard GUI and several engines talk.
//!
//! Commands may come in while the engine thinks; a `ping` (which a GUI sends before it
//! changes the position) stops the thinking. The end of input does not: what was asked before it
//! is answered.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};

use ::reversi::notation::{self, ggf};
use ::reversi::{Move, Position};
use rules::{Game, Side};
use search::{Limits, Report, Score};

use super::ProtocolEngine;

/// Answers commands until the input ends or says `quit`. `limits` hold together with the
/// depth that the GUI sets.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    engine: &mut dyn ProtocolEngine,
    limits: Limits,
) -> io::Result<()> {
    let pings = Arc::new(Pings::default());
    let lines = listen(input, Arc::clone(&pings));
    let mut session = Session {
        record: notation::Record::new(Position::start()),
        position: Position::start(),
        depth: None,
        contempt: 0.0,
        engine,
        limits: limits.with_stop(Arc::clone(&pings.stop)),
        pings,
        output,
    };
    for line in lines {
        if line.trim() == "quit" {
            break;
        }
        session.answer(&line)?;
        session.output.flush()?;
    }
    Ok(())
}

/// Pings that were read and are not answered yet: as long as there are any, thinking stops.
#[derive(Default)]
struct Pings {
    open: Mutex<usize>,
    stop: Arc<AtomicBool>,
}

impl Pings {
    fn read(&self) {
        self.count(|open| open + 1);
    }

    fn answered(&self) {
        self.count(|open| open - 1);
    }

    /// The number and the flag change together, or a ping that is read meanwhile would be lost.
    fn count(&self, change: impl FnOnce(usize) -> usize) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        *open = change(*open);
        self.stop.store(*open > 0, Ordering::Relaxed);
    }
}

/// A command and what belongs to it.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    (command, rest.trim())
}

/// Reads lines on a thread of its own, so that a `ping` is noticed while the engine thinks.
fn listen(input: impl BufRead + Send + 'static, pings: Arc<Pings>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in input.split(b'\n') {
            let Ok(line) = line else { break };
            let line = String::from_utf8_lossy(&line).into_owned();
            if split(&line).0 == "ping" {
                pings.read();
            }
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

struct Session<'a, W> {
    record: notation::Record,
    position: Position,
    depth: Option<u32>,
    /// Discs that a draw is worth to Black, as the GUI wishes.
    contempt: f64,
    engine: &'a mut dyn ProtocolEngine,
    limits: Limits,
    pings: Arc<Pings>,
    output: W,
}

impl<W: Write> Session<'_, W> {
    fn answer(&mut self, line: &str) -> io::Result<()> {
        let (command, rest) = split(line);
        match command {
            "" => Ok(()),
            "nboard" => {
                writeln!(
                    self.output,
                    "set myname Ludex {}",
                    env!("CARGO_PKG_VERSION")
                )
            }
            "set" => self.set(rest),
            "move" => self.play(rest),
            "hint" => self.hint(rest.parse().unwrap_or(1)),
            "go" => self.go(),
            "ping" => {
                self.pings.answered();
                writeln!(self.output, "pong {rest}")
            }
            "learn" => writeln!(self.output, "learned\nstatus"),
            "analyze" | "analyse" => self.analyse(),
            _ => self.complain(&format!("unknown command {command:?}")),
        }
    }

    /// The protocol asks engines to ignore what they do not know; the status line, free
    /// text for the user, says that it happened.
    fn complain(&mut self, what: &str) -> io::Result<()> {
        writeln!(self.output, "status error: {what}")
    }

    fn set(&mut self, rest: &str) -> io::Result<()> {
        let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
        match name {
            "depth" => match value.trim().parse() {
                Ok(depth) => self.depth = Some(depth),
                Err(_) => return self.complain(&format!("{value:?} is not a depth")),
            },
            "contempt" => match value.trim().parse() {
                Ok(contempt) => self.contempt = contempt,
                Err(_) => return self.complain(&format!("{value:?} is not a number")),
            },
            "game" => match ggf::read(value) {
                Ok(mut games) => {
                    self.record = games.swap_remove(0);
                    self.position = self.record.last();
                }
                Err(e) => return self.complain(&e.to_string()),
            },
            // Options of other engines, colours of the GUI: nothing to do.
            _ => {}
        }
        Ok(())
    }

    /// `move F5/1.2/3`: a move, perhaps with a value and a time.
    fn play(&mut self, rest: &str) -> io::Result<()> {
        let text = rest.split(['/', ' ']).next().unwrap_or_default();
        let text = if text.eq_ignore_ascii_case("pa") {
            "pass"
        } else {
            text
        };
        match self.position.parse_move(text) {
            Ok(mv) => {
                self.position.play_unchecked(mv);
                self.record.moves.push(mv);
                Ok(())
            }
            Err(e) => self.complain(&e.to_string()),
        }
    }

    fn go(&mut self) -> io::Result<()> {
        if self.position.outcome().is_some() {
            return self.complain("the game is over");
        }
        if self.position.is_legal(Move::PASS) {
            return writeln!(self.output, "=== PA");
        }
        writeln!(self.output, "status Ludex is thinking")?;
        self.output.flush()?;
        let thought = self.engine.think(&self.position, &self.limits());
        let time = thought.time.as_secs_f64();
        writeln!(self.output, "nodestats {} {time:.2}", thought.nodes)?;
        let mv = name(thought.best.unwrap_or(Move::PASS));
        let value = shown(&thought, self.contempt_for_mover());
        writeln!(self.output, "=== {mv}/{value:.2}/{time:.2}\nstatus")
    }

    fn hint(&mut self, count: usize) -> io::Result<()> {
        if self.position.outcome().is_some() {
            return self.complain("the game is over");
        }
        writeln!(self.output, "status Ludex is thinking")?;
        self.output.flush()?;
        let (limits, position) = (self.limits(), self.position);
        let contempt = self.contempt_for_mover();
        let output = &mut self.output;
        let mut failed = Ok(());
        let mut nodes = (0, 0.0);
        self.engine
            .hints(&position, count.max(1), &limits, &mut |thought| {
                let line: String = thought.line.iter().map(|&mv| name(mv)).collect();
                let value = shown(thought, contempt);
                let depth = match (thought.score.is_proven(), thought.confidence) {
                    (true, _) => "100%".to_owned(),
                    (_, 100) => thought.depth.to_string(),
                    (_, confidence) => format!("{}@{confidence}%", thought.depth),
                };
                nodes = (thought.nodes, thought.time.as_secs_f64());
                failed = writeln!(output, "search {line} {value:.2} 0 {depth}")
                    .and_then(|()| output.flush());
            });
        failed?;
        writeln!(self.output, "nodestats {} {:.2}\nstatus", nodes.0, nodes.1)
    }

    /// A value for every position of the game, from its end to its beginning.
    fn analyse(&mut self) -> io::Result<()> {
        writeln!(self.output, "status Ludex is analysing")?;
        let positions = self.record.positions();
        for (number, position) in positions.iter().enumerate().rev() {
            let mover = match position.outcome() {
                Some(_) => f64::from(position.board().difference()),
                None => discs(&self.engine.think(position, &self.limits())),
            };
            let black = if position.side_to_move() == Side::First {
                mover
            } else {
                -mover
            };
            writeln!(self.output, "analysis {number} {black:.2}")?;
            self.output.flush()?;
        }
        writeln!(self.output, "status")
    }

    fn limits(&self) -> Limits {
        match self.depth {
            Some(depth) => self.limits.clone().with_depth(depth),
            None => self.limits.clone(),
        }
    }

    fn contempt_for_mover(&self) -> f64 {
        match self.position.side_to_move() {
            Side::First => self.contempt,
            Side::Second => -self.contempt,
        }
    }
}

/// The value to show: a draw is worth what the GUI wishes.
fn shown(thought: &Report<Move>, draw: f64) -> f64 {
    match thought.score.value() {
        0 => draw,
        _ => discs(thought),
    }
}

/// Discs that the mover expects to win by.
fn discs(thought: &Report<Move>) -> f64 {
    f64::from(thought.score.value()) / f64::from(Score::UNIT)
}

/// A move as the protocol writes it.
fn name(mv: Move) -> String {
    mv.square()
        .map_or("PA".into(), |square| square.to_string().to_uppercase())
}
