//! One game at the terminal, from the first board to the last word.

use std::io::{self, BufRead, IsTerminal, StdinLock, StdoutLock, Write};
use std::path::Path;

use bots::{Bot, BotSpec, Budget};
use games::{Algorithm, GameName, Resources};
use rules::Side;
use search::{Limits, Report, Score};

use super::Player;
use super::command::{Command, HELP};
use super::record::Record;
use crate::board;

/// The players at the table, the game so far, and the terminal.
pub(crate) struct Session {
    /// `None` where a human plays.
    bots: [Option<Bot>; 2],
    adviser: Bot,
    limits: Limits,
    record: Record,
    longest: usize,
    resigned: Option<Side>,
    /// Whether the end has been announced.
    announced: bool,
    input: StdinLock<'static>,
    out: StdoutLock<'static>,
    /// Whether what is typed shows on the screen by itself.
    echoes: bool,
    style: ::draw::TextStyle,
}

/// Whether the game goes on at the table.
enum Next {
    Go,
    Leave,
}

impl Session {
    pub(crate) fn new(
        players: [Player; 2],
        record: Record,
        limits: Limits,
        resources: &Resources,
        seed: u64,
        longest: usize,
    ) -> anyhow::Result<Session> {
        let game = record.game();
        let build = |player, seed| match player {
            Player::Human => None,
            Player::Bot(spec) => Some(spec.build_with(game, resources, seed)),
        };
        let stdin = io::stdin();
        Ok(Session {
            bots: [
                build(players[0], seed),
                build(players[1], seed.wrapping_add(1)),
            ],
            adviser: BotSpec::new(Algorithm::Best, Budget::Free).build_with(game, resources, seed),
            limits,
            record,
            longest,
            resigned: None,
            announced: false,
            echoes: stdin.is_terminal(),
            input: stdin.lock(),
            out: io::stdout().lock(),
            style: board::text_style(),
        })
    }

    /// Plays until the game is over and everybody has left.
    pub(crate) fn run(&mut self) -> anyhow::Result<()> {
        let game = self.game();
        let [first, second] = Side::BOTH.map(|side| {
            let name = self.player_name(side);
            format!("{} ({name})", game.side_name(side))
        });
        writeln!(self.out, "{game}: {first} against {second}")?;
        if self.has_human() {
            writeln!(self.out, "Type a move, or help.")?;
        }
        self.draw()?;
        loop {
            let side = self.record.position().side_to_move();
            if !self.is_over() {
                self.announced = false;
            }
            let next = if self.is_over() {
                if !std::mem::replace(&mut self.announced, true) {
                    self.announce()?;
                }
                if !self.has_human() {
                    return Ok(());
                }
                self.ask()?
            } else if self.bots[side.index()].is_some() {
                self.let_bot_play(side)?;
                Next::Go
            } else {
                self.ask()?
            };
            if let Next::Leave = next {
                return Ok(());
            }
        }
    }

    fn game(&self) -> GameName {
        self.record.game()
    }

    fn has_human(&self) -> bool {
        self.bots.iter().any(Option::is_none)
    }

    fn player_name(&self, side: Side) -> String {
        match &self.bots[side.index()] {
            Some(bot) => bot.name(),
            None => "human".into(),
        }
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some()
            || self.record.position().outcome().is_some()
            || self.record.len() >= self.longest
    }

    /// Draws the board with the last move marked.
    fn draw(&mut self) -> io::Result<()> {
        let scene = match self.record.last() {
            Some((before, mv)) => board::scene_after(before, mv),
            None => board::scene(self.record.position()),
        };
        write!(self.out, "\n{}\n", ::draw::text(&scene, self.style))
    }

    /// Says how the game ended.
    fn announce(&mut self) -> io::Result<()> {
        let game = self.game();
        let wins = |side| format!("{} wins", game.side_name(side));
        let result = match (self.resigned, self.record.position().outcome()) {
            (Some(side), _) => format!("{} resigns: {}", game.side_name(side), wins(!side)),
            (None, Some(outcome)) => self.record.position().announce(outcome),
            (None, None) => format!("stopped after {} plies", self.record.len()),
        };
        writeln!(self.out, "Game over: {result}.")
    }

    fn let_bot_play(&mut self, side: Side) -> anyhow::Result<()> {
        let Some(bot) = &mut self.bots[side.index()] else {
            return Ok(());
        };
        let choice = bot.choose(self.record.position(), &self.limits);
        let number = self.record.len() + 1;
        let mv = choice.best.as_deref().unwrap_or_default();
        self.record.play(mv)?;
        let name = self.game().side_name(side);
        let remarks = remarks(&choice, |score| score.to_string());
        writeln!(self.out, "{number}. {name} plays {mv}{remarks}")?;
        self.draw()?;
        Ok(())
    }

    /// Reads a line and does what it says.
    fn ask(&mut self) -> anyhow::Result<Next> {
        let side = self.record.position().side_to_move();
        let prompt = if self.is_over() {
            "undo, new, save or quit".into()
        } else {
            format!("{} to move", self.game().side_name(side))
        };
        write!(self.out, "{prompt}> ")?;
        self.out.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(Next::Leave);
        }
        // Whatever a terminal sends by mistake: it is no move, and no reason to lose the game.
        let line = String::from_utf8_lossy(&line);
        if !self.echoes {
            writeln!(self.out, "{}", line.trim_end())?;
        }
        match Command::read(&line) {
            Ok(Command::Quit) => return Ok(Next::Leave),
            Ok(command) => self.obey(command)?,
            Err(error) => writeln!(self.out, "{error}")?,
        }
        Ok(Next::Go)
    }

    fn obey(&mut self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Nothing | Command::Quit => {}
            Command::Help => writeln!(self.out, "{HELP}")?,
            Command::Board => {
                self.draw()?;
                writeln!(self.out, "{}", self.record.position())?;
            }
            Command::Move(mv) => self.play(&mv)?,
            Command::Number(number) => {
                let moves = self.record.position().moves();
                match number.checked_sub(1).and_then(|index| moves.get(index)) {
                    Some(mv) => self.play(mv)?,
                    None => writeln!(self.out, "there is no move number {number}; see moves")?,
                }
            }
            Command::Moves => self.list_moves()?,
            Command::Hint => self.hint()?,
            Command::Undo => self.undo()?,
            Command::New => {
                self.record.restart();
                self.begin_again()?;
            }
            Command::Save(file) => match self.record.save(Path::new(&file)) {
                Ok(()) => writeln!(self.out, "saved to {file}")?,
                Err(error) => writeln!(self.out, "{error:#}")?,
            },
            Command::Load(file) => match Record::load(Path::new(&file), self.game()) {
                Ok(record) => {
                    self.record = record;
                    self.begin_again()?;
                }
                Err(error) => writeln!(self.out, "{error}")?,
            },
            Command::Resign if self.is_over() => writeln!(self.out, "the game is over")?,
            Command::Resign => self.resigned = Some(self.record.position().side_to_move()),
        }
        Ok(())
    }

    fn play(&mut self, mv: &str) -> io::Result<()> {
        if self.is_over() {
            return writeln!(self.out, "the game is over");
        }
        match self.record.play(mv) {
            Ok(_) => self.draw(),
            Err(error) => writeln!(self.out, "{error}; type moves to see them, or help"),
        }
    }

    /// Back to the last time that it was a human's turn.
    fn undo(&mut self) -> io::Result<()> {
        let human_before = |session: &Session| {
            let side = session.record.position().side_to_move();
            session.bots[side.index()].is_none()
        };
        if self.resigned.take().is_none() {
            let length = self.record.len();
            while self.record.undo() && !human_before(self) {}
            if self.record.len() == length {
                return writeln!(self.out, "there is nothing to take back");
            }
        }
        self.draw()
    }

    fn begin_again(&mut self) -> io::Result<()> {
        self.resigned = None;
        for bot in self.bots.iter_mut().flatten() {
            bot.new_game();
        }
        self.draw()
    }

    fn list_moves(&mut self) -> io::Result<()> {
        let moves = self.record.position().moves();
        let wide = moves.iter().map(String::len).max().unwrap_or(0);
        let columns = (76 / (wide + 6)).max(1);
        for (row, chunk) in moves.chunks(columns).enumerate() {
            for (column, mv) in chunk.iter().enumerate() {
                write!(self.out, "{:>4} {mv:wide$}", row * columns + column + 1)?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.is_over() {
            return writeln!(self.out, "the game is over");
        }
        let choice = self.adviser.choose(self.record.position(), &self.limits);
        let line = choice.line.get(1..).unwrap_or_default();
        let then = if line.is_empty() {
            String::new()
        } else {
            format!(", then {}", line[..line.len().min(6)].join(" "))
        };
        let mv = choice.best.as_deref().unwrap_or_default();
        // The adviser's estimates are in points of the game; what other players count is their own.
        let points = |score| match score {
            Score::Estimate(points) => self.game().about().scale.points(points),
            proven => proven.to_string(),
        };
        writeln!(self.out, "hint: {mv}{then}{}", remarks(&choice, points))
    }
}

/// What the bot thinks of its choice: `  (depth 7, +35)`.
fn remarks(choice: &Report<String>, words: impl FnOnce(Score) -> String) -> String {
    match choice.opinion() {
        Some(score) => format!("  (depth {}, {})", choice.depth, words(score)),
        None => String::new(),
    }
}
