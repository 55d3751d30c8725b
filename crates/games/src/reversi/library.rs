//! Libraries of Othello games: WTHOR with its names, transcripts, and the names of openings.

use ::reversi::notation::wthor;
use ::reversi::{Board, Discs, Position};
use rules::{Game, Hashed, Side};

use super::Reversi;
use crate::Recorded;
use crate::about::Opening;
use crate::recorded::{delay, read_texts};

/// Openings by name, as players call them; each stands for all that are symmetric to it.
pub(super) const OPENINGS: &[Opening] = &[
    named("Diagonal", "f5f6"),
    named("Wing", "f5f6d3f4"),
    named("Semi-Wing", "f5f6c4f4"),
    named("X-square", "f5f6e6f4g7"),
    named("Snake", "f5f6e6f4g6"),
    named("Pyramid", "f5f6e6f4g5"),
    named("Heath", "f5f6e6f4g4"),
    named("Wing Variation", "f5f6e6f4g3"),
    named("Buffalo", "f5f6e6f4c3"),
    named("Cow", "f5f6e6f4e3"),
    named("Chimney", "f5f6e6f4e3d6"),
    named("Cow Bat", "f5f6e6f4e3c5g5"),
    named("Parallel", "f5f4"),
    named("Perpendicular", "f5d6"),
    named("Tiger", "f5d6c3d3c4"),
    named("Aubrey", "f5d6c3d3c4b3"),
    named("Leader's Tiger", "f5d6c3d3c4f4c5b3c2"),
    named("Inoue", "f5d6c5f4d3"),
    named("Mimura", "f5d6c5f4e3d3"),
    named("Shaman", "f5d6c5f4e3c6"),
    named("Iago", "f5d6c5f4e3c6e6"),
    named("Bhagat", "f5d6c5f4e3c6e6f6"),
    named("Rose", "f5d6c5f4e3c6d7"),
    named("Flat", "f5d6c5f4e3c6d3f6e6d7"),
    named("Rotating Flat", "f5d6c5f4e3c6d3f6e6d7e7"),
];

const fn named(name: &'static str, moves: &'static str) -> Opening {
    Opening { name, moves }
}

/// The same for all positions that are symmetric to each other. A library has millions of them,
/// so the images are made by moving whole rows and columns.
pub(super) fn key(position: &Position) -> u64 {
    let board = position.board();
    let (mut own, mut other) = (board.own.0, board.other.0);
    let mut least = u64::MAX;
    for turn in 0..8 {
        let seen = Board {
            own: Discs(own),
            other: Discs(other),
        };
        least = least.min(Position::new(seen, position.side_to_move()).hash());
        // By turns upside down and over the diagonal: all eight images.
        let image = if turn % 2 == 0 {
            u64::swap_bytes
        } else {
            transposed
        };
        (own, other) = (image(own), image(other));
    }
    least
}

/// Columns and rows exchanged: three rounds of swapping blocks across the diagonal.
fn transposed(mut bits: u64) -> u64 {
    for (shift, mask) in [
        (28, 0x0000_0000_f0f0_f0f0_u64),
        (14, 0x0000_cccc_0000_cccc),
        (7, 0x00aa_00aa_00aa_00aa),
    ] {
        let swap = (bits ^ (bits >> shift)) & mask;
        bits ^= swap ^ (swap << shift);
    }
    bits
}

/// Reads files that belong together: WTHOR games with their players and tournaments, in any
/// order, and texts.
pub(super) fn read(files: &[Vec<u8>]) -> Result<Vec<Recorded>, String> {
    let mut texts = Vec::new();
    let mut wthor = Vec::new();
    let (mut players, mut tournaments) = (Vec::new(), Vec::new());
    for bytes in files {
        if let Ok(games) = wthor::games(bytes) {
            wthor.push(games);
        } else if let Ok(names) = wthor::players(bytes) {
            players = names;
        } else if let Ok(names) = wthor::tournaments(bytes) {
            tournaments = names;
        } else if std::str::from_utf8(bytes).is_ok() {
            texts.push(bytes.clone());
        } else {
            // The complaint is about games: that is what people send.
            return Err(wthor::games(bytes).map_or_else(|e| e.to_string(), |_| String::new()));
        }
    }
    if wthor.is_empty() && texts.is_empty() && !files.is_empty() {
        return Err("these files hold names of players or tournaments, but no games".into());
    }
    let mut games = read_texts::<Reversi>(&texts)?;
    for file in &mut wthor {
        let year = file.year;
        for entry in &mut file.entries {
            entry.name(&players, &tournaments);
            games.push(recorded(entry, year));
        }
    }
    Ok(games)
}

fn recorded(entry: &wthor::Entry, year: u16) -> Recorded {
    let record = &entry.record;
    let mut moves = String::with_capacity(3 * record.moves.len());
    let mut position = record.start;
    let mut keys = Vec::with_capacity(record.moves.len() + 1);
    let mut delays = Vec::with_capacity(record.moves.len() + 1);
    keys.push(key(&position));
    delays.push(0);
    for &mv in &record.moves {
        if !moves.is_empty() {
            moves.push(' ');
        }
        moves += &mv.to_string();
        position.play_unchecked(mv);
        delays.push(delay(keys.len(), plies_to(&position)));
        keys.push(key(&position));
    }
    let name = |name: &Option<String>, number: u16| match name {
        Some(name) => name.trim().to_string(),
        None => format!("player {number}"),
    };
    let (black, white) = (entry.score, 64_u8.saturating_sub(entry.score));
    let event = record.event.as_deref().unwrap_or_default();
    Recorded {
        start: String::new(),
        moves,
        players: [
            name(&record.black, entry.black),
            name(&record.white, entry.white),
        ],
        event: event.trim().to_string(),
        year,
        date: String::new(),
        result: Some(black.cmp(&white) as i8),
        score: format!("{black}–{white}"),
        keys,
        delays,
    }
}

/// How many plies a game takes to this position at least: every move but a pass adds a disc.
pub(super) fn plies_to(position: &Position) -> usize {
    let discs: u32 = Side::BOTH
        .map(|side| position.discs(side).len())
        .iter()
        .sum();
    discs.saturating_sub(4) as usize
}

#[cfg(test)]
mod tests {
    use rules::Symmetric;

    use super::*;

    #[test]
    fn images_have_one_key() {
        let mut position = Position::start();
        for text in ["f5", "d6", "c3", "d3", "c4", "f4", "c5", "b3", "c2"] {
            let mv = position.parse_move(text).unwrap();
            position.play_unchecked(mv);
            for index in 0..position.symmetries() {
                assert_eq!(key(&position.transform(index)), key(&position), "{index}");
            }
        }
        assert_eq!(transposed(0xff), 0x0101_0101_0101_0101);
    }

    #[test]
    fn openings_can_be_played() {
        let mut seen = std::collections::HashSet::new();
        for opening in OPENINGS {
            let games = read(&[opening.moves.into()]).expect(opening.name);
            assert!(
                seen.insert(games[0].keys.last().copied()),
                "{}",
                opening.name
            );
        }
    }
}
