//! Built-in bots.

use std::time::Instant;

use bots::Bot;
use search::Score;

use super::{Answer, Player, Turn};
use crate::process::thread_time;
use crate::{GameSetup, PlayerSpec, RefereeError, Seconds};

/// A built-in bot; it plays in the referee's own process.
pub(crate) struct BotPlayer(Bot);

impl BotPlayer {
    pub(crate) fn new(
        spec: &PlayerSpec,
        setup: &GameSetup,
        seed: u64,
    ) -> Result<BotPlayer, RefereeError> {
        let (bot, game) = (spec.bot_spec()?, setup.start.game());
        Ok(BotPlayer(bot.build_with(game, &setup.resources, seed)))
    }
}

impl Player for BotPlayer {
    fn ask(&mut self, turn: &Turn) -> Answer {
        // A bot that fills its limit to the brim would overrun it by the time it takes to notice.
        let margin = |limit: Option<Seconds>| limit.map(|limit| limit.0.mul_f64(0.9));
        let limits = search::Limits {
            wall: margin(turn.limits.wall),
            cpu: margin(turn.limits.cpu),
            stop: Some(turn.stop.clone()),
            ..search::Limits::default()
        };
        let (wall, cpu) = (Instant::now(), thread_time());
        let choice = self.0.choose(turn.position, &limits);
        Answer {
            wall: wall.elapsed().into(),
            cpu: thread_time().saturating_sub(cpu).into(),
            value: choice.opinion().map(Score::value),
            ..super::nothing(Ok(choice.best.unwrap_or_default()))
        }
    }
}
