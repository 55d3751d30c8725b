//! Built-in bots.

use std::time::{Duration, Instant};

use bots::Bot;
use search::Score;

use super::{Answer, Player, Turn};
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
        let (wall, cpu) = (Instant::now(), thread_cpu());
        let choice = self.0.choose(turn.position, &limits);
        Answer {
            wall: wall.elapsed().into(),
            cpu: thread_cpu().saturating_sub(cpu).into(),
            value: choice.opinion().map(Score::value),
            ..super::nothing(Ok(choice.best.unwrap_or_default()))
        }
    }
}

/// Processor time of this thread so far.
fn thread_cpu() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live timespec, which the call fills in.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    if result == 0 {
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    } else {
        Duration::ZERO
    }
}
