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
    /// Pieces that left the board, with the side they belonged to.
    pub taken: Vec<(usize, Side)>,
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
    /// Whose piece stands on each place.
    pub pieces: Vec<Option<Side>>,
    /// How the game calls its players.
    pub names: [&'static str; 2],
    /// What is beside the board: reserves, counts.
    pub notes: Vec<String>,
    /// The marks.
    pub marks: Marks,
}

impl Scene {
    /// Only the pieces, nothing marked.
    #[must_use]
    pub fn new(layout: Layout, pieces: Vec<Option<Side>>, names: [&'static str; 2]) -> Scene {
        assert_eq!(layout.spots.len(), pieces.len());
        Scene {
            layout,
            pieces,
            names,
            notes: Vec::new(),
            marks: Marks::default(),
        }
    }

    /// One character per place: `-` empty, `0` and `1` the pieces of both sides, `*` no field.
    #[must_use]
    pub fn characters(&self) -> Vec<u8> {
        let places = self.pieces.iter().zip(&self.layout.spots);
        places
            .map(|(piece, spot)| match piece {
                Some(side) => b"01"[side.index()],
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
            (Some(side), _) => self.names[side.index()].to_lowercase(),
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
    /// Any of these places will do.
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
}

/// A way to enter a move on the board; some moves can be entered in several ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way<M> {
    /// What to point at; nothing for a pass.
    pub steps: Vec<Step>,
    /// The move that is made so.
    pub mv: M,
}
