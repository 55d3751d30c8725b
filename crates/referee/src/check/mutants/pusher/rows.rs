//! Rows and what is taken off with them.

use std::sync::LazyLock;

use ::gipf::Field;
use gipf_standard::SIZE;
use rules::Side;

use super::{Board, DIRECTIONS, Fault, Piece, points, step};

/// What is taken off at once, and how it is written.
#[derive(Clone, Default)]
pub(super) struct Removal {
    taken: Vec<Field>,
    kept: Vec<Field>,
    pub(super) text: String,
}

impl Removal {
    /// Takes the pieces off; returns how many come back to the mover's reserve.
    pub(super) fn apply(&self, board: &mut Board, mover: Side) -> u32 {
        let mut returned = 0;
        for &field in &self.taken {
            if let Some(piece) = board.at(field)
                && piece.side == mover
            {
                returned += 1 + u32::from(piece.gipf);
            }
            board.put(field, None);
        }
        returned
    }
}

/// A row: the fields of all pieces that come off with it.
#[derive(Clone, PartialEq, Eq)]
struct Row {
    axis: usize,
    fields: Vec<Field>,
    gipf: Vec<Field>,
}

/// The field at the beginning of the line through a field.
fn beginning(field: Field, axis: usize) -> Field {
    let back = (-DIRECTIONS[axis].0, -DIRECTIONS[axis].1);
    let mut at = field;
    while let Some(next) = step(at, back).filter(|next| next.is_point(SIZE)) {
        at = next;
    }
    at
}

/// The points of the line through a field, in order.
fn line(field: Field, axis: usize) -> Vec<Field> {
    let mut fields = vec![beginning(field, axis)];
    while let Some(next) =
        step(fields[fields.len() - 1], DIRECTIONS[axis]).filter(|next| next.is_point(SIZE))
    {
        fields.push(next);
    }
    fields
}

/// All lines of the board along each axis.
static LINES: LazyLock<[Vec<Vec<Field>>; 3]> = LazyLock::new(|| {
    [0, 1, 2].map(|axis| {
        let starts = points().filter(|&point| beginning(point, axis) == point);
        starts.map(|start| line(start, axis)).collect()
    })
});

/// All rows of one side.
fn rows(board: &Board, owner: Side, fault: Fault) -> Vec<Row> {
    let mut found = Vec::new();
    for (axis, lines) in LINES.iter().enumerate() {
        if fault == Fault::BlindAlong(axis as u8) {
            continue;
        }
        for line in lines {
            found.extend(rows_of_line(board, line, axis, owner, fault));
        }
    }
    found
}

/// The rows on one line.
fn rows_of_line(board: &Board, line: &[Field], axis: usize, owner: Side, fault: Fault) -> Vec<Row> {
    let counts = |piece: Piece| match (piece.side == owner, piece.gipf, fault) {
        (false, _, _) | (true, true, Fault::LeavesStacksOutOfRows) => 0,
        (true, true, Fault::CountsStacksTwice) => 2,
        (true, _, _) => 1,
    };
    let enough = match fault {
        Fault::RowsOfThree => 3,
        Fault::RowsOfFive => 5,
        _ => 4,
    };
    let own = |field: &Field| board.at(*field).map_or(0, counts);
    let mut found = Vec::new();
    // Most lines hold too little for a row.
    if line.iter().map(own).sum::<usize>() < enough {
        return found;
    }
    // Stretches of pieces without a gap.
    for stretch in line.split(|&field| board.at(field).is_none()) {
        // The first run that is long enough.
        let mut run: Vec<Field> = Vec::new();
        let mut longest: Option<Vec<Field>> = None;
        for &field in stretch {
            match own(&field) {
                0 => run.clear(),
                _ => run.push(field),
            }
            if run.iter().map(own).sum::<usize>() >= enough {
                longest = Some(run.clone());
            }
        }
        let Some(run) = longest else { continue };
        let place = |field: Field| stretch.iter().position(|&other| other == field);
        let (from, to) = (
            place(run[0]).unwrap_or(0),
            place(run[run.len() - 1]).unwrap_or(0),
        );
        let fields: Vec<Field> = match fault {
            Fault::TakesFour => run[..run.len().min(4)].to_vec(),
            Fault::TakesOwnPiecesOnly => run.clone(),
            Fault::TakesBeyondOneEnd(true) => stretch[from..].to_vec(),
            Fault::TakesBeyondOneEnd(false) => stretch[..=to].to_vec(),
            Fault::TakesTheWholeLine => {
                let taken = line.iter().filter(|&&field| board.at(field).is_some());
                taken.copied().collect()
            }
            _ => stretch.to_vec(),
        };
        let keepable = |field: &Field| {
            board.at(*field).is_some_and(|piece| match fault {
                Fault::KeepsSinglePieces => piece.gipf || piece.side == owner,
                Fault::KeepsTheOthersSinglePieces => piece.gipf || piece.side != owner,
                _ => piece.gipf,
            })
        };
        let gipf = fields.iter().filter(|field| keepable(field)).copied();
        found.push(Row {
            axis,
            gipf: gipf.collect(),
            fields,
        });
    }
    found
}

/// A look under way.
#[derive(Clone)]
struct Look {
    board: Board,
    taken: Vec<Field>,
    kept: Vec<Field>,
    done: Vec<(usize, Field)>,
}

/// Every way of taking off the rows of `owner`, as `mover` writes it.
pub(super) fn removals(board: &Board, owner: Side, mover: Side, fault: Fault) -> Vec<Removal> {
    let look = Look {
        board: board.clone(),
        taken: Vec::new(),
        kept: Vec::new(),
        done: Vec::new(),
    };
    let mut found: Vec<Removal> = Vec::new();
    collect(look, owner, fault, &mut found);
    for removal in &mut found {
        removal.text = text(board, removal, mover);
    }
    found
}

fn collect(look: Look, owner: Side, fault: Fault, found: &mut Vec<Removal>) {
    let mut open = rows(&look.board, owner, fault);
    open.retain(|row| {
        !look
            .done
            .contains(&(row.axis, beginning(row.fields[0], row.axis)))
    });
    if fault == Fault::ForgetsRowsOfKeptPieces {
        let kept = |row: &Row| row.fields.iter().any(|field| look.kept.contains(field));
        open.retain(|row| !kept(row));
    }
    let enough = fault == Fault::TakesOneRowOnly && !look.done.is_empty();
    if open.is_empty() || enough {
        let mut taken = look.taken;
        taken.sort_by_key(order);
        taken.dedup();
        if found.iter().all(|other| other.taken != taken) {
            let mut kept = look.kept;
            kept.retain(|field| !taken.contains(field));
            kept.sort_by_key(order);
            kept.dedup();
            found.push(Removal {
                taken,
                kept,
                text: String::new(),
            });
        }
        return;
    }
    if fault == Fault::TakesRowsAtOnce {
        let mut next = look;
        for row in &open {
            next.take(row, &[]);
        }
        return collect(next, owner, fault, found);
    }
    for row in &open {
        for choice in 0..1u32 << row.gipf.len() {
            let kept: Vec<Field> = (0..row.gipf.len())
                .filter(|bit| choice >> bit & 1 == 1)
                .map(|bit| row.gipf[bit])
                .collect();
            let mut next = look.clone();
            next.take(row, &kept);
            collect(next, owner, fault, found);
        }
    }
}

impl Look {
    fn take(&mut self, row: &Row, kept: &[Field]) {
        for &field in &row.fields {
            if kept.contains(&field) {
                self.kept.push(field);
            } else {
                self.taken.push(field);
                self.board.put(field, None);
            }
        }
        self.done
            .push((row.axis, beginning(row.fields[0], row.axis)));
    }
}

/// By letter, then by number, which grows upwards.
fn order(field: &Field) -> (u8, std::cmp::Reverse<u8>) {
    (field.column, std::cmp::Reverse(field.row))
}

fn text(board: &Board, removal: &Removal, mover: Side) -> String {
    if removal.taken.is_empty() && removal.kept.is_empty() {
        return String::new();
    }
    let name = |field: &Field| {
        let gipf = board.at(*field).is_some_and(|piece| piece.gipf);
        format!("{}{}", if gipf { "G" } else { "" }, field.label(SIZE))
    };
    let taken = removal.taken.iter().map(|field| {
        let captured = board.at(*field).is_some_and(|piece| piece.side != mover);
        format!("{}{}", name(field), if captured { "*" } else { "" })
    });
    let kept = removal.kept.iter().map(|field| format!("={}", name(field)));
    let words: Vec<String> = taken.chain(kept).collect();
    format!("x{}", words.join(","))
}
