//! Moves on a small board, forwards and backwards.

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
    #[inline]
    pub(crate) fn successors(&self, stones: Stones, mut visit: impl FnMut(Successor)) {
        let _ = self.try_successors(stones, |next| {
            visit(next);
            ControlFlow::<()>::Continue(())
        });
    }

    /// The same, until `visit` breaks off.
    #[inline]
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
    #[inline]
    pub(crate) fn predecessors(&self, stones: Stones, mut visit: impl FnMut(Stones)) {
        let _ = self.try_predecessors(stones, |before| {
            visit(before);
            ControlFlow::<()>::Continue(())
        });
    }

    /// The same, until `visit` breaks off.
    #[inline]
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
    #[inline]
    fn settle<T>(
        &self,
        own: Axes,
        other: Axes,
        rows: bool,
        visit: &mut impl FnMut(Successor) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        if rows {
            self.collect([own[0], other[0]], [0; 2], visit)
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
        stones: [Set; 2],
        lost: [u8; 2],
        visit: &mut impl FnMut(Successor) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        for colour in 0..2 {
            let mut rows = [0; 16];
            let rows = self.rows(stones, colour, &mut rows);
            if rows.is_empty() {
                continue;
            }
            let free = rows
                .iter()
                .filter(|&&row| rows.iter().filter(|&&other| row & other != 0).count() == 1)
                .fold(0, |free, row| free | row);
            let mut take = |stretch: Set| {
                let rest = stones.map(|set| set & !stretch);
                let mut lost = lost;
                lost[1 - colour] += (stones[1 - colour] & stretch).count_ones() as u8;
                self.collect(rest, lost, visit)
            };
            return if free != 0 {
                take(free)
            } else {
                rows.iter().copied().try_for_each(take)
            };
        }
        visit(Successor {
            stones: Stones {
                own: stones[1],
                other: stones[0],
            },
            lost,
            collected: true,
        })
    }

    /// The stretches that go with the rows of one colour.
    fn rows<'a>(&self, stones: [Set; 2], colour: usize, buffer: &'a mut [Set; 16]) -> &'a [Set] {
        let (own, other) = (self.axes(stones[colour]), self.axes(stones[1 - colour]));
        let mut count = 0;
        for axis in 0..3 {
            let mut runs = self.runs(&own, axis);
            while runs != 0 {
                let line = self.line_at(axis, runs.trailing_zeros());
                runs &= !(((1 << line.length) - 1) << line.shift);
                for stretch in self.stretches(line, self.content(line, &own, &other)) {
                    if stretch != 0 {
                        buffer[count] = self.masks[line.number][usize::from(stretch)][0];
                        count += 1;
                    }
                }
            }
        }
        &buffer[..count]
    }
}
