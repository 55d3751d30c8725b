//! The rules of Reversi as positions to solve.

use crate::{Goal, Lesson};

/// The rules, step by step.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        title: "Enclose a disc",
        text: "You are Black. Put a disc on an empty square so that a white disc lies in a straight line between it and another black disc: the white disc turns over and is yours.",
        position: "---------------------------OX------XO--------------------------- X",
        goal: Goal::Any,
        wrong: "",
        right: "The white disc between your two turned over.",
    },
    Lesson {
        title: "A long line",
        text: "All white discs between the new disc and the next black one turn over, not only the neighbour. Turn over five at once.",
        position: "XOOOOO--------------------------------------------------XO------ X",
        goal: Goal::Moves(&["g1"]),
        wrong: "that turns over one disc; there is a line of five",
        right: "Five discs lay between a1 and g1, and all turned over.",
    },
    Lesson {
        title: "Every direction",
        text: "One disc can enclose in several directions at once: across, up and down, and on the diagonals. Find the move that turns over three discs.",
        position: "-----------X-------O-----XO---------O--------X----------XO------ X",
        goal: Goal::Moves(&["d4"]),
        wrong: "that encloses in one direction only",
        right: "From d4 you enclosed d3, c4 and e5, each in a direction of its own.",
    },
    Lesson {
        title: "No gaps",
        text: "The enclosed discs must touch each other: an empty square between breaks the line. In the third row there is a gap. Find the move that works.",
        position: "XOO-------------X-OO-------------------------------------------- X",
        goal: Goal::Any,
        wrong: "",
        right: "Only the first row has no gap.",
    },
    Lesson {
        title: "Passing",
        text: "Whoever cannot turn over any disc has no move and passes. Black has none here: the corner cannot be enclosed. Pass.",
        position: "OX-------------------------------------------------------------- X",
        goal: Goal::Moves(&["pass"]),
        wrong: "",
        right: "White goes on. In a game on this site such passes are made by themselves.",
    },
    Lesson {
        title: "The corner",
        text: "A disc in a corner can never be turned over again: nothing can enclose it. Take one.",
        position: "-OX------------------------XO-----------------------------XO---- X",
        goal: Goal::Moves(&["a1"]),
        wrong: "that is no corner; look at the end of the first row",
        right: "The disc on a1 is yours until the end of the game.",
    },
    Lesson {
        title: "Beside the corner",
        text: "The squares beside an empty corner are dangerous, most of all the one on the diagonal: from it the opponent reaches the corner. Play any move that does not give White a corner.",
        position: "------------------OO-------XO------XX--------O------------------ X",
        goal: Goal::AllBut(&["b2", "g7"]),
        wrong: "White answers in the corner",
        right: "White cannot reach a corner now.",
    },
    Lesson {
        title: "Leave no move",
        text: "Many discs are worth little in the middle of a game; many moves are worth a lot. Find the move after which White has no move at all and must pass.",
        position: "-------------------OXO----O---------XO----X--X------------------ X",
        goal: Goal::Moves(&["g5"]),
        wrong: "White can still move",
        right: "White must pass, and you move again.",
    },
    Lesson {
        title: "Take them all",
        text: "The game is over when neither side can move, and more discs win. Here one move leaves White without a single disc.",
        position: "-----------X-------O-----XO--------XO--------X------------------ X",
        goal: Goal::Win,
        wrong: "White has discs left",
        right: "White has no disc left: you win at once.",
    },
    Lesson {
        title: "The end",
        text: "The board is nearly full, and this is the last move. Make it, and count: more discs win.",
        position: "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOO- X",
        goal: Goal::Win,
        wrong: "",
        right: "The board is full, and you have more discs.",
    },
];
