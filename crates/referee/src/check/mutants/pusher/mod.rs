//! A slow and obvious player of published GIPF that can get one rule wrong.
//!
//! It reads the text of a position, lists its moves and writes one of them, all by itself.

mod fault;
mod rows;

use ::gipf::Field;
use gipf_standard::SIZE;
use rules::Side;

pub(super) use self::fault::Fault;
use self::rows::Removal;

/// What lies on a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    side: Side,
    gipf: bool,
}

/// The six directions.
const DIRECTIONS: [(i8, i8); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

/// The fields of one line of nine.
const WIDTH: usize = 9;

/// The pieces on all fields.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Board([Option<Piece>; WIDTH * WIDTH]);

impl Board {
    fn at(&self, field: Field) -> Option<Piece> {
        self.0[index(field)]
    }

    fn put(&mut self, field: Field, piece: Option<Piece>) {
        self.0[index(field)] = piece;
    }
}

fn index(field: Field) -> usize {
    usize::from(field.row) * WIDTH + usize::from(field.column)
}

/// The next field, if it is on the board or its ring.
fn step(field: Field, (columns, rows): (i8, i8)) -> Option<Field> {
    let next = Field {
        column: field.column.checked_add_signed(columns)?,
        row: field.row.checked_add_signed(rows)?,
    };
    let inside = usize::from(next.column.max(next.row)) < WIDTH;
    inside.then_some(next)
}

/// All points, from the top left, row by row.
fn points() -> impl Iterator<Item = Field> {
    let fields = (0..WIDTH * WIDTH).map(|number| Field {
        column: (number % WIDTH) as u8,
        row: (number / WIDTH) as u8,
    });
    fields.filter(|field| field.is_point(SIZE))
}

/// What the text of a position says, as far as a move depends on it.
#[derive(Clone)]
pub(super) struct State {
    rules: String,
    board: Board,
    reserve: u32,
    /// `!`, `+` or nothing: what the mover may bring in.
    mark: String,
    /// Whether the opponent has brought in the first piece.
    opponent_began: bool,
    side: Side,
}

impl State {
    /// Reads the text of a position.
    pub(super) fn read(text: &str, fault: Fault) -> Option<State> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (rules, rows) = (*words.first()?, *words.last()?);
        let side = match *words.get(3)? {
            "B" => Side::Second,
            _ => Side::First,
        };
        let side = match fault {
            Fault::PlaysTheOtherSide => !side,
            Fault::WhiteIsAlwaysToMove => Side::First,
            Fault::BlackIsAlwaysToMove => Side::Second,
            _ => side,
        };
        let mut board = Board([None; WIDTH * WIDTH]);
        let letters = rows.chars().filter(|&c| c != '/');
        for (field, letter) in points().zip(letters) {
            let piece = match letter {
                'w' | 'W' => Side::First,
                'b' | 'B' => Side::Second,
                _ => continue,
            };
            let gipf = letter.is_uppercase() && fault != Fault::SeesSinglePiecesOnly;
            board.put(field, Some(Piece { side: piece, gipf }));
        }
        let reserve = |side: Side| {
            let word = words.get(1 + side.index())?;
            let digits = word.trim_end_matches(['!', '+']);
            Some((digits.parse().ok()?, word[digits.len()..].to_string()))
        };
        let (reserve_left, mark) = reserve(side)?;
        let (_, opponent): (u32, String) = reserve(!side)?;
        Some(State {
            rules: rules.into(),
            board,
            reserve: reserve_left,
            mark,
            opponent_began: opponent != "!",
            side,
        })
    }

    /// Whether taking off has ended the game.
    fn is_decided(&self, board: &Board) -> bool {
        let has = |side: Side| {
            let mut pieces = board.0.iter().flatten();
            pieces.any(|piece| piece.side == side && piece.gipf)
        };
        let lost = |side: Side, began: bool| began && !has(side);
        self.rules != "basic"
            && (lost(self.side, self.mark != "!") || lost(!self.side, self.opponent_began))
    }

    /// Every move in complete notation, in an order of its own.
    pub(super) fn moves(&self, fault: Fault) -> Vec<String> {
        let mut moves = Vec::new();
        for before in self.removals(&self.board, fault, fault.forgets_before()) {
            let mut board = self.board.clone();
            let reserve = self.reserve + before.apply(&mut board, self.side);
            let decided = self.is_decided(&board);
            if decided && fault != Fault::PushesAfterTheEnd {
                moves.push(before.text.clone());
                continue;
            }
            if fault == Fault::TakesOffAndStops && !before.text.is_empty() {
                moves.push(before.text.clone());
                continue;
            }
            let seen = match fault {
                // It pushes on the board as it was.
                Fault::PushesBeforeItTakes => &self.board,
                _ => &board,
            };
            for gipf in [false, true] {
                if self.may_bring(gipf, reserve, fault) {
                    self.pushes(seen, gipf, &before, fault, &mut moves);
                }
            }
        }
        moves
    }

    fn may_bring(&self, gipf: bool, reserve: u32, fault: Fault) -> bool {
        let enough = match (gipf, fault) {
            (true, Fault::GipfPieceForOne) => reserve >= 1,
            (true, _) => reserve >= 2,
            (false, _) => reserve >= 1,
        };
        let (first, open) = (self.mark == "!", self.mark == "+");
        enough
            && match (gipf, fault) {
                (true, Fault::GipfPiecesAtAnyTime) => self.rules != "basic",
                (true, Fault::GipfPieceFirstOnly) => first,
                (true, _) => first || open,
                (false, Fault::SinglePieceFirst) => true,
                (false, Fault::GipfPiecesOnly) => !first && !open,
                (false, _) => !first,
            }
    }

    /// All pushes of one kind of piece, and what is taken off after each.
    fn pushes(
        &self,
        board: &Board,
        gipf: bool,
        before: &Removal,
        fault: Fault,
        moves: &mut Vec<String>,
    ) {
        let mut seen = Vec::new();
        for target in points() {
            for direction in DIRECTIONS {
                let back = (-direction.0, -direction.1);
                let Some(dot) = step(target, back).filter(|dot| !dot.is_point(SIZE)) else {
                    continue;
                };
                let mut after = board.clone();
                let piece = Piece {
                    side: self.side,
                    gipf,
                };
                let line = Line {
                    dot,
                    target,
                    direction,
                };
                if !line.push(&mut after, piece, fault) {
                    continue;
                }
                // Onto an empty point every dot does the same.
                if board.at(target).is_none() && seen.contains(&target) {
                    continue;
                }
                seen.push(target);
                let text = line.text(gipf, fault);
                for removal in self.removals(&after, fault, fault.forgets_after()) {
                    let parts = [before.text.as_str(), &text, &removal.text];
                    let parts = parts.iter().filter(|part| !part.is_empty());
                    let parts: Vec<&str> = parts.copied().collect();
                    moves.push(parts.join(";"));
                }
            }
        }
    }

    /// Every way of taking off the mover's rows; one that takes nothing if there is none.
    fn removals(&self, board: &Board, fault: Fault, forgets: bool) -> Vec<Removal> {
        if forgets {
            return vec![Removal::default()];
        }
        let owner = match fault {
            Fault::TakesOffTheOthersRows => !self.side,
            _ => self.side,
        };
        rows::removals(board, owner, self.side, fault)
    }
}

/// A way onto the board.
struct Line {
    dot: Field,
    target: Field,
    direction: (i8, i8),
}

impl Line {
    /// Brings a piece in; `false` if the line is closed.
    fn push(&self, board: &mut Board, piece: Piece, fault: Fault) -> bool {
        let (mut at, mut hand) = (self.target, Some(piece));
        let mut moved = 0;
        while let Some(piece) = hand {
            if !at.is_point(SIZE) {
                // The last piece would fall off.
                return fault == Fault::PushesClosedLines;
            }
            hand = board.at(at);
            board.put(at, Some(piece));
            moved += 1;
            match step(at, self.direction) {
                Some(next) => at = next,
                None => return hand.is_none() || fault == Fault::PushesClosedLines,
            }
        }
        !(fault == Fault::PushesNothingAway && moved > 1)
    }

    fn text(&self, gipf: bool, fault: Fault) -> String {
        let [dot, target] = [self.dot, self.target].map(|field| field.label(SIZE));
        let mark = match gipf && fault != Fault::NamesNoGipfPiece {
            true => "G",
            false => "",
        };
        format!("{mark}{dot}-{target}")
    }
}
