//! `ludex bench review --beside`: what a review costs everything else on the machine.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ::review::{Budget, Knowledge, Played, review};
use ::search::Limits;
use bots::BotSpec;
use games::{AnyPosition, Resources};
use serde_json::json;

/// Times that the work is done alone and beside a review, in turns.
const ROUNDS: usize = 5;

/// Work for each core in a round: searches of this player, so many positions of a game each.
const WORKER: &str = "alphabeta:d8";
const SEARCHES: u64 = 12;

/// A review that outlasts every measurement.
const LONG: Duration = Duration::from_secs(3600);

/// Measures work on all cores, alone and beside a review on all cores.
pub(super) fn run(played: &Played, json: bool) -> anyhow::Result<()> {
    let cores = tournament::cores();
    let worker: BotSpec = WORKER.parse()?;
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        times[0].push(work(&worker, cores));
        times[1].push(beside_review(played, cores, || work(&worker, cores)));
    }
    let [alone, beside] = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64()
    });
    let mut out = std::io::stdout().lock();
    let longer = 100.0 * (beside / alone - 1.0);
    match json {
        true => writeln!(
            out,
            "{}",
            json!({
                "bench": "review beside", "cores": cores, "alone_seconds": alone,
                "beside_seconds": beside, "longer_percent": longer,
            })
        )?,
        false => writeln!(
            out,
            "other work on {cores} cores: {alone:.3} s alone, {beside:.3} s beside a review ({longer:+.1} %)"
        )?,
    }
    Ok(())
}

/// How long a fixed amount of work takes on every core.
fn work(worker: &BotSpec, cores: usize) -> Duration {
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for core in 0..cores as u64 {
            scope.spawn(move || {
                for seed in 0..SEARCHES {
                    let position = AnyPosition::random_start(games::REVERSI, seed + 100 * core);
                    let mut bot = worker.build(games::REVERSI, seed);
                    bot.choose(&position, &Limits::default());
                }
            });
        }
    });
    begun.elapsed()
}

/// Does something while a review is at work.
fn beside_review<T>(played: &Played, cores: usize, work: impl FnOnce() -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    let budget = Budget {
        stop: Arc::clone(&stop),
        ..Budget::default().with_time(LONG).with_threads(cores)
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // A review that is through early begins again.
            while !stop.load(Ordering::Relaxed) {
                review(
                    played,
                    &Knowledge::default(),
                    &Resources::default(),
                    &budget,
                );
            }
        });
        // By then it is at work.
        std::thread::sleep(Duration::from_millis(300));
        let done = work();
        stop.store(true, Ordering::Relaxed);
        done
    })
}
