//! Positions of published GIPF from every phase of its three games: full and empty reserves,
//! GIPF-pieces in every number, crowded boards, very many moves, long games without a removal.

use std::collections::BTreeSet;

use gipf_standard::{Position, Rules, Stage};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};

use super::cover::{Candidate, cover};

/// What a position shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Phase {
    /// This game (its place in [`Rules::ALL`]) with this player to move.
    ToMove(usize, Side),
    /// The mover has so many pieces in reserve, or the opponent has.
    OwnReserve(u8),
    OtherReserve(u8),
    /// So many GIPF-pieces of the mover, or of the opponent, are on the board; not in the basic
    /// game.
    OwnGipf(usize),
    OtherGipf(usize),
    /// This player is to move and may still bring in GIPF-pieces.
    Opening(Side),
    /// No more than so many points are empty.
    EmptyAtMost(usize),
    /// More moves are legal.
    MovesAbove(usize),
    /// The mover has at least five pieces more in reserve than the opponent, or fewer.
    Ahead,
    Behind,
    /// So many half-moves, at least, have passed without a removal.
    Quiet(u8),
}

/// Everything that random games show.
pub(super) fn wanted() -> Vec<Phase> {
    let mut all = vec![Phase::Ahead, Phase::Behind];
    for side in Side::BOTH {
        all.extend((0..Rules::ALL.len()).map(|rules| Phase::ToMove(rules, side)));
        all.push(Phase::Opening(side));
    }
    for reserve in 1..=12 {
        all.extend([Phase::OwnReserve(reserve), Phase::OtherReserve(reserve)]);
    }
    for pieces in 1..=5 {
        all.extend([Phase::OwnGipf(pieces), Phase::OtherGipf(pieces)]);
    }
    all.extend([6, 10, 15].map(Phase::EmptyAtMost));
    all.extend([40, 60, 80].map(Phase::MovesAbove));
    all.extend(QUIET.map(Phase::Quiet));
    all
}

/// Half-moves without a removal that are written into positions: few games get so far.
const QUIET: [u8; 3] = [25, 50, 90];

impl Phase {
    /// Whether a position shows it.
    pub(super) fn is_shown(self, position: &Position) -> bool {
        let side = position.side_to_move();
        let reserve = |side: Side| u32::from(position.reserve(side));
        let text = position.to_string();
        let count = |letter: char| {
            let rows = text.rsplit(' ').next().unwrap_or_default();
            rows.chars().filter(|one| *one == letter).count()
        };
        let gipf = |side: Side| count(['W', 'B'][side.index()]);
        match self {
            Phase::ToMove(rules, mover) => Rules::ALL[rules] == position.rules() && mover == side,
            Phase::OwnReserve(pieces) => reserve(side) == u32::from(pieces),
            Phase::OtherReserve(pieces) => reserve(!side) == u32::from(pieces),
            Phase::OwnGipf(pieces) => gipf(side) == pieces,
            Phase::OtherGipf(pieces) => gipf(!side) == pieces,
            Phase::Opening(mover) => mover == side && position.stage(side) == Stage::Gipf,
            Phase::EmptyAtMost(points) => count('_') <= points,
            Phase::MovesAbove(moves) => position.moves().len() > moves,
            Phase::Ahead => reserve(side) >= reserve(!side) + 5,
            Phase::Behind => reserve(!side) >= reserve(side) + 5,
            Phase::Quiet(half_moves) => position.quiet() >= half_moves,
        }
    }
}

/// Random games are played until everything has been shown, but never more than these.
const GAMES: usize = 400;

/// Positions of random games that between them show everything.
pub(super) fn phases(rng: &mut ChaCha8Rng) -> Vec<Position> {
    let mut missing: BTreeSet<Phase> = wanted().into_iter().collect();
    missing.retain(|phase| !matches!(phase, Phase::Quiet(_)));
    let mut candidates = Vec::new();
    for game in 0..GAMES {
        if missing.is_empty() {
            break;
        }
        let mut position = Position::start(Rules::ALL[game % 3]);
        for _ in 0..150 {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let shows: Vec<Phase> = match missing.iter().any(|phase| phase.is_shown(&position)) {
                true => wanted()
                    .into_iter()
                    .filter(|phase| phase.is_shown(&position))
                    .collect(),
                false => Vec::new(),
            };
            if !shows.is_empty() {
                missing.retain(|phase| !shows.contains(phase));
                candidates.push(Candidate {
                    case: position,
                    shows,
                });
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
    }
    let mut positions = cover(candidates);
    let late: Vec<Position> = positions
        .iter()
        .zip(QUIET)
        .filter_map(|(position, quiet)| after(position, quiet))
        .collect();
    positions.extend(late);
    positions
}

/// The same position after so many half-moves without a removal.
fn after(position: &Position, quiet: u8) -> Option<Position> {
    let text = position.to_string();
    let (head, rows) = text.rsplit_once(' ')?;
    let words: Vec<&str> = head.split(' ').take(4).collect();
    format!("{} {quiet}/100 {rows}", words.join(" "))
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn the_phases_show_everything_with_any_seed() {
        for seed in 1..4 {
            let phases = phases(&mut ChaCha8Rng::seed_from_u64(seed));
            let is_missing =
                |phase: &Phase| !phases.iter().any(|position| phase.is_shown(position));
            let missing: Vec<Phase> = wanted().into_iter().filter(is_missing).collect();
            assert_eq!(missing, [], "seed {seed}");
            assert!(phases.len() < 40, "{}", phases.len());
        }
    }
}
