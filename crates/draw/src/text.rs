//! A scene as lines of text.

use crate::layout::{Kind, Shape};
use crate::scene::{Piece, Scene};

/// How to write to a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextStyle {
    /// Colours by ANSI escapes. Colour alone says nothing.
    pub colour: bool,
}

/// The letter of a piece; stacked ones have capitals.
fn letter(scene: &Scene, piece: Piece) -> char {
    let letter = scene.layout.look.letters[piece.side.index()];
    match piece.stacked {
        true => letter.to_ascii_uppercase(),
        false => letter,
    }
}

/// What stands in the cell of one place, before it is centred.
fn cell(scene: &Scene, spot: usize) -> String {
    let marks = &scene.marks;
    let place = &scene.layout.spots[spot];
    let value = marks
        .strokes
        .iter()
        .find(|s| s.from.is_none() && s.to == Some(spot))
        .and_then(|s| s.value.as_ref());
    if let Some(value) = value {
        return format!("{}{}", value.text, if value.exact { "=" } else { "" });
    }
    let last = marks.last.as_ref();
    let inner = match (scene.pieces[spot], place.kind) {
        (Some(piece), _) => letter(scene, piece).to_string(),
        (None, Kind::Dot | Kind::Choice) => place.name.clone(),
        (None, Kind::Hole) => "#".into(),
        (None, _) if last.is_some_and(|l| l.taken.iter().any(|t| t.0 == spot)) => "x".into(),
        (None, _) if marks.legal.contains(&spot) => "+".into(),
        (None, _) => ".".into(),
    };
    if last.is_some_and(|l| l.stroke.to == Some(spot)) {
        format!("[{inner}]")
    } else if last.is_some_and(|l| l.turned.contains(&spot)) || marks.chosen.contains(&spot) {
        format!("({inner})")
    } else {
        inner
    }
}

/// Colours a cell's text by the piece on it.
fn paint(scene: &Scene, spot: usize, text: String) -> String {
    let code = match scene.pieces[spot] {
        Some(piece) => scene.layout.look.ansi[piece.side.index()],
        None if scene.marks.legal.contains(&spot) => "33",
        None => "2",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// Writes the board with its coordinates, one line per row, then the notes.
///
/// The last move stands in `[ ]`, turned pieces in `( )`, taken ones are `x`, places
/// that can be chosen `+`, exact values end in `=`. Stacked pieces are capitals.
#[must_use]
pub fn text(scene: &Scene, style: TextStyle) -> String {
    let layout = &scene.layout;
    let width = (0..layout.spots.len())
        .map(|s| cell(scene, s).chars().count() + 1)
        .max()
        .unwrap_or(0)
        .max(4)
        .next_multiple_of(2);
    let columns = match layout.shape {
        Shape::Squares { columns, .. } => Some(columns),
        Shape::Hexagon(_) | Shape::Choices => None,
    };
    let squares = columns.is_some();
    let margin = if squares { 2 } else { 0 };
    let (_, height) = layout.extent();
    let mut lines = Vec::new();
    let header = || {
        let mut line = " ".repeat(margin);
        for column in 0..columns.unwrap_or(0) {
            let name = char::from(b'a' + column as u8).to_string();
            line.push_str(&format!("{name:^width$}"));
        }
        line.trim_end().to_string()
    };
    if squares {
        lines.push(header());
    }
    for row in 0..=height as usize {
        let mut line = String::new();
        let mut used = 0;
        let spots = (0..layout.spots.len()).filter(|&s| layout.spots[s].y == row as f64);
        for spot in spots {
            if squares && used == 0 {
                line = format!("{:<margin$}", &layout.spots[spot].name[1..]);
                used = margin;
            }
            let start = margin + (layout.spots[spot].x * width as f64) as usize;
            line.push_str(&" ".repeat(start.saturating_sub(used)));
            let text = cell(scene, spot);
            let pad = width.saturating_sub(text.chars().count());
            line.push_str(&" ".repeat(pad / 2));
            let length = text.chars().count();
            line.push_str(&if style.colour {
                paint(scene, spot, text)
            } else {
                text
            });
            line.push_str(&" ".repeat(pad - pad / 2));
            used = start + pad + length;
        }
        if let Some(columns) = columns {
            let name = &layout.spots[row * columns].name[1..];
            line.push_str(&format!(" {name}"));
        }
        lines.push(line.trim_end().to_string());
    }
    if squares {
        lines.push(header());
    }
    if scene.pieces.iter().flatten().any(|piece| piece.stacked) {
        lines.push("Capitals are stacked pieces".into());
    }
    lines.extend(scene.notes.iter().cloned());
    lines.join("\n") + "\n"
}
