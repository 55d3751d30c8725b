//! GGF, the form of game servers: `(;GM[Othello]PB[a]PW[b]TY[8]BO[8 … *]B[d3//1.2]W[c5];)`.

use std::fmt::Write;

use rules::{Game, Side};

use crate::notation::{NotationError, Record};
use crate::{Move, Position};

/// Reads every game of the text; what stands between games is skipped.
pub fn read(text: &str) -> Result<Vec<Record>, NotationError> {
    let mut records = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("(;") {
        let (record, after) = read_game(&rest[at + 2..])?;
        records.push(record);
        rest = after;
    }
    if records.is_empty() {
        return Err(NotationError::Empty);
    }
    Ok(records)
}

/// Reads the properties of one game up to its `;)`; gives back what follows.
fn read_game(text: &str) -> Result<(Record, &str), NotationError> {
    let mut record = Record::new(Position::start());
    let mut position = record.start;
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(";)").or_else(|| rest.strip_prefix(')')) {
            return Ok((record, after));
        }
        let (name, after) = rest
            .split_once('[')
            .ok_or_else(|| NotationError::Ggf("the game does not end in ;)".into()))?;
        let (value, after) = after
            .split_once(']')
            .ok_or_else(|| NotationError::Ggf(format!("no ] after {:?}", name.trim())))?;
        rest = after;
        let value = value.trim();
        let known = || (!value.is_empty() && value != "?").then(|| value.to_owned());
        match name.trim() {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                return Err(NotationError::Ggf(format!("{value:?} is not Othello")));
            }
            "TY" if !value
                .trim_end_matches(['r', 'a', 'k', 's', 'w', 'b'])
                .starts_with('8') =>
            {
                return Err(NotationError::Ggf(format!("board type {value:?} is not 8")));
            }
            "PB" => record.black = known(),
            "PW" => record.white = known(),
            "PC" | "DT" => {
                let place = record.event.take();
                let parts: Vec<String> = place.into_iter().chain(known()).collect();
                record.event = (!parts.is_empty()).then(|| parts.join(", "));
            }
            "BO" => {
                let squares = value.strip_prefix('8').ok_or_else(|| {
                    NotationError::Ggf(format!("board {value:?} does not begin with 8"))
                })?;
                record.start = squares.parse()?;
                position = record.start;
            }
            "B" => play(&mut record, &mut position, Side::First, value)?,
            "W" => play(&mut record, &mut position, Side::Second, value)?,
            _ => {}
        }
    }
}

/// Plays `d3/value/time` for a side.
fn play(
    record: &mut Record,
    position: &mut Position,
    side: Side,
    value: &str,
) -> Result<(), NotationError> {
    let text = value.split('/').next().unwrap_or_default().trim();
    if position.side_to_move() != side && position.is_legal(Move::PASS) {
        position.play_unchecked(Move::PASS);
        record.moves.push(Move::PASS);
    }
    if position.side_to_move() != side {
        return Err(NotationError::Ggf(format!(
            "move {}: {text:?} is given to {}, whose turn it is not",
            record.moves.len() + 1,
            Position::side_name(side)
        )));
    }
    record.push(position, text)
}

/// One game of GGF.
#[must_use]
pub fn write(record: &Record) -> String {
    let clean = |text: &Option<String>| {
        text.as_deref()
            .unwrap_or("?")
            .replace(['[', ']', '(', ')', ';', '\n', '\r'], " ")
    };
    let board = record.start.to_string().replace('X', "*");
    let last = record.last();
    let result = match last.outcome() {
        Some(_) => {
            let (black, white) = (last.discs(Side::First), last.discs(Side::Second));
            format!("{:+}", black.len() as i32 - white.len() as i32)
        }
        None => "?".to_owned(),
    };
    let mut text = format!(
        "(;GM[Othello]PC[{}]PB[{}]PW[{}]RE[{result}]TY[8]BO[8 {board}]",
        clean(&record.event),
        clean(&record.black),
        clean(&record.white),
    );
    let mut position = record.start;
    for &mv in &record.moves {
        let side = ["B", "W"][position.side_to_move().index()];
        let name = mv
            .square()
            .map_or("PA".to_owned(), |square| square.to_string());
        write!(text, "{side}[{name}]").expect("a string takes every character");
        position.play_unchecked(mv);
    }
    text + ";)"
}
