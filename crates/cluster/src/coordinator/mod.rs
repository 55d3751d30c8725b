//! A coordinator: gives out the pairs of one tournament, and takes the results.
//!
//! It is the [`Venue`] of the runner, which decides what is played and keeps what comes of it. What
//! it knows it can find out again: work that was given out lies with the server under a subject of
//! its own, so that giving it out twice changes nothing; a result stays there until the runner has
//! kept it.

mod aside;
mod listen;
mod prepare;
mod receive;
mod tasks;
mod venue;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use tournament::RunError;
use tournament::runner::{Opening, Pending, RemoteMachines, TaskRunner, Venue};

pub(crate) use self::aside::release;
use self::venue::Coordinator;
use crate::error::{ClusterError, Result};
use crate::link::{Address, Link};
use crate::protocol::ACK_WAIT;
use crate::worker::machine_name;

/// How often the wish to stop is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How often the quarantine is looked at.
const ASIDE: Duration = Duration::from_secs(2);
/// After this time without a result whoever waits is told why nobody plays, if that is known.
const QUIET: Duration = Duration::from_secs(5);
/// After this time without a result everything is given out again; what is there stays.
const STALL: Duration = Duration::from_secs(60);

/// Whoever hears what a coordinator waits for.
type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// The workers of a server, as a place where tournaments are played.
#[derive(Clone)]
pub struct Cluster {
    link: Link,
    ack_wait: Duration,
    say: Say,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cluster").finish_non_exhaustive()
    }
}

impl Cluster {
    /// Connects to a server and makes what is missing there.
    pub async fn connect(address: &Address) -> Result<Cluster> {
        let link = Link::connect(address, &own_name()).await?;
        link.answered(link.prepare()).await?;
        link.sweep().await;
        Ok(Cluster {
            link,
            ack_wait: ACK_WAIT,
            say: Arc::new(|_| ()),
        })
    }

    /// The same, giving work to another worker after so much silence.
    #[must_use]
    pub fn with_ack_wait(mut self, ack_wait: Duration) -> Cluster {
        self.ack_wait = ack_wait;
        self
    }

    /// The same, with somebody who hears what it waits for.
    #[must_use]
    pub fn with_say(mut self, say: Arc<dyn Fn(&str) + Send + Sync>) -> Cluster {
        self.say = say;
        self
    }

    /// The connection.
    #[must_use]
    pub fn link(&self) -> &Link {
        &self.link
    }
}

/// The machine and the process.
fn own_name() -> String {
    format!("{} (process {})", machine_name(), std::process::id())
}

fn failed(error: ClusterError) -> RunError {
    RunError::RemoteMachines(error.to_string())
}

impl RemoteMachines for Cluster {
    fn open<'a>(
        &'a self,
        opening: Opening<'a>,
    ) -> Pending<'a, std::result::Result<Box<dyn Venue>, RunError>> {
        Box::pin(async move {
            let venue = Coordinator::open(self, opening).await.map_err(failed)?;
            Ok(Box::new(venue) as Box<dyn Venue>)
        })
    }

    fn task_runner<'a>(
        &'a self,
        name: &'a str,
    ) -> Pending<'a, std::result::Result<Arc<dyn TaskRunner>, RunError>> {
        Box::pin(async move {
            let tasks = tasks::ClusterTasks::open(self, name)
                .await
                .map_err(failed)?;
            Ok(Arc::new(tasks) as Arc<dyn TaskRunner>)
        })
    }
}
