//! The way to the NATS server: connecting, and the streams that everything goes through.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context, consumer, object_store};
use async_nats::{Client, ConnectOptions};

use crate::error::{ClusterError, Result, server};
use crate::protocol::{Class, OBJECT_HEADER, VERSION, streams, subjects};
use crate::wire;

/// How long an answer of the server may take.
const ANSWER: Duration = Duration::from_secs(10);

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// What is not fetched, accepted or looked at is kept so long.
const MONTH: Duration = Duration::from_secs(30 * 24 * 3600);

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
}

impl Link {
    /// Connects, once: whoever cannot is told why.
    pub async fn connect(address: &Address, name: &str) -> Result<Link> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECT)
            .request_timeout(Some(ANSWER))
            // A server that comes back is found soon.
            .reconnect_delay_callback(|tries| {
                Duration::from_millis((50 << tries.min(5)).min(2000) as u64)
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
            why: reason(&error),
        })?;
        let jetstream = jetstream::context::ContextBuilder::new()
            .timeout(ANSWER)
            .ack_timeout(ANSWER)
            .max_ack_inflight(20_000)
            .backpressure_on_inflight(true)
            .build(client.clone());
        Ok(Link { client, jetstream })
    }

    /// Makes the streams that are missing. Coordinators do; workers may not.
    pub(crate) async fn prepare(&self) -> Result<()> {
        let queue = |name: &str, subject: String| stream::Config {
            name: name.into(),
            subjects: vec![subject],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_age: MONTH,
            num_replicas: 1,
            ..Default::default()
        };
        let latest = |name: &str, subject: String| stream::Config {
            max_messages_per_subject: 1,
            retention: RetentionPolicy::Limits,
            discard: DiscardPolicy::Old,
            ..queue(name, subject)
        };
        for config in [
            queue(streams::WORK, format!("ludex.v{VERSION}.work.>")),
            queue(streams::RESULTS, format!("ludex.v{VERSION}.result.>")),
            latest(streams::TRIES, format!("ludex.v{VERSION}.tries.>")),
            latest(
                streams::QUARANTINE,
                format!("ludex.v{VERSION}.quarantine.>"),
            ),
            latest(streams::STATE, format!("ludex.v{VERSION}.state.>")),
        ] {
            let made = self.jetstream.get_or_create_stream(config).await;
            made.map_err(server("make a stream"))?;
        }
        for bucket in [streams::PROGRAMS, streams::RECORDS] {
            if self.jetstream.get_object_store(bucket).await.is_ok() {
                continue;
            }
            let config = object_store::Config {
                bucket: bucket.into(),
                max_age: MONTH,
                num_replicas: 1,
                ..Default::default()
            };
            let made = self.jetstream.create_object_store(config).await;
            made.map_err(server("make an object store"))?;
        }
        Ok(())
    }

    /// Makes the queue of a class, from which workers take.
    pub(crate) async fn prepare_class(&self, class: Class, ack_wait: Duration) -> Result<()> {
        let config = pull::Config {
            durable_name: Some(queue_name(class)),
            filter_subject: format!("ludex.v{VERSION}.work.{class}.>"),
            ack_policy: consumer::AckPolicy::Explicit,
            ack_wait,
            max_deliver: -1,
            max_ack_pending: 100_000,
            max_waiting: 20_000,
            ..Default::default()
        };
        let made = self
            .stream(streams::WORK)
            .await?
            .create_consumer(config)
            .await;
        made.map(drop).map_err(server("make a queue of work"))
    }

    /// The queue of a class, if there is one.
    pub(crate) async fn class(&self, class: Class) -> Option<consumer::PullConsumer> {
        let name = queue_name(class);
        let found = self.jetstream.get_consumer_from_stream(name, streams::WORK);
        found.await.ok()
    }

    /// The results of a tournament.
    pub(crate) async fn results(&self, tournament: &str) -> Result<consumer::PullConsumer> {
        let config = pull::Config {
            durable_name: Some(results_name(tournament)),
            filter_subject: subjects::result(tournament, ">"),
            ack_policy: consumer::AckPolicy::Explicit,
            ack_wait: Duration::from_secs(60),
            max_ack_pending: 5_000,
            ..Default::default()
        };
        let made = self
            .stream(streams::RESULTS)
            .await?
            .create_consumer(config)
            .await;
        made.map_err(server("read results"))
    }

    /// Begins to read the results of a tournament, those too that a coordinator before has taken
    /// and not kept; returns how many are there.
    pub(crate) async fn read_results_anew(&self, tournament: &str) -> Result<u64> {
        let stream = self.stream(streams::RESULTS).await?;
        // If there is none, so much the better.
        let _ = stream.delete_consumer(&results_name(tournament)).await;
        let results = self.results(tournament).await?;
        Ok(results.cached_info().num_pending)
    }

    /// Nobody wants the work of a tournament any more.
    pub(crate) async fn forget_work(&self, tournament: &str) {
        if let Ok(stream) = self.stream(streams::WORK).await {
            let all = format!("ludex.v{VERSION}.work.*.{tournament}.>");
            let _ = stream.purge().filter(all).await;
        }
    }

    /// Nobody reads the results of a tournament any more.
    pub(crate) async fn forget_results(&self, tournament: &str) {
        if let Ok(stream) = self.stream(streams::RESULTS).await {
            let _ = stream.delete_consumer(&results_name(tournament)).await;
            let _ = stream
                .purge()
                .filter(subjects::result(tournament, ">"))
                .await;
        }
    }

    /// A stream.
    pub(crate) async fn stream(&self, name: &str) -> Result<Stream> {
        let stream = self.jetstream.get_stream(name).await;
        stream.map_err(|error| match error.to_string() {
            why if why.contains("not found") => ClusterError::Other(format!(
                "nothing has been played on this server yet: it has no stream {name}"
            )),
            why => ClusterError::Server {
                what: "find a stream",
                why,
            },
        })
    }

    /// The last message with this subject and its number, if there is one.
    async fn last_raw(&self, stream: &str, subject: &str) -> Result<Option<(u64, Vec<u8>)>> {
        use stream::LastRawMessageErrorKind::NoMessageFound;
        // Only its name is needed, and workers may not ask for more.
        let stream = self.jetstream.get_stream_no_info(stream).await;
        let stream = stream.map_err(server("find a stream"))?;
        match stream.get_last_raw_message_by_subject(subject).await {
            Ok(message) => Ok(Some((message.sequence, message.payload.to_vec()))),
            Err(error) if error.kind() == NoMessageFound => Ok(None),
            Err(error) => Err(server("read a message")(error)),
        }
    }

    /// The last message with this subject, if there is one.
    pub(crate) async fn last(&self, stream: &str, subject: &str) -> Result<Option<Vec<u8>>> {
        let last = self.last_raw(stream, subject).await?;
        Ok(last.map(|(_, bytes)| bytes))
    }

    /// The number of the last message with this subject, or 0.
    pub(crate) async fn sequence(&self, stream: &str, subject: &str) -> Result<u64> {
        let last = self.last_raw(stream, subject).await?;
        Ok(last.map_or(0, |(number, _)| number))
    }

    /// Publishes a message if the last one with this subject has this number; whether it has.
    pub(crate) async fn publish_after(
        &self,
        subject: String,
        bytes: Vec<u8>,
        number: u64,
    ) -> Result<bool> {
        let message = jetstream::message::PublishMessage::build()
            .payload(bytes.into())
            .expected_last_subject_sequence(number);
        let sent = self.jetstream.send_publish(subject, message).await;
        match sent.map_err(server("publish"))?.await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
            Err(error) => Err(server("publish")(error)),
        }
    }

    /// Publishes a message unless there is one with this subject, and waits until the server has
    /// one.
    pub(crate) async fn publish_once(
        &self,
        subject: String,
        bytes: Vec<u8>,
        object: Option<&str>,
    ) -> Result<()> {
        let mut message = jetstream::message::PublishMessage::build()
            .payload(bytes.into())
            .expected_last_subject_sequence(0);
        if let Some(object) = object {
            message = message.header(OBJECT_HEADER, object);
        }
        let sent = self.jetstream.send_publish(subject, message).await;
        match sent.map_err(server("publish"))?.await {
            Err(error) if error.kind() != PublishErrorKind::WrongLastSequence => {
                Err(server("publish")(error))
            }
            _ => Ok(()),
        }
    }

    /// How long the fixed work takes on a machine of the right speed, if that is decided.
    pub(crate) async fn reference(&self) -> Result<Option<f64>> {
        let last = self.last(streams::STATE, &subjects::reference()).await?;
        last.map(|bytes| wire::unpack("the reference", &bytes))
            .transpose()
    }

    /// Publishes a message and waits until the server has it.
    pub(crate) async fn publish(&self, subject: String, bytes: Vec<u8>) -> Result<()> {
        let sent = self.jetstream.publish(subject, bytes.into()).await;
        let acked = sent.map_err(server("publish"))?.await;
        acked.map(drop).map_err(server("publish"))
    }
}

/// The name of the queue of a class.
pub(crate) fn queue_name(class: Class) -> String {
    format!("v{VERSION}-{class}")
}

fn results_name(tournament: &str) -> String {
    format!("results-{tournament}")
}

/// What a connection says, in a line.
fn reason(error: &async_nats::ConnectError) -> String {
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

/// Adds what a file of credentials says: a key alone, or a key and a token that an operator signed.
fn credentials(options: ConnectOptions, path: &Path) -> Result<ConnectOptions> {
    let wrong = |why: String| ClusterError::Credentials {
        path: path.into(),
        why,
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
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
