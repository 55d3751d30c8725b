//! Names that are read, and what is said of those that are not.

use std::time::Duration;

use bots::{BotSpec, Budget};
use games::{Algorithm, GameName, REVERSI};

#[test]
fn games_by_name() {
    assert_eq!("othello".parse(), Ok(REVERSI));
    assert_eq!("Reversi".parse(), Ok(REVERSI));
    for game in GameName::all() {
        assert_eq!(game.name().parse(), Ok(game));
        assert_eq!(game.to_string(), game.name());
    }
    let error = "chess".parse::<GameName>().unwrap_err().to_string();
    assert!(error.starts_with("unknown game \"chess\"; there are reversi, "));
}

#[track_caller]
fn check(text: &str, spec: BotSpec, again: &str) {
    assert_eq!(text.parse(), Ok(spec));
    assert_eq!(spec.to_string(), again);
    assert_eq!(again.parse(), Ok(spec));
}

#[test]
fn players_by_name() {
    let time = |ms| Budget::Time(Duration::from_millis(ms));
    check(
        "random",
        BotSpec::new(Algorithm::Random, Budget::Free),
        "random",
    );
    check(
        "greedy",
        BotSpec::new(Algorithm::Greedy, Budget::Free),
        "greedy",
    );
    check(
        "first-steps",
        BotSpec::new(Algorithm::FirstSteps, Budget::Free),
        "first-steps",
    );
    check(
        "minimax:3",
        BotSpec::new(Algorithm::Minimax, Budget::Depth(3)),
        "minimax:3",
    );
    check(
        "minimax:d3",
        BotSpec::new(Algorithm::Minimax, Budget::Depth(3)),
        "minimax:3",
    );
    check(
        "alphabeta",
        BotSpec::new(Algorithm::AlphaBeta, Budget::Free),
        "alphabeta",
    );
    check(
        "alphabeta:200ms",
        BotSpec::new(Algorithm::AlphaBeta, time(200)),
        "alphabeta:200ms",
    );
    check(
        "alphabeta:d6",
        BotSpec::new(Algorithm::AlphaBeta, Budget::Depth(6)),
        "alphabeta:d6",
    );
    check(
        "mcts:1s",
        BotSpec::new(Algorithm::Mcts, time(1000)),
        "mcts:1s",
    );
    check(
        "mcts:n500",
        BotSpec::new(Algorithm::Mcts, Budget::Nodes(500)),
        "mcts:n500",
    );
    check(
        "best:1500ms",
        BotSpec::new(Algorithm::Best, time(1500)),
        "best:1.5s",
    );
    check(
        "best:0s",
        BotSpec::new(Algorithm::Best, time(0)),
        "best:0ms",
    );
    check(
        "best:90s",
        BotSpec::new(Algorithm::Best, time(90_000)),
        "best:90s",
    );
    let game = |ms| BotSpec::new(Algorithm::Best, Budget::Game(Duration::from_millis(ms)));
    check("best:30s/game", game(30_000), "best:30s/game");
    check("best:0.55s/game", game(550), "best:550ms/game");
}

#[track_caller]
fn check_bad(text: &str, expected: &str) {
    let error = text.parse::<BotSpec>().unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_players_say_why() {
    check_bad(
        "deepblue",
        "unknown player \"deepblue\"; there are random, greedy, minimax:DEPTH, \
         alphabeta[:TIME], mcts[:TIME], best[:TIME], first-steps, beginner, learner, casual, club, \
         strong, expert",
    );
    check_bad(
        "random:3",
        "bad player \"random:3\": random takes no argument",
    );
    for text in [
        "minimax",
        "minimax:0",
        "minimax:-1",
        "minimax:x",
        "minimax:101",
    ] {
        check_bad(
            text,
            &format!("bad player {text:?}: minimax wants a depth from 1 to 100"),
        );
    }
    check_bad("mcts:d3", "bad player \"mcts:d3\": mcts has no depth");
    for budget in [
        "", "5", "xs", "-1s", "inf s", "NaNs", "1e99s", "d0", "n", "ms",
    ] {
        check_bad(
            &format!("best:{budget}"),
            &format!(
                "bad player \"best:{budget}\": {budget:?} is no time (200ms, 1.5s, 30s/game), \
                 depth (d1 to d100) or number of nodes (n10000)"
            ),
        );
    }
}
