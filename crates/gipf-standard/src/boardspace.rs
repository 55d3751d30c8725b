//! Game files of Boardspace.
//!
//! A file is a tree of properties in brackets. `SU` names the rules; the values of `P0` and `P1`
//! that begin with a number are the hand movements of a player: a piece is dropped on a dot and
//! then on a point, rows are pointed at, the state of a GIPF-piece is toggled, and `Done` ends the
//! turn. Pieces that a player picks up again before `Done` have not been played.

use rules::{Game, Side};
use thiserror::Error;

use crate::board::Entry;
use crate::points::{Point, Points, SIZE};
use crate::record::Record;
use crate::removal::{Look, Row};
use crate::{Move, Piece, Position, Push, Rules, Stage};

/// Why a text is no game file of Boardspace.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardspaceError {
    /// No property `SU`.
    #[error("no rules: property SU is missing")]
    NoRules,
    /// Rules of another game.
    #[error("rules {0:?} are not gipf, gipf-standard or gipf-tournament")]
    Rules(String),
    /// A bracket is not closed.
    #[error("property {0:?} is not closed")]
    Open(String),
    /// A movement that means nothing here.
    #[error("movement {text:?}: {reason}")]
    Movement {
        /// The movement.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// A game, and who played it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The game.
    pub record: Record,
    /// The names of White and Black, as far as the file has them.
    pub players: [Option<String>; 2],
}

/// Reads a game file.
pub fn read(text: &str) -> Result<File, BoardspaceError> {
    let properties = properties(text)?;
    let rules = properties.iter().find(|(key, _)| key == "SU");
    let (_, rules) = rules.ok_or(BoardspaceError::NoRules)?;
    let rules = match rules.trim().to_lowercase().split_whitespace().next() {
        Some("gipf") => Rules::Basic,
        Some("gipf-standard") => Rules::Standard,
        Some("gipf-tournament") => Rules::Tournament,
        _ => return Err(BoardspaceError::Rules(rules.clone())),
    };
    let start = Position::start(rules);
    let mut hand = Hand::new(start);
    let mut players = [None, None];
    for (key, value) in &properties {
        let player = match key.as_str() {
            "P0" => 0,
            "P1" => 1,
            _ => continue,
        };
        if let Some(name) = value.trim_start().strip_prefix("id ") {
            let name = name.trim().trim_matches('"');
            players[player] = (!name.is_empty()).then(|| name.to_string());
            continue;
        }
        let words: Vec<&str> = value.split_whitespace().collect();
        let Some((number, words)) = words.split_first() else {
            continue;
        };
        if number.parse::<u32>().is_ok() {
            let ended = hand.follow(words).map_err(|reason| {
                let text = value.clone();
                BoardspaceError::Movement { text, reason }
            })?;
            if ended {
                break;
            }
        }
    }
    hand.finish();
    let moves = hand.moves;
    let record = Record { start, moves };
    Ok(File { record, players })
}

/// The properties of a file in order, with the escapes of their values undone.
fn properties(text: &str) -> Result<Vec<(String, String)>, BoardspaceError> {
    let mut all = Vec::new();
    let (mut key, mut has_value) = (String::new(), false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '[' {
            let mut value = String::new();
            loop {
                match chars.next() {
                    Some(']') => break,
                    Some('\\') => value.extend(chars.next()),
                    Some(c) => value.push(c),
                    None => return Err(BoardspaceError::Open(key)),
                }
            }
            all.push((key.clone(), value));
            has_value = true;
        } else if !c.is_whitespace() {
            if has_value || !c.is_ascii_alphanumeric() {
                key.clear();
                has_value = false;
            }
            key.extend(c.is_ascii_alphanumeric().then_some(c));
        }
    }
    Ok(all)
}

/// What the player to move has done since the last `Done`.
struct Hand {
    position: Position,
    moves: Vec<Move>,
    turn: HandTurn,
}

#[derive(Clone)]
struct HandTurn {
    /// The position with the pieces as they lie.
    now: Position,
    look: Look,
    preserved: Points,
    piece: Piece,
    dot: Option<gipf::Field>,
    /// The push, and the turn before it.
    pushed: Option<(Push, Box<HandTurn>)>,
}

impl HandTurn {
    fn new(position: &Position) -> HandTurn {
        let now = position.begin();
        let piece = match now.stage(now.side()) {
            Stage::Single => Piece::Single,
            Stage::First | Stage::Gipf => Piece::Gipf,
        };
        let look = Look::new(*now.board(), now.side().index());
        let preserved = spared(&look.rows(), now.pieces(now.side()));
        HandTurn {
            now,
            look,
            preserved,
            piece,
            dot: None,
            pushed: None,
        }
    }

    /// Takes off the rows that are left, with the pieces preserved that are marked so.
    fn take_rows(&mut self) {
        while let Some(row) = self.look.rows().first() {
            self.take(&row.clone());
        }
    }

    fn take(&mut self, row: &Row) {
        let kept = row.gipf & self.preserved;
        self.look.take(row, kept);
        self.now.take(row.pieces & !kept);
    }

    fn push(&mut self, dot: gipf::Field, to: Point) -> Result<(), String> {
        self.take_rows();
        let entry = Entry::between(dot, to).ok_or("the point is not beside the dot")?;
        let entry = entry.canonical(self.now.board().occupied());
        let push = Push {
            entry,
            piece: self.piece,
        };
        let unpushed = Box::new(self.clone());
        if !self.now.may_bring(self.piece) || !self.now.push(push) {
            return Err("the piece cannot be brought in here".to_string());
        }
        self.pushed = Some((push, unpushed));
        self.look = Look::new(*self.now.board(), self.now.side().index());
        self.preserved = spared(&self.look.rows(), self.now.pieces(self.now.side()));
        Ok(())
    }
}

/// The GIPF-pieces that Boardspace preserves unless it is told otherwise: the owner's, and the
/// opponent's where rows cross.
fn spared(rows: &[Row], own: Points) -> Points {
    let mut spared = Points::EMPTY;
    for (i, row) in rows.iter().enumerate() {
        spared |= row.gipf & own;
        for other in &rows[..i] {
            spared |= row.gipf & other.gipf;
        }
    }
    spared
}

impl Hand {
    fn new(start: Position) -> Hand {
        Hand {
            position: start,
            moves: Vec::new(),
            turn: HandTurn::new(&start),
        }
    }

    /// Follows one movement; whether the game ends with it.
    fn follow(&mut self, words: &[&str]) -> Result<bool, String> {
        let (command, rest) = words.split_first().ok_or("nothing is done")?;
        match command.to_lowercase().as_str() {
            "start" | "pick" | "offerdraw" | "declinedraw" => {}
            "reset" => self.turn = HandTurn::new(&self.position),
            "drop" => self.turn.dot = None,
            "standard" => {
                self.turn.piece = match self.turn.piece {
                    Piece::Single => Piece::Gipf,
                    Piece::Gipf => Piece::Single,
                };
            }
            "dropb" => self.drop(field(rest)?)?,
            "pickb" => self.pick(field(rest)?),
            "slide" | "slidefrom" => {
                self.drop(field(rest)?)?;
                self.drop(field(rest.get(2..).unwrap_or_default())?)?;
            }
            "remove" => self.remove(field(rest)?)?,
            "preserve" => {
                let point = Point::at(field(rest)?).ok_or("no point")?;
                let set = Points::of(point);
                self.turn.preserved = if self.turn.preserved.contains(point) {
                    self.turn.preserved & !set
                } else {
                    self.turn.preserved | set
                };
            }
            "done" => self.done()?,
            "resign" | "gameoverontime" | "acceptdraw" => return Ok(true),
            _ => return Err("not a movement of GIPF".to_string()),
        }
        Ok(false)
    }

    fn drop(&mut self, field: gipf::Field) -> Result<(), String> {
        match Point::at(field) {
            None => self.turn.dot = Some(field),
            Some(point) => {
                let dot = self.turn.dot.ok_or("no piece lies on a dot")?;
                self.turn.push(dot, point)?;
            }
        }
        Ok(())
    }

    /// A piece that was pushed or put on a dot is picked up again.
    fn pick(&mut self, field: gipf::Field) {
        if Point::at(field).is_none() {
            self.turn.dot = None;
        } else if let Some((_, unpushed)) = self.turn.pushed.take() {
            self.turn = *unpushed;
        }
    }

    /// A row is pointed at by one of its points or by a dot of its line, or a GIPF-piece of it.
    fn remove(&mut self, field: gipf::Field) -> Result<(), String> {
        let rows = self.turn.look.rows();
        if let Some(point) = Point::at(field)
            && matches!(self.turn.now.at(point), Some((_, Piece::Gipf)))
        {
            self.turn.preserved &= !Points::of(point);
            return Ok(());
        }
        let row = rows.iter().find(|row| match Point::at(field) {
            Some(point) => row.pieces.contains(point),
            None => {
                let mut entries = Entry::all().filter(|entry| entry.dot() == field);
                entries.any(|entry| entry.ray().contains_all(row.pieces))
            }
        });
        let row = *row.ok_or(format!("no row passes {}", field.label(SIZE)))?;
        self.turn.take(&row);
        if self.turn.pushed.is_none() {
            let side: Side = self.turn.now.side();
            self.turn.preserved = spared(&self.turn.look.rows(), self.turn.now.pieces(side));
        }
        Ok(())
    }

    fn done(&mut self) -> Result<(), String> {
        let Some((push, unpushed)) = &self.turn.pushed else {
            return Ok(()); // nothing was done yet: the start is confirmed
        };
        let (push, before) = (*push, unpushed.look.removal().taken);
        self.turn.take_rows();
        let after = self.turn.look.removal().taken;
        self.play(Move {
            before,
            push: Some(push),
            after,
        })
    }

    fn play(&mut self, mv: Move) -> Result<(), String> {
        let text = self.position.move_text(mv);
        let played = self.position.play(mv);
        played.map_err(|_| format!("{text} is not allowed here"))?;
        self.moves.push(mv);
        if self.position.outcome().is_none() {
            self.turn = HandTurn::new(&self.position);
        }
        Ok(())
    }

    /// A game that ended while rows were taken off, before a piece was brought in.
    fn finish(&mut self) {
        let taken = self.turn.look.removal().taken;
        if self.turn.pushed.is_none() && !taken.is_empty() {
            let mv = Move {
                before: taken,
                push: None,
                after: Points::EMPTY,
            };
            if self.position.is_legal(mv) {
                self.moves.push(mv);
            }
        }
    }
}

/// `E 5` or `E5`.
fn field(words: &[&str]) -> Result<gipf::Field, String> {
    let label = match words {
        [column, row, ..] if column.len() == 1 => format!("{column}{row}"),
        [label, ..] => (*label).to_string(),
        [] => return Err("no field is named".to_string()),
    };
    gipf::Field::from_label(&label.to_lowercase(), SIZE).ok_or(format!("{label:?} is not a field"))
}
