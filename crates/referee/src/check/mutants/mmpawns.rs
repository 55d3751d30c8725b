//! MMPawns programs with a bug.

use std::time::Duration;

use ::mmpawns::matrix::{Account, Mark, Matrix};
use ::mmpawns::{Move, Position, Square};
use rules::Game;

use super::{Answer, check, refused, said};
use crate::check::Subject;
use crate::check::case::Ask;

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
    ThreeDecimals,
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
        B::ThreeDecimals => {
            let account = &mut after.accounts[own];
            account.line = format!("{} {:.3}", account.score, account.seconds).into_bytes();
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
        B::UsesTooMuchTime => Duration::from_millis(300),
        _ => Duration::ZERO,
    };
    Answer {
        file: Some(file),
        cpu,
        ..said("")
    }
}

/// Whether a pawn stands on the far edge.
fn reached(file: &Matrix) -> bool {
    Square::all().any(|square| {
        let symbol = file.position.symbol(square);
        symbol == 'A' && square.row() == 0 || symbol == 'B' && square.row() == 7
    })
}

#[test]
fn every_bug_of_an_mmpawns_program_is_caught() {
    use PawnsBug as B;
    let bugs = [
        B::NeverJumps,
        B::KeepsTheJumpedPiece,
        B::KeepsThePlayer,
        B::KeepsTheNumber,
        B::NeverTellsTheResult,
        B::TellsTheResultTooEarly,
        B::EdgeBeforeStuck,
        B::StuckLoses,
        B::NeverDraws,
        B::ClearsTheScores,
        B::TidiesTheOtherLine,
        B::KeepsItsTime,
        B::ThreeDecimals,
        B::NegativeTime,
        B::UsesTooMuchTime,
        B::WritesCarriageReturns,
        B::ReadsNoCarriageReturns,
        B::ReadsOneBlank,
        B::NeedsTheLastNewline,
        B::NeedsTwoDecimals,
        B::ReadsNoCyrillic,
        B::PlaysOnAfterTheEnd,
        B::TakesAnyParity,
        B::TakesNinePieces,
        B::RefusesWithStatus1,
        B::RefusesAndEmptiesTheFile,
    ];
    check(Subject::Mmpawns, B::None, &bugs, |case, bug| {
        match &case.ask {
            Ask::Matrix(content) => pawns(content.as_deref(), bug),
            _ => unreachable!("an MMPawns program gets a file"),
        }
    });
}
