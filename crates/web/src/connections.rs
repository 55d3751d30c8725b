//! Connections: how many there may be, and how long one may take to say what it wants.
//!
//! A connection costs a file and some memory before anybody knows whose it is. So there is a most of
//! all and of each address, and whoever does not send the head of a request in time is cut off.
//! What has been asked for may take as long as it likes: pages that listen for news stay open.

use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::serve::Listener;
use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower::Layer as _;

use crate::seats::Seats;
use crate::visitors::network;

/// How long answers may take once the site is to stop.
const FAREWELL: Duration = Duration::from_millis(500);

/// How long the head of a request may take, and the time before it in which nothing is asked:
/// servers in front of this one keep their connections for a minute.
const HEAD: Duration = Duration::from_secs(75);

/// No more connections than this, however many files may be open.
const MOST: usize = 4096;

/// So many of one address: a class may be behind it, with six for each browser.
const MOST_OF_ONE: usize = 512;

/// So many files may be open where the system does not say.
const FILES: usize = 1024;

/// How many connections there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Limits {
    head: Duration,
    all: usize,
    each: usize,
    /// Of this machine: a server in front of this one has everybody's.
    each_here: usize,
}

impl Limits {
    /// For a process that may have so many files open: programs, builds and the store need half.
    fn new(files: usize) -> Limits {
        let all = (files / 2).clamp(4, MOST);
        Limits {
            head: HEAD,
            all,
            each: MOST_OF_ONE.min(all / 2),
            each_here: all - all / 4,
        }
    }

    fn of_address(&self, address: IpAddr) -> usize {
        match address.is_loopback() {
            true => self.each_here,
            false => self.each,
        }
    }
}

/// How many files this process may have open.
fn files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    files_of(&limits)
}

fn files_of(limits: &str) -> usize {
    let mut lines = limits.lines();
    let line = lines.find_map(|line| line.strip_prefix("Max open files"));
    match line.and_then(|line| line.split_whitespace().next()) {
        Some("unlimited") => usize::MAX,
        Some(number) => number.parse().unwrap_or(FILES),
        None => FILES,
    }
}

/// Serves until `stop` is done, and then finishes answers for a moment.
pub(crate) async fn serve(listener: TcpListener, app: Router, stop: impl Future<Output = ()>) {
    serve_within(Limits::new(files()), listener, app, stop).await;
}

async fn serve_within(
    limits: Limits,
    mut listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()>,
) {
    let seats = Seats::new(limits.each, limits.all);
    let (stopping, stopped) = watch::channel(());
    let mut open = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let (stream, address) = tokio::select! {
            () = &mut stop => break,
            Some(_) = open.join_next() => continue,
            connection = Listener::accept(&mut listener) => connection,
        };
        // An address in the form of the other version is the same one.
        let address = SocketAddr::new(address.ip().to_canonical(), address.port());
        // One too many is closed without a word, which would cost as much as an answer.
        let each = limits.of_address(address.ip());
        if let Ok(seat) = seats.take_of(network(address.ip()), each) {
            let (app, stopped) = (app.clone(), stopped.clone());
            open.spawn(async move {
                let _seat = seat;
                converse(stream, address, app, limits.head, stopped).await;
            });
        }
    }
    drop((listener, stopping));
    let finished = async { while open.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(FAREWELL, finished).await;
    open.detach_all();
}

/// Answers what is asked over a connection, until it is closed or the site stops.
async fn converse(
    stream: TcpStream,
    address: SocketAddr,
    app: Router,
    head: Duration,
    mut stopped: watch::Receiver<()>,
) {
    let service = Extension(ConnectInfo(address)).layer(app);
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(head);
    let service = TowerToHyperService::new(service);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    // How a connection ends is the business of whoever is at its other end.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopped.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use axum::body::{Body, Bytes};
    use axum::routing::get;
    use tokio::sync::{mpsc, oneshot};

    use super::*;

    /// Only what hangs takes so long.
    const HANG: Duration = Duration::from_secs(100);

    const SMALL: Limits = Limits {
        head: HANG,
        all: 3,
        each: 1,
        each_here: 2,
    };

    /// A site that is served within limits: its address, and what ends it.
    async fn site(limits: Limits, app: Router) -> (SocketAddr, oneshot::Sender<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (end, ended) = oneshot::channel();
        let stop = async { drop(ended.await) };
        tokio::spawn(serve_within(limits, listener, app, stop));
        (address, end)
    }

    fn connect(address: SocketAddr) -> TcpStream {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        stream
    }

    /// Asks for a page, and reads until something has come that ends so; or what came instead.
    fn ask(stream: &mut TcpStream, path: &str, end: &str) -> Result<(), String> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
        let sent = stream.write_all(request.as_bytes());
        sent.map_err(|error| error.to_string())?;
        read_to(stream, end)
    }

    fn read_to(stream: &mut TcpStream, end: &str) -> Result<(), String> {
        let (mut text, mut chunk) = (String::new(), [0; 1024]);
        while !text.contains(end) {
            match stream.read(&mut chunk) {
                Ok(0) => return Err(text),
                Ok(read) => text.push_str(&String::from_utf8_lossy(&chunk[..read])),
                Err(error) => return Err(format!("{text}: {error}")),
            }
        }
        Ok(())
    }

    fn hello() -> Router {
        Router::new().route("/", get(async || "hello"))
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_head_that_never_ends_is_cut_off_and_live_pages_are_not() {
        let (news, told) = mpsc::unbounded_channel::<&str>();
        let told = std::sync::Mutex::new(Some(told));
        let live = async move || {
            let told = told.lock().unwrap().take().unwrap();
            Body::from_stream(futures_util::stream::unfold(told, async |mut told| {
                let text = told.recv().await?;
                Some((Ok::<_, Infallible>(Bytes::from(text)), told))
            }))
        };
        let live = std::sync::Arc::new(live);
        let app = hello().route(
            "/live",
            get(move || {
                let live = live.clone();
                async move { live().await }
            }),
        );
        let limits = Limits {
            head: Duration::from_secs(1),
            ..SMALL
        };
        let (address, _end) = site(limits, app).await;
        news.send("first").unwrap();
        // On a busy machine this, too, may come too late.
        let mut page = loop {
            let mut page = connect(address);
            if ask(&mut page, "/live", "first").is_ok() {
                break page;
            }
        };
        // Begun later, and cut off: what was open before has been so for longer.
        let mut slow = connect(address);
        slow.write_all(b"GET / HT").unwrap();
        assert_eq!(slow.read(&mut [0; 9]).unwrap(), 0);
        news.send("second").unwrap();
        read_to(&mut page, "second").unwrap();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn one_too_many_is_closed_and_the_others_are_served() {
        let (address, _end) = site(SMALL, hello()).await;
        let mut open: Vec<_> = (0..2).map(|_| connect(address)).collect();
        for _ in 0..2 {
            // A connection is kept for the next request.
            for stream in &mut open {
                ask(stream, "/", "hello").unwrap();
            }
        }
        assert!(ask(&mut connect(address), "/", "hello").is_err());
        drop(open.pop());
        // When the server has seen that, there is room again.
        while ask(&mut connect(address), "/", "hello").is_err() {
            std::thread::yield_now();
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn idle_connections_end_with_the_site() {
        let (address, end) = site(SMALL, hello()).await;
        let mut stream = connect(address);
        ask(&mut stream, "/", "hello").unwrap();
        drop(end);
        assert_eq!(stream.read(&mut [0; 9]).unwrap(), 0);
    }

    #[test]
    fn limits_follow_from_how_many_files_may_be_open() {
        let text = "Limit       Soft Limit  Hard Limit  Units\n\
                    Max processes     1   2   processes\n\
                    Max open files    1024   524288   files\n";
        assert_eq!(files_of(text), 1024);
        assert_eq!(files_of(&text.replace("1024", "unlimited")), usize::MAX);
        assert_eq!(files_of(""), FILES);
        for (files, all, each, each_here) in [
            (0, 4, 2, 3),
            (1024, 512, 256, 384),
            (1 << 20, 4096, 512, 3072),
            (usize::MAX, 4096, 512, 3072),
        ] {
            let limits = Limits::new(files);
            let found = (limits.all, limits.each, limits.each_here);
            assert_eq!(found, (all, each, each_here), "{files}");
        }
        let limits = Limits::new(1024);
        for (address, due) in [("127.0.0.1", 384), ("::1", 384), ("192.0.2.1", 256)] {
            assert_eq!(limits.of_address(address.parse().unwrap()), due);
        }
    }
}
