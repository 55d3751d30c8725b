//! Rows: how they are found and taken off.

use rules::Side;

use super::fault::Fault;
use super::rules::Rules;
use super::state::State;

#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) stretch: u128,
    pub(super) runs: u128,
    pub(super) line: usize,
}

/// What is to be done next while rows are taken off.
pub(super) enum Step {
    Done,
    Taken(Side, Vec<Row>),
    Choose(Side, Vec<Row>),
}

impl Rules {
    pub(super) fn rows(self, state: &State, colour: Side) -> Vec<Row> {
        let geometry = state.geometry();
        let lines = geometry.lines();
        let axis = lines.len() / 3;
        let begin = match self.0 {
            Fault::LinesFrom(which) => which * axis,
            _ => 0,
        };
        let numbers = (begin..lines.len()).chain(0..begin);
        let looked_at = |line: &usize| match self.0 {
            Fault::NoRows => false,
            Fault::NoRowsAlong(which) => line / axis != which,
            Fault::NoRowsOn(size, which) => (state.variant.size(), *line) != (size, which),
            _ => true,
        };
        let numbers = numbers.filter(looked_at);
        let rows = numbers.flat_map(|line| {
            let mut rows = self.rows_of_line(state, colour, line, &lines[line]);
            if self.0 == Fault::OneRowOfALine {
                rows.truncate(1);
            }
            rows
        });
        if self.0 != Fault::RunsOfAStretchClash {
            return rows.collect();
        }
        let apart = |row: Row| {
            let runs = lines[row.line].split(move |point| row.runs >> point & 1 == 0);
            let runs = runs.filter(|run| !run.is_empty());
            runs.map(move |run| Row {
                runs: run.iter().fold(0, |set, point| set | 1 << point),
                ..row
            })
        };
        rows.flat_map(apart).collect()
    }

    fn rows_of_line(self, state: &State, colour: Side, line: usize, points: &[u8]) -> Vec<Row> {
        let run = usize::from(match self.0 {
            Fault::RunAlways(run) => run,
            Fault::RunIsSize => state.variant.size(),
            _ => state.variant.run(),
        });
        let long = |length: usize| match self.0 {
            Fault::RunTooLong => length > run,
            Fault::RunTooShort => length + 1 >= run && length > 1,
            Fault::RunExactly => length == run,
            _ => length >= run,
        };
        // Most lines hold too little for a row.
        let own = state.stones[colour.index()];
        let most = points.iter().filter(|&point| own >> point & 1 != 0).count();
        if !(1..=most).any(long) {
            return Vec::new();
        }
        let set = |points: &[u8]| points.iter().fold(0_u128, |set, point| set | 1 << point);
        let over_gaps = self.0 == Fault::StretchOverGaps;
        let stretches = points.split(|point| state.at(*point).is_none() && !over_gaps);
        let rows = stretches.filter_map(|stretch| {
            let runs = stretch.split(|point| state.at(*point) != Some(colour));
            let runs = runs.filter(|run| long(run.len()));
            let runs = runs.fold(0_u128, |all, run| all | set(run));
            if runs == 0 {
                return None;
            }
            let first = stretch.iter().position(|p| runs >> p & 1 != 0)?;
            let last = stretch.iter().rposition(|p| runs >> p & 1 != 0)?;
            let stretch = match self.0 {
                Fault::RunOnly => runs,
                Fault::StretchBack => set(&stretch[..=last]),
                Fault::StretchAhead => set(&stretch[first..]),
                _ => set(stretch),
            };
            Some(Row {
                stretch,
                runs,
                line,
            })
        });
        rows.collect()
    }

    /// How many runs there are in rows.
    fn count_runs(self, state: &State, rows: &[Row]) -> usize {
        let lines = state.geometry().lines();
        let runs = rows.iter().map(|row| {
            let runs = lines[row.line].split(|point| row.runs >> point & 1 == 0);
            runs.filter(|run| !run.is_empty()).count()
        });
        runs.sum()
    }

    /// The rows of one colour that are to be taken off next.
    fn rows_now(self, state: &State, colour: Side) -> Vec<Row> {
        let mut rows = self.rows(state, colour);
        if matches!(self.0, Fault::BrokenRowsToo | Fault::StretchesAsPushed) {
            let pushed = self.rows(&state.as_pushed(), colour);
            if self.0 == Fault::StretchesAsPushed {
                for row in &mut rows {
                    let same = |before: &&Row| {
                        before.line == row.line && before.runs & row.runs == row.runs
                    };
                    row.stretch = pushed.iter().find(same).map_or(row.stretch, |r| r.stretch);
                }
            } else if colour != state.side {
                let left = |row: &Row| row.runs & state.stones[colour.index()] != 0;
                rows = pushed.into_iter().filter(left).collect();
            }
        }
        rows
    }

    pub(super) fn take(self, state: &mut State, row: &Row, colour: Side) {
        for point in 0..state.geometry().points() as u8 {
            if row.stretch >> point & 1 == 0 {
                continue;
            }
            let Some(stone) = state.at(point) else {
                continue;
            };
            state.put(point, None);
            // The side after the push is still the mover's.
            let owner = match self.0 {
                Fault::RowsBelongToTheMover => state.side,
                _ => colour,
            };
            let back = match self.0 {
                Fault::OwnAreLost => false,
                Fault::OnlyTheRowComesBack => stone == owner && row.runs >> point & 1 != 0,
                Fault::OthersComeBack | Fault::AllToTheMover => true,
                _ => stone == owner,
            };
            let to = match self.0 {
                Fault::AllToTheMover => state.side,
                _ => stone,
            };
            let room = match self.0 {
                Fault::ReserveAtMost(most) => state.reserves[to.index()] < most,
                _ => true,
            };
            if back && room {
                state.reserves[to.index()] += 1;
            }
        }
    }

    pub(super) fn step(self, state: &mut State) -> Step {
        let mover = state.side;
        let colours: &[Side] = match self.0 {
            Fault::OnlyOwnRows => &[mover],
            Fault::OnlyOtherRows => &[!mover],
            Fault::OtherRowsFirst => &[!mover, mover],
            Fault::WhiteRowsFirst => &[Side::First, Side::Second],
            _ => &[mover, !mover],
        };
        for &colour in colours {
            let rows = self.rows_now(state, colour);
            if rows.is_empty() {
                continue;
            }
            let others = match self.0 {
                Fault::CrossingAnyColour => self.rows(state, !colour),
                _ => Vec::new(),
            };
            let clash = |a: &Row, b: &Row| match self.0 {
                Fault::CrossingByRuns => a.runs & b.runs != 0,
                Fault::AllCrossing => false,
                _ => a.stretch & b.stretch != 0,
            };
            let all = || rows.iter().chain(&others);
            let crosses = |a: &Row| all().any(|b| a.runs != b.runs && clash(a, b));
            let asks = |row: &Row| self.0 == Fault::AlwaysAsks || crosses(row);
            let (mut crossing, mut alone): (Vec<Row>, Vec<Row>) =
                rows.iter().partition(|row| asks(row));
            if self.0 == Fault::FirstCrossing && alone.is_empty() {
                alone = vec![crossing.remove(0)];
            }
            if alone.is_empty() {
                let rows = match self.0 {
                    Fault::ThreeByRuns => self.count_runs(state, &crossing),
                    _ => crossing.len(),
                };
                match (self.0, rows) {
                    (Fault::ThreeInOrder, _) => {}
                    (Fault::LastFirst, _) | (_, 3) => crossing.rotate_right(1),
                    _ => {}
                }
                match self.0 {
                    Fault::ChoicesBackwards => crossing.reverse(),
                    Fault::WaysAtMost(most) => crossing.truncate(most),
                    _ => {}
                }
                return Step::Choose(colour, crossing);
            }
            for row in &alone {
                self.take(state, row, colour);
            }
            return Step::Taken(colour, alone);
        }
        Step::Done
    }

    /// Every board after the push and all choices.
    pub(super) fn collected(self, mut state: State, out: &mut Vec<State>) {
        loop {
            match self.step(&mut state) {
                Step::Done => break,
                Step::Taken(..) => {}
                Step::Choose(colour, rows) => {
                    let few = match self.0 {
                        Fault::FirstChoice => &rows[..1],
                        _ => &rows[..],
                    };
                    for row in few {
                        let mut next = state.clone();
                        self.take(&mut next, row, colour);
                        if self.0 == Fault::OneRound {
                            out.push(self.passed_on(next));
                        } else {
                            self.collected(next, out);
                        }
                    }
                    return;
                }
            }
        }
        out.push(self.passed_on(state));
    }

    pub(super) fn passed_on(self, mut state: State) -> State {
        if self.0 != Fault::KeepsSide {
            state.side = !state.side;
        }
        state.pushed = [0; 2];
        state
    }
}
