//! The threads of a worker that play, each on a core of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use referee::check::{Candidate, CaseResult, CheckOptions, Checker, Subject, WholeReport};
use referee::{Ending, GameRecord, GameSetup, Limits, Machine, MoveRecord, Score, Seconds};
use tokio::sync::{mpsc as channel, oneshot};
use tournament::runner::{keep_to, panic_message};

use crate::protocol::{LiveCases, LiveTurns, News, Timing};
use crate::speed;
use crate::state::Core;

/// Measures the core of the calling thread, in seconds.
pub type Calibrate = Arc<dyn Fn() -> f64 + Send + Sync>;

/// How often watchers hear of a game, or of a program that is graded.
const NEWS: Duration = Duration::from_millis(250);

/// What a thread is asked to do.
pub(crate) enum Task {
    Calibrate(oneshot::Sender<f64>),
    MoveTo(Core),
    Play(Box<Play>),
    Grade(Box<Grade>),
}

/// A program to be graded.
pub(crate) struct Grade {
    /// By which watchers know it.
    pub(crate) id: String,
    pub(crate) subject: Subject,
    pub(crate) options: CheckOptions,
    pub(crate) candidate: Candidate,
    pub(crate) reference: f64,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) news: channel::UnboundedSender<News>,
    pub(crate) done: oneshot::Sender<Ended>,
}

/// Games to be played one after the other.
pub(crate) struct Play {
    pub(crate) games: Vec<(String, GameSetup)>,
    pub(crate) timing: Timing,
    pub(crate) reference: f64,
    /// What the core was measured at last, for games without a clock.
    pub(crate) seconds: f64,
    pub(crate) worker: String,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) news: channel::UnboundedSender<News>,
    pub(crate) done: oneshot::Sender<Ended>,
}

/// What came of it.
pub(crate) enum Ended {
    /// All games were played.
    Played(Vec<GameRecord>),
    /// The program is graded.
    Graded(Box<WholeReport>),
    /// This machine should not play them now.
    Refused(String),
    /// They cannot be played, or something is broken.
    Failed(String),
    /// Somebody said stop.
    Stopped,
}

/// A thread that plays.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    tasks: mpsc::Sender<Task>,
}

impl Slot {
    /// Starts the thread, on a core if it has one.
    pub(crate) fn start(number: usize, core: Option<Core>, calibrate: Calibrate) -> Slot {
        let (tasks, queue) = mpsc::channel();
        let work = move || {
            // Nobody else has it as long as this thread lives.
            let mut _own = None;
            for task in queue {
                match task {
                    Task::MoveTo(core) => {
                        keep_to(core.number);
                        _own = Some(core);
                    }
                    Task::Calibrate(done) => drop(done.send(calibrate())),
                    Task::Play(play) => play.run(&calibrate),
                    Task::Grade(grade) => grade.run(&calibrate),
                }
            }
        };
        let thread = std::thread::Builder::new().name(format!("game-{number}"));
        thread.spawn(work).expect("the system can start a thread");
        let slot = Slot { tasks };
        if let Some(core) = core {
            slot.move_to(core);
        }
        slot
    }

    /// Plays on this core from now on.
    pub(crate) fn move_to(&self, core: Core) {
        let _ = self.tasks.send(Task::MoveTo(core));
    }

    /// The time of the fixed work on this core, in seconds.
    pub(crate) async fn calibrate(&self) -> f64 {
        let (done, result) = oneshot::channel();
        let _ = self.tasks.send(Task::Calibrate(done));
        result.await.unwrap_or(f64::INFINITY)
    }

    /// Plays games, or grades.
    pub(crate) fn start_task(&self, task: Task) {
        let _ = self.tasks.send(task);
    }
}

impl Grade {
    fn run(self, calibrate: &Calibrate) {
        let ended = catch_unwind(AssertUnwindSafe(|| self.grade(calibrate)));
        let ended = ended.unwrap_or_else(|panic| Ended::Failed(panic_message(panic.as_ref())));
        let _ = self.done.send(ended);
    }

    fn grade(&self, calibrate: &Calibrate) -> Ended {
        let speed = speed::speed(calibrate(), self.reference);
        if !speed::is_right(speed) {
            return Ended::Refused(too_far(speed));
        }
        let checker = match Checker::new(self.subject, &self.options) {
            Ok(checker) => checker,
            Err(error) => return Ended::Failed(error.to_string()),
        };
        let tell = |tried: usize| {
            let _ = self.news.send(News::Cases(LiveCases {
                id: self.id.clone(),
                tried,
                cases: checker.cases(),
            }));
        };
        tell(0);
        let (mut tried, mut told) = (0, Instant::now());
        let mut observe = |_: &CaseResult| {
            tried += 1;
            if told.elapsed() >= NEWS {
                told = Instant::now();
                tell(tried);
            }
        };
        match checker.check(&self.candidate, &mut observe, &self.stop) {
            _ if self.stop.load(Ordering::Relaxed) => Ended::Stopped,
            Ok(report) => Ended::Graded(Box::new(report.into())),
            Err(error) => Ended::Failed(error.to_string()),
        }
    }
}

impl Play {
    fn run(self, calibrate: &Calibrate) {
        let mut records = Vec::new();
        for (id, setup) in &self.games {
            match self.one(id, setup, calibrate) {
                Ok(record) => records.push(record),
                Err(ended) => return drop(self.done.send(ended)),
            }
        }
        let _ = self.done.send(Ended::Played(records));
    }

    fn one(&self, id: &str, setup: &GameSetup, calibrate: &Calibrate) -> Result<GameRecord, Ended> {
        let seconds = match self.timing {
            Timing::Free => self.seconds,
            Timing::Timed | Timing::Scaled => calibrate(),
        };
        let speed = speed::speed(seconds, self.reference);
        let mut setup = setup.clone();
        let scale = match self.timing {
            Timing::Free => None,
            Timing::Timed if speed::is_right(speed) => None,
            Timing::Timed => return Err(Ended::Refused(too_far(speed))),
            Timing::Scaled => match speed::scale(speed) {
                Some(factor) => Some(factor),
                None => return Err(Ended::Refused(too_far(speed))),
            },
        };
        if let Some(factor) = scale {
            setup.limits = scaled(&setup.limits, factor);
            for player in &mut setup.players {
                player.limits = scaled(&player.limits, factor);
            }
        }
        let mut told = Instant::now();
        let mut start = Some(setup.start.to_string());
        let mut turns = Vec::new();
        let mut observe = |turn: &MoveRecord| {
            turns.push(turn.clone());
            if told.elapsed() >= NEWS {
                told = Instant::now();
                let _ = self.news.send(News::Turns(LiveTurns {
                    id: id.into(),
                    start: start.take(),
                    turns: std::mem::take(&mut turns),
                }));
            }
        };
        let game = AssertUnwindSafe(|| referee::play_game(&setup, &mut observe, &self.stop));
        let mut record = match catch_unwind(game) {
            Ok(Ok(record)) => record,
            Ok(Err(error)) => return Err(Ended::Failed(error.to_string())),
            Err(panic) => return Err(Ended::Failed(panic_message(panic.as_ref()))),
        };
        match &record.ending {
            Ending::Machine { verdict, .. } => return Err(Ended::Failed(verdict.to_string())),
            _ if record.score == Score::None => return Err(Ended::Stopped),
            _ => {}
        }
        record.machine = Some(Machine {
            worker: self.worker.clone(),
            speed,
            scale,
        });
        Ok(record)
    }
}

fn too_far(speed: f64) -> String {
    let percent = 100.0 * speed;
    format!("its core runs at {percent:.0} % of the speed that counts for timed games")
}

/// The limits of time on a machine of another speed.
fn scaled(limits: &Limits, factor: f64) -> Limits {
    let time = |limit: Option<Seconds>| limit.map(|limit| Seconds(limit.0.mul_f64(factor)));
    Limits {
        wall: time(limits.wall),
        cpu: time(limits.cpu),
        game_wall: time(limits.game_wall),
        game_cpu: time(limits.game_cpu),
        ..*limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(timing: Timing, seconds: f64) -> Ended {
        let game = games::GameName::default();
        let start = games::AnyPosition::start(game);
        let players = ["random", "greedy"].map(|player| player.parse().unwrap());
        let setup = GameSetup::new(start, players);
        let (done, mut result) = oneshot::channel();
        let (news, _watchers) = channel::unbounded_channel();
        let play = Play {
            games: vec![("cup.1.1.1".into(), setup)],
            timing,
            reference: 1.0,
            seconds,
            worker: "lab-0".into(),
            stop: Arc::default(),
            news,
            done,
        };
        let calibrate: Calibrate = Arc::new(move || seconds);
        play.run(&calibrate);
        result.try_recv().unwrap()
    }

    #[track_caller]
    fn played(ended: Ended) -> GameRecord {
        match ended {
            Ended::Played(mut records) => records.remove(0),
            Ended::Refused(why) | Ended::Failed(why) => panic!("{why}"),
            Ended::Stopped | Ended::Graded(_) => panic!("not played"),
        }
    }

    #[test]
    fn slow_cores_play_no_timed_games_unless_limits_are_scaled() {
        let machine = played(ended(Timing::Timed, 1.05)).machine.unwrap();
        assert_eq!((machine.worker.as_str(), machine.scale), ("lab-0", None));
        assert!((machine.speed - 1.0 / 1.05).abs() < 1e-9);
        match ended(Timing::Timed, 1.25) {
            Ended::Refused(why) => assert_eq!(
                why,
                "its core runs at 80 % of the speed that counts for timed games"
            ),
            _ => panic!("played"),
        }
        assert!(matches!(ended(Timing::Free, 1.25), Ended::Played(_)));
        let record = played(ended(Timing::Scaled, 1.25));
        assert_eq!(record.machine.unwrap().scale, Some(1.25));
        let usual = Limits::for_game(games::GameName::default()).wall.unwrap();
        assert_eq!(record.limits[0].wall.unwrap().0, usual.0.mul_f64(1.25));
        assert!(matches!(ended(Timing::Scaled, 2.5), Ended::Refused(_)));
    }
}
