//! `ludex bench serve`: how many pages and moves the site answers in a second.

use std::io::Write;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::bail;

use super::visit::{self, Visit};
use crate::input;

/// Measure the site: pages and moves per second, and pages while an analysis runs
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Seconds for each of the three measurements
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Visitors at once
    #[arg(long, default_value = "8", value_parser = input::threads())]
    visitors: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (_runtime, address) = visit::site()?;
    let time = Duration::from_secs(args.seconds);
    let mut out = std::io::stdout().lock();
    for path in ["/", "/play", "/analyse", "/assets/site.js"] {
        let times = crowd(args.visitors, |_| visitor(address, time, path))?;
        writeln!(out, "{path:<18} {}", summary(&times, time, "pages"))?;
    }
    let times = crowd(args.visitors, |seed| player(address, time, seed))?;
    writeln!(
        out,
        "{:<18} {}",
        "move and reply",
        summary(&times, time, "moves")
    )?;
    // Somebody looks at an analysis all the while; the pages must not wait for it.
    let mut analysis = Visit::open(address)?;
    analysis.listen("/analyse/game/live?game=reversi&moves=f5,d6,c3,d3,c4&at=3")?;
    let times = crowd(1, |_| {
        visitor(address, time, "/analyse/game?game=reversi&moves=f5,d6,c3")
    })?;
    writeln!(
        out,
        "{:<18} {}",
        "during an analysis",
        summary(&times, time, "pages")
    )?;
    Ok(())
}

/// So many visitors at once; all their times together, sorted.
fn crowd(
    count: usize,
    visit: impl Fn(u64) -> anyhow::Result<Vec<Duration>> + Sync,
) -> anyhow::Result<Vec<Duration>> {
    let mut all = visit::crowd(count, visit)?.concat();
    all.sort_unstable();
    Ok(all)
}

fn summary(times: &[Duration], time: Duration, what: &str) -> String {
    let rate = times.len() as f64 / time.as_secs_f64();
    format!("{rate:>8.0} {what}/s   {}", visit::spread(times))
}

/// Asks for one page again and again.
fn visitor(address: SocketAddr, time: Duration, path: &str) -> anyhow::Result<Vec<Duration>> {
    let mut visit = Visit::open(address)?;
    let end = Instant::now() + time;
    let mut times = Vec::new();
    while Instant::now() < end {
        let started = Instant::now();
        visit.page(path)?;
        times.push(started.elapsed());
    }
    Ok(times)
}

/// Plays against `greedy`, game after game; a move counts with the reply to it.
fn player(address: SocketAddr, time: Duration, seed: u64) -> anyhow::Result<Vec<Duration>> {
    let mut visit = Visit::open(address)?;
    let end = Instant::now() + time;
    let mut times = Vec::new();
    let mut turn = seed as usize;
    while Instant::now() < end {
        let (_, mut game) = visit.ask("/api/play", r#"{"game":"reversi","bot":"greedy"}"#)?;
        while Instant::now() < end {
            let state: serde_json::Value = serde_json::from_str(&game)?;
            let moves = state["moves"].as_array().cloned().unwrap_or_default();
            if moves.is_empty() {
                break;
            }
            turn += 1;
            let path = format!(
                "/api/play/{}/move",
                state["id"].as_str().unwrap_or_default()
            );
            let body = serde_json::json!({ "move": moves[turn % moves.len()] }).to_string();
            let started = Instant::now();
            let (status, answer) = visit.ask(&path, &body)?;
            if status != 200 {
                bail!("a move was answered {status}: {answer}");
            }
            times.push(started.elapsed());
            game = answer;
        }
    }
    Ok(times)
}
