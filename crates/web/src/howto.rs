//! How the games are played, for those who do not know them.

use bots::GameName;
use maud::{Markup, html};

use crate::page::capital;

/// The rules of a game, a paragraph each.
fn rules(game: GameName) -> &'static [&'static str] {
    match game {
        GameName::Reversi => &[
            "Black begins. Put a disc on an empty square so that discs of the other colour lie in a straight line between it and another disc of yours: all of them turn over, in every direction.",
            "Whoever cannot turn any disc over passes. When nobody can, the game is over, and more discs win.",
        ],
        GameName::Gipf => &[
            "White begins. Put a stone from your reserve on a dot at the rim and push it one step onto the board; stones in its way move along. A line without a gap cannot be pushed.",
            "When four stones of one colour (in other variants K) or more stand next to each other in a line, they come off with all stones that follow them in that line without a gap. Stones of the row's colour go back into their reserve, the others are out of the game.",
            "Where rows cross, their owner says which comes off first; the player who moved takes rows before the opponent does.",
            "Whoever is to move and has no stone in reserve, or no move, has lost.",
            "A variant is four numbers, S K GW GB: points along a side of the board, stones that make a row, stones of White and of Black. The original is 4 4 15 15.",
        ],
        GameName::Mmpawns => &[
            "A begins and goes up, B goes down. A pawn goes one square forward, straight or diagonally, if that is free; or it jumps the same way over a pawn of the opponent onto the free square behind, and the pawn it jumped over is removed. Nobody has to jump. Crossed squares are holes.",
            "A pawn on the far edge wins. Whoever is to move and cannot, because all pawns are stuck or gone, wins too. After 60 half-moves the game is a draw.",
        ],
    }
}

/// The rules behind a heading, to open.
pub(crate) fn details(game: GameName) -> Markup {
    html! {
        details.more {
            summary { "How " (capital(game.name())) " is played" }
            @for paragraph in rules(game) { p { (paragraph) } }
        }
    }
}
