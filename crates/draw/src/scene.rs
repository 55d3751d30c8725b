//! What is to be seen: a layout, the pieces on it, and the marks over them.

use rules::Side;

use crate::layout::Layout;

/// How good a marked move is; always shown by more than a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    /// Nothing is known, or neither good nor bad.
    #[default]
    Plain,
    /// Worse than another one.
    Worse,
    /// A blunder.
    Bad,
    /// Known to win.
    Win,
    /// Known to draw.
    Draw,
    /// Known to lose.
    Loss,
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Two pieces, one on top of the other; told apart by more than a colour.
    pub stacked: bool,
}

impl From<Side> for Piece {
    /// A single piece.
    fn from(side: Side) -> Piece {
        Piece {
            side,
            stacked: false,
        }
    }
}

/// A number or word written on a place or an arrow.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// What is written: `+12`, `W5`.
    pub text: String,
    /// How good it is.
    pub tone: Tone,
    /// None is better: framed.
    pub best: bool,
    /// Proven, not estimated: underlined in a picture, followed by `=` in a terminal.
    pub exact: bool,
}

/// A move shown on the board; without `from` on the place `to` alone.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stroke {
    /// Where it starts.
    pub from: Option<usize>,
    /// Where it ends; `None` for a pass, which is not drawn.
    pub to: Option<usize>,
    /// What is written on it.
    pub value: Option<Value>,
}

/// What a move did to the other pieces.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// The move itself.
    pub stroke: Stroke,
    /// Pieces that changed their colour.
    pub turned: Vec<usize>,
    /// Pieces that left the board.
    pub taken: Vec<(usize, Piece)>,
    /// Pieces beside the one that is moved which went from one place to another.
    pub pushed: Vec<(usize, usize)>,
}

/// Marks over the pieces.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Marks {
    /// The last move and its effects.
    pub last: Option<Trace>,
    /// Places that can be chosen now.
    pub legal: Vec<usize>,
    /// Places chosen so far.
    pub chosen: Vec<usize>,
    /// Moves with their values.
    pub strokes: Vec<Stroke>,
    /// Rows of pieces, from end to end, of which one must be chosen.
    pub rows: Vec<(usize, usize)>,
}

/// A board as it is to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// The places.
    pub layout: Layout,
    /// The piece on each place.
    pub pieces: Vec<Option<Piece>>,
    /// How the game calls its players.
    pub names: [&'static str; 2],
    /// What is beside the board: reserves, counts.
    pub notes: Vec<String>,
    /// How many pieces both players have beside the board to bring in, in games that have such.
    pub reserves: Option<[u32; 2]>,
    /// The marks.
    pub marks: Marks,
}

impl Scene {
    /// Only the pieces, nothing marked.
    #[must_use]
    pub fn new<P: Into<Piece>>(
        layout: Layout,
        pieces: Vec<Option<P>>,
        names: [&'static str; 2],
    ) -> Scene {
        assert_eq!(layout.spots.len(), pieces.len());
        let pieces = pieces.into_iter().map(|piece| piece.map(Into::into));
        Scene {
            layout,
            pieces: pieces.collect(),
            names,
            notes: Vec::new(),
            reserves: None,
            marks: Marks::default(),
        }
    }

    /// The same board seen from the other side.
    #[must_use]
    pub fn turn(self) -> Scene {
        Scene {
            layout: self.layout.turn(),
            ..self
        }
    }

    /// One character per place: `-` empty, `0` and `1` the pieces of both sides, `2` and `3`
    /// their stacked ones, `*` no field.
    #[must_use]
    pub fn characters(&self) -> Vec<u8> {
        let places = self.pieces.iter().zip(&self.layout.spots);
        places
            .map(|(piece, spot)| match piece {
                Some(Piece { side, stacked }) => b"0123"[side.index() + 2 * usize::from(*stacked)],
                None if spot.kind == crate::layout::Kind::Hole => b'*',
                None => b'-',
            })
            .collect()
    }

    /// What is on a place, in words: `d3, black disc, last move`.
    #[must_use]
    pub fn describe(&self, spot: usize) -> String {
        use crate::layout::Kind;
        let mut words = vec![self.layout.spots[spot].name.clone()];
        words.push(match (self.pieces[spot], self.layout.spots[spot].kind) {
            (Some(Piece { side, stacked }), _) => {
                // A player's name that is a letter would read like a coordinate.
                let name = match self.names[side.index()] {
                    name if name.len() == 1 => format!("piece of {name}"),
                    name => name.to_lowercase(),
                };
                name + if stacked { ", stacked" } else { "" }
            }
            (None, Kind::Hole) => "no field".into(),
            (None, Kind::Dot) => "dot".into(),
            (None, Kind::Choice) => "move".into(),
            (None, _) => "empty".into(),
        });
        if let Some(last) = &self.marks.last {
            if last.stroke.to == Some(spot) {
                words.push("last move".into());
            }
            if last.turned.contains(&spot) {
                words.push("turned".into());
            }
            if last.taken.iter().any(|&(s, _)| s == spot) {
                words.push("taken".into());
            }
        }
        if self.marks.chosen.contains(&spot) {
            words.push("chosen".into());
        }
        if self.marks.legal.contains(&spot) {
            words.push("can be chosen".into());
        }
        for stroke in &self.marks.strokes {
            if let (Some(value), true) = (&stroke.value, stroke.to == Some(spot)) {
                let exact = if value.exact { " exactly" } else { "" };
                words.push(match stroke.from {
                    Some(from) => format!(
                        "{}{exact} from {}",
                        value.text, self.layout.spots[from].name
                    ),
                    None => format!("{}{exact}", value.text),
                });
            }
        }
        words.join(", ")
    }
}

/// One of the things to point at, in order, when a move is entered on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Any of these places will do; with none, the step is chosen by its label alone.
    pub spots: Vec<usize>,
    /// What is chosen, in words.
    pub label: String,
    /// The ends of the row that is chosen, where a row is.
    pub row: Option<(usize, usize)>,
}

impl Step {
    /// A step that is one place.
    #[must_use]
    pub fn place(layout: &Layout, spot: usize) -> Step {
        Step {
            spots: vec![spot],
            label: layout.spots[spot].name.clone(),
            row: None,
        }
    }

    /// Whether the step is one place, not a row or another choice that has a label of its own.
    #[must_use]
    pub fn is_place(&self, layout: &Layout) -> bool {
        matches!(self.spots[..], [spot] if layout.spots[spot].name == self.label)
    }

    /// Whether this names the step: its label, or the coordinate of one of its places.
    #[must_use]
    pub fn is_named(&self, layout: &Layout, pick: &str) -> bool {
        let name = |&spot: &usize| layout.spots[spot].name.eq_ignore_ascii_case(pick);
        self.label == pick || self.spots.iter().any(name)
    }
}

/// A way to enter a move on the board; some moves can be entered in several ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way<M> {
    /// What to point at; nothing for a pass.
    pub steps: Vec<Step>,
    /// The move that is made so.
    pub mv: M,
}
