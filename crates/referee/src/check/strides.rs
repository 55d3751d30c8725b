//! How a player of MMPawns looks for moves: rightly, or with one fault.

use ::mmpawns::{Move, Position, Square};
use rules::Side;

/// A step or a jump, to the left (−1), straight (0) or to the right (1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Way {
    pub(super) jump: bool,
    pub(super) direction: i8,
}

impl Way {
    pub(super) const ALL: [Way; 6] = {
        const fn way(jump: bool, direction: i8) -> Way {
            Way { jump, direction }
        }
        [
            way(false, -1),
            way(false, 0),
            way(false, 1),
            way(true, -1),
            way(true, 0),
            way(true, 1),
        ]
    };

    /// How a legal move goes.
    pub(super) fn of(mv: Move) -> Way {
        let columns = mv.to.column() as i8 - mv.from.column() as i8;
        Way {
            jump: mv.taken().is_some(),
            direction: columns.signum(),
        }
    }

    /// Where a pawn of this side lands, if that is on the board.
    pub(super) fn target(self, from: Square, side: Side) -> Option<Square> {
        let steps = if self.jump { 2 } else { 1 };
        step(
            from,
            steps * self.direction,
            steps * ahead(side),
            Sides::Closed,
        )
    }

    pub(super) fn name(self) -> String {
        let direction = ["left", "straight", "right"][(self.direction + 1) as usize];
        let kind = if self.jump { "jump" } else { "step" };
        format!("{kind}-{direction}")
    }
}

/// Whether a pawn that leaves the board on one side comes back on the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sides {
    Closed,
    Open,
}

/// Rows of one step forward.
fn ahead(side: Side) -> i8 {
    [-1, 1][side.index()]
}

fn step(from: Square, columns: i8, rows: i8, sides: Sides) -> Option<Square> {
    let row = from.row().checked_add_signed(rows)?;
    if sides == Sides::Open {
        let index = from.index() as i8 + 8 * rows + columns;
        return (0..64).contains(&index).then(|| Square::new(index as u8));
    }
    Square::at(from.column().checked_add_signed(columns)?, row)
}

/// A move that the rules do not know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Invention {
    StepIntoHole,
    StepOntoOwn,
    StepOntoOther,
    StepAroundTheSide,
    StepBackwards,
    StepSideways,
    StepTwice,
    JumpIntoHole,
    JumpOntoOwn,
    JumpOntoOther,
    JumpOverOwn,
    JumpOverHole,
    JumpAroundTheSide,
    JumpBackwards,
}

impl Invention {
    const ALL: [Invention; 14] = [
        Invention::StepIntoHole,
        Invention::StepOntoOwn,
        Invention::StepOntoOther,
        Invention::StepAroundTheSide,
        Invention::StepBackwards,
        Invention::StepSideways,
        Invention::StepTwice,
        Invention::JumpIntoHole,
        Invention::JumpOntoOwn,
        Invention::JumpOntoOther,
        Invention::JumpOverOwn,
        Invention::JumpOverHole,
        Invention::JumpAroundTheSide,
        Invention::JumpBackwards,
    ];

    /// Every invention in every direction that it can have.
    pub(super) fn all() -> Vec<(Invention, i8)> {
        let sideways = |invention: Invention| {
            matches!(
                invention,
                Invention::StepAroundTheSide
                    | Invention::StepSideways
                    | Invention::JumpAroundTheSide
            )
        };
        Invention::ALL
            .into_iter()
            .flat_map(|invention| [-1, 0, 1].map(|direction| (invention, direction)))
            .filter(|(invention, direction)| *direction != 0 || !sideways(*invention))
            .collect()
    }
}

/// How a program looks for moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stride {
    Right,
    /// Never moves this way.
    Never(Way),
    /// Never moves this way from this file.
    NeverFromFile(Way, u8),
    /// Never moves this way from this row.
    NeverFromRow(Way, u8),
    /// Never goes to this file.
    NeverToFile(u8),
    /// Moves in a way that the rules do not know, too.
    Invents(Invention, i8),
}

/// What stands on a square, and the side's own letter.
pub(super) fn symbol(side: Side) -> char {
    ['A', 'B'][side.index()]
}

impl Stride {
    /// The moves that the program sees for this side.
    pub(super) fn moves(self, position: &Position, side: Side) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::all().filter(|s| position.symbol(*s) == symbol(side)) {
            for way in Way::ALL {
                let mv = legal(position, side, from, way);
                moves.extend(mv.filter(|mv| self.sees(*mv, way)));
            }
            if let Stride::Invents(invention, direction) = self {
                moves.extend(invented(position, side, from, invention, direction));
            }
        }
        moves
    }

    fn sees(self, mv: Move, way: Way) -> bool {
        match self {
            Stride::Never(never) => way != never,
            Stride::NeverFromFile(never, file) => way != never || mv.from.column() != file,
            Stride::NeverFromRow(never, row) => way != never || mv.from.row() != row,
            Stride::NeverToFile(file) => mv.to.column() != file,
            Stride::Right | Stride::Invents(..) => true,
        }
    }
}

fn legal(position: &Position, side: Side, from: Square, way: Way) -> Option<Move> {
    let to = way.target(from, side)?;
    let mv = Move { from, to };
    let over = mv.taken().map(|square| position.symbol(square));
    let allowed = over.is_none_or(|over| over == symbol(!side));
    (allowed && position.symbol(to) == '-').then_some(mv)
}

fn invented(
    position: &Position,
    side: Side,
    from: Square,
    invention: Invention,
    direction: i8,
) -> Option<Move> {
    let (to, demands) = invention.demands(side, from, direction)?;
    let met = |(square, what): &(Square, char)| position.symbol(*square) == *what;
    demands.iter().all(met).then_some(Move { from, to })
}

impl Invention {
    /// Where an invented move of a pawn goes, and what must stand on which squares for it;
    /// `None` where the board has no room.
    pub(super) fn demands(
        self,
        side: Side,
        from: Square,
        direction: i8,
    ) -> Option<(Square, Vec<(Square, char)>)> {
        use Invention as I;
        let (own, other, ahead) = (symbol(side), symbol(!side), ahead(side));
        let closed = |steps: i8| step(from, steps * direction, steps * ahead, Sides::Closed);
        let open = |steps: i8| step(from, steps * direction, steps * ahead, Sides::Open);
        let back = |steps: i8| step(from, steps * direction, -steps * ahead, Sides::Closed);
        let one = |to: Option<Square>, what: char| to.map(|to| (to, vec![(to, what)]));
        let two = |over: Option<Square>, what: char, to: Option<Square>, there: char| {
            let (over, to) = over.zip(to)?;
            Some((to, vec![(over, what), (to, there)]))
        };
        match self {
            I::StepIntoHole => one(closed(1), '*'),
            I::StepOntoOwn => one(closed(1), own),
            I::StepOntoOther => one(closed(1), other),
            I::StepAroundTheSide => one(open(1).filter(|_| closed(1).is_none()), '-'),
            I::StepBackwards => one(back(1), '-'),
            I::StepSideways => one(step(from, direction, 0, Sides::Closed), '-'),
            I::StepTwice => two(closed(1), '-', closed(2), '-'),
            I::JumpIntoHole => two(closed(1), other, closed(2), '*'),
            I::JumpOntoOwn => two(closed(1), other, closed(2), own),
            I::JumpOntoOther => two(closed(1), other, closed(2), other),
            I::JumpOverOwn => two(closed(1), own, closed(2), '-'),
            I::JumpOverHole => two(closed(1), '*', closed(2), '-'),
            I::JumpAroundTheSide => {
                let around = open(2).filter(|_| closed(2).is_none());
                two(open(1), other, around, '-')
            }
            I::JumpBackwards => two(back(1), other, back(2), '-'),
        }
    }

    /// Whether a legal move is there wherever this one is: the square in front is free,
    /// or the pawn in front can go where the invented jump ends.
    pub(super) fn needs_a_move(self) -> bool {
        matches!(self, Invention::StepTwice | Invention::JumpOverOwn)
    }
}

#[cfg(test)]
mod tests {
    use games::AnyPosition;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rules::Game;

    use super::*;

    /// The slow eyes see what the fast board sees.
    #[test]
    fn without_a_fault_the_rules_hold() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for seed in 0..200 {
            let start = AnyPosition::random_start(games::MMPAWNS, seed);
            let mut position: Position = start.to_string().parse().unwrap();
            while position.outcome().is_none() {
                let mut seen = Stride::Right.moves(&position, position.side_to_move());
                let mut moves = position.moves();
                seen.sort_unstable();
                moves.sort_unstable();
                assert_eq!(seen, moves, "{position}");
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
        }
    }
}
