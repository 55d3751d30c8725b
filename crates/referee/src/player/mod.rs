//! Players as the referee sees them: asked for a move, they give an answer.

mod bot;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bots::AnyPosition;

use crate::{Blob, Input, Limits, PlayerSpec, RefereeError, Seconds, Size, Verdict};

/// One question to a player.
pub(crate) struct Turn<'a> {
    /// The position to move in.
    pub(crate) position: &'a AnyPosition,
    /// What is left to the player now: the tighter of its limits per move and per game.
    pub(crate) limits: Limits,
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
}

/// Somebody who can be asked for a move.
pub(crate) trait Player {
    /// Asks for a move. Never fails: what goes wrong is in the answer.
    fn ask(&mut self, turn: &Turn) -> Answer;
}

/// Brings a player to the table.
pub(crate) fn seat(
    spec: &PlayerSpec,
    position: &AnyPosition,
    seed: u64,
) -> Result<Box<dyn Player>, RefereeError> {
    let game = position.game();
    spec.check(game)?;
    if spec.kind.is_program() {
        return Err(RefereeError::Player {
            name: spec.name.clone(),
            reason: "programs cannot be started yet".into(),
        });
    }
    Ok(Box::new(bot::BotPlayer::new(spec, game, seed)?))
}
