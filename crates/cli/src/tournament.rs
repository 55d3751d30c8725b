//! `ludex tournament`: playing tournaments, and looking at them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use referee::quoted;
use tournament::output::{self, ReportOptions, table};
use tournament::runner::RemoteMachines;
use tournament::{
    Config, Conversions, GameFilter, NoteKind, RunOptions, Standings, Store, StoreError,
    TournamentRow, cores,
};

use crate::error::bad_input;
use crate::input;
use crate::nats;
use crate::watch::{self, Progress};

/// Play tournaments, and look at them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex tournament run cup.toml                     play it, or go on with it
  ludex tournament run cup.toml --nats nats://host  the same on the workers of a cluster
  ludex tournament show                             where the latest stands
  ludex tournament export --format html -o cup.html one page with everything

A stopped or killed run goes on with the next game when it is started again.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    Run(Run),
    Show(Show),
    List(List),
    Export(Export),
}

/// The file that games are kept in
#[derive(clap::Args)]
struct Db {
    /// The file that games are kept in
    #[arg(long, default_value = "ludex.db")]
    db: PathBuf,
}

/// Play what is left of the tournament in a TOML file
#[derive(clap::Args)]
struct Run {
    /// The tournament
    file: PathBuf,
    #[command(flatten)]
    db: Db,
    /// How many games at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = cores(), value_parser = input::threads())]
    concurrency: usize,
    /// The program of this player was handed in again: its games are played anew, those of the
    /// others are kept (round robin and gauntlet; may be given several times)
    #[arg(long, value_name = "PLAYER")]
    again: Vec<String>,
    #[command(flatten)]
    tables: input::Tables,
    /// Let the system move players from core to core
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    nats: nats::Nats,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    /// Write a page with everything to this file as well
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Show where a tournament stands
#[derive(clap::Args)]
struct Show {
    /// Its id or the beginning of it [default: the latest]
    id: Option<String>,
    #[command(flatten)]
    db: Db,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// List all tournaments
#[derive(clap::Args)]
struct List {
    #[command(flatten)]
    db: Db,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Write a tournament in another form
#[derive(clap::Args)]
struct Export {
    /// Its id or the beginning of it [default: the latest]
    id: Option<String>,
    #[command(flatten)]
    db: Db,
    /// In which form
    #[arg(long, short, value_enum)]
    format: ExportFormat,
    /// Only the game with this id (json, records, ggf)
    #[arg(long)]
    game: Option<String>,
    /// So many games can be played through on the page
    #[arg(long, default_value_t = ReportOptions::default().replays)]
    replays: usize,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ExportFormat {
    /// One page with tables, plots and games to play through
    Html,
    /// The standings, for a spreadsheet
    Csv,
    /// The games without their moves, for a spreadsheet
    GamesCsv,
    /// What the players made of won positions, from `ludex review`, for a spreadsheet
    ConversionCsv,
    /// Reviewed games with their turning points, for a spreadsheet
    ReviewsCsv,
    /// Everything but the moves
    Json,
    /// The whole record of every game, one per line
    Records,
    /// Games of Othello for other programs
    Ggf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    watch::runtime()?.block_on(async {
        match &args.action {
            Action::Run(args) => play(args).await,
            Action::Show(args) => show(args).await,
            Action::List(args) => list(args).await,
            Action::Export(args) => export(args).await,
        }
    })
}

async fn play(args: &Run) -> anyhow::Result<()> {
    let config = Config::from_file(&args.file).map_err(bad_input)?;
    if let Some(path) = &args.html {
        input::check_writable(path)?;
    }
    let stop = watch::stop_on_interrupt();
    let cluster = args.nats.cluster().await?;
    let store = input::store(&args.db.db).await?;
    let config = version(&store, config, &args.again).await?;
    let id = store.create(&config).await?;
    let games = store.games(&id, &GameFilter::default()).await?;
    let notes = store.notes(&id).await?;
    let progress = Arc::new(Progress::new(&config).with_games(games, notes));
    let options = RunOptions {
        concurrency: args.concurrency,
        pin: !args.no_pin,
        stop,
        observer: progress.clone(),
        resources: args.tables.resources(),
        remote: cluster.map(|cluster| Arc::new(cluster) as Arc<dyn RemoteMachines>),
    };
    let ran = tournament::run(&store, &config, &options).await;
    progress.clear();
    // However it has ended, what was played is shown; why it cannot go on is said last.
    let shown = match ran.is_ok() || store.tournament(&id).await.is_ok_and(|row| row.played > 0) {
        true => show_run(&store, &id, args).await,
        false => Ok(()),
    };
    let summary = ran?;
    shown?;
    store.close().await;
    if !summary.quarantined.is_empty() {
        anyhow::bail!(
            "{} games are put aside, since nothing came of them: see ludex cluster status{1}; give \
             them out again with ludex cluster retry{1}, then run this again",
            summary.quarantined.len(),
            args.nats.words()
        );
    }
    if !summary.finished {
        let [file, db] = [&args.file, &args.db.db].map(|path| quoted(&path.display().to_string()));
        anyhow::bail!(
            "stopped; go on with: ludex tournament run {file} --db {db}{}",
            args.nats.words()
        );
    }
    Ok(())
}

/// Shows what was played.
async fn show_run(store: &Store, id: &str, args: &Run) -> anyhow::Result<()> {
    if let Some(path) = &args.html {
        let page = output::html(store, id, &ReportOptions::default()).await?;
        input::write_file(path, &page)?;
    }
    print_tournament(store, id, &args.db.db, args.json).await
}

/// The latest version of a tournament, or the next one if programs were handed in again.
async fn version(store: &Store, mut config: Config, again: &[String]) -> anyhow::Result<Config> {
    let latest = store.latest_version(&config).await?;
    if let Some(latest) = &latest {
        config = config.at_versions(&latest.config.again);
    }
    if again.is_empty() {
        return Ok(config);
    }
    let (next, players) = config.handed_in_again(again).map_err(bad_input)?;
    if let Some(latest) = latest {
        store.create_version(&next, &latest.id, &players).await?;
    }
    Ok(next)
}

async fn show(args: &Show) -> anyhow::Result<()> {
    let store = Store::open_existing(&args.db.db).await?;
    let id = find(&store, args.id.as_deref()).await?;
    print_tournament(&store, &id, &args.db.db, args.json).await
}

async fn list(args: &List) -> anyhow::Result<()> {
    let store = Store::open_existing(&args.db.db).await?;
    let rows = store.tournaments().await?;
    let mut out = std::io::stdout().lock();
    if args.json {
        for row in rows {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
        }
    } else if rows.is_empty() {
        writeln!(out, "no tournaments yet")?;
    } else {
        writeln!(out, "{}", table::tournaments(&rows))?;
    }
    Ok(())
}

async fn export(args: &Export) -> anyhow::Result<()> {
    use ExportFormat::{Ggf, Json, Records};
    if args.game.is_some() && !matches!(args.format, Json | Records | Ggf) {
        return Err(bad_input("--game is for --format json, records and ggf"));
    }
    let store = Store::open_existing(&args.db.db).await?;
    let id = match &args.game {
        Some(game) => store.tournament_of(game).await.map_err(unknown)?,
        None => find(&store, args.id.as_deref()).await?,
    };
    let row = store.tournament(&id).await?;
    let text = match args.format {
        ExportFormat::Html => {
            let options = ReportOptions {
                replays: args.replays,
                ..ReportOptions::default()
            };
            output::html(&store, &id, &options).await?
        }
        ExportFormat::Csv => output::csv::standings(&store.standings(&id).await?),
        ExportFormat::GamesCsv => {
            let games = store.games(&id, &GameFilter::default()).await?;
            output::csv::games(&games, &row.players)
        }
        ExportFormat::ConversionCsv => output::csv::conversion(&store.conversions(&id).await?),
        ExportFormat::ReviewsCsv => {
            let reviews = store.reviews(&id).await?;
            let conversions = Conversions::new(&row, &reviews);
            output::csv::reviews(&reviews, &conversions, &row.players)
        }
        ExportFormat::Json if args.game.is_none() => {
            serde_json::to_string(&output::json(&store, &id).await?)? + "\n"
        }
        Json | Records | Ggf => return export_records(&store, &row, args).await,
    };
    match &args.output {
        Some(path) => input::write_file(path, &text),
        None => Ok(std::io::stdout().lock().write_all(text.as_bytes())?),
    }
}

/// Writes the records of one game or of all, one per line and one after the other: those of a large
/// tournament have no room in memory.
async fn export_records(store: &Store, row: &TournamentRow, args: &Export) -> anyhow::Result<()> {
    let Some(path) = &args.output else {
        return records(store, row, args, &mut std::io::stdout().lock()).await;
    };
    let runtime = tokio::runtime::Handle::current();
    let mut failed = None;
    let written = tokio::task::block_in_place(|| {
        input::write_parts(path, |file| {
            let written = runtime.block_on(records(store, row, args, file));
            written.map_err(|error| std::io::Error::other(failed.insert(error).to_string()))
        })
    });
    match failed {
        Some(error) => Err(error),
        None => written,
    }
}

async fn records(
    store: &Store,
    row: &TournamentRow,
    args: &Export,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let ids = match &args.game {
        Some(game) => vec![game.clone()],
        None => {
            let games = store.games(&row.id, &GameFilter::default()).await?;
            games.into_iter().map(|game| game.id).collect()
        }
    };
    for id in ids {
        let Some(record) = store.record(&id).await? else {
            continue;
        };
        let text = match args.format {
            ExportFormat::Ggf => output::ggf(&record, &row.name).ok_or_else(|| {
                bad_input(format!("ggf is for games of Othello, not {}", row.game))
            })?,
            _ => serde_json::to_string(&record)?,
        };
        writeln!(out, "{text}")?;
    }
    Ok(())
}

async fn print_tournament(store: &Store, id: &str, db: &Path, json: bool) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        let summary = output::json(store, id).await?;
        writeln!(out, "{}", serde_json::to_string(&summary)?)?;
        return Ok(());
    }
    let row = store.tournament(id).await?;
    let standings = store.standings(id).await?;
    let notes = store.notes(id).await?;
    writeln!(
        out,
        "{}  ({}, {})",
        referee::printable(&row.name),
        row.game,
        row.id
    )?;
    let state = match row.finished {
        true => "finished".to_owned(),
        false => format!("{} of {} games", row.played, row.planned),
    };
    writeln!(
        out,
        "{}, {} players, {state}",
        row.format,
        row.players.len()
    )?;
    let sides = rules::Side::BOTH.map(|side| row.game.side_name(side));
    writeln!(out, "{}", table::standings(&standings, sides))?;
    if standings.rows.len() > 2 {
        writeln!(out, "{}", table::crosstable(&standings))?;
    }
    write!(out, "{}", table::bracket(&standings))?;
    write!(out, "{}", first_move(&standings, sides))?;
    for note in notes {
        let player = note.player.and_then(|number| row.players.get(number));
        match (note.kind, player) {
            (NoteKind::Benched, Some(player)) => {
                let name = referee::printable(&player.name);
                writeln!(out, "{name} was benched: {}", note.text)?;
            }
            (NoteKind::Remark, _) => writeln!(out, "note: {}", note.text)?,
            _ => {}
        }
    }
    write!(out, "{}", some_faults(store, id, &standings, db).await?)?;
    Ok(())
}

/// For everybody who made faults one of them, and how to see it again.
pub(crate) async fn some_faults(
    store: &Store,
    id: &str,
    standings: &Standings,
    db: &Path,
) -> anyhow::Result<String> {
    let mut text = String::new();
    for row in standings.rows.iter().filter(|row| row.faults > 0) {
        let name = referee::printable(&row.name);
        for fault in store.faults(id, Some(row.player), 1).await? {
            let (game, turn) = (&fault.turn.game, fault.turn.record.ply);
            let what = referee::printable(&fault.text);
            text += &match row.faults {
                1 => format!("{name} made one fault: {what}\n"),
                many => format!("{name} made {many} faults, such as: {what}\n"),
            };
            text += &format!(
                "  ludex replay {game} --db {} --move {turn}\n",
                quoted(&db.display().to_string())
            );
        }
    }
    Ok(text)
}

fn first_move(standings: &Standings, sides: [&str; 2]) -> String {
    format!(
        "{} moves first: {} (won-drawn-lost), worth {:.0} Elo\n",
        sides[0], standings.first_wdl, standings.first_move
    )
}

/// The tournament whose id begins so, or the latest.
pub(crate) async fn find(store: &Store, start: Option<&str>) -> anyhow::Result<String> {
    let rows = store.tournaments().await?;
    let Some(start) = start else {
        let latest = rows.into_iter().next();
        return latest
            .map(|row| row.id)
            .ok_or_else(|| bad_input("no tournaments yet"));
    };
    let mut found = rows
        .into_iter()
        .map(|row| row.id)
        .filter(|id| id.starts_with(start));
    match (found.next(), found.next()) {
        (Some(id), None) => Ok(id),
        (Some(one), Some(two)) => Err(bad_input(format!("{start:?} could be {one} or {two}"))),
        (None, _) => Err(unknown(StoreError::NoTournament(start.into()))),
    }
}

/// A name that nobody knows is the user's doing.
fn unknown(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::NoGame(_) | StoreError::NoTournament(_) => bad_input(error),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(clap::Parser)]
    struct Typed {
        #[command(flatten)]
        export: Export,
    }

    /// What is written, part by part.
    #[derive(Default)]
    struct Parts(Vec<String>);

    impl Write for Parts {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// A large tournament has more records than fit into memory.
    #[test]
    fn records_are_written_one_by_one() {
        let text =
            "game = \"othello\"\n[[player]]\nbot = \"random\"\n[[player]]\nbot = \"greedy\"\n";
        let config = Config::from_toml(Path::new("cup.toml"), text).unwrap();
        let row = watch::runtime().unwrap().block_on(async {
            let store = Store::in_memory().await.unwrap();
            let options = RunOptions::default();
            tournament::run(&store, &config, &options).await.unwrap();
            let row = store.tournament(&config.id()).await.unwrap();
            for format in ["records", "ggf"] {
                let typed = Typed::parse_from(["x", "--format", format]);
                let mut parts = Parts::default();
                let written = records(&store, &row, &typed.export, &mut parts).await;
                written.unwrap();
                let longest = parts.0.iter().map(|part| part.lines().count()).max();
                assert_eq!(longest, Some(1), "{format}");
                assert_eq!(parts.0.concat().lines().count(), 2, "{format}");
            }
            row
        });
        assert_eq!(row.played, 2);
    }
}
