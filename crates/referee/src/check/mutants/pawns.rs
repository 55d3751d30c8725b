//! A program that plays MMPawns by its file, with one fault in reading, writing or deciding.

use std::time::Duration;

use ::mmpawns::matrix::{Account, Mark, Matrix};
use ::mmpawns::{Move, Position, Square};
use rules::Game;

use super::{Answer, digits, refused, said};

/// What a program gets wrong beside the moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum PawnsBug {
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
    SearchesToTheSameDepth,
    WritesCarriageReturns,
    WritesABlankLineMore,
    WritesNumbersOfTwoDigits,
    WritesBlanksAtLineEnds,
    ReadsNoCarriageReturns,
    ReadsOneBlank,
    ReadsOneBlankInItsLine,
    ReadsOneBlankBeforeTheResult,
    ReadsNoTabs,
    ReadsScoresOfOneDigit,
    NeedsADigitBeforeThePoint,
    NeedsTheLastNewline,
    NeedsTwoDecimals,
    ReadsNoCyrillic,
    PlaysOnAfterTheEnd,
    TakesAnyParity,
    TakesAnyParityOfB,
    TakesNinePieces,
    TakesNinePiecesOfB,
    CountsBothPlayersPieces,
    TakesSmallPieces,
    TakesBlanksInRows,
    TakesMoreRows,
    TakesMoreThanTimes,
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
pub(super) fn pawns(content: Option<&[u8]>, bug: PawnsBug) -> Answer {
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
    let first = text.lines().next().unwrap_or_default();
    let mut words = times.clone().flat_map(str::split_whitespace);
    let narrow = match bug {
        B::ReadsNoCarriageReturns => text.contains('\r'),
        B::ReadsOneBlank => text.contains("  "),
        B::ReadsOneBlankInItsLine => times.clone().next().is_some_and(|line| line.contains("  ")),
        B::ReadsOneBlankBeforeTheResult => {
            let rest = first.trim_start_matches(|c: char| !c.is_ascii_digit());
            rest.split([' ', '\t']).count() > 2
        }
        B::ReadsNoTabs => times.clone().any(|line| line.contains('\t')),
        B::ReadsScoresOfOneDigit => words.step_by(2).any(|score| score.len() > 1),
        B::NeedsADigitBeforeThePoint => words.any(|word| word.starts_with('.')),
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
    let rows = || text.lines().skip(3);
    let count = |piece: char| rows().flat_map(str::chars).filter(|c| *c == piece).count();
    let pieces = [count('A'), count('B')];
    let tolerated = match bug {
        B::TakesAnyParity => text.starts_with("A 22"),
        B::TakesAnyParityOfB => text.starts_with("B 21"),
        B::TakesNinePieces => pieces[0] > 8,
        B::TakesNinePiecesOfB => pieces[0] <= 8 && pieces[1] > 8,
        B::CountsBothPlayersPieces => {
            pieces.iter().sum::<usize>() <= 16 && pieces.iter().any(|count| *count > 8)
        }
        B::TakesSmallPieces => count('a') + count('b') > 0,
        B::TakesBlanksInRows => rows().any(|row| row.trim_end().contains(' ')),
        B::TakesMoreRows => rows().count() > 8,
        B::TakesMoreThanTimes => times.clone().any(|line| line.split(' ').count() > 2),
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
        B::WritesABlankLineMore => file.push(b'\n'),
        B::WritesNumbersOfTwoDigits => {
            let number = after.position.number();
            let (short, long) = (format!(" {number} "), format!(" {number:02} "));
            file = lines(&file).replacen(&short, &long, 1).into_bytes();
        }
        B::WritesBlanksAtLineEnds => file = lines(&file).replace("-\n", "- \n").into_bytes(),
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
        B::SearchesToTheSameDepth if pieces.iter().sum::<usize>() >= 14 => {
            Duration::from_millis(800)
        }
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

/// Rules that are forgotten or changed.
pub(super) const RULES: &[PawnsBug] = &[
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
    PawnsBug::SearchesToTheSameDepth,
    PawnsBug::PlaysOnAfterTheEnd,
    PawnsBug::TakesAnyParity,
    PawnsBug::TakesAnyParityOfB,
    PawnsBug::TakesNinePieces,
    PawnsBug::TakesNinePiecesOfB,
    PawnsBug::CountsBothPlayersPieces,
    PawnsBug::RefusesWithStatus1,
    PawnsBug::RefusesAndEmptiesTheFile,
];

/// Files that are read or written in another form.
pub(super) const FORMS: &[PawnsBug] = &[
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
    PawnsBug::WritesABlankLineMore,
    PawnsBug::WritesNumbersOfTwoDigits,
    PawnsBug::WritesBlanksAtLineEnds,
    PawnsBug::ReadsNoCarriageReturns,
    PawnsBug::TakesSmallPieces,
    PawnsBug::TakesBlanksInRows,
    PawnsBug::TakesMoreRows,
    PawnsBug::TakesMoreThanTimes,
    PawnsBug::ReadsOneBlank,
    PawnsBug::ReadsOneBlankInItsLine,
    PawnsBug::ReadsOneBlankBeforeTheResult,
    PawnsBug::ReadsNoTabs,
    PawnsBug::ReadsScoresOfOneDigit,
    PawnsBug::NeedsADigitBeforeThePoint,
    PawnsBug::NeedsTheLastNewline,
    PawnsBug::NeedsTwoDecimals,
    PawnsBug::ReadsNoCyrillic,
];
