//! Running a program again on the very input of a recorded move.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::AnyPosition;

use crate::game::judge_alone;
use crate::player::{Turn, seat};
use crate::{GameRecord, GameSetup, IsolationMode, MoveRecord, RefereeError, process};

/// Asks the player of a recorded turn again: the same position, the same input, the same
/// limits. `index` counts the record's turns from 0.
pub fn replay(
    record: &GameRecord,
    index: usize,
    isolation: IsolationMode,
    stop: &Arc<AtomicBool>,
) -> Result<MoveRecord, RefereeError> {
    let bad = |reason: String| RefereeError::Record { reason };
    let game = record.game;
    let parse = |text: &str| {
        AnyPosition::parse(game, text).map_err(|error| bad(format!("position {text:?}: {error}")))
    };
    let old = record.moves.get(index).ok_or_else(|| {
        let count = record.moves.len();
        bad(format!("there is no turn {}, only {count}", index + 1))
    })?;
    let setup = GameSetup {
        limits: record.limits[old.side.index()],
        penalties: record.penalties,
        seed: record.seed,
        isolation,
        ..GameSetup::new(parse(&record.start)?, record.players.clone())
    };
    let position = parse(&old.position)?;
    let history = history(record, index, &parse)?;
    let found = process::resolve(isolation)?;
    let mut player = seat(&setup, old.side.index(), found.mode)?;
    let limits = record.limits[old.side.index()];
    let answer = player.ask(&Turn {
        position: &position,
        start: &setup.start,
        history: &history,
        limits,
        again: Some(&old.input),
        stop,
    });
    let verdict = judge_alone(&position, &limits, &answer);
    Ok(MoveRecord {
        input: answer.input,
        answer: answer.raw,
        mv: answer.mv.ok(),
        wall: answer.wall,
        cpu: answer.cpu,
        memory: answer.memory,
        stderr: answer.stderr,
        verdict,
        value: answer.value,
        ..old.clone()
    })
}

/// The moves on the board before turn `index`, and lost turns as the game writes them.
fn history(
    record: &GameRecord,
    index: usize,
    parse: &dyn Fn(&str) -> Result<AnyPosition, RefereeError>,
) -> Result<Vec<String>, RefereeError> {
    let mut history = Vec::new();
    for (at, turn) in record.moves[..index].iter().enumerate() {
        let last_try = record
            .moves
            .get(at + 1)
            .is_none_or(|next| next.ply != turn.ply);
        match (&turn.mv, turn.verdict.is_ok()) {
            (Some(mv), true) => history.push(mv.clone()),
            _ if last_try => history.extend(parse(&turn.position)?.forfeit().map(|(_, lost)| lost)),
            _ => {}
        }
    }
    Ok(history)
}
