//! Games and positions.

use fuzz::fuzz;
use mmpawns::matrix::Matrix;
use othello::book::{self, Book, Entry, Recipe, settled};
use reversi::Position;
use reversi::notation::{self, Record, ggf, obf, transcript, wthor};
use rules::{Game, Side};
use xxhash_rust::xxh3::xxh3_64;

use crate::{INPUTS, answer};

const BOARD: &str = "---------------------------OX------XO--------------------------- X";

const PAWNS: &str = "A 1 BBBB----/BBBB----/--------/--*-----/-----*--/--------/----AAAA/----AAAA";

#[track_caller]
fn check_same(written: &Record, read: &Record) {
    assert_eq!((written.start, &written.moves), (read.start, &read.moves));
}

#[test]
fn transcript() {
    let seeds = ["f5d6c3d3c4", "F5 D6 C3 pass", "e6f4c3c4d3d6e3c2 b3d2 -- f3"];
    fuzz("transcript", &seeds, INPUTS, |bytes| {
        let record = transcript::read(&String::from_utf8_lossy(bytes));
        if let Ok(record) = &record {
            check_same(
                &transcript::read(&transcript::write(record)).unwrap(),
                record,
            );
        }
        answer(&record)
    });
}

#[test]
fn ggf() {
    let seeds = [
        "(;GM[Othello]PC[NBoard]DT[2014-02-21]PB[A]PW[B]RE[?]TI[5:00]TY[8]BO[8 \
         ---------------------------O*------*O--------------------------- *]\
         B[F5//0.01]W[F6]B[e6/1.2]W[PASS];)",
        "(;GM[Othello]PB[x]PW[y]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
         -------- -------- *]B[d3];) (;GM[Othello]BO[8 -------- -------- -------- ---O*--- \
         ---*O--- -------- -------- -------- O];)",
    ];
    fuzz("ggf", &seeds, INPUTS, |bytes| {
        let records = ggf::read(&String::from_utf8_lossy(bytes));
        for record in records.iter().flatten() {
            check_same(&ggf::read(&ggf::write(record)).unwrap()[0], record);
        }
        answer(&records)
    });
}

#[test]
fn obf() {
    let seeds = [
        format!("{BOARD}; d3:+2; c4:-6;\n% a comment\n\n{BOARD};"),
        format!("{};", BOARD.replace("X ", "O ")),
    ];
    fuzz("obf", &seeds, INPUTS, |bytes| {
        let entries = obf::read(&String::from_utf8_lossy(bytes));
        for entry in entries.iter().flatten() {
            assert_eq!(
                obf::read(&obf::write(entry)).as_deref(),
                Ok(&[entry.clone()][..])
            );
        }
        answer(&entries)
    });
}

/// A text of unknown form.
#[test]
fn notation() {
    let rows = BOARD.as_bytes().chunks(8).map(String::from_utf8_lossy);
    let seeds = [
        "f5d6c3",
        BOARD,
        "(;GM[Othello]BO[8 ",
        &rows.collect::<Vec<_>>().join("\n"),
    ];
    fuzz("notation", &seeds, INPUTS, |bytes| {
        let records = notation::read(&String::from_utf8_lossy(bytes));
        for record in records.iter().flatten() {
            assert_eq!(record.positions().last(), Some(&record.last()));
        }
        answer(&records)
    });
}

/// A file of so many entries of a size, with some games' first moves in it.
fn wthor_file(size: usize, count: u8) -> Vec<u8> {
    let mut file = vec![20, 14, 2, 21, count, 0, 0, 0, count, 0, 222, 7, 8, 0, 22, 0];
    for entry in 0..count {
        let mut entry = vec![entry; size];
        if size == 68 {
            entry[8..].fill(0);
            entry[8..13].copy_from_slice(&[56, 64, 33, 34, 43]);
        }
        file.extend(entry);
    }
    file
}

#[test]
fn wthor() {
    let seeds = [wthor_file(68, 2), wthor_file(20, 3), wthor_file(26, 2)];
    fuzz("wthor", &seeds, INPUTS, |bytes| {
        let games = wthor::games(bytes);
        for game in games.iter().flat_map(|games| &games.entries) {
            assert_eq!(game.record.positions().len(), game.record.moves.len() + 1);
        }
        let names = [wthor::players(bytes), wthor::tournaments(bytes)];
        format!(
            "{}|{}|{}",
            answer(&games),
            answer(&names[0]),
            answer(&names[1])
        )
    });
}

#[test]
fn matrix() {
    let board = PAWNS.rsplit(' ').next().unwrap().replace('/', "\n");
    let file = format!("A 1 U\n0 30.00\n0 30.00\n{board}\n");
    let seeds = [
        file.clone(),
        file.replace('\n', "\r\n"),
        file.replace("30.00", "-1e3"),
    ];
    fuzz("matrix", &seeds, INPUTS, |bytes| {
        let matrix = Matrix::read(bytes);
        if let Ok(matrix) = &matrix {
            let written = matrix.write();
            let again = Matrix::read(&written).unwrap();
            assert_eq!(again.position, matrix.position);
            assert_eq!(again.write(), written);
        }
        answer(&matrix)
    });
}

#[test]
fn gipf_load() {
    let seeds = [
        "2 3 5 5\n2 2 W\n W B\nB _ W\n W B\n",
        "4 4 15 15\n12 12 W\nW__B\n_____\n______\nB_____W\n______\n_____\nW__B\n",
        "3 3 8 8\n0 8 B\n   W _ _\n  _ _ _ B\n _ _ W _ _\n  _ _ _ _\n   B _ W\n",
    ];
    let load = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        let line = |number: usize| lines.get(number).copied().unwrap_or_default();
        gipf::text::load(line(0), line(1), lines.get(2..).unwrap_or_default())
    };
    fuzz("gipf_load", &seeds, INPUTS, |bytes| {
        let position = load(&String::from_utf8_lossy(bytes));
        if let Ok(position) = &position {
            assert_eq!(load(&gipf::text::print(position)).as_ref(), Ok(position));
        }
        answer(&position)
    });
}

/// Positions in one line, of every game, and moves in them.
#[test]
fn positions() {
    fn check<G: Game>(text: &str) -> String {
        let (position, mv) = text.split_once('|').unwrap_or((text, ""));
        let position = position.parse::<G>();
        let Ok(read) = &position else {
            return answer(&position);
        };
        assert_eq!(read.to_string().parse::<G>().as_ref().ok(), Some(read));
        let mv = read.parse_move(mv);
        if let Ok(mv) = &mv {
            let mut next = read.clone();
            next.play_unchecked(*mv);
            assert_eq!(next.to_string().parse::<G>().ok(), Some(next));
        }
        answer(&mv)
    }
    let seeds = [
        format!("{BOARD}|d3"),
        format!(
            "{}|a1-b2",
            gipf::Position::start("3 3 8 8".parse().unwrap())
        ),
        format!("{PAWNS}|a1a2"),
    ];
    fuzz("positions", &seeds, INPUTS, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let answers = [
            check::<reversi::Position>(&text),
            check::<gipf::Position>(&text),
            check::<mmpawns::Position>(&text),
        ];
        answers.join("|")
    });
}

/// A file of an opening book, whose checksum is always right.
#[test]
fn book() {
    let line: Vec<Position> = notation::read("f5d6c3d3c4").unwrap()[0].positions();
    let boards = line
        .iter()
        .map(|position| settled(position.board()).unwrap());
    let boards: Vec<_> = boards.map(|settled| settled.board).collect();
    let entry = |number: usize| Entry {
        board: boards[number],
        searched: vec![number as i8 - 3; boards[number].moves().len() as usize],
        value: number as i8 - 3,
        is_start: number == 0,
        under_way: number == 3,
    };
    let recipe = Recipe {
        depth: 12,
        width: 4,
        loss: 1,
    };
    let seeds = [
        book::write(recipe, (0..4).map(entry).collect(), boards[4..].to_vec()),
        book::write(recipe, Vec::new(), Vec::new()),
        b"LUDEXBK1".to_vec(),
    ];
    fuzz("book", &seeds, INPUTS, |bytes| {
        let mut bytes = bytes.to_vec();
        if let Some((head, checked)) = bytes.split_at_mut_checked(16) {
            head[8..].copy_from_slice(&xxh3_64(checked).to_le_bytes());
        }
        let read = Book::read(&bytes);
        if let Ok(book) = &read {
            let waiting = book.waiting().collect();
            let written = book::write(book.recipe(), book.entries().collect(), waiting);
            assert_eq!(written, bytes);
            for entry in book.entries() {
                let position = Position::new(entry.board, Side::First);
                let advice = book.advice(&position).unwrap();
                assert!(position.is_legal(advice.mv));
            }
        }
        answer(&read)
    });
}
