//! Levels play legal moves, the same from the same seed, and err less the higher they are.

use bots::{Bot, BotSpec, Budget};
use games::{Algorithm, AnyPosition, GIPF, GameName, MMPAWNS, REVERSI};
use rules::Outcome;
use search::{Limits, Score};

fn level(game: GameName, level: Algorithm, seed: u64) -> Bot {
    BotSpec::new(level, Budget::Free).build(game, seed)
}

/// Plays a game out; at most so many plies.
fn play(mut players: [Bot; 2], mut position: AnyPosition, longest: usize) -> AnyPosition {
    for _ in 0..longest {
        if position.outcome().is_some() {
            break;
        }
        let player = &mut players[position.side_to_move().index()];
        let choice = player.choose(&position, &Limits::default());
        position.play(&choice.best.unwrap()).unwrap();
    }
    position
}

#[test]
fn every_level_plays_every_game_the_same_from_the_same_seed() {
    for game in games::BUILT_IN {
        for pair in Algorithm::LEVELS[..7].windows(2) {
            let once = || {
                let players = [level(game, pair[0], 5), level(game, pair[1], 6)];
                play(players, AnyPosition::random_start(game, 3), 12).to_string()
            };
            assert_eq!(once(), once(), "{game} {pair:?}");
        }
    }
}

/// The points of `stronger` in twelve games, six from either side.
fn score(game: GameName, weaker: Algorithm, stronger: Algorithm) -> f64 {
    let mut points = 0.0;
    for seed in 0..6 {
        for side in [0, 1] {
            let mut players = [level(game, weaker, seed), level(game, stronger, seed)];
            if side == 0 {
                players.reverse();
            }
            let end = play(players, AnyPosition::random_start(game, seed), 300);
            points += match end.outcome() {
                Some(Outcome::Win(winner)) => f64::from(u8::from(winner.index() == side)),
                Some(Outcome::Draw) | None => 0.5,
            };
        }
    }
    points
}

#[test]
fn higher_levels_win() {
    use Algorithm::{Casual, Club, FirstSteps, Learner};
    for (game, weaker, stronger) in [
        (REVERSI, FirstSteps, Casual),
        (REVERSI, Learner, Club),
        (MMPAWNS, FirstSteps, Casual),
        (GIPF, FirstSteps, Club),
    ] {
        let points = score(game, weaker, stronger);
        assert!(points >= 8.0, "{game}: {points} of 12 for {stronger:?}");
    }
}

/// A player that overlooks moves must not say that anything is proven.
#[test]
fn levels_prove_nothing() {
    // Black can win at once: White would have no disc left.
    let position = AnyPosition::parse(
        REVERSI,
        "-----------X-------O-----XO--------XO--------X------------------ X",
    )
    .unwrap();
    for seed in 0..20 {
        let mut bot = level(REVERSI, Algorithm::Casual, seed);
        let report = bot.choose(&position, &Limits::default());
        assert!(matches!(report.score, Score::Estimate(_)), "{report:?}");
    }
}
