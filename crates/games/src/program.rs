//! How programs are asked to play.

use std::fmt;
use std::time::Duration;

use rules::{MoveError, Side, beginning};
use serde::{Deserialize, Serialize};

use crate::{AnyPosition, GameName};

/// How to talk to a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The position as arguments, the move on standard output, once per move.
    Argv,
    /// `matrix.txt` in the current folder is rewritten, once per move.
    Matrix,
    /// A position on standard input, the position after the move on standard output, once
    /// per move.
    #[serde(rename = "gipf")]
    Stdin,
    /// The one-line text of a position on standard input, the text of the move on standard
    /// output, once per move.
    Line,
    /// An engine that speaks the Go Text Protocol; it keeps running.
    Gtp,
    /// An engine that speaks the NBoard protocol; it keeps running.
    Nboard,
    /// A built-in bot.
    Bot,
}

impl Kind {
    /// All kinds with their names in files and on the command line.
    pub const ALL: [(Kind, &'static str); 7] = [
        (Kind::Argv, "argv"),
        (Kind::Matrix, "matrix"),
        (Kind::Stdin, "gipf"),
        (Kind::Line, "line"),
        (Kind::Gtp, "gtp"),
        (Kind::Nboard, "nboard"),
        (Kind::Bot, "bot"),
    ];

    /// The names of all kinds of programs.
    pub fn programs() -> impl Iterator<Item = &'static str> {
        let programs = Kind::ALL.into_iter().filter(|(kind, _)| kind.is_program());
        programs.map(|(_, name)| name)
    }

    /// The name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        Kind::ALL[self as usize].1
    }

    /// Whether this is a program that a referee has to start.
    #[must_use]
    pub fn is_program(self) -> bool {
        self != Kind::Bot
    }

    /// Whether players of this kind can play the game.
    #[must_use]
    pub fn plays(self, game: GameName) -> bool {
        self == Kind::Bot || game.about().programs.contains(&self)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a program that is started for one move is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Question {
    /// Arguments after the program's own command line.
    pub args: Vec<String>,
    /// Standard input.
    pub stdin: Option<Vec<u8>>,
    /// The content of `matrix.txt`, which the program is to rewrite.
    pub file: Option<Vec<u8>>,
}

/// A file that is rewritten by the rules is far shorter than this, in bytes.
pub const LONGEST_FILE: u64 = 64 << 10;

/// What came back.
#[derive(Clone, Copy, Debug)]
pub struct Reply<'a> {
    /// Standard output.
    pub stdout: &'a [u8],
    /// The content of `matrix.txt`, if the question had one.
    pub file: &'a [u8],
    /// Time taken, on the clock that counts.
    pub used: Duration,
}

/// A turn of either player, when it is over.
#[derive(Clone, Copy, Debug)]
pub struct Spent<'a> {
    /// Whose turn it was.
    pub side: Side,
    /// Time taken, on the clock that counts.
    pub used: Duration,
    /// `matrix.txt` as a program left it, if that was in order.
    pub file: Option<&'a [u8]>,
}

/// The time of a game, as programs that write it down are held to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameTime {
    /// The time that each player has for the whole game.
    pub whole: [Duration; 2],
    /// How far the time that a program writes may lie from the clock.
    pub own_error: Duration,
    /// How far the opponent's written time may be changed.
    pub other_error: Duration,
}

/// Why an answer is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Nothing was said.
    NoOutput,
    /// What was said is no move at all.
    Unreadable {
        /// The beginning of it.
        answer: String,
        /// What was expected instead.
        reason: String,
    },
    /// The rewritten file is not what one legal move makes of it.
    FalseFile {
        /// Line of the file, from 1.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// The rules forbid the move.
    Illegal {
        /// The move as the game writes it.
        text: String,
        /// The rule that it breaks.
        reason: String,
    },
}

impl From<MoveError> for Refusal {
    fn from(error: MoveError) -> Refusal {
        match error {
            MoveError::Illegal { text, reason } => Refusal::Illegal { text, reason },
            MoveError::Unreadable { text, reason } => Refusal::Unreadable {
                answer: text,
                reason,
            },
        }
    }
}

impl Refusal {
    /// What was said is no move at all.
    pub(crate) fn unreadable(answer: &str, reason: impl Into<String>) -> Refusal {
        Refusal::Unreadable {
            answer: beginning(answer),
            reason: reason.into(),
        }
    }
}

/// The dialogue of [`Kind::Line`], for any game.
pub(crate) struct Line;

impl OneShot for Line {
    fn ask(&mut self, position: &AnyPosition) -> Question {
        Question {
            stdin: Some(format!("{position}\n").into_bytes()),
            ..Question::default()
        }
    }

    fn read(
        &mut self,
        _: &AnyPosition,
        _: &Question,
        reply: &Reply<'_>,
    ) -> Result<String, Refusal> {
        read_line(reply.stdout)
    }
}

/// The one line that a program printed.
pub fn read_line(output: &[u8]) -> Result<String, Refusal> {
    let printed = String::from_utf8_lossy(output);
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    match lines.iter().filter(|line| !line.is_empty()).count() {
        0 => Err(Refusal::NoOutput),
        1 => Ok(lines.concat()),
        many => {
            let reason = format!("one line with a move is wanted, not {many}");
            Err(Refusal::unreadable(&printed, reason))
        }
    }
}

/// The dialogue with a program that is started anew for every move, over one game.
pub trait OneShot {
    /// What to give the program in this position.
    fn ask(&mut self, position: &AnyPosition) -> Question;

    /// The move that the program chose, not yet checked by the rules.
    fn read(
        &mut self,
        position: &AnyPosition,
        question: &Question,
        reply: &Reply<'_>,
    ) -> Result<String, Refusal>;

    /// Takes notice of a turn, the program's own or the opponent's.
    fn observe(&mut self, spent: &Spent<'_>) {
        let _ = spent;
    }

    /// Goes back to the moment at which this question was asked.
    fn resume(&mut self, question: &Question) {
        let _ = question;
    }
}
