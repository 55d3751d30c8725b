//! `ludex bench site`: games between people at two devices each, all at once.

use std::io::Write;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use games::{AnyPosition, GameName};
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::visit::{self, Visit};
use crate::input;

/// Many games between people at once, with live pages: how soon moves are answered and seen
///
/// Opens a site of its own on this machine and seats two players at every game, each with a live
/// page. They move in turn, with a pause before every move as people make it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games at once
    #[arg(long, default_value = "50", value_parser = input::threads())]
    games: usize,
    /// Seconds to play
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Milliseconds of thinking before every move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pause: u64,
    /// Which game
    #[arg(long, default_value = GameName::default().name())]
    game: GameName,
    /// Where all random choices start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// How long things took at one table.
#[derive(Default)]
struct Times {
    /// Until a move was answered with the next page.
    answered: Vec<Duration>,
    /// Until the opponent's live page heard of it.
    heard: Vec<Duration>,
    /// Until the opponent had the new page.
    seen: Vec<Duration>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (_runtime, address) = visit::site()?;
    let end = Instant::now() + Duration::from_secs(args.seconds);
    let tables = visit::crowd(args.games, |n| table(address, args, end, n))?;
    let mut all = Times::default();
    for times in tables {
        all.answered.extend(times.answered);
        all.heard.extend(times.heard);
        all.seen.extend(times.seen);
    }
    let mut out = std::io::stdout().lock();
    for (what, mut times) in [
        ("move answered", all.answered),
        ("heard by the opponent", all.heard),
        ("seen by the opponent", all.seen),
    ] {
        times.sort_unstable();
        if args.json {
            let part = |share| visit::part(&times, share);
            let row = json!({
                "bench": what, "games": args.games, "moves": times.len(),
                "median_ms": part(0.5), "p99_ms": part(0.99), "longest_ms": part(1.0),
            });
            writeln!(out, "{row}")?;
        } else {
            let (count, spread) = (times.len(), visit::spread(&times));
            writeln!(out, "{what:<22} {count:>7} moves   {spread}")?;
        }
    }
    Ok(out.flush()?)
}

/// Two people who play game after game.
fn table(address: SocketAddr, args: &Args, end: Instant, n: u64) -> anyhow::Result<Times> {
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed.wrapping_add(n));
    let mut times = Times::default();
    let mut visits = [Visit::open(address)?, Visit::open(address)?];
    while Instant::now() < end {
        let form = format!(
            "game={}&side=link&start=start&seed={}",
            args.game,
            rng.next_u32()
        );
        let page = visits[0].form("/play", &form)?;
        visits[1].form(&format!("{page}/join"), "name=Guest")?;
        play(&mut visits, &page, args, end, &mut rng, &mut times)?;
    }
    Ok(times)
}

/// Plays one game.
fn play(
    visits: &mut [Visit; 2],
    page: &str,
    args: &Args,
    end: Instant,
    rng: &mut ChaCha8Rng,
    times: &mut Times,
) -> anyhow::Result<()> {
    let mut position = AnyPosition::start(args.game);
    // Who of the two begins is for the site to say.
    let first = visits[0].page(page)?;
    let mut turn = usize::from(!first.contains("boardform"));
    let events = format!("{page}/events");
    let mut lives = [visits[0].also(&events)?, visits[1].also(&events)?];
    for live in &mut lives {
        live.wait_for("event: changed")?;
    }
    while position.outcome().is_none() {
        let pause = Duration::from_millis(rng.random_range(0..=2 * args.pause));
        std::thread::sleep(pause.min(end.saturating_duration_since(Instant::now())));
        if Instant::now() >= end {
            return Ok(());
        }
        let moves = position.moves();
        let mv = &moves[rng.random_range(0..moves.len())];
        position.play(mv).context("a legal move")?;
        let mut turns = 1;
        while let Some(pass) = position.only_pass() {
            position.play(&pass).context("a forced pass")?;
            turns += 1;
        }
        let form = format!("move={}", mv.replace(' ', "+").replace(';', "%3B"));
        let started = Instant::now();
        let to = visits[turn].form(&format!("{page}/move"), &form)?;
        if to != page {
            bail!("a move led to {to}");
        }
        visits[turn].page(page)?;
        times.answered.push(started.elapsed());
        lives[1 - turn].wait_for("event: changed")?;
        times.heard.push(started.elapsed());
        visits[1 - turn].page(page)?;
        times.seen.push(started.elapsed());
        lives[turn].wait_for("event: changed")?;
        turn = (turn + turns) % 2;
    }
    Ok(())
}
