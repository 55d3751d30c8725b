//! How the games are played, for those who do not know them.

use games::GameName;
use maud::{Markup, html};

/// The rules behind a heading, to open.
pub(crate) fn details(game: GameName) -> Markup {
    let about = game.about();
    html! {
        @if !about.rules.is_empty() {
            details.more {
                summary { "How " (about.title) " is played" }
                @for paragraph in about.rules { p { (paragraph) } }
            }
        }
    }
}
