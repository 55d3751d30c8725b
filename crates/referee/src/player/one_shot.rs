//! Programs that are started for every move, asked as their game says.

use games::{OneShot, Question, Reply, Spent};
use rules::Side;

use super::program::{KEPT_ANSWER, Program, fault};
use super::{Answer, Player, Turn};
use crate::folder::{FILE, FileRead};
use crate::{Blob, Clock, Input, Size, Verdict};

/// A program that is started for every move.
pub(crate) struct OneShotPlayer {
    program: Program,
    dialogue: Box<dyn OneShot>,
    /// Which clock the dialogue goes by.
    clock: Clock,
}

impl OneShotPlayer {
    pub(crate) fn new(program: Program, dialogue: Box<dyn OneShot>, clock: Clock) -> OneShotPlayer {
        OneShotPlayer {
            program,
            dialogue,
            clock,
        }
    }
}

impl Player for OneShotPlayer {
    fn ask(&mut self, turn: &Turn) -> Answer {
        if let Some(input) = turn.again {
            self.dialogue.resume(&input.into());
        }
        let question = self.dialogue.ask(turn.position);
        let input = Input::from(&question);
        let mut exit = self.program.run(&input, &turn.limits, turn.stop);
        let read = match (&question.file, std::mem::take(&mut exit.folder.file)) {
            (None, _) => Ok(Vec::new()),
            (Some(_), FileRead::Missing) => Err(Verdict::Removed {
                path: FILE.to_string_lossy().into(),
            }),
            (Some(_), FileRead::NotAFile) => Err(Verdict::FalseFile {
                line: 1,
                what: "not a plain file any more".into(),
            }),
            (Some(_), FileRead::Content(content)) => Ok(content),
        };
        let file = read.clone().unwrap_or_default();
        let changed = exit.folder.changed.take();
        let mv = match fault(&exit, &turn.limits).or(changed).or(read.err()) {
            Some(verdict) => Err(verdict),
            None => {
                let reply = Reply {
                    stdout: &exit.stdout,
                    file: &file,
                    used: match self.clock {
                        Clock::Processor => exit.cpu,
                        Clock::Wall => exit.wall,
                    },
                };
                let read = self.dialogue.read(turn.position, &question, &reply);
                read.map_err(Verdict::from)
            }
        };
        let written = question.file.is_some();
        Answer {
            file: (written && mv.is_ok()).then(|| file.clone()),
            raw: Blob::from(if written { file } else { exit.stdout }).bounded(KEPT_ANSWER),
            input,
            wall: exit.wall.into(),
            cpu: exit.cpu.into(),
            delay: exit.delay.into(),
            memory: Size(exit.memory),
            stderr: exit.stderr,
            ..super::nothing(mv)
        }
    }

    fn observe(&mut self, side: Side, answer: &Answer) {
        self.dialogue.observe(&Spent {
            side,
            used: match self.clock {
                Clock::Processor => answer.cpu.0,
                Clock::Wall => answer.wall.0,
            },
            file: answer.file.as_deref(),
        });
    }
}

impl From<&Question> for Input {
    fn from(question: &Question) -> Input {
        Input {
            args: question.args.clone(),
            stdin: question.stdin.clone().map(Blob::from),
            file: question.file.clone().map(Blob::from),
        }
    }
}

impl From<&Input> for Question {
    fn from(input: &Input) -> Question {
        Question {
            args: input.args.clone(),
            stdin: input.stdin.as_ref().map(|blob| blob.bytes.clone()),
            file: input.file.as_ref().map(|blob| blob.bytes.clone()),
        }
    }
}
