//! A configuration of the NATS server that is safe to begin with.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::error::{ClusterError, Result, file};
use crate::protocol::{VERSION, streams};

/// What the server is to be like.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Where it keeps work and results.
    pub store: PathBuf,
    /// How much it may keep there, in gigabytes.
    pub gigabytes: u32,
    /// Its certificate and key, for encryption.
    pub tls: Option<(PathBuf, PathBuf)>,
}

/// Files that were written.
#[derive(Clone, Debug)]
pub struct Written {
    /// For `nats-server -c`.
    pub config: PathBuf,
    /// For `ludex tournament run`, `ludex serve` and `ludex cluster`.
    pub coordinator: PathBuf,
    /// For `ludex worker`.
    pub worker: PathBuf,
}

impl ServerConfig {
    /// Writes the configuration and two keys into a folder. Nothing that is there is replaced.
    pub fn write(&self, folder: &Path) -> Result<Written> {
        let written = Written {
            config: folder.join("ludex-nats.conf"),
            coordinator: folder.join("coordinator.creds"),
            worker: folder.join("worker.creds"),
        };
        let all = [&written.config, &written.coordinator, &written.worker];
        if let Some(path) = all.into_iter().find(|path| path.exists()) {
            let what = format!("{} is there already", path.display());
            return Err(ClusterError::Other(what));
        }
        fs::create_dir_all(folder).map_err(file(folder))?;
        let mut public = Vec::new();
        for path in [&written.coordinator, &written.worker] {
            let pair = nkeys::KeyPair::new_user();
            let seed = pair
                .seed()
                .map_err(|error| ClusterError::Other(error.to_string()))?;
            let text =
                format!("-----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n");
            write_secret(path, &text)?;
            public.push(pair.public_key());
        }
        write_secret(&written.config, &self.text(&public[0], &public[1]))?;
        Ok(written)
    }

    /// The configuration, for the public keys of coordinators and workers.
    fn text(&self, coordinator: &str, worker: &str) -> String {
        let quoted = |path: &Path| {
            let path = path.display().to_string();
            format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
        };
        let mut text = format!(
            "# Written by ludex cluster config: a NATS server for the workers of Ludex.\n\
             # Only who has one of the two keys can connect, and a worker can do no more than its\n\
             # work: take pairs, read programs, send results.\n\
             server_name: ludex\n\
             listen: \"{listen}\"\n\
             max_connections: 4096\n\
             max_payload: 1MB\n\
             max_pending: 64MB\n\
             jetstream {{\n    store_dir: {store}\n    max_memory_store: 64MB\n    \
             max_file_store: {gigabytes}GB\n}}\n",
            listen = self.listen,
            store = quoted(&self.store),
            gigabytes = self.gigabytes,
        );
        if let Some((certificate, key)) = &self.tls {
            let (certificate, key) = (quoted(certificate), quoted(key));
            let _ = write!(
                text,
                "tls {{\n    cert_file: {certificate}\n    key_file: {key}\n    timeout: {SIGN_IN}\n}}\n"
            );
        }
        let list = |subjects: &[String]| {
            let quoted: Vec<String> = subjects.iter().map(|s| format!("\"{s}\"")).collect();
            quoted.join(", ")
        };
        let (publish, subscribe) = (list(&worker_publishes()), list(&worker_subscribes()));
        let _ = write!(
            text,
            "authorization {{\n    timeout: {SIGN_IN}\n    users = [\n        {{ nkey: {coordinator} }},\n        \
             {{ nkey: {worker}, permissions: {{\n            publish: {{ allow: [{publish}] }}\n            \
             subscribe: {{ allow: [{subscribe}] }}\n            allow_responses: true\n        }} }}\n    ]\n}}\n"
        );
        text
    }
}

/// Seconds in which a machine must sign in: one that is busy with games may be slow to.
const SIGN_IN: u32 = 30;

/// What workers may publish to.
fn worker_publishes() -> Vec<String> {
    let (work, tries, state) = (streams::WORK, streams::TRIES, streams::STATE);
    let mut subjects = vec![
        format!("$JS.API.CONSUMER.INFO.{work}.*"),
        format!("$JS.API.CONSUMER.MSG.NEXT.{work}.*"),
        format!("$JS.ACK.{work}.>"),
        format!("$JS.API.STREAM.MSG.GET.{tries}"),
        format!("$JS.API.STREAM.MSG.GET.{state}"),
        "$JS.FC.>".into(),
        format!("$O.{}.>", streams::RECORDS),
    ];
    for bucket in [streams::PROGRAMS, streams::RECORDS] {
        subjects.push(format!("$JS.API.STREAM.INFO.OBJ_{bucket}"));
        subjects.push(format!("$JS.API.DIRECT.GET.OBJ_{bucket}"));
        subjects.push(format!("$JS.API.DIRECT.GET.OBJ_{bucket}.>"));
    }
    let programs = streams::PROGRAMS;
    for call in ["CREATE", "DELETE"] {
        subjects.push(format!("$JS.API.CONSUMER.{call}.OBJ_{programs}"));
        subjects.push(format!("$JS.API.CONSUMER.{call}.OBJ_{programs}.>"));
    }
    for kind in ["result.>", "tries.>", "quarantine.>", "live.*", "ask.*"] {
        subjects.push(format!("ludex.v{VERSION}.{kind}"));
    }
    subjects.push(crate::protocol::subjects::PRESENCE.into());
    subjects
}

/// What workers may listen to.
fn worker_subscribes() -> Vec<String> {
    vec![
        "_INBOX.>".into(),
        format!("ludex.v{VERSION}.accepted.*"),
        format!("ludex.v{VERSION}.stop.*"),
        crate::protocol::subjects::HELLO.into(),
        "ludex.tell.*".into(),
    ]
}

/// Writes a file that only its owner can read.
fn write_secret(path: &Path, text: &str) -> Result<()> {
    let open = fs::File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    let mut open = open.map_err(file(path))?;
    open.write_all(text.as_bytes()).map_err(file(path))
}
