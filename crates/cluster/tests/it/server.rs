//! A real NATS server, set up as `ludex cluster config` does.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use cluster::{Address, ServerConfig, Written};

use crate::waiting::wait_until;

/// A server with a folder of its own; it can be killed and started again.
pub(crate) struct Server {
    folder: tempfile::TempDir,
    address: SocketAddr,
    files: Written,
    child: Option<Child>,
}

/// Whether a server can be started; the test command sets the variable, and then it must.
fn is_there() -> bool {
    let found = Command::new("nats-server")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let found = found.is_ok_and(|status| status.success());
    let required = std::env::var_os("LUDEX_NATS_TESTS").is_some_and(|value| value == "1");
    assert!(found || !required, "nats-server is not installed");
    if !found {
        eprintln!("left out: nats-server is not installed");
    }
    found
}

impl Server {
    /// Starts a server; nothing where none is installed.
    pub(crate) fn start() -> Option<Server> {
        Server::start_with(|text| text)
    }

    /// The same, with a changed configuration.
    pub(crate) fn start_with(change: impl FnOnce(String) -> String) -> Option<Server> {
        if !is_there() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        // A port that is free now.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let config = ServerConfig {
            listen: address,
            store: folder.path().join("store"),
            gigabytes: 1,
            tls: None,
        };
        let files = config.write(folder.path()).unwrap();
        let text = std::fs::read_to_string(&files.config).unwrap();
        std::fs::write(&files.config, change(text)).unwrap();
        let mut server = Server {
            folder,
            address,
            files,
            child: None,
        };
        server.resume();
        Some(server)
    }

    /// Starts it again.
    pub(crate) fn resume(&mut self) {
        let child = Command::new("nats-server")
            .arg("-c")
            .arg(&self.files.config)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.child = Some(child);
        wait_until("the server listens", || {
            TcpStream::connect(self.address).is_ok()
        });
    }

    /// Kills it at once.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    fn with(&self, credentials: PathBuf) -> Address {
        Address {
            credentials: Some(credentials),
            ..Address::new(self.url())
        }
    }

    /// The server for coordinators.
    pub(crate) fn coordinator(&self) -> Address {
        self.with(self.files.coordinator.clone())
    }

    /// The server for workers.
    pub(crate) fn worker(&self) -> Address {
        self.with(self.files.worker.clone())
    }

    /// A folder that is removed in the end.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
