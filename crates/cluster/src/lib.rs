//! Tournaments on many machines.
//!
//! A [`Cluster`] is given to the runner of a tournament as the place where games are played
//! ([`tournament::RunOptions`]); on every machine a worker ([`work`]) takes pairs of games, plays
//! them with the referee and sends the records. Between them is a NATS server with JetStream: its
//! queues hold work and results until they are acknowledged, its object store the programs.
//!
//! **Invariants:** a piece of work is acknowledged when its result lies with the server, a result
//! when the runner has kept it; so every game is kept once, whatever dies when. Workers learn
//! nothing about players but what they are made of.

pub mod bench;
mod bundle;
mod cache;
mod coordinator;
mod ended;
mod error;
mod link;
mod objects;
pub mod protocol;
mod server_config;
mod slot;
pub mod speed;
mod spool;
mod state;
mod status;
mod stream;
mod wire;
mod worker;

pub use coordinator::Cluster;
pub use error::ClusterError;
pub use link::{Address, Link};
pub use server_config::{ServerConfig, Written};
pub use slot::Calibrate;
pub use status::{Queue, Status, retry, set_reference};
pub use worker::{WorkerOptions, work};
