//! Workers and coordinators as processes of their own, to be killed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use cluster::{Address, Cluster, WorkerOptions};
use referee::{Isolation, IsolationMode};
use serde::{Deserialize, Serialize};
use tournament::{Config, RunOptions, Store};

use super::runtime;
use super::server::Server;

/// The variables that tell the children below what to do.
const WORKER: &str = "LUDEX_TEST_WORKER";
const COORDINATOR: &str = "LUDEX_TEST_COORDINATOR";

/// After so much silence work is given to another worker.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(2);

/// A worker in a process of its own.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct WorkerArgs {
    url: String,
    credentials: PathBuf,
    pub(crate) place: PathBuf,
    pub(crate) name: String,
    pub(crate) slots: usize,
    /// How long the fixed work takes.
    pub(crate) seconds: f64,
    pub(crate) protocol: u32,
    /// Whether it has walls.
    pub(crate) walls: bool,
    /// Whether it needs a core to itself.
    pub(crate) pin: bool,
}

/// A child that is killed when nobody needs it any more.
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        assert!(
            Command::new("kill")
                .args([name, &id])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Whether it has ended, and well.
    pub(crate) fn ended(&mut self) -> Option<bool> {
        self.0.try_wait().unwrap().map(|status| status.success())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl WorkerArgs {
    pub(crate) fn new(server: &Server, name: &str) -> WorkerArgs {
        let address = server.worker();
        WorkerArgs {
            url: address.url,
            credentials: address.credentials.unwrap(),
            place: server.place(name),
            name: name.into(),
            slots: 1,
            seconds: 1.0,
            protocol: cluster::protocol::VERSION,
            walls: true,
            pin: false,
        }
    }

    pub(crate) fn spawn(&self) -> Process {
        let text = serde_json::to_string(self).unwrap();
        let mut own = Command::new(std::env::current_exe().unwrap());
        self.keep_apart(&mut own);
        spawn(own, "worker", WORKER, &text)
    }

    /// A worker that can write no file.
    pub(crate) fn spawn_without_disk(&self) -> Process {
        let text = serde_json::to_string(self).unwrap();
        let mut shell = Command::new("sh");
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
        shell
            .args(["-c", script])
            .arg(std::env::current_exe().unwrap());
        self.keep_apart(&mut shell);
        spawn(shell, "worker", WORKER, &text)
    }

    /// Workers of one machine share its cores; those of two tests have nothing to do with each other.
    fn keep_apart(&self, command: &mut Command) {
        let folder = self.place.parent().unwrap();
        // Programs may be started as somebody else.
        let rights = std::os::unix::fs::PermissionsExt::from_mode(0o711);
        std::fs::set_permissions(folder, rights).unwrap();
        command.env("TMPDIR", folder);
    }
}

fn spawn(mut command: Command, test: &str, variable: &str, value: &str) -> Process {
    let child = command
        .args([
            "--exact",
            &format!("children::{test}"),
            "--test-threads=1",
            "--nocapture",
        ])
        .env(variable, value)
        .stdout(Stdio::null())
        .stderr(match std::env::var_os("LUDEX_TEST_LOUD") {
            Some(_) => Stdio::inherit(),
            None => Stdio::null(),
        })
        .spawn()
        .unwrap();
    Process(child)
}

/// Not a test of its own: a worker.
#[test]
fn worker() {
    let Ok(text) = std::env::var(WORKER) else {
        return;
    };
    let args: WorkerArgs = serde_json::from_str(&text).unwrap();
    let mut options = WorkerOptions::new(Address {
        credentials: Some(args.credentials),
        ..Address::new(args.url)
    });
    options.name = Some(args.name.clone());
    options.slots = Some(args.slots);
    options.place = Some(args.place);
    options.protocol = args.protocol;
    // How fast this machine is must decide nothing.
    options.calibrate = Arc::new(move || args.seconds);
    options.pin = args.pin;
    if !args.walls {
        options.walls = Some(Ok(Isolation {
            mode: IsolationMode::None,
            missing: vec!["namespaces are forbidden".into()],
            unmeasured: Vec::new(),
        }));
    }
    options.say = Arc::new(move |line| {
        // The worker that can write nothing cannot write here, either.
        let _ = writeln!(std::io::stderr(), "{}: {line}", args.name);
    });
    loop {
        // A server that is away comes back.
        if let Err(error) = runtime().block_on(cluster::work(options.clone())) {
            eprintln!("{error}");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A coordinator in a process of its own.
#[derive(Serialize, Deserialize)]
struct CoordinatorArgs {
    url: String,
    credentials: PathBuf,
    db: PathBuf,
    config: Config,
}

pub(crate) fn coordinate(server: &Server, db: &Path, config: &Config) -> Process {
    let address = server.coordinator();
    let args = CoordinatorArgs {
        url: address.url,
        credentials: address.credentials.unwrap(),
        db: db.into(),
        config: config.clone(),
    };
    let text = serde_json::to_string(&args).unwrap();
    let own = Command::new(std::env::current_exe().unwrap());
    spawn(own, "coordinator", COORDINATOR, &text)
}

/// Not a test of its own: a coordinator. Ends well when the tournament is finished.
#[test]
fn coordinator() {
    let Ok(text) = std::env::var(COORDINATOR) else {
        return;
    };
    let args: CoordinatorArgs = serde_json::from_str(&text).unwrap();
    let address = Address {
        credentials: Some(args.credentials),
        ..Address::new(args.url)
    };
    loop {
        let finished = runtime().block_on(async {
            let store = Store::open(&args.db).await.unwrap();
            let say = Arc::new(|line: &str| eprintln!("coordinator: {line}"));
            let cluster = Cluster::connect(&address).await?;
            let cluster = cluster.with_ack_wait(ACK_WAIT).with_say(say);
            let link = cluster.link().clone();
            let options = RunOptions {
                remote: Some(Arc::new(cluster)),
                ..RunOptions::default()
            };
            let summary = tournament::run(&store, &args.config, &options).await?;
            store.close().await;
            if !summary.finished {
                // Whoever is killed all the time may have been begun three times.
                cluster::retry(&link, None).await?;
            }
            Ok::<bool, Box<dyn std::error::Error>>(summary.finished)
        });
        match finished {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => eprintln!("{error}"),
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
