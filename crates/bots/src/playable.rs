//! What this floor needs of a game beyond its rules: where games start, and its
//! strongest player. A new game implements [`Playable`] here.

use std::time::Duration;

use mmpawns::Squares;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Evaluate, Game, Hashed};
use search::Limits;

use crate::Engine;
use crate::othello::Strongest;

/// A game that bots can play.
pub trait Playable: Hashed + Evaluate {
    /// Where a game usually starts.
    fn usual_start() -> Self;

    /// A fair-looking start that the seed decides.
    fn random_start(seed: u64) -> Self;

    /// What `greedy` wants most: the worth of a position to the player who just moved.
    fn greed(&self) -> i32 {
        -self.evaluate()
    }

    /// The part of the time left for a game that a move in this position should get.
    fn share(&self, left: Duration) -> Limits {
        Limits::default().with_wall(left / 12)
    }

    /// The strongest player of this game, where one is better than generic search.
    fn strongest(seed: u64) -> Option<Box<dyn Engine<Self>>> {
        let _ = seed;
        None
    }
}

/// Plays random half-moves from `start`, and again from the beginning should the game
/// end on the way.
fn random_opening<G: Game>(start: &G, half_moves: u32, rng: &mut impl Rng) -> G {
    'again: loop {
        let mut position = start.clone();
        for _ in 0..half_moves {
            let moves = position.moves();
            if moves.is_empty() {
                continue 'again;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

impl Playable for reversi::Position {
    fn usual_start() -> Self {
        reversi::Position::start()
    }

    fn random_start(seed: u64) -> Self {
        random_opening(
            &Self::usual_start(),
            8,
            &mut ChaCha8Rng::seed_from_u64(seed),
        )
    }

    /// The most discs.
    fn greed(&self) -> i32 {
        -self.board().difference()
    }

    fn share(&self, left: Duration) -> Limits {
        othello::allot(left, self.board().empty().len())
    }

    fn strongest(_: u64) -> Option<Box<dyn Engine<Self>>> {
        Some(Box::new(Strongest::new()))
    }
}

impl Playable for gipf::Position {
    /// The original game.
    fn usual_start() -> Self {
        gipf::Position::start(gipf::Variant::ORIGINAL)
    }

    fn random_start(seed: u64) -> Self {
        random_opening(
            &Self::usual_start(),
            6,
            &mut ChaCha8Rng::seed_from_u64(seed),
        )
    }

    fn strongest(_: u64) -> Option<Box<dyn Engine<Self>>> {
        Some(Box::new(gipf_engine::player::Player::default()))
    }
}

impl Playable for mmpawns::Position {
    /// Eight pawns each on its own edge of a field without holes.
    fn usual_start() -> Self {
        facing(Squares(0), Squares(0xff << 56))
    }

    /// Five to eight pawns each on its own three rows, a few holes, and both players
    /// facing the same: turn the board around and they change places.
    fn random_start(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        loop {
            let some = |rng: &mut ChaCha8Rng, count, from: std::ops::Range<u8>| -> Squares {
                (0..count)
                    .map(|_| mmpawns::Square::new(rng.random_range(from.clone())))
                    .collect()
            };
            let (few, many) = (rng.random_range(0..4), rng.random_range(6..12));
            let holes = some(&mut rng, few, 0..32);
            let pawns = some(&mut rng, many, 40..64);
            if (5..=mmpawns::MOST_PAWNS).contains(&pawns.len()) {
                let position = facing(holes, pawns);
                if position.outcome().is_none() {
                    return position;
                }
            }
        }
    }

    fn strongest(_: u64) -> Option<Box<dyn Engine<Self>>> {
        Some(Box::new(Prover::default()))
    }
}

/// The MMPawns engine. Its memory is taken at the first move, so that a name costs nothing.
#[derive(Default)]
struct Prover(Option<mmpawns_engine::Player>);

impl Engine<mmpawns::Position> for Prover {
    fn search(
        &mut self,
        position: &mmpawns::Position,
        limits: &search::Limits,
    ) -> search::Report<mmpawns::Move> {
        let sizes = mmpawns_engine::Sizes {
            proofs: 64 << 20,
            values: 16 << 20,
        };
        let player = self
            .0
            .get_or_insert_with(|| mmpawns_engine::Player::new(sizes));
        player.choose(position, limits)
    }

    fn new_game(&mut self) {
        self.0 = None;
    }
}

/// A start with A's pawns and some holes as given, B's pawns and as many holes as they are
/// seen from the other end of the board. A pawn makes room for itself.
fn facing(holes: Squares, pawns: Squares) -> mmpawns::Position {
    let opposite = pawns.0.reverse_bits();
    let holes = (holes.0 | holes.0.reverse_bits()) & !(pawns.0 | opposite);
    mmpawns::Position::new([pawns, Squares(opposite)], Squares(!holes), 1)
        .expect("eight pawns at most, each on its own half of the board")
}
