//! Moves made one decision after the other.

use std::collections::HashSet;

use gipf_standard::{Ask, Entry, Move, Piece, Points, Position, Turn, TurnError};
use rules::Game;
use rules::kit::{self, Effort};

/// Every move that answers can make.
fn all(turn: &Turn, found: &mut HashSet<Move>) {
    let mut go = |answer: &dyn Fn(&mut Turn) -> Result<(), TurnError>| {
        let mut next = turn.clone();
        if answer(&mut next).is_ok() {
            all(&next, found);
        }
    };
    match turn.ask() {
        Ask::Row(rows) => {
            for row in rows {
                go(&|turn| turn.choose(row.pieces));
            }
        }
        Ask::Keep(row) => {
            for bits in 0..1u64 << row.gipf.len() {
                let points = row.gipf.enumerate();
                let kept: Points = points
                    .filter_map(|(i, point)| (bits >> i & 1 != 0).then_some(point))
                    .collect();
                go(&|turn| turn.keep(kept));
            }
        }
        Ask::Push => {
            for entry in Entry::all() {
                for piece in Piece::ALL {
                    go(&|turn| turn.push(entry, piece));
                }
            }
        }
        Ask::Done(mv) => {
            found.insert(*mv);
        }
    }
}

/// Answers lead to the legal moves and to no other.
#[test]
fn decisions_make_all_moves() {
    let effort = Effort {
        games: 2,
        longest: 120,
        must_end: false,
        seed: 5,
    };
    kit::walk(&super::starts(), effort, |position| {
        if position.outcome().is_none() {
            let mut found = HashSet::new();
            all(&Turn::new(*position), &mut found);
            let legal: HashSet<Move> = position.moves().into_iter().collect();
            assert_eq!(found, legal, "{position}");
        }
    });
}

#[test]
fn answers_to_other_questions_are_refused() {
    let position: Position = "standard 5 5 W W__B/_____/______/_WwBww_/______/_____/____"
        .parse()
        .unwrap();
    let mut turn = Turn::new(position);
    let entry = Entry::all().next().unwrap();
    assert_eq!(turn.ask(), &Ask::Push);
    assert_eq!(turn.keep(Points::EMPTY), Err(TurnError::NotAsked));
    assert_eq!(turn.choose(Points::ALL), Err(TurnError::NotAsked));
    assert_eq!(turn.push(entry, Piece::Gipf), Err(TurnError::NotAllowed));
    turn.push(entry, Piece::Single).unwrap();
    assert_eq!(turn.push(entry, Piece::Single), Err(TurnError::NotAsked));
}

#[test]
fn a_page_asks_one_thing_after_the_other() {
    // Black's push has made a row of White's with a GIPF-piece of either side.
    let position: Position = "standard 0 5 W 8/100 W__B/_____/______/_WwwwB_/______/_____/____"
        .parse()
        .unwrap();
    let mut turn = Turn::new(position);
    let Ask::Keep(row) = turn.ask().clone() else {
        panic!("{:?}", turn.ask());
    };
    let [white, black] =
        ["c3", "g5"].map(|label| Points::of(gipf_standard::Point::from_label(label).unwrap()));
    assert_eq!(row.gipf, white | black);
    assert_eq!(turn.keep(Points::ALL), Err(TurnError::NotGipf));
    assert_eq!(turn.now(), &position, "no ply is counted before it is made");
    turn.keep(white).unwrap();
    assert_eq!(turn.ask(), &Ask::Push);
    assert_eq!(turn.now().reserve(rules::Side::First), 3);
    let entry = Entry::all().next().unwrap();
    turn.push(entry, Piece::Single).unwrap();
    let &Ask::Done(mv) = turn.ask() else {
        panic!("{:?}", turn.ask());
    };
    assert_eq!(position.move_text(mv), "xd4,e5,f5,Gg5*,=Gc3;a4-b5");
}
