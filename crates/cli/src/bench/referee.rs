//! `ludex bench referee`: what the referee costs.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use bots::{AnyPosition, GameName};
use referee::bench::cost_per_move;
use referee::{GameSetup, PlayerSpec, Score};
use serde_json::json;

use crate::error::bad_input;

/// The referee: cost of a move over a bare spawn, and games between programs
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex bench referee
  ludex bench referee --games 500 --player argv:./othello")]
pub(crate) struct Args {
    /// Spawns to measure
    #[arg(long, default_value_t = 200, value_name = "N")]
    rounds: usize,
    /// Games of --player against itself
    #[arg(long, default_value_t = 500, value_name = "N")]
    games: u64,
    /// A program for these games, such as argv:./othello or matrix:./mmpawns
    #[arg(long)]
    player: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let costs = cost_per_move(args.rounds).map_err(bad_input)?;
    if args.json {
        writeln!(out, "{}", json!({ "cost-per-move": costs }))?;
    } else {
        writeln!(out, "one run of `true`, middle of {} rounds", args.rounds)?;
        writeln!(
            out,
            "{:<12} {:>10} {:>10} {:>12}",
            "isolation", "median ms", "90 % ms", "over bare ms"
        )?;
        for cost in &costs {
            writeln!(
                out,
                "{:<12} {:>10.2} {:>10.2} {:>12.2}",
                cost.mode, cost.median_ms, cost.ninth_ms, cost.over_bare_ms
            )?;
        }
    }
    if let Some(player) = &args.player {
        games(&mut out, args, player)?;
    }
    Ok(())
}

fn games(out: &mut impl Write, args: &Args, player: &str) -> anyhow::Result<()> {
    let player: PlayerSpec = player.parse().map_err(bad_input)?;
    let fits = |game: &&GameName| player.check(**game).is_ok();
    let game = *GameName::ALL
        .iter()
        .find(fits)
        .unwrap_or(&GameName::Reversi);
    let started = Instant::now();
    let (mut moves, mut faults, mut stuck) = (0, 0, 0);
    for seed in 0..args.games {
        let start = AnyPosition::random_start(game, seed);
        let setup = GameSetup {
            seed,
            ..GameSetup::new(start, [player.clone(), player.clone()])
        };
        let record = referee::play_game(&setup, &mut |_| (), &Arc::default()).map_err(bad_input)?;
        moves += record.moves.len();
        faults += record
            .moves
            .iter()
            .filter(|turn| !turn.verdict.is_ok())
            .count();
        stuck += u64::from(record.score == Score::None);
    }
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        let object = json!({
            "games": args.games, "moves": moves, "faults": faults, "stuck": stuck, "seconds": seconds,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "{} games of {} against itself: {moves} moves, {faults} faults, {stuck} stuck, {seconds:.1} s",
            args.games, player.name
        )?;
    }
    Ok(())
}
