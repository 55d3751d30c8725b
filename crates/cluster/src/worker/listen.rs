//! What a worker says about itself, and what it is told.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::mpsc;

use super::{LOOK, Shared, lock};
use crate::error::{ClusterError, Result, server};
use crate::protocol::{News, Presence, subjects};
use crate::wire;

/// How often a worker says that it is there.
const PRESENCE: Duration = Duration::from_secs(2);

impl Shared {
    /// Tells coordinators what happens.
    pub(super) async fn tell_news(self: Arc<Shared>, mut all: mpsc::UnboundedReceiver<News>) {
        while let Some(news) = all.recv().await {
            let subject = subjects::live(news.tournament());
            let bytes = wire::pack(&news);
            if bytes.len() < self.link.client.max_payload() {
                let _ = self.link.client.publish(subject, bytes.into()).await;
            }
        }
    }

    fn presence(&self) -> Presence {
        let told = lock(&self.told).clone();
        let mut troubles: Vec<String> = lock(&self.troubles).values().cloned().collect();
        troubles.splice(0..0, told);
        troubles.dedup();
        let measured = lock(&self.measured).clone();
        let able = measured.iter().filter(|one| self.may_play(**one));
        Presence {
            protocol: self.options.protocol,
            version: env!("CARGO_PKG_VERSION").into(),
            worker: self.name.clone(),
            slots: self.slots(),
            busy: self.busy.load(Ordering::Relaxed),
            calibration: able.map(|one| one.seconds).collect(),
            walls: self.walls.clone(),
            finished: self.finished.load(Ordering::Relaxed),
            spooled: self.spool.len(),
            troubles,
        }
    }

    pub(super) async fn be_present(self: Arc<Shared>) {
        loop {
            let bytes = wire::pack(&self.presence());
            let _ = self
                .link
                .client
                .publish(subjects::PRESENCE, bytes.into())
                .await;
            tokio::time::sleep(PRESENCE).await;
        }
    }

    /// Says when the server goes, and when it is there again.
    pub(super) async fn watch_server(self: Arc<Shared>) {
        let mut was_there = true;
        loop {
            tokio::time::sleep(LOOK).await;
            let is_there = self.link.is_connected();
            if is_there != was_there {
                (self.options.say)(match is_there {
                    true => "the NATS server is there again",
                    false => "the NATS server is away: what is played is kept until it is back",
                });
            }
            was_there = is_there;
        }
    }

    /// Says when the server does not let it do its work, as one with an older configuration.
    pub(super) async fn say_refusal(self: Arc<Shared>) {
        let refusal = self.link.refusal().await;
        (self.options.say)(&refusal.to_string());
    }

    /// Listens to coordinators and to whoever asks who is there.
    pub(super) async fn listen(self: Arc<Shared>) {
        while let Err(error) = self.listen_once().await {
            (self.options.say)(&error.to_string());
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn listen_once(&self) -> Result<()> {
        let client = &self.link.client;
        let subscribe = |subject: String| async {
            client.subscribe(subject).await.map_err(server("subscribe"))
        };
        let mut hello = subscribe(subjects::HELLO.into()).await?;
        let mut tell = subscribe(subjects::tell(&self.name)).await?;
        let mut accepted = subscribe(subjects::accepted("*")).await?;
        let mut stop = subscribe(subjects::stop("*")).await?;
        loop {
            tokio::select! {
                Some(message) = hello.next() => {
                    self.spool.hurry();
                    if let Some(reply) = message.reply {
                        let bytes = wire::pack(&self.presence());
                        let _ = client.publish(reply, bytes.into()).await;
                    }
                }
                Some(message) = tell.next() => {
                    if let Ok(text) = wire::unpack::<String>("what is told", &message.payload) {
                        let mut told = lock(&self.told);
                        if told.as_ref() != Some(&text) {
                            (self.options.say)(&text);
                        }
                        *told = Some(text);
                    }
                }
                Some(message) = accepted.next() => {
                    let tournament = message.subject.rsplit('.').next().unwrap_or_default();
                    let units = wire::unpack::<Vec<String>>("units", &message.payload);
                    for unit in units.unwrap_or_default() {
                        self.spool.forget(&(tournament.into(), unit));
                    }
                }
                Some(message) = stop.next() => {
                    let tournament = message.subject.rsplit('.').next().unwrap_or_default();
                    let playing = lock(&self.playing);
                    let of_it = playing.iter().filter(|(key, _)| key.0 == tournament);
                    for (_, stop) in of_it {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                else => return Err(ClusterError::Other("the connection is closed".into())),
            }
        }
    }
}
