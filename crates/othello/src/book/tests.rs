use reversi::{Board, Position};
use rules::{Game, Side, Symmetric};
use xxhash_rust::xxh3::xxh3_64;

use super::*;

const RECIPE: Recipe = Recipe {
    depth: 7,
    width: 4,
    loss: 1,
};

/// The positions of a line of play, with values that differ for all moves.
fn line() -> Vec<Entry> {
    let mut position = Position::start();
    let mut entries: Vec<Entry> = Vec::new();
    for ply in 0..20 {
        let board = canonical(position.board()).0;
        let moves = board.moves().len() as i8;
        entries.push(Entry {
            board,
            searched: (0..moves).map(|number| number - ply).collect(),
            value: ply - 30,
            is_start: ply == 0,
            under_way: ply == 19,
        });
        let moves = position.moves();
        position.play_unchecked(moves[ply as usize % moves.len()]);
    }
    entries
}

fn some_book() -> Vec<u8> {
    let far = Position::start()
        .board()
        .play(Position::start().board().moves().next().unwrap());
    let far = far.play(far.moves().last().unwrap());
    write(RECIPE, line(), vec![canonical(far).0])
}

#[test]
fn what_is_written_is_read() {
    let bytes = some_book();
    let book = Book::read(&bytes).unwrap();
    let mut expected = line();
    expected.sort_by_key(|entry| entry.board);
    assert_eq!(book.entries().collect::<Vec<_>>(), expected);
    assert_eq!((book.len(), book.recipe()), (20, RECIPE));
    let waiting = book.waiting().collect();
    assert_eq!(
        write(book.recipe(), book.entries().collect(), waiting),
        bytes
    );
}

/// By looking at all entries one after the other.
fn slow_moves(entries: &[Entry], board: Board) -> Vec<(Board, i32, bool)> {
    let entry = entries.iter().find(|entry| entry.board == board).unwrap();
    let mut moves = Vec::new();
    for (square, &searched) in board.moves().zip(&entry.searched) {
        let mut next = Position::new(board, Side::First);
        next.play_unchecked(square.into());
        let mut sign = -1;
        if next.is_legal(Move::PASS) {
            next.play_unchecked(Move::PASS);
            sign = 1;
        }
        let after = canonical(next.board()).0;
        let known = entries.iter().find(|entry| entry.board == after);
        let value = known.map_or(i32::from(searched), |known| sign * i32::from(known.value));
        moves.push((after, value, known.is_some()));
    }
    moves.sort_by_key(|&(_, value, stays)| (-value, !stays));
    moves
}

#[test]
fn every_image_of_a_position_finds_the_images_of_its_moves() {
    let bytes = some_book();
    let book = Book::read(&bytes).unwrap();
    let mut staying = 0;
    for entry in line() {
        let expected = slow_moves(&line(), entry.board);
        let position = Position::new(entry.board, Side::Second);
        for index in 0..8 {
            let image = position.transform(index);
            let moves = book.moves(&image).unwrap();
            let found: Vec<(Board, i32, bool)> = moves
                .iter()
                .map(|known| {
                    let square = known.mv.square().unwrap();
                    let next = after(image.board(), square).unwrap();
                    (next.board, known.value, known.stays)
                })
                .collect();
            // Of a position that is its own image, moves that are images of each other change
            // places.
            let sorted = |mut list: Vec<(Board, i32, bool)>| {
                list.sort();
                list
            };
            assert_eq!(sorted(found.clone()), sorted(expected.clone()));
            assert_eq!(found[0].1, expected[0].1);
            staying += found.iter().filter(|found| found.2).count();
            let advice = book.advice(&image).unwrap();
            assert_eq!((advice.mv, advice.value), (moves[0].mv, moves[0].value));
            assert_eq!(advice.depth, 7);
        }
    }
    assert!(staying >= 19 * 8);
}

#[test]
fn equally_good_moves_that_stay_in_the_book_come_first() {
    let start = canonical(Position::start().board()).0;
    let squares: Vec<Square> = start.moves().collect();
    // All moves of the start are images of each other, so the next position has to do.
    let board = after(start, squares[0]).unwrap().board;
    let known = after(board, board.moves().last().unwrap()).unwrap().board;
    let entry = |board: Board, value| Entry {
        board,
        searched: vec![3; board.moves().len() as usize],
        value,
        is_start: false,
        under_way: false,
    };
    let bytes = write(RECIPE, vec![entry(board, 3), entry(known, -3)], Vec::new());
    let moves = Book::read(&bytes)
        .unwrap()
        .moves(&Position::new(board, Side::First));
    let moves = moves.unwrap();
    assert!(moves.iter().all(|known| known.value == 3));
    assert!(moves[0].stays && !moves[1].stays);
}

#[test]
fn positions_after_passes_are_seen_by_whoever_moves() {
    // Black can take a1 and d1; whichever comes first, White has to pass.
    let position: Position = format!("-OX-OXXX{} X", "X".repeat(56)).parse().unwrap();
    let board = position.board();
    let mut sides = Vec::new();
    for square in board.moves() {
        let mut next = position;
        next.play_unchecked(square.into());
        let expected = match next.outcome() {
            Some(_) => None,
            None => Some(next.is_legal(Move::PASS)),
        };
        assert_eq!(after(board, square).map(|next| next.same_side), expected);
        sides.push(expected);
    }
    assert!(sides.contains(&Some(true)), "{sides:?}");
    for (same_side, expected) in [(true, 5), (false, -5)] {
        assert_eq!(Next { board, same_side }.value_before(5), expected);
    }
    // Nobody can move.
    let full = Board {
        own: reversi::Discs(!0),
        other: reversi::Discs(0),
    };
    assert_eq!(settled(full), None);
}

/// Changes bytes and puts the checksum right.
fn forged(change: impl FnOnce(&mut Vec<u8>)) -> BookError {
    let mut bytes = some_book();
    change(&mut bytes);
    let sum = xxh3_64(&bytes[16..]).to_le_bytes();
    bytes[8..16].copy_from_slice(&sum);
    Book::read(&bytes).unwrap_err()
}

#[test]
fn damage_is_noticed() {
    let bytes = some_book();
    assert_eq!(Book::read(&bytes[..7]).unwrap_err(), BookError::Foreign);
    let other = b"something else, quite long, but no book at all";
    assert_eq!(Book::read(other).unwrap_err(), BookError::Foreign);
    assert_eq!(
        Book::read(b"LUDEXBK1 and more").unwrap_err(),
        BookError::Version
    );
    for found in 8..bytes.len() {
        let error = Book::read(&bytes[..found]).unwrap_err();
        assert!(
            matches!(error, BookError::Length { .. }),
            "{found}: {error}"
        );
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(Book::read(&changed).is_err(), "byte {at}");
    }
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert_eq!(Book::read(&changed).unwrap_err(), BookError::Checksum);
}

#[test]
fn nonsense_is_noticed() {
    let header = BookError::Nonsense("its header means nothing".into());
    for (at, byte) in [(28, 0), (28, 61), (29, 129), (31, 1)] {
        assert_eq!(forged(|bytes| bytes[at] = byte), header);
    }
    let second = BookError::Nonsense("position 2 means nothing".into());
    let entry = 32 + 22;
    assert_eq!(forged(|bytes| bytes[entry + 16] ^= 1), second);
    assert_eq!(forged(|bytes| bytes[entry + 21] = 4), second);
    // The same position twice, a disc of both players, an image that stands for none.
    assert_eq!(forged(|bytes| bytes.copy_within(32..entry, entry)), second);
    assert_eq!(forged(|bytes| bytes[entry..entry + 16].fill(0xff)), second);
    let start = BookError::Nonsense("start position 1 means nothing".into());
    let last = some_book().len() - 16;
    assert_eq!(forged(|bytes| bytes.copy_within(32..48, last)), start);
}
