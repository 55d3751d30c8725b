//! Othello engines that speak the NBoard protocol.

use reversi::Position;
use rules::{Game, Side};

use super::engine::{Engine, Failed};
use super::program::Program;
use super::{Answer, Player, Turn};
use crate::Verdict;

/// An NBoard engine. It is given the position anew for every move.
pub(crate) struct NboardPlayer {
    engine: Engine,
    pings: u32,
}

impl NboardPlayer {
    pub(crate) fn new(program: Program) -> NboardPlayer {
        NboardPlayer {
            engine: Engine::new(program),
            pings: 0,
        }
    }

    fn ping(&mut self) {
        self.pings += 1;
        self.engine.send(&format!("ping {}", self.pings));
    }

    /// Starts the engine if need be, sets the position, and waits until it is ready.
    fn prepare(&mut self, turn: &Turn) -> Result<(), Failed> {
        if !self.engine.is_running() {
            self.engine.start(&turn.limits)?;
            self.engine.send("nboard 2");
            self.ping();
            let pong = |output: &[u8]| end_of_pong(output, self.pings);
            self.engine.started(&pong, &turn.limits, turn.stop)?;
        } else {
            self.engine.begin_turn()?;
        }
        let position = turn.position.downcast_ref::<Position>();
        let position = position.ok_or_else(|| Verdict::Protocol {
            what: format!("{} is another game", turn.position.game()),
        })?;
        self.engine.send(&format!("set game {}", ggf(position)));
        self.ping();
        // One wait for all of its lines: an engine that chatters on must not wait for ever.
        let pong = |output: &[u8]| end_of_pong(output, self.pings);
        self.engine.expect(&pong, &turn.limits, turn.stop)?;
        Ok(())
    }
}

impl Player for NboardPlayer {
    fn ask(&mut self, turn: &Turn) -> Answer {
        match self.prepare(turn) {
            Ok(()) => self
                .engine
                .ask("go", &end_of_answer, &turn.limits, turn.stop, read),
            Err(fault) => self.engine.failed(fault),
        }
    }

    fn restless(&mut self) -> Option<Verdict> {
        self.engine.restless()
    }
}

/// A game in the GGF form that has only this position. The rows stand without blanks
/// between them, as NBoard writes them: some engines read nothing else.
fn ggf(position: &Position) -> String {
    let (black, white) = (position.discs(Side::First), position.discs(Side::Second));
    let mut board = String::new();
    for square in reversi::Square::all() {
        board.push(match (black.contains(square), white.contains(square)) {
            (true, _) => '*',
            (_, true) => 'O',
            _ => '-',
        });
    }
    let side = ['*', 'O'][position.side_to_move().index()];
    format!("(;GM[Othello]PC[Ludex]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 {board} {side}];)")
}

fn end_of_line(output: &[u8]) -> Option<usize> {
    output
        .iter()
        .position(|byte| *byte == b'\n')
        .map(|at| at + 1)
}

/// The end of the first line that is wanted; others (status, node counts) go before it.
fn end_after(output: &[u8], wanted: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let mut start = 0;
    while let Some(length) = end_of_line(&output[start..]) {
        let end = start + length;
        if wanted(&output[start..end]) {
            return Some(end);
        }
        start = end;
    }
    None
}

/// The end of the line that answers this ping.
fn end_of_pong(output: &[u8], number: u32) -> Option<usize> {
    let number = number.to_string();
    end_after(output, |line| {
        let pong = line.trim_ascii().strip_prefix(b"pong");
        pong.is_some_and(|text| text.trim_ascii() == number.as_bytes())
    })
}

/// The end of the line that starts with `===`.
fn end_of_answer(output: &[u8]) -> Option<usize> {
    end_after(output, |line| line.starts_with(b"==="))
}

/// `=== D3/eval/time` or `=== PA`.
fn read(text: &str) -> Result<String, Failed> {
    let line = text.lines().last().unwrap_or_default();
    let mv = line.trim_start_matches('=').trim();
    let mv = mv
        .split(['/', ' '])
        .next()
        .unwrap_or_default()
        .to_lowercase();
    match mv.as_str() {
        "" => Err(Verdict::broken("go", line)),
        "pa" | "pass" => Ok("pass".into()),
        _ => Ok(mv),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_among_other_lines() {
        let output = b"status thinking\nnodestats 3 1\n=== D3/1.5/0.2\nstatus\n";
        let end = end_of_answer(output).unwrap();
        assert!(output[..end].ends_with(b"0.2\n"));
        assert_eq!(
            read(std::str::from_utf8(&output[..end]).unwrap()).unwrap(),
            "d3"
        );
        assert_eq!(read("=== PA\n").unwrap(), "pass");
        assert!(read("===\n").is_err());
        assert_eq!(end_of_answer(b"=== D3"), None);
    }

    #[test]
    fn a_pong_has_its_number() {
        let output = b"status\npong 1\n pong  2 \r\npong 3";
        assert_eq!(end_of_pong(output, 1), Some(14));
        assert_eq!(end_of_pong(output, 2), Some(25));
        assert_eq!(end_of_pong(output, 3), None);
    }

    #[test]
    fn the_board_reads_back() {
        let mut position = Position::start();
        for _ in 0..30 {
            let game = ggf(&position);
            let records = reversi::notation::read(&game).expect("a game");
            assert_eq!(records[0].last(), position, "{game}");
            position.play_unchecked(position.moves()[0]);
        }
    }
}
