//! Moves on a small board, forwards and backwards.
//!
//! Most of it is always inlined, so that it is compiled for the instructions of the caller.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::board::{Axes, Set, Shape};

/// The stones of the player to move and of the other one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stones {
    pub(crate) own: Set,
    pub(crate) other: Set,
}

/// What a move leads to, seen by the opponent, whose turn it then is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Successor {
    pub(crate) stones: Stones,
    /// Stones that the mover and the opponent lost for good.
    pub(crate) lost: [u8; 2],
    /// Whether rows were taken off. A move without that can be taken back by
    /// [`Shape::predecessors`].
    pub(crate) collected: bool,
}

impl Shape {
    /// Calls `visit` with the position after every way to move. Different ways may lead to
    /// one position. The mover must have a stone in reserve.
    #[inline(always)]
    pub(crate) fn successors(&self, stones: Stones, mut visit: impl FnMut(Successor)) {
        let _ = self.try_successors(stones, |next| {
            visit(next);
            ControlFlow::<Infallible>::Continue(())
        });
    }

    /// The same, until `visit` breaks off.
    #[inline(always)]
    pub(crate) fn try_successors<T>(
        &self,
        stones: Stones,
        mut visit: impl FnMut(Successor) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let (own, other) = (self.axes(stones.own), self.axes(stones.other));
        let mut free = self.rim & !(stones.own | stones.other);
        while free != 0 {
            let stone = self.axes(free & free.wrapping_neg());
            free &= free - 1;
            let own = [0, 1, 2].map(|axis| own[axis] | stone[axis]);
            self.settle(own, other, self.has_row(&own), &mut visit)?;
        }
        for line in &self.lines {
            let content = self.content(line, &own, &other);
            for end in 0..2 {
                let Some(delta) = self.push(line, end, content) else {
                    continue;
                };
                let masks = &self.masks[line.number];
                let change = &masks[usize::from(delta.own)];
                let own = [0, 1, 2].map(|axis| own[axis] ^ change[axis]);
                let change = &masks[usize::from(delta.other)];
                let other = [0, 1, 2].map(|axis| other[axis] ^ change[axis]);
                let rows = self.has_row(&own) || self.has_row(&other);
                self.settle(own, other, rows, &mut visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` with every position from which a move without collection leads here,
    /// seen by the player who made it; some of them may hold rows, and so be impossible.
    #[inline(always)]
    pub(crate) fn predecessors(&self, stones: Stones, mut visit: impl FnMut(Stones)) {
        let _ = self.try_predecessors(stones, |before| {
            visit(before);
            ControlFlow::<Infallible>::Continue(())
        });
    }

    /// The same, until `visit` breaks off.
    #[inline(always)]
    pub(crate) fn try_predecessors<T>(
        &self,
        stones: Stones,
        mut visit: impl FnMut(Stones) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        // The mover of that move is the opponent now.
        let (own, other) = (self.axes(stones.other), self.axes(stones.own));
        let mut dropped = self.rim & stones.other;
        while dropped != 0 {
            let stone = dropped & dropped.wrapping_neg();
            dropped &= dropped - 1;
            visit(Stones {
                own: stones.other & !stone,
                other: stones.own,
            })?;
        }
        for line in &self.lines {
            let content = self.content(line, &own, &other);
            for end in 0..2 {
                for delta in self.unpushes(line, end, content) {
                    let masks = &self.masks[line.number];
                    visit(Stones {
                        own: stones.other ^ masks[usize::from(delta.own)][0],
                        other: stones.own ^ masks[usize::from(delta.other)][0],
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The push is done: takes rows off, if there are any.
    #[inline(always)]
    fn settle<T>(
        &self,
        own: Axes,
        other: Axes,
        rows: bool,
        visit: &mut impl FnMut(Successor) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        if rows {
            self.collect([own, other], [0; 2], visit)
        } else {
            visit(Successor {
                stones: Stones {
                    own: other[0],
                    other: own[0],
                },
                lost: [0; 2],
                collected: false,
            })
        }
    }

    /// Takes rows off, the mover's (colour 0) first, in every way that the owners may choose.
    fn collect<T>(
        &self,
        sets: [Axes; 2],
        lost: [u8; 2],
        visit: &mut impl FnMut(Successor) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        for colour in 0..2 {
            if !self.has_row(&sets[colour]) {
                continue;
            }
            let mut rows = [[0; 3]; 16];
            let rows = self.rows(&sets[colour], &sets[1 - colour], &mut rows);
            let mut take = |stretch: &Axes| {
                let rest = sets.map(|set| [0, 1, 2].map(|axis| set[axis] & !stretch[axis]));
                let mut lost = lost;
                lost[1 - colour] += (sets[1 - colour][0] & stretch[0]).count_ones() as u8;
                self.collect(rest, lost, visit)
            };
            if let [row] = rows {
                return take(row);
            }
            let clash =
                |row: &&Axes| rows.iter().filter(|other| row[0] & other[0] != 0).count() > 1;
            let free = rows
                .iter()
                .filter(|row| !clash(row))
                .fold([0; 3], |free, row| {
                    [0, 1, 2].map(|axis| free[axis] | row[axis])
                });
            return if free[0] != 0 {
                take(&free)
            } else {
                rows.iter().try_for_each(take)
            };
        }
        visit(Successor {
            stones: Stones {
                own: sets[1][0],
                other: sets[0][0],
            },
            lost,
            collected: true,
        })
    }

    /// The stretches that go with the rows of one colour.
    fn rows<'a>(&self, own: &Axes, other: &Axes, buffer: &'a mut [Axes; 16]) -> &'a [Axes] {
        let mut count = 0;
        for axis in 0..3 {
            let mut runs = self.runs(own, axis);
            while runs != 0 {
                let line = self.line_at(axis, runs.trailing_zeros());
                runs &= !(((1 << line.length) - 1) << line.shift);
                for stretch in self.stretches(line, self.content(line, own, other)) {
                    if stretch != 0 {
                        buffer[count] = self.masks[line.number][usize::from(stretch)];
                        count += 1;
                    }
                }
            }
        }
        &buffer[..count]
    }
}
