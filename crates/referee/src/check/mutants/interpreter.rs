//! A small GIPF interpreter, slow and obvious, whose rules can have one fault.

use std::collections::HashMap;
use std::fmt::Write;

use ::gipf::{Entry, Field, Geometry, Position, Setup, Variant, text};
use rules::Side;

/// What the interpreter gets wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    None,
    /// Does not know this way in on a board of this size.
    NoEntry(u8, u8),
    /// Pushes no more than so many stones.
    PushAtMost(usize),
    /// The last stone of a full line falls off.
    PushesOff,
    /// The new stone takes the place of the first one.
    Overwrites,
    /// The new stone is put on the first free point of the line.
    JumpsAhead,
    /// A full line is found out only if its last point is taken by the opponent.
    FullIfOther,
    /// Nothing is ever taken off.
    NoRows,
    /// Columns, rows or diagonals are not looked at.
    NoRowsAlong(usize),
    /// This line of a board of this size is not looked at.
    NoRowsOn(u8, usize),
    RunTooLong,
    RunTooShort,
    RunExactly,
    OnlyOwnRows,
    OnlyOtherRows,
    OtherRowsFirst,
    /// Only the row itself goes, without the rest of its stretch.
    RunOnly,
    /// The stretch is followed on one side only.
    StretchBack,
    StretchAhead,
    /// Gaps do not end a stretch.
    StretchOverGaps,
    OthersComeBack,
    OwnAreLost,
    AllToTheMover,
    RowsBelongToTheMover,
    /// Crossing rows all go at once.
    AllCrossing,
    /// The first of crossing rows goes without a choice.
    FirstCrossing,
    /// Rows cross only if they share a stone themselves.
    CrossingByRuns,
    /// After a choice nothing more is looked for.
    OneRound,
    /// Rows that cross nothing must be chosen, too.
    AlwaysAsks,
    KeepsReserve,
    KeepsSide,
    /// Positions are generated as often as they arise.
    Twice,
    /// Only the first choice is generated.
    FirstChoice,
    /// The walk around the rim begins so many entries later.
    RimFrom(usize),
    RimBackwards,
    SourcesBackwards,
    /// Three rows to choose from come in the order found.
    ThreeInOrder,
    /// Any number of rows to choose from begins with the last.
    LastFirst,
    ChoicesBackwards,
    /// Rows are looked for before columns, or diagonals before both.
    LinesFrom(usize),
    MovesWithoutReserve,
    ExtOfAll,
    ExtAllWins,
    ExtLastWin,
    OverWhenOtherIsEmpty,
    OnWhenFull,
    OnWhenEmpty,
    DeadLockIsWin,
    WinnerExchanged,
    BadMoveStays,
    BadMoveForgotten,
    /// Two checks of a move in exchanged order.
    ChecksExchanged(usize),
    EndsInOrder,
    NeedlessRefused,
    ColourIgnored,
    AnyStoneOfTheRow,
    TooManyIgnored,
    MissingIgnored,
    CountsWholeMoves,
    OnlyTheMoverWins,
    SaysTheLimit,
    LooksOneTooShort,
}

impl Fault {
    /// Whether the fault is one of `WINNING_SEQUENCE_EXIST`.
    pub(super) fn is_of_winning(self) -> bool {
        matches!(
            self,
            Fault::CountsWholeMoves
                | Fault::OnlyTheMoverWins
                | Fault::SaysTheLimit
                | Fault::LooksOneTooShort
        )
    }
}

/// A board; unlike a [`Position`] it may hold rows that a fault has left.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    variant: Variant,
    stones: [u128; 2],
    reserves: [u16; 2],
    side: Side,
}

#[derive(Clone, Copy)]
struct Row {
    stretch: u128,
    runs: u128,
    line: usize,
}

/// A choice as it is written: the colour and the ends, as far as they can be read.
type Wanted = (Option<Side>, Option<(u8, u8)>);

/// The interpreter.
pub(super) struct Interpreter {
    fault: Fault,
    state: Option<State>,
    bad_move: Option<String>,
    output: String,
}

/// The answers to commands on well-formed boards.
pub(super) fn run(input: &str, fault: Fault) -> String {
    let mut interpreter = Interpreter {
        fault,
        state: None,
        bad_move: None,
        output: String::new(),
    };
    let mut lines = input.lines().map(str::trim_end).filter(|l| !l.is_empty());
    while let Some(line) = lines.next() {
        if line == "LOAD_GAME_BOARD" {
            let variant = lines.next().unwrap_or_default();
            let reserves = lines.next().unwrap_or_default();
            let count = text::read_variant(variant).map_or(0, |v| 2 * usize::from(v.size()) - 1);
            let rows: Vec<&str> = lines.by_ref().take(count).collect();
            interpreter.load(variant, reserves, &rows);
        } else {
            interpreter.obey(line);
        }
    }
    interpreter.output
}

impl Interpreter {
    fn say(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.output, "{line}");
    }

    fn load(&mut self, variant: &str, reserves: &str, rows: &[&str]) {
        self.bad_move = None;
        self.state = None;
        match text::load(variant, reserves, rows) {
            Ok(position) => {
                let setup = position.setup();
                self.state = Some(State {
                    variant: setup.variant,
                    stones: setup.stones,
                    reserves: setup.reserves,
                    side: setup.side,
                });
                self.say("BOARD_STATE_OK");
            }
            Err(error) => self.say(error),
        }
    }

    fn obey(&mut self, line: &str) {
        let (command, argument) = line.split_once(' ').unwrap_or((line, ""));
        let Some(state) = self.state.clone() else {
            self.say("EMPTY_BOARD");
            return;
        };
        let rules = Rules(self.fault);
        match command {
            "PRINT_GAME_BOARD" => self.say(state.print()),
            "DO_MOVE" => self.do_move(&state, argument),
            "PRINT_GAME_STATE" => {
                let text = self.state_of(&state, rules);
                self.say(text);
            }
            "IS_GAME_OVER" => self.say(match rules.winner(&state) {
                None => "GAME_IN_PROGRESS",
                Some(Side::First) => "THE_WINNER_IS_WHITE",
                Some(Side::Second) => "THE_WINNER_IS_BLACK",
            }),
            "WINNING_SEQUENCE_EXIST" => {
                let most = argument.trim().parse().unwrap_or(0);
                let text = rules.winning(&state, most);
                self.say(text);
            }
            "SOLVE_GAME_STATE" => {
                let text = state.solved();
                self.say(text);
            }
            _ if command.starts_with("GEN_ALL_POS_MOV") => {
                let next = if command.contains("_EXT") {
                    rules.generated_or_win(&state)
                } else {
                    rules.generated(&state)
                };
                if command.ends_with("_NUM") {
                    self.say(format_args!("{}_UNIQUE_MOVES", next.len()));
                } else {
                    for state in next {
                        self.output.push_str(&state.print());
                    }
                }
            }
            _ => {}
        }
    }

    fn state_of(&self, state: &State, rules: Rules) -> String {
        let letter = ['W', 'B'][state.side.index()];
        if let Some(text) = &self.bad_move {
            return text.clone();
        }
        let dead = state.reserves[state.side.index()] > 0 && self.fault != Fault::DeadLockIsWin;
        match rules.winner(state) {
            None => "in_progress".into(),
            Some(_) if dead => format!("dead_lock {letter}"),
            Some(Side::First) => "white_win".into(),
            Some(Side::Second) => "black_win".into(),
        }
    }

    fn do_move(&mut self, state: &State, argument: &str) {
        let words: Vec<&str> = argument.split_whitespace().collect();
        let first = words.first().copied().unwrap_or_default();
        let letter = ['W', 'B'][state.side.index()];
        let kept = self.bad_move.take();
        if state.reserves[state.side.index()] == 0 {
            self.bad_move = Some(format!("bad_move {letter} {first}"));
            return; // Said on standard error.
        }
        match Rules(self.fault).moved(state, &words) {
            Ok(next) => {
                self.state = Some(next);
                if self.fault == Fault::BadMoveStays {
                    self.bad_move = kept;
                }
                self.say("MOVE_COMMITTED");
            }
            Err(error) => {
                if self.fault != Fault::BadMoveForgotten {
                    self.bad_move = Some(format!("bad_move {letter} {first}"));
                }
                self.say(error);
            }
        }
    }
}

impl State {
    fn geometry(&self) -> &'static Geometry {
        Geometry::of(self.variant.size())
    }

    fn occupied(&self) -> u128 {
        self.stones[0] | self.stones[1]
    }

    fn at(&self, point: u8) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.stones[side.index()] >> point & 1 != 0)
    }

    fn put(&mut self, point: u8, stone: Option<Side>) {
        for stones in &mut self.stones {
            *stones &= !(1 << point);
        }
        if let Some(side) = stone {
            self.stones[side.index()] |= 1 << point;
        }
    }

    fn print(&self) -> String {
        let size = usize::from(self.variant.size());
        let [white, black] = self.reserves;
        let mut text = format!(
            "{}\n{white} {black} {}\n",
            self.variant,
            ['W', 'B'][self.side.index()]
        );
        for (row, points) in (1..).zip(self.geometry().rows()) {
            let stones = points.iter().map(|point| match self.at(*point) {
                None => "_",
                Some(Side::First) => "W",
                Some(Side::Second) => "B",
            });
            let stones: Vec<&str> = stones.collect();
            let (before, after) = (size.abs_diff(row), size.saturating_sub(row) + 1);
            let (before, after) = (" ".repeat(before), " ".repeat(after));
            let _ = writeln!(text, "{before}{}{after}", stones.join(" "));
        }
        text
    }

    /// What perfect play makes of it: the solver is not what is mutated here.
    fn solved(&self) -> String {
        let setup = Setup {
            variant: self.variant,
            reserves: self.reserves,
            side: self.side,
            stones: self.stones,
        };
        let Ok(position) = Position::try_from(setup) else {
            return "NOT_SOLVED".into();
        };
        let input = format!(
            "LOAD_GAME_BOARD\n{}SOLVE_GAME_STATE\n",
            text::print(&position)
        );
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let options = programs::gipf::Options::default();
        let _ = programs::gipf::run(input.as_bytes(), &mut output, &mut errors, options);
        let output = String::from_utf8_lossy(&output).into_owned();
        output.lines().last().unwrap_or_default().into()
    }
}

/// The rules with a fault.
#[derive(Clone, Copy)]
struct Rules(Fault);

/// What is to be done next while rows are taken off.
enum Step {
    Done,
    Taken(Side, Vec<Row>),
    Choose(Side, Vec<Row>),
}

impl Rules {
    fn winner(self, state: &State) -> Option<Side> {
        let empty = |side: Side| state.reserves[side.index()] == 0;
        let full = state.occupied() == state.geometry().full();
        let stuck = full && self.0 != Fault::OnWhenFull
            || empty(state.side) && self.0 != Fault::OnWhenEmpty;
        let winner = match self.0 {
            Fault::OverWhenOtherIsEmpty if empty(!state.side) => Some(state.side),
            _ => stuck.then_some(!state.side),
        };
        match self.0 {
            Fault::WinnerExchanged => winner.map(|side| !side),
            _ => winner,
        }
    }

    fn knows(self, state: &State, number: usize) -> bool {
        self.0 != Fault::NoEntry(state.variant.size(), number as u8)
    }

    /// The board after a push; `None` if the line is full.
    fn push(self, state: &State, entry: &Entry) -> Option<State> {
        let path = entry.path();
        let in_the_way = path.iter().take_while(|p| state.at(**p).is_some()).count();
        let mut next = state.clone();
        let own = state.side.index();
        if self.0 != Fault::KeepsReserve {
            next.reserves[own] = next.reserves[own].saturating_sub(1);
        }
        let full = match self.0 {
            Fault::PushAtMost(most) => in_the_way > most || in_the_way == path.len(),
            Fault::PushesOff | Fault::Overwrites => false,
            Fault::FullIfOther => {
                let last = path.last().and_then(|point| state.at(*point));
                in_the_way == path.len() && last != Some(state.side)
            }
            _ => in_the_way == path.len(),
        };
        if full {
            return None;
        }
        match self.0 {
            Fault::Overwrites => next.put(path[0], Some(state.side)),
            Fault::JumpsAhead => next.put(path[in_the_way], Some(state.side)),
            _ => {
                let mut carried = Some(state.side);
                for &point in &path[..path.len().min(in_the_way + 1)] {
                    next.put(point, carried);
                    carried = state.at(point);
                }
            }
        }
        Some(next)
    }

    fn rows(self, state: &State, colour: Side) -> Vec<Row> {
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
        let rows = numbers.filter_map(|line| self.row(state, colour, line, &lines[line]));
        rows.collect()
    }

    fn row(self, state: &State, colour: Side, line: usize, points: &[u8]) -> Option<Row> {
        let run = usize::from(state.variant.run());
        let long = |length: usize| match self.0 {
            Fault::RunTooLong => length > run,
            Fault::RunTooShort => length + 1 >= run && length > 1,
            Fault::RunExactly => length == run,
            _ => length >= run,
        };
        let set = |points: &[u8]| points.iter().fold(0_u128, |set, point| set | 1 << point);
        let over_gaps = self.0 == Fault::StretchOverGaps;
        let mut stretches = points.split(|point| state.at(*point).is_none() && !over_gaps);
        stretches.find_map(|stretch| {
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
        })
    }

    fn take(self, state: &mut State, row: &Row, colour: Side) {
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
                Fault::OthersComeBack | Fault::AllToTheMover => true,
                _ => stone == owner,
            };
            let to = match self.0 {
                Fault::AllToTheMover => state.side,
                _ => stone,
            };
            if back {
                state.reserves[to.index()] += 1;
            }
        }
    }

    fn step(self, state: &mut State) -> Step {
        let mover = state.side;
        let colours: &[Side] = match self.0 {
            Fault::OnlyOwnRows => &[mover],
            Fault::OnlyOtherRows => &[!mover],
            Fault::OtherRowsFirst => &[!mover, mover],
            _ => &[mover, !mover],
        };
        for &colour in colours {
            let rows = self.rows(state, colour);
            if rows.is_empty() {
                continue;
            }
            let clash = |a: &Row, b: &Row| match self.0 {
                Fault::CrossingByRuns => a.runs & b.runs != 0,
                Fault::AllCrossing => false,
                _ => a.stretch & b.stretch != 0,
            };
            let crosses = |a: &Row| rows.iter().any(|b| a.line != b.line && clash(a, b));
            let asks = |row: &Row| self.0 == Fault::AlwaysAsks || crosses(row);
            let (mut crossing, mut alone): (Vec<Row>, Vec<Row>) =
                rows.iter().partition(|row| asks(row));
            if self.0 == Fault::FirstCrossing && alone.is_empty() {
                alone = vec![crossing.remove(0)];
            }
            if alone.is_empty() {
                match (self.0, crossing.len()) {
                    (Fault::ThreeInOrder, _) => {}
                    (Fault::LastFirst, _) | (_, 3) => crossing.rotate_right(1),
                    _ => {}
                }
                if self.0 == Fault::ChoicesBackwards {
                    crossing.reverse();
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
    fn collected(self, mut state: State, out: &mut Vec<State>) {
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

    fn passed_on(self, mut state: State) -> State {
        if self.0 != Fault::KeepsSide {
            state.side = !state.side;
        }
        state
    }

    fn generated(self, state: &State) -> Vec<State> {
        let empty = state.reserves[state.side.index()] == 0;
        if empty && self.0 != Fault::MovesWithoutReserve {
            return Vec::new();
        }
        let entries = state.geometry().entries();
        let mut order: Vec<usize> = (0..entries.len()).collect();
        match self.0 {
            Fault::RimFrom(later) => order.rotate_left(later % entries.len()),
            Fault::RimBackwards => order.reverse(),
            Fault::SourcesBackwards => {
                let same = |a: &usize, b: &usize| entries[*a].path()[0] == entries[*b].path()[0];
                let groups = order.chunk_by(same);
                order = groups.flat_map(|group| group.iter().rev().copied()).collect();
            }
            _ => {}
        }
        let mut all: Vec<State> = Vec::new();
        for number in order.into_iter().filter(|number| self.knows(state, *number)) {
            let Some(pushed) = self.push(state, &entries[number]) else {
                continue;
            };
            let mut next = Vec::new();
            self.collected(pushed, &mut next);
            for state in next {
                if self.0 == Fault::Twice || !all.contains(&state) {
                    all.push(state);
                }
            }
        }
        all
    }

    fn generated_or_win(self, state: &State) -> Vec<State> {
        let all = self.generated(state);
        let wins: Vec<State> = all
            .iter()
            .filter(|next| self.winner(next) == Some(state.side))
            .cloned()
            .collect();
        match (self.0, &wins[..]) {
            (_, []) | (Fault::ExtOfAll, _) => all,
            (Fault::ExtAllWins, _) => wins,
            (Fault::ExtLastWin, [.., last]) => vec![last.clone()],
            (_, [first, ..]) => vec![first.clone()],
        }
    }

    /// The board after a move as it is written.
    fn moved(self, state: &State, words: &[&str]) -> Result<State, String> {
        let geometry = state.geometry();
        let size = geometry.size();
        let first = words.first().copied().unwrap_or_default();
        let (from, to) = first.split_once('-').unwrap_or((first, ""));
        let (dot, target) = (Field::from_label(from, size), Field::from_label(to, size));
        let is_point = |field: Option<Field>| field.is_some_and(|field| field.is_point(size));
        let entry = dot.zip(target).and_then(|(dot, target)| {
            let number = geometry.entry(dot, target)?;
            self.knows(state, number.into()).then_some(number)
        });
        // The empty point takes a stone from any dot beside it.
        let pushed = entry.map(|entry| self.push(state, &geometry.entries()[usize::from(entry)]));
        let index = [(dot, from), (target, to)];
        let index = index.iter().find(|(field, _)| field.is_none());
        let mut checks = [
            index.map(|(_, label)| format!("BAD_MOVE_{label}_IS_WRONG_INDEX")),
            is_point(dot).then(|| format!("BAD_MOVE_{from}_IS_WRONG_STARTING_FIELD")),
            (!is_point(target)).then(|| format!("BAD_MOVE_{to}_IS_WRONG_DESTINATION_FIELD")),
            pushed.is_none().then(|| "UNKNOWN_MOVE_DIRECTION".into()),
            pushed
                .as_ref()
                .is_none_or(Option::is_none)
                .then(|| "BAD_MOVE_ROW_IS_FULL".into()),
        ];
        if let Fault::ChecksExchanged(which) = self.0 {
            checks.swap(which, which + 1);
        }
        if let Some(error) = checks.into_iter().flatten().next() {
            return Err(error);
        }
        let pushed = pushed.flatten().ok_or("BAD_MOVE_ROW_IS_FULL")?;
        self.chosen(pushed, &wanted(words, geometry))
            .map_err(str::to_string)
    }

    /// Follows the choices as they are written.
    fn chosen(self, mut state: State, wanted: &[Wanted]) -> Result<State, &'static str> {
        const COLOUR: &str = "WRONG_COLOR_OF_CHOSEN_ROW";
        const INDEX: &str = "WRONG_INDEX_OF_CHOSEN_ROW";
        let geometry = state.geometry();
        let names = |wanted: &Wanted, row: &Row| {
            let Some((a, b)) = wanted.1 else {
                return false;
            };
            let points = &geometry.lines()[row.line];
            let mut runs = points.split(|point| row.runs >> point & 1 == 0);
            runs.any(|run| match (run, self.0) {
                ([], _) => false,
                (run, Fault::AnyStoneOfTheRow) => run.contains(&a) && run.contains(&b),
                ([first, .., last], Fault::EndsInOrder) => (a, b) == (*first, *last),
                ([first, .., last], _) => [(a, b), (b, a)].contains(&(*first, *last)),
                ([_], _) => false,
            })
        };
        let colour_is = |wanted: &Wanted, colour: Side| {
            wanted.0 == Some(colour) || self.0 == Fault::ColourIgnored
        };
        let mut gone: Vec<(Side, Row)> = Vec::new();
        let mut used: Vec<Side> = Vec::new();
        let mut wanted = wanted.iter().peekable();
        loop {
            let step = self.step(&mut state);
            if let Step::Taken(colour, rows) = step {
                gone.extend(rows.into_iter().map(|row| (colour, row)));
                continue;
            }
            let needless = |wanted: &&Wanted| {
                let mut rows = gone.iter();
                self.0 != Fault::NeedlessRefused
                    && rows.any(|(colour, row)| colour_is(wanted, *colour) && names(wanted, row))
            };
            while wanted.next_if(needless).is_some() {}
            let Step::Choose(colour, rows) = step else {
                let Some(extra) = wanted.next() else {
                    break;
                };
                if self.0 == Fault::TooManyIgnored {
                    break;
                }
                let mut colours = gone.iter().map(|(colour, _)| colour).chain(&used);
                let known = colours.any(|colour| colour_is(extra, *colour));
                return Err(if known { INDEX } else { COLOUR });
            };
            let row = match wanted.next() {
                None if self.0 == Fault::MissingIgnored => rows[0],
                None => return Err(INDEX),
                Some(next) if !colour_is(next, colour) => return Err(COLOUR),
                Some(next) => *rows.iter().find(|row| names(next, row)).ok_or(INDEX)?,
            };
            self.take(&mut state, &row, colour);
            used.push(colour);
            if self.0 == Fault::OneRound {
                break;
            }
        }
        Ok(self.passed_on(state))
    }

    fn winning(self, state: &State, most: u32) -> String {
        let depth = match self.0 {
            Fault::LooksOneTooShort => most.saturating_sub(1),
            _ => most,
        };
        let won = self.forced(state, depth, &mut HashMap::new());
        let won = won.filter(|(side, _)| self.0 != Fault::OnlyTheMoverWins || *side == state.side);
        match won {
            None => "NO_WINNING_SEQUENCE".into(),
            Some((side, length)) => {
                let length = match self.0 {
                    Fault::CountsWholeMoves => length.div_ceil(2),
                    Fault::SaysTheLimit => most,
                    _ => length,
                };
                format!("{}_WINS_IN_{length}", ["WHITE", "BLACK"][side.index()])
            }
        }
    }

    /// Who forces a win within so many half-moves, and in how many.
    fn forced(
        self,
        state: &State,
        depth: u32,
        known: &mut HashMap<(State, u32), Option<(Side, u32)>>,
    ) -> Option<(Side, u32)> {
        if let Some(winner) = self.winner(state) {
            return Some((winner, 0));
        }
        if depth == 0 {
            return None;
        }
        if let Some(found) = known.get(&(state.clone(), depth)) {
            return *found;
        }
        let mut best: Option<u32> = None;
        let mut worst = Some(0);
        for next in self.generated(state) {
            match self.forced(&next, depth - 1, known) {
                Some((side, length)) if side == state.side => {
                    best = Some(best.map_or(length, |best: u32| best.min(length)));
                }
                Some((_, length)) => worst = worst.map(|worst: u32| worst.max(length)),
                None => worst = None,
            }
        }
        let found = match (best, worst) {
            (Some(length), _) => Some((state.side, length + 1)),
            (None, Some(length)) => Some((!state.side, length + 1)),
            _ => None,
        };
        known.insert((state.clone(), depth), found);
        found
    }
}

/// The choices behind a move.
fn wanted(words: &[&str], geometry: &Geometry) -> Vec<Wanted> {
    let point = |label: &&str| {
        let field = Field::from_label(label, geometry.size())?;
        geometry.point(field)
    };
    let mut all = Vec::new();
    let mut rest = words.get(1..).unwrap_or_default();
    while let [colour, tail @ ..] = rest {
        let labels = tail.iter().take_while(|word| !word.ends_with(':')).count();
        let (ends, tail) = tail.split_at(labels);
        let colour = match *colour {
            "w:" => Some(Side::First),
            "b:" => Some(Side::Second),
            _ => None,
        };
        for pair in ends.chunks(2) {
            let ends = match pair {
                [a, b] => point(a).zip(point(b)),
                _ => None,
            };
            all.push((colour, ends));
        }
        if ends.is_empty() {
            all.push((colour, None));
        }
        rest = tail;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, Subject};

    /// Without a fault it answers as the program does, where all boards are well-formed.
    #[test]
    fn without_a_fault_it_is_right() {
        let cases = Subject::Gipf.cases(&CheckOptions::default());
        let mut compared = 0;
        for case in &cases {
            let name = &case.name;
            if ["move-", "slide-", "remove-", "choice-", "game-", "winning-"]
                .iter()
                .any(|kind| name.starts_with(kind))
            {
                let input = String::from_utf8(case.input()).unwrap();
                let expected = String::from_utf8_lossy(case.expected().unwrap()).into_owned();
                assert_eq!(run(&input, Fault::None), expected, "{name}");
                compared += 1;
            }
        }
        assert!(compared > 40, "{compared}");
    }
}
