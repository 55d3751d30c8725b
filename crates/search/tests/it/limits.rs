//! Limits hold, there is always a move, and nothing depends on chance.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use rules::{Evaluate, Game, Hashed};
use search::{AlphaBeta, Distance, HeldTime, Limits, Mcts, Report, Score, Time, minimax};

use crate::{gipf_start, mmpawns_start, reversi_start};

/// One of the searches with these limits on one position.
fn one<G: Hashed + Evaluate>(search: usize, position: &G, limits: &Limits) -> Report<G::Move> {
    match search {
        0 => minimax(position, limits),
        1 => AlphaBeta::with_table_bits(12).search(position, limits),
        _ => Mcts::new(5).search(position, limits),
    }
}

/// Every search with these limits on one position.
fn all<G: Hashed + Evaluate>(position: &G, limits: &Limits) -> [Report<G::Move>; 3] {
    [0, 1, 2].map(|search| one(search, position, limits))
}

#[track_caller]
fn check_sound<G: Game>(position: &G, report: &Report<G::Move>) {
    let best = report.best.expect("a move");
    assert!(position.is_legal(best));
    assert_eq!(report.line.first(), Some(&best));
    let mut at = position.clone();
    for &mv in &report.line {
        at.play(mv).unwrap();
    }
}

#[track_caller]
fn check_limits<G: Hashed + Evaluate>(position: &G) {
    let free = Limits::default();
    let none = [
        free.clone().with_wall(Duration::ZERO),
        free.clone().with_cpu(Duration::ZERO),
        free.clone().with_nodes(0),
        free.clone().with_stop(Arc::new(AtomicBool::new(true))),
    ];
    for limits in none {
        for report in all(position, &limits.with_depth(9)) {
            check_sound(position, &report);
            assert_eq!((report.nodes, report.depth), (0, 0));
        }
    }
    for nodes in [1, 2, 10, 1000] {
        for report in all(position, &free.clone().with_nodes(nodes).with_depth(9)) {
            check_sound(position, &report);
            assert!(report.nodes <= nodes);
        }
    }
    // A clock that goes on by a millisecond whenever it is read: the searches read it until
    // the time is over, and hardly ever after that.
    let time = Duration::from_millis(20);
    for limits in [free.clone().with_wall(time), free.clone().with_cpu(time)] {
        for search in 0..3 {
            let held = HeldTime::new(Duration::from_millis(1));
            let limits = Limits {
                time: Time::held(&held),
                ..limits.clone().with_depth(60)
            };
            let report = &one(search, position, &limits);
            check_sound(position, report);
            assert!((time..2 * time).contains(&report.time), "{report:?}");
            assert!(held.now() < 2 * time, "{:?}", held.now());
        }
    }
    for depth in 1..4 {
        let limits = free.clone().with_depth(depth);
        assert_eq!(minimax(position, &limits).depth, depth);
        assert_eq!(AlphaBeta::new().search(position, &limits).depth, depth);
    }
}

#[test]
fn limits_hold() {
    check_limits(&reversi_start());
    check_limits(&gipf_start("4 4 15 15"));
    check_limits(&mmpawns_start());
}

#[test]
fn a_flag_set_by_another_thread_stops() {
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits::default().with_stop(stop.clone());
    let (finished, wait) = mpsc::channel();
    let setter = std::thread::spawn(move || {
        // Once a depth is finished.
        wait.recv().unwrap();
        stop.store(true, Ordering::Relaxed);
    });
    let report = AlphaBeta::new().search_with(&reversi_start(), &limits, |_| {
        let _ = finished.send(());
    });
    setter.join().unwrap();
    check_sound(&reversi_start(), &report);
    assert!(report.depth >= 1);
}

#[test]
fn a_finished_game_has_no_move() {
    let over: reversi::Position = format!("{} X", "X".repeat(64)).parse().unwrap();
    for report in all(&over, &Limits::default().with_depth(3).with_nodes(100)) {
        assert_eq!(report.best, None);
        assert_eq!(report.score, Score::Win(Distance::Exactly(0)));
        assert!(report.line.is_empty());
    }
}

#[test]
fn nothing_depends_on_chance() {
    fn timeless<M>(report: Report<M>) -> Report<M> {
        Report {
            time: Duration::ZERO,
            ..report
        }
    }
    let limits = Limits::default().with_nodes(20_000).with_depth(7);
    let position = reversi_start();
    for (a, b) in all(&position, &limits)
        .into_iter()
        .zip(all(&position, &limits))
    {
        assert_eq!(timeless(a), timeless(b));
    }
    let lines: std::collections::HashSet<_> = (0..20)
        .map(|seed| Mcts::new(seed).search(&position, &limits).line)
        .collect();
    assert!(lines.len() > 1, "the seed makes no difference");
}

#[test]
fn progress_is_told_depth_by_depth() {
    let mut depths = Vec::new();
    let limits = Limits::default().with_depth(5);
    AlphaBeta::new().search_with(&reversi_start(), &limits, |report| {
        depths.push(report.depth);
    });
    assert_eq!(depths, [1, 2, 3, 4, 5]);
}
