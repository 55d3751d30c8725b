//! Positions changed by hand: the text of a position while it need not be one yet.

use draw::{Kind, Layout, Scene};
use rules::{PositionError, Side};

use crate::{Definition, GameName};

/// How the one-line text of a position is put together, for the board editor.
#[derive(Clone, Copy, Debug)]
pub struct Editor {
    /// The characters of a board: first side, second side, empty, and no field.
    pub letters: &'static str,
    /// Which word is the board; its rows may be parted by `/`.
    pub board: Board,
    /// Which of the other words is the letter of the side to move.
    pub side: usize,
    /// The board's places, by the other words.
    pub layout: fn(words: &[String]) -> Result<Layout, String>,
    /// Brings the other words in line with the board.
    pub settle: fn(words: &mut [String], board: &[char]),
    /// Brings the other words in line with the side to move, which has just changed.
    pub turn: fn(words: &mut [String]),
}

/// Which word of a position's text is the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
    /// The first one.
    First,
    /// The last one.
    Last,
}

impl Editor {
    /// An editor whose other words follow from nothing.
    #[must_use]
    pub const fn new(
        letters: &'static str,
        board: Board,
        layout: fn(words: &[String]) -> Result<Layout, String>,
    ) -> Editor {
        Editor {
            letters,
            board,
            side: 0,
            layout,
            settle: |_, _| (),
            turn: |_| (),
        }
    }
}

/// The text of a position while it is being changed: it need not be a position yet.
#[derive(Clone, Debug)]
pub struct Sketch {
    game: GameName,
    /// Without an editor, the scene and the side to move of the position.
    fixed: Option<(Scene, Side)>,
    /// The words beside the board, in order.
    words: Vec<String>,
    /// The board: one character a place.
    cells: Vec<char>,
    /// How long its rows are; one if they are not parted.
    rows: Vec<usize>,
}

impl Sketch {
    /// Takes the one-line text of a position apart.
    pub(crate) fn read<D: Definition>(text: &str) -> Result<Sketch, PositionError> {
        let game = GameName::of::<D>();
        let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        if words.is_empty() {
            return Err(PositionError::new("the position is empty"));
        }
        let Some(editor) = &game.about().editor else {
            let position = game.parse(text)?;
            return Ok(Sketch {
                game,
                fixed: Some((position.scene(), position.side_to_move())),
                words,
                cells: Vec::new(),
                rows: Vec::new(),
            });
        };
        let board = words.remove(match editor.board {
            Board::First => 0,
            Board::Last => words.len() - 1,
        });
        let sketch = Sketch {
            game,
            fixed: None,
            rows: board.split('/').map(|row| row.chars().count()).collect(),
            cells: board.chars().filter(|&c| c != '/').collect(),
            words,
        };
        let layout = (editor.layout)(&sketch.words).map_err(PositionError::new)?;
        let wanted = layout.spots.iter().filter(|s| s.kind != Kind::Dot).count();
        match sketch.cells.len() {
            found if found == wanted => Ok(sketch),
            found => Err(PositionError::new(format!(
                "{found} places on the board, not {wanted}"
            ))),
        }
    }

    fn editor(&self) -> Option<&'static Editor> {
        self.game.about().editor.as_ref()
    }

    /// Which game it is of.
    #[must_use]
    pub fn game(&self) -> GameName {
        self.game
    }

    /// What can be put on the board: first side, second side, empty, and no field. Empty if
    /// only the text can be changed.
    #[must_use]
    pub fn letters(&self) -> &'static str {
        self.editor().map_or("", |editor| editor.letters)
    }

    /// What a letter of the board stands for.
    #[must_use]
    pub fn meaning(&self, letter: char) -> &'static str {
        match self.letters().chars().position(|c| c == letter) {
            Some(0) => self.game.side_name(Side::First),
            Some(1) => self.game.side_name(Side::Second),
            Some(3) => "no field",
            _ => "empty",
        }
    }

    fn letter(&self, place: usize) -> char {
        self.letters().chars().nth(place).unwrap_or('-')
    }

    /// The board as it stands.
    pub fn scene(&self) -> Result<Scene, PositionError> {
        if let Some((scene, _)) = &self.fixed {
            return Ok(scene.clone());
        }
        let layout = self.editor().map(|editor| (editor.layout)(&self.words));
        let mut layout = layout
            .unwrap_or_else(|| Err("nothing can be changed".into()))
            .map_err(PositionError::new)?;
        let hole = self.letters().chars().nth(3);
        let mut cells = self.cells.iter();
        let mut pieces = Vec::new();
        for spot in &mut layout.spots {
            if spot.kind == Kind::Dot {
                pieces.push(None);
                continue;
            }
            let cell = cells.next().copied();
            if cell.is_some() && cell == hole {
                spot.kind = Kind::Hole;
            }
            let side = |side: &Side| cell == Some(self.letter(side.index()));
            pieces.push(Side::BOTH.into_iter().find(side));
        }
        let names = Side::BOTH.map(|side| self.game.side_name(side));
        Ok(Scene::new(layout, pieces, names))
    }

    /// The text with this character on a place of the scene; the same one again clears it.
    /// `None` where nothing can be put.
    #[must_use]
    pub fn with(&self, spot: usize, brush: char) -> Option<String> {
        self.editor()?;
        let layout = self.scene().ok()?.layout;
        let holds = |kind: Kind| kind != Kind::Dot;
        layout.spots.get(spot).filter(|place| holds(place.kind))?;
        let places = layout.spots[..spot].iter();
        let cell = places.filter(|place| holds(place.kind)).count();
        let mut changed = self.clone();
        let old = changed.cells[cell];
        changed.cells[cell] = if old == brush { self.letter(2) } else { brush };
        Some(changed.text())
    }

    /// Whose turn it is, as the game calls the player.
    #[must_use]
    pub fn to_move(&self) -> &'static str {
        let side = match (&self.fixed, self.editor()) {
            (Some((_, side)), _) => *side,
            (None, editor) => {
                let word = editor.and_then(|editor| self.words.get(editor.side));
                match word {
                    Some(word) if *word == self.letter(0).to_string() => Side::First,
                    _ => Side::Second,
                }
            }
        };
        self.game.side_name(side)
    }

    /// The text with the other side to move; `None` if only the text can be changed.
    #[must_use]
    pub fn turned(&self) -> Option<String> {
        let editor = self.editor()?;
        let mut changed = self.clone();
        if let Some(word) = changed.words.get_mut(editor.side) {
            let first = self.letter(0).to_string();
            *word = if *word == first {
                self.letter(1).to_string()
            } else {
                first
            };
        }
        (editor.turn)(&mut changed.words);
        Some(changed.text())
    }

    /// The text with an empty board; `None` if only the text can be changed.
    #[must_use]
    pub fn cleared(&self) -> Option<String> {
        self.editor()?;
        let mut changed = self.clone();
        changed.cells.fill(self.letter(2));
        Some(changed.text())
    }

    /// The one-line text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut words = self.words.clone();
        let Some(editor) = self.editor() else {
            return words.join(" ");
        };
        (editor.settle)(&mut words, &self.cells);
        let mut board = String::new();
        let mut cells = self.cells.iter();
        for (number, &length) in self.rows.iter().enumerate() {
            if number > 0 {
                board.push('/');
            }
            board.extend(cells.by_ref().take(length));
        }
        match editor.board {
            Board::First => words.insert(0, board),
            Board::Last => words.push(board),
        }
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use crate::{GIPF, GameName};

    #[track_caller]
    fn check(game: GameName, text: &str) -> super::Sketch {
        let sketch = game.sketch(text).unwrap();
        assert_eq!(sketch.text(), text);
        sketch
    }

    #[test]
    fn sketches_keep_their_text() {
        for game in GameName::all() {
            check(game, &game.start().to_string());
            let start = game.random_start(3);
            let sketch = check(game, &start.to_string());
            let turned = game.parse(&sketch.turned().unwrap()).unwrap();
            assert_ne!(turned.side_to_move(), start.side_to_move());
            assert_eq!(sketch.scene().unwrap().pieces, start.scene().pieces);
        }
    }

    #[test]
    fn stones_come_from_the_reserve() {
        let sketch = check(GIPF, "2 3 5 5 2 2 W WB/B_W/WB");
        let spot = |name| sketch.scene().unwrap().layout.find(name).unwrap();
        let with = |name| sketch.with(spot(name), 'W').unwrap();
        assert_eq!(with("c3"), "2 3 5 5 1 2 W WB/BWW/WB");
        assert_eq!(with("b3"), "2 3 5 5 3 2 W _B/B_W/WB");
    }
}
