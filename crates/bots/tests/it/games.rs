//! Every player plays every game by the rules.

use std::time::Duration;

use bots::{BotSpec, Budget};
use games::{Algorithm, AnyPosition, GIPF, GameName, MMPAWNS, REVERSI};
use rules::{Outcome, Side};
use search::{HeldTime, Limits, Report, Time};

/// Plays one game; the moves, the outcome, and what the players said.
fn play(
    game: GameName,
    specs: [&str; 2],
    seed: u64,
    longest: usize,
) -> (Vec<Report<String>>, Option<Outcome>) {
    let mut bots = specs.map(|spec| {
        let spec: BotSpec = spec.parse().unwrap();
        spec.build(game, seed)
    });
    let mut position = AnyPosition::random_start(game, seed);
    let mut choices = Vec::new();
    while position.outcome().is_none() && choices.len() < longest {
        let bot = &mut bots[position.side_to_move().index()];
        let choice = bot.choose(&position, &Limits::default());
        let mut line = position.clone();
        for mv in &choice.line {
            line.play(mv).unwrap();
        }
        assert_eq!(choice.line.first(), choice.best.as_ref());
        position.play(&choice.line[0]).unwrap();
        choices.push(choice);
    }
    (choices, position.outcome())
}

const ALL: [&str; 6] = [
    "random",
    "greedy",
    "minimax:2",
    "alphabeta:d3",
    "mcts:n2000",
    "best:n2000",
];

#[test]
fn every_player_plays_every_game() {
    for game in GameName::all() {
        for spec in ALL {
            let (choices, _) = play(game, [spec, "random"], 3, 40);
            assert!(choices.len() > 4, "{game} {spec}");
        }
    }
}

#[test]
fn the_seed_decides_everything() {
    let texts = |choices: Vec<Report<String>>| -> Vec<Option<String>> {
        choices.into_iter().map(|choice| choice.best).collect()
    };
    for game in GameName::all() {
        for spec in ALL {
            let [a, b] = [0; 2].map(|_| texts(play(game, [spec, spec], 9, 30).0));
            assert_eq!(a, b, "{game} {spec}");
        }
        let other = texts(play(game, ["random", "random"], 10, 30).0);
        assert_ne!(texts(play(game, ["random", "random"], 9, 30).0), other);
    }
}

/// The stronger player is to win most of the games, sides changing.
#[track_caller]
fn check_stronger(game: GameName, stronger: &str, weaker: &str, games: u64) {
    let mut points = 0;
    for seed in 0..games {
        let side = Side::BOTH[seed as usize % 2];
        let mut specs = [stronger, weaker];
        if side == Side::Second {
            specs.reverse();
        }
        let (_, outcome) = play(game, specs, seed, 150);
        points += outcome.map_or(0, |o| o.sign_for(side));
    }
    assert!(
        points >= games as i32 / 2,
        "{game}: {stronger} against {weaker}: {points} points in {games} games"
    );
}

#[test]
fn better_players_win() {
    for game in GameName::all() {
        check_stronger(game, "alphabeta:d3", "greedy", 8);
        check_stronger(game, "mcts:n3000", "random", 4);
    }
    // In Reversi the most discs at once is famously bad.
    check_stronger(GIPF, "greedy", "random", 8);
    check_stronger(MMPAWNS, "greedy", "random", 8);
}

#[test]
fn greedy_takes_the_most_discs() {
    let position = AnyPosition::parse(
        REVERSI,
        "---------------------------OX------XOOO------------------------- X",
    )
    .unwrap();
    let mut bot = BotSpec::new(Algorithm::Greedy, Budget::Free).build(REVERSI, 1);
    let discs_after = |mv: &String| {
        let mut next = position.clone();
        next.play(mv).unwrap();
        next.to_string()[..64].matches('X').count()
    };
    let counts: Vec<usize> = position.moves().iter().map(discs_after).collect();
    let chosen = bot.choose(&position, &Limits::default()).best;
    assert_eq!(
        chosen.as_ref().map(discs_after).as_ref(),
        counts.iter().max()
    );
    assert_ne!(counts.iter().max(), counts.iter().min());
}

#[test]
fn time_holds_and_a_forced_move_is_quick() {
    let game = REVERSI;
    let mut bot = "best".parse::<BotSpec>().unwrap().build(game, 1);
    // A clock that goes on by a millisecond whenever it is read.
    let wall = Duration::from_millis(100);
    let held = HeldTime::new(Duration::from_millis(1));
    let limits = Limits {
        time: Time::held(&held),
        ..Limits::default().with_wall(wall).with_depth(20)
    };
    bot.choose(&AnyPosition::start(game), &limits);
    assert!(held.now() < 2 * wall, "{:?}", held.now());
    let forced = format!("{}OX{} X", "-".repeat(8), "-".repeat(54));
    let forced = AnyPosition::parse(game, &forced).unwrap();
    assert!(forced.moves().len() <= 1);
    let mut slow = "alphabeta:60s".parse::<BotSpec>().unwrap().build(game, 1);
    let nodes = slow.choose(&forced, &Limits::default()).nodes;
    assert!(nodes <= 1_000, "{nodes} nodes");
}

#[test]
fn a_finished_game_has_no_choice() {
    let over = AnyPosition::parse(REVERSI, &format!("{} O", "X".repeat(64))).unwrap();
    for spec in ALL {
        let spec: BotSpec = spec.parse().unwrap();
        let choice = spec.build(REVERSI, 1).choose(&over, &Limits::default());
        assert_eq!((choice.best, choice.score.sign()), (None, Some(-1)));
    }
}

#[test]
#[should_panic(expected = "a bot for reversi was asked about mmpawns")]
fn another_game_is_a_mistake() {
    let mut bot = BotSpec::new(Algorithm::Random, Budget::Free).build(REVERSI, 1);
    bot.choose(&AnyPosition::start(MMPAWNS), &Limits::default());
}
