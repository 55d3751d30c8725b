//! The tester of the Othello document: a program against four algorithms of rising
//! strength.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::AnyPosition;
use rules::Side;
use serde::Serialize;

use crate::{
    Ending, GameRecord, GameSetup, IsolationMode, Limits, MoveRecord, Penalties, PlayerSpec,
    RefereeError, Score, Verdict,
};

/// The four algorithms, weakest first.
pub const OPPONENTS: [&str; 4] = ["random", "greedy", "minimax:3", "alphabeta:d5"];

/// How to test.
#[derive(Clone, Debug)]
pub struct TesterOptions {
    /// Games of each colour against each opponent.
    pub pairs: u32,
    /// Decides the random choices, and the start positions after the usual one.
    pub seed: u64,
    /// Limits that differ from those of the document.
    pub limits: Limits,
    /// What faults cost.
    pub penalties: Penalties,
    /// How the program is kept apart.
    pub isolation: IsolationMode,
}

impl Default for TesterOptions {
    fn default() -> TesterOptions {
        TesterOptions {
            pairs: 1,
            seed: 1,
            limits: Limits::default(),
            penalties: Penalties::for_game(games::REVERSI),
            isolation: IsolationMode::Auto,
        }
    }
}

/// How a program did against one opponent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TesterRow {
    /// The opponent's name.
    pub opponent: String,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Turns lost by faults of the program.
    pub faults: u32,
    /// The first of these faults, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_fault: Option<String>,
    /// The longest move, in seconds of wall time.
    pub slowest: f64,
}

impl TesterRow {
    /// Whether it won more games than it lost.
    #[must_use]
    pub fn beaten(&self) -> bool {
        self.won > self.lost
    }
}

/// What came of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Tested {
    /// How the program did, one row for each opponent that it has met.
    pub rows: Vec<TesterRow>,
    /// How many games there were to be.
    pub planned: u32,
}

impl Tested {
    /// How many games are over.
    #[must_use]
    pub fn played(&self) -> u32 {
        let games = self.rows.iter().map(|row| row.won + row.drawn + row.lost);
        games.sum()
    }

    /// Whether all games have been played; if not, the test was stopped.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.played() == self.planned
    }

    /// The verdict in one sentence; none on a test that was stopped, since what was not played could
    /// have changed it.
    #[must_use]
    pub fn verdict(&self) -> Option<String> {
        self.finished().then(|| sentence(&self.rows))
    }

    /// Where a test stands that was stopped.
    #[must_use]
    pub fn so_far(&self) -> String {
        let faults: u32 = self.rows.iter().map(|row| row.faults).sum();
        let faults = match faults {
            0 => "no fault".into(),
            1 => "one fault".into(),
            many => format!("{many} faults"),
        };
        let (played, planned) = (self.played(), self.planned);
        format!("stopped after {played} of {planned} games, {faults} so far, no verdict")
    }
}

/// The verdict on a program: in one sentence.
fn sentence(rows: &[TesterRow]) -> String {
    let faults: u32 = rows.iter().map(|row| row.faults).sum();
    let beaten: Vec<&str> = rows
        .iter()
        .filter(|row| row.beaten())
        .map(|row| row.opponent.as_str())
        .collect();
    let strength = match beaten.len() {
        0 => "beats none of them".into(),
        count if count == rows.len() => "beats all of them".into(),
        _ => format!("beats {}", beaten.join(", ")),
    };
    match faults {
        0 => format!("{strength}, without a fault"),
        1 => format!("{strength}, with one fault"),
        many => format!("{strength}, with {many} faults"),
    }
}

/// Plays the program against all four. `watch` sees every turn with the number of its
/// game, `done` every game that was played, the last one as far as it came before `stop` was set.
pub fn test_othello(
    player: &PlayerSpec,
    options: &TesterOptions,
    watch: &mut dyn FnMut(&MoveRecord),
    done: &mut dyn FnMut(&str, Side, &GameRecord),
    stop: &Arc<AtomicBool>,
) -> Result<Tested, RefereeError> {
    let planned = options
        .pairs
        .saturating_mul(2)
        .saturating_mul(OPPONENTS.len() as u32);
    let mut rows = Vec::new();
    for opponent in OPPONENTS {
        let mut row = TesterRow {
            opponent: opponent.into(),
            won: 0,
            drawn: 0,
            lost: 0,
            faults: 0,
            first_fault: None,
            slowest: 0.0,
        };
        for pair in 0..options.pairs {
            for side in Side::BOTH {
                let seed = options.seed.wrapping_add(u64::from(pair));
                let start = match pair {
                    0 => AnyPosition::start(games::REVERSI),
                    _ => AnyPosition::random_start(games::REVERSI, seed),
                };
                let bot: PlayerSpec = opponent.parse()?;
                let players = match side {
                    Side::First => [player.clone(), bot],
                    Side::Second => [bot, player.clone()],
                };
                let mut setup = GameSetup::new(start, players);
                // The program's limits are its own; a bot is never late.
                setup.players[side.index()].limits = player.limits.with(&options.limits);
                setup.penalties = options.penalties;
                setup.seed = seed;
                setup.isolation = options.isolation;
                let record = play_until_judged(&setup, watch, stop)?;
                row.count(&record, side);
                done(opponent, side, &record);
                if record.score == Score::None {
                    rows.push(row);
                    return Ok(Tested { rows, planned });
                }
            }
        }
        rows.push(row);
    }
    Ok(Tested { rows, planned })
}

/// How often a game is played that the machine spoils.
const AGAIN: u32 = 3;

/// Plays a game, again if the machine has spoilt it.
fn play_until_judged(
    setup: &GameSetup,
    watch: &mut dyn FnMut(&MoveRecord),
    stop: &Arc<AtomicBool>,
) -> Result<GameRecord, RefereeError> {
    let mut spoilt = RefereeError::Busy { times: AGAIN };
    for _ in 0..AGAIN {
        let record = crate::play_game(setup, watch, stop)?;
        match record.ending {
            Ending::Machine {
                verdict: Verdict::NotStarted { reason },
                ..
            } => spoilt = RefereeError::NotStarted { reason },
            Ending::Machine { .. } => {}
            _ => return Ok(record),
        }
    }
    Err(spoilt)
}

impl TesterRow {
    fn count(&mut self, record: &GameRecord, side: Side) {
        match record.score.outcome().map(|outcome| outcome.sign_for(side)) {
            Some(1) => self.won += 1,
            Some(0) => self.drawn += 1,
            Some(_) => self.lost += 1,
            None => {}
        }
        for fault in record.faults(side) {
            self.faults += 1;
            let sentence = || format!("turn {}: {}", fault.ply, fault.verdict);
            self.first_fault.get_or_insert_with(sentence);
        }
        for turn in record.moves.iter().filter(|turn| turn.side == side.into()) {
            self.slowest = self.slowest.max(turn.wall.0.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(opponent: &str, won: u32, lost: u32, faults: u32) -> TesterRow {
        TesterRow {
            opponent: opponent.into(),
            won,
            drawn: 0,
            lost,
            faults,
            first_fault: None,
            slowest: 0.0,
        }
    }

    #[test]
    fn verdicts_are_sentences() {
        let rows = [row("random", 2, 0, 0), row("greedy", 0, 2, 0)];
        assert_eq!(sentence(&rows), "beats random, without a fault");
        assert_eq!(sentence(&rows[..1]), "beats all of them, without a fault");
        let rows = [row("random", 1, 1, 3)];
        assert_eq!(sentence(&rows), "beats none of them, with 3 faults");
    }

    #[test]
    fn a_test_that_was_stopped_has_no_verdict() {
        let player = PlayerSpec::bot("greedy".parse().unwrap());
        let stop = Arc::new(AtomicBool::new(false));
        let mut games = 0;
        let tested = test_othello(
            &player,
            &TesterOptions::default(),
            &mut |_| (),
            &mut |_, _, _| {
                games += 1;
                stop.store(games == 3, std::sync::atomic::Ordering::Relaxed);
            },
            &stop,
        )
        .unwrap();
        assert_eq!((tested.played(), tested.verdict()), (3, None));
        let so_far = "stopped after 3 of 8 games, no fault so far, no verdict";
        assert_eq!(tested.so_far(), so_far);
    }
}
