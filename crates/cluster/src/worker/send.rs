//! Results on their way to the coordinator.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Shared, lock};
use crate::error::Result;
use crate::link::Link;
use crate::objects;
use crate::protocol::{streams, subjects};
use crate::spool::Key;

impl Shared {
    /// Sends a result, as a message or through the object store.
    pub(super) async fn send(&self, key: &Key) -> Result<()> {
        let Some(bytes) = self.spool.get(key) else {
            return Ok(());
        };
        send_result(&self.link, key, bytes).await?;
        self.spool.sent(key, Instant::now());
        Ok(())
    }

    /// Sends results that were not accepted, and forgets those that nobody will ask for.
    pub(super) async fn send_due(&self) {
        let mut known = HashMap::new();
        for key in self.spool.due(Instant::now()) {
            let over = match known.get(&key.0) {
                Some(over) => *over,
                None => {
                    let over = self.link.is_over(&key.0).await;
                    known.insert(key.0.clone(), over);
                    over
                }
            };
            if over {
                self.spool.forget(&key);
            } else if self.send(&key).await.is_err() {
                continue;
            }
            let message = lock(&self.unacknowledged).remove(&key);
            if let Some(message) = message {
                let _ = message.double_ack().await;
            }
        }
        for key in self.spool.old(Instant::now()) {
            self.spool.forget(&key);
        }
    }

    pub(super) async fn send_again(self: Arc<Shared>) {
        loop {
            self.send_due().await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

/// Sends a packed outcome, as a message or through the object store.
pub(crate) async fn send_result(link: &Link, key: &Key, bytes: Vec<u8>) -> Result<()> {
    let subject = subjects::result(&key.0, &key.1);
    // The rest of a message is its headers.
    if bytes.len() + 4096 <= link.client.max_payload() {
        return link.publish_once(subject, bytes, None).await;
    }
    let object = objects::put(link, streams::RECORDS, &bytes).await?;
    link.publish_once(subject, Vec::new(), Some(&object)).await
}
