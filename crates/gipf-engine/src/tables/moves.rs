//! Moves on a small board, forwards and backwards.
//!
//! They are listed in buffers of the callers and not handed to closures: a closure that is
//! not inlined is compiled without the instructions that its caller is compiled for.

use super::board::{Axes, Set, Shape, bits, plain};

/// The stones of the player to move and of the other one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stones {
    pub(crate) own: Set,
    pub(crate) other: Set,
}

/// More than the ways to push: a stone comes in on each point of the rim, of which a board of size 3
/// has twelve, or from both ends of fifteen lines.
const PUSHES: usize = 64;

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

/// The stones of the mover and of the opponent, whose turn it is now.
#[inline(always)]
fn seen_by_opponent(sets: [Axes; 2]) -> Stones {
    Stones {
        own: plain(sets[1]),
        other: plain(sets[0]),
    }
}

impl Shape {
    /// Lists the positions after every way to move. Different ways may lead to one
    /// position. The mover must have a stone in reserve.
    #[inline(always)]
    pub(crate) fn successors(&self, stones: Stones, list: &mut Vec<Successor>) {
        list.clear();
        self.play::<true>(stones, list);
    }

    /// Lists those alone that take rows off, and counts the others.
    #[inline(always)]
    pub(crate) fn collections(&self, stones: Stones, list: &mut Vec<Successor>) -> u32 {
        list.clear();
        self.play::<false>(stones, list)
    }

    #[inline(always)]
    fn play<const ALL: bool>(&self, stones: Stones, list: &mut Vec<Successor>) -> u32 {
        let sets = [self.axes(stones.own), self.axes(stones.other)];
        let mut pushed = [[0; 2]; PUSHES];
        let count = self.pushed(sets, &mut pushed);
        let mut others = 0;
        for &[own, other] in &pushed[..count] {
            others += self.settle::<ALL>([own, other], list);
        }
        others
    }

    /// The stones after every push, before rows are taken off: those onto free points of the rim,
    /// then those along all lines. How many there are.
    #[inline(always)]
    fn pushed(&self, [own, other]: [Axes; 2], pushed: &mut [[Axes; 2]; PUSHES]) -> usize {
        let mut count = 0;
        for point in bits(self.rim & !plain(own | other)) {
            pushed[count % PUSHES] = [own | self.single(point), other];
            count += 1;
        }
        for line in &self.lines {
            let content = self.content(line, own, other);
            for delta in self.pushes(line, content) {
                // Whether there is such a push cannot be foreseen, so it is no branch.
                pushed[count % PUSHES] = [
                    own ^ self.mask(line, delta.own),
                    other ^ self.mask(line, delta.other),
                ];
                count += usize::from(delta.own != 0);
            }
        }
        count
    }

    /// Whether some move takes no rows off.
    #[inline(always)]
    pub(crate) fn has_quiet_move(&self, stones: Stones) -> bool {
        let own = self.axes(stones.own);
        bits(self.rim & !(stones.own | stones.other))
            .any(|point| !self.has_row(own | self.single(point)))
            || self.collections(stones, &mut Vec::new()) > 0
    }

    /// Whether some push makes a row of the mover's.
    #[inline(always)]
    pub(crate) fn can_make_row(&self, stones: Stones) -> bool {
        let [own, other] = [stones.own, stones.other].map(|set| self.axes(set));
        self.fills_gap(own, other, self.run_gaps(own))
    }

    /// The same, where the gaps are known that make rows of the mover's.
    #[inline(always)]
    fn fills_gap(&self, own: Axes, other: Axes, gaps: Axes) -> bool {
        if plain(gaps & !other) & self.rim != 0 {
            return true;
        }
        let mut left = gaps;
        while left != 0 {
            // Each gap is on three lines.
            let bit = left.trailing_zeros();
            left &= left - 1;
            let line = self.line_at(bit);
            for delta in self.pushes(line, self.content(line, own, other)) {
                let after = own ^ self.mask(line, delta.own);
                if after >> bit & 1 != 0 && self.has_row(after) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the mover can put a stone onto a free point of the rim, without making a row, so that
    /// no push makes a row of the opponent's afterwards.
    #[inline(always)]
    pub(crate) fn can_keep_from_rows(&self, stones: Stones) -> bool {
        let [own, other] = [stones.own, stones.other].map(|set| self.axes(set));
        let gaps = self.run_gaps(other);
        let free = self.rim & !(stones.own | stones.other);
        // Whoever can fill one of two free gaps does so.
        let urgent = plain(gaps) & free;
        let points = match urgent {
            0 => free,
            _ if urgent & (urgent - 1) == 0 => urgent,
            _ => 0,
        };
        bits(points).any(|point| {
            let after = own | self.single(point);
            !self.has_row(after) && !self.fills_gap(other, after, gaps)
        })
    }

    /// The push is done: takes rows off, if there are any; otherwise this counts.
    #[inline(always)]
    fn settle<const ALL: bool>(&self, sets: [Axes; 2], list: &mut Vec<Successor>) -> u32 {
        let runs = sets.map(|set| self.runs(set));
        if runs != [0; 2] {
            match self.collect_one(sets, runs) {
                Some(next) => list.push(next),
                None => self.collect(sets, [0; 2], list),
            }
            return 0;
        }
        if ALL {
            list.push(Successor {
                stones: seen_by_opponent(sets),
                lost: [0; 2],
                collected: false,
            });
        }
        1
    }

    /// Takes off the only row that there is, if there is only one, as nearly always.
    #[inline(always)]
    fn collect_one(&self, sets: [Axes; 2], runs: [Axes; 2]) -> Option<Successor> {
        if runs[0] != 0 && runs[1] != 0 {
            return None;
        }
        let colour = usize::from(runs[0] == 0);
        let line = self.line_at(runs[colour].trailing_zeros());
        let on_line = ((1 << line.length) - 1) << line.shift;
        let content = self.content(line, sets[colour], sets[1 - colour]);
        let [stretch, another] = self.stretches(line, content);
        if runs[colour] & !on_line != 0 || another != 0 {
            return None;
        }
        let stretch = self.mask(line, stretch);
        let mut lost = [0; 2];
        lost[1 - colour] = plain(sets[1 - colour] & stretch).count_ones() as u8;
        Some(Successor {
            stones: seen_by_opponent(sets.map(|set| set & !stretch)),
            lost,
            collected: true,
        })
    }

    /// Lists every position from which a move without collection leads here, seen by the
    /// player who made it; some of them may hold rows, and so be impossible.
    #[inline(always)]
    pub(crate) fn predecessors(&self, stones: Stones, list: &mut Vec<Stones>) {
        list.clear();
        // The mover of that move is the opponent now.
        let (own, other) = (self.axes(stones.other), self.axes(stones.own));
        for point in bits(self.rim & stones.other) {
            list.push(Stones {
                own: stones.other & !(1 << point),
                other: stones.own,
            });
        }
        for line in &self.lines {
            let content = self.content(line, own, other);
            for from_end in self.unpushes(line, content) {
                for delta in from_end.iter().take_while(|delta| delta.own != 0) {
                    list.push(Stones {
                        own: stones.other ^ plain(self.mask(line, delta.own)),
                        other: stones.own ^ plain(self.mask(line, delta.other)),
                    });
                }
            }
        }
    }

    /// Takes rows off, the mover's (colour 0) first, in every way that the owners may choose.
    fn collect(&self, sets: [Axes; 2], lost: [u8; 2], list: &mut Vec<Successor>) {
        for colour in 0..2 {
            if !self.has_row(sets[colour]) {
                continue;
            }
            let mut rows = [0; 16];
            let rows = self.rows(sets[colour], sets[1 - colour], &mut rows);
            let mut take = |stretch: Axes| {
                let mut lost = lost;
                lost[1 - colour] += plain(sets[1 - colour] & stretch).count_ones() as u8;
                self.collect(sets.map(|set| set & !stretch), lost, list);
            };
            if let [row] = rows {
                return take(*row);
            }
            let clash = |row: &&Axes| rows.iter().filter(|&other| *row & other != 0).count() > 1;
            let free = rows
                .iter()
                .filter(|row| !clash(row))
                .fold(0, |free, row| free | row);
            if free != 0 {
                take(free);
            } else {
                rows.iter().copied().for_each(take);
            }
            return;
        }
        list.push(Successor {
            stones: seen_by_opponent(sets),
            lost,
            collected: true,
        });
    }

    /// The stretches that go with the rows of one colour.
    fn rows<'a>(&self, own: Axes, other: Axes, buffer: &'a mut [Axes; 16]) -> &'a [Axes] {
        let mut count = 0;
        let mut runs = self.runs(own);
        while runs != 0 {
            let line = self.line_at(runs.trailing_zeros());
            runs &= !(((1 << line.length) - 1) << line.shift);
            for stretch in self.stretches(line, self.content(line, own, other)) {
                if stretch != 0 {
                    buffer[count] = self.mask(line, stretch);
                    count += 1;
                }
            }
        }
        &buffer[..count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_are_among_all_moves() {
        for variant in ["2 2 5 5", "3 3 9 9", "3 4 9 9", "3 5 9 9"] {
            let shape = Shape::new(variant.parse().unwrap());
            let mut collections = 0;
            for step in 1..4000u32 {
                let mixed = step.wrapping_mul(0x9e37_79b9);
                let own = mixed & shape.full;
                let other = mixed >> 13 & shape.full & !own;
                if [own, other]
                    .iter()
                    .any(|&set| shape.has_row(shape.axes(set)))
                {
                    continue;
                }
                let stones = Stones { own, other };
                let (mut all, mut whole) = (Vec::new(), Vec::new());
                shape.successors(stones, &mut all);
                let quiet = shape.collections(stones, &mut whole);
                assert_eq!(all.len(), whole.len() + quiet as usize, "{stones:?}");
                all.retain(|next| next.collected);
                assert_eq!(all, whole, "{stones:?}");
                assert_eq!(shape.has_quiet_move(stones), quiet > 0, "{stones:?}");
                collections += whole.len();
            }
            assert!(collections > 100, "{variant}: {collections}");
        }
    }

    /// Every push, and whether it leaves a row.
    #[test]
    fn rows_that_can_be_made_and_kept_from_are_those_of_some_push() {
        for variant in [
            "2 2 5 5", "2 3 5 5", "3 2 9 9", "3 3 9 9", "3 4 9 9", "3 5 9 9",
        ] {
            let shape = Shape::new(variant.parse().unwrap());
            let after_pushes = |stones: Stones| {
                let sets = [stones.own, stones.other].map(|set| shape.axes(set));
                let mut pushed = [[0; 2]; PUSHES];
                let count = shape.pushed(sets, &mut pushed);
                pushed[..count].to_vec()
            };
            let makes_row = |stones: Stones| {
                let mut pushed = after_pushes(stones).into_iter();
                pushed.any(|[own, _]| shape.has_row(own))
            };
            let mut counts = [[0; 2]; 2];
            for step in 1..60_000u32 {
                let mixed = step.wrapping_mul(0x9e37_79b9);
                let own = mixed & mixed >> (step % 5) & shape.full;
                let other = mixed >> 13 & !(mixed >> 3 & step) & shape.full & !own;
                let stones = Stones { own, other };
                if [own, other]
                    .iter()
                    .any(|&set| shape.has_row(shape.axes(set)))
                {
                    continue;
                }
                let row = makes_row(stones);
                assert_eq!(
                    shape.can_make_row(stones),
                    row,
                    "{variant} {own:x} {other:x}"
                );
                let free = bits(shape.rim & !(own | other));
                let keeps = free.into_iter().any(|point| {
                    let own = own | 1 << point;
                    let next = Stones {
                        own: other,
                        other: own,
                    };
                    !shape.has_row(shape.axes(own)) && !makes_row(next)
                });
                let found = shape.can_keep_from_rows(stones);
                assert_eq!(found, keeps, "{variant} {own:x} {other:x}");
                counts[0][usize::from(row)] += 1;
                counts[1][usize::from(keeps)] += 1;
            }
            let all = counts.iter().flatten().all(|&count| count > 1);
            assert!(all || variant.starts_with('2'), "{variant}: {counts:?}");
        }
    }

    #[test]
    fn one_row_is_taken_off_as_several_are() {
        for variant in [
            "2 2 5 5", "2 3 5 5", "3 2 9 9", "3 3 9 9", "3 4 9 9", "3 5 9 9",
        ] {
            let shape = Shape::new(variant.parse().unwrap());
            let mut counts = [0; 2];
            for step in 1..40_000u32 {
                let mixed = step.wrapping_mul(0x9e37_79b9);
                let own = mixed & shape.full;
                let other = mixed >> 13 & shape.full & !own;
                let sets = [own, other].map(|set| shape.axes(set));
                if sets.iter().any(|&set| shape.has_row(set)) {
                    continue;
                }
                let mut pushed = [[0; 2]; PUSHES];
                let count = shape.pushed(sets, &mut pushed);
                for &sets in &pushed[..count] {
                    let runs = sets.map(|set| shape.runs(set));
                    if runs == [0; 2] {
                        continue;
                    }
                    let mut expected = Vec::new();
                    shape.collect(sets, [0; 2], &mut expected);
                    let found = shape.collect_one(sets, runs);
                    if let Some(found) = found {
                        assert_eq!(expected, [found], "{variant} {own:x} {other:x}");
                    }
                    counts[usize::from(found.is_some())] += 1;
                }
            }
            assert!(
                counts.iter().all(|&count| count > 10),
                "{variant}: {counts:?}"
            );
        }
    }
}
