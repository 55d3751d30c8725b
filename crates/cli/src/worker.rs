//! `ludex worker`: play games for coordinators on other machines.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use cluster::WorkerOptions;

use crate::error::note;
use crate::{input, nats, watch};

/// Play games of tournaments that are run elsewhere, until Ctrl-C
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex worker --nats nats://host:4222 --creds worker.creds
  ludex worker --nats nats://host:4222 --creds worker.creds -j 4

Programs play behind walls, as ludex doctor says; work that needs walls which this machine does
not have is left to others. Finished games that the server does not take are kept and sent later,
also after a restart.")]
pub(crate) struct Args {
    /// The NATS server
    #[arg(long, value_name = "URL")]
    nats: String,
    #[command(flatten)]
    access: nats::Access,
    /// How many games at once [default: one for every physical core that no other worker has]
    #[arg(long, short = 'j', value_name = "N", value_parser = input::threads())]
    concurrency: Option<usize>,
    /// What it is called in records [default: the name of this machine and a number]
    #[arg(long)]
    name: Option<String>,
    /// Where programs and finished games are kept [default: /var/tmp/ludex-worker-USER]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Programs that were not used for so many days are removed
    #[arg(long, value_name = "DAYS", default_value_t = 7)]
    keep: u32,
    #[command(flatten)]
    tables: input::Tables,
    /// Let the system move games from core to core
    #[arg(long)]
    no_pin: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut options = WorkerOptions::new(args.access.address(&args.nats)?);
    options.name = args.name.clone();
    options.slots = args.concurrency;
    options.pin = !args.no_pin;
    options.place = args.folder.clone();
    options.keep = Duration::from_secs(u64::from(args.keep) * 24 * 3600);
    options.resources = args.tables.resources();
    options.stop = watch::stop_on_interrupt();
    options.say = Arc::new(|line| note(line));
    Ok(watch::runtime()?.block_on(cluster::work(options))?)
}
