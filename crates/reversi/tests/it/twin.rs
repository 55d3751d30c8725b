//! Reversi once more, slow and obvious: an array of characters and eight directions.

use rules::Side;
use rules::kit;

#[derive(Debug)]
pub(crate) struct Twin {
    board: [[char; 8]; 8],
    side: char,
}

const DIRECTIONS: [(i32, i32); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

fn opposite(colour: char) -> char {
    if colour == 'X' { 'O' } else { 'X' }
}

impl Twin {
    fn at(&self, row: i32, column: i32) -> Option<char> {
        let inside = (0..8).contains(&row) && (0..8).contains(&column);
        inside.then(|| self.board[row as usize][column as usize])
    }

    /// The board after `colour` moves there, if that turns over anything.
    fn put(&self, row: i32, column: i32, colour: char) -> Option<Twin> {
        if self.at(row, column) != Some('-') {
            return None;
        }
        let mut board = self.board;
        let mut turned = 0;
        for (dr, dc) in DIRECTIONS {
            let mut length = 1;
            while self.at(row + dr * length, column + dc * length) == Some(opposite(colour)) {
                length += 1;
            }
            if self.at(row + dr * length, column + dc * length) == Some(colour) {
                for step in 1..length {
                    board[(row + dr * step) as usize][(column + dc * step) as usize] = colour;
                    turned += 1;
                }
            }
        }
        board[row as usize][column as usize] = colour;
        (turned > 0).then_some(Twin {
            board,
            side: opposite(colour),
        })
    }

    fn discs(&self, colour: char) -> Vec<Twin> {
        (0..64)
            .filter_map(|i| self.put(i / 8, i % 8, colour))
            .collect()
    }

    fn text(&self) -> String {
        let board: String = self.board.iter().flatten().collect();
        format!("{board} {}", self.side)
    }
}

impl kit::Twin for Twin {
    fn read(text: &str) -> Twin {
        let chars: Vec<char> = text.chars().collect();
        Twin {
            board: std::array::from_fn(|r| std::array::from_fn(|c| chars[r * 8 + c])),
            side: chars[65],
        }
    }

    fn successors(&self) -> Vec<String> {
        let moves = self.discs(self.side);
        if moves.is_empty() && !self.discs(opposite(self.side)).is_empty() {
            let passed = Twin {
                board: self.board,
                side: opposite(self.side),
            };
            return vec![passed.text()];
        }
        moves.iter().map(Twin::text).collect()
    }

    fn result(&self) -> Option<Option<Side>> {
        if !self.discs('X').is_empty() || !self.discs('O').is_empty() {
            return None;
        }
        let count = |colour| {
            self.board
                .iter()
                .flatten()
                .filter(|&&c| c == colour)
                .count()
        };
        Some(match count('X').cmp(&count('O')) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        })
    }
}
