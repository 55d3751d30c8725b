//! Players as the referee sees them: asked for a move, they give an answer.

mod bot;
mod engine;
mod gtp;
mod nboard;
mod one_shot;
pub(crate) mod program;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use games::{AnyPosition, GameTime};
use rules::Side;

use self::one_shot::OneShotPlayer;
use self::program::Program;
use crate::{
    Blob, Clock, GameSetup, Input, IsolationMode, Kind, Limits, PlayerSpec, RefereeError, Seconds,
    Size, Verdict,
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
    /// The input of a recorded turn, which is to be given once more.
    pub(crate) again: Option<&'a Input>,
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
    /// How long the machine kept it waiting for a processor.
    pub(crate) delay: Seconds,
    /// Most memory held at once.
    pub(crate) memory: Size,
    /// Standard error.
    pub(crate) stderr: Blob,
    /// The player's own estimate.
    pub(crate) value: Option<i32>,
    /// The file that the program was to rewrite, if it did that well.
    pub(crate) file: Option<Vec<u8>>,
}

impl Answer {
    /// Whether the machine kept the player waiting for at least half of its time: ready to
    /// run, neither computing nor asleep.
    pub(crate) fn was_held_up(&self, limit: Seconds) -> bool {
        was_held_up(self.wall.0, self.cpu.0, self.delay.0, limit.0)
    }
}

/// The same of a program by its times: wall, processor, and waiting for a processor.
pub(crate) fn was_held_up(wall: Duration, cpu: Duration, delay: Duration, limit: Duration) -> bool {
    2 * delay.min(wall.saturating_sub(cpu)) >= limit
}

/// An answer without anything but the move or the fault.
pub(crate) fn nothing(mv: Result<String, Verdict>) -> Answer {
    Answer {
        input: Input::default(),
        raw: Blob::default(),
        mv,
        wall: Seconds::ZERO,
        cpu: Seconds::ZERO,
        delay: Seconds::ZERO,
        memory: Size::default(),
        stderr: Blob::default(),
        value: None,
        file: None,
    }
}

/// Somebody who can be asked for a move.
pub(crate) trait Player {
    /// Asks for a move. Never fails: what goes wrong is in the answer.
    fn ask(&mut self, turn: &Turn) -> Answer;

    /// Takes notice of an answer, its own or the opponent's.
    fn observe(&mut self, side: Side, answer: &Answer) {
        let _ = (side, answer);
    }

    /// The fault of a player that goes on computing while its opponent is to move.
    fn restless(&mut self) -> Option<Verdict> {
        None
    }
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
        return Ok(Box::new(bot::BotPlayer::new(spec, setup, seed)?));
    }
    let program = Program::new(spec, mode)?;
    Ok(match spec.kind {
        Kind::Gtp => Box::new(gtp::GtpPlayer::new(program)),
        Kind::Nboard => Box::new(nboard::NboardPlayer::new(program)),
        kind => {
            let dialogue = game.one_shot(kind, &game_time(setup));
            let dialogue = dialogue.ok_or_else(|| RefereeError::Player {
                name: spec.name.clone(),
                reason: format!("a {kind} player cannot play {game}"),
            })?;
            let clock = setup.penalties.clock;
            Box::new(OneShotPlayer::new(program, dialogue, clock))
        }
    })
}

/// The time of both players, as the programs see it.
fn game_time(setup: &GameSetup) -> GameTime {
    let time = |player: &PlayerSpec| {
        let limits = setup.limits.with(&player.limits);
        let whole = match setup.penalties.clock {
            Clock::Processor => limits.game_cpu,
            Clock::Wall => limits.game_wall.or(limits.game_cpu),
        };
        whole.map_or(UNSAID_TIME, |whole| whole.0)
    };
    GameTime {
        whole: setup.players.each_ref().map(time),
        own_error: setup.penalties.own_time.0,
        other_error: setup.penalties.other_time.0,
    }
}

/// The time of a whole game that programs see where no limit says it.
const UNSAID_TIME: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_waiting_for_a_processor_excuses() {
        let ms = Duration::from_millis;
        // Wall, processor and waiting, of a limit of 1 s.
        for (wall, cpu, delay, expected) in [
            (1190, 10, 1100, true),
            (1100, 500, 500, true),
            // It slept, or thought.
            (1190, 10, 0, false),
            (1100, 1090, 10, false),
            // Its own threads kept each other waiting.
            (1100, 1000, 900, false),
        ] {
            let found = was_held_up(ms(wall), ms(cpu), ms(delay), ms(1000));
            assert_eq!(found, expected, "{wall} {cpu} {delay}");
        }
    }
}
