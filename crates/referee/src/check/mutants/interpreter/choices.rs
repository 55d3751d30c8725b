//! Moves as they are written, with the choices behind them.

use ::gipf::{Entry, Field, Geometry};
use rules::Side;

use super::fault::Fault;
use super::rows::{Row, Step};
use super::rules::Rules;
use super::state::State;

/// A choice as it is written: the colour and the ends, as far as they can be read.
type Wanted = (Option<Side>, Option<(u8, u8)>);

impl Rules {
    /// The board after a move as it is written.
    pub(super) fn moved(self, state: &State, words: &[&str]) -> Result<State, String> {
        let geometry = state.geometry();
        let size = geometry.size();
        let first = words.first().copied().unwrap_or_default();
        let (from, to) = first.split_once('-').unwrap_or((first, ""));
        let [start, end] = [from, to].map(|label| self.label(label, size));
        let is_point = |label: Option<Label>| label.is_some_and(|label| label.is_point);
        let entry = start.zip(end).and_then(|(start, end)| {
            let (dot, target) = (start.field?, end.field?);
            let number = self.entry(geometry, dot, target)?;
            self.knows(state, number.into()).then_some(number)
        });
        // The empty point takes a stone from any dot beside it.
        let pushed = entry.map(|entry| self.push(state, &geometry.entries()[usize::from(entry)]));
        let mut index = [(start, from), (end, to)];
        if self.0 == Fault::TellsTheLastLabel {
            index.reverse();
        }
        let index = index.iter().find(|(label, _)| label.is_none());
        let mut checks = [
            index.map(|(_, label)| format!("BAD_MOVE_{label}_IS_WRONG_INDEX")),
            is_point(start).then(|| format!("BAD_MOVE_{from}_IS_WRONG_STARTING_FIELD")),
            (!is_point(end)).then(|| format!("BAD_MOVE_{to}_IS_WRONG_DESTINATION_FIELD")),
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
        let mut wanted = wanted(words, geometry);
        if let Fault::ChoicesAtMost(most) = self.0 {
            wanted.truncate(most);
        }
        self.chosen(pushed, &wanted).map_err(str::to_string)
    }

    /// Follows the choices as they are written.
    pub(super) fn chosen(self, mut state: State, wanted: &[Wanted]) -> Result<State, &'static str> {
        const COLOUR: &str = "WRONG_COLOR_OF_CHOSEN_ROW";
        const INDEX: &str = "WRONG_INDEX_OF_CHOSEN_ROW";
        let geometry = state.geometry();
        let names = |wanted: &Wanted, row: &Row| {
            let Some((a, b)) = wanted.1 else {
                return false;
            };
            let points = &geometry.lines()[row.line];
            let named = match self.0 {
                Fault::StretchEndsNamed => row.stretch,
                _ => row.runs,
            };
            let runs = points.split(|point| named >> point & 1 == 0);
            let mut runs: Vec<&[u8]> = runs.filter(|run| !run.is_empty()).collect();
            match self.0 {
                Fault::FirstRunNamed => runs.truncate(1),
                Fault::LastRunNamed => runs = runs.split_off(runs.len() - 1),
                _ => {}
            }
            if let (Fault::RunsNamedTogether, [[first, ..], .., [.., last]]) = (self.0, &runs[..]) {
                return [(a, b), (b, a)].contains(&(*first, *last));
            }
            runs.into_iter().any(|run| match (run, self.0) {
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
}

/// What a program makes of a label.
#[derive(Clone, Copy)]
struct Label {
    /// Where it is, if it is on the board.
    field: Option<Field>,
    is_point: bool,
}

impl Rules {
    /// What is read of a label; `None` if there is no such place.
    fn label(self, text: &str, size: u8) -> Option<Label> {
        let read = match self.0 {
            Fault::LabelsOfOneDigit => text.get(..2).unwrap_or(text),
            _ => text,
        };
        let field = Field::from_label(read, size);
        if field.is_none() && self.imagines(text, size) {
            return Some(Label {
                field: None,
                is_point: false,
            });
        }
        let field = field?;
        let is_point = field.is_point(size);
        match self.0 {
            Fault::UnknownLabel(of, what) if (of, what) == (size, field) => None,
            Fault::MistakenLabel(of, what) if (of, what) == (size, field) => Some(Label {
                field: None,
                is_point: !is_point,
            }),
            _ => Some(Label {
                field: Some(field),
                is_point,
            }),
        }
    }

    /// Whether a label that is on no board is taken for a dot.
    fn imagines(self, text: &str, size: u8) -> bool {
        let mut letters = text.chars();
        let column = letters.next().map_or(0, u32::from).wrapping_sub('a'.into());
        let (Ok(number), true) = (
            letters.as_str().parse::<u8>(),
            column <= 2 * u32::from(size),
        ) else {
            return false;
        };
        match self.0 {
            Fault::LabelsOfTheBox => (1..=2 * size + 1).contains(&number),
            Fault::LabelsOneBeyond => {
                number > 1 && {
                    let below = format!("{}{}", &text[..1], number - 1);
                    Field::from_label(&below, size).is_some()
                }
            }
            Fault::LabelsFromZero => number == 0,
            _ => false,
        }
    }

    /// The way in from a dot to a point beside it.
    fn entry(self, geometry: &Geometry, dot: Field, target: Field) -> Option<u8> {
        let beside = geometry.entry(dot, target);
        let mut entries = (0..).zip(geometry.entries());
        match self.0 {
            Fault::AnyPointOfTheLine => beside.or_else(|| {
                let goes = |entry: &Entry| {
                    let mut path = entry.path().iter();
                    entry.dot == dot && path.any(|point| geometry.field(*point) == target)
                };
                entries.find_map(|(number, entry)| goes(entry).then_some(number))
            }),
            Fault::AnyDestination => beside.or_else(|| {
                entries.find_map(|(number, entry)| (entry.dot == dot).then_some(number))
            }),
            _ => beside,
        }
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
