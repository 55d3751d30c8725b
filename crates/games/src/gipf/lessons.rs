//! The rules of GIPF as positions to solve.

use crate::{Goal, Lesson};

/// The rules, step by step.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        title: "Bring in a stone",
        text: "You are White. A stone comes from your reserve: choose a dot at the rim, then the point next to it. This small board has three points a side.",
        position: "3 3 8 8",
        goal: Goal::Any,
        wrong: "",
        right: "One stone less in your reserve, one more on the board.",
    },
    Lesson {
        title: "Push",
        text: "A point may be taken already: then the stones in the way move along, each by one point. Push the black stone on b2.",
        position: "3 3 8 8 7 7 W ___/____/B____/____/___",
        goal: Goal::Moves(&["a1-b2", "a2-b2", "b1-b2"]),
        wrong: "that pushes nothing; bring your stone in on b2",
        right: "The black stone moved one point further in the direction of your push.",
    },
    Lesson {
        title: "A full line",
        text: "The row in the middle is full: nothing can be pushed into it along that line. Bring in a stone somewhere else, or along another line.",
        position: "3 3 8 8 6 5 W ___/____/BWBWB/____/___",
        goal: Goal::Any,
        wrong: "",
        right: "Only lines with a gap can be pushed.",
    },
    Lesson {
        title: "A row comes off",
        text: "Three stones of one colour next to each other in a line (four on the original board) come off, and yours go back into your reserve. Make a row.",
        position: "3 3 8 8 6 6 W ___/____/_WW__/____/___",
        goal: Goal::Moves(&["b1-b2"]),
        wrong: "that makes no row; three of yours should stand side by side",
        right: "The row is back in your reserve: you have more to play with.",
    },
    Lesson {
        title: "Capture",
        text: "Stones that touch the row in its line come off with it. Those of the other colour are out of the game: capture the black one.",
        position: "3 3 8 8 6 6 W ___/____/_WWB_/____/___",
        goal: Goal::Moves(&["b1-b2"]),
        wrong: "that makes no row with the black stone behind it",
        right: "Black's stone is out of the game for good.",
    },
    Lesson {
        title: "The better row",
        text: "Two rows are possible here. One of them takes two black stones with it: make that one.",
        position: "3 3 8 8 4 6 W WW_/____/_WWBB/____/___",
        goal: Goal::Moves(&["b1-b2"]),
        wrong: "no black stone comes off with that",
        right: "Two stones of Black are out of the game.",
    },
    Lesson {
        title: "Not their row",
        text: "A push can make a row for the opponent too: then the opponent gets stones back, and yours that touch the row are lost. Play anything else.",
        position: "3 3 8 8 7 5 W ___/____/B_BB_/____/___",
        goal: Goal::AllBut(&["a1-b2"]),
        wrong: "Black's three stones stand together now, and take yours with them",
        right: "Black has no row.",
    },
    Lesson {
        title: "Rows that cross",
        text: "A push can make two rows that cross in one stone. The player who pushed says which comes off first, and the other one, broken, stays. Push from a3 to b4 or from e6 to d6, then choose a row.",
        position: "3 3 12 12 7 6 W WW_/_BWB/_BW_B/W___/_B_",
        goal: Goal::Moves(&[
            "a3-b4 w: d6 d4",
            "a3-b4 w: b4 d6",
            "e6-d6 w: d6 d4",
            "e6-d6 w: b4 d6",
        ]),
        wrong: "that makes no two rows",
        right: "One row came off; the stones of the other one that are left stay where they are.",
    },
    Lesson {
        title: "The last stone",
        text: "You have one stone in reserve. Whoever is to move without a stone in reserve has lost: so get some back.",
        position: "3 3 8 8 1 4 W ___/__B_/_WW__/____/_B_",
        goal: Goal::Moves(&["b1-b2"]),
        wrong: "your reserve is empty then, and you lose when it is your turn again",
        right: "Three stones in reserve: the game goes on.",
    },
    Lesson {
        title: "Win",
        text: "Black has nothing in reserve. Any move wins that does not give Black a row.",
        position: "3 3 8 8 3 0 W ___/____/B_BB_/_W__/___",
        goal: Goal::Win,
        wrong: "Black gets three stones back",
        right: "Black has no stone to bring in, and has lost.",
    },
];
