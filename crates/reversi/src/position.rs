//! A position: the board and who is to move.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use rules::{Evaluate, Game, Hashed, MoveError, Outcome, PositionError, Side, Symmetric};

use crate::{Board, Discs, Square};

/// A disc on a square, or a pass (only when there is no disc to put down).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move(u8);

impl Move {
    /// No disc can be put down, but the opponent can.
    pub const PASS: Move = Move(64);

    /// The square of the disc, or `None` for a pass.
    #[inline]
    #[must_use]
    pub fn square(self) -> Option<Square> {
        (self != Move::PASS).then(|| Square::new(self.0))
    }
}

impl From<Square> for Move {
    #[inline]
    fn from(square: Square) -> Move {
        Move(square.index() as u8)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            Some(square) => square.fmt(f),
            None => f.write_str("pass"),
        }
    }
}

/// A position of Reversi. Black is [`Side::First`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    side: Side,
}

impl Position {
    /// The start: White on d4 and e5, Black on d5 and e4, Black to move.
    #[must_use]
    pub const fn start() -> Position {
        Position {
            board: Board {
                own: Discs(0x0000_0008_1000_0000),
                other: Discs(0x0000_0010_0800_0000),
            },
            side: Side::First,
        }
    }

    /// Any discs with any side to move.
    ///
    /// # Panics
    /// If both players have a disc on the same square.
    #[must_use]
    pub const fn new(board: Board, side: Side) -> Position {
        assert!(
            board.own.0 & board.other.0 == 0,
            "both players have a disc on the same square"
        );
        Position { board, side }
    }

    /// The board seen by the player to move.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The discs of one side.
    #[must_use]
    pub fn discs(&self, side: Side) -> Discs {
        if side == self.side {
            self.board.own
        } else {
            self.board.other
        }
    }

    /// Why a disc may not be put on this square.
    fn why_illegal(&self, square: Square) -> String {
        if !self.board.empty().contains(square) {
            return "the square is taken".into();
        }
        let other = Position::side_name(!self.side).to_lowercase();
        let touches = Square::all().any(|s| {
            s.column().abs_diff(square.column()) <= 1
                && s.row().abs_diff(square.row()) <= 1
                && self.board.other.contains(s)
        });
        if touches {
            format!("turns over no {other} disc")
        } else {
            format!("not adjacent to a {other} disc")
        }
    }
}

impl Game for Position {
    type Move = Move;
    const NAME: &'static str = "reversi";

    fn side_name(side: Side) -> &'static str {
        ["Black", "White"][side.index()]
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut moves = self.board.moves();
        if moves.is_empty() && !self.board.pass().moves().is_empty() {
            return visit(Move::PASS);
        }
        moves.try_for_each(|square| visit(square.into()))
    }

    #[inline]
    fn count_moves(&self) -> usize {
        match self.board.moves().len() {
            0 => usize::from(!self.board.pass().moves().is_empty()),
            count => count as usize,
        }
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        let moves = self.board.moves();
        match mv.square() {
            Some(square) => moves.contains(square),
            None => moves.is_empty() && !self.board.pass().moves().is_empty(),
        }
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv} in {self}");
        self.board = match mv.square() {
            Some(square) => self.board.play(square),
            None => self.board.pass(),
        };
        self.side = !self.side;
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.board.moves().is_empty() && self.board.pass().moves().is_empty();
        over.then(|| match self.board.difference().signum() {
            1 => Outcome::Win(self.side),
            -1 => Outcome::Win(!self.side),
            _ => Outcome::Draw,
        })
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let mv = if text.eq_ignore_ascii_case("pass") {
            Move::PASS
        } else {
            let square: Square = text
                .parse()
                .map_err(|_| MoveError::unreadable(text, "a square a1 to h8 or pass is wanted"))?;
            square.into()
        };
        if self.is_legal(mv) {
            return Ok(mv);
        }
        let reason = match mv.square() {
            _ if self.outcome().is_some() => "the game is over".into(),
            Some(square) => self.why_illegal(square),
            None => "there are squares to play on".into(),
        };
        Err(MoveError::illegal(mv.to_string(), reason))
    }
}

impl fmt::Display for Position {
    /// 64 characters from a1 to h8, `X` black, `O` white, `-` empty; a blank; who is to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (black, white) = (self.discs(Side::First), self.discs(Side::Second));
        let board: String = Square::all()
            .map(|s| match (black.contains(s), white.contains(s)) {
                (true, _) => 'X',
                (_, true) => 'O',
                _ => '-',
            })
            .collect();
        write!(f, "{board} {}", ["X", "O"][self.side.index()])
    }
}

impl FromStr for Position {
    type Err = PositionError;

    /// Reads what `Display` writes; also `*` for black, `.` for empty, small letters, and
    /// blanks anywhere. `start` is the start position.
    fn from_str(text: &str) -> Result<Position, PositionError> {
        if text.trim() == "start" {
            return Ok(Position::start());
        }
        let mut discs = [Discs::NONE; 2];
        let mut side = None;
        let mut count = 0;
        for (at, c) in text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
            let colour = match c {
                'X' | 'x' | '*' => Some(Side::First),
                'O' | 'o' => Some(Side::Second),
                '-' | '.' if count < 64 => None,
                _ => {
                    return Err(PositionError::new(format!(
                        "character {} is {c:?}, not X, O or -",
                        at + 1
                    )));
                }
            };
            match count {
                0..64 => {
                    if let Some(colour) = colour {
                        discs[colour.index()] |= Square::new(count).into();
                    }
                }
                64 => side = colour,
                _ => {
                    return Err(PositionError::new(
                        "more than 64 squares and the side to move",
                    ));
                }
            }
            count += 1;
        }
        if count < 64 {
            return Err(PositionError::new(format!("{count} squares, not 64")));
        }
        let side = side.ok_or_else(|| {
            PositionError::new("the side to move (X or O) is missing after the 64 squares")
        })?;
        let board = Board {
            own: discs[side.index()],
            other: discs[(!side).index()],
        };
        Ok(Position { board, side })
    }
}

impl Hashed for Position {
    /// Two rounds of multiply and fold, which spread every disc over the word.
    #[inline]
    fn hash(&self) -> u64 {
        const fn fold(a: u64, b: u64) -> u64 {
            let product = a as u128 * b as u128;
            product as u64 ^ (product >> 64) as u64
        }
        let own = fold(
            self.board.own.0 ^ 0x9e37_79b9_7f4a_7c15,
            0xd6e8_feb8_6659_fd93,
        );
        let other = fold(
            self.board.other.0 ^ 0xc2b2_ae3d_27d4_eb4f,
            0xa076_1d64_78bd_642f,
        );
        let side = [0, 0x5851_f42d_4c95_7f2d][self.side.index()];
        fold(own ^ other.rotate_left(32) ^ side, 0xe703_7ed1_a0b4_28db)
    }
}

/// Square `s` seen through symmetry `index`: bit 0 mirrors left and right, bit 1 top and
/// bottom, bit 2 exchanges columns and rows (last).
fn map_square(s: Square, index: usize) -> Square {
    let column = s.column() ^ if index & 1 != 0 { 7 } else { 0 };
    let row = s.row() ^ if index & 2 != 0 { 7 } else { 0 };
    if index & 4 != 0 {
        Square::new(column * 8 + row)
    } else {
        Square::new(row * 8 + column)
    }
}

impl Symmetric for Position {
    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, index: usize) -> Position {
        let map = |discs: Discs| discs.map(|s| map_square(s, index)).collect();
        Position {
            board: Board {
                own: map(self.board.own),
                other: map(self.board.other),
            },
            side: self.side,
        }
    }

    fn transform_move(&self, mv: Move, index: usize) -> Move {
        mv.square()
            .map_or(mv, |square| map_square(square, index).into())
    }
}

impl Evaluate for Position {
    /// Corners, the squares beside open corners, mobility, and near the end the discs
    /// themselves: plain, quick, and far better than counting discs.
    fn evaluate(&self) -> i32 {
        let Board { own, other } = self.board;
        let empty = self.board.empty();
        let mobility = self.board.moves().len() as i32 - self.board.pass().moves().len() as i32;
        let corners = (own & Discs::CORNERS).len() as i32 - (other & Discs::CORNERS).len() as i32;
        let mut beside = 0;
        for corner in empty & Discs::CORNERS {
            let near = NEAR_CORNER[usize::from(corner.column() / 7 + corner.row() / 7 * 2)];
            beside += (own & near).len() as i32 - (other & near).len() as i32;
        }
        let discs = self.board.difference();
        let weight = if empty.len() < 12 { 6 } else { 0 };
        80 * corners - 25 * beside + 8 * mobility + weight * discs
    }
}

/// The three neighbours of a1, h1, a8 and h8.
const NEAR_CORNER: [Discs; 4] = [
    Discs(0x0000_0000_0000_0302),
    Discs(0x0000_0000_0000_c040),
    Discs(0x0203_0000_0000_0000),
    Discs(0x40c0_0000_0000_0000),
];
