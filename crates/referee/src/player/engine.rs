//! Engines that keep running: a line goes out, lines come back.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::Answer;
use super::program::{KEPT_ANSWER, Program, fault};
use crate::process::{Allowance, Event, Moment, Process};
use crate::{Blob, Input, Limits, Seconds, Size, Verdict};

/// How long an engine may take to start, and to answer anything but a request for a move
/// where moves have no limit.
const PATIENCE: Seconds = Seconds::from_secs(10);

/// An engine: started when it is first needed, and again after it was stopped.
pub(crate) struct Engine {
    program: Program,
    process: Option<Process>,
    /// When this turn began: everything since then is on the engine's clock.
    turn: Moment,
    /// What this turn has used so far.
    used: Used,
    /// What was sent and received since the last question.
    sent: Vec<u8>,
    received: Vec<u8>,
}

/// What an engine used for one answer.
#[derive(Clone, Copy, Default)]
struct Used {
    wall: Duration,
    cpu: Duration,
    delay: Duration,
    memory: u64,
}

/// Why there is no answer.
pub(crate) type Failed = Verdict;

impl Engine {
    pub(crate) fn new(program: Program) -> Engine {
        Engine {
            program,
            process: None,
            turn: Moment::default(),
            used: Used::default(),
            sent: Vec::new(),
            received: Vec::new(),
        }
    }

    /// Whether it runs: if not, it knows nothing of the game.
    pub(crate) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Starts it. The limits of time hold for moves, not for its whole life.
    pub(crate) fn start(&mut self, limits: &Limits) -> Result<(), Failed> {
        let whole = Limits {
            wall: None,
            cpu: None,
            ..*limits
        };
        match self.program.start(&whole) {
            Ok(process) => {
                self.process = Some(process);
                Ok(())
            }
            Err(error) => Err(Verdict::from(&error)),
        }
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.sent.extend_from_slice(line.as_bytes());
        self.sent.push(b'\n');
        if let Some(process) = &mut self.process {
            process.send(format!("{line}\n").as_bytes());
        }
    }

    /// Begins a turn: from here on the engine's clock runs until it has given its move,
    /// whatever it is asked meanwhile. It has rested since its last one.
    pub(crate) fn begin_turn(&mut self) -> Result<(), Failed> {
        if let Some(verdict) = self.restless() {
            return Err(verdict);
        }
        let moment = self.process.as_mut().map(Process::wake);
        self.turn = moment.unwrap_or_default();
        self.used = Used::default();
        Ok(())
    }

    /// The fault of an engine that goes on computing while its opponent is to move; it is ended.
    pub(crate) fn restless(&mut self) -> Option<Failed> {
        if !self.process.as_mut()?.is_restless() {
            return None;
        }
        self.process = None;
        Some(Verdict::Protocol {
            what: "the engine went on computing while its opponent was to move".into(),
        })
    }

    /// Waits for the engine's first answer after its start, to a question that says nothing
    /// about the game: it may take its time to load what it knows. Then its turn begins.
    pub(crate) fn started(
        &mut self,
        end: &dyn Fn(&[u8]) -> Option<usize>,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<String, Failed> {
        let patient = Limits {
            wall: Some(PATIENCE),
            cpu: None,
            ..*limits
        };
        self.begin_turn()?;
        let answer = self.read(end, &patient, stop);
        // Its start is not on the clock of a move.
        self.used = Used::default();
        let answer = answer?;
        self.begin_turn()?;
        Ok(answer)
    }

    /// Waits for the answer that `end` finds the end of, on the clock of this turn.
    pub(crate) fn expect(
        &mut self,
        end: &dyn Fn(&[u8]) -> Option<usize>,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<String, Failed> {
        let limits = Limits {
            wall: limits.wall.or(Some(PATIENCE)),
            ..*limits
        };
        self.read(end, &limits, stop)
    }

    /// Asks for a move with `line` and waits for the answer that `end` finds the end of.
    pub(crate) fn ask(
        &mut self,
        line: &str,
        end: &dyn Fn(&[u8]) -> Option<usize>,
        limits: &Limits,
        stop: &AtomicBool,
        read: impl FnOnce(&str) -> Result<String, Failed>,
    ) -> Answer {
        self.send(line);
        let answer = self.read(end, limits, stop);
        self.answer(|| read(&answer?))
    }

    /// The answer of an engine that failed before it was asked.
    pub(crate) fn failed(&mut self, verdict: Failed) -> Answer {
        self.answer(|| Err(verdict))
    }

    /// Ends the turn: whoever has answered rests, before it is looked what the answer says.
    fn answer(&mut self, mv: impl FnOnce() -> Result<String, Failed>) -> Answer {
        if let Some(process) = &mut self.process {
            process.rest();
        }
        let used = std::mem::take(&mut self.used);
        let errors = self.process.as_mut().map(Process::take_errors);
        Answer {
            input: Input {
                stdin: Some(std::mem::take(&mut self.sent).into()),
                ..Input::default()
            },
            raw: Blob::from(std::mem::take(&mut self.received)).bounded(KEPT_ANSWER),
            wall: used.wall.into(),
            cpu: used.cpu.into(),
            delay: used.delay.into(),
            memory: Size(used.memory),
            stderr: errors.unwrap_or_default(),
            ..super::nothing(mv())
        }
    }

    /// Waits for what `end` finds the end of, on the clock of this turn.
    fn read(
        &mut self,
        end: &dyn Fn(&[u8]) -> Option<usize>,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<String, Failed> {
        let from = self.turn;
        let Some(mut process) = self.process.take() else {
            return Err(Verdict::Protocol {
                what: "the engine is not running".into(),
            });
        };
        let allowance = Allowance {
            since: Some(from),
            ..Allowance::of(limits)
        };
        let event = process.wait(&mut |output| end(output).is_some(), &allowance, stop);
        let until = Process::now();
        let now = process.moment();
        self.used = Used {
            wall: Duration::from_nanos(until.saturating_sub(from.clock)),
            cpu: now.cpu.saturating_sub(from.cpu),
            delay: now.delay_since(&from),
            memory: process.memory(),
        };
        if event == Event::Ready
            && let Some(count) = end(process.output())
        {
            let bytes = process.take(count);
            self.received.extend_from_slice(&bytes);
            self.process = Some(process);
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
        let mut exit = process.finish();
        let used = &mut self.used;
        used.cpu = used.cpu.max(exit.cpu.saturating_sub(from.cpu));
        (exit.wall, exit.cpu, exit.delay) = (used.wall, used.cpu, used.delay);
        self.received.extend_from_slice(&exit.stdout);
        let verdict = fault(&exit, limits).unwrap_or_else(|| Verdict::Protocol {
            what: "the engine ended without an answer".into(),
        });
        Err(verdict)
    }
}
