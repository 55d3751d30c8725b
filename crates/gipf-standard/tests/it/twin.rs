//! The published game once more, slow and obvious: a map from coordinates to characters, in which
//! everything is looked for everywhere and every order is tried.

use std::collections::{BTreeMap, BTreeSet};

use rules::Side;
use rules::kit;

type Place = (i32, i32);
type Board = BTreeMap<Place, char>;

/// Columns, rows, falling diagonals: one step along each.
const AXES: [Place; 3] = [(0, 1), (1, 0), (1, 1)];

/// White's or Black's, whatever it is that lies there.
fn colour(piece: char) -> char {
    piece.to_ascii_uppercase()
}

fn is_gipf(piece: char) -> bool {
    piece == 'W' || piece == 'B'
}

fn opposite(side: char) -> char {
    if side == 'W' { 'B' } else { 'W' }
}

fn index(side: char) -> usize {
    usize::from(side == 'B')
}

fn worth(piece: char) -> i32 {
    if is_gipf(piece) { 2 } else { 1 }
}

#[derive(Clone, Debug)]
pub(crate) struct Twin {
    rules: String,
    reserves: [i32; 2],
    /// `!`, `+` or blank.
    stages: [char; 2],
    side: char,
    /// Every playing point, by (row, column); `_` is empty.
    board: Board,
    quiet: u32,
    limit: u32,
}

/// A row: its line, and everything on it that touches it.
type Row = (BTreeSet<Place>, BTreeSet<Place>);

/// What makes two moves different: what goes before, the push, what goes after.
type Key = (
    BTreeSet<Place>,
    Option<(Place, Option<Place>, char)>,
    BTreeSet<Place>,
);

impl Twin {
    fn at(&self, place: Place) -> Option<char> {
        self.board.get(&place).copied()
    }

    fn rows(&self, side: char) -> BTreeSet<Row> {
        let mut found = BTreeSet::new();
        for &(row, column) in self.board.keys() {
            for (dr, dc) in AXES {
                let place = |n: i32| (row + n * dr, column + n * dc);
                let own = |n| self.at(place(n)).is_some_and(|c| colour(c) == side);
                if !(0..4).all(own) {
                    continue;
                }
                let walk = |sign: i32, keep: &dyn Fn(char) -> bool| -> BTreeSet<Place> {
                    (0..)
                        .map(|n| place(sign * n))
                        .take_while(|&p| self.at(p).is_some_and(keep))
                        .collect()
                };
                let mut line = walk(1, &|_| true);
                line.extend(walk(-1, &|_| true));
                let mut pieces = walk(1, &|c| c != '_');
                pieces.extend(walk(-1, &|c| c != '_'));
                found.insert((line, pieces));
            }
        }
        found
    }

    fn take(&mut self, place: Place) {
        let piece = self.board.insert(place, '_').unwrap();
        if colour(piece) == self.side {
            self.reserves[index(self.side)] += worth(piece);
        } else {
            self.quiet = 0;
        }
    }

    /// Every way of taking off the mover's rows: any order, any GIPF-pieces kept.
    fn look(&self) -> Vec<(BTreeSet<Place>, Twin)> {
        let mut all = BTreeMap::new();
        self.look_from(&BTreeSet::new(), &BTreeSet::new(), &mut all);
        all.into_iter().collect()
    }

    fn look_from(
        &self,
        done: &BTreeSet<BTreeSet<Place>>,
        taken: &BTreeSet<Place>,
        all: &mut BTreeMap<BTreeSet<Place>, Twin>,
    ) {
        let rows = self.rows(self.side);
        let rows: Vec<&Row> = rows
            .iter()
            .filter(|(line, _)| !done.contains(line))
            .collect();
        if rows.is_empty() {
            all.insert(taken.clone(), self.clone());
        }
        for (line, pieces) in rows {
            let gipf: Vec<Place> = pieces
                .iter()
                .copied()
                .filter(|&p| is_gipf(self.at(p).unwrap()))
                .collect();
            for choice in 0..1u32 << gipf.len() {
                let kept = |p: &Place| {
                    let number = gipf.iter().position(|g| g == p);
                    number.is_some_and(|n| choice >> n & 1 != 0)
                };
                let (mut next, mut done, mut taken) = (self.clone(), done.clone(), taken.clone());
                for &place in pieces.iter().filter(|p| !kept(p)) {
                    next.take(place);
                    taken.insert(place);
                }
                done.insert(line.clone());
                next.look_from(&done, &taken, all);
            }
        }
    }

    fn push(&self, target: Place, (dr, dc): Place, piece: char) -> Option<Twin> {
        let mut next = self.clone();
        let i = index(self.side);
        next.reserves[i] -= worth(piece);
        next.stages[i] = if is_gipf(piece) { '+' } else { ' ' };
        let (mut carried, mut at) = (piece, target);
        loop {
            let here = next.at(at)?;
            next.board.insert(at, carried);
            if here == '_' {
                return Some(next);
            }
            carried = here;
            at = (at.0 + dr, at.1 + dc);
        }
    }

    fn is_without_gipf(&self, side: char) -> bool {
        self.rules != "basic"
            && self.stages[index(side)] != '!'
            && !self.board.values().any(|&c| c == side)
    }

    fn is_decided(&self) -> bool {
        ['W', 'B']
            .into_iter()
            .any(|side| self.is_without_gipf(side))
    }

    fn winner(&self) -> Option<Option<char>> {
        let other = opposite(self.side);
        if self.is_without_gipf(self.side) {
            Some(Some(other))
        } else if self.is_without_gipf(other) {
            Some(Some(self.side))
        } else if self.reserves[index(self.side)] == 0 && self.rows(self.side).is_empty() {
            Some(Some(other))
        } else if self.limit != 0 && self.quiet >= self.limit {
            Some(None)
        } else {
            None
        }
    }

    fn pass(mut self) -> Twin {
        self.side = opposite(self.side);
        self
    }

    /// Every move and the position after it.
    fn play_all(&self) -> BTreeMap<Key, Twin> {
        let mut all = BTreeMap::new();
        if self.winner().is_some() {
            return all;
        }
        let mut begun = self.clone();
        begun.quiet += u32::from(self.limit != 0);
        for (before, now) in begun.look() {
            if now.is_decided() {
                all.insert((before, None, BTreeSet::new()), now.pass());
                continue;
            }
            let kinds = match now.stages[index(now.side)] {
                '!' => vec![now.side],
                '+' => vec![now.side, now.side.to_ascii_lowercase()],
                _ => vec![now.side.to_ascii_lowercase()],
            };
            for piece in kinds {
                if now.reserves[index(now.side)] < worth(piece) {
                    continue;
                }
                for &(row, column) in now.board.keys() {
                    for (dr, dc) in AXES.into_iter().flat_map(|(r, c)| [(r, c), (-r, -c)]) {
                        if now.at((row - dr, column - dc)).is_some() {
                            continue; // not from outside
                        }
                        let Some(pushed) = now.push((row, column), (dr, dc), piece) else {
                            continue;
                        };
                        // Onto an empty point it does not matter from where.
                        let empty = now.at((row, column)) == Some('_');
                        let from = (!empty).then_some((dr, dc));
                        for (after, taken) in pushed.look() {
                            let key = (before.clone(), Some(((row, column), from, piece)), after);
                            all.insert(key, taken.pass());
                        }
                    }
                }
            }
        }
        all
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.winner().is_some() {
            return 1;
        }
        self.play_all()
            .values()
            .map(|next| next.perft(depth - 1))
            .sum()
    }

    fn text(&self) -> String {
        let rows: Vec<String> = (1..8)
            .map(|row| {
                let points = self.board.iter().filter(|((r, _), _)| *r == row);
                points.map(|(_, c)| c).collect()
            })
            .collect();
        let reserve = |i: usize| format!("{}{}", self.reserves[i], self.stages[i]);
        let mut words = vec![
            self.rules.clone(),
            reserve(0).trim().to_string(),
            reserve(1).trim().to_string(),
            self.side.to_string(),
        ];
        if self.quiet != 0 || self.limit != 100 {
            words.push(format!("{}/{}", self.quiet, self.limit));
        }
        words.push(rows.join("/"));
        words.join(" ")
    }
}

impl kit::Twin for Twin {
    fn read(text: &str) -> Twin {
        let words: Vec<&str> = text.split(' ').collect();
        let mut board = BTreeMap::new();
        for (number, row) in words[words.len() - 1].split('/').enumerate() {
            let row_number = number as i32 + 1;
            let first = (row_number - 4).max(0) + 1;
            for (i, c) in row.chars().enumerate() {
                board.insert((row_number, first + i as i32), c);
            }
        }
        let reserve = |word: &str| word.trim_end_matches(['!', '+']).parse().unwrap();
        let stage = |word: &str| word.chars().find(|c| !c.is_ascii_digit()).unwrap_or(' ');
        let counts = if words.len() == 6 { words[4] } else { "0/100" };
        let counts = counts.split_once('/').unwrap();
        Twin {
            rules: words[0].to_string(),
            reserves: [reserve(words[1]), reserve(words[2])],
            stages: [stage(words[1]), stage(words[2])],
            side: words[3].chars().next().unwrap(),
            board,
            quiet: counts.0.parse().unwrap(),
            limit: counts.1.parse().unwrap(),
        }
    }

    fn successors(&self) -> Vec<String> {
        self.play_all().values().map(Twin::text).collect()
    }

    fn result(&self) -> Option<Option<Side>> {
        let winner = self.winner()?;
        Some(winner.map(|side| {
            if side == 'W' {
                Side::First
            } else {
                Side::Second
            }
        }))
    }
}
