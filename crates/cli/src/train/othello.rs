//! `ludex train othello`: self-play, regression, the network and validation of the evaluation.

use std::io::Write;
use std::path::{Path, PathBuf};

use othello::eval::file::{FileError, Fit, Header};
use othello::eval::{Network, PHASES, Weights, phase_of};
use train::othello::network::{By, NetworkError, TorchError};
use train::othello::recipe::{self, Progress};
use train::othello::record::Library;
use train::othello::{fit, network, selfplay, validate};

use crate::error::{bad_input, note};
use crate::input;

/// The weights of the Othello evaluation, and the network that corrects them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex train othello run --dir work                 all of it, as the built-in weights were made
  ludex train othello run --dir work --scale 0.01    the same in small
  ludex train othello network --dir work             the network, for the built-in weights
  ludex train othello network --dir work --python python3    the same, fitted by PyTorch
  ludex train othello validate --wthor shared/data/wthor
  ludex train othello check work/othello.weights

Every random choice follows from the seed. What a run has finished stays in its folder,
and the same command goes on from there.")]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(clap::Subcommand)]
enum Step {
    Run(Run),
    Network(NetworkArgs),
    Selfplay(Selfplay),
    Fit(FitArgs),
    Validate(Validate),
    Check(Check),
}

/// Go through the whole recipe, from no weights to trained ones
#[derive(clap::Args)]
struct Run {
    /// The work folder; the result is `othello.weights` in it
    #[arg(long)]
    dir: PathBuf,
    /// Where random choices start
    #[arg(long, default_value_t = recipe::SEED)]
    seed: u64,
    /// Play this many times the recipe's games
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// Threads that share the work
    #[arg(long, default_value = "1", value_parser = input::threads())]
    threads: usize,
}

/// Train the network that corrects the built-in weights, on games of the engine
///
/// Games that are finished stay in the folder, and the same command goes on from there; the fit
/// is done in one go, by PyTorch with --python. The built-in network was made in two rounds, the
/// first from scratch. Its games were played on a GPU, in four minutes.
#[derive(clap::Args)]
struct NetworkArgs {
    /// The work folder; the result is `othello.network` in it
    #[arg(long)]
    dir: PathBuf,
    /// Where random choices start
    #[arg(long, default_value_t = network::Recipe::default().seed)]
    seed: u64,
    /// How many games, rounded up to whole files of 200
    #[arg(long, default_value_t = network::Recipe::default().games)]
    games: u32,
    /// Search depth of the players, in plies
    #[arg(long, default_value_t = network::Recipe::default().depth, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Positions with this many empty squares or fewer are solved
    #[arg(long, default_value_t = network::Recipe::default().solve, value_parser = clap::value_parser!(u32).range(0..=60))]
    solve: u32,
    /// Begin the fit with random numbers, not with those of the built-in network
    #[arg(long)]
    from_scratch: bool,
    /// Passes through all positions
    #[arg(long, default_value_t = network::Settings::default().epochs)]
    epochs: usize,
    /// Positions in a step of the fit
    #[arg(long, default_value_t = network::Settings::default().batch)]
    batch: usize,
    /// Fit with PyTorch, on a GPU if there is one: the command of a Python that has it
    #[arg(long, value_name = "PYTHON")]
    python: Option<PathBuf>,
    /// Threads that share the work
    #[arg(long, default_value = "1", value_parser = input::threads())]
    threads: usize,
}

/// Play games and label their positions
#[derive(clap::Args)]
struct Selfplay {
    /// The folder for the files of labelled positions
    #[arg(long)]
    dir: PathBuf,
    /// The weights that play: a file, or `zero` [default: the built-in ones]
    #[arg(long)]
    weights: Option<String>,
    /// Where random choices start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games, rounded up to whole files of 500
    #[arg(long, default_value_t = 10_000)]
    games: u32,
    /// Search depth of the players, in plies
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,
    /// Positions with this many empties or fewer are solved
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=60))]
    solve: u32,
    /// How much the next position's label counts, 0 to 1
    #[arg(long, default_value_t = 0.9)]
    trust: f64,
    /// One move in this many is any legal one
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    stray: u32,
    /// Games that are played at the same time
    #[arg(long, default_value = "1", value_parser = input::threads())]
    threads: usize,
}

/// Find the weights that explain labelled positions best
#[derive(clap::Args)]
struct FitArgs {
    /// Folders with files of labelled positions
    #[arg(long, required = true, num_args = 1..)]
    dir: Vec<PathBuf>,
    /// The weights file to write
    #[arg(long)]
    out: PathBuf,
    /// What a weight pays for leaving its value of the phase before
    #[arg(long, default_value_t = fit::Settings::default().shrink)]
    shrink: f32,
    /// Steps of conjugate gradients
    #[arg(long, default_value_t = fit::Settings::default().steps)]
    steps: usize,
    /// Positions this many empties outside a phase count for it too
    #[arg(long, default_value_t = fit::Settings::default().margin)]
    margin: u32,
    /// Threads that share the work
    #[arg(long, default_value = "1", value_parser = input::threads())]
    threads: usize,
}

/// Measure the error on tournament games of people, which no fit has seen
///
/// Near the end the evaluation is compared with exact scores; from the depth of the
/// base's own analysis (24 empties) upwards, with the result of perfect play from there.
#[derive(clap::Args)]
struct Validate {
    /// A folder of WTHOR files
    #[arg(long)]
    wthor: PathBuf,
    /// The weights file, without a network [default: the built-in ones with theirs]
    #[arg(long)]
    weights: Option<String>,
    /// The choice of games follows from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games
    #[arg(long, default_value_t = 500)]
    games: u32,
    /// Positions with this many empties or fewer are solved
    #[arg(long, default_value_t = 14)]
    solve: u32,
}

/// Check a file of weights or of a network against its checksum, and show what it says about
/// itself
#[derive(clap::Args)]
struct Check {
    /// The file [default: the built-in weights and network]
    file: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.step {
        Step::Run(args) => run_recipe(args),
        Step::Network(args) => train_network(args),
        Step::Selfplay(args) => play(args),
        Step::Fit(args) => fit_records(args),
        Step::Validate(args) => show_errors(args),
        Step::Check(args) => check(args),
    }
}

fn run_recipe(args: &Run) -> anyhow::Result<()> {
    if !(args.scale > 0.0 && args.scale <= 1000.0) {
        return Err(bad_input(format!(
            "--scale {}: above 0, to 1000",
            args.scale
        )));
    }
    let stages = recipe::STANDARD.map(|stage| recipe::Stage {
        games: (f64::from(stage.games) * args.scale).ceil() as u32,
        ..stage
    });
    let bytes = recipe::run(
        &stages,
        args.seed,
        &args.dir,
        args.threads,
        |progress| match progress {
            Progress::Played { path, .. } => note(path.display()),
            Progress::Fitted { stage, phase, fit } => {
                note(format_args!(
                    "generation {stage}: {}",
                    fit_line(phase, &fit)
                ));
            }
        },
    )?;
    input::write_file(&args.dir.join("othello.weights"), &bytes)
}

fn train_network(args: &NetworkArgs) -> anyhow::Result<()> {
    let recipe = network::Recipe {
        seed: args.seed,
        games: args.games,
        depth: args.depth,
        solve: args.solve,
        from_scratch: args.from_scratch,
        fit: network::Settings {
            epochs: args.epochs,
            batch: args.batch,
            ..network::Settings::default()
        },
    };
    let bytes = network::run(
        &recipe,
        &args.dir,
        args.threads,
        args.python.as_deref().map_or(By::Threads, By::Torch),
        |progress| match progress {
            network::Progress::FitsOn(device) => note(format_args!("PyTorch fits on {device}")),
            network::Progress::Played(path) => note(path.display()),
            network::Progress::Fitted(epoch) => note(format_args!(
                "epoch {}: root of the mean squared error {:.3} discs, weights alone {:.3}",
                epoch.number, epoch.corrected, epoch.weights
            )),
        },
    )
    .map_err(|error| match error {
        NetworkError::Torch(TorchError::Start { .. }) => bad_input(error),
        error => error.into(),
    })?;
    input::write_file(&args.dir.join("othello.network"), &bytes)
}

fn play(args: &Selfplay) -> anyhow::Result<()> {
    let (file, built_in);
    let weights = match args.weights.as_deref() {
        None => {
            built_in = Weights::embedded();
            built_in
        }
        Some("zero") => {
            file = Weights::zero();
            &file
        }
        Some(path) => {
            file = read_weights(path)?;
            &file
        }
    };
    let settings = selfplay::Settings {
        seed: args.seed,
        depth: args.depth,
        solve: args.solve,
        trust: args.trust,
        stray: args.stray,
    };
    if !(0.0..=1.0).contains(&args.trust) {
        return Err(bad_input(format!("--trust {}: 0 to 1", args.trust)));
    }
    let done = |path: &Path| note(path.display());
    selfplay::run(
        weights,
        &settings,
        &args.dir,
        args.games,
        args.threads,
        done,
    )?;
    Ok(())
}

fn fit_records(args: &FitArgs) -> anyhow::Result<()> {
    let settings = fit::Settings {
        shrink: args.shrink,
        steps: args.steps,
        margin: args.margin,
    };
    let folders: Vec<String> = args.dir.iter().map(|d| d.display().to_string()).collect();
    let recipe = format!(
        "fit of {} shrink {} steps {} margin {}",
        folders.join(" "),
        args.shrink,
        args.steps,
        args.margin
    );
    input::check_writable(&args.out)?;
    let library =
        recipe::on_threads(args.threads, || Library::read(&args.dir)).map_err(bad_input)?;
    if (0..=60).all(|empties| library.with_empties(empties).is_empty()) {
        return Err(bad_input(format!(
            "{}: no labelled positions",
            folders.join(" ")
        )));
    }
    let bytes = recipe::on_threads(args.threads, || {
        let done = |phase, fit: &Fit| note(fit_line(phase, fit));
        fit::fit(&library, &settings, &recipe, done)
    });
    input::write_file(&args.out, &bytes)
}

fn show_errors(args: &Validate) -> anyhow::Result<()> {
    let settings = validate::Settings {
        seed: args.seed,
        games: args.games,
        solve: args.solve,
    };
    let records = validate::label(&args.wthor, &settings).map_err(bad_input)?;
    let errors = match &args.weights {
        Some(path) => validate::errors(&read_weights(path)?, None, &records),
        None => validate::errors(Weights::embedded(), Some(Network::embedded()), &records),
    };
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:>5} {:>7} {:>9} {:>10} {:>10} {:>6}",
        "phase", "empties", "positions", "mean error", "root of sq", "bias"
    )?;
    for (phase, error) in errors.iter().enumerate().filter(|(_, e)| e.positions > 0) {
        writeln!(
            out,
            "{phase:>5} {:>7} {:>9} {:>10.2} {:>10.2} {:>+6.2}",
            empties(phase),
            error.positions,
            error.absolute,
            error.squared,
            error.bias
        )?;
    }
    Ok(())
}

fn check(args: &Check) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match &args.file {
        Some(path) => writeln!(out, "{}", read_header(path)?.text)?,
        None => {
            let (weights, network) = (Weights::embedded(), Network::embedded());
            weights.check()?;
            network.check()?;
            writeln!(out, "{}", weights.header().text)?;
            writeln!(out, "{}", network.header().text)?;
        }
    }
    Ok(())
}

/// The header of a whole file, of weights or of a network.
fn read_header(path: &str) -> anyhow::Result<Header> {
    let bytes = input::read_file(Path::new(path))?;
    let header = match Weights::read(bytes.clone()) {
        Err(FileError::Format { .. }) => Network::read(bytes).map(|n| n.header().clone()),
        read => read.map(|weights| weights.header().clone()),
    };
    header.map_err(|error| bad_input(format!("{path}: {error}")))
}

/// The empties of a phase, as a range.
fn empties(phase: usize) -> String {
    let mut range = (0..=60).filter(|&empties| phase_of(empties) == phase);
    let first = range.next().unwrap_or_default();
    let last = range.next_back().unwrap_or(first);
    format!("{first}-{last}")
}

fn fit_line(phase: usize, fit: &Fit) -> String {
    format!(
        "phase {phase:>2} of {PHASES}, {:>5} empties: {} positions, mean error {:.3}; held out {}, {:.3}",
        empties(phase),
        fit.positions,
        fit.error,
        fit.held_out,
        fit.held_out_error
    )
}

fn read_weights(path: &str) -> anyhow::Result<Weights> {
    let bytes = input::read_file(Path::new(path))?;
    Weights::read(bytes).map_err(|error| bad_input(format!("{path}: {error}")))
}
