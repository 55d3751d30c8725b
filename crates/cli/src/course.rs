//! `ludex course`: setting up a course and its people.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use course::roster::{self, Entry};
use course::store::Added;
use course::{Course, STORE, Store, TEMPLATE};
use maud::{DOCTYPE, html};
use referee::cell;

use crate::error::bad_input;
use crate::input;

/// Set up a course: roster, hand-ins, verdicts, ladder, finals, grades
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex course new games101
  ludex serve --course games101
  ludex course invite roster.csv --course games101 > links.csv
  ludex course forget 4711 --course games101")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    New(New),
    Invite(Invite),
    Forget(Forget),
}

/// Make a folder with a commented course.toml, and print the first link for staff
#[derive(clap::Args)]
struct New {
    /// The folder
    folder: PathBuf,
}

/// Take a roster over, and write a link to log in for everybody without a password, as CSV
///
/// The roster is a CSV file with the columns name and id, and if wanted e-mail, team, extension
/// (2d 12h) and role (student or staff). Whoever is known already keeps everything; names,
/// teams, extensions and roles become those of the roster.
#[derive(clap::Args)]
struct Invite {
    /// The roster
    roster: PathBuf,
    /// The folder of the course
    #[arg(long, value_name = "DIR", default_value = ".")]
    course: PathBuf,
    /// Also write the links as a page to print and cut
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
}

/// Delete everything that says who somebody is; hand-ins and games stay, under numbers
#[derive(clap::Args)]
struct Forget {
    /// The id of the roster
    id: String,
    /// The folder of the course
    #[arg(long, value_name = "DIR", default_value = ".")]
    course: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::New(args) => new(args),
        Command::Invite(args) => invite(args),
        Command::Forget(args) => forget(args),
    }
}

/// The course in a folder, and what it keeps.
pub(crate) fn open(folder: &Path) -> anyhow::Result<(Course, Store)> {
    let course = Course::open(folder).map_err(bad_input)?;
    let store = Store::open(&course.folder.join(STORE))?;
    Ok((course, store))
}

fn new(args: &New) -> anyhow::Result<()> {
    let file = args.folder.join("course.toml");
    if file.exists() {
        return Err(bad_input(format!("{} is there already", file.display())));
    }
    input::make_private_folder(&args.folder)?;
    input::write_file(&file, TEMPLATE)?;
    let (course, store) = open(&args.folder)?;
    let link = first_link(&course, &store)?;
    let mut out = std::io::stdout().lock();
    let folder = args.folder.display();
    writeln!(
        out,
        "{} is written: describe the course there, then",
        file.display()
    )?;
    writeln!(out, "  ludex serve --course {folder}")?;
    Ok(out.write_all(link.as_bytes())?)
}

/// Lets somebody into a course that knows nobody: what to print.
pub(crate) fn first_link(course: &Course, store: &Store) -> anyhow::Result<String> {
    let mut text = "The first link for staff, to be used once:\n".to_string();
    for added in store.add(&[Entry::staff("Staff", "staff")])? {
        if let Some(secret) = &added.secret {
            text += &format!("  {}\n", course.link(secret));
        }
    }
    Ok(text)
}

fn invite(args: &Invite) -> anyhow::Result<()> {
    let bytes = input::read_file(&args.roster)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| bad_input(format!("{}: not in UTF-8", args.roster.display())))?;
    let entries = roster::read(&text)
        .map_err(|message| bad_input(format!("{}:{message}", args.roster.display())))?;
    let (course, store) = open(&args.course)?;
    if let Some(page) = &args.page {
        input::check_writable(page)?;
    }
    let added = store.add(&entries)?;
    if let Some(page) = &args.page {
        input::write_private(page, printed(&course, &added))?;
    }
    let mut table = csv::Writer::from_writer(std::io::stdout().lock());
    table.write_record(["name", "id", "e-mail", "link"])?;
    for added in &added {
        let person = &added.person;
        let link = added.secret.as_ref().map(|secret| course.link(secret));
        let link = link.unwrap_or_else(|| "has a password".into());
        let [name, id, email] = [&person.name, &person.login, &person.email].map(|text| cell(text));
        table.write_record([name, id, email, link])?;
    }
    table.flush().context("cannot write the links")
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:1rem}\
section{border:1px dashed #555;padding:1rem;margin:0 0 1rem;break-inside:avoid}\
code{font-size:1.1rem;overflow-wrap:anywhere}";

/// The links as a page to print: a piece of paper for everybody.
fn printed(course: &Course, added: &[Added]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { (course.name) } style { (maud::PreEscaped(STYLE)) } }
            body {
                h1 { (course.name) }
                @for added in added {
                    @if let Some(secret) = &added.secret {
                        section {
                            h2 { (added.person.name) }
                            p { "Your id is " strong { (added.person.login) } ". Open this link, once, to choose a password:" }
                            p { code { (course.link(secret)) } }
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}

fn forget(args: &Forget) -> anyhow::Result<()> {
    let course = Course::open(&args.course).map_err(bad_input)?;
    let store = Store::open_existing(&course.folder.join(STORE))?;
    match store.forget(&args.id)? {
        true => {
            let mut out = std::io::stdout().lock();
            writeln!(out, "forgotten; backups still know the name")?;
            Ok(())
        }
        false => Err(bad_input(format!("nobody has the id {:?}", args.id))),
    }
}
