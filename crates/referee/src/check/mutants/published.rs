//! Players of published GIPF with a fault.

use rules::Game;

use super::pusher::{Fault, State};
use super::{Answer, Family, Wrong, said};
use crate::check::case::{Ask, Case, Want};
use crate::check::phases;

/// Which of the moves that it sees a program plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Taste {
    First,
    Last,
    Middle,
    Longest,
}

const TASTES: [(Taste, &str); 4] = [
    (Taste::First, "first"),
    (Taste::Last, "last"),
    (Taste::Middle, "middle"),
    (Taste::Longest, "longest"),
];

/// How a program writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Right,
    NoNewline,
    CarriageReturn,
    BlankLines,
    Blanks,
    WithoutMarks,
    WithReserve,
    PartsByBlanks,
    Capitals,
    Numbered,
    Backwards,
    NoDash,
    WithWrongReserve,
    Introduced,
    Twice,
    Nothing,
    TheInput,
    Fails,
    FromTheOtherEnd,
    NumbersFromAbove,
    StarsEverything,
    StacksEverything,
    PushFirst,
    NoX,
    Quoted,
}

/// Other ways to write that are right as well.
const RIGHT_FORMS: [Form; 9] = [
    Form::NoNewline,
    Form::CarriageReturn,
    Form::BlankLines,
    Form::Blanks,
    Form::WithoutMarks,
    Form::WithReserve,
    Form::PartsByBlanks,
    Form::Capitals,
    Form::Numbered,
];

const WRONG_FORMS: [Form; 15] = [
    Form::Backwards,
    Form::NoDash,
    Form::WithWrongReserve,
    Form::Introduced,
    Form::Twice,
    Form::Nothing,
    Form::TheInput,
    Form::Fails,
    Form::FromTheOtherEnd,
    Form::NumbersFromAbove,
    Form::StarsEverything,
    Form::StacksEverything,
    Form::PushFirst,
    Form::NoX,
    Form::Quoted,
];

/// Single pieces come first in the lists of these programs, and so do removals that keep nothing;
/// those that keep everything come last and are written longest.
const HIDDEN: [(Fault, Taste); 10] = [
    (Fault::GipfPiecesAtAnyTime, Taste::First),
    (Fault::GipfPieceForOne, Taste::First),
    (Fault::KeepsSinglePieces, Taste::First),
    (Fault::KeepsTheOthersSinglePieces, Taste::First),
    (Fault::ForgetsRowsOfKeptPieces, Taste::First),
    (Fault::SinglePieceFirst, Taste::Middle),
    (Fault::SinglePieceFirst, Taste::Last),
    (Fault::SinglePieceFirst, Taste::Longest),
    (Fault::PushesAfterTheEnd, Taste::Last),
    (Fault::PushesAfterTheEnd, Taste::Longest),
];

#[derive(Clone, Copy)]
struct Program {
    fault: Fault,
    taste: Taste,
    form: Form,
}

/// All mutants, and right programs that choose and write in different ways.
pub(super) fn mutants() -> Vec<Wrong> {
    let wrong = |family, name: String, program: Program| {
        Wrong::new(family, name, move |case| program.answer(case))
    };
    let mut all = Vec::new();
    for (taste, name) in TASTES {
        let program = |fault, form| Program { fault, taste, form };
        let right = [Form::Right].into_iter().chain(RIGHT_FORMS);
        all.extend(right.map(|form| {
            let name = format!("{form:?}, {name}");
            wrong(Family::Right, name, program(Fault::None, form))
        }));
        all.extend(Fault::MISSING.iter().map(|&fault| {
            let name = format!("{fault:?}, {name}");
            wrong(Family::Right, name, program(fault, Form::Right))
        }));
        all.extend(WRONG_FORMS.map(|form| {
            let name = format!("{form:?}, {name}");
            wrong(Family::WrongForm, name, program(Fault::None, form))
        }));
        all.extend(Fault::INVENTIONS.iter().map(|&fault| {
            let name = format!("{fault:?}, {name}");
            let wrong = wrong(Family::LosesRule, name, program(fault, Form::Right));
            match HIDDEN.contains(&(fault, taste)) {
                true => wrong.equivalent("by its taste it never plays one of the moves it invents"),
                false => wrong,
            }
        }));
    }
    all.extend(phases::wanted().into_iter().map(|phase| {
        let right = Program {
            fault: Fault::None,
            taste: Taste::First,
            form: Form::Right,
        };
        let name = format!("fails, {phase:?}");
        Wrong::new(Family::LosesRule, name, move |case| match &case.want {
            Want::Play(position) if phase.is_shown(position) => Answer {
                status: 134,
                ..said("")
            },
            _ => right.answer(case),
        })
    }));
    all
}

impl Program {
    fn answer(self, case: &Case) -> Answer {
        let Ask::Stdin(input) = &case.ask else {
            return Answer::default();
        };
        let input = String::from_utf8_lossy(input);
        let Some(state) = State::read(&input, self.fault) else {
            return Answer::default();
        };
        let moves = state.moves(self.fault);
        let chosen = match self.taste {
            Taste::First => moves.first(),
            Taste::Last => moves.last(),
            Taste::Middle => moves.get(moves.len() / 2),
            Taste::Longest => moves.iter().max_by_key(|mv| mv.len()),
        };
        match chosen {
            Some(mv) => self.form.write(mv, case, &input),
            // A program that sees no move says nothing.
            None => said(""),
        }
    }
}

/// What the player has in reserve after a move.
fn reserve(case: &Case, mv: &str) -> u8 {
    let Want::Play(position) = &case.want else {
        return 0;
    };
    let mut after = *position;
    if let Ok(mv) = after.parse_move(mv) {
        after.play_unchecked(mv);
    }
    after.reserve(position.side_to_move())
}

impl Form {
    fn write(self, mv: &str, case: &Case, input: &str) -> Answer {
        let every = |change: &dyn Fn(&str) -> String| {
            let words = mv.split(';').map(|part| match part.strip_prefix('x') {
                Some(list) => {
                    let words: Vec<String> = list.split(',').map(change).collect();
                    format!("x{}", words.join(","))
                }
                None => part.to_string(),
            });
            words.collect::<Vec<_>>().join(";")
        };
        let text = match self {
            Form::NoNewline => return said(mv),
            Form::CarriageReturn => format!("{mv}\r"),
            Form::BlankLines => format!("\n{mv}\n"),
            Form::Blanks => format!("  {mv} "),
            Form::WithoutMarks => every(&|word| match word.strip_prefix('=') {
                Some(_) => word.into(),
                None => word.trim_matches(['G', '*']).into(),
            }),
            Form::WithReserve => format!("{mv}({})", reserve(case, mv)),
            Form::WithWrongReserve => format!("{mv}({}1)", reserve(case, mv)),
            Form::PartsByBlanks => mv.replace(';', " "),
            Form::Capitals => mv.to_uppercase(),
            Form::Numbered => format!("1. {mv}"),
            Form::Backwards => {
                let parts = mv.split(';').map(|part| match part.split_once('-') {
                    Some((dot, to)) => format!("{to}-{dot}"),
                    None => part.into(),
                });
                parts.collect::<Vec<_>>().join(";")
            }
            Form::NoDash => mv.replace('-', ""),
            Form::Introduced => format!("move {mv}"),
            Form::Twice => format!("{mv}\n{mv}"),
            Form::Nothing => return said("\n"),
            Form::TheInput => input.trim_end().into(),
            Form::Fails => {
                return Answer {
                    status: 1,
                    ..said(format!("{mv}\n"))
                };
            }
            Form::FromTheOtherEnd => turned(mv, |c| match c {
                'a'..='i' => char::from(b'a' + b'i' - c as u8),
                c => c,
            }),
            Form::NumbersFromAbove => turned(mv, |c| match c {
                '1'..='9' => char::from(b'1' + b'9' - c as u8),
                c => c,
            }),
            Form::StarsEverything => every(&|word| format!("{}*", word.trim_end_matches('*'))),
            Form::StacksEverything => every(&|word| match word.contains('G') {
                true => word.into(),
                false => format!("G{word}"),
            }),
            Form::PushFirst => {
                let (pushes, lists): (Vec<&str>, Vec<&str>) =
                    mv.split(';').partition(|part| part.contains('-'));
                [pushes, lists].concat().join(";")
            }
            Form::NoX => mv.replace('x', ""),
            Form::Quoted => format!("\"{mv}\""),
            Form::Right => mv.into(),
        };
        said(format!("{text}\n"))
    }
}

/// Every letter and digit in another place of its order.
fn turned(mv: &str, change: impl Fn(char) -> char) -> String {
    mv.chars().map(change).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gipf_standard::{Position, Rules};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rules::Game;

    use super::*;
    use crate::check::published::random;

    /// The slow player sees the moves of the rules, each once.
    #[test]
    fn the_right_player_knows_the_rules() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut positions: Vec<Position> = (0..60)
            .map(|number| random(Rules::ALL[number % 3], &mut rng))
            .collect();
        for text in [
            "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W",
            "tournament 8+ 14+ W W___/_W___/__W___/___W___/______/_____/__BB",
            "standard 3 5 W ____/_____/______/_WwwwB_/______/_____/____",
            "basic 3 5 W wwww/___w_/___w__/___w___/__w___/_____/____",
        ] {
            positions.push(text.parse().unwrap());
        }
        for position in positions {
            let state = State::read(&position.to_string(), Fault::None).unwrap();
            let mut seen: Vec<String> = Vec::new();
            for text in state.moves(Fault::None) {
                let mv = position.parse_move(&text);
                let mv = mv.unwrap_or_else(|error| panic!("{error} in {position}"));
                seen.push(position.move_text(mv));
            }
            let mut right: Vec<String> = position
                .moves()
                .into_iter()
                .map(|mv| position.move_text(mv))
                .collect();
            seen.sort();
            right.sort();
            assert_eq!(seen, right, "{position}");
        }
    }

    /// A board filled at random, that no rows of the side that has just moved lie on.
    fn filled(rng: &mut ChaCha8Rng) -> Option<Position> {
        let rules = Rules::ALL[rng.random_range(0..3)];
        let side = ['W', 'B'][rng.random_range(0..2)];
        let own = rng.random_range(4..15);
        let other = rng.random_range(1..15);
        let mut cells: Vec<char> = vec!['_'; 37];
        let letters = match side {
            'W' => [('w', 'W', own), ('b', 'B', other)],
            _ => [('b', 'B', own), ('w', 'W', other)],
        };
        let stacks = if rules == Rules::Basic { 0 } else { 3 };
        for (single, stacked, count) in letters {
            for number in 0..count {
                let place = rng.random_range(0..37);
                if cells[place] == '_' {
                    cells[place] = if number < stacks { stacked } else { single };
                }
            }
        }
        let mut rows = Vec::new();
        let mut rest = &cells[..];
        for length in [4, 5, 6, 7, 6, 5, 4] {
            let (row, tail) = rest.split_at(length);
            rows.push(row.iter().collect::<String>());
            rest = tail;
        }
        let [white, black] = [rng.random_range(0..4), rng.random_range(0..4)];
        let text = format!("{rules} {white} {black} {side} {}", rows.join("/"));
        text.parse()
            .ok()
            .filter(|position: &Position| position.outcome().is_none())
    }

    /// Which of the wrong programs a position gives away.
    fn shown(position: Position, all: &[Wrong], asked: &BTreeSet<usize>) -> Vec<usize> {
        let case = crate::check::published::case("candidate", "", position);
        let caught = asked.iter().copied().filter(|&index| {
            let answer = (all[index].program)(&case);
            let read = games::read_line(&answer.stdout);
            answer.status != 0 || read.is_err() || position.parse_move(&read.unwrap()).is_err()
        });
        caught.collect()
    }

    fn letter(position: &Position) -> char {
        let moves = position.moves();
        let removals: BTreeSet<_> = moves.iter().map(|mv| mv.before).collect();
        if moves.iter().any(|mv| mv.push.is_none()) {
            'e'
        } else if position.to_string().contains(['!', '+']) {
            't'
        } else if removals.len() > 1 && position.rules() != Rules::Basic {
            'k'
        } else if removals.len() > 1 {
            'c'
        } else if position.has_rows() || moves.iter().any(|mv| !mv.after.is_empty()) {
            'r'
        } else {
            'p'
        }
    }

    /// So many positions are held against every wrong program; later ones only against those that
    /// nothing has caught yet.
    const AGAINST_ALL: usize = 400;

    /// Positions that give away what at most so many of the document and of random play do, and
    /// the wrong programs that none of them catches.
    fn choose(most: usize, all: &[Wrong]) -> (Vec<Position>, BTreeSet<usize>) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let wrong = caught_by_somebody(all);
        let mut missing = wrong.clone();
        let mut candidates = Vec::new();
        let document = include_str!("../../../../../docs/gipf-rules.md");
        let examples = document
            .lines()
            .filter_map(|line| line.parse::<Position>().ok());
        let mut examples: Vec<Position> = examples.filter(|at| at.outcome().is_none()).collect();
        for tried in 1..=most {
            if missing.is_empty() && tried > AGAINST_ALL {
                break;
            }
            let position = match (examples.pop(), tried % 4) {
                (Some(example), _) => example,
                (None, 0) => random(Rules::ALL[tried / 4 % 3], &mut rng),
                _ => match filled(&mut rng) {
                    Some(position) => position,
                    None => continue,
                },
            };
            if position.count_moves() > 400 {
                continue;
            }
            if tried <= AGAINST_ALL || !shown(position, all, &missing).is_empty() {
                let shows = shown(position, all, &wrong);
                for index in &shows {
                    missing.remove(index);
                }
                let case = position;
                candidates.push(crate::check::cover::Candidate { case, shows });
            }
        }
        (crate::check::cover::cover(candidates), missing)
    }

    /// The wrong programs that some position gives away.
    fn caught_by_somebody(all: &[Wrong]) -> BTreeSet<usize> {
        (0..all.len())
            .filter(|&index| all[index].family != Family::Right && all[index].equivalent.is_none())
            .collect()
    }

    /// Some positions here; with `cargo xtask positions` as many as it takes until every wrong
    /// program is caught, and the lines of `published.txt` are printed.
    #[test]
    fn random_positions_show_most_faults() {
        let most = std::env::var("LUDEX_POSITIONS").ok();
        let most: Option<usize> = most.map(|most| most.parse().expect("a number of positions"));
        let all = mutants();
        let (chosen, missing) = choose(most.unwrap_or(24), &all);
        for position in &chosen {
            println!("{} {position}", letter(position));
        }
        let mut left = caught_by_somebody(&all);
        for position in chosen {
            for index in shown(position, &all, &left) {
                left.remove(&index);
            }
        }
        assert_eq!(left, missing, "the cover loses something");
        let names: Vec<&str> = missing.iter().map(|&index| &*all[index].name).collect();
        let allowed = if most.is_some() { 0 } else { all.len() / 4 };
        assert!(names.len() <= allowed, "never caught: {names:?}");
    }
}
