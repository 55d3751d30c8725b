//! The text of moves: `a1-b2`, and `a1-b2 w: b2 d4` where rows cross.

use rules::{MoveError, Side};
use thiserror::Error;

use crate::collect::{self, Choices, Row, Step};
use crate::{Field, Geometry, Move, Position};

/// Why a text is not a move here; it prints as the answer of the GIPF program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BadMove {
    /// A label is neither on the board nor on its ring.
    #[error("BAD_MOVE_{0}_IS_WRONG_INDEX")]
    Index(String),
    /// The stone is not put on a dot.
    #[error("BAD_MOVE_{0}_IS_WRONG_STARTING_FIELD")]
    Start(String),
    /// The stone is not pushed onto a playing point.
    #[error("BAD_MOVE_{0}_IS_WRONG_DESTINATION_FIELD")]
    Destination(String),
    /// Dot and point are not neighbours.
    #[error("UNKNOWN_MOVE_DIRECTION")]
    Direction,
    /// Every point of the line is taken.
    #[error("BAD_MOVE_ROW_IS_FULL")]
    Full,
    /// The choice names a colour that has nothing to choose.
    #[error("WRONG_COLOR_OF_CHOSEN_ROW")]
    RowColour,
    /// The choice does not name a row by its ends, or is missing.
    #[error("WRONG_INDEX_OF_CHOSEN_ROW")]
    RowIndex,
}

impl BadMove {
    /// The same in words.
    pub(crate) fn explain(&self, text: &str) -> MoveError {
        match self {
            BadMove::Index(label) => {
                MoveError::unreadable(text, format!("{label:?} is not on the board or its ring"))
            }
            BadMove::Start(label) => MoveError::illegal(text, format!("{label} is not a dot")),
            BadMove::Destination(label) => {
                MoveError::illegal(text, format!("{label} is not a playing point"))
            }
            BadMove::Direction => {
                MoveError::illegal(text, "the point is not beside the dot".to_string())
            }
            BadMove::Full => MoveError::illegal(text, "every point of the line is taken"),
            BadMove::RowColour => {
                MoveError::illegal(text, "the chosen row has the wrong colour".to_string())
            }
            BadMove::RowIndex => MoveError::illegal(
                text,
                "rows cross: choose one by its colour and its end stones",
            ),
        }
    }
}

/// A choice as it was written.
#[derive(Clone, Copy)]
struct Wanted {
    colour: Option<Side>,
    ends: Option<(u8, u8)>,
}

impl Wanted {
    fn names(self, row: &Row, geometry: &Geometry) -> bool {
        collect::ends(row, geometry)
            .into_iter()
            .any(|(a, b)| self.ends == Some((a, b)) || self.ends == Some((b, a)))
    }
}

/// `w: b2 d4 b: c3 f3` → two choices; what cannot be read is `None` and will not match.
fn read_choices(words: &[&str], geometry: &Geometry) -> Vec<Wanted> {
    let point = |label: &str| {
        let field = Field::from_label(label, geometry.size())?;
        geometry.point(field)
    };
    let mut choices = Vec::new();
    let mut rest = words;
    while let [colour, tail @ ..] = rest {
        let labels = tail.iter().take_while(|word| !word.ends_with(':')).count();
        let (ends, tail) = tail.split_at(labels);
        let colour = match *colour {
            "w:" => Some(Side::First),
            "b:" => Some(Side::Second),
            _ => None,
        };
        // Several rows of one colour may follow one letter.
        for pair in ends.chunks(2) {
            let ends = match pair {
                [a, b] => point(a).zip(point(b)),
                _ => None,
            };
            choices.push(Wanted { colour, ends });
        }
        if ends.is_empty() {
            choices.push(Wanted { colour, ends: None });
        }
        rest = tail;
    }
    choices
}

impl Position {
    /// Reads a move as the GIPF program does; there must be a stone in reserve.
    /// A choice that names a row which goes anyway does no harm.
    pub fn read_move(&self, text: &str) -> Result<Move, BadMove> {
        let geometry = self.geometry();
        let words: Vec<&str> = text.split_whitespace().collect();
        let (first, rest) = words.split_first().unwrap_or((&"", &[]));
        let number = self.entry_of(first)?;
        let entry = &geometry.entries()[usize::from(number)];
        let pushed = self.push(geometry, entry).ok_or(BadMove::Full)?;
        let choices = self.read_collection(pushed, &read_choices(rest, geometry))?;
        Ok(Move {
            entry: number,
            choices,
        })
    }

    /// The push that is written `a1-b2`, as it stands for all that do the same.
    pub(crate) fn entry_of(&self, push: &str) -> Result<u8, BadMove> {
        let geometry = self.geometry();
        let size = geometry.size();
        let (from, to) = push.split_once('-').unwrap_or((push, ""));
        let field =
            |label: &str| Field::from_label(label, size).ok_or(BadMove::Index(label.to_string()));
        let (dot, target) = (field(from)?, field(to)?);
        if dot.is_point(size) {
            return Err(BadMove::Start(from.to_string()));
        }
        if !target.is_point(size) {
            return Err(BadMove::Destination(to.to_string()));
        }
        let number = geometry.entry(dot, target).ok_or(BadMove::Direction)?;
        Ok(self.canonical(number))
    }

    /// Follows the collection with the choices that were written.
    fn read_collection(
        &self,
        pushed: crate::position::Pushed,
        wanted: &[Wanted],
    ) -> Result<Choices, BadMove> {
        let geometry = self.geometry();
        let mut collection = self.collection(pushed);
        let mut choices = Choices::NONE;
        let mut gone: Vec<(Side, Row)> = Vec::new();
        let mut chosen: Vec<Side> = Vec::new();
        let mut wanted = wanted.iter().copied().peekable();
        loop {
            let step = collection.step();
            if let Step::Taken { colour, rows } = step {
                gone.extend(rows.into_iter().map(|row| (colour, row)));
                continue;
            }
            // Rows that went without a choice may be named all the same.
            let needless = |w: &Wanted| {
                gone.iter()
                    .any(|(colour, row)| w.colour == Some(*colour) && w.names(row, geometry))
            };
            while wanted.next_if(needless).is_some() {}
            let next = wanted.next();
            let Step::Choose { colour, rows } = step else {
                let Some(extra) = next else {
                    return Ok(choices);
                };
                let mut colours = gone.iter().map(|(colour, _)| colour).chain(&chosen);
                return Err(if colours.any(|&c| extra.colour == Some(c)) {
                    BadMove::RowIndex
                } else {
                    BadMove::RowColour
                });
            };
            let next = next.ok_or(BadMove::RowIndex)?;
            if next.colour != Some(colour) {
                return Err(BadMove::RowColour);
            }
            let row = rows.iter().find(|row| next.names(row, geometry));
            let row = row.ok_or(BadMove::RowIndex)?;
            collection.choose(row, colour);
            chosen.push(colour);
            choices = choices.with(row.choice);
        }
    }

    /// The text of a legal move.
    pub(crate) fn text_of_move(&self, mv: Move) -> String {
        let geometry = self.geometry();
        let entry = &geometry.entries()[usize::from(mv.entry)];
        let mut text = format!(
            "{}-{}",
            entry.dot.label(geometry.size()),
            geometry.label(entry.path()[0])
        );
        let Some(pushed) = (self.reserve(self.side) > 0)
            .then(|| self.push(geometry, entry))
            .flatten()
        else {
            return text;
        };
        let mut collection = self.collection(pushed);
        let mut made = mv.choices.rows();
        loop {
            match collection.step() {
                Step::Done(_) => return text,
                Step::Taken { .. } => {}
                Step::Choose { colour, rows } => {
                    let choice = made.next();
                    let Some(row) = rows.iter().find(|row| Some(row.choice) == choice) else {
                        return text;
                    };
                    let (a, b) = collect::ends(row, geometry)[0];
                    let letter = ['w', 'b'][colour.index()];
                    text += &format!(" {letter}: {} {}", geometry.label(a), geometry.label(b));
                    collection.choose(row, colour);
                }
            }
        }
    }
}
