//! `ludex match`: two players against each other, to see who is stronger.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use games::GameName;
use referee::{IsolationMode, PlayerSpec, Seconds};
use serde_json::json;
use tournament::config::{OpeningSource, Openings};
use tournament::rating::{Sprt, SprtState, SprtVerdict};
use tournament::{Config, Duel, NoteKind, RawConfig, RunOptions, Standings, Store, cores};

use crate::error::bad_input;
use crate::input;
use crate::limits::LimitArgs;
use crate::tournament::some_faults;
use crate::watch::{self, Progress};

/// Let two players meet and see who is stronger
///
/// Games come in pairs from one start position with colours exchanged. A player is a bot
/// (random, greedy, minimax:3, alphabeta:200ms, alphabeta:d6, mcts:1s, best:500ms) or a
/// program (argv:COMMAND, matrix:COMMAND, gipf:COMMAND, line:COMMAND, gtp:COMMAND,
/// nboard:COMMAND).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex match alphabeta:d4 minimax:3 --games 100
  ludex match best:100ms \"argv:./mine\" --games 20 --seed 7
  ludex match best:20ms alphabeta:20ms --games 2000 --sprt 0,20
  ludex match best:d10 alphabeta:d4 --openings openings.txt --games 40")]
pub(crate) struct Args {
    /// The player whose strength is asked for
    first: PlayerSpec,
    /// Its opponent
    second: PlayerSpec,
    #[command(flatten)]
    tables: input::Tables,
    #[arg(long, short, default_value_t, help = input::games())]
    game: GameName,
    /// How many games, in pairs
    #[arg(long, short = 'n', default_value_t = 100)]
    games: u32,
    /// How many at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = cores(), value_parser = input::threads())]
    concurrency: usize,
    /// Where all random choices come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Wall time per move, such as 5 (seconds), 1.5s or 200ms [default: that of the game for
    /// programs, none between bots]
    #[arg(long, alias = "wall", value_parser = input::time_limit)]
    time: Option<Duration>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Always start from the usual position instead of a random one
    #[arg(long)]
    from_start: bool,
    /// Random plies played on from the start position
    #[arg(long, default_value_t = 0)]
    plies: u32,
    /// Start from the positions in this file instead: one on each line, or the moves that lead to
    /// it, in any form that the game knows; # begins a comment. Every pair of games takes the next
    /// line; after the last one comes the first again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from_start", "plies"])]
    openings: Option<PathBuf>,
    /// Stop as soon as it is clear whether the first player is ELO1 stronger or just ELO0
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt)]
    sprt: Option<Sprt>,
    /// How programs are kept apart: auto, namespaces, bwrap, landlock or none
    #[arg(long, default_value = "auto")]
    isolation: IsolationMode,
    /// Keep the games in this file, and go on where it ends
    #[arg(long)]
    db: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`.
fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| {
            let part = part.trim();
            part.parse()
                .map_err(|_| format!("{part:?} is not a number"))
        })
        .collect::<Result<_, _>>()?;
    let sprt = match numbers[..] {
        [elo0, elo1] => Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        },
        [elo0, elo1, alpha, beta] => Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        },
        _ => return Err("ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA is wanted".into()),
    };
    sprt.check().map(|()| sprt)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let config = config(args)?;
    let runtime = watch::runtime()?;
    let Played {
        standings,
        finished,
        faults,
    } = runtime.block_on(play(args, &config))?;
    let Some(duel) = standings.duel else {
        anyhow::bail!("a match of two has no result");
    };
    let names = [&config.players[0].name, &config.players[1].name];
    let mut out = std::io::stdout().lock();
    if args.json {
        let faults = [0, 1].map(|player| standings.of(player).map_or(0, |row| row.faults));
        let object = json!({
            "game": args.game.name(), "players": names, "duel": duel,
            "first_move": standings.first_move, "first_wdl": standings.first_wdl,
            "faults": faults,
            "finished": finished,
        });
        writeln!(out, "{object}")?;
    } else {
        write!(
            out,
            "{}",
            report(args.game, names, &standings, &duel, finished)
        )?;
        write!(out, "{faults}")?;
    }
    match (finished, &args.db) {
        (true, _) => Ok(()),
        (false, Some(_)) => anyhow::bail!("stopped; the same command goes on"),
        (false, None) => anyhow::bail!("stopped; with --db FILE it could go on"),
    }
}

fn config(args: &Args) -> anyhow::Result<Config> {
    let mut players = vec![args.first.clone(), args.second.clone()];
    if players[0].name == players[1].name {
        for (player, mark) in players.iter_mut().zip(["A", "B"]) {
            player.name = format!("{} {mark}", player.name);
        }
    }
    for player in players.iter().filter(|player| player.kind.is_program()) {
        player.command.program().map_err(bad_input)?;
    }
    let only_bots = players.iter().all(|player| !player.kind.is_program());
    let name = format!("{} vs {}", players[0].name, players[1].name);
    let mut config = RawConfig::new(name, args.game, players);
    config.pairs = args.games.div_ceil(2);
    config.seed = args.seed;
    config.openings = openings(args)?;
    config.isolation = args.isolation;
    config.sprt = args.sprt;
    match args.time {
        Some(time) => config.limits.wall = Some(Seconds(time)),
        // Between bots a busy machine should decide nothing.
        None if only_bots => config.limits.wall = None,
        None => {}
    }
    config.limits = config.limits.with(&args.limits.read()?);
    config.try_into().map_err(bad_input)
}

/// Where the games start.
fn openings(args: &Args) -> anyhow::Result<Openings> {
    let source = match &args.openings {
        Some(path) => OpeningSource::List(Openings::read_file(args.game, path).map_err(bad_input)?),
        None if args.from_start => OpeningSource::Start,
        None => OpeningSource::Random,
    };
    Ok(Openings {
        source,
        plies: args.plies,
    })
}

/// What came of the match.
struct Played {
    standings: Standings,
    finished: bool,
    /// A fault of each player and the runner's remarks, as text.
    faults: String,
}

async fn play(args: &Args, config: &Config) -> anyhow::Result<Played> {
    let stop = watch::stop_on_interrupt();
    let store = match &args.db {
        Some(path) => input::store(path).await?,
        None => Store::in_memory().await?,
    };
    let progress = Arc::new(Progress::new(config));
    let options = RunOptions {
        concurrency: args.concurrency,
        stop,
        observer: progress.clone(),
        resources: args.tables.resources(),
        ..RunOptions::default()
    };
    let summary = tournament::run(&store, config, &options).await?;
    progress.clear();
    let standings = store.standings(&summary.tournament).await?;
    let mut faults = String::new();
    if let Some(db) = &args.db {
        faults = some_faults(&store, &summary.tournament, &standings, db).await?;
    } else if standings.rows.iter().any(|row| row.faults > 0) {
        for fault in store.faults(&summary.tournament, None, 1).await? {
            faults = format!(
                "  such as: {} (with --db FILE the games are kept for ludex replay)\n",
                fault.text
            );
        }
    }
    for note in store.notes(&summary.tournament).await? {
        if note.kind == NoteKind::Remark {
            faults += &format!("  note: {}\n", note.text);
        }
    }
    store.close().await;
    Ok(Played {
        standings,
        finished: summary.finished,
        faults,
    })
}

/// What the match says, in a few lines.
fn report(
    game: GameName,
    names: [&String; 2],
    standings: &Standings,
    duel: &Duel,
    finished: bool,
) -> String {
    let [own, other] = names;
    let wdl = duel.wdl;
    let games = f64::from(wdl.games().max(1));
    let score = f64::from(wdl.half_points()) / 2.0 / games * 100.0;
    let mut text = format!("{own} against {other} at {game}, {} games\n", wdl.games());
    text += &format!(
        "  won {}, drawn {}, lost {}   score {score:.1} %\n",
        wdl.wins, wdl.draws, wdl.losses
    );
    text += &format!(
        "  Elo {:.1} (95 %)   superior with probability {:.1} %\n",
        duel.rating,
        duel.superiority * 100.0
    );
    let [a, b, c, d, e] = duel.pairs.0;
    text += &format!("  pairs with 0, ½, 1, 1½, 2 points: {a} {b} {c} {d} {e}\n");
    let [as_first, as_second] = duel.by_seat;
    text += &format!(
        "  as {} {as_first}, as {} {as_second} (won-drawn-lost)\n",
        game.side_name(rules::Side::First),
        game.side_name(rules::Side::Second),
    );
    for (number, name) in names.into_iter().enumerate() {
        if let Some(row) = standings.of(number) {
            text += &format!(
                "  {name}: {:.3} s a game, slowest move {:.3} s, {} faults\n",
                row.wall.0.as_secs_f64(),
                row.slowest.0.as_secs_f64(),
                row.faults
            );
            if let Some(reason) = &row.benched {
                text += &format!("  {name} was benched: {reason}\n");
            }
        }
    }
    if let Some(sprt) = &duel.sprt {
        text += &tested(sprt, finished);
    }
    text
}

/// What a test says; where it was stopped before it was decided, only how far it has come.
fn tested(sprt: &SprtState, finished: bool) -> String {
    let verdict = match (sprt.verdict, finished) {
        (SprtVerdict::Undecided, false) => "stopped before it was decided",
        (SprtVerdict::Undecided, true) => "undecided after all games",
        (SprtVerdict::Accepted, _) => "accepted: stronger",
        (SprtVerdict::Rejected, _) => "rejected: not stronger",
    };
    let SprtState {
        llr, lower, upper, ..
    } = sprt;
    format!("  SPRT {verdict} (log-likelihood ratio {llr:.2} in {lower:.2} to {upper:.2})\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament::rating::PairCounts;

    #[test]
    fn sprt_bounds_are_read() {
        let sprt = parse_sprt("0, 5").unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha), (0.0, 5.0, 0.05));
        assert_eq!(parse_sprt("0,5,0.1,0.2").unwrap().beta, 0.2);
        for bad in ["5", "5,0", "a,b", "0,5,0.9,0.1", ""] {
            assert!(parse_sprt(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_test_that_was_stopped_says_so() {
        let state = |pairs| parse_sprt("0,100").unwrap().state(&PairCounts(pairs));
        for (pairs, finished, words) in [
            ([0; 5], false, "SPRT stopped before it was decided ("),
            ([0; 5], true, "SPRT undecided after all games ("),
            ([0, 0, 0, 0, 50], true, "SPRT accepted: stronger ("),
            ([0, 0, 0, 0, 50], false, "SPRT accepted: stronger ("),
        ] {
            let text = tested(&state(pairs), finished);
            assert!(text.trim_start().starts_with(words), "{text}");
        }
    }
}
