//! `ludex bench serve`: how many pages and moves the site answers in a second.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

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
    let runtime = tokio::runtime::Runtime::new().context("cannot start the server")?;
    let address = runtime.block_on(async {
        let site = web::Site::open(web::Config::default()).await?;
        let (listener, address) = web::listen(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
        tokio::spawn(web::serve(listener, Arc::new(site), std::future::pending()));
        anyhow::Ok(address)
    })?;
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
    analysis.send(
        "GET",
        "/analyse/game/live?game=reversi&moves=f5,d6,c3,d3,c4&at=3",
        "",
    )?;
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
    let mut all = Vec::new();
    std::thread::scope(|scope| {
        let visit = &visit;
        let visitors: Vec<_> = (0..count as u64)
            .map(|n| scope.spawn(move || visit(n)))
            .collect();
        for visitor in visitors {
            match visitor.join() {
                Ok(times) => all.extend(times?),
                Err(_) => bail!("a visitor panicked"),
            }
        }
        Ok(())
    })?;
    all.sort_unstable();
    Ok(all)
}

fn summary(times: &[Duration], time: Duration, what: &str) -> String {
    let at = |part: f64| {
        let place = ((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1));
        times
            .get(place)
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    format!(
        "{:>8.0} {what}/s   median {:.1} ms   99 % {:.1} ms   longest {:.1} ms",
        times.len() as f64 / time.as_secs_f64(),
        at(0.5),
        at(0.99),
        at(1.0)
    )
}

/// Asks for one page again and again.
fn visitor(address: SocketAddr, time: Duration, path: &str) -> anyhow::Result<Vec<Duration>> {
    let mut visit = Visit::open(address)?;
    let end = Instant::now() + time;
    let mut times = Vec::new();
    while Instant::now() < end {
        let started = Instant::now();
        let (status, _) = visit.ask("GET", path, "")?;
        if status != 200 {
            bail!("{path} answered {status}");
        }
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
        let (_, mut game) =
            visit.ask("POST", "/api/play", r#"{"game":"reversi","bot":"greedy"}"#)?;
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
            let (status, answer) = visit.ask("POST", &path, &body)?;
            if status != 200 {
                bail!("a move was answered {status}: {answer}");
            }
            times.push(started.elapsed());
            game = answer;
        }
    }
    Ok(times)
}

/// A connection that is kept open.
struct Visit {
    stream: TcpStream,
    address: SocketAddr,
    held: Vec<u8>,
}

impl Visit {
    fn open(address: SocketAddr) -> anyhow::Result<Visit> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let held = Vec::new();
        Ok(Visit {
            stream,
            address,
            held,
        })
    }

    fn send(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<()> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        Ok(self.stream.write_all(request.as_bytes())?)
    }

    /// Sends a request and reads the answer: its status and body.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<(u16, String)> {
        self.send(method, path, body)?;
        loop {
            if let Some(end) = self.held.windows(4).position(|w| w == b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&self.held[..end]).to_ascii_lowercase();
                let length: usize = head
                    .lines()
                    .find_map(|line| line.strip_prefix("content-length: "))
                    .and_then(|length| length.trim().parse().ok())
                    .context("an answer without a length")?;
                if self.held.len() >= end + 4 + length {
                    let rest = self.held.split_off(end + 4 + length);
                    let body = String::from_utf8_lossy(&self.held[end + 4..]).into_owned();
                    self.held = rest;
                    let status = head
                        .split(' ')
                        .nth(1)
                        .and_then(|status| status.parse().ok());
                    return Ok((status.context("an answer without a status")?, body));
                }
            }
            let mut part = [0; 16 * 1024];
            let count = self.stream.read(&mut part)?;
            if count == 0 {
                bail!("the server closed the connection");
            }
            self.held.extend_from_slice(&part[..count]);
        }
    }
}
