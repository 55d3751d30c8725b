//! `ludex library`: games of others, to be searched.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use games::{AnyPosition, GameName, Recorded};
use referee::printable;
use tournament::Store;
use tournament::store::{LibraryFound, LibraryQuery};

use crate::error::bad_input;
use crate::input;
use crate::watch;

/// Keep and search a library of games
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex library import wthor/                        WTHOR with its names, and other files of games
  ludex library search --player tamenori --from 1990 --to 1999
  ludex library search --moves f5d6c3d3c4            what was played from there, and by whom
  ludex library search --opening rose --csv > rose.csv

The site shows the same library on its page /library.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    Import(Import),
    Search(Search),
    Remove(Remove),
}

#[derive(clap::Args)]
struct Db {
    /// The file that games are kept in
    #[arg(long, value_name = "FILE", default_value = "ludex.db")]
    db: PathBuf,
}

/// Add games: files, or folders with all files in them
#[derive(clap::Args)]
struct Import {
    /// Files and folders; the names of a WTHOR base (.JOU, .TRN) belong to its games (.WTB)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Of which game
    #[arg(long, default_value_t)]
    game: GameName,
    /// The event of games whose file names none
    #[arg(long, default_value = "")]
    tag: String,
    #[command(flatten)]
    db: Db,
}

/// Find games by players, event, year and position
#[derive(clap::Args)]
struct Search {
    /// Of which game
    #[arg(long, default_value_t)]
    game: GameName,
    /// Part of a player's name
    #[arg(long, default_value = "")]
    player: String,
    /// Part of the name of the other player
    #[arg(long, default_value = "")]
    opponent: String,
    /// Part of the event's name
    #[arg(long, default_value = "")]
    event: String,
    /// From this year on
    #[arg(long, value_name = "YEAR")]
    from: Option<u16>,
    /// Up to this year
    #[arg(long, value_name = "YEAR")]
    to: Option<u16>,
    /// In which this position came up, or one that is symmetric to it
    #[arg(long, value_name = "POSITION", conflicts_with_all = ["moves", "opening"])]
    position: Option<String>,
    /// The same, reached by these moves
    #[arg(long, value_name = "MOVES", conflicts_with = "opening")]
    moves: Option<String>,
    /// The same, by the name of an opening
    #[arg(long, value_name = "NAME")]
    opening: Option<String>,
    /// How many games to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print the games as CSV, moves included
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    db: Db,
}

/// Remove the games that came from a file or folder
#[derive(clap::Args)]
struct Remove {
    /// As it was given to `import`
    source: String,
    #[command(flatten)]
    db: Db,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    watch::runtime()?.block_on(async {
        match &args.action {
            Action::Import(args) => import(args).await,
            Action::Search(args) => search(args).await,
            Action::Remove(args) => remove(args).await,
        }
    })
}

async fn import(args: &Import) -> anyhow::Result<()> {
    let store = input::store(&args.db.db).await?;
    for path in &args.paths {
        let files = read(path)?;
        let games = args.game.read_library(&files);
        let mut games = games.map_err(|error| bad_input(format!("{}: {error}", path.display())))?;
        for game in &mut games {
            game.name_event(&args.tag);
        }
        let found = games.len();
        let source = path.display().to_string();
        let added = store.add_to_library(args.game, &source, games).await?;
        writeln!(
            std::io::stdout(),
            "{source}: {found} games, {added} of them new"
        )?;
    }
    Ok(())
}

/// No file of games is larger.
const LARGEST: u64 = 512 << 20;

/// The content of a file, or of all files in a folder, in the order of their names.
fn read(path: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let open = |path: &Path| input::read_large(path, LARGEST);
    if !path.is_dir() {
        return Ok(vec![open(path)?]);
    }
    let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry?.path();
        if file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    files.iter().map(|file| open(file)).collect()
}

async fn remove(args: &Remove) -> anyhow::Result<()> {
    let store = Store::open_existing(&args.db.db).await?;
    match store.remove_from_library(&args.source).await? {
        0 => Err(bad_input(format!(
            "{}: no games came from {:?}",
            args.db.db.display(),
            args.source
        ))),
        count => Ok(writeln!(std::io::stdout(), "{count} games removed")?),
    }
}

async fn search(args: &Search) -> anyhow::Result<()> {
    let store = Store::open_existing(&args.db.db).await?;
    let query = LibraryQuery {
        player: args.player.clone(),
        opponent: args.opponent.clone(),
        event: args.event.clone(),
        from: args.from,
        to: args.to,
        position: position(args)?,
        limit: args.limit,
        ..LibraryQuery::new(args.game)
    };
    let found = store.library(query).await?;
    let mut out = std::io::stdout().lock();
    if args.csv {
        out.write_all(tournament::output::csv::library(&found).as_bytes())?;
    } else {
        out.write_all(text(args.game, &found).as_bytes())?;
    }
    Ok(())
}

/// The position that is asked for, whichever way.
fn position(args: &Search) -> anyhow::Result<Option<AnyPosition>> {
    let game = args.game;
    let (option, read) = if let Some(text) = &args.position {
        let read = AnyPosition::parse(game, text);
        ("--position", read.map_err(|error| error.to_string()))
    } else if let Some(moves) = &args.moves {
        ("--moves", AnyPosition::after_moves(game, moves))
    } else if let Some(name) = &args.opening {
        ("--opening", AnyPosition::after_opening(game, name))
    } else {
        return Ok(None);
    };
    read.map(Some)
        .map_err(|error| bad_input(format!("{option}: {error}")))
}

fn text(game: GameName, found: &LibraryFound) -> String {
    let [first, second] = rules::Side::BOTH.map(|side| game.side_name(side));
    let results = |[wins, draws, losses]: [usize; 3]| {
        format!("{first} won {wins}, drawn {draws}, {second} won {losses}")
    };
    let mut text = format!("{} games: {}\n", found.count, results(found.wdl));
    for mv in &found.moves {
        text += &format!(
            "  {:<12} {:>6}  {}\n",
            mv.moves.join(" "),
            mv.count,
            results(mv.wdl)
        );
    }
    for (_, game) in &found.games {
        let Recorded { score, moves, .. } = game;
        text += &printable(&format!("{}  {score}  {moves}", game.title()));
        text.push('\n');
    }
    text
}
