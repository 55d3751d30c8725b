//! The player and the solver are right where the slow solver knows the answer.

use mmpawns::Position;
use mmpawns_engine::fields::{Spread, random_start};
use mmpawns_engine::{Player, Prover, Sizes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};
use search::{Distance, Limits, Score};

use crate::prover::small;
use crate::slow;

fn player() -> Player {
    Player::new(Sizes {
        proofs: 1 << 20,
        values: 1 << 20,
    })
}

/// Positions that go on, with their exact values.
fn positions(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (Position, i32)> {
    seeds
        .map(small)
        .filter(|position| position.outcome().is_none())
        .filter_map(|position| Some((position, slow::value(&position)?)))
}

#[test]
fn plays_wins_the_shortest_and_losses_the_longest_way() {
    let mut player = player();
    let limits = Limits::default().with_nodes(100_000);
    for (position, value) in positions(10_000..10_600) {
        let report = player.choose(&position, &limits);
        let mut next = position;
        next.play(report.best.expect("a move")).unwrap();
        let after = slow::value(&next).unwrap();
        // One ply nearer to the end, and seen by the opponent.
        assert_eq!(-after, value + value.signum(), "{position}");
        assert!(
            report.score.is_proven() || position.count_moves() == 1,
            "{position}"
        );
    }
}

#[test]
fn never_gives_a_result_away_even_in_a_hurry() {
    let mut player = player();
    let limits = Limits::default().with_nodes(3_000);
    for (position, value) in positions(20_000..20_600) {
        let report = player.choose(&position, &limits);
        let mut next = position;
        next.play(report.best.expect("a move")).unwrap();
        let after = slow::value(&next).unwrap();
        assert_eq!(-after.signum(), value.signum(), "{position}");
    }
}

/// A position in the middle of a game: a few pawns more than the slow solver can bear,
/// after some random moves; every third is late, so that a draw is near.
fn middle(seed: u64) -> Option<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let pawns = rng.random_range(3..=6);
    let mut position = random_start(Spread::Home3, pawns, rng.random_range(0..=10), seed);
    for _ in 0..rng.random_range(4..=14) {
        let moves = position.moves();
        if position.outcome().is_some() {
            return None;
        }
        position.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    if seed.is_multiple_of(3) {
        let late = position.number() % 2 + 2 * rng.random_range(20..=27);
        let pawns = Side::BOTH.map(|side| position.pawns(side));
        position = Position::new(pawns, position.field(), late).ok()?;
    }
    position.outcome().is_none().then_some(position)
}

/// What a proof of so many positions finds, a player with a little more never gives away.
#[test]
fn keeps_what_it_can_prove() {
    let mut prover = Prover::new(16 << 20);
    let mut seen = [0; 3];
    for position in (0..400).filter_map(middle) {
        let Some(value) = prover.prove(&position, &Limits::default().with_nodes(20_000)) else {
            continue;
        };
        seen[value as usize] += 1;
        let limits = Limits::default().with_nodes(40_000);
        // A new player for every move, as the program is.
        let report = player().choose(&position, &limits);
        let mut next = position;
        next.play(report.best.expect("a move")).unwrap();
        let after = prover.prove(&next, &Limits::default()).expect("no limit");
        assert_eq!(after.for_opponent(), value, "{position}");
    }
    println!("wins, draws, losses: {seen:?}");
    assert!(seen[0] > 50 && seen[1] > 10 && seen[2] > 50, "{seen:?}");
}

/// However many threads there are, their positions are counted together; so is processor time,
/// which is shared out in the same way.
#[test]
fn helpers_have_a_share_of_the_limits() {
    let most = 20_000;
    let limits = Limits::default().with_nodes(most);
    let mut hard = 0;
    for seed in 0..4 {
        let start = random_start(Spread::Home2, 8, 2, seed);
        for threads in 1..=4 {
            let mut helpers: Vec<Player> = (1..threads).map(|_| player()).collect();
            let used = player().solve(&mut helpers, &start, &limits).nodes;
            assert!(used <= most, "{threads} threads, {start}: {used}");
            hard += u32::from(used > most / 2);
        }
    }
    assert!(hard > 0);
}

#[test]
fn solves_value_distance_and_every_move() {
    let (mut player, mut helpers) = (player(), [player()]);
    let limits = Limits::default().with_nodes(2_000_000);
    for (i, (position, value)) in positions(30_000..30_200).enumerate() {
        // Alone and with help.
        let helpers = &mut helpers[i % 2..];
        let solution = player.solve(helpers, &position, &limits);
        let mut at = position;
        for &mv in &solution.line {
            at.play(mv).unwrap();
        }
        assert!(at.outcome().is_some(), "the line of {position}");
        let check = |score: Option<Score>, value: i32| {
            let distance = Distance::Exactly((1000 - value.abs()) as u32);
            let expected = match value.signum() {
                1 => Score::Win(distance),
                0 => Score::Draw,
                _ => Score::Loss(distance),
            };
            assert_eq!(score, Some(expected), "{position}");
        };
        check(solution.score, value);
        for (mv, score) in solution.moves {
            let mut next = position;
            next.play(mv).unwrap();
            let value = -slow::value(&next).unwrap();
            check(score, value - value.signum());
        }
    }
}
