//! The NATS server of a cluster, as an argument.

use std::path::PathBuf;
use std::sync::Arc;

use cluster::{Address, Cluster};

use crate::error::note;
use crate::input;

/// A server that games may be played through.
#[derive(clap::Args)]
pub(crate) struct Nats {
    /// Play on the workers of this NATS server instead of here (see docs/cluster.md)
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    #[command(flatten)]
    access: Access,
}

/// How to get into a server.
#[derive(clap::Args)]
pub(crate) struct Access {
    /// The key for the NATS server, as `ludex cluster config` makes it
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// The certificate of the authority that signed that of the NATS server, if it is your own
    #[arg(long, value_name = "FILE")]
    nats_ca: Option<PathBuf>,
}

impl Access {
    /// The server at this address.
    pub(crate) fn address(&self, url: &str) -> anyhow::Result<Address> {
        for path in [&self.creds, &self.nats_ca].into_iter().flatten() {
            input::read_file(path)?;
        }
        Ok(Address {
            url: url.into(),
            credentials: self.creds.clone(),
            authority: self.nats_ca.clone(),
        })
    }

    /// What was typed of a server, to be typed again.
    pub(crate) fn words(&self, url: &str) -> String {
        let quoted = |path: &PathBuf| referee::quoted(&path.display().to_string());
        let mut words = format!(" --nats {}", referee::quoted(url));
        if let Some(path) = &self.creds {
            words += &format!(" --creds {}", quoted(path));
        }
        if let Some(path) = &self.nats_ca {
            words += &format!(" --nats-ca {}", quoted(path));
        }
        words
    }
}

impl Nats {
    /// The cluster, if one is meant.
    pub(crate) async fn cluster(&self) -> anyhow::Result<Option<Cluster>> {
        let Some(url) = &self.nats else {
            return Ok(None);
        };
        let cluster = Cluster::connect(&self.access.address(url)?).await?;
        Ok(Some(cluster.with_say(Arc::new(|line| note(line)))))
    }

    /// What was typed of it, to be typed again.
    pub(crate) fn words(&self) -> String {
        let url = self.nats.as_deref();
        url.map_or_else(String::new, |url| self.access.words(url))
    }
}
