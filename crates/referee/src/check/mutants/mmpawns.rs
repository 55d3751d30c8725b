//! MMPawns programs with a fault.

use ::mmpawns::Square;
use rules::Side;

use super::pawns::{FORMS, PawnsBug, RULES, pawns};
use super::strider::{RIGHT, Rules, Strider, Taste};
use super::{Answer, Family, Wrong};
use crate::check::case::{Ask, Case};
use crate::check::strides::{Invention, Stride, Way, symbol};

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
    // The same where the moves of one player only are looked for wrongly.
    for whose in Side::BOTH {
        let letter = symbol(whose);
        let mut add = |family: Family, name: String, stride: Stride, taste: Taste| {
            let own = Strider {
                own: stride,
                taste,
                whose: Some(whose),
                ..RIGHT
            };
            all.push(wrong(family, format!("{name}, {letter} only"), own));
            let answers = Strider {
                answers: stride,
                whose: Some(whose),
                ..RIGHT
            };
            let name = format!("{name} in answers, {letter} only");
            let mut mutant = wrong(family, name, answers);
            let reason = "where this move is seen, a legal one is there, too";
            let needs_a_move = matches!(stride, Stride::Invents(what, _) if what.needs_a_move());
            mutant.equivalent = needs_a_move.then_some(reason);
            all.push(mutant);
        };
        for (name, stride) in missing() {
            if is_possible(stride, whose) {
                let name = format!("never {name}");
                add(Family::MissesMoves, name, stride, Taste::First);
            }
        }
        for (invention, direction) in Invention::all() {
            // Pawns are looked at from the top. The pawn that would jump over one of B comes before
            // it, and that one can move.
            let taste = match (invention, whose) {
                (Invention::JumpOverOwn, Side::Second) => Taste::First,
                _ => Taste::Last,
            };
            let stride = Stride::Invents(invention, direction);
            let name = format!("{invention:?} {direction:+}");
            add(Family::InventsMoves, name, stride, taste);
        }
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

/// Whether a player can have the moves that are not seen: no pawn moves on from the last row.
fn is_possible(stride: Stride, whose: Side) -> bool {
    match stride {
        Stride::NeverFromRow(way, row) => {
            let mut from = (0..8).filter_map(|file| Square::at(file, row));
            from.any(|from| way.target(from, whose).is_some())
        }
        _ => true,
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
