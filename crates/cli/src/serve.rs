//! `ludex serve`: the site.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use course::{Course, FINALS, OpenCourse, STORE};
use files::Claim;
use referee::printable;
use web::CourseSite;

use crate::error::{BadInput, bad_input, note};
use crate::input;
use crate::nats;

/// Open the site: play, analyse and watch tournaments in a browser
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex serve
  ludex serve --db class.db --programs programs.toml
  ludex serve --addr 0.0.0.0:7171 --token SECRET
  ludex serve --course games101
  ludex serve --course games101 --nats nats://host:4222 --creds coordinator.creds

On another interface than the loopback everybody may play and analyse, each visitor within
limits. Tournaments, tests and tables of solved games need the token; without --token a random
one is made and printed.")]
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
    /// What visitors must know to do more than play and analyse
    #[arg(long)]
    token: Option<String>,
    /// How many searches may run at once; 0 is one less than there are cores
    #[arg(long, default_value_t = 0)]
    searches: usize,
    #[command(flatten)]
    nats: nats::Nats,
    /// Serve this course instead: the folder that `ludex course new` made
    #[arg(long, value_name = "DIR", conflicts_with_all = ["db", "programs", "token", "searches", "folders"])]
    course: Option<PathBuf>,
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
    if let Some(folder) = &args.course {
        return serve_course(args.addr, folder, &args.nats).await;
    }
    let token = match &args.token {
        None if !args.addr.ip().is_loopback() => Some(web::random_token()),
        Some(token) if !web::is_token(token) => {
            return Err(bad_input(
                "a token has letters, digits and signs of ASCII, no blanks and no semicolon",
            ));
        }
        token => token.clone(),
    };
    input::check_place(&args.db)?;
    let _claim = claim(&args.db)?;
    let (listener, address) = web::listen(args.addr)
        .await
        .with_context(|| format!("cannot listen on {}", args.addr))?;
    let programs = match &args.programs {
        Some(path) => web::read_programs(path).map_err(bad_input)?,
        None => Vec::new(),
    };
    let cluster = args.nats.cluster().await?;
    let site = web::Site::open(web::Config {
        token: token.clone(),
        searches: args.searches,
        database: Some(args.db.clone()),
        programs,
        tables: args.tables.folders.clone(),
        resources: args.tables.resources(),
        reviews_give_way: true,
        cluster,
    })
    .await?;
    let mut out = std::io::stdout().lock();
    for line in addresses(address) {
        writeln!(out, "{line}")?;
    }
    if let (Some(token), None) = (&token, &args.token) {
        writeln!(out, "Token: {token}")?;
    }
    drop(out);
    web::serve(listener, Arc::new(site), interrupted()).await?;
    Ok(())
}

/// Serves a course.
async fn serve_course(address: SocketAddr, folder: &Path, nats: &nats::Nats) -> anyhow::Result<()> {
    let course = Course::open(folder).map_err(bad_input)?;
    let name = course.name.clone();
    let store = folder.join(STORE);
    let _claims = [claim(&store)?, claim(&folder.join(FINALS))?];
    for language in &course.languages {
        if let Err(missing) = language.installed() {
            note(format_args!("note: {missing}"));
        }
    }
    if !address.ip().is_loopback() && !course.url.starts_with("https://") {
        note(
            "note: on other machines people can log in over HTTPS only: put a server that speaks it \
             before this one, and set url in course.toml",
        );
    }
    let (listener, address) = web::listen(address)
        .await
        .with_context(|| format!("cannot listen on {address}"))?;
    let is_new = !store.exists();
    let cluster = nats.cluster().await?;
    let mut open_course = OpenCourse::open(course).await?;
    if let Some(cluster) = &cluster {
        open_course = open_course.with_workers(Arc::new(cluster.clone())).await?;
    }
    if is_new {
        let store = store.display();
        note(format_args!(
            "note: {store} was not there: the new one knows no people, hand-ins or games"
        ));
    }
    let link = match open_course.store.people()?[..] {
        [] => crate::course::first_link(&open_course.course, &open_course.store)?,
        _ => String::new(),
    };
    let mut site = CourseSite::new(Arc::new(open_course));
    if let Some(cluster) = cluster {
        site = site.with_workers(cluster);
    }
    let mut out = std::io::stdout().lock();
    for line in addresses(address) {
        writeln!(out, "{}", line.replacen("Ludex", &printable(&name), 1))?;
    }
    out.write_all(link.as_bytes())?;
    drop(out);
    web::serve_course(listener, site, interrupted()).await?;
    Ok(())
}

/// How often to try to claim what a server was killed with a moment ago: processes that it started
/// may still be ending.
const TRIES: u32 = 20;

/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(100);

/// Claims a store for as long as it is served: two servers would each play and judge everything.
/// Whoever only reads it, or adds to it, needs no claim.
fn claim(store: &Path) -> anyhow::Result<Claim> {
    for _ in 1..TRIES {
        match input::claim_file(store) {
            Err(error) if !error.is::<BadInput>() => std::thread::sleep(PAUSE),
            claimed => return claimed,
        }
    }
    input::claim_file(store)
}

/// Where the site can be opened. An address that stands for all interfaces can be listened on,
/// but not be opened.
fn addresses(bound: SocketAddr) -> Vec<String> {
    if !bound.ip().is_unspecified() {
        return vec![format!("Ludex is at http://{bound}/")];
    }
    let port = bound.port();
    let mut lines = vec![format!(
        "Ludex is at http://localhost:{port}/ on this machine"
    )];
    if let Some(ip) = outward_address() {
        let address = SocketAddr::new(ip, port);
        lines.push(format!("and at http://{address}/ for others"));
    }
    lines
}

/// The address of this machine towards others. A datagram socket that is connected sends nothing,
/// it only looks up the route.
fn outward_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified() && !ip.is_loopback()).then_some(ip)
}

/// Done when the user presses Ctrl-C.
async fn interrupted() {
    // Without a signal handler there is nothing to wait for but the end of the process.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_address_can_be_opened() {
        let bound = "127.0.0.1:7171".parse().unwrap();
        assert_eq!(addresses(bound), ["Ludex is at http://127.0.0.1:7171/"]);
        for all in ["0.0.0.0:7171", "[::]:7171"] {
            let lines = addresses(all.parse().unwrap());
            assert_eq!(
                lines[0],
                "Ludex is at http://localhost:7171/ on this machine"
            );
            assert!(!lines.concat().contains("0.0.0.0"), "{lines:?}");
            assert!(!lines.concat().contains("[::]"), "{lines:?}");
        }
    }
}
