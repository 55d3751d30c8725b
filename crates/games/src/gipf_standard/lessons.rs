//! The rules of GIPF as it is published, as positions to solve.

use crate::{Goal, Lesson};

/// The rules, step by step.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        title: "Bring in a piece",
        text: "You are White. Choose a dot at the rim, then the point next to it: a piece from your reserve goes there, and pieces in the way are pushed along.",
        position: "basic",
        goal: Goal::Any,
        wrong: "",
        right: "A piece on the rim is pushed further in when the next one comes.",
    },
    Lesson {
        title: "Push",
        text: "Pieces in the way move along, each by one point, up to the first gap. Push the black piece on b2.",
        position: "basic 10 10 W ____/_____/______/b______/______/_____/____",
        goal: Goal::Moves(&["a1-b2", "a2-b2", "b1-b2"]),
        wrong: "that pushes nothing; bring your piece in on b2",
        right: "It moved one point further in the direction of your push.",
    },
    Lesson {
        title: "A row of four",
        text: "Four pieces of your colour next to each other are a row: it comes off, back into your reserve. Make one.",
        position: "basic 8 10 W ____/_____/______/_www___/______/_____/____",
        goal: Goal::Moves(&["a1-b2;xb2,c3,d4,e5"]),
        wrong: "that makes no row of four",
        right: "Four pieces are back in your reserve.",
    },
    Lesson {
        title: "Capture",
        text: "Pieces that touch the row in its line come off with it, and the opponent's are captured. Capture the black one.",
        position: "basic 8 10 W ____/_____/______/_wwwb__/______/_____/____",
        goal: Goal::Moves(&["a1-b2;xb2,c3,d4,e5,f5*"]),
        wrong: "that captures nothing",
        right: "Black has one piece less for the rest of the game.",
    },
    Lesson {
        title: "Take your row off first",
        text: "A push of the opponent has made a row of yours. You take it off before you push. Do so, and push wherever you like.",
        position: "standard 8 10 W W__B/_____/______/_wwwwb_/______/_____/____",
        goal: Goal::Any,
        wrong: "",
        right: "The row came off with the black piece beside it, then you pushed.",
    },
    Lesson {
        title: "GIPF-pieces",
        text: "A GIPF-piece is two pieces stacked. When it lies in a row that comes off, the owner of the row may leave it standing. Make the row and keep your GIPF-piece on the board.",
        position: "standard 8 10 W W__B/_____/______/_Wwwb__/______/_____/____",
        goal: Goal::Moves(&["a1-b2;xb2,d4,e5,f5*,=Gc3"]),
        wrong: "make the row on the middle line, and keep the GIPF-piece on c3",
        right: "The GIPF-piece stays, the other pieces of the row came off.",
    },
    Lesson {
        title: "Never without",
        text: "In the standard game whoever has no GIPF-piece on the board has lost. This one is your last: make the row and keep it.",
        position: "standard 8 10 W ___B/_____/______/_Wwwb__/______/_____/____",
        goal: Goal::Moves(&["a1-b2;xb2,d4,e5,f5*,=Gc3"]),
        wrong: "make the row, but do not take your last GIPF-piece off",
        right: "Your last GIPF-piece stays, and the game goes on.",
    },
    Lesson {
        title: "Capture the last one",
        text: "Black has one GIPF-piece left, and it touches the row that you can make. Take it off, and win.",
        position: "standard 8 10 W W___/_____/______/_wwwB__/______/_____/____",
        goal: Goal::Win,
        wrong: "the GIPF-piece on f5 is still there",
        right: "Black has no GIPF-piece left: you win.",
    },
    Lesson {
        title: "No piece to bring in",
        text: "Whoever must move and has no piece in reserve has lost. Black's reserve is empty, and nothing comes back to it: any move wins.",
        position: "standard 8 0 W W__B/_____/______/__wb___/______/_____/____",
        goal: Goal::Win,
        wrong: "",
        right: "Black has nothing to bring in.",
    },
    Lesson {
        title: "The tournament game",
        text: "In the tournament game the board is empty at first, and each side begins with a GIPF-piece. Bring in yours.",
        position: "tournament",
        goal: Goal::Any,
        wrong: "",
        right: "Further GIPF-pieces may follow until you bring in your first single piece.",
    },
];
