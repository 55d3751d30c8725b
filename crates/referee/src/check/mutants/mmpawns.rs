//! MMPawns programs with a fault.

use std::time::Duration;

use ::mmpawns::matrix::{Account, Mark, Matrix};
use ::mmpawns::{Move, Position, Square};
use rules::Game;

use super::digits;
use super::strider::{RIGHT, Rules, Strider, Taste};
use super::{Answer, Family, Wrong, refused, said};
use crate::check::case::{Ask, Case};
use crate::check::strides::{Invention, Stride, Way};

#[derive(Clone, Copy, PartialEq, Debug)]
enum PawnsBug {
    None,
    NeverJumps,
    KeepsTheJumpedPiece,
    KeepsThePlayer,
    KeepsTheNumber,
    NeverTellsTheResult,
    TellsTheResultTooEarly,
    EdgeBeforeStuck,
    StuckLoses,
    NeverDraws,
    ClearsTheScores,
    TidiesTheOtherLine,
    KeepsItsTime,
    KeepsShortTimes,
    GivesItselfTime,
    ThreeDecimals,
    OneDecimal,
    OneDecimalDown,
    NoDecimal,
    NegativeTime,
    UsesTooMuchTime,
    WritesCarriageReturns,
    ReadsNoCarriageReturns,
    ReadsOneBlank,
    NeedsTheLastNewline,
    NeedsTwoDecimals,
    ReadsNoCyrillic,
    PlaysOnAfterTheEnd,
    TakesAnyParity,
    TakesNinePieces,
    TakesNumberZero,
    TakesNegativeNumbers,
    TakesLenientNumbers,
    TakesNumbersByTheirBeginning,
    TakesNumbersOf32Bits,
    TakesAnyTime,
    TakesSmallLetters,
    TakesMoreFields,
    TakesFewerFields,
    RefusesWithStatus1,
    RefusesAndEmptiesTheFile,
}

/// What a right program takes for bad, or the file after its move.
fn pawns(content: Option<&[u8]>, bug: PawnsBug) -> Answer {
    use PawnsBug as B;
    let untouched = |mut answer: Answer| {
        answer.file = content.map(<[u8]>::to_vec);
        match bug {
            B::RefusesWithStatus1 => answer.status = 1,
            B::RefusesAndEmptiesTheFile => answer.file = Some(Vec::new()),
            _ => {}
        }
        answer
    };
    let text = String::from_utf8_lossy(content.unwrap_or_default()).into_owned();
    let times = text.lines().skip(1).take(2);
    let narrow = match bug {
        B::ReadsNoCarriageReturns => text.contains('\r'),
        B::ReadsOneBlank => text.contains("  "),
        B::NeedsTheLastNewline => !text.ends_with('\n'),
        B::NeedsTwoDecimals => times.clone().any(|line| !line.contains('.')),
        B::ReadsNoCyrillic => !text.is_ascii(),
        _ => false,
    };
    let Some(content) = content.filter(|_| !narrow) else {
        return untouched(refused("mmpawns: matrix.txt: unreadable\n"));
    };
    let lenient = leniently(&text, bug);
    let content = lenient.as_deref().unwrap_or(content);
    let (before, bad) = match Matrix::read(content) {
        Ok(before) => {
            let over = before.result != Mark::U || before.position.outcome().is_some();
            (Some(before), over && bug != B::PlaysOnAfterTheEnd)
        }
        Err(_) => (None, true),
    };
    let tolerated = match bug {
        B::TakesAnyParity => text.starts_with("A 22"),
        B::TakesNinePieces => text.contains("AAAAAAAA"),
        _ => false,
    };
    let Some(before) = before.filter(|_| !bad) else {
        let answer = untouched(refused("mmpawns: matrix.txt:1: bad\n"));
        return if tolerated { said("") } else { answer };
    };
    let position = before.position;
    let moves = position.moves();
    let is_jump = |mv: &Move| {
        let mut next = position;
        next.play_unchecked(*mv);
        let free = |p: &Position| Square::all().filter(|s| p.symbol(*s) == '-').count();
        free(&next) > free(&position)
    };
    let mv = moves
        .iter()
        .find(|mv| bug != B::NeverJumps || !is_jump(mv))
        .or_else(|| moves.iter().find(|_| bug == B::KeepsTheJumpedPiece));
    let Some(&mv) = mv else {
        return untouched(said(""));
    };
    let mut after = before.after(mv, 0.0);
    let own = position.side_to_move().index();
    let mover = [Mark::A, Mark::B][own];
    let stuck = after.position.moves().is_empty();
    let edge = after.result == mover || after.result != Mark::U && stuck && reached(&after);
    match bug {
        B::NeverTellsTheResult => after.result = Mark::U,
        B::TellsTheResultTooEarly if after.result == Mark::U => after.result = mover,
        B::EdgeBeforeStuck if edge => after.result = mover,
        B::StuckLoses if stuck => after.result = mover,
        B::NeverDraws if after.result == Mark::D => after.result = Mark::U,
        B::ClearsTheScores => {
            after.accounts = after.accounts.map(|a| Account::new("0", a.seconds));
        }
        B::TidiesTheOtherLine => {
            let other = &mut after.accounts[1 - own];
            *other = Account::new(&other.score.clone(), other.seconds);
        }
        B::NegativeTime => after.accounts[own].line = b"0 -0.10".to_vec(),
        B::GivesItselfTime => {
            let account = &mut after.accounts[own];
            *account = Account::new(&account.score.clone(), account.seconds + 0.02);
        }
        B::ThreeDecimals | B::OneDecimal | B::OneDecimalDown | B::NoDecimal => {
            let account = &mut after.accounts[own];
            let (score, seconds) = (&account.score, account.seconds);
            let line = match bug {
                B::ThreeDecimals => format!("{score} {seconds:.3}"),
                B::OneDecimal => format!("{score} {seconds:.1}"),
                B::OneDecimalDown => format!("{score} {:.1}", (seconds * 10.0).floor() / 10.0),
                _ => format!("{score} {seconds:.0}"),
            };
            account.line = line.into_bytes();
        }
        _ => {}
    }
    let mut file = after.write();
    let lines = |file: &[u8]| String::from_utf8_lossy(file).into_owned();
    match bug {
        B::KeepsThePlayer => file[0] = b"AB"[own],
        B::KeepsTheNumber => {
            let number = after.position.number();
            let (new, old) = (number.to_string(), (number - 1).to_string());
            file = lines(&file).replacen(&new, &old, 1).into_bytes();
        }
        B::WritesCarriageReturns => file = lines(&file).replace('\n', "\r\n").into_bytes(),
        B::KeepsTheJumpedPiece if is_jump(&mv) => {
            for square in Square::all() {
                let jumped = position.symbol(square) == ['B', 'A'][own]
                    && after.position.symbol(square) == '-';
                if jumped {
                    let at = file.len() - 72 + 9 * usize::from(square.row());
                    file[at + usize::from(square.column())] = [b'B', b'A'][own];
                }
            }
        }
        _ => {}
    }
    let cpu = match bug {
        B::KeepsItsTime => Duration::from_millis(800),
        B::KeepsShortTimes => Duration::from_millis(150),
        B::UsesTooMuchTime => Duration::from_millis(300),
        _ => Duration::ZERO,
    };
    Answer {
        file: Some(file),
        cpu,
        ..said("")
    }
}

/// The file that a right program would have to get to read the same.
fn leniently(text: &str, bug: PawnsBug) -> Option<Vec<u8>> {
    use PawnsBug as B;
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let first = lines.first()?.clone();
    let mut fields: Vec<String> = first.split_whitespace().map(String::from).collect();
    let odd_or_even = |player: &str| if player == "A" { "1" } else { "2" };
    match (bug, &mut fields[..]) {
        (B::TakesNumberZero, [player, number, _]) if number == "0" => {
            *number = odd_or_even(player).into();
        }
        (B::TakesNegativeNumbers, [player, number, _]) if number.starts_with('-') => {
            *number = odd_or_even(player).into();
        }
        (B::TakesLenientNumbers, [_, number, _]) => {
            *number = digits::number(number)?.to_string();
        }
        (B::TakesNumbersByTheirBeginning, [_, number, _]) => {
            let end = number.find(|c: char| !c.is_ascii_digit());
            number.truncate(end.unwrap_or(number.len()));
        }
        (B::TakesNumbersOf32Bits, [_, number, _]) => {
            *number = (number.parse::<u64>().ok()? as u32).to_string();
        }
        (B::TakesSmallLetters, _) => {
            fields = first.to_uppercase().split(' ').map(String::from).collect();
        }
        (B::TakesMoreFields, [_, _, _, ..]) => fields.truncate(3),
        (B::TakesFewerFields, [_, _]) => fields.push("U".into()),
        (B::TakesAnyTime, _) => {
            for line in lines.iter_mut().skip(1).take(2) {
                let mut words = line.split_whitespace();
                let (score, time) = (words.next()?, words.next()?);
                let is_time = time.parse::<f64>().is_ok_and(f64::is_finite);
                if !is_time {
                    *line = format!("{score} 1.00");
                }
            }
        }
        _ => return None,
    }
    lines[0] = fields.join(" ");
    Some((lines.join("\n") + "\n").into_bytes())
}

/// Whether a pawn stands on the far edge.
fn reached(file: &Matrix) -> bool {
    Square::all().any(|square| {
        let symbol = file.position.symbol(square);
        symbol == 'A' && square.row() == 0 || symbol == 'B' && square.row() == 7
    })
}

/// All mutants, and right programs that choose in different ways.
pub(super) fn mutants() -> Vec<Wrong> {
    let mut all = Vec::new();
    let wrong = |family: Family, name: String, strider: Strider| {
        Wrong::new(family, name, move |case| strider.answer(case))
    };
    for (name, taste) in [("first", Taste::First), ("last", Taste::Last)] {
        let strider = Strider { taste, ..RIGHT };
        all.push(wrong(Family::Right, format!("right, {name}"), strider));
    }
    for (name, stride) in missing() {
        let own = Strider {
            own: stride,
            ..RIGHT
        };
        all.push(wrong(Family::MissesMoves, format!("never {name}"), own));
        let answers = Strider {
            answers: stride,
            ..RIGHT
        };
        let name = format!("never {name} in answers");
        all.push(wrong(Family::MissesMoves, name, answers));
    }
    for (invention, direction) in Invention::all() {
        let stride = Stride::Invents(invention, direction);
        let name = format!("{invention:?} {direction:+}");
        for (taste_name, taste) in [("first", Taste::First), ("last", Taste::Last)] {
            let own = Strider {
                own: stride,
                taste,
                ..RIGHT
            };
            let first = matches!(taste, Taste::First) && invention == Invention::StepTwice;
            let reason = "the single step comes first";
            let mut mutant = wrong(Family::InventsMoves, format!("{name}, {taste_name}"), own);
            mutant.equivalent = first.then_some(reason);
            all.push(mutant);
        }
        let answers = Strider {
            answers: stride,
            ..RIGHT
        };
        let reason = "where this move is seen, a legal one is there, too";
        let name = format!("{name} in answers");
        let mut mutant = wrong(Family::InventsMoves, name, answers);
        mutant.equivalent = invention.needs_a_move().then_some(reason);
        all.push(mutant);
    }
    let mut rules: Vec<Rules> = (0..8).map(Rules::BlindOnFile).collect();
    rules.extend([50, 58, 59, 61, 62].map(Rules::Drawn));
    rules.extend([Rules::JumpsOn, Rules::LosesHoles]);
    let jumps = Way::ALL.into_iter().filter(|way| way.jump);
    rules.extend(jumps.map(Rules::TakesNothing));
    for rules in rules {
        let strider = Strider { rules, ..RIGHT };
        all.push(wrong(Family::LosesRule, format!("{rules:?}"), strider));
    }
    let strider = Strider {
        rules: Rules::MustJump,
        ..RIGHT
    };
    let mutant = wrong(Family::LosesRule, format!("{:?}", Rules::MustJump), strider);
    all.push(mutant.equivalent("a jump is a legal move like any other"));
    all.push(Wrong::new(
        Family::Right,
        "right, in its own words",
        |case| slip(case, PawnsBug::None),
    ));
    for (family, bugs) in [(Family::LosesRule, RULES), (Family::WrongForm, FORMS)] {
        for &bug in bugs {
            let name = format!("{bug:?}");
            all.push(Wrong::new(family, name, move |case| slip(case, bug)));
        }
    }
    all
}

fn slip(case: &Case, bug: PawnsBug) -> Answer {
    match &case.ask {
        Ask::Matrix(content) => pawns(content.as_deref(), bug),
        _ => Answer::default(),
    }
}

/// Every way not to see legal moves.
fn missing() -> Vec<(String, Stride)> {
    let mut all = Vec::new();
    for way in Way::ALL {
        all.push((way.name(), Stride::Never(way)));
        let from = |file: u8| {
            let reach = if way.jump { 2 } else { 1 };
            (0..8).contains(&(file as i8 + reach * way.direction))
        };
        for file in (0..8).filter(|file| from(*file)) {
            let letter = char::from(b'a' + file);
            let name = format!("{} from file {letter}", way.name());
            all.push((name, Stride::NeverFromFile(way, file)));
        }
        for row in 0..8 {
            let name = format!("{} from row {}", way.name(), row + 1);
            all.push((name, Stride::NeverFromRow(way, row)));
        }
    }
    for file in 0..8 {
        let name = format!("to file {}", char::from(b'a' + file));
        all.push((name, Stride::NeverToFile(file)));
    }
    all
}

const RULES: &[PawnsBug] = &[
    PawnsBug::NeverJumps,
    PawnsBug::KeepsTheJumpedPiece,
    PawnsBug::KeepsThePlayer,
    PawnsBug::KeepsTheNumber,
    PawnsBug::NeverTellsTheResult,
    PawnsBug::TellsTheResultTooEarly,
    PawnsBug::EdgeBeforeStuck,
    PawnsBug::StuckLoses,
    PawnsBug::NeverDraws,
    PawnsBug::ClearsTheScores,
    PawnsBug::TidiesTheOtherLine,
    PawnsBug::KeepsItsTime,
    PawnsBug::KeepsShortTimes,
    PawnsBug::GivesItselfTime,
    PawnsBug::NegativeTime,
    PawnsBug::UsesTooMuchTime,
    PawnsBug::PlaysOnAfterTheEnd,
    PawnsBug::TakesAnyParity,
    PawnsBug::TakesNinePieces,
    PawnsBug::RefusesWithStatus1,
    PawnsBug::RefusesAndEmptiesTheFile,
];

const FORMS: &[PawnsBug] = &[
    PawnsBug::ThreeDecimals,
    PawnsBug::OneDecimal,
    PawnsBug::OneDecimalDown,
    PawnsBug::NoDecimal,
    PawnsBug::TakesNumberZero,
    PawnsBug::TakesNegativeNumbers,
    PawnsBug::TakesLenientNumbers,
    PawnsBug::TakesNumbersByTheirBeginning,
    PawnsBug::TakesNumbersOf32Bits,
    PawnsBug::TakesAnyTime,
    PawnsBug::TakesSmallLetters,
    PawnsBug::TakesMoreFields,
    PawnsBug::TakesFewerFields,
    PawnsBug::WritesCarriageReturns,
    PawnsBug::ReadsNoCarriageReturns,
    PawnsBug::ReadsOneBlank,
    PawnsBug::NeedsTheLastNewline,
    PawnsBug::NeedsTwoDecimals,
    PawnsBug::ReadsNoCyrillic,
];
