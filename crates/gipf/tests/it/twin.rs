//! GIPF once more, slow and obvious: a map from coordinates to characters, in which
//! everything is looked for everywhere.

use std::collections::{BTreeMap, BTreeSet};

use rules::Side;
use rules::kit;

type Place = (i32, i32);

/// Columns, rows, falling diagonals: one step along each.
const AXES: [Place; 3] = [(0, 1), (1, 0), (1, 1)];

#[derive(Clone, Debug)]
pub(crate) struct Twin {
    size: i32,
    run: usize,
    header: String,
    reserves: [usize; 2],
    side: char,
    /// Every playing point, by (row, column); `_` is empty.
    board: BTreeMap<Place, char>,
}

fn opposite(colour: char) -> char {
    if colour == 'W' { 'B' } else { 'W' }
}

fn index(colour: char) -> usize {
    usize::from(colour == 'B')
}

impl Twin {
    fn at(&self, (column, row): Place) -> Option<char> {
        self.board.get(&(row, column)).copied()
    }

    fn put(&mut self, (column, row): Place, stone: char) {
        self.board.insert((row, column), stone);
    }

    /// Every maximal run of one colour that is long enough, as (stretch).
    fn stretches(&self, colour: char) -> BTreeSet<BTreeSet<Place>> {
        let mut found = BTreeSet::new();
        let places: Vec<Place> = self
            .board
            .keys()
            .map(|&(row, column)| (column, row))
            .collect();
        for (dx, dy) in AXES {
            for &(x, y) in &places {
                let walk = |from: Place, sign: i32, keep: &dyn Fn(char) -> bool| {
                    let mut all = Vec::new();
                    let mut at = from;
                    while self.at(at).is_some_and(keep) {
                        all.push(at);
                        at = (at.0 + sign * dx, at.1 + sign * dy);
                    }
                    all
                };
                if walk((x, y), 1, &|c| c == colour).len() >= self.run {
                    let taken = |c| c != '_';
                    let mut stretch: BTreeSet<Place> =
                        walk((x, y), 1, &taken).into_iter().collect();
                    stretch.extend(walk((x, y), -1, &taken));
                    found.insert(stretch);
                }
            }
        }
        found
    }

    fn take(&mut self, stretch: &BTreeSet<Place>, colour: char) {
        for &place in stretch {
            if self.at(place) == Some(colour) {
                self.reserves[index(colour)] += 1;
            }
            self.put(place, '_');
        }
    }

    /// Every board after all collections, one for each sequence of choices.
    fn collect(mut self, mover: char) -> Vec<Twin> {
        for colour in [mover, opposite(mover)] {
            let rows = self.stretches(colour);
            if rows.is_empty() {
                continue;
            }
            let alone: Vec<_> = rows
                .iter()
                .filter(|a| rows.iter().all(|b| *a == b || a.is_disjoint(b)))
                .collect();
            if let Some(row) = alone.first() {
                self.take(row, colour);
                return self.collect(mover);
            }
            let mut all = Vec::new();
            for row in &rows {
                let mut next = self.clone();
                next.take(row, colour);
                all.extend(next.collect(mover));
            }
            return all;
        }
        vec![self]
    }

    fn push(&self, target: Place, (dx, dy): Place) -> Option<Twin> {
        let mut next = self.clone();
        next.reserves[index(self.side)] -= 1;
        let mut carried = self.side;
        let mut at = target;
        loop {
            let here = next.at(at)?;
            next.put(at, carried);
            if here == '_' {
                return Some(next);
            }
            carried = here;
            at = (at.0 + dx, at.1 + dy);
        }
    }

    fn over(&self) -> bool {
        self.reserves[index(self.side)] == 0 || self.board.values().all(|&c| c != '_')
    }

    /// One entry for every move: a stone onto an empty point counts once, whatever the dot.
    pub(crate) fn play_all(&self) -> Vec<Twin> {
        let mut all = Vec::new();
        if self.over() {
            return all;
        }
        for &(row, column) in self.board.keys() {
            for (dx, dy) in AXES.into_iter().flat_map(|(x, y)| [(x, y), (-x, -y)]) {
                if self.at((column - dx, row - dy)).is_some() {
                    continue; // not from outside
                }
                let empty = self.at((column, row)) == Some('_');
                if let Some(pushed) = self.push((column, row), (dx, dy)) {
                    all.extend(pushed.collect(self.side).into_iter().map(|mut next| {
                        next.side = opposite(self.side);
                        next
                    }));
                }
                if empty {
                    break;
                }
            }
        }
        all
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.over() {
            return 1;
        }
        self.play_all()
            .iter()
            .map(|next| next.perft(depth - 1))
            .sum()
    }

    fn text(&self) -> String {
        let [white, black] = self.reserves;
        let rows: Vec<String> = (1..2 * self.size)
            .map(|row| {
                let points = self.board.iter().filter(|((r, _), _)| *r == row);
                points.map(|(_, c)| c).collect()
            })
            .collect();
        format!(
            "{} {white} {black} {} {}",
            self.header,
            self.side,
            rows.join("/")
        )
    }
}

impl kit::Twin for Twin {
    fn read(text: &str) -> Twin {
        let words: Vec<&str> = text.split(' ').collect();
        let size: i32 = words[0].parse().unwrap();
        let mut board = BTreeMap::new();
        for (number, row) in words[7].split('/').enumerate() {
            let row_number = number as i32 + 1;
            let first = (row_number - size).max(0) + 1;
            for (i, c) in row.chars().enumerate() {
                board.insert((row_number, first + i as i32), c);
            }
        }
        Twin {
            size,
            run: words[1].parse().unwrap(),
            header: words[..4].join(" "),
            reserves: [words[4].parse().unwrap(), words[5].parse().unwrap()],
            side: words[6].chars().next().unwrap(),
            board,
        }
    }

    fn successors(&self) -> Vec<String> {
        self.play_all().iter().map(Twin::text).collect()
    }

    fn result(&self) -> Option<Option<Side>> {
        let winner = if self.side == 'W' {
            Side::Second
        } else {
            Side::First
        };
        self.over().then_some(Some(winner))
    }
}
