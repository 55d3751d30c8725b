//! `ludex serve`: the site.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use crate::error::bad_input;
use crate::input;

/// Open the site: play, analyse and watch tournaments in a browser
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex serve
  ludex serve --db class.db --programs programs.toml
  ludex serve --addr 0.0.0.0:7171 --token SECRET

On another interface than the loopback everything that changes something needs the token;
without --token a random one is made and printed.")]
pub(crate) struct Args {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:7171")]
    addr: SocketAddr,
    /// Where games, analyses and tournaments are kept: the file that the tournament
    /// command uses too
    #[arg(long, value_name = "FILE", default_value = "ludex.db")]
    db: PathBuf,
    /// Programs that tournaments and the tester offer: a [[program]] with name, kind and
    /// command for each
    #[arg(long, value_name = "FILE.toml")]
    programs: Option<PathBuf>,
    #[command(flatten)]
    tables: input::Tables,
    /// What visitors must know to change anything
    #[arg(long)]
    token: Option<String>,
    /// How many searches may run at once; 0 is one less than there are cores
    #[arg(long, default_value_t = 0)]
    searches: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the server")?;
    let done = runtime.block_on(serve(args));
    // Searches have been asked to stop; games of a tournament go on after the next start.
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

async fn serve(args: &Args) -> anyhow::Result<()> {
    let token = match &args.token {
        None if !args.addr.ip().is_loopback() => Some(web::random_token()),
        Some(token) if token.trim().is_empty() => {
            return Err(bad_input("the token is empty"));
        }
        token => token.clone(),
    };
    let (listener, address) = web::listen(args.addr)
        .await
        .with_context(|| format!("cannot listen on {}", args.addr))?;
    let programs = match &args.programs {
        Some(path) => web::read_programs(path).map_err(bad_input)?,
        None => Vec::new(),
    };
    let site = web::Site::open(web::Config {
        token: token.clone(),
        searches: args.searches,
        database: Some(args.db.clone()),
        programs,
        tables: args.tables.folders.clone(),
        resources: args.tables.resources(),
    })
    .await?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "Ludex is at http://{address}/")?;
    if let (Some(token), None) = (&token, &args.token) {
        writeln!(out, "Token: {token}")?;
    }
    drop(out);
    web::serve(listener, Arc::new(site), interrupted()).await?;
    Ok(())
}

/// Done when the user presses Ctrl-C.
async fn interrupted() {
    // Without a signal handler there is nothing to wait for but the end of the process.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
