//! Othello engines that speak GTP.

use games::AnyPosition;
use reversi::{Move, Position};
use rules::Game;

use super::engine::{Engine, Failed};
use super::program::Program;
use super::{Answer, Player, Turn};
use crate::Verdict;

/// A GTP engine. It is sent the moves that it has not seen yet and asked for the next one.
pub(crate) struct GtpPlayer {
    engine: Engine,
    /// The moves that the engine has on its board, as far as that is known.
    known: Option<Vec<String>>,
}

impl GtpPlayer {
    pub(crate) fn new(program: Program) -> GtpPlayer {
        GtpPlayer {
            engine: Engine::new(program),
            known: None,
        }
    }

    /// Sends a command and waits for its answer.
    fn command(&mut self, line: &str, turn: &Turn) -> Result<String, Failed> {
        self.engine.send(line);
        let text = self.engine.expect(&end, &turn.limits, turn.stop)?;
        reply(line, &text)
    }

    /// Brings the engine's board up to date.
    fn prepare(&mut self, turn: &Turn) -> Result<(), Failed> {
        let line = line_to(turn)?;
        let fresh = !self.engine.is_running();
        if fresh {
            self.engine.start(&turn.limits)?;
            self.engine.send("protocol_version");
            // Which version it speaks does not matter, only that it is there.
            self.engine.started(&end, &turn.limits, turn.stop)?;
        } else {
            self.engine.begin_turn()?;
        }
        let known = self
            .known
            .take()
            .filter(|known| !fresh && line.starts_with(known));
        if known.is_none() {
            self.command("boardsize 8", turn)?;
            self.command("clear_board", turn)?;
            if let Some(wall) = turn.limits.wall {
                // Engines without clocks may refuse; the referee's own clock holds anyway.
                let seconds = wall.0.as_secs_f64();
                match self.command(&format!("time_settings 0 {seconds} 1"), turn) {
                    Ok(_) | Err(Verdict::Protocol { .. }) => {}
                    Err(fault) => return Err(fault),
                }
            }
        }
        let seen = known.map_or(0, |known| known.len());
        let mut position = Position::start();
        for (index, mv) in line.iter().enumerate() {
            if index >= seen {
                let colour = Position::side_name(position.side_to_move()).to_lowercase();
                self.command(&format!("play {colour} {mv}"), turn)?;
            }
            step(&mut position, mv);
        }
        self.known = Some(line);
        Ok(())
    }
}

impl Player for GtpPlayer {
    fn ask(&mut self, turn: &Turn) -> Answer {
        if let Err(fault) = self.prepare(turn) {
            return self.engine.failed(fault);
        }
        let side = turn.position.side_to_move();
        let colour = Position::side_name(side).to_lowercase();
        let line = format!("genmove {colour}");
        let answer = self
            .engine
            .ask(&line, &end, &turn.limits, turn.stop, |text| {
                match reply(&line, text)?.to_lowercase() {
                    mv if mv == "resign" => Err(Verdict::Resigned),
                    mv => Ok(mv),
                }
            });
        match &answer.mv {
            Ok(mv) => self
                .known
                .iter_mut()
                .for_each(|known| known.push(mv.clone())),
            Err(_) => self.known = None,
        }
        answer
    }

    fn restless(&mut self) -> Option<Verdict> {
        self.engine.restless()
    }
}

/// Where an answer ends: after an empty line.
fn end(output: &[u8]) -> Option<usize> {
    let text: Vec<u8> = output.to_vec();
    for (at, window) in text.windows(2).enumerate() {
        if window == b"\n\n" {
            return Some(at + 2);
        }
        if window == b"\n\r" && text.get(at + 2) == Some(&b'\n') {
            return Some(at + 3);
        }
    }
    None
}

/// What follows the `=` of an answer.
fn reply(command: &str, text: &str) -> Result<String, Failed> {
    let text = text.trim();
    match text.strip_prefix('=') {
        Some(answer) => Ok(answer.trim().into()),
        None => Err(Verdict::broken(command, text)),
    }
}

/// Plays a move on a position as engines see it, where a lost turn is a pass.
fn step(position: &mut Position, mv: &str) {
    match position.parse_move(mv) {
        Ok(mv) => position.play_unchecked(mv),
        Err(_) => *position = Position::new(position.board().pass(), !position.side_to_move()),
    }
}

/// All moves from the usual start: GTP cannot set up a position.
fn line_to(turn: &Turn) -> Result<Vec<String>, Failed> {
    let mut line = opening(turn.start).ok_or_else(|| Verdict::Protocol {
        what: format!(
            "no moves lead to {}, and GTP cannot set up a position",
            turn.start
        ),
    })?;
    line.extend_from_slice(turn.history);
    Ok(line)
}

/// Moves from the usual start to an opening position, if there are any.
fn opening(target: &AnyPosition) -> Option<Vec<String>> {
    let target = *target.downcast_ref::<Position>()?;
    let taken = !target.board().empty();
    // Every move adds one disc; passes do not happen in openings.
    let moves = taken.len().checked_sub(4)?;
    let mut line = Vec::new();
    find(Position::start(), &target, moves.min(20), &mut line)
        .then(|| line.iter().map(ToString::to_string).collect())
}

fn find(position: Position, target: &Position, moves: u32, line: &mut Vec<Move>) -> bool {
    if moves == 0 {
        return position == *target;
    }
    let empty = target.board().empty();
    position.moves().into_iter().any(|mv| {
        // A disc never leaves its square again.
        if mv.square().is_none_or(|square| empty.contains(square)) {
            return false;
        }
        let mut next = position;
        next.play_unchecked(mv);
        line.push(mv);
        let found = find(next, target, moves - 1, line);
        if !found {
            line.pop();
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_found_again() {
        for seed in 0..20 {
            let start = AnyPosition::random_start(games::REVERSI, seed);
            let line = opening(&start).expect("an opening has moves");
            let mut position = AnyPosition::start(games::REVERSI);
            for mv in &line {
                position.play(mv).unwrap();
            }
            assert_eq!(position, start);
        }
        let odd = format!("{}X {}O X", "-".repeat(40), "-".repeat(22));
        let odd = AnyPosition::parse(games::REVERSI, &odd).unwrap();
        assert_eq!(opening(&odd), None);
    }

    #[test]
    fn answers_end_with_an_empty_line() {
        assert_eq!(end(b"= d3\n\n? x"), Some(6));
        assert_eq!(end(b"= d3\r\n\r\n"), Some(8));
        assert_eq!(end(b"= d3\n"), None);
    }
}
