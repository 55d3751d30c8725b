//! A site of its own, and visitors who ask it over real connections.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::runtime::Runtime;

/// A site on a free port of this machine, for as long as the runtime lives.
pub(super) fn site() -> anyhow::Result<(Runtime, SocketAddr)> {
    let runtime = Runtime::new().context("cannot start the server")?;
    let address = runtime.block_on(async {
        let site = web::Site::open(web::Config::default()).await?;
        let (listener, address) = web::listen(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
        tokio::spawn(web::serve(listener, Arc::new(site), std::future::pending()));
        anyhow::Ok(address)
    })?;
    Ok((runtime, address))
}

/// So many at once, each in a thread of its own; what each of them says.
pub(super) fn crowd<T: Send>(
    count: usize,
    visit: impl Fn(u64) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    std::thread::scope(|scope| {
        let visit = &visit;
        let visitors: Vec<_> = (0..count as u64)
            .map(|n| scope.spawn(move || visit(n)))
            .collect();
        let said = visitors.into_iter().map(|visitor| match visitor.join() {
            Ok(said) => said,
            Err(_) => bail!("a visitor panicked"),
        });
        said.collect()
    })
}

/// How long something took, of sorted times: the middle, nearly all, all.
pub(super) fn spread(times: &[Duration]) -> String {
    format!(
        "median {:.1} ms   99 % {:.1} ms   longest {:.1} ms",
        part(times, 0.5),
        part(times, 0.99),
        part(times, 1.0)
    )
}

/// The milliseconds within which this part of sorted times lies.
pub(super) fn part(times: &[Duration], part: f64) -> f64 {
    let place = ((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1));
    times
        .get(place)
        .map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

/// A visitor with a connection that is kept open.
pub(super) struct Visit {
    stream: TcpStream,
    address: SocketAddr,
    held: Vec<u8>,
    /// The cookies that the site has set.
    cookies: String,
}

/// What came back.
pub(super) struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Visit {
    pub(super) fn open(address: SocketAddr) -> anyhow::Result<Visit> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(Visit {
            stream,
            address,
            held: Vec::new(),
            cookies: String::new(),
        })
    }

    /// A visitor whom the site knows by this cookie.
    pub(super) fn known(address: SocketAddr, cookie: &str, secret: &str) -> anyhow::Result<Visit> {
        let mut visit = Visit::open(address)?;
        visit.cookies = format!("{cookie}={secret}");
        Ok(visit)
    }

    fn send(&mut self, method: &str, path: &str, kind: &str, body: &str) -> anyhow::Result<()> {
        let (host, cookies, length) = (self.address, &self.cookies, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookies}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        Ok(self.stream.write_all(request.as_bytes())?)
    }

    /// Looks at a page.
    pub(super) fn page(&mut self, path: &str) -> anyhow::Result<String> {
        self.send("GET", path, "text/plain", "")?;
        let answer = self.answer()?;
        match answer.status {
            200 => Ok(answer.body),
            status => bail!("{path} answered {status}"),
        }
    }

    /// Asks the JSON interface: the status and the body.
    pub(super) fn ask(&mut self, path: &str, body: &str) -> anyhow::Result<(u16, String)> {
        self.send("POST", path, "application/json", body)?;
        let answer = self.answer()?;
        Ok((answer.status, answer.body))
    }

    /// Sends a form, and says where it leads.
    pub(super) fn form(&mut self, path: &str, form: &str) -> anyhow::Result<String> {
        self.send("POST", path, "application/x-www-form-urlencoded", form)?;
        let Answer { status, head, body } = self.answer()?;
        let header = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(": "));
            lines.find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value))
        };
        if let Some(cookie) = header("set-cookie").and_then(|text| text.split(';').next()) {
            self.cookies = cookie.into();
        }
        match (status, header("location")) {
            (303, Some(to)) => Ok(to.into()),
            _ => bail!("{path} answered {status}: {body}"),
        }
    }

    /// Another connection of the same visitor that listens to what a page sends.
    pub(super) fn also(&self, path: &str) -> anyhow::Result<Visit> {
        let mut live = Visit::open(self.address)?;
        live.cookies.clone_from(&self.cookies);
        live.listen(path)?;
        Ok(live)
    }

    /// Listens to what a page sends.
    pub(super) fn listen(&mut self, path: &str) -> anyhow::Result<()> {
        self.send("GET", path, "text/plain", "")
    }

    /// Waits for an event that says this.
    pub(super) fn wait_for(&mut self, text: &str) -> anyhow::Result<()> {
        loop {
            let found = self.held.windows(text.len());
            let at = found.into_iter().position(|w| w == text.as_bytes());
            if let Some(at) = at {
                self.held.drain(..at + text.len());
                return Ok(());
            }
            self.read()?;
        }
    }

    fn read(&mut self) -> anyhow::Result<()> {
        let mut part = [0; 16 * 1024];
        let count = self.stream.read(&mut part)?;
        if count == 0 {
            bail!("the server closed the connection");
        }
        self.held.extend_from_slice(&part[..count]);
        Ok(())
    }

    fn answer(&mut self) -> anyhow::Result<Answer> {
        loop {
            if let Some(end) = self.held.windows(4).position(|w| w == b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&self.held[..end]).into_owned();
                let length: usize = head
                    .lines()
                    .filter_map(|line| line.split_once(": "))
                    .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                    .and_then(|(_, length)| length.trim().parse().ok())
                    .context("an answer without a length")?;
                if self.held.len() >= end + 4 + length {
                    let rest = self.held.split_off(end + 4 + length);
                    let body = String::from_utf8_lossy(&self.held[end + 4..]).into_owned();
                    self.held = rest;
                    let status = head.split(' ').nth(1);
                    let status = status.and_then(|status| status.parse().ok());
                    let status = status.context("an answer without a status")?;
                    return Ok(Answer { status, head, body });
                }
            }
            self.read()?;
        }
    }
}
