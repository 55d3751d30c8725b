//! `ludex cluster`: the server and the workers that tournaments are played on.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use cluster::protocol::Presence;
use cluster::{Link, ServerConfig, Status};
use referee::{printable, quoted};

use crate::error::bad_input;
use crate::{nats, watch};

/// Look after the workers that tournaments are played on
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex cluster config lab                                     a server's configuration and keys
  nats-server -c lab/ludex-nats.conf                           anywhere that all can reach
  ludex worker --nats nats://host:4222 --creds lab/worker.creds        on every machine
  ludex tournament run cup.toml --nats nats://host:4222 --creds lab/coordinator.creds
  ludex cluster status --nats nats://host:4222 --creds lab/coordinator.creds")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    Config(Config),
    Status(StatusArgs),
    Retry(Retry),
    Reference(Reference),
}

/// Write a configuration for nats-server, with keys for coordinators and workers
#[derive(clap::Args)]
struct Config {
    /// The folder to write into
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Where the server listens
    #[arg(long, default_value = "0.0.0.0:4222")]
    listen: SocketAddr,
    /// Where it keeps what is under way [default: jetstream in the folder]
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
    /// How much it may keep there, in gigabytes
    #[arg(long, value_name = "GB", default_value_t = 20)]
    gigabytes: u32,
    /// Its certificate, for encrypted connections
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of its certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

/// The server that is meant
#[derive(clap::Args)]
struct Server {
    /// The NATS server
    #[arg(long, value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    nats: String,
    #[command(flatten)]
    access: nats::Access,
}

impl Server {
    async fn link(&self) -> anyhow::Result<Link> {
        let address = self.access.address(&self.nats)?;
        Ok(Link::connect(&address, "ludex cluster").await?)
    }
}

/// Show the workers, their speed and walls, the queues, and what is put aside
#[derive(clap::Args)]
struct StatusArgs {
    #[command(flatten)]
    server: Server,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Give out again what was put aside because nothing came of it
#[derive(clap::Args)]
struct Retry {
    /// A tournament, or a pair as the status shows it [default: everything]
    which: Option<String>,
    #[command(flatten)]
    server: Server,
}

/// Decide anew which speed counts for timed games: that of the workers that are there
#[derive(clap::Args)]
struct Reference {
    /// The time of the fixed work instead, in milliseconds
    #[arg(long, value_name = "MS")]
    set: Option<f64>,
    #[command(flatten)]
    server: Server,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    watch::runtime()?.block_on(async {
        match &args.action {
            Action::Config(args) => config(args),
            Action::Status(args) => status(args).await,
            Action::Retry(args) => retry(args).await,
            Action::Reference(args) => reference(args).await,
        }
    })
}

fn config(args: &Config) -> anyhow::Result<()> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let server = ServerConfig {
        listen: args.listen,
        store: absolute(
            &args
                .store
                .clone()
                .unwrap_or_else(|| args.folder.join("jetstream")),
        ),
        gigabytes: args.gigabytes,
        tls: match (&args.tls_cert, &args.tls_key) {
            (Some(certificate), Some(key)) => Some((absolute(certificate), absolute(key))),
            _ => None,
        },
    };
    let written = server.write(&args.folder).map_err(bad_input)?;
    let shown = |path: &PathBuf| quoted(&path.display().to_string());
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "start the server:    nats-server -c {}",
        shown(&written.config)
    )?;
    writeln!(
        out,
        "for coordinators:    --creds {}",
        shown(&written.coordinator)
    )?;
    writeln!(
        out,
        "for workers:         --creds {}",
        shown(&written.worker)
    )?;
    if server.tls.is_none() && !args.listen.ip().is_loopback() {
        writeln!(
            out,
            "connections are not encrypted: use it in a network that you trust, or give \
             --tls-cert and --tls-key"
        )?;
    }
    Ok(())
}

async fn status(args: &StatusArgs) -> anyhow::Result<()> {
    let status = Status::ask(&args.server.link().await?).await?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&status)?)?;
        return Ok(());
    }
    writeln!(
        out,
        "nats-server {}, {} {}, {} of {} games at once",
        printable(&status.server),
        status.workers.len(),
        if status.workers.len() == 1 {
            "worker"
        } else {
            "workers"
        },
        status.playing(),
        status
            .workers
            .iter()
            .map(|worker| worker.slots)
            .sum::<usize>(),
    )?;
    for worker in &status.workers {
        writeln!(out, "{}", line(&status, worker))?;
        for trouble in &worker.troubles {
            writeln!(out, "    {}", printable(trouble))?;
        }
    }
    for queue in &status.queues {
        writeln!(
            out,
            "queue {:18} {:>7} pairs wait, {} are played{}",
            queue.class.to_string(),
            queue.waiting,
            queue.playing,
            match queue.again {
                0 => String::new(),
                again => format!(" ({again} not for the first time)"),
            }
        )?;
    }
    if status.results > 0 {
        writeln!(out, "{} results wait for their coordinator", status.results)?;
    }
    for aside in &status.quarantine {
        let name = format!("{}.{}", aside.work.tournament, aside.work.unit);
        writeln!(
            out,
            "put aside: {}: {}",
            printable(&name),
            printable(&aside.known())
        )?;
    }
    if !status.quarantine.is_empty() {
        let words = args.server.access.words(&args.server.nats);
        writeln!(out, "give them out again with: ludex cluster retry{words}")?;
    }
    Ok(())
}

/// A worker in a line.
fn line(status: &Status, worker: &Presence) -> String {
    let speeds = status.speeds(worker);
    let speed = match speeds.iter().copied().reduce(f64::min) {
        Some(least) => format!("{:.0} % speed", 100.0 * least),
        None => "speed not compared yet".into(),
    };
    let walls = match &worker.walls {
        Ok(found) => format!("walls by {}", found.mode),
        Err(_) => "no walls".into(),
    };
    let spooled = match worker.spooled {
        0 => String::new(),
        many => format!(", {many} results not accepted yet"),
    };
    printable(&format!(
        "{:24} {}/{} games, {} pairs done, {speed}, {walls}, ludex {}{spooled}",
        worker.worker, worker.busy, worker.slots, worker.finished, worker.version,
    ))
}

async fn retry(args: &Retry) -> anyhow::Result<()> {
    let link = args.server.link().await?;
    let released = cluster::retry(&link, args.which.as_deref()).await?;
    let mut out = std::io::stdout().lock();
    for name in &released {
        writeln!(out, "given out again: {}", printable(name))?;
    }
    match (released.is_empty(), &args.which) {
        (true, Some(which)) => Err(bad_input(format!(
            "nothing that begins with {which:?} is put aside"
        ))),
        (true, None) => Ok(writeln!(out, "nothing is put aside")?),
        _ => Ok(writeln!(out, "start the tournament again if it has ended")?),
    }
}

async fn reference(args: &Reference) -> anyhow::Result<()> {
    let link = args.server.link().await?;
    let seconds = args.set.map(|ms| ms / 1000.0);
    if seconds.is_some_and(|seconds| !(seconds.is_finite() && seconds > 0.0)) {
        return Err(bad_input("--set: a time above 0 is wanted"));
    }
    match cluster::set_reference(&link, seconds).await? {
        Some(seconds) => {
            let mut out = std::io::stdout().lock();
            Ok(writeln!(
                out,
                "the fixed work takes {:.3} ms",
                seconds * 1000.0
            )?)
        }
        None => anyhow::bail!("no worker is there to measure"),
    }
}
