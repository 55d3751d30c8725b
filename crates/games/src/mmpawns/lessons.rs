//! The rules of MMPawns as positions to solve.

use crate::{Goal, Lesson};

/// The rules, step by step.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        title: "One step forward",
        text: "You are A, and your pawns go up. A pawn goes one square forward, straight or diagonally. Move your pawn.",
        position: "A 1 --------/------B-/--------/--------/--------/---A----/--------/--------",
        goal: Goal::Any,
        wrong: "",
        right: "Straight or diagonally, but always forward: a pawn never goes back or sideways.",
    },
    Lesson {
        title: "Holes",
        text: "Crossed squares are holes: nobody can stand on them. Go around the hole.",
        position: "A 1 --------/------B-/--------/--------/---*----/---A----/--------/--------",
        goal: Goal::Any,
        wrong: "",
        right: "The straight way was closed, the diagonals were open.",
    },
    Lesson {
        title: "Jump",
        text: "A pawn jumps over a pawn of the opponent that stands before it, straight or diagonally, if the square behind is free. The pawn it jumped over is removed. Jump.",
        position: "A 1 --------/------B-/--------/---B----/---A----/--------/--------/--------",
        goal: Goal::Moves(&["d5xd3"]),
        wrong: "that is a step; the pawn on d4 can be jumped over",
        right: "The pawn on d4 is gone, and you have come two squares further.",
    },
    Lesson {
        title: "Nowhere to land",
        text: "Behind the pawn on e4 is a hole, so that it cannot be jumped over. Move all the same.",
        position: "A 1 --------/------B-/----*---/----B---/----A---/--------/--------/--------",
        goal: Goal::Any,
        wrong: "",
        right: "Nobody has to jump, and here nobody could.",
    },
    Lesson {
        title: "The far edge",
        text: "A pawn that reaches the far edge wins. Win.",
        position: "A 1 --------/A-------/------B-/--------/--------/---A----/--------/--------",
        goal: Goal::Win,
        wrong: "that does not reach the first row; the pawn on a2 does",
        right: "A pawn of yours stands on the far edge: you win.",
    },
    Lesson {
        title: "Jump to the edge",
        text: "A jump can reach the far edge too. Win.",
        position: "A 1 --------/---B--B-/---A----/--------/--------/A-------/--------/--------",
        goal: Goal::Win,
        wrong: "the pawn on d3 can get to the edge at once",
        right: "The jump ended on the far edge.",
    },
    Lesson {
        title: "The race",
        text: "B's pawn on h6 needs two moves to the edge. You move first: start running with the right pawn.",
        position: "A 1 --------/--------/--A-----/--------/--------/-----A-B/--------/--------",
        goal: Goal::Moves(&["c3-b2", "c3-c2", "c3-d2"]),
        wrong: "B is faster then: two moves are enough",
        right: "Your pawn needs one more move, B's two.",
    },
    Lesson {
        title: "Stop the runner",
        text: "B's pawn on d6 is two moves from your edge, and yours on a5 is too slow. Take it.",
        position: "A 1 --------/-------B/--------/--------/A-------/---B----/---A----/--------",
        goal: Goal::Moves(&["d7xd5"]),
        wrong: "now nothing stops the pawn on d6",
        right: "The runner is gone.",
    },
    Lesson {
        title: "Do not take the last one",
        text: "Whoever is to move and cannot, wins! So do not take B's last pawn: B would have no move. Move without winning for B.",
        position: "A 1 --------/--------/--------/---B----/---A----/--------/--------/--------",
        goal: Goal::AllBut(&["d5xd3"]),
        wrong: "B has no pawn left, cannot move, and wins (rule 9)",
        right: "B still has to move.",
    },
    Lesson {
        title: "Do not shut them in",
        text: "A player without a move wins, and this is looked at before the far edge. B's only pawn stands on h5. Win, and do not shut it in.",
        position: "A 1 --------/A-------/--------/--------/-------B/------*-/------A*/--------",
        goal: Goal::Win,
        wrong: "look where the pawn on h5 can still go, and at the pawn on a2",
        right: "B can still move, and your pawn stands on the far edge: you win.",
    },
];
