//! The one-line text of a position.

use std::fmt;
use std::str::FromStr;

use rules::{PositionError, Side};

use crate::points::{Point, Points};
use crate::{DrawLimit, Piece, Position, Rules, Setup, Stage};

/// Single pieces are small letters, GIPF-pieces capitals.
fn letter((side, piece): (Side, Piece)) -> char {
    match (side, piece) {
        (Side::First, Piece::Single) => 'w',
        (Side::First, Piece::Gipf) => 'W',
        (Side::Second, Piece::Single) => 'b',
        (Side::Second, Piece::Gipf) => 'B',
    }
}

/// The mark behind a reserve.
fn mark(stage: Stage) -> &'static str {
    match stage {
        Stage::First => "!",
        Stage::Gipf => "+",
        Stage::Single => "",
    }
}

/// The rows of the board from the top, with the points of each from the left.
pub(crate) fn board_rows() -> impl Iterator<Item = Vec<Point>> {
    (1..8).map(|row| Points::ALL.filter(|p| p.field().row == row).collect())
}

impl fmt::Display for Position {
    /// `RULES RW RB P QUIET/LIMIT ROWS`; the counts are left out if they are `0/100`.
    ///
    /// A reserve is followed by `!` if the first piece must be a GIPF-piece, and by `+` while
    /// GIPF-pieces may be brought in. Rows go from the top, joined by `/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rules())?;
        for side in Side::BOTH {
            write!(f, " {}{}", self.reserve(side), mark(self.stage(side)))?;
        }
        write!(f, " {} ", ['W', 'B'][self.side().index()])?;
        let (quiet, limit) = (self.quiet(), self.limit());
        if quiet != 0 || limit != DrawLimit::DEFAULT {
            write!(f, "{quiet}/{} ", limit.half_moves())?;
        }
        for (number, row) in board_rows().enumerate() {
            if number > 0 {
                f.write_str("/")?;
            }
            for point in row {
                write!(f, "{}", self.at(point).map_or('_', letter))?;
            }
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = PositionError;

    /// Reads what `Display` writes; rules alone, or rules and `QUIET/LIMIT`, are a start position,
    /// and `start` is that of the standard game.
    fn from_str(text: &str) -> Result<Position, PositionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (quiet, limit) = match *words {
            [_, counts] | [_, _, _, _, counts, _] => read_counts(counts)?,
            _ => (0, DrawLimit::DEFAULT),
        };
        match *words {
            ["start"] | ["start", _] => Ok(Position::start(Rules::Standard).with_limit(limit)),
            [rules] | [rules, _] => Ok(Position::start(rules.parse()?).with_limit(limit)),
            [rules, white, black, side, rows] | [rules, white, black, side, _, rows] => {
                let rules: Rules = rules.parse()?;
                let (white, white_stage) = read_reserve(white, Side::First)?;
                let (black, black_stage) = read_reserve(black, Side::Second)?;
                let side = read_side(side)?;
                let (pieces, gipf) = read_rows(rows)?;
                let setup = Setup {
                    rules,
                    pieces,
                    gipf,
                    reserves: [white, black],
                    stages: [white_stage, black_stage],
                    side,
                    quiet,
                    limit,
                };
                Position::try_from(setup).map_err(|fault| PositionError::new(fault.to_string()))
            }
            _ => Err(PositionError::new(format!(
                "5 or 6 words are wanted (RULES RW RB P QUIET/LIMIT ROWS) or the rules alone, not {}",
                words.len()
            ))),
        }
    }
}

fn read_side(text: &str) -> Result<Side, PositionError> {
    match text {
        "W" | "w" => Ok(Side::First),
        "B" | "b" => Ok(Side::Second),
        _ => Err(PositionError::new(format!(
            "player to move {text:?} is not W or B"
        ))),
    }
}

fn read_reserve(text: &str, side: Side) -> Result<(u8, Stage), PositionError> {
    let (digits, stage) = if let Some(digits) = text.strip_suffix('!') {
        (digits, Stage::First)
    } else if let Some(digits) = text.strip_suffix('+') {
        (digits, Stage::Gipf)
    } else {
        (text, Stage::Single)
    };
    let number = digits.parse().map_err(|_| {
        let side = crate::position::name(side);
        PositionError::new(format!(
            "reserve of {side} {text:?} is not a number in range"
        ))
    })?;
    Ok((number, stage))
}

fn read_counts(text: &str) -> Result<(u8, DrawLimit), PositionError> {
    text.split_once('/')
        .and_then(|(quiet, limit)| {
            let limit = limit.parse().ok().map(DrawLimit::new)?;
            Some((quiet.parse().ok()?, limit))
        })
        .ok_or_else(|| {
            PositionError::new(format!(
                "{text:?} is not plies without a capture and their limit, as 0/100"
            ))
        })
}

fn read_rows(text: &str) -> Result<([Points; 2], Points), PositionError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 7 {
        return Err(PositionError::new(format!("{} rows, not 7", rows.len())));
    }
    let (mut pieces, mut gipf) = ([Points::EMPTY; 2], Points::EMPTY);
    for (number, (row, points)) in rows.iter().zip(board_rows()).enumerate() {
        let at = |message| PositionError::new(format!("row {}: {message}", number + 1));
        let length = row.chars().count();
        if length != points.len() {
            return Err(at(format!("{length} points, not {}", points.len())));
        }
        for (c, point) in row.chars().zip(points) {
            let set = Points::of(point);
            match c {
                'w' | 'W' => pieces[0] |= set,
                'b' | 'B' => pieces[1] |= set,
                '_' | '-' | '.' => {}
                _ => return Err(at(format!("{c:?} is not w, W, b, B or _"))),
            }
            if c == 'W' || c == 'B' {
                gipf |= set;
            }
        }
    }
    Ok((pieces, gipf))
}
