//! What the boards of a game look like, as data: colours, pieces, surface.

/// The looks of one game's boards.
#[derive(PartialEq, Debug)]
pub struct Look {
    /// The name of the looks, for scripts that draw boards by themselves.
    pub name: &'static str,
    /// Part of the identifiers in a picture, so that boards of different games share a page.
    pub id: &'static str,
    /// The letters of the pieces in a terminal: small ones where pieces can be stacked.
    pub letters: [char; 2],
    /// The colours of the pieces in a terminal, as ANSI codes.
    pub ansi: [&'static str; 2],
    /// The pieces of both sides.
    pub pieces: [PieceLook; 2],
    /// How large pieces are; neighbours are 64 apart.
    pub radius: f64,
    /// What is drawn on the pieces.
    pub emblem: Emblem,
    /// The colours of the ground, from the middle to the edge.
    pub ground: [&'static str; 2],
    /// What is drawn on the ground.
    pub surface: Surface,
    /// The frame of the board on a light page.
    pub frame: Frame,
    /// The frame of the board on a dark page.
    pub dark_frame: Frame,
}

/// The colours of one side's pieces.
#[derive(PartialEq, Debug)]
pub struct PieceLook {
    /// Where the light falls on it.
    pub light: &'static str,
    /// In the shade.
    pub shade: &'static str,
    /// The line around it.
    pub rim: &'static str,
}

/// What is drawn on the pieces.
#[derive(PartialEq, Debug)]
pub enum Emblem {
    /// Nothing.
    None,
    /// A ring, in a colour for each side.
    Ring([&'static str; 2]),
    /// An arrow head the way the piece goes (the first side up), so that the sides differ
    /// without colour.
    Arrow,
}

/// What is drawn on the ground.
#[derive(PartialEq, Debug)]
pub enum Surface {
    /// Nothing but the places.
    Plain,
    /// Lines of this colour between the squares, with the four dots of an 8×8 board.
    Lines(&'static str),
    /// Every other square in another colour, and the two edges that are goals.
    Chequers {
        /// The colour of the darker squares.
        dark: &'static str,
        /// The colours of the top and of the bottom edge.
        goals: [&'static str; 2],
    },
}

/// The colours of a frame.
#[derive(PartialEq, Debug)]
pub struct Frame {
    /// The frame itself.
    pub fill: &'static str,
    /// The coordinates on it.
    pub ink: &'static str,
}

/// The looks of a game that brings none.
pub static PLAIN: Look = Look {
    name: "plain",
    id: "p",
    letters: ['1', '2'],
    ansi: ["1;32", "1;37"],
    pieces: [
        PieceLook {
            light: "#5a6166",
            shade: "#0c0e10",
            rim: "#000000",
        },
        PieceLook {
            light: "#ffffff",
            shade: "#cdd3cf",
            rim: "#8f938f",
        },
    ],
    radius: 24.0,
    emblem: Emblem::None,
    ground: ["#e9edf2", "#d5dce4"],
    surface: Surface::Plain,
    frame: Frame {
        fill: "#2f3740",
        ink: "#eef2f6",
    },
    dark_frame: Frame {
        fill: "#14181c",
        ink: "#c6d0da",
    },
};
