//! Positions changed by hand: the text of a position while it need not be one yet.

use draw::{Kind, Layout, Piece, Scene};
use rules::{PositionError, Side};

use crate::{Definition, GameName};

/// How the one-line text of a position is put together, for the board editor.
#[derive(Clone, Copy, Debug)]
pub struct Editor {
    /// The characters of a board: first side, second side, empty, and no field. A piece of
    /// either side is stacked if its letter is a capital, where these are small ones.
    pub letters: &'static str,
    /// What stacked pieces are called, where there are some.
    pub stacked: Option<&'static str>,
    /// Which word is the board; its rows may be parted by `/`.
    pub board: Board,
    /// Which of the other words is the letter of the side to move, small or capital.
    pub side: usize,
    /// What can be set in the other words, beside the side to move.
    pub fields: &'static [Field],
    /// The board's places, by the other words.
    pub layout: fn(words: &[String]) -> Result<Layout, String>,
    /// Brings the other words in line with the board, which has just changed.
    pub settle: fn(words: &mut [String], change: Change<'_>),
    /// Brings the other words in line with the side to move, which has just changed.
    pub turn: fn(words: &mut [String]),
}

/// Something beside the board, as the other words of a position's text have it.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// What it is called.
    pub label: &'static str,
    /// What it can be.
    pub values: Values,
    /// What it is; `None` where these words do not have it.
    pub get: fn(words: &[String]) -> Option<String>,
    /// Makes it this value.
    pub set: fn(words: &mut Vec<String>, value: &str),
}

/// What a field can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// A number, zero or more.
    Number,
    /// One of these texts, each with what it means.
    Of(&'static [(&'static str, &'static str)]),
}

impl Field {
    /// A number that is a word of its own.
    #[must_use]
    pub const fn word<const WORD: usize>(label: &'static str) -> Field {
        Field {
            label,
            values: Values::Number,
            get: |words| words.get(WORD).cloned(),
            set: |words, value| {
                if let Some(word) = words.get_mut(WORD) {
                    *word = value.into();
                }
            },
        }
    }

    /// Whether it can be this.
    fn takes(&self, value: &str) -> bool {
        match self.values {
            Values::Number => !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()),
            Values::Of(all) => all.iter().any(|(known, _)| *known == value),
        }
    }
}

/// A board before and after it was changed by hand.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The characters of the board as it was.
    pub before: &'a [char],
    /// The characters of the board as it is now.
    pub after: &'a [char],
}

impl Change<'_> {
    /// How many more of a character there are now.
    #[must_use]
    pub fn more(&self, letter: char) -> isize {
        let count = |board: &[char]| board.iter().filter(|&&c| c == letter).count() as isize;
        count(self.after) - count(self.before)
    }
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
            stacked: None,
            board,
            side: 0,
            fields: &[],
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

    /// The characters of a board, as the editor has them.
    fn letters(&self) -> &'static str {
        self.editor().map_or("", |editor| editor.letters)
    }

    /// What can be put on the board: pieces of the first side, of the second, nothing, no field,
    /// and stacked pieces. Empty if only the text can be changed.
    #[must_use]
    pub fn brushes(&self) -> Vec<char> {
        let mut brushes: Vec<char> = self.letters().chars().collect();
        if self.editor().is_some_and(|editor| editor.stacked.is_some()) {
            let stacked = Side::BOTH.map(|side| self.letter(side.index()).to_ascii_uppercase());
            brushes.splice(2..2, stacked);
        }
        brushes
    }

    /// What a letter of the board stands for.
    #[must_use]
    pub fn meaning(&self, letter: char) -> String {
        match (self.piece(letter), self.letters().chars().nth(3)) {
            (Some(Piece { side, stacked }), _) => {
                let stacked = self.editor().and_then(|e| e.stacked).filter(|_| stacked);
                match (self.game.side_name(side), stacked) {
                    (side, None) => side.into(),
                    (side, Some(stacked)) => format!("{side} {stacked}"),
                }
            }
            (None, Some(hole)) if hole == letter => "no field".into(),
            (None, _) => "empty".into(),
        }
    }

    fn letter(&self, place: usize) -> char {
        self.letters().chars().nth(place).unwrap_or('-')
    }

    /// The piece that a character of the board stands for.
    fn piece(&self, cell: char) -> Option<Piece> {
        let stacks = self.editor().is_some_and(|editor| editor.stacked.is_some());
        let piece = |side: Side| {
            let letter = self.letter(side.index());
            let stacked = stacks && cell == letter.to_ascii_uppercase();
            (stacked || cell == letter).then_some(Piece { side, stacked })
        };
        Side::BOTH.into_iter().find_map(piece)
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
            pieces.push(cell.and_then(|cell| self.piece(cell)));
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
        changed.settle(&self.cells);
        Some(changed.text())
    }

    /// Whose turn it is, as the game calls the player.
    #[must_use]
    pub fn to_move(&self) -> &'static str {
        let side = match (&self.fixed, self.editor()) {
            (Some((_, side)), _) => *side,
            (None, editor) => {
                let word = editor.and_then(|editor| self.words.get(editor.side));
                match word.is_some_and(|word| self.is_first(word)) {
                    true => Side::First,
                    false => Side::Second,
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
            let other = self.letter(usize::from(self.is_first(word)));
            *word = match word.chars().all(char::is_uppercase) {
                true => other.to_ascii_uppercase().into(),
                false => other.into(),
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
        changed.settle(&self.cells);
        Some(changed.text())
    }

    /// What can be set beside the board, with what it is.
    pub fn fields(&self) -> impl Iterator<Item = (&'static Field, String)> {
        let all = self.editor().map_or(&[][..], |editor| editor.fields);
        all.iter()
            .filter_map(|field| Some((field, (field.get)(&self.words)?)))
    }

    /// Sets what has this label. What these words do not have is left alone.
    pub fn set(&mut self, label: &str, value: &str) -> Result<(), PositionError> {
        let Some((field, _)) = self.fields().find(|(field, _)| field.label == label) else {
            return Ok(());
        };
        if !field.takes(value) {
            return Err(PositionError::new(format!("{label} cannot be {value:?}")));
        }
        (field.set)(&mut self.words, value);
        Ok(())
    }

    /// Whether a word is the letter of the first side.
    fn is_first(&self, word: &str) -> bool {
        word.eq_ignore_ascii_case(&self.letter(0).to_string())
    }

    /// Brings the other words in line with the board, which was different before.
    fn settle(&mut self, before: &[char]) {
        if let Some(editor) = self.editor() {
            let after = &self.cells;
            (editor.settle)(&mut self.words, Change { before, after });
        }
    }

    /// The one-line text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut words = self.words.clone();
        let Some(editor) = self.editor() else {
            return words.join(" ");
        };
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
    use crate::{GIPF, GIPF_STANDARD, GameName};

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
        // What is out of the game stays out of it.
        let sketch = check(GIPF, "2 3 5 5 1 2 W WB/B__/WB");
        assert_eq!(
            sketch.with(spot("b3"), 'W').unwrap(),
            "2 3 5 5 2 2 W _B/B__/WB"
        );
        assert_eq!(sketch.cleared().unwrap(), "2 3 5 5 3 5 W __/___/__");
    }

    #[test]
    fn stacked_pieces_are_put_on_the_board() {
        let sketch = check(
            GIPF_STANDARD,
            "standard 10 12 B 3/100 W__B/_____/_w____/B_____W/______/_____/W__B",
        );
        assert_eq!(sketch.brushes(), ['w', 'b', 'W', 'B', '_']);
        assert_eq!(sketch.meaning('W'), "White GIPF-piece");
        assert_eq!(sketch.meaning('b'), "Black");
        assert_eq!(sketch.to_move(), "Black");
        let spot = |name| sketch.scene().unwrap().layout.find(name).unwrap();
        let with = |name, brush| sketch.with(spot(name), brush).unwrap();
        assert_eq!(
            with("e5", 'W'),
            "standard 8 12 B 3/100 W__B/_____/_w____/B__W__W/______/_____/W__B"
        );
        assert_eq!(
            with("b5", 'w'),
            "standard 11 12 B 3/100 w__B/_____/_w____/B_____W/______/_____/W__B"
        );
        assert_eq!(
            with("b5", 'W'),
            "standard 12 12 B 3/100 ___B/_____/_w____/B_____W/______/_____/W__B"
        );
        assert_eq!(
            sketch.turned().unwrap(),
            "standard 10 12 W 3/100 W__B/_____/_w____/B_____W/______/_____/W__B"
        );
        // The first pieces of the tournament game have been brought in when they are there.
        let sketch = check(
            GIPF_STANDARD,
            "tournament 18! 18! W ____/_____/______/_______/______/_____/____",
        );
        assert_eq!(
            sketch.with(spot("e5"), 'W').unwrap(),
            "tournament 16+ 18! W ____/_____/______/___W___/______/_____/____"
        );
        assert_eq!(
            sketch.with(spot("e5"), 'b').unwrap(),
            "tournament 18! 17 W ____/_____/______/___b___/______/_____/____"
        );
    }

    /// Sets fields of a position; its text is this one then.
    #[track_caller]
    fn check_set(game: GameName, text: &str, values: &[(&str, &str)], expected: &str) {
        let mut sketch = check(game, text);
        for (label, value) in values {
            sketch.set(label, value).unwrap();
        }
        assert_eq!(sketch.text(), expected);
        game.parse(expected).unwrap();
    }

    #[test]
    fn what_stands_beside_the_board_is_set() {
        const EMPTY: &str = "____/_____/______/_______/______/_____/____";
        let empty = |words: &str| format!("{words} {EMPTY}");
        let start = empty("tournament 18! 18! W");
        let published = |values: &[(&str, &str)], words: &str| {
            check_set(GIPF_STANDARD, &start, values, &empty(words));
        };
        published(&[("White's reserve", "7")], "tournament 7! 18! W");
        published(
            &[("Black's reserve", "9"), ("Black brings in", "")],
            "tournament 18! 9 W",
        );
        published(
            &[("Plies without a capture", "3")],
            "tournament 18! 18! W 3/100",
        );
        published(
            &[
                ("Drawn after (0: never)", "0"),
                ("Plies without a capture", "0"),
            ],
            "tournament 18! 18! W 0/0",
        );
        // Only the tournament game says what may be brought in.
        published(
            &[
                ("Rules", "basic"),
                ("White's reserve", "12"),
                ("White brings in", "!"),
                ("Black's reserve", "15"),
            ],
            "basic 12 15 W",
        );
        let counted = empty("basic 9 9 B 7/100");
        let usual = [("Plies without a capture", "0")];
        check_set(GIPF_STANDARD, &counted, &usual, &empty("basic 9 9 B"));
        check_set(
            GIPF,
            "2 3 5 5 2 2 W WB/B_W/WB",
            &[("White's stones", "6"), ("White's reserve", "3")],
            "2 3 6 5 3 2 W WB/B_W/WB",
        );
    }

    #[test]
    fn fields_take_only_what_they_can_be() {
        let mut sketch = GIPF_STANDARD
            .sketch(&GIPF_STANDARD.start().to_string())
            .unwrap();
        for (label, value) in [
            ("Rules", "chess"),
            ("White's reserve", "x"),
            ("White's reserve", ""),
        ] {
            let error = sketch.set(label, value).unwrap_err().to_string();
            assert!(error.contains(label), "{error}");
        }
        let labels: Vec<&str> = sketch.fields().map(|(field, _)| field.label).collect();
        let expected = [
            "Rules",
            "White's reserve",
            "Black's reserve",
            "Plies without a capture",
            "Drawn after (0: never)",
        ];
        assert_eq!(labels, expected);
    }
}
