//! The way to the NATS server: connecting, and what it refuses.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerError};
use tokio::sync::watch;

use crate::error::{ClusterError, Result};

/// How long an answer of the server may take.
const ANSWER: Duration = Duration::from_secs(10);

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// How often it is looked whether the server is there, for somebody who waits for it.
const LOOK: Duration = Duration::from_millis(100);

/// The longest pause between two tries to connect again.
const PAUSE: Duration = Duration::from_secs(2);

/// So many times in a row it is not: whoever waits is told. On a busy machine a connection that broke
/// takes a few tries to come back.
const MISSED: u128 = 3 * PAUSE.as_millis() / LOOK.as_millis();

/// How to reach a server.
#[derive(Clone, Debug)]
pub struct Address {
    /// `nats://host:4222`, or `tls://` to insist on encryption.
    pub url: String,
    /// A file with a key, or what `nsc` writes.
    pub credentials: Option<PathBuf>,
    /// A file with the certificate of the authority that signed the server's.
    pub authority: Option<PathBuf>,
}

impl Address {
    /// A server without credentials.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Address {
        Address {
            url: url.into(),
            credentials: None,
            authority: None,
        }
    }
}

/// A connection to a server.
#[derive(Clone, Debug)]
pub struct Link {
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
    /// What the server does not allow, as it said last.
    refused: watch::Receiver<Option<String>>,
    url: String,
    /// Where the key is.
    key: Option<PathBuf>,
    /// Whether all streams have been seen to be there.
    pub(crate) prepared: Arc<AtomicBool>,
}

impl Link {
    /// Connects, once: whoever cannot is told why.
    pub async fn connect(address: &Address, name: &str) -> Result<Link> {
        if address.url.trim().is_empty() {
            let what = "the address of the NATS server is empty: nats://host:4222 is meant";
            return Err(ClusterError::Other(what.into()));
        }
        let (refusal, refused) = watch::channel(None);
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECT)
            .request_timeout(Some(ANSWER))
            .event_callback(move |event| {
                if let Event::ServerError(ServerError::Other(why)) = event
                    && why.to_lowercase().contains("permissions violation")
                {
                    refusal.send_replace(Some(why));
                }
                std::future::ready(())
            })
            // A server that comes back is found soon.
            .reconnect_delay_callback(|tries| {
                Duration::from_millis(50 << tries.min(10)).min(PAUSE)
            });
        if let Some(path) = &address.credentials {
            options = credentials(options, path)?;
        }
        if let Some(path) = &address.authority {
            // A file that is missing is named by nobody else.
            std::fs::metadata(path).map_err(crate::error::file(path))?;
            options = options.add_root_certificates(path.clone());
        }
        let client = options.connect(&address.url).await;
        let client = client.map_err(|error| ClusterError::Connect {
            url: without_password(&address.url),
            why: reason(&error, address),
        })?;
        let jetstream = jetstream::context::ContextBuilder::new()
            .timeout(ANSWER)
            .ack_timeout(ANSWER)
            .max_ack_inflight(20_000)
            .backpressure_on_inflight(true)
            .build(client.clone());
        Ok(Link {
            client,
            jetstream,
            refused,
            url: without_password(&address.url),
            key: address.credentials.clone(),
            prepared: Arc::default(),
        })
    }

    /// Whether the server is there, as far as is known.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// What the server does not allow, when it has said so.
    pub(crate) async fn refusal(&self) -> ClusterError {
        let mut refused = self.refused.clone();
        let why = refused.wait_for(Option::is_some).await;
        let why = why.map(|why| why.clone().unwrap_or_default());
        match why {
            Ok(why) => ClusterError::Refused {
                key: match &self.key {
                    Some(path) => path.display().to_string(),
                    None => self.url.clone(),
                },
                why,
            },
            // There is no connection any more to be refused anything.
            Err(_) => std::future::pending().await,
        }
    }

    /// The server has been away for a moment.
    async fn absence(&self) -> ClusterError {
        let mut missed = 0;
        while missed < MISSED {
            tokio::time::sleep(LOOK).await;
            missed = if self.is_connected() { 0 } else { missed + 1 };
        }
        ClusterError::Connect {
            url: self.url.clone(),
            why: "the server is away".into(),
        }
    }

    /// Asks the server for something that it may refuse, or die of: it says so beside, or not at all,
    /// and answers nothing.
    pub(crate) async fn answered<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        tokio::select! {
            biased;
            refusal = self.refusal() => Err(refusal),
            done = work => done,
            absence = self.absence() => Err(absence),
        }
    }
}

/// Why there is no connection, in a line.
fn reason(error: &async_nats::ConnectError, address: &Address) -> String {
    if error.kind() == ConnectErrorKind::AuthorizationViolation {
        return match &address.credentials {
            Some(path) => format!("it does not know the key in {}", path.display()),
            None => "it wants a key: --creds FILE".into(),
        };
    }
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text.replace('\n', " ")
}

/// An address as it may be shown.
fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(start), Some(end)) if start < end => format!("{}…{}", &url[..start + 3], &url[end..]),
        _ => url.into(),
    }
}

/// More bytes than any file of credentials has.
const LONGEST_CREDENTIALS: u64 = 1 << 20;

/// Adds what a file of credentials says: a key alone, or a key and a token that an operator signed.
fn credentials(options: ConnectOptions, path: &Path) -> Result<ConnectOptions> {
    let wrong = |why: String| ClusterError::Credentials {
        path: path.into(),
        why,
    };
    let text = files::read_text(path, LONGEST_CREDENTIALS);
    let text = text.map_err(|error| wrong(error.to_string()))?;
    if text.contains("BEGIN NATS USER JWT") {
        return options
            .credentials(&text)
            .map_err(|error| wrong(error.to_string()));
    }
    let seed = text
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("SU"));
    let seed = seed.ok_or_else(|| wrong("there is no key of a user in it".into()))?;
    nkeys::KeyPair::from_seed(seed).map_err(|error| wrong(error.to_string()))?;
    Ok(options.nkey(seed.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, expected) in [
            ("nats://host:4222", "nats://host:4222"),
            ("nats://me:secret@host", "nats://…@host"),
        ] {
            assert_eq!(without_password(url), expected);
        }
    }

    #[test]
    fn files_without_a_key_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.creds");
        let refused = |path: &Path| {
            let error = credentials(ConnectOptions::new(), path).unwrap_err();
            error
                .to_string()
                .replace(&path.display().to_string(), "FILE")
        };
        assert!(refused(&path).starts_with("FILE: No such file"));
        std::fs::write(&path, "hello\n").unwrap();
        assert_eq!(refused(&path), "FILE: there is no key of a user in it");
        std::fs::write(&path, "SUAAAA\n").unwrap();
        assert!(refused(&path).starts_with("FILE: "));
        let seed = nkeys::KeyPair::new_user().seed().unwrap();
        std::fs::write(&path, seed).unwrap();
        assert!(credentials(ConnectOptions::new(), &path).is_ok());
    }
}
