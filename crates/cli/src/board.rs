//! Boards of any game for the terminal and for pictures.

use std::io::IsTerminal;

use ::draw::{Drawable, Scene, TextStyle};
use bots::AnyPosition;

/// Evaluates an expression with the position as that of its own game.
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            AnyPosition::Reversi($position) => $body,
            AnyPosition::Gipf($position) => $body,
            AnyPosition::Mmpawns($position) => $body,
        }
    };
}

/// The board, with the places marked on which a move can begin.
pub(crate) fn scene(position: &AnyPosition) -> Scene {
    with_position!(position, p => with_legal(p.scene(), p))
}

/// The board after a move, which is marked like the places where the next can begin.
/// An illegal move is not played.
pub(crate) fn scene_after(position: &AnyPosition, mv: &str) -> Scene {
    with_position!(position, p => after(p, mv))
}

fn after<P: Drawable>(position: &P, mv: &str) -> Scene {
    let Ok(mv) = position.parse_move(mv) else {
        return with_legal(position.scene(), position);
    };
    let mut next = position.clone();
    next.play_unchecked(mv);
    with_legal(position.scene_after(mv), &next)
}

fn with_legal<P: Drawable>(mut scene: Scene, position: &P) -> Scene {
    scene.marks.legal = position.first_steps();
    scene
}

/// Colour only on a terminal, and only if nobody objects.
pub(crate) fn text_style() -> TextStyle {
    let objection = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    TextStyle {
        colour: !objection && std::io::stdout().is_terminal(),
    }
}
