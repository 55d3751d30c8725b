//! Alpha–beta and principal variation search give the values of plain minimax.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;

use rules::doc_example::Nim;
use rules::kit::{self, Effort};
use rules::{Evaluate, Game, Hashed, Side, WIN};
use search::pvs::{Guide, Pvs};
use search::successors::KINDS;
use search::{AlphaBeta, Clock, Distance, Limits, Score, minimax};

/// Plays the line out and returns the position at its end.
fn follow<G: Game>(position: &G, line: &[G::Move]) -> G {
    let mut at = position.clone();
    for &mv in line {
        at.play(mv).unwrap();
    }
    at
}

#[track_caller]
fn check_agree<G: Hashed + Evaluate>(
    starts: &[G],
    depths: std::ops::RangeInclusive<u32>,
    games: usize,
) {
    let effort = Effort {
        games,
        longest: 150,
        must_end: false,
        seed: 11,
    };
    let mut number = 0;
    let mut fewer = 0i64;
    kit::walk(starts, effort, |position| {
        number += 1;
        if number % 7 != 0 || position.outcome().is_some() {
            return;
        }
        for depth in depths.clone() {
            let limits = Limits::default().with_depth(depth);
            let plain = minimax(position, &limits);
            // A small table, so that entries are thrown out and replaced.
            let clever = AlphaBeta::with_table_bits(8).search(position, &limits);
            assert_eq!(clever.score, plain.score, "depth {depth} of {position}");
            assert_eq!(clever.best, clever.line.first().copied());
            // The last position of the line is where the value comes from. (A line may
            // be cut short where the table knew the rest.)
            if clever.line.len() == depth as usize {
                let end = follow(position, &clever.line);
                let sign = if depth % 2 == 0 { 1 } else { -1 };
                let value = match end.outcome() {
                    Some(outcome) => outcome.sign_for(end.side_to_move()) * (WIN - depth as i32),
                    None => end.evaluate(),
                };
                assert_eq!(sign * value, clever.score.value(), "line from {position}");
            }
            if depth > 3 {
                fewer += plain.nodes as i64 - clever.nodes as i64;
            }
        }
    });
    assert!(number > 20, "too few positions: {number}");
    assert!(fewer >= 0, "more positions than minimax: {}", -fewer);
}

#[test]
fn on_reversi() {
    check_agree(&[crate::reversi_start()], 1..=4, 12);
}

#[test]
fn on_gipf() {
    // From a two-point board, where games soon end, to the original one.
    check_agree(
        &[crate::gipf_start("2 2 5 5"), crate::gipf_start("2 3 6 5")],
        1..=4,
        12,
    );
    check_agree(&[crate::gipf_start("3 3 8 8")], 1..=3, 3);
    check_agree(&[crate::gipf_start("4 4 15 15")], 1..=2, 3);
}

#[test]
fn on_mmpawns() {
    check_agree(&[crate::mmpawns_start()], 1..=4, 20);
}

/// All that can be known of a game without looking less deeply anywhere.
struct Plain<G>(PhantomData<G>);

impl<G: Hashed + Evaluate + Copy> Guide for Plain<G> {
    type Position = G;
    type Before = ();

    fn key(&self, position: &G) -> u64 {
        position.hash()
    }

    fn evaluate(&self, position: &G) -> i32 {
        position.evaluate()
    }

    fn visit(&self, position: &G, mut each: impl FnMut(G::Move, G)) {
        for mv in position.moves() {
            let mut next = *position;
            next.play_unchecked(mv);
            each(mv, next);
        }
    }

    fn before(&self, _: &G) {}

    fn kind(&self, mv: G::Move) -> u8 {
        let mut hasher = DefaultHasher::new();
        mv.hash(&mut hasher);
        (hasher.finish() % KINDS as u64) as u8
    }

    fn order(&self, _: &(), _: &G, quiet: i32) -> i32 {
        quiet
    }

    fn reduction(&self, _: usize, _: i32, _: i32) -> i32 {
        0
    }
}

/// Searches with windows of all kinds: inside them the value is that of minimax, outside a bound
/// on the same side of it.
#[track_caller]
fn check_windows<G: Hashed + Evaluate + Copy>(start: G, deepest: u32) {
    let effort = Effort {
        games: 20,
        longest: 60,
        must_end: false,
        seed: 5,
    };
    let mut search = Pvs::new(Plain(PhantomData), 8);
    let (mut number, mut inside) = (0, 0);
    kit::walk(&[start], effort, |position| {
        number += 1;
        if number % 3 != 0 || position.outcome().is_some() {
            return;
        }
        search.begin();
        for depth in 1..=deepest {
            let plain = minimax(position, &Limits::default().with_depth(depth));
            let truth = plain.score.value();
            for (below, above) in [(WIN, WIN), (1, 1), (1, 0), (0, 1), (9, -4), (-4, 9)] {
                let window = [(truth - below).max(-WIN), (truth + above).min(WIN)];
                if window[0] >= window[1] {
                    continue;
                }
                let mut clock = Clock::start(&Limits::default());
                let value = search.value(position, &mut clock, window, depth);
                let found = value.clamp(window[0], window[1]);
                let expected = truth.clamp(window[0], window[1]);
                assert_eq!(found, expected, "depth {depth}, {window:?}: {position}");
                let best = search.take_best();
                if found != window[0] && found != window[1] {
                    inside += 1;
                    assert!(best.is_some(), "no move at depth {depth}: {position}");
                }
            }
        }
    });
    assert!(inside > 20, "too few values: {inside}");
}

#[test]
fn windows_on_every_game() {
    check_windows(crate::reversi_start(), 4);
    check_windows(crate::gipf_start("2 3 6 5"), 4);
    check_windows(crate::gipf_start("3 3 8 8"), 2);
    check_windows(crate::mmpawns_start(), 4);
}

/// Nim in which every move can be made in very many ways.
struct Wide;

impl Guide for Wide {
    type Position = Nim;
    type Before = ();

    fn key(&self, position: &Nim) -> u64 {
        u64::from(position.stones) << 1 | position.side.index() as u64
    }

    fn evaluate(&self, _: &Nim) -> i32 {
        0
    }

    fn visit(&self, position: &Nim, mut each: impl FnMut(<Nim as Game>::Move, Nim)) {
        for mv in position.moves() {
            let mut next = *position;
            next.play_unchecked(mv);
            for _ in 0..u16::MAX {
                each(mv, next);
            }
        }
    }

    fn before(&self, _: &Nim) {}

    fn kind(&self, _: <Nim as Game>::Move) -> u8 {
        0
    }

    fn order(&self, _: &(), next: &Nim, _: i32) -> i32 {
        -(next.stones as i32)
    }

    fn reduction(&self, _: usize, _: i32, _: i32) -> i32 {
        0
    }
}

/// More moves than the table has numbers for.
#[test]
fn no_number_of_moves_is_too_large() {
    let heap = Nim {
        stones: 2,
        side: Side::First,
    };
    let mut search = Pvs::new(Wide, 8);
    for _ in 0..2 {
        search.begin();
        let mut clock = Clock::start(&Limits::default());
        let value = search.value(&heap, &mut clock, [-WIN, 0], 2);
        assert_eq!(value, WIN - 1);
        let best = search.take_best();
        assert_eq!(search.line(&heap, best), [2]);
        assert_eq!(search.line(&heap, None), []);
    }
}

#[test]
fn nim_is_solved() {
    for stones in 1..40 {
        let heap = Nim {
            stones,
            side: Side::First,
        };
        let report = AlphaBeta::new().search(&heap, &Limits::default());
        let distance = Distance::Exactly(report.line.len() as u32);
        let expected = match stones.is_multiple_of(3) {
            true => Score::Loss(distance),
            false => Score::Win(distance),
        };
        assert_eq!(report.score, expected, "{stones} stones");
    }
}
