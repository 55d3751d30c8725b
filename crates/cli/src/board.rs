//! Boards of any game for the terminal and for pictures.

use std::io::IsTerminal;

use ::draw::{Scene, TextStyle};
use games::AnyPosition;

/// The board, with the places marked on which a move can begin.
pub(crate) fn scene(position: &AnyPosition) -> Scene {
    with_legal(position.scene(), position)
}

/// The board after a move, which is marked like the places where the next can begin.
/// An illegal move is not played.
pub(crate) fn scene_after(position: &AnyPosition, mv: &str) -> Scene {
    let mut next = position.clone();
    match (position.scene_after(mv), next.play(mv)) {
        (Ok(scene), Ok(_)) => with_legal(scene, &next),
        _ => scene(position),
    }
}

fn with_legal(mut scene: Scene, position: &AnyPosition) -> Scene {
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
