use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::super::{elo_of_score, expected_score};
use super::*;

fn game(first: usize, second: usize, half_points: u8, pair: u64) -> RatedGame {
    RatedGame {
        first,
        second,
        half_points,
        pair,
    }
}

#[test]
fn anchors_are_where_ratings_begin() {
    let games: Vec<RatedGame> = (0..40)
        .map(|n| game(n % 3, (n + 1) % 3, (n * 7 % 3) as u8, n as u64 / 2))
        .collect();
    let ratings = elo(3, &games);
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        let (above, difference) = (ratings.above(&[b])[a], ratings.difference(a, b));
        assert!((above.elo - difference.elo).abs() < 1e-9);
        assert!((above.error - difference.error).abs() < 1e-9);
    }
    assert!(ratings.above(&[1])[1].error < 1e-9);
    let all = ratings.above(&[0, 1, 2])[0];
    assert!((all.elo - ratings.players[0].elo).abs() < 1e-9);
    assert!((all.error - ratings.players[0].error).abs() < 1e-9);
}

#[test]
fn ratings_are_written_with_their_sign() {
    for (elo, digits, expected) in [
        (12.34, 0, "+12 ± 5"),
        (-12.34, 1, "-12.3 ± 5.0"),
        (-0.3, 0, "+0 ± 5"),
        (-0.04, 1, "+0.0 ± 5.0"),
        (0.0, 0, "+0 ± 5"),
    ] {
        let rating = Rating { elo, error: 5.0 };
        assert_eq!(format!("{rating:.digits$}"), expected);
    }
}

#[test]
fn two_players_get_the_logistic_difference_of_their_score() {
    // 600 of 1000 points, half of them from draws, colours even.
    let games: Vec<RatedGame> = (0..1000)
        .map(|i| {
            let half_points = [2, 1, 1, 1, 1, 2, 1, 0, 2, 1][i as usize / 2 % 10];
            if i % 2 == 0 {
                game(0, 1, half_points, i / 2)
            } else {
                game(1, 0, 2 - half_points, i / 2)
            }
        })
        .collect();
    let ratings = elo(2, &games);
    let difference = ratings.difference(0, 1);
    let wanted = elo_of_score(0.6);
    assert!((difference.elo - wanted).abs() < 0.5, "{difference:?}");
    assert!(ratings.first_move.elo.abs() < 1e-6);
    assert!(ratings.superiority(0, 1) > 0.999);
    assert!((ratings.superiority(0, 1) + ratings.superiority(1, 0) - 1.0).abs() < 1e-12);
}

#[test]
fn no_games_and_lopsided_games_stay_finite() {
    let none = elo(3, &[]);
    assert!(none.players.iter().all(|r| r.elo == 0.0 && r.error > 400.0));
    assert_eq!(none.superiority(0, 1), 0.5);
    let all: Vec<RatedGame> = (0..40).map(|i| game(0, 1, 2, i)).collect();
    let ratings = elo(2, &all);
    assert!(ratings.players[0].elo > 100.0 && ratings.players[0].elo < 2000.0);
    assert!(ratings.players[0].error.is_finite());
    assert_eq!(elo(0, &[]).players, []);
}

#[test]
fn the_better_colour_is_told_apart_from_the_better_player() {
    // Whoever moves first wins: equal players, a large advantage, small errors.
    let games: Vec<RatedGame> = (0..200)
        .map(|i| game((i % 2) as usize, ((i + 1) % 2) as usize, 2, i / 2))
        .collect();
    let ratings = elo(2, &games);
    assert!(ratings.players[0].elo.abs() < 1e-6);
    assert!(ratings.first_move.elo > 400.0);
}

/// The slope of the likelihood in one parameter, game by game.
fn slope(parameters: &[f64], players: usize, games: &[RatedGame], index: usize) -> f64 {
    let prior = 0.5 - sigmoid(parameters[index]);
    let of_game = |game: &RatedGame| {
        let residual = f64::from(game.half_points) / 2.0
            - expected(parameters, players, game.first, game.second);
        match index {
            _ if index == game.first || index == players => residual,
            _ if index == game.second => -residual,
            _ => 0.0,
        }
    };
    prior + games.iter().map(of_game).sum::<f64>()
}

/// The same maximum in the most obvious way: one parameter after the other is moved to where
/// the slope is nothing, until none moves any more.
fn slowly(players: usize, games: &[RatedGame]) -> Vec<f64> {
    let mut parameters = vec![0.0; players + 1];
    for _ in 0..10_000 {
        let mut moved: f64 = 0.0;
        for index in 0..=players {
            let before = parameters[index];
            let (mut low, mut high) = (-20.0, 20.0);
            for _ in 0..60 {
                parameters[index] = (low + high) / 2.0;
                match slope(&parameters, players, games, index) > 0.0 {
                    true => low = parameters[index],
                    false => high = parameters[index],
                }
            }
            moved = moved.max((parameters[index] - before).abs());
        }
        if moved < 1e-9 {
            break;
        }
    }
    parameters
}

#[test]
fn ratings_are_where_the_obvious_way_finds_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(20);
    for round in 0..30 {
        let players = rng.random_range(2..7);
        let strengths: Vec<f64> = (0..players)
            .map(|_| rng.random_range(-800.0..800.0))
            .collect();
        let games: Vec<RatedGame> = (0..rng.random_range(1..60))
            .map(|pair| {
                let first = rng.random_range(0..players);
                let second = (first + rng.random_range(1..players)) % players;
                let e = expected_score(strengths[first] - strengths[second]);
                game(first, second, sample(&mut rng, e), pair)
            })
            .collect();
        let slow = slowly(players, &games);
        let fast = elo(players, &games);
        let mean = slow[..players].iter().sum::<f64>() / players as f64;
        for (player, rating) in fast.players.iter().enumerate() {
            let wanted = (slow[player] - mean) * ELO_PER_UNIT;
            assert!(
                (rating.elo - wanted).abs() < 1e-3,
                "{round}: {rating:?} {wanted}"
            );
        }
        let wanted = slow[players] * ELO_PER_UNIT;
        assert!((fast.first_move.elo - wanted).abs() < 1e-3, "{round}");
    }
}

/// A ladder of a big course: few steps, however many games there are.
#[test]
fn many_games_do_not_ask_for_more_than_can_be_known() {
    let games: Vec<RatedGame> = (0..60_000)
        .map(|n| {
            let first = n % 40;
            let second = (first + 1 + n / 40 % 39) % 40;
            game(first, second, [2, 0, 1, 2, 0][n % 5], n as u64 / 2)
        })
        .collect();
    let parameters = maximise(40, &meetings(&games));
    for index in 0..=40 {
        let slope = slope(&parameters, 40, &games, index);
        assert!(slope.abs() < 1e-6, "{index}: {slope}");
    }
}

/// The 95 % intervals hold the truth about 95 times of 100, with draws and pairs.
#[test]
fn intervals_cover_the_truth() {
    let truth = [-120.0, -30.0, 10.0, 140.0];
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut inside, mut all) = (0, 0);
    for _ in 0..300 {
        let mut games = Vec::new();
        for a in 0..truth.len() {
            for b in a + 1..truth.len() {
                for pair in 0..30 {
                    // A position that favours one colour, the same in both games.
                    let tilt = f64::from(rng.random_range(-60..=60));
                    for (first, second) in [(a, b), (b, a)] {
                        let e = expected_score(truth[first] - truth[second] + 30.0 + tilt);
                        let half = sample(&mut rng, e);
                        games.push(game(first, second, half, pair));
                    }
                }
            }
        }
        let ratings = elo(truth.len(), &games);
        for (rating, truth) in ratings.players.iter().zip(truth) {
            all += 1;
            inside += i32::from((rating.elo - truth).abs() <= rating.error);
        }
    }
    let share = f64::from(inside) / f64::from(all);
    assert!((0.92..=0.98).contains(&share), "{share}");
}

/// A result with expectation `e` of which a third of the closest games are draws.
fn sample(rng: &mut impl rand::Rng, e: f64) -> u8 {
    let draw = 0.6 * e.min(1.0 - e);
    let x: f64 = rng.random();
    if x < e - draw / 2.0 {
        2
    } else if x < e + draw / 2.0 {
        1
    } else {
        0
    }
}
