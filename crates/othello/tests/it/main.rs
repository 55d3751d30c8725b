//! The engine as its users see it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use othello::{Engine, Options, discs, solve_exact};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reversi::{Board, Discs, Move, Position};
use rules::{Game, Side, Symmetric};
use search::{HeldTime, Limits, Report, Score, Time};

const SMALL: Options = Options {
    threads: 1,
    hash: 4,
};

fn played(rng: &mut ChaCha8Rng, empties: u32) -> Option<Position> {
    let mut position = Position::start();
    while position.board().empty().len() > empties {
        let moves = position.moves();
        if moves.is_empty() {
            return None;
        }
        position.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    position.outcome().is_none().then_some(position)
}

/// Plays the line and gives the final disc difference for the player to move first.
fn end_of(position: &Position, line: &[Move]) -> i32 {
    let (mut end, side) = (*position, position.side_to_move());
    for &mv in line {
        end.play(mv).expect("a legal line");
    }
    assert!(end.outcome().is_some(), "the line ends too early: {end}");
    let (own, other) = (end.discs(side).len() as i32, end.discs(!side).len() as i32);
    let empty = 64 - own - other;
    own - other + (own - other).signum() * empty
}

#[test]
fn solved_positions_have_the_exact_value_and_a_line_to_the_end() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut engine = Engine::new(SMALL);
    for round in 0..60 {
        let Some(position) = played(&mut rng, 1 + round % 15) else {
            continue;
        };
        let answer = engine.search(&position, &Limits::default(), |_| {});
        let value = solve_exact(position.board());
        assert_eq!(answer.score, Score::Margin(value), "{position}");
        assert_eq!(answer.best, answer.line.first().copied());
        assert_eq!(end_of(&position, &answer.line), value, "{position}");
    }
}

#[test]
fn analysis_values_every_move() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut engine = Engine::new(SMALL);
    for _ in 0..10 {
        let Some(position) = played(&mut rng, 12) else {
            continue;
        };
        let mut reports = 0;
        let analysis = engine.analyse(&position, &Limits::default(), |_| reports += 1);
        assert!(reports >= analysis.moves.len());
        let legal = position.board().moves();
        assert_eq!(analysis.moves.len(), legal.len() as usize);
        for known in &analysis.moves {
            let square = known.best.and_then(|mv| mv.square());
            let square = square.expect("no pass among several moves");
            let value = -solve_exact(position.board().play(square));
            assert_eq!(known.confidence, 100);
            assert_eq!(known.score, Score::Margin(value), "{square} in {position}");
            let end = end_of(&position, &known.line);
            assert_eq!(end, value, "{square} in {position}");
        }
        assert!(
            analysis
                .moves
                .is_sorted_by_key(|known| -known.score.value())
        );
    }
}

/// Moves to positions that are mirror images of each other have one value, however far the search
/// comes, and lines that can be played.
#[test]
fn symmetric_moves_are_worth_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut twins = 0;
    for number in 0..40 {
        let Some(position) = played(&mut rng, 60 - number % 5) else {
            continue;
        };
        let limits = Limits::default().with_depth(1 + number % 6);
        let analysis = Engine::new(SMALL).analyse(&position, &limits, |_| {});
        let legal = position.board().moves().len() as usize;
        assert_eq!(analysis.moves.len(), legal);
        let mut values: HashMap<String, Score> = HashMap::new();
        for known in &analysis.moves {
            let mut end = position;
            for &mv in &known.line {
                end.play(mv).expect("a legal line");
            }
            let mv = known.best.expect("a move");
            let mut next = position;
            next.play(mv).expect("a legal move");
            let views = (0..8).map(|index| next.transform(index).to_string());
            let class = views.min().expect("a view");
            let value = values.entry(class).or_insert(known.score);
            assert_eq!(*value, known.score, "{mv} in {position}");
        }
        twins += legal - values.len();
    }
    assert!(twins > 3 * 8, "{twins}");
}

#[test]
fn several_threads_find_the_same_value() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let position = played(&mut rng, 18).expect("a position");
    let value = |threads| {
        let mut engine = Engine::new(Options { threads, hash: 16 });
        engine.search(&position, &Limits::default(), |_| {}).score
    };
    let alone = value(1);
    for threads in 2..=4 {
        assert_eq!(value(threads), alone, "{threads} threads");
    }
}

/// A position in which the chances are even, but the discs are not.
fn opening() -> Position {
    let records = reversi::notation::read("f5d6c3d3c4").expect("a game");
    records[0].last()
}

#[test]
fn limits_end_a_search_with_an_answer() {
    let check = |limits: Limits| -> Report<Move> {
        let mut engine = Engine::new(Options {
            threads: 2,
            hash: 4,
        });
        let answer = engine.search(&opening(), &limits, |_| {});
        assert!(answer.best.is_some() && !answer.score.is_proven());
        answer
    };
    assert_eq!(check(Limits::default().with_depth(5)).depth, 5);
    // A clock that goes on by a millisecond whenever it is read: the search reads it until the
    // time is over, and hardly ever after that.
    let wall = Duration::from_millis(50);
    let held = HeldTime::new(Duration::from_millis(1));
    let limits = Limits::default().with_wall(wall).with_depth(20);
    check(Limits {
        time: Time::held(&held),
        ..limits
    });
    assert!(held.now() < 2 * wall, "{:?}", held.now());
    // Without any time it is an estimate all the same, not the discs as they lie.
    let evaluated = check(Limits::default().with_wall(Duration::ZERO));
    assert!(
        evaluated.depth == 0 && discs(evaluated.score).abs() < 5,
        "{evaluated:?}"
    );
    let answer = check(Limits::default().with_nodes(100_000));
    assert!((1..200_000).contains(&answer.nodes), "{}", answer.nodes);
    let flag = Arc::new(AtomicBool::new(true));
    check(Limits::default().with_stop(flag.clone()));
    flag.store(false, Ordering::Relaxed);
    check(Limits::default().with_stop(flag).with_depth(1));
}

#[test]
fn passes_and_finished_games() {
    let mut engine = Engine::new(SMALL);
    let board = |own, other| Board {
        own: Discs(own),
        other: Discs(other),
    };
    let over = Position::new(board(0b11, 0), Side::First);
    let answer = engine.search(&over, &Limits::default(), |_| {});
    assert_eq!((answer.best, answer.score), (None, Score::Margin(64)));
    let pass = Position::new(board(0b0110, 0b0001), Side::First);
    let answer = engine.search(&pass, &Limits::default(), |_| {});
    assert_eq!(answer.best, Some(Move::PASS));
    assert_eq!(answer.score, Score::Margin(-64));
    assert_eq!(end_of(&pass, &answer.line), -64);
}

/// A change of the search or of the weights that means to change this says so, and why;
/// any other must not.
#[test]
fn the_search_visits_as_many_positions_as_before() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let mut engine = Engine::new(SMALL);
    let (mut solved, mut searched) = (0, 0);
    for _ in 0..8 {
        let position = played(&mut rng, 18).expect("a game that goes on");
        engine.clear();
        solved += engine.search(&position, &Limits::default(), |_| {}).nodes;
        let position = played(&mut rng, 40).expect("a game that goes on");
        let limits = Limits::default().with_depth(8);
        engine.clear();
        searched += engine.search(&position, &limits, |_| {}).nodes;
    }
    assert_eq!((solved, searched), (10_018_531, 88_429));
}

#[test]
fn without_a_depth_later_moves_are_searched_less_deeply() {
    const DEPTH: u32 = 11;
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    let mut engine = Engine::new(SMALL);
    let mut deeper = 0;
    for _ in 0..6 {
        let position = played(&mut rng, 40).expect("a game that goes on");
        engine.clear();
        let even = engine.search(&position, &Limits::default().with_depth(DEPTH), |_| {});
        engine.clear();
        let limits = Limits::default().with_nodes(even.nodes);
        deeper += engine.search(&position, &limits, |_| {}).depth;
    }
    assert!(deeper > 6 * DEPTH, "{deeper} plies");
}
