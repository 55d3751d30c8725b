//! Players as the referee sees them: asked for a move, they give an answer.

mod argv;
mod bot;
mod engine;
mod gipf;
mod gtp;
mod matrix;
mod nboard;
pub(crate) mod program;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bots::AnyPosition;
use mmpawns::matrix::Account;

pub(crate) use self::argv::{arguments as argv_arguments, read as argv_read};
pub(crate) use self::matrix::check as matrix_check;
use self::program::Program;
use crate::{
    Blob, GameSetup, Input, IsolationMode, Kind, Limits, RefereeError, Seconds, Size, Verdict,
};

/// One question to a player.
pub(crate) struct Turn<'a> {
    /// The position to move in.
    pub(crate) position: &'a AnyPosition,
    /// Where the game started.
    pub(crate) start: &'a AnyPosition,
    /// All moves since then; a lost turn is a pass.
    pub(crate) history: &'a [String],
    /// What is left to the player now: the tighter of its limits per move and per game.
    pub(crate) limits: Limits,
    /// The players' lines in `matrix.txt`.
    pub(crate) accounts: &'a [Account; 2],
    /// Set when the game is to be stopped.
    pub(crate) stop: &'a Arc<AtomicBool>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    /// What the program was given.
    pub(crate) input: Input,
    /// What it wrote.
    pub(crate) raw: Blob,
    /// The move, not yet checked by the rules; or the fault that kept it from giving one.
    pub(crate) mv: Result<String, Verdict>,
    /// Wall time.
    pub(crate) wall: Seconds,
    /// Processor time.
    pub(crate) cpu: Seconds,
    /// Most memory held at once.
    pub(crate) memory: Size,
    /// Standard error.
    pub(crate) stderr: Blob,
    /// The player's own estimate.
    pub(crate) value: Option<i32>,
    /// The player's line in `matrix.txt` after the move, if it wrote one.
    pub(crate) account: Option<Account>,
}

/// An answer without anything but the move or the fault.
pub(crate) fn nothing(mv: Result<String, Verdict>) -> Answer {
    Answer {
        input: Input::default(),
        raw: Blob::default(),
        mv,
        wall: Seconds::ZERO,
        cpu: Seconds::ZERO,
        memory: Size::default(),
        stderr: Blob::default(),
        value: None,
        account: None,
    }
}

/// Somebody who can be asked for a move.
pub(crate) trait Player {
    /// Asks for a move. Never fails: what goes wrong is in the answer.
    fn ask(&mut self, turn: &Turn) -> Answer;
}

/// Brings player number `index` of a game to the table.
pub(crate) fn seat(
    setup: &GameSetup,
    index: usize,
    mode: IsolationMode,
) -> Result<Box<dyn Player>, RefereeError> {
    let spec = &setup.players[index];
    let game = setup.start.game();
    spec.check(game)?;
    if !spec.kind.is_program() {
        let seed = setup.seed.wrapping_add(index as u64);
        return Ok(Box::new(bot::BotPlayer::new(spec, game, seed)?));
    }
    let program = Program::new(spec, mode)?;
    Ok(match spec.kind {
        Kind::Matrix => Box::new(self::matrix::MatrixPlayer::new(program, setup.penalties)),
        Kind::Gipf => Box::new(self::gipf::GipfPlayer(program)),
        Kind::Gtp => Box::new(gtp::GtpPlayer::new(program)),
        Kind::Nboard => Box::new(nboard::NboardPlayer::new(program)),
        // A bot never comes here.
        Kind::Argv | Kind::Bot => Box::new(self::argv::ArgvPlayer(program)),
    })
}
