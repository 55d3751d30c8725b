//! A game that was played, as a review sees it.

use std::time::Duration;

use games::{AnyPosition, GameName, Transcript};
use referee::{Ending, GameRecord, Kind};
use rules::{Outcome, Side};
use thiserror::Error;

use crate::knowledge::Knowledge;

/// What a player did with a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Played this move.
    Move(String),
    /// Lost the turn, or the game, by a fault: in words.
    Fault(String),
    /// Gave up.
    Resigned,
}

/// A turn in which a player had a choice.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Its number in the record, from 1.
    pub number: u32,
    /// Who was to move.
    pub side: Side,
    /// The position before.
    pub before: AnyPosition,
    /// What the player did.
    pub action: Action,
    /// The position afterwards; `None` if the game ended by a fault or was given up.
    pub after: Option<AnyPosition>,
    /// Time that the player took, where it was measured.
    pub took: Option<Duration>,
    /// Time that the player had left for the game before this turn, where that was limited.
    pub left: Option<Duration>,
    /// Whether the player is a program that can be asked again.
    pub is_program: bool,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Which game.
    pub game: GameName,
    /// The players, the first to move first.
    pub players: [String; 2],
    /// The turns in order; forced passes are left out.
    pub turns: Vec<Turn>,
    /// Who won; `None` if the game was not finished.
    pub outcome: Option<Outcome>,
    /// Why it ended, in words; empty if that is not known.
    pub ending: String,
}

/// A position or a move in a game that the rules do not know.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("turn {turn}: {what}")]
pub struct Unplayable {
    /// The number of the turn, from 1.
    pub turn: u32,
    /// What is wrong.
    pub what: String,
}

impl Played {
    /// A game read from a text.
    pub fn from_transcript(transcript: &Transcript) -> Result<Played, Unplayable> {
        let game = transcript.start.game();
        let mut at = transcript.start.clone();
        let mut turns = Vec::new();
        for (number, mv) in (1..).zip(&transcript.moves) {
            let before = at.clone();
            let mv = at.play(mv).map_err(|error| Unplayable {
                turn: number,
                what: error.to_string(),
            })?;
            if before.only_pass().is_some() {
                continue;
            }
            turns.push(Turn {
                number,
                side: before.side_to_move(),
                before,
                action: Action::Move(mv),
                after: Some(at.clone()),
                took: None,
                left: None,
                is_program: false,
            });
        }
        Ok(Played {
            game,
            players: Side::BOTH.map(|side| game.side_name(side).to_string()),
            turns,
            outcome: at.outcome(),
            ending: String::new(),
        })
    }

    /// A game that the referee recorded.
    pub fn from_record(record: &GameRecord) -> Result<Played, Unplayable> {
        let game = record.game;
        let mut turns = Vec::new();
        let mut used = [Duration::ZERO; 2];
        for (index, turn) in record.moves.iter().enumerate() {
            let seat = turn.side.index();
            let wrong = |what: String| Unplayable {
                turn: turn.ply,
                what,
            };
            let before =
                AnyPosition::parse(game, &turn.position).map_err(|e| wrong(e.to_string()))?;
            let left = time_left(record, seat, used[seat]);
            used[seat] += clock_of(record, seat, turn);
            let next = record.moves.get(index + 1);
            // A fault that is followed by another try is no turn.
            if next.is_some_and(|next| next.attempt > 1) {
                continue;
            }
            let mut after = before.clone();
            let (action, after) = match &turn.mv {
                Some(mv) if turn.verdict.is_ok() => {
                    let mv = after.play(mv).map_err(|e| wrong(e.to_string()))?;
                    (Action::Move(mv), Some(after))
                }
                _ if record.ending == (Ending::Resigned { side: turn.side }) && next.is_none() => {
                    (Action::Resigned, None)
                }
                _ => {
                    let ends = next.is_none() && matches!(record.ending, Ending::Fault { .. });
                    let lost = before.forfeit().filter(|_| !ends).map(|(after, _)| after);
                    (Action::Fault(turn.verdict.to_string()), lost)
                }
            };
            turns.push(Turn {
                number: turn.ply,
                side: before.side_to_move(),
                before,
                action,
                after,
                took: Some(turn.wall.0),
                left,
                is_program: record.players[seat].kind != Kind::Bot,
            });
        }
        Ok(Played {
            game,
            players: [0, 1].map(|seat| record.players[seat].name.clone()),
            turns,
            outcome: record.score.outcome(),
            ending: record.ending.to_string(),
        })
    }

    /// The keys of all positions of the game and of those one move away from them.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        for turn in &self.turns {
            keys.extend(turn.after.iter().map(Knowledge::key));
            keys.push(Knowledge::key(&turn.before));
            for mv in turn.before.moves() {
                let mut after = turn.before.clone();
                if after.play(&mv).is_ok() {
                    keys.push(Knowledge::key(&after));
                }
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Every position of the game with a choice or after a move, from the end backwards; none
    /// of them twice in a row.
    pub(crate) fn backwards(&self) -> Vec<&AnyPosition> {
        let turns = self.turns.iter().rev();
        let mut positions: Vec<&AnyPosition> = turns
            .flat_map(|turn| turn.after.iter().chain([&turn.before]))
            .collect();
        positions.dedup();
        positions
    }
}

/// What the clock of the whole game says, where there is one: wall time or processor time.
fn clock_of(record: &GameRecord, seat: usize, turn: &referee::MoveRecord) -> Duration {
    match record.limits[seat].game_wall {
        Some(_) => turn.wall.0,
        None => turn.cpu.0,
    }
}

fn time_left(record: &GameRecord, seat: usize, used: Duration) -> Option<Duration> {
    let limits = &record.limits[seat];
    let whole = limits.game_wall.or(limits.game_cpu)?;
    Some(whole.0.saturating_sub(used))
}
