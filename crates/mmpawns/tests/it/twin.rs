//! MMPawns once more, slow and obvious: an array of characters and three directions.

use rules::Side;
use rules::kit;

#[derive(Clone, Debug)]
pub(crate) struct Twin {
    board: [[char; 8]; 8],
    player: char,
    number: u32,
}

fn opponent(player: char) -> char {
    if player == 'A' { 'B' } else { 'A' }
}

impl Twin {
    fn at(&self, row: i32, column: i32) -> Option<char> {
        let inside = (0..8).contains(&row) && (0..8).contains(&column);
        inside.then(|| self.board[row as usize][column as usize])
    }

    fn moves(&self) -> Vec<Twin> {
        let ahead = if self.player == 'A' { -1 } else { 1 };
        let mut moves = Vec::new();
        for row in 0..8 {
            for column in 0..8 {
                if self.at(row, column) != Some(self.player) {
                    continue;
                }
                for side in [-1, 0, 1] {
                    let near = self.at(row + ahead, column + side);
                    let far = self.at(row + 2 * ahead, column + 2 * side);
                    let distance = if near == Some('-') {
                        1
                    } else if near == Some(opponent(self.player)) && far == Some('-') {
                        2
                    } else {
                        continue;
                    };
                    let mut next = self.clone();
                    for step in 0..=distance {
                        let (r, c) = (row + step * ahead, column + step * side);
                        next.board[r as usize][c as usize] =
                            if step == distance { self.player } else { '-' };
                    }
                    next.player = opponent(self.player);
                    next.number += 1;
                    moves.push(next);
                }
            }
        }
        moves
    }

    fn text(&self) -> String {
        let rows: Vec<String> = self.board.iter().map(|row| row.iter().collect()).collect();
        format!("{} {} {}", self.player, self.number, rows.join("/"))
    }
}

impl kit::Twin for Twin {
    fn read(text: &str) -> Twin {
        let fields: Vec<&str> = text.split(' ').collect();
        let squares: Vec<char> = fields[2].chars().filter(|&c| c != '/').collect();
        Twin {
            board: std::array::from_fn(|r| std::array::from_fn(|c| squares[r * 8 + c])),
            player: fields[0].chars().next().unwrap(),
            number: fields[1].parse().unwrap(),
        }
    }

    fn successors(&self) -> Vec<String> {
        if kit::Twin::result(self).is_some() {
            return Vec::new();
        }
        self.moves().iter().map(Twin::text).collect()
    }

    fn result(&self) -> Option<Option<Side>> {
        if self.moves().is_empty() {
            return Some(Some(if self.player == 'A' {
                Side::First
            } else {
                Side::Second
            }));
        }
        if self.board[0].contains(&'A') {
            return Some(Some(Side::First));
        }
        if self.board[7].contains(&'B') {
            return Some(Some(Side::Second));
        }
        (self.number == 61).then_some(None)
    }
}
