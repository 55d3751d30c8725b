//! Othello programs with a bug.

use ::reversi::{Position, Square};
use rules::Game;

use super::{Answer, check, refused, said};
use crate::check::Subject;
use crate::check::case::Ask;

#[derive(Clone, Copy, PartialEq, Debug)]
enum OthelloBug {
    None,
    BlankForComma,
    RowFirst,
    CountsFromOne,
    SaysMore,
    PlaysTheOtherColour,
    PlaysAnyEmptySquare,
    SaysNothingWithoutMove,
    FailsWithoutMove,
    TakesAnyCount,
    TakesAnyRow,
    TakesAnyColour,
    RefusesWithStatus1,
    RefusesSilently,
    RefusesOnOutput,
    RefusesInTwoLines,
    RefusesWithoutName,
    RefusesStrangePositions,
}

fn othello(args: &[String], bug: OthelloBug) -> Answer {
    use OthelloBug as B;
    match programs::othello::read(args) {
        Ok(position) => {
            let position = match bug {
                B::PlaysTheOtherColour => {
                    Position::new(position.board().pass(), !position.side_to_move())
                }
                _ => position,
            };
            let (own, other) = (position.board().own, position.board().other);
            if bug == B::RefusesStrangePositions && (own.is_empty() || other.is_empty()) {
                return refused("othello: no game\n");
            }
            let free = Square::all().find(|s| !own.contains(*s) && !other.contains(*s));
            let square = match bug {
                B::PlaysAnyEmptySquare => free,
                _ => position.board().moves().next(),
            };
            let Some(square) = square else {
                return match bug {
                    B::SaysNothingWithoutMove => said(""),
                    B::FailsWithoutMove => Answer {
                        status: 1,
                        ..said("-1,-1\n")
                    },
                    _ => said("-1,-1\n"),
                };
            };
            let (x, y) = (square.column(), square.row());
            said(match bug {
                B::BlankForComma => format!("{x} {y}\n"),
                B::RowFirst => format!("{y},{x}\n"),
                B::CountsFromOne => format!("{},{}\n", x + 1, y + 1),
                B::SaysMore => format!("my move: {x},{y}\n"),
                _ => format!("{x},{y}\n"),
            })
        }
        Err(error) => {
            use programs::othello::Error as E;
            match (bug, &error) {
                (B::TakesAnyCount, E::Count(_))
                | (B::TakesAnyRow, E::Row(..))
                | (B::TakesAnyColour, E::Colour(_)) => said("2,3\n"),
                (B::RefusesWithStatus1, _) => Answer {
                    status: 1,
                    ..refused(format!("othello: {error}\n"))
                },
                (B::RefusesSilently, _) => refused(""),
                (B::RefusesOnOutput, _) => Answer {
                    stdout: b"bad\n".to_vec(),
                    ..refused(format!("othello: {error}\n"))
                },
                (B::RefusesInTwoLines, _) => refused(format!("othello: {error}\nusage: …\n")),
                (B::RefusesWithoutName, _) => refused("bad arguments\n"),
                _ => refused(format!("othello: {error}\n")),
            }
        }
    }
}

#[test]
fn every_bug_of_an_othello_program_is_caught() {
    use OthelloBug as B;
    let bugs = [
        B::BlankForComma,
        B::RowFirst,
        B::CountsFromOne,
        B::SaysMore,
        B::PlaysTheOtherColour,
        B::PlaysAnyEmptySquare,
        B::SaysNothingWithoutMove,
        B::FailsWithoutMove,
        B::TakesAnyCount,
        B::TakesAnyRow,
        B::TakesAnyColour,
        B::RefusesWithStatus1,
        B::RefusesSilently,
        B::RefusesOnOutput,
        B::RefusesInTwoLines,
        B::RefusesWithoutName,
        B::RefusesStrangePositions,
    ];
    check(Subject::Othello, B::None, &bugs, |case, bug| {
        match &case.ask {
            Ask::Args(args) => othello(args, bug),
            _ => unreachable!("an Othello program gets arguments"),
        }
    });
}
