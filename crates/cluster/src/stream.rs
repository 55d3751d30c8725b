//! The streams that everything goes through.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{consumer, object_store};

use crate::error::{ClusterError, Result, server};
use crate::link::Link;
use crate::protocol::{Class, OBJECT_HEADER, VERSION, streams, subjects};
use crate::wire;

/// What is not fetched, accepted or looked at is kept so long.
const MONTH: Duration = Duration::from_secs(30 * 24 * 3600);

impl Link {
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

    /// Whether all streams are there: the one that [`prepare`](Link::prepare) makes last is.
    async fn is_prepared(&self) -> Result<bool> {
        if self.prepared.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let last = format!("OBJ_{}", streams::RECORDS);
        match self.jetstream.get_stream(last).await {
            Ok(_) => {
                self.prepared.store(true, Ordering::Relaxed);
                Ok(true)
            }
            Err(error) if error.to_string().contains("not found") => Ok(false),
            Err(error) => Err(server("find a stream")(error)),
        }
    }

    /// The last message with this subject and its number, if there is one.
    async fn last_raw(&self, stream: &str, subject: &str) -> Result<Option<(u64, Vec<u8>)>> {
        use stream::LastRawMessageErrorKind::NoMessageFound;
        // A server (2.9) that is asked for a message of a stream while it makes that dies.
        if !self.is_prepared().await? {
            return Ok(None);
        }
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

    /// Publishes a message if the last one with this subject has this number; the number of the new
    /// one, or nothing if it has not.
    pub(crate) async fn publish_after(
        &self,
        subject: String,
        bytes: Vec<u8>,
        number: u64,
    ) -> Result<Option<u64>> {
        self.send_after(subject, message(bytes), number).await
    }

    /// Publishes a message unless there is one with this subject, and waits until the server has
    /// one.
    pub(crate) async fn publish_once(
        &self,
        subject: String,
        bytes: Vec<u8>,
        object: Option<&str>,
    ) -> Result<()> {
        let mut message = message(bytes);
        if let Some(object) = object {
            message = message.header(OBJECT_HEADER, object);
        }
        self.send_after(subject, message, 0).await.map(drop)
    }

    async fn send_after(
        &self,
        subject: String,
        message: PublishMessage,
        number: u64,
    ) -> Result<Option<u64>> {
        let message = message.expected_last_subject_sequence(number);
        let sent = self.jetstream.send_publish(subject, message).await;
        match sent.map_err(server("publish"))?.await {
            Ok(acked) => Ok(Some(acked.sequence)),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(None),
            Err(error) => Err(server("publish")(error)),
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

fn message(bytes: Vec<u8>) -> PublishMessage {
    PublishMessage::build().payload(bytes.into())
}

/// The name of the queue of a class.
pub(crate) fn queue_name(class: Class) -> String {
    format!("v{VERSION}-{class}")
}

pub(crate) fn results_name(tournament: &str) -> String {
    format!("results-{tournament}")
}
