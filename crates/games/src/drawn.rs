//! Boards as they are drawn in texts, with coordinates around them.

use rules::Side;

/// A drawn board, taken apart.
pub(crate) struct Drawn {
    /// What stands on each place, from the top, without coordinates.
    pub(crate) rows: Vec<Vec<char>>,
    /// The lines around the board.
    pub(crate) notes: Vec<String>,
}

impl Drawn {
    /// Reads a board whose lines have coordinates: letters above or below, numbers beside, or
    /// names of places at the rim. `None` if a text has none.
    pub(crate) fn read(text: &str) -> Option<Drawn> {
        let mut drawn = Drawn {
            rows: Vec::new(),
            notes: Vec::new(),
        };
        let mut coordinates = 0;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let mut words: Vec<&str> = line
                .split(|c: char| c.is_whitespace() || c == '|')
                .collect();
            words.retain(|word| !word.is_empty());
            let all = words.len();
            if is_header(&words) {
                coordinates += 1;
                continue;
            }
            words.retain(|word| !is_place(word));
            // A number on the left, and perhaps once more on the right.
            if let Some(first) = words.first().copied().filter(|word| is_number(word)) {
                words.remove(0);
                words.pop_if(|last| *last == first);
            } else {
                words.pop_if(|last| is_number(last));
            }
            let cells: Option<Vec<char>> = match words.as_slice() {
                [row] if row.len() > 1 => row
                    .chars()
                    .map(|c| piece(c.encode_utf8(&mut [0; 4])))
                    .collect(),
                cells => cells.iter().map(|cell| piece(cell)).collect(),
            };
            match cells {
                Some(cells) if words.len() < all => {
                    coordinates += 1;
                    if !cells.is_empty() {
                        drawn.rows.push(cells);
                    }
                }
                _ => drawn.notes.push(line.to_owned()),
            }
        }
        (coordinates > 2 && drawn.rows.len() > 2).then_some(drawn)
    }

    /// Whose turn it is, if a note says so: `White to move`, or a name alone.
    pub(crate) fn side(&self, names: [&[&str]; 2]) -> Option<Side> {
        let says = |note: &String, side: &Side| {
            let name = note.strip_suffix(" to move").unwrap_or(note);
            let mut names = names[side.index()].iter();
            names.any(|known| known.eq_ignore_ascii_case(name.trim()))
        };
        let notes = &self.notes;
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| notes.iter().any(|note| says(note, side)))
    }

    /// The number that follows these words in some note.
    pub(crate) fn number_after(&self, words: &str) -> Option<u32> {
        self.notes.iter().find_map(|note| {
            let rest = note.split_once(words)?.1.trim_start();
            let digits = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest[..digits].parse().ok()
        })
    }
}

/// Letters in order, `a b c`, or one word of them.
fn is_header(words: &[&str]) -> bool {
    let letters = words.concat().to_ascii_lowercase();
    letters.len() > 2
        && letters
            .bytes()
            .zip(b'a'..)
            .all(|(letter, expected)| letter == expected)
}

/// The name of a place: `a4`, `d10`.
fn is_place(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && word.len() > 1
        && bytes.all(|byte| byte.is_ascii_digit())
}

fn is_number(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// A piece, perhaps marked as part of the last move.
fn piece(cell: &str) -> Option<char> {
    let inner = cell.trim_matches(['(', ')', '[', ']']);
    let mut letters = inner.chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    letter.filter(|letter| !letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use draw::TextStyle;

    use crate::{AnyPosition, GIPF, GIPF_STANDARD, GameName, MMPAWNS, REVERSI, Transcript};

    /// What is drawn, with a line that says whose turn it is, is read as it was.
    #[track_caller]
    fn check(game: GameName, position: &AnyPosition) {
        let drawn = draw::text(&position.scene(), TextStyle::default());
        let side = game.side_name(position.side_to_move());
        for text in [
            format!("{drawn}{side} to move\n"),
            format!("{side} to move\n\n{drawn}"),
        ] {
            for named in [Some(game), None] {
                let read = Transcript::read(named, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
                let [one] = read.as_slice() else {
                    panic!("{} games in\n{text}", read.len());
                };
                assert_eq!(&one.start, position, "\n{text}");
                assert!(one.moves.is_empty());
            }
        }
    }

    #[test]
    fn what_is_drawn_can_be_read() {
        for seed in 0..20 {
            for game in [REVERSI, MMPAWNS] {
                check(game, &AnyPosition::random_start(game, seed));
            }
            check(MMPAWNS, &AnyPosition::start(MMPAWNS));
        }
        for text in [
            "basic",
            "standard",
            "standard 0/0",
            "tournament",
            "tournament 15 16+ B 3/60 ___B/_____/______/_______/______/w____/W___",
        ] {
            check(
                GIPF_STANDARD,
                &AnyPosition::parse(GIPF_STANDARD, text).unwrap(),
            );
        }
        for seed in 0..20 {
            check(
                GIPF_STANDARD,
                &AnyPosition::random_start(GIPF_STANDARD, seed),
            );
        }
        // Totals of stones that are out of the game are not drawn.
        for text in ["2 2 5 5", "3 3 6 6", "4 4 15 15"] {
            check(GIPF, &AnyPosition::parse(GIPF, text).unwrap());
        }
    }

    #[test]
    fn a_board_without_a_side() {
        let start = AnyPosition::start(REVERSI);
        let mut next = start.clone();
        next.play("d3").unwrap();
        for position in [start, next] {
            let text = draw::text(&position.scene(), TextStyle::default());
            let read = Transcript::read(None, &text).unwrap();
            assert_eq!(read[0].start, position);
        }
        let odd = "  a b c d e f g h\n1 ? . . . . . . .\n2 . . . . . . . .\n3 . . . . . . . .\n";
        let error = Transcript::read(Some(REVERSI), odd).unwrap_err();
        assert!(error.contains("'?'"), "{error}");
    }
}
