//! The parts of moves as they were written, before any position is asked.

use rules::Side;

use crate::Piece;
use crate::points::{Point, SIZE};

/// Why a part does not fit: a reason without the text of the move.
pub(crate) type Reason = String;

/// One part of a move, with what stood there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) part: Part,
    /// The reserve behind it, in brackets.
    pub(crate) reserve: Option<u32>,
}

/// What a part says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Pieces after `x`; a bare `x` has none.
    Removal(Vec<Mark>),
    /// A piece is brought in.
    Push(WrittenPush),
}

/// A point with what was written about the piece there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Named {
    pub(crate) side: Option<Side>,
    pub(crate) piece: Option<Piece>,
    pub(crate) point: Point,
}

/// One piece of a list after `x`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) named: Named,
    pub(crate) captured: bool,
    pub(crate) kept: bool,
}

/// A push: the piece, and the neighbour of the dot or where the furthest pushed piece goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WrittenPush {
    pub(crate) named: Named,
    /// The dot, unless only the point was written.
    pub(crate) dot: Option<gipf::Field>,
}

/// A turn taken apart: lists, what is brought in, lists.
pub(crate) struct WrittenTurn<'a> {
    pub(crate) before: &'a [Written],
    pub(crate) push: Option<&'a Written>,
    pub(crate) after: &'a [Written],
}

impl Written {
    pub(crate) fn is_removal(&self) -> bool {
        matches!(self.part, Part::Removal(_))
    }

    pub(crate) fn push(&self) -> Option<&WrittenPush> {
        match &self.part {
            Part::Push(push) => Some(push),
            Part::Removal(_) => None,
        }
    }

    /// A push without a dot, as the point of a list that it may be.
    fn point(&self) -> Option<Mark> {
        let push = self.push().filter(|push| push.dot.is_none())?;
        Some(Mark {
            named: push.named,
            captured: false,
            kept: false,
        })
    }

    fn add_mark(&mut self, text: &str, mark: Mark) {
        if let Part::Removal(marks) = &mut self.part {
            marks.push(mark);
            self.text += if marks.len() > 1 { "," } else { "" };
            self.text += text;
        }
    }
}

/// The marks of all lists together.
pub(crate) fn marks(lists: &[Written]) -> Vec<Mark> {
    let marks = lists.iter().flat_map(|list| match &list.part {
        Part::Removal(marks) => marks.as_slice(),
        Part::Push(_) => &[],
    });
    marks.copied().collect()
}

/// The parts of one move or of many, in order. Numbers of moves are passed over. An error has the
/// parts before it, the word and what is wrong with it.
pub(crate) fn parts(text: &str) -> Result<Vec<Written>, (Vec<Written>, String, Reason)> {
    let mut parts = Vec::new();
    for Word { text, reserve } in words(text) {
        let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = unnumbered.trim_start_matches(['.', '…']);
        let is_list = word.contains(',');
        for item in word.split(',').filter(|item| !item.is_empty()) {
            if let Err(reason) = add(&mut parts, item, is_list) {
                return Err((parts, item.to_string(), reason));
            }
        }
        if let (Some(last), Some(_)) = (parts.last_mut(), reserve) {
            last.reserve = reserve;
        }
    }
    Ok(parts)
}

/// Adds one item: a mark of the list before it, a list of its own, or a push.
fn add(parts: &mut Vec<Written>, item: &str, is_list: bool) -> Result<(), Reason> {
    let new = |part| Written {
        text: item.to_string(),
        part,
        reserve: None,
    };
    if let Some(first) = item.strip_prefix(['x', 'X']) {
        let marks = match first {
            "" => Vec::new(),
            first => vec![read_mark(first)?],
        };
        parts.push(new(Part::Removal(marks)));
        return Ok(());
    }
    let is_mark = item.starts_with('=') || item.ends_with('*');
    if is_mark {
        fold_points(parts);
    }
    let belongs_to_list = is_list || is_mark;
    match parts.last_mut() {
        Some(list) if list.is_removal() && belongs_to_list && !item.contains('-') => {
            list.add_mark(item, read_mark(item)?);
        }
        _ => parts.push(new(Part::Push(read_push(item)?))),
    }
    Ok(())
}

/// Points between blanks behind a list, which a mark that can only be of a list follows, are of
/// that list too.
fn fold_points(parts: &mut Vec<Written>) {
    let points = parts.iter().rev().take_while(|part| part.point().is_some());
    let first = parts.len() - points.count();
    if !parts[..first].last().is_some_and(Written::is_removal) {
        return;
    }
    for part in parts.split_off(first) {
        if let (Some(list), Some(mark)) = (parts.last_mut(), part.point()) {
            list.add_mark(&part.text, mark);
        }
    }
}

/// Takes one move apart. In a list whose points stand between blanks, `xc3 d4 e5 f5 e1-e2`, every
/// point belongs to the list but the last piece that is brought in.
pub(crate) fn one_turn(parts: Vec<Written>) -> Result<Vec<Written>, Reason> {
    let is_push = |part: &Written| part.push().is_some();
    let piece = parts
        .iter()
        .position(|part| is_push(part) && part.point().is_none());
    let piece = piece.or_else(|| parts.iter().rposition(is_push));
    let mut folded: Vec<Written> = Vec::new();
    for (i, part) in parts.into_iter().enumerate() {
        match (part.point(), folded.last_mut()) {
            (Some(mark), Some(list)) if Some(i) != piece && list.is_removal() => {
                list.add_mark(&part.text, mark);
            }
            _ if is_push(&part) && Some(i) != piece => {
                return Err(format!("{} is a second piece", part.text));
            }
            _ => folded.push(part),
        }
    }
    Ok(folded)
}

/// A word, and the number behind it in brackets.
struct Word {
    text: String,
    reserve: Option<u32>,
}

/// What stands between blanks, `;` and `/`. Blanks beside a comma or a dash separate nothing;
/// brackets that hold no number are passed over.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut open, mut blank) = (false, false);
    let mut chars = text.chars().map(plain);
    while let Some(c) = chars.next() {
        match c {
            '(' => {
                let inside: String = chars.by_ref().take_while(|&c| c != ')').collect();
                let number = inside.trim().parse().ok();
                if let (Some(last), Some(_)) = (words.last_mut(), number) {
                    last.reserve = number;
                }
                open = false;
            }
            ';' | '/' => open = false,
            c if c.is_whitespace() => blank = true,
            c => {
                match words.last_mut() {
                    Some(last) if open && (!blank || is_joined(&last.text, c)) => last.text.push(c),
                    _ => words.push(Word {
                        text: c.to_string(),
                        reserve: None,
                    }),
                }
                (open, blank) = (true, false);
            }
        }
    }
    words
}

/// Whether a blank before this letter separates nothing.
fn is_joined(word: &str, next: char) -> bool {
    const JOINTS: [char; 2] = [',', '-'];
    word.ends_with(JOINTS) || JOINTS.contains(&next)
}

/// Dashes of all lengths are one.
fn plain(c: char) -> char {
    match c {
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '×' => 'x',
        _ => c,
    }
}

fn read_mark(word: &str) -> Result<Mark, Reason> {
    let (kept, rest) = strip(word, word.strip_prefix('='));
    let (captured, rest) = strip(rest, rest.strip_suffix('*'));
    let named = read_named(rest).map_err(|_| format!("{word:?} is not a point"))?;
    Ok(Mark {
        named,
        captured,
        kept,
    })
}

/// Whether a mark was there, and the text without it.
fn strip<'a>(text: &'a str, stripped: Option<&'a str>) -> (bool, &'a str) {
    (stripped.is_some(), stripped.unwrap_or(text))
}

fn read_push(text: &str) -> Result<WrittenPush, Reason> {
    let Some((from, to)) = text.split_once('-') else {
        let named = read_named(text)?;
        return Ok(WrittenPush { named, dot: None });
    };
    let (side, piece, dot) = read_prefix(from)?;
    let dot = dot.to_ascii_lowercase();
    let field = gipf::Field::from_label(&dot, SIZE).filter(|field| !field.is_point(SIZE));
    let field = field.ok_or(format!("{dot:?} is not a dot"))?;
    Ok(WrittenPush {
        named: Named {
            side,
            piece,
            point: read_point(to)?,
        },
        dot: Some(field),
    })
}

fn read_named(text: &str) -> Result<Named, Reason> {
    let (side, piece, label) = read_prefix(text)?;
    let point = read_point(label)?;
    Ok(Named { side, piece, point })
}

fn read_point(label: &str) -> Result<Point, Reason> {
    Point::from_label(&label.to_ascii_lowercase()).ok_or(format!("{label:?} is not a point"))
}

/// The letters before the letter of a column: `G` or `g`, `n`, and the colours `W`, `B` or `K`.
fn read_prefix(text: &str) -> Result<(Option<Side>, Option<Piece>, &str), Reason> {
    let (mut rest, mut side, mut piece) = (text, None, None);
    while rest.chars().nth(1).is_some_and(char::is_alphabetic) {
        match rest.chars().next() {
            Some('G' | 'g') => piece = Some(Piece::Gipf),
            Some('n') => piece = Some(Piece::Single),
            Some('W') => side = Some(Side::First),
            Some('K' | 'B') => side = Some(Side::Second),
            _ => return Err(format!("{rest:?} does not begin with a dot")),
        }
        rest = &rest[1..];
    }
    Ok((side, piece, rest))
}
