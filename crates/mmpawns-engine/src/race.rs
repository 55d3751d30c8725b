//! Wins that need no search: a pawn that runs to the edge while nobody can stop it.
//!
//! The opponent's reach is grown move by move, as if all his pawns moved at once. A
//! runner that never steps where he could be or could take it arrives, unless the
//! opponent arrives first, or runs out of moves first, which wins for him. A lone pawn
//! cannot be stopped at all: to take it, or to block it for good, is to lose.

use crate::board::{BOTTOM, Board, TOP, down, flip, up_all};

/// Plies after which the player to move has won by running, if that is certain.
#[inline]
pub(crate) fn wins(board: Board, field: u64) -> Option<u32> {
    run(board.own, board.other, field, true).map(|moves| 2 * moves - 1)
}

/// Plies after which the player to move has lost because the opponent runs
/// whatever he does, if that is certain. `field` is the mover's.
#[inline]
pub(crate) fn loses(board: Board, field: u64) -> Option<u32> {
    let (runner, other) = (flip(board.other), flip(board.own));
    run(runner, other, flip(field), false).map(|moves| 2 * moves)
}

/// Squares where a pawn of `reach`, or one of its moves further, can be.
/// It may pass over pawns that have gone meanwhile.
#[inline]
const fn grow(reach: u64, own: u64, field: u64) -> u64 {
    let near = down(reach);
    let jumps = down(near[0] & own)[0] | down(near[1] & own)[1] | down(near[2] & own)[2];
    reach | (near[0] | near[1] | near[2] | jumps) & field
}

/// Squares on which a pawn could be taken from `reach`: the one behind is field.
#[inline]
const fn attacked(reach: u64, field: u64) -> u64 {
    let near = down(reach);
    let behind = [
        (field & 0x7f7f_7f7f_7f7f_7f7f) >> 7,
        field >> 8,
        (field & 0xfefe_fefe_fefe_fefe) >> 9,
    ];
    near[0] & behind[0] | near[1] & behind[1] | near[2] & behind[2]
}

/// Moves in which a pawn of `own` surely arrives at the top; `first` says that `own`
/// is to move.
#[inline]
fn run(own: u64, other: u64, field: u64, first: bool) -> Option<u32> {
    let lone = own.is_power_of_two();
    let mut reach = other;
    let mut runners = own;
    let mut path = 0;
    if !first {
        if !lone {
            runners &= !attacked(reach, field);
        }
        reach = grow(reach, own, field);
        if reach & BOTTOM != 0 {
            return None;
        }
    }
    for moves in 1..8 {
        runners = up_all(runners) & field;
        if !lone {
            runners &= !(own | reach);
        }
        if runners & TOP != 0 || lone && own >> (8 * moves) & TOP != 0 {
            let replies = if first { moves - 1 } else { moves };
            let stays = if lone {
                keeps_moving_beside_lone(own, other, field, path, replies)
            } else {
                keeps_moving(own, other, field, path, replies)
            };
            return stays.then_some(moves);
        }
        if lone {
            // Wherever it is driven, it goes on or is stuck and wins; here all that
            // matters is where it may stand in the way.
            path |= runners;
        } else {
            runners &= !attacked(reach, field);
            path |= runners;
            if runners == 0 {
                return None;
            }
        }
        reach = grow(reach, own, field);
        if reach & BOTTOM != 0 {
            return None;
        }
    }
    None
}

/// Squares that pawns of `own` can come to safely: nobody can block the way there or take
/// a pawn on it. Where one is at the top it may win; where none is, only a lone pawn can.
/// `first` says that `own` is to move.
#[inline(always)]
pub(crate) fn safe_squares<const N: usize>(
    own: &[u64; N],
    other: &[u64; N],
    field: u64,
    first: bool,
) -> [u64; N] {
    let mut reach = *other;
    let mut runners = *own;
    let mut safe = [0; N];
    if !first {
        for i in 0..N {
            let next = runners[i] & !attacked(reach[i], field);
            reach[i] = grow(reach[i], own[i], field);
            runners[i] = if reach[i] & BOTTOM == 0 { next } else { 0 };
        }
    }
    for _ in 1..8 {
        let mut any = 0;
        for i in 0..N {
            let next = up_all(runners[i]) & field & !(own[i] | reach[i]);
            let next = next & (TOP | !attacked(reach[i], field));
            safe[i] |= next;
            reach[i] = grow(reach[i], own[i], field);
            runners[i] = if reach[i] & BOTTOM == 0 { next } else { 0 };
            any |= runners[i];
        }
        if any == 0 {
            break;
        }
    }
    safe
}

/// Whether `other` surely has a move left after each of up to `moves` moves of his own,
/// while `own` stands still but for a runner on `path`.
///
/// His foremost pawns can be stuck only where `own` or the edge of the field stops them,
/// those behind only there or behind stuck ones. To be stuck altogether he must bring
/// every pawn to such a square, one move at a time.
fn keeps_moving(own: u64, other: u64, field: u64, path: u64, moves: u32) -> bool {
    let reach = (0..moves).fold(other, |reach, _| grow(reach, own, field));
    let dead = dead_squares(field & !(own | path), reach, field);
    if reach & dead == 0 {
        return true;
    }
    let mut spent = 0;
    let mut rest = other;
    while rest != 0 {
        let mut places = rest & rest.wrapping_neg();
        rest ^= places;
        while places & dead == 0 {
            spent += 1;
            if spent > moves {
                return true;
            }
            places = grow(places, own, field);
        }
    }
    false
}

/// Squares on which a pawn going down may be stuck: none before it is `open`, or those
/// that are may be taken by others of `reach` that are stuck.
#[inline]
fn dead_squares(open: u64, reach: u64, field: u64) -> u64 {
    let mut dead = 0;
    loop {
        let more = field & !up_all(open & !(dead & reach));
        if more == dead {
            return dead;
        }
        dead = more;
    }
}

/// The same beside a lone runner, which may be forced to take what stands before it: only
/// pawns that it cannot meet count.
fn keeps_moving_beside_lone(own: u64, other: u64, field: u64, path: u64, moves: u32) -> bool {
    let before = up_all(own | path);
    let mut pawns = [0; 8];
    let mut reaches = [0; 8];
    let mut count = 0;
    let mut rest = other;
    while rest != 0 {
        let pawn = rest & rest.wrapping_neg();
        rest ^= pawn;
        let mut reach = pawn;
        for _ in 0..moves {
            reach = grow(reach, own, field);
        }
        pawns[count] = pawn;
        reaches[count] = reach;
        count += 1;
    }
    let mut spare = 0;
    for i in (0..count).filter(|&i| reaches[i] & before == 0) {
        let others = (0..count)
            .filter(|&j| j != i)
            .fold(0, |set, j| set | reaches[j]);
        let sure = field & !(own | path | others);
        // Squares from which this pawn can go on, whatever stands elsewhere.
        let good = up_all(sure);
        let mut reach = pawns[i];
        while reach & !good == 0 {
            spare += 1;
            if spare > moves {
                return true;
            }
            reach = grow(reach, own, field);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn a_reach_grows_by_steps_and_jumps() {
        let pawn = 1 << 3;
        let field = !0;
        assert_eq!(grow(pawn, 0, field), pawn | 0b11100 << 8);
        let blocker = 1 << 11;
        assert_eq!(grow(pawn, blocker, field), pawn | 0b11100 << 8 | 1 << 19);
    }

    /// Whether `other` can be stuck after at most so many moves of his own, by trying all
    /// of them; `own` stands still.
    fn can_be_stuck(own: u64, other: u64, field: u64, moves: u32) -> bool {
        let free = field & !(own | other);
        let mut next = Vec::new();
        for from in (0..64).map(|i| 1 << i).filter(|pawn| other & pawn != 0) {
            for i in 0..3 {
                let over = down(from)[i];
                let to = if over & own != 0 { down(over)[i] } else { over };
                if to & free != 0 {
                    next.push((own & !over, other ^ from ^ to));
                }
            }
        }
        next.is_empty()
            || moves > 0
                && next
                    .into_iter()
                    .any(|(own, other)| can_be_stuck(own, other, field, moves - 1))
    }

    /// What is called sure is so, and most that is so is called sure.
    #[test]
    fn who_keeps_moving_is_never_stuck() {
        let (mut sure, mut safe, mut stuck) = (0, 0, 0);
        for seed in 0..4000 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut some =
                |count: u32| (0..count).fold(0, |set, _| set | 1u64 << rng.random_range(8..56));
            let (own, other) = (some(7), some(1 + seed as u32 % 5));
            let (own, field) = (own & !other, !some(16) | own | other);
            let moves = seed as u32 % 4;
            let can = can_be_stuck(own, other, field, moves);
            let keeps = keeps_moving(own, other, field, 0, moves);
            assert!(
                !(can && keeps),
                "{seed}: {own:x} {other:x} {field:x} {moves}"
            );
            sure += u32::from(keeps);
            safe += u32::from(!can);
            stuck += u32::from(can);
        }
        assert!(stuck > 100, "{stuck}");
        assert!(sure * 3 > safe * 2, "{sure} of {safe}");
    }
}
