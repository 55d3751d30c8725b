//! What a proof depends on: the squares that may not look otherwise.
//!
//! Most proofs need only a part of the board: a runner, those who could stop it, and a
//! move for the loser, who would win if he were stuck. The pattern of a proof says which
//! contents no square may have; whatever position fits it is won in the same way. Every
//! pattern is seen by the player to move, who goes up.

use crate::board::{BOTTOM, Board, down, flip, up, up_all};

/// The contents that squares may not have, for a proof to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pattern {
    /// No pawn of the player to move is on these squares.
    pub(crate) own: u64,
    /// No pawn of the opponent is on these.
    pub(crate) other: u64,
    /// These are not empty.
    pub(crate) empty: u64,
    /// Half-moves after which the game is over at the latest.
    pub(crate) length: u32,
}

impl Pattern {
    /// Fits every position.
    pub(crate) const fn any(length: u32) -> Pattern {
        Pattern {
            own: 0,
            other: 0,
            empty: 0,
            length,
        }
    }

    /// Fits this position alone.
    pub(crate) const fn only(board: Board, length: u32) -> Pattern {
        Pattern {
            own: !board.own,
            other: !board.other,
            empty: board.own | board.other,
            length,
        }
    }

    /// Whether the proof holds on this board.
    #[inline]
    pub(crate) const fn fits(&self, board: Board, field: u64) -> bool {
        self.own & board.own | self.other & board.other | self.empty & board.free(field) == 0
    }

    /// What own pawns, the opponent's and empty squares may not be on.
    pub(crate) const fn sets(&self) -> [u64; 3] {
        [self.own, self.other, self.empty]
    }

    /// The same seen by the opponent.
    pub(crate) const fn turned(self) -> Pattern {
        Pattern {
            own: flip(self.other),
            other: flip(self.own),
            empty: flip(self.empty),
            length: self.length,
        }
    }

    /// How many things are asked for.
    pub(crate) const fn weight(&self) -> u32 {
        self.own.count_ones() + self.other.count_ones() + self.empty.count_ones()
    }

    pub(crate) const fn need_own(&mut self, squares: u64) {
        self.other |= squares;
        self.empty |= squares;
    }

    pub(crate) const fn need_other(&mut self, squares: u64) {
        self.own |= squares;
        self.empty |= squares;
    }

    pub(crate) const fn need_empty(&mut self, squares: u64) {
        self.own |= squares;
        self.other |= squares;
    }

    /// Asks for a move to be possible.
    const fn need_move(&mut self, mv: Squares) {
        self.need_own(mv.from);
        self.need_empty(mv.to);
        self.need_other(mv.over);
    }

    /// Asks for what the other asks for, but on these squares.
    const fn need_all(&mut self, other: &Pattern, but: u64) {
        self.own |= other.own & !but;
        self.other |= other.other & !but;
        self.empty |= other.empty & !but;
        if self.length < other.length {
            self.length = other.length;
        }
    }

    /// The pattern before a winning move, from the one after it, both seen by the mover.
    pub(crate) const fn before(after: Pattern, mv: Squares) -> Pattern {
        let mut before = Pattern::any(0);
        before.need_all(&after, mv.all());
        before.need_move(mv);
        // Had the opponent arrived, the game would be over.
        before.other |= BOTTOM;
        before.length += 1;
        before
    }
}

/// The squares of a move, as bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares {
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// Where a pawn is taken, if one is.
    pub(crate) over: u64,
}

impl Squares {
    pub(crate) const NONE: Squares = Squares {
        from: 0,
        to: 0,
        over: 0,
    };

    /// Of the move after which the opponent sees `next`.
    pub(crate) fn between(board: Board, next: Board) -> Squares {
        let [from, to] = board.move_to(next);
        Squares {
            from,
            to,
            over: board.other & !flip(next.own),
        }
    }

    const fn all(self) -> u64 {
        self.from | self.to | self.over
    }
}

/// The pattern of a position that is lost whatever the player to move does; each of his
/// moves comes with the pattern by which the opponent wins after it, seen by the mover.
pub(crate) fn lost_by_all(board: Board, field: u64, moves: &[(Squares, Pattern)]) -> Pattern {
    // A pattern that fits before the move, too, says that the opponent wins whatever
    // happens elsewhere.
    let anyhow = moves
        .iter()
        .filter(|(_, pattern)| pattern.fits(board, field))
        .min_by_key(|(_, pattern)| pattern.weight())
        .map(|&(_, pattern)| pattern);
    let mut need = anyhow.unwrap_or(Pattern {
        own: !board.own,
        ..Pattern::any(0)
    });
    // Other moves matter where they could disturb that.
    let (own, empty) = match anyhow {
        Some(pattern) => (pattern.own, pattern.empty),
        None => (!0, !0),
    };
    for (mv, pattern) in moves {
        if (mv.from | mv.over) & empty | mv.to & own != 0 {
            need.need_all(pattern, mv.all());
        }
    }
    // The loser must have a move, or he wins.
    let witness = moves.iter().map(|&(mv, _)| mv).min_by_key(|&mv| {
        let mut more = need;
        more.need_move(mv);
        (more.weight(), mv.from.leading_zeros())
    });
    if let Some(mv) = witness {
        need.need_move(mv);
    }
    need.forbid_others(board, field, own, empty);
    need.length += 1;
    need
}

impl Pattern {
    /// Rules out the moves that are not possible on this board and would put a pawn on
    /// one of the squares `own` or leave one of `empty`.
    fn forbid_others(&mut self, board: Board, field: u64, own: u64, empty: u64) {
        let free = board.free(field);
        for i in 0..3 {
            let back = |set: u64| down(set)[2 - i];
            let ahead = |set: u64| up(set)[i];
            // Steps, by the squares they come from.
            let from = field & back(field & own) | field & empty & back(field);
            let legal = board.own & back(free);
            let open = from & !self.own & !back(self.empty) & !legal;
            self.own |= open & !board.own;
            self.empty |= ahead(open & board.own);
            // Jumps likewise.
            let from = field & back(field & back(field & own))
                | field & back(field & empty & back(field))
                | field & empty & back(field & back(field));
            let legal = board.own & back(board.other & back(free));
            let open = from & !self.own & !back(self.other) & !back(back(self.empty)) & !legal;
            let over = ahead(open);
            self.other |= over & !board.other;
            let open = open & back(board.other);
            self.own |= open & !board.own;
            self.empty |= ahead(ahead(open & board.own));
        }
    }
}

/// The pattern of a position whose player to move has no move.
pub(crate) fn stuck(board: Board) -> Pattern {
    let near = up_all(board.own);
    let near = near | up_all(near);
    let only = Pattern::only(board, 0);
    Pattern {
        own: only.own,
        other: only.other & (near | board.own),
        empty: only.empty & (near | board.own),
        length: 0,
    }
}

/// The pattern of a position in which the opponent has arrived.
pub(crate) fn arrived(board: Board, field: u64) -> Option<Pattern> {
    let mut pattern = Pattern::any(0);
    let arrived = board.other & BOTTOM;
    pattern.need_other(arrived & arrived.wrapping_neg());
    let mut first = None;
    board.each_child(field, |child| {
        first = Some(Squares::between(board, child.board));
    });
    pattern.need_move(first?);
    Some(pattern)
}
