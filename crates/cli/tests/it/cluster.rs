//! A tournament on workers, by the commands that users type.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::waiting::wait_until;

/// A process that is killed in the end.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn ludex(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.current_dir(folder).args(args);
    command
}

#[track_caller]
pub(crate) fn text(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(all).unwrap()
}

/// Whether nats-server is installed; the test command sets the variable, and then it must be.
pub(crate) fn has_nats_server() -> bool {
    let version = Command::new("nats-server")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let found = version.is_ok_and(|status| status.success());
    let required = std::env::var("LUDEX_NATS_TESTS").as_deref() == Ok("1");
    assert!(found || !required, "no nats-server");
    found
}

/// A port that is free now.
pub(crate) fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

/// A server that `ludex cluster config` has set up; nothing where none is installed.
pub(crate) fn server(folder: &Path, more: &[&str]) -> Option<(Process, SocketAddr)> {
    if !has_nats_server() {
        return None;
    }
    let address = free_address();
    let listen = address.to_string();
    let args = ["cluster", "config", "lab", "--listen", &listen];
    let made = ludex(folder, &[&args, more].concat()).output().unwrap();
    assert_eq!(
        text(&made),
        "start the server:    nats-server -c lab/ludex-nats.conf\n\
         for coordinators:    --creds lab/coordinator.creds\n\
         for workers:         --creds lab/worker.creds\n"
    );
    let again = ludex(folder, &["cluster", "config", "lab"])
        .output()
        .unwrap();
    assert_eq!(
        text(&again),
        "ludex: lab/ludex-nats.conf is there already\n"
    );
    assert_eq!(again.status.code(), Some(2));
    let server = Command::new("nats-server")
        .args(["-c", "lab/ludex-nats.conf"])
        .current_dir(folder)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let server = Process(server);
    wait_until("the server listens", || TcpStream::connect(address).is_ok());
    Some((server, address))
}

#[test]
fn a_cup_is_played_on_a_worker() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let Some((_server, address)) = server(folder, &[]) else {
        return;
    };
    let url = format!("nats://{address}");
    let cup = "name = \"Cup\"\ngame = \"reversi\"\n[[player]]\nbot = \"random\"\n[[player]]\nbot = \"greedy\"\n\
               [[player]]\nbot = \"minimax:1\"\n";
    std::fs::write(folder.join("cup.toml"), cup).unwrap();
    let worker = [
        "worker",
        "--nats",
        &url,
        "--creds",
        "lab/worker.creds",
        "-j",
        "1",
    ];
    let mut worker = ludex(folder, &worker);
    worker.args(["--name", "lab 1", "--folder", "work", "--no-pin"]);
    let mut worker = Process(worker.stderr(Stdio::piped()).spawn().unwrap());
    let mut said = BufReader::new(worker.0.stderr.take().unwrap()).lines();
    let first = said.next().unwrap().unwrap();
    assert!(
        first.starts_with("worker lab-1: 1 game at once, "),
        "{first}"
    );
    let coordinator = ["--nats", &url, "--creds", "lab/coordinator.creds"];
    let run = |args: &[&str]| {
        let all = [args, &coordinator[..]].concat();
        ludex(folder, &all).output().unwrap()
    };
    let played = run(&["tournament", "run", "cup.toml", "--json"]);
    assert!(played.status.success(), "{}", text(&played));
    let standings = text(&played);
    assert!(standings.contains("\"finished\":true"), "{standings}");
    let status = text(&run(&["cluster", "status"]));
    assert!(
        status.contains("1 worker, 0 of 1 games at once"),
        "{status}"
    );
    assert!(
        status.contains("lab-1                    0/1 games, 3 pairs done"),
        "{status}"
    );
    assert!(
        status.contains("queue open-free                0 pairs wait, 0 are played"),
        "{status}"
    );
    assert_eq!(text(&run(&["cluster", "retry"])), "nothing is put aside\n");
    let nothing = run(&["cluster", "retry", "cup"]);
    assert_eq!(
        text(&nothing),
        "ludex: nothing that begins with \"cup\" is put aside\n"
    );
    assert_eq!(nothing.status.code(), Some(2));
    let records = ludex(folder, &["tournament", "export", "--format", "records"])
        .output()
        .unwrap();
    let records = text(&records);
    assert_eq!(
        records.matches("\"machine\":{\"worker\":\"lab-1\"").count(),
        6,
        "{records}"
    );
    site(folder, &url);
}

/// The site shows the workers.
fn site(folder: &Path, url: &str) {
    let args = [
        "serve",
        "--addr",
        "127.0.0.1:0",
        "--nats",
        url,
        "--creds",
        "lab/coordinator.creds",
    ];
    let mut site = ludex(folder, &args);
    let mut site = Process(site.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(site.0.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address = line
        .trim()
        .strip_prefix("Ludex is at http://")
        .unwrap()
        .trim_end_matches('/');
    let get = |path: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut page = String::new();
        stream.read_to_string(&mut page).unwrap();
        page
    };
    let page = get("/cluster");
    assert!(page.contains("1 worker, 0 of 1 games at once"), "{page}");
    assert!(page.contains("<th scope=\"row\">lab-1</th>"), "{page}");
    assert!(get("/tournaments").contains("href=\"/cluster\""));
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let home = tempfile::tempdir().unwrap();
    for args in [
        &["cluster", "status", "--nats", "nats://127.0.0.1:1"][..],
        &[
            "worker",
            "--nats",
            "nats://127.0.0.1:1",
            "--no-pin",
            "--folder",
            "work",
        ],
    ] {
        let output = ludex(home.path(), args).output().unwrap();
        let said = text(&output);
        assert!(
            said.starts_with("ludex: cannot connect to nats://127.0.0.1:1: "),
            "{said}"
        );
        assert_eq!((said.lines().count(), output.status.code()), (1, Some(1)));
    }
    let creds = ["cluster", "status", "--creds", "none.creds"];
    let output = ludex(home.path(), &creds).output().unwrap();
    assert!(
        text(&output).starts_with("ludex: none.creds: No such file"),
        "{}",
        text(&output)
    );
    assert_eq!(output.status.code(), Some(2));
}

/// A small one of what `ludex bench cluster` measures.
#[test]
fn a_cluster_is_measured() {
    if !has_nats_server() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let args =
        "bench cluster --workers 5 --pairs 20 --quick-pairs 5 --long-pairs 2 --rounds 2 --json";
    let args: Vec<&str> = args.split(' ').collect();
    let output = ludex(home.path(), &args)
        .env("TMPDIR", home.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let rows: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let value = |name: &str| {
        let row = rows.iter().find(|row| row["bench"] == name);
        row.unwrap_or_else(|| panic!("{name}: {rows:?}"))["value"]
            .as_f64()
            .unwrap()
    };
    assert_eq!(value("empty games"), 40.0);
    assert_eq!(value("rounds"), 2.0);
    assert!(value("least") <= value("times as fast, median"));
    assert!(value("times as fast, median") <= value("most"));
    // Nothing is left behind.
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().collect();
    assert!(left.len() <= 1, "{left:?}");
}
