//! Pushes of GIPF after which a row can be named in more ways than one, and rows on every line of
//! large boards.

use std::fmt::Write;

use ::gipf::{Entry, Geometry, Position, Setup, Variant, text};
use rules::Side;

use super::slides::Session;

/// A board on which one stone is pushed along a longest line.
#[derive(Clone, Copy)]
struct Push {
    size: u8,
    run: u8,
    owner: Side,
    stones: [u128; 2],
    entry: &'static Entry,
}

impl Push {
    /// Boards for a line that looks like this before the push, with stones of the mover (`o`) and
    /// the opponent (`x`): one for each longest way in and each player. At some places the line
    /// meets another one on which the mover has the next two stones.
    fn all(size: u8, run: u8, line: &str, crossed: &[usize]) -> Vec<Push> {
        let geometry = Geometry::of(size);
        let entries = geometry.entries().iter();
        let longest = entries.filter(|entry| entry.path().len() == line.len());
        let both = longest.flat_map(|entry| Side::BOTH.map(|owner| (entry, owner)));
        both.flat_map(|(entry, owner)| {
            let mut push = Push {
                size,
                run,
                owner,
                stones: [0; 2],
                entry,
            };
            for (point, stone) in entry.path().iter().zip(line.bytes()) {
                match stone {
                    b'o' => push.stones[owner.index()] |= 1 << point,
                    b'x' => push.stones[(!owner).index()] |= 1 << point,
                    _ => {}
                }
            }
            let axes = (0..3).filter(move |axis| push.axis() != *axis);
            axes.map(move |axis| {
                let beside = [false, true].map(|ahead| {
                    let places = crossed.iter();
                    places.filter_map(move |place| push.beside(*place, axis, ahead))
                });
                let beside = beside.map(Iterator::collect::<Vec<[u8; 2]>>);
                let mut stones = push.stones;
                for point in beside
                    .iter()
                    .max_by_key(|all| all.len())
                    .into_iter()
                    .flatten()
                {
                    stones[owner.index()] |= point.iter().fold(0, |set, point| set | 1 << point);
                }
                Push { stones, ..push }
            })
        })
        .collect()
    }

    fn geometry(&self) -> &'static Geometry {
        Geometry::of(self.size)
    }

    fn line_through(&self, point: u8, axis: usize) -> &'static [u8] {
        let lines = self.geometry().lines();
        let mut along = lines
            .chunks(lines.len() / 3)
            .nth(axis)
            .into_iter()
            .flatten();
        along
            .find(|line| line.contains(&point))
            .map_or(&[], |line| line)
    }

    fn axis(&self) -> usize {
        usize::from(self.entry.line) / (self.geometry().lines().len() / 3)
    }

    /// The next two points along this axis, seen from one of the line.
    fn beside(&self, place: usize, axis: usize, ahead: bool) -> Option<[u8; 2]> {
        let point = self.entry.path()[place];
        let line = self.line_through(point, axis);
        let at = line.iter().position(|other| *other == point)?;
        let next = |steps: usize| {
            let at = if ahead {
                at.checked_add(steps)
            } else {
                at.checked_sub(steps)
            };
            line.get(at?).copied()
        };
        Some([next(1)?, next(2)?])
    }

    /// The board, the move with these choices, and what becomes of it; each choice is the points
    /// at the ends of a row.
    fn write(&self, choices: &[[u8; 2]], input: &mut String) {
        let Ok(variant) = Variant::new(self.size, self.run, 40, 40) else {
            return;
        };
        let setup = Setup {
            variant,
            reserves: [3, 3],
            side: self.owner,
            stones: self.stones,
        };
        let Ok(position) = Position::try_from(setup) else {
            return;
        };
        let geometry = self.geometry();
        let letter = ['w', 'b'][self.owner.index()];
        let (dot, to) = (self.entry.dot.label(self.size), self.entry.path()[0]);
        let _ = write!(
            input,
            "LOAD_GAME_BOARD\n{}DO_MOVE {dot}-{}",
            text::print(&position),
            geometry.label(to)
        );
        for ends in choices {
            let [from, to] = ends.map(|point| geometry.label(point));
            let _ = write!(input, " {letter}: {from} {to}");
        }
        input.push_str("\nPRINT_GAME_STATE\nPRINT_GAME_BOARD\n");
    }
}

/// Rows that must be named: one of two runs that go together, and one of two stretches that a
/// first choice makes of one line.
pub(super) fn named() -> Vec<Session> {
    let mut two_runs = String::new();
    for push in Push::all(4, 3, "ooxoo_o", &[2]) {
        let path = push.entry.path();
        let crossing = push.crossing(2);
        for ends in [
            [path[0], path[2]],
            [path[2], path[0]],
            [path[4], path[6]],
            [path[6], path[4]],
            [path[0], path[6]],
            [path[0], path[3]],
            crossing,
        ] {
            push.write(&[ends], &mut two_runs);
        }
    }
    let mut two_stretches = String::new();
    for push in Push::all(5, 3, "ooxoxoo_o", &[2, 4, 7]) {
        let path = push.entry.path();
        let [before, middle, behind] = [2, 4, 7].map(|place| push.crossing(place));
        let (first, last) = ([path[0], path[2]], [path[6], path[8]]);
        for choices in [
            [middle, last, first],
            [middle, last, before],
            [middle, first, last],
            [middle, behind, before],
            [before, last, middle],
            [middle, middle, last],
        ] {
            push.write(&choices, &mut two_stretches);
        }
    }
    let session = |name: &str, input| Session {
        name: name.into(),
        input,
    };
    vec![
        session("choice-two-runs-of-a-stretch", two_runs),
        session("choice-two-stretches-of-a-line", two_stretches),
    ]
}

impl Push {
    /// The ends of the row that meets the line at a place, along whichever axis it does.
    fn crossing(&self, place: usize) -> [u8; 2] {
        let own = self.stones[self.owner.index()];
        let axes = (0..3).filter(|axis| *axis != self.axis());
        let mut beside = axes
            .flat_map(|axis| [false, true].map(|ahead| self.beside(place, axis, ahead)))
            .flatten();
        let row = beside.find(|points| points.iter().all(|point| own >> point & 1 != 0));
        [self.entry.path()[place], row.map_or(0, |row| row[1])]
    }
}

/// Rows of both players on every line of boards whose labels can have two digits.
pub(super) fn large() -> Vec<Session> {
    const RUN: usize = 3;
    let sessions = (5..=7).map(|size| {
        let mut input = String::new();
        let geometry = Geometry::of(size);
        let mut seen = Vec::new();
        for entry in geometry.entries() {
            // A line has two ends: one of them will do.
            if seen.contains(&entry.line) {
                continue;
            }
            seen.push(entry.line);
            for owner in Side::BOTH {
                for mine in [true, false] {
                    let mut push = Push {
                        size,
                        run: RUN as u8,
                        owner,
                        stones: [0; 2],
                        entry,
                    };
                    // The mover's row begins with the new stone; the opponent's closes a gap.
                    let (side, places) = match mine {
                        true => (owner, vec![0, 1]),
                        false => (!owner, vec![0, 2, 3]),
                    };
                    for place in places {
                        push.stones[side.index()] |= 1 << entry.path()[place];
                    }
                    push.write(&[], &mut input);
                }
            }
        }
        let name = format!("remove-every-line-{size}");
        Session { name, input }
    });
    sessions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::gipf::run;

    fn answers(input: &str, wanted: &str) -> usize {
        let output = String::from_utf8(run(input).0).unwrap();
        output.lines().filter(|line| *line == wanted).count()
    }

    /// Every board loads, and of every seven choices, or six, as many are right as should be.
    #[test]
    fn the_rows_are_where_they_should_be() {
        let named = named();
        let [runs, stretches] = [0, 1].map(|number| &named[number].input);
        // Six longest ways in, two players, two axes.
        for (input, tries, right) in [(runs, 7, 5), (stretches, 6, 4)] {
            assert_eq!(answers(input, "BOARD_STATE_OK"), 24 * tries);
            assert_eq!(answers(input, "MOVE_COMMITTED"), 24 * right);
            assert_eq!(
                answers(input, "WRONG_INDEX_OF_CHOSEN_ROW"),
                24 * (tries - right)
            );
        }
        for (size, Session { input, .. }) in (5..).zip(large()) {
            let lines = Geometry::of(size).lines().len();
            assert_eq!(answers(&input, "MOVE_COMMITTED"), 4 * lines);
        }
    }
}
