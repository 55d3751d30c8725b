//! `ludex bench cluster`: what playing on workers costs.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use cluster::speed::median;
use cluster::{Address, Cluster, ServerConfig, Status, Written};
use games::GameName;
use tournament::{Config, RawConfig, RunOptions, Store};

use super::tournament::{Row, print};
use crate::watch;

/// However busy the machine: whoever has not started by then never does.
const START: Duration = Duration::from_secs(300);

/// Tournaments on workers of a NATS server on this machine: what all but the playing costs
#[derive(clap::Args)]
pub(crate) struct Args {
    /// So many simulated workers
    #[arg(long, default_value_t = 1000)]
    workers: usize,
    /// So many pairs of empty games for them
    #[arg(long, default_value_t = 5000)]
    pairs: u32,
    /// So many pairs of quick games, for this process and for one worker
    #[arg(long, default_value_t = 500)]
    quick_pairs: u32,
    /// So many pairs of games that take their time, for one worker and for two
    #[arg(long, default_value_t = 40)]
    long_pairs: u32,
    /// How often these are played by one and by two, in turn
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Be the simulated workers of this server
    #[arg(long, hide = true, requires = "creds")]
    simulate: Option<String>,
    #[arg(long, hide = true)]
    creds: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let runtime = watch::runtime()?;
    if let Some(url) = &args.simulate {
        return runtime.block_on(simulate(url, args));
    }
    let rows = runtime.block_on(measure(args))?;
    print(&rows, args.json)
}

/// Is all the workers, until it is killed.
async fn simulate(url: &str, args: &Args) -> anyhow::Result<()> {
    let address = Address {
        credentials: args.creds.clone(),
        ..Address::new(url)
    };
    let stop: Arc<AtomicBool> = Arc::default();
    let done: Arc<AtomicU64> = Arc::default();
    let mut workers = tokio::task::JoinSet::new();
    for (name, link) in cluster::bench::connect(&address, args.workers).await? {
        workers.spawn(cluster::bench::simulate(
            link,
            name,
            stop.clone(),
            done.clone(),
        ));
    }
    writeln!(std::io::stdout(), "ready")?;
    while let Some(ended) = workers.join_next().await {
        ended??;
    }
    Ok(())
}

/// A process that is killed in the end.
struct Process(Child);

impl Process {
    /// Waits for something that comes of this process: for nothing if it ends.
    async fn during<T>(
        &mut self,
        work: impl Future<Output = anyhow::Result<T>>,
    ) -> anyhow::Result<T> {
        let mut work = std::pin::pin!(work);
        loop {
            if let Ok(done) = tokio::time::timeout(Duration::from_millis(200), &mut work).await {
                return done;
            }
            if let Some(status) = self.0.try_wait()? {
                anyhow::bail!("the workers have ended: {status}");
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server and its keys in a folder of its own.
struct Server {
    folder: PathBuf,
    address: SocketAddr,
    files: Written,
    process: Process,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.0.kill();
        let _ = self.process.0.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Server {
    fn start() -> anyhow::Result<Server> {
        let folder = std::env::temp_dir().join(format!("ludex-bench-{}", std::process::id()));
        // A port that is free now.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let config = ServerConfig {
            listen: address,
            store: folder.join("store"),
            gigabytes: 10,
            tls: None,
        };
        let files = config.write(&folder)?;
        let child = Command::new("nats-server")
            .arg("-c")
            .arg(&files.config)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("nats-server: install it (in Debian the package is called so, too)")?;
        let process = Process(child);
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            ensure!(start.elapsed() < START, "nats-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Server {
            folder,
            address,
            files,
            process,
        })
    }

    fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    /// A command of ours with the key of a worker.
    fn ours(&self, args: &[&str]) -> anyhow::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(args).arg("--creds").arg(&self.files.worker);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        Ok(command)
    }

    /// A worker for one game at a time.
    fn worker(&self) -> anyhow::Result<Process> {
        let place = self.folder.join("workers");
        let url = self.url();
        let mut command = self.ours(&["worker", "--nats", &url, "-j", "1"])?;
        Ok(Process(command.arg("--folder").arg(place).spawn()?))
    }

    /// Connects as a coordinator.
    async fn cluster(&self) -> anyhow::Result<Cluster> {
        let address = Address {
            credentials: Some(self.files.coordinator.clone()),
            ..Address::new(self.url())
        };
        Ok(Cluster::connect(&address).await?)
    }

    /// Waits until so many workers are there, and no more.
    async fn wait_for(&self, workers: usize) -> anyhow::Result<()> {
        let cluster = self.cluster().await?;
        let start = Instant::now();
        while Status::ask(cluster.link()).await?.workers.len() != workers {
            let seconds = START.as_secs();
            ensure!(
                start.elapsed() < START,
                "{workers} workers are not there after {seconds} s"
            );
        }
        Ok(())
    }

    /// Plays a tournament on the workers; how long it takes.
    async fn play(&self, config: &Config) -> anyhow::Result<f64> {
        let cluster = self.cluster().await?;
        let options = RunOptions {
            remote: Some(Arc::new(cluster)),
            ..RunOptions::default()
        };
        play(
            config,
            &options,
            &self.folder.join(format!("{}.db", config.id())),
        )
        .await
    }
}

async fn play(config: &Config, options: &RunOptions, db: &Path) -> anyhow::Result<f64> {
    let store = Store::open(db).await?;
    let start = Instant::now();
    let summary = tournament::run(&store, config, options).await?;
    let seconds = start.elapsed().as_secs_f64();
    store.close().await;
    ensure!(summary.finished, "it was stopped");
    Ok(seconds)
}

fn duel(name: &str, players: [&str; 2], pairs: u32) -> anyhow::Result<Config> {
    let players = [players[0].parse()?, players[1].parse()?];
    let mut config = RawConfig::new(name, GameName::default(), players.into());
    config.pairs = pairs;
    Ok(Config::try_from(config)?)
}

async fn measure(args: &Args) -> anyhow::Result<Vec<Row>> {
    let row = |name: &str, value: f64, unit| (name.to_string(), value, unit);
    let mut rows = Vec::new();
    let server = Server::start()?;
    let count = args.workers.to_string();
    let url = server.url();
    let words = ["bench", "cluster", "--workers", &count, "--simulate", &url];
    let mut simulated = Process(server.ours(&words)?.spawn()?);
    let mut line = String::new();
    if let Some(out) = simulated.0.stdout.take() {
        BufReader::new(out).read_line(&mut line)?;
    }
    let empty = duel("empty", ["random", "greedy"], args.pairs)?;
    let seconds = simulated.during(server.play(&empty)).await?;
    let games = 2.0 * f64::from(args.pairs);
    rows.push(row("simulated workers", args.workers as f64, "workers"));
    rows.push(row("  empty games", games, "games"));
    rows.push(row("  played and stored", seconds, "s"));
    rows.push(row("  games stored a second", games / seconds, "games/s"));
    rows.push(row(
        "  memory of the server",
        peak(server.process.0.id()),
        "MB",
    ));
    rows.push(row(
        "  memory of the coordinator",
        peak(std::process::id()),
        "MB",
    ));
    drop(simulated);

    let pairs = args.quick_pairs;
    let quick = |name| duel(name, ["random", "greedy"], pairs);
    let options = RunOptions {
        concurrency: 1,
        ..RunOptions::default()
    };
    let here = play(&quick("here")?, &options, &server.folder.join("here.db")).await?;
    let mut worker = server.worker()?;
    // It is there when it has played something.
    let warm = duel("warm", ["random", "greedy"], 1)?;
    worker.during(server.play(&warm)).await?;
    let there = worker.during(server.play(&quick("there")?)).await?;
    let per_pair = |seconds: f64| 1e3 * seconds / f64::from(pairs);
    rows.push(row("a pair of quick games here", per_pair(here), "ms"));
    rows.push(row("  on one worker", per_pair(there), "ms"));
    rows.push(row("  overhead", per_pair(there - here), "ms"));

    rows.extend(two_against_one(&server, worker, args).await?);
    Ok(rows)
}

/// How much faster two workers are than one. Each round plays the same games with one and with two,
/// the next one in the other order, so that whatever else the machine does hits both alike.
async fn two_against_one(
    server: &Server,
    mut worker: Process,
    args: &Args,
) -> anyhow::Result<Vec<Row>> {
    // As much thinking for so little else as in games of people's programs, and nothing that
    // depends on the clock; short beside the whole, so that nobody waits long for the last pair.
    let long = |name: &str| duel(name, ["alphabeta:d7", "alphabeta:d6"], args.long_pairs);
    let (mut one, mut two, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..args.rounds {
        for workers in if round % 2 == 0 { [1, 2] } else { [2, 1] } {
            let second = match workers {
                2 => Some(server.worker()?),
                _ => None,
            };
            server.wait_for(workers).await?;
            let config = long(&format!("{workers} in round {round}"))?;
            let seconds = worker.during(server.play(&config)).await?;
            drop(second);
            match workers {
                2 => two.push(seconds),
                _ => one.push(seconds),
            }
        }
        ratios.push(one[one.len() - 1] / two[two.len() - 1]);
    }
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let median = |values: Vec<f64>| median(values).unwrap_or_default();
    let pairs = args.long_pairs;
    let rounds = args.rounds;
    let row = |name: String, value: f64, unit| (name, value, unit);
    Ok(vec![
        row(
            format!("{pairs} longer pairs, one worker, median"),
            median(one),
            "s",
        ),
        row("  two workers, median".into(), median(two), "s"),
        row("  rounds".into(), f64::from(rounds), "rounds"),
        row("  times as fast, median".into(), median(ratios), ""),
        row("  least".into(), least, ""),
        row("  most".into(), most, ""),
    ])
}

/// The most memory that a process has held, in megabytes.
fn peak(process: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1e3
}
