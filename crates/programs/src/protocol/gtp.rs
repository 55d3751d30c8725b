//! GTP, the text protocol that came from Go, as Othello programs use it: `a1` is top left,
//! the colours are `black` and `white`, who cannot move passes.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use ::reversi::{Move, Position, Square};
use rules::{Game, Side};
use search::Limits;

use super::ProtocolEngine;

const COMMANDS: &[&str] = &[
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "list_games",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Answers commands until `quit` or the end of input. `limits` hold for every move on
/// which the controller has set no clock.
pub fn run(
    input: impl BufRead,
    mut output: impl Write,
    engine: &mut dyn ProtocolEngine,
    limits: Limits,
) -> io::Result<()> {
    let mut session = Session {
        history: vec![Position::start()],
        engine,
        limits,
        settings: Clock::default(),
        clocks: [Clock::default(); 2],
    };
    for line in input.split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        // Control characters go, tabs are blanks, `#` starts a comment.
        let line: String = line
            .split('#')
            .next()
            .unwrap_or_default()
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        let mut words = line.split_whitespace().peekable();
        let id = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let Some(command) = words.next() else {
            continue;
        };
        let arguments: Vec<&str> = words.collect();
        let (sign, answer) = match session.answer(command, &arguments) {
            Ok(answer) => ('=', answer),
            Err(answer) => ('?', answer),
        };
        let id = id.unwrap_or_default();
        let blank = if answer.is_empty() { "" } else { " " };
        write!(output, "{sign}{id}{blank}{answer}\n\n")?;
        output.flush()?;
        if command == "quit" {
            break;
        }
    }
    Ok(())
}

/// A side's time: what the controller said, less what our moves took since then.
#[derive(Clone, Copy, Default)]
struct Clock {
    /// Time and, in overtime, moves left; `None` as long as no clock is set.
    left: Option<(Duration, u32)>,
    /// Overtime: so much time for so many moves.
    overtime: (Duration, u32),
    /// How much less may be left than we think.
    doubt: Duration,
}

impl Clock {
    /// The controller says what is left.
    fn hear(&mut self, time: Duration, moves: u32) {
        // GTP has whole seconds, rounded either way: our own count is closer.
        const ROUNDING: Duration = Duration::from_secs(1);
        let whole = time.subsec_nanos() == 0;
        self.doubt = Duration::ZERO;
        match self.left {
            Some((left, 0)) if whole && moves == 0 && left.abs_diff(time) < ROUNDING => {
                self.doubt = left.saturating_sub(time);
            }
            _ => self.left = Some((time, moves)),
        }
    }

    /// A move took so long.
    fn spend(&mut self, spent: Duration) {
        let Some((left, moves)) = self.left else {
            return;
        };
        let (after, beyond) = (left.saturating_sub(spent), spent.saturating_sub(left));
        let (time, per) = self.overtime;
        let next = match moves {
            // A move with which the main time ends is the first of the overtime.
            0 if per > 1 && !beyond.is_zero() => (time.saturating_sub(beyond), per - 1),
            0 if per > 0 && after.is_zero() => self.overtime,
            0 => (after, 0),
            1 => self.overtime,
            _ => (after, moves - 1),
        };
        if next.1 > 0 {
            // The doubt was about the main time.
            self.doubt = Duration::ZERO;
        }
        self.left = Some(next);
    }
}

struct Session<'a> {
    /// Every position of the game; the last one is on the board.
    history: Vec<Position>,
    engine: &'a mut dyn ProtocolEngine,
    limits: Limits,
    /// The clock with which each side begins a game.
    settings: Clock,
    clocks: [Clock; 2],
}

impl Session<'_> {
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Result<String, String> {
        let none = || Ok(String::new());
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".into()),
            ("name", _) => Ok("Ludex".into()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").into()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("known_command", [name, ..]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_games", _) => Ok("Othello".into()),
            ("set_game", [name]) if name.eq_ignore_ascii_case("othello") => none(),
            ("set_game", _) => Err("unsupported game".into()),
            ("quit", _) => none(),
            ("boardsize", ["8"]) | ("komi", [_]) => none(),
            ("boardsize", _) => Err("unacceptable size".into()),
            ("clear_board", _) => {
                self.history = vec![Position::start()];
                self.clocks = [self.settings; 2];
                self.engine.forget();
                none()
            }
            ("play", [colour, mv]) => {
                let side = side(colour)?;
                let position = self.turn_of(side)?;
                let mv = position.parse_move(mv).map_err(|e| e.to_string())?;
                self.push(position, mv);
                none()
            }
            ("genmove" | "reg_genmove", [colour]) => {
                let side = side(colour)?;
                let position = self.turn_of(side)?;
                if position.outcome().is_some() {
                    return Ok("PASS".into());
                }
                let clock = search::Clock::start(&self.limits);
                let mv = self.choose(&position, side);
                if command == "genmove" {
                    self.clocks[side.index()].spend(clock.elapsed());
                    self.push(position, mv);
                }
                Ok(mv.square().map_or("PASS".into(), |s| s.to_string()))
            }
            ("undo", _) => {
                if self.history.len() < 2 {
                    return Err("cannot undo".into());
                }
                self.history.pop();
                none()
            }
            ("time_settings", [main, overtime, moves]) => {
                let (main, overtime) = (seconds(main)?, seconds(overtime)?);
                let moves: u32 = moves.parse().map_err(|_| bad("number of moves", moves))?;
                // Overtime without moves means no limit at all.
                let endless = moves == 0 && !overtime.is_zero();
                self.settings = Clock {
                    left: (!endless).then_some(if main.is_zero() && moves > 0 {
                        (overtime, moves)
                    } else {
                        (main, 0)
                    }),
                    overtime: (overtime, moves),
                    doubt: Duration::ZERO,
                };
                self.clocks = [self.settings; 2];
                none()
            }
            ("time_left", [colour, time, moves]) => {
                let side = side(colour)?;
                let moves = moves.parse().map_err(|_| bad("number of moves", moves))?;
                self.clocks[side.index()].hear(seconds(time)?, moves);
                none()
            }
            ("final_score", _) => self.final_score(),
            ("showboard", _) => Ok(self.show()),
            (name, _) if COMMANDS.contains(&name) => Err("syntax error".into()),
            _ => Err("unknown command".into()),
        }
    }

    fn position(&self) -> Position {
        *self.history.last().expect("the start is never undone")
    }

    /// The position with this side to move: as it is, or after the other side's forced pass.
    fn turn_of(&self, side: Side) -> Result<Position, String> {
        let mut position = self.position();
        if position.side_to_move() != side && position.is_legal(Move::PASS) {
            position.play_unchecked(Move::PASS);
        }
        if position.side_to_move() == side || position.outcome().is_some() {
            Ok(position)
        } else {
            Err(format!(
                "not the turn of {}",
                Position::side_name(side).to_lowercase()
            ))
        }
    }

    fn push(&mut self, before: Position, mv: Move) {
        let mut after = before;
        after.play_unchecked(mv);
        self.history.push(after);
    }

    fn choose(&mut self, position: &Position, side: Side) -> Move {
        if position.is_legal(Move::PASS) {
            return Move::PASS;
        }
        let limits = match self.clocks[side.index()].left {
            None => self.limits.clone(),
            Some(_) => self.limits_for_move(position, side),
        };
        let report = self.engine.think(position, &limits);
        report.best.unwrap_or(Move::PASS)
    }

    /// How long to think: the engine's share of what is left for the game, an even one of
    /// what is left for some moves; a little is kept back for the way of the answer.
    fn limits_for_move(&self, position: &Position, side: Side) -> Limits {
        const KEPT: Duration = Duration::from_millis(50);
        const LEAST: Duration = Duration::from_millis(1);
        let clock = self.clocks[side.index()];
        let (left, moves) = clock.left.unwrap_or_default();
        let wall = |time: Duration| Limits::default().with_wall(time);
        let share = match (moves, clock.overtime) {
            (0, (overtime, per)) => {
                // Main time is followed by overtime, so all of it may go.
                let later = overtime.checked_div(per).unwrap_or_default() / 2;
                let left = (left + later).saturating_sub(KEPT);
                othello::allot(left, position.board().empty().len())
            }
            (moves, _) => wall((left / moves).saturating_sub(KEPT / 5)),
        };
        let sure = left.saturating_sub(clock.doubt + KEPT);
        share.and(&wall(sure.max(LEAST)))
    }

    fn final_score(&self) -> Result<String, String> {
        let position = self.position();
        if position.outcome().is_none() {
            return Err("the game is not over".into());
        }
        let discs = |side| position.discs(side).len();
        let (black, white) = (discs(Side::First), discs(Side::Second));
        Ok(match black.cmp(&white) {
            std::cmp::Ordering::Greater => format!("B+{}", black - white),
            std::cmp::Ordering::Less => format!("W+{}", white - black),
            std::cmp::Ordering::Equal => "0".into(),
        })
    }

    fn show(&self) -> String {
        let position = self.position();
        let mut text = String::from("\n  A B C D E F G H\n");
        for row in 0..8 {
            text += &(row + 1).to_string();
            for column in 0..8 {
                let square = Square::new(row * 8 + column);
                text += match Side::BOTH.map(|side| position.discs(side).contains(square)) {
                    [true, _] => " X",
                    [_, true] => " O",
                    _ => " .",
                };
            }
            text.push('\n');
        }
        let side = Position::side_name(position.side_to_move());
        text + &format!("{side} to move")
    }
}

fn side(word: &str) -> Result<Side, String> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => Err(bad("colour", word)),
    }
}

fn seconds(word: &str) -> Result<Duration, String> {
    word.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| bad("number of seconds", word))
}

fn bad(what: &str, word: &str) -> String {
    format!("{word:?} is not a {what}")
}
