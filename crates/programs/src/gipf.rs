//! The GIPF interpreter: boards, moves, generated positions and solutions by command.
//!
//! Answers go to the output, complaints about unreadable input to the errors. Blank
//! lines are skipped, and trailing blanks and carriage returns do not count. An input that begins
//! with a board instead of a command is a position to play in: the answer is the position after
//! a move, so that the program is a player too.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::time::Duration;

use ::gipf::{Geometry, Position, text};
use gipf_engine::player::Player;
use gipf_engine::solve::{self, Budget, Verdict};
use gipf_engine::tables::{Library, Value};
use rules::{Game, Side};
use search::Limits;

/// What the solver may use up before it gives up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Time for one command.
    pub solve_time: Duration,
    /// Bytes of memory.
    pub memory: usize,
}

impl Default for Options {
    /// Half a minute and one gigabyte.
    fn default() -> Options {
        Options {
            solve_time: Duration::from_secs(30),
            memory: 1 << 30,
        }
    }
}

/// How long a move takes where the input is a position to play in.
const THINKING: Duration = Duration::from_secs(1);

/// Whether the input made sense to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum End {
    /// The input ended after a command.
    Complete,
    /// The input ended in the middle of a board.
    InsideBoard,
}

/// Obeys commands until the input ends.
///
/// ```
/// use programs::gipf::{End, Options, run};
///
/// let input = "LOAD_GAME_BOARD\n2 3 5 5\n2 2 W\n W B\nB _ W\n W B\n\nGEN_ALL_POS_MOV_NUM\n";
/// let (mut output, mut errors) = (Vec::new(), Vec::new());
/// let end = run(input.as_bytes(), &mut output, &mut errors, Options::default())?;
/// assert_eq!(end, End::Complete);
/// assert_eq!(output, b"BOARD_STATE_OK\n4_UNIQUE_MOVES\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run(
    input: impl Read,
    output: impl Write,
    errors: impl Write,
    options: Options,
) -> io::Result<End> {
    run_with(input, output, errors, options, &Library::default())
}

/// Obeys commands until the input ends, with tables of solved variants at hand.
pub fn run_with(
    input: impl Read,
    output: impl Write,
    errors: impl Write,
    options: Options,
    tables: &Library,
) -> io::Result<End> {
    let mut lines = Lines {
        input: BufReader::with_capacity(1 << 16, input),
        output,
        answers: String::new(),
        put_back: None,
        number: 0,
    };
    let mut session = Session {
        tables,
        position: None,
        bad_move: None,
        options,
        errors,
    };
    let first = lines.next_filled()?;
    let board = first.as_deref().map(text::read_variant);
    lines.put_back = first;
    if let Some(Ok(_)) = board
        && let Some(end) = session.play(&mut lines)?
    {
        lines.flush()?;
        return Ok(end);
    }
    let end = loop {
        let Some(line) = lines.next_filled()? else {
            break End::Complete;
        };
        if let Some(end) = session.obey(&line, &mut lines)? {
            break end;
        }
    };
    lines.flush()?;
    Ok(end)
}

/// The lines of the input, and the answers that wait to be sent while more lines are here.
struct Lines<I, O> {
    input: BufReader<I>,
    output: O,
    answers: String,
    put_back: Option<String>,
    /// How many lines have been read.
    number: usize,
}

impl<I: Read, O: Write> Lines<I, O> {
    /// The next line without trailing blanks; `None` at the end of input.
    fn next(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.put_back.take() {
            return Ok(Some(line));
        }
        // Answers travel together only while the next whole line is already here.
        if self.answers.len() > 1 << 15 || !self.input.buffer().contains(&b'\n') {
            self.flush()?;
        }
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()))
    }

    /// The next line that is not blank.
    fn next_filled(&mut self) -> io::Result<Option<String>> {
        loop {
            match self.next()? {
                Some(line) if line.trim().is_empty() => {}
                other => return Ok(other),
            }
        }
    }

    fn answer(&mut self, answer: impl std::fmt::Display) {
        let _ = writeln!(self.answers, "{answer}");
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.write_all(self.answers.as_bytes())?;
        self.answers.clear();
        self.output.flush()
    }
}

/// The rows of a board as far as the input has them.
enum Rows {
    Read(Vec<String>),
    EndOfInput,
}

/// The board that is loaded, and what became of the last move.
struct Session<'a, E> {
    tables: &'a Library,
    position: Option<Position>,
    bad_move: Option<(Side, String)>,
    options: Options,
    errors: E,
}

impl<E: Write> Session<'_, E> {
    /// Obeys one command; says how the input ended if it did.
    fn obey<I: Read, O: Write>(
        &mut self,
        line: &str,
        lines: &mut Lines<I, O>,
    ) -> io::Result<Option<End>> {
        let line = line.trim_start();
        let (command, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if command == "LOAD_GAME_BOARD" {
            return self.load(lines);
        }
        let known = matches!(
            command,
            "PRINT_GAME_BOARD"
                | "DO_MOVE"
                | "PRINT_GAME_STATE"
                | "IS_GAME_OVER"
                | "GEN_ALL_POS_MOV"
                | "GEN_ALL_POS_MOV_NUM"
                | "GEN_ALL_POS_MOV_EXT"
                | "GEN_ALL_POS_MOV_EXT_NUM"
                | "WINNING_SEQUENCE_EXIST"
                | "SOLVE_GAME_STATE"
        );
        if !known {
            writeln!(self.errors, "UNKNOWN_COMMAND {command}")?;
            return Ok(None);
        }
        let Some(position) = self.position else {
            lines.answer("EMPTY_BOARD");
            return Ok(None);
        };
        match command {
            "PRINT_GAME_BOARD" => lines.answer(text::print(&position)),
            "DO_MOVE" => self.do_move(&position, argument.trim(), lines)?,
            "PRINT_GAME_STATE" => lines.answer(self.state(&position)),
            "IS_GAME_OVER" => lines.answer(match position.outcome().and_then(|o| o.winner()) {
                None => "GAME_IN_PROGRESS",
                Some(Side::First) => "THE_WINNER_IS_WHITE",
                Some(Side::Second) => "THE_WINNER_IS_BLACK",
            }),
            "WINNING_SEQUENCE_EXIST" => match argument.trim().parse() {
                Ok(most) => lines.answer(self.winning_sequence(&position, most)),
                Err(_) => self.complain(
                    lines.number,
                    format_args!("{command} wants a number of half-moves, not {argument:?}"),
                )?,
            },
            "SOLVE_GAME_STATE" => lines.answer(self.solve(&position)),
            _ => {
                let next = if command.contains("_EXT") {
                    successors_or_win(&position)
                } else {
                    successors(&position)
                };
                if command.ends_with("_NUM") {
                    lines.answer(format_args!("{}_UNIQUE_MOVES", next.len()));
                } else {
                    next.iter()
                        .for_each(|next| lines.answers.push_str(&text::print(next)));
                }
            }
        }
        Ok(None)
    }

    fn load<I: Read, O: Write>(&mut self, lines: &mut Lines<I, O>) -> io::Result<Option<End>> {
        self.position = None;
        self.bad_move = None;
        let Some(variant) = lines.next_filled()? else {
            return self.unfinished(lines.number);
        };
        let first = lines.number;
        let bad = |error| format!("bad board: {error}");
        let size = match text::read_variant(&variant) {
            Ok(read) => Some(read.size()),
            Err(error) => {
                self.complain(first, bad(error))?;
                if variant.starts_with(|c: char| !c.is_ascii_digit()) {
                    lines.put_back = Some(variant);
                    return Ok(None);
                }
                None
            }
        };
        let Some(reserves) = lines.next_filled()? else {
            return self.unfinished(lines.number);
        };
        let count = size.map_or(usize::MAX, |size| Geometry::of(size).rows().count());
        let rows = match read_rows(lines, count)? {
            Rows::Read(rows) => rows,
            Rows::EndOfInput if size.is_none() => return Ok(None),
            Rows::EndOfInput => return self.unfinished(lines.number),
        };
        if size.is_none() {
            return Ok(None); // already complained about
        }
        match text::load(&variant, &reserves, &rows) {
            Ok(position) => {
                self.position = Some(position);
                lines.answer("BOARD_STATE_OK");
            }
            Err(text::LoadError::Header(error)) => self.complain(first, bad(error))?,
            Err(error) => lines.answer(error),
        }
        Ok(None)
    }

    /// A board that no command announces: the position in which to play, as referees ask
    /// players. The answer is the position after the move.
    fn play<I: Read, O: Write>(&mut self, lines: &mut Lines<I, O>) -> io::Result<Option<End>> {
        if let Some(end) = self.load(lines)? {
            return Ok(Some(end));
        }
        let Some(mut position) = self.position else {
            return Ok(None);
        };
        lines.answers.clear();
        let limits = Limits::default().with_wall(THINKING);
        match Player::default().search(&position, &limits).best {
            Some(mv) => {
                position.play_unchecked(mv);
                lines.answers.push_str(&text::print(&position));
                self.position = Some(position);
            }
            None => self.complain(lines.number, "the game is over, there is no move to play")?,
        }
        Ok(None)
    }

    fn unfinished(&mut self, line: usize) -> io::Result<Option<End>> {
        self.complain(line, "the input ends inside a board")?;
        Ok(Some(End::InsideBoard))
    }

    fn complain(&mut self, line: usize, what: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.errors, "line {line}: {what}")
    }

    fn do_move<I, O>(
        &mut self,
        position: &Position,
        argument: &str,
        lines: &mut Lines<I, O>,
    ) -> io::Result<()>
    where
        I: Read,
        O: Write,
    {
        let mover = position.side_to_move();
        // Blanks around the dash do no harm.
        let words: Vec<&str> = argument.split_whitespace().collect();
        let argument = words.join(" ").replace(" -", "-").replace("- ", "-");
        let first = argument.split(' ').next().unwrap_or_default().to_owned();
        self.bad_move = Some((mover, first));
        if position.reserve(mover) == 0 {
            let name = Position::side_name(mover).to_lowercase();
            let what = format!("{argument}: {name} has no stone in reserve");
            return self.complain(lines.number, what);
        }
        match position.read_move(&argument) {
            Ok(mv) => {
                let mut next = *position;
                next.play_unchecked(mv);
                self.position = Some(next);
                self.bad_move = None;
                lines.answer("MOVE_COMMITTED");
            }
            Err(bad) => lines.answer(bad),
        }
        Ok(())
    }

    fn state(&self, position: &Position) -> String {
        let letter = |side: Side| ['W', 'B'][side.index()];
        if let Some((side, text)) = &self.bad_move {
            return format!("bad_move {} {text}", letter(*side));
        }
        let mover = position.side_to_move();
        match position.outcome().and_then(|outcome| outcome.winner()) {
            None => "in_progress".to_owned(),
            Some(_) if position.reserve(mover) > 0 => format!("dead_lock {}", letter(mover)),
            Some(Side::First) => "white_win".to_owned(),
            Some(Side::Second) => "black_win".to_owned(),
        }
    }

    fn budget(&self) -> Budget {
        Budget {
            limits: Limits::default().with_wall(self.options.solve_time),
            memory: self.options.memory,
        }
    }

    /// Who wins, and in how many plies, if a table knows it.
    fn look_up(&self, position: &Position) -> Option<Option<(Side, u32)>> {
        let mover = position.side_to_move();
        Some(match self.tables.value(position)? {
            Value::Win(length) => Some((mover, length)),
            Value::Loss(length) => Some((!mover, length)),
            Value::Draw => None,
        })
    }

    fn winning_sequence(&self, position: &Position, most: u32) -> String {
        let found = match self.look_up(position) {
            Some(win) => Ok(win.filter(|&(_, length)| length <= most)),
            None => solve::shortest_win(position, most, &self.budget()),
        };
        match found {
            Ok(Some((side, length))) => format!("{}_WINS_IN_{length}", name(side)),
            Ok(None) => "NO_WINNING_SEQUENCE".to_owned(),
            Err(_) => "NOT_SOLVED".to_owned(),
        }
    }

    fn solve(&self, position: &Position) -> String {
        let found = match self.look_up(position) {
            Some(Some((side, _))) => Ok(Verdict::Win(side)),
            Some(None) => Ok(Verdict::Tie),
            None => solve::solve(position, &self.budget()),
        };
        match found {
            Ok(Verdict::Win(side)) => format!("{}_HAS_WINNING_STRATEGY", name(side)),
            Ok(Verdict::Tie) => "BOTH_PLAYERS_TIE".to_owned(),
            Err(_) => "NOT_SOLVED".to_owned(),
        }
    }
}

fn name(side: Side) -> &'static str {
    ["WHITE", "BLACK"][side.index()]
}

/// Reads rows of a board: all there are, whatever their length. Once the board is
/// complete a blank line ends it, so that nobody who waits for the answer has to send
/// the next command first.
fn read_rows<I: Read, O: Write>(lines: &mut Lines<I, O>, count: usize) -> io::Result<Rows> {
    let mut rows = Vec::new();
    loop {
        match lines.next()? {
            None if rows.len() < count => return Ok(Rows::EndOfInput),
            None => return Ok(Rows::Read(rows)),
            Some(line) if text::is_row(&line) => rows.push(line),
            Some(line) if line.trim().is_empty() => {
                if rows.len() >= count {
                    return Ok(Rows::Read(rows));
                }
            }
            Some(line) => {
                lines.put_back = Some(line);
                return Ok(Rows::Read(rows));
            }
        }
    }
}

/// Every distinct position after one move, in the order of generation.
fn successors(position: &Position) -> Vec<Position> {
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    let _ = position.visit_successors(|_, next| {
        if seen.insert(next) {
            all.push(next);
        }
        ControlFlow::<()>::Continue(())
    });
    all
}

/// The first position that wins at once, or all if there is none.
fn successors_or_win(position: &Position) -> Vec<Position> {
    let all = successors(position);
    match all.iter().find(|next| next.outcome().is_some()) {
        Some(&win) => vec![win],
        None => all,
    }
}
