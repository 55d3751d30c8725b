//! `ludex bench review`: how much of games between weak bots is proven, and how soon.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ::review::{Budget, Knowledge, Played, Review, review};
use cpu_time::ProcessTime;
use games::{AnyPosition, Resources, Room};
use gipf_engine::tables::Library;
use mmpawns_engine::fields::{Spread, random_start};
use referee::{GameSetup, play_game};
use serde_json::json;

use super::beside;
use crate::error::bad_input;
use crate::input;

/// Reviews of games between weak bots: positions proven, seconds and processor time for each game
///
/// Every subject has an aim: positions that are to be proven within the time. It can be measured
/// in parts: `--only` for one subject, and `--seed` for the first game of a part.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex bench review --only othello                     100 games on two cores
  ludex bench review --only gipf-3388 -j 8 --games 50   the first fifty games, eight at once
  ludex bench review --only gipf-3388 -j 8 --games 50 --seed 51
  ludex bench review --beside                           what a review costs everything else")]
pub(crate) struct Args {
    /// Only this subject: othello, gipf-3388-table, gipf-3388, gipf-4415 or mmpawns (may be given
    /// several times)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Games of each subject
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    games: u64,
    /// Time for each game [default: 10s for othello, 30s for mmpawns, 60s for gipf]
    #[arg(long, value_parser = input::time)]
    time: Option<Duration>,
    /// Threads of each review
    #[arg(long, default_value_t = 2, value_parser = input::threads())]
    threads: usize,
    /// Reviews at once; there should be as many cores as threads of all of them
    #[arg(short = 'j', long, default_value_t = 1, value_parser = input::threads(), value_name = "N")]
    concurrency: usize,
    /// Memory of each review
    #[arg(long, default_value = "1G", value_parser = input::size, value_name = "SIZE")]
    memory: u64,
    /// Folder with tables of solved variants, for the subject gipf-3388-table
    #[arg(long, value_name = "FOLDER")]
    tables: Vec<PathBuf>,
    /// The number of the first game: all random choices of a game follow from its number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Measure instead how much longer other work on all cores takes beside a review
    #[arg(long, conflicts_with = "only")]
    beside: bool,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// What is measured.
struct Subject {
    name: &'static str,
    /// Where the game with a number starts.
    start: fn(u64) -> anyhow::Result<AnyPosition>,
    /// Time for each game.
    seconds: u64,
    /// Whether tables are used.
    tables: bool,
    /// Which positions are to be proven.
    aim: Option<Aim>,
}

/// Positions in words, and whether one is among them.
type Aim = (&'static str, fn(&AnyPosition) -> bool);

const GIPF_3388: Subject = Subject {
    name: "gipf-3388",
    start: |_| Ok(AnyPosition::parse(games::GIPF, "3 3 8 8")?),
    seconds: 60,
    tables: false,
    aim: Some(("of all", |_| true)),
};

const SUBJECTS: [Subject; 5] = [
    Subject {
        name: "othello",
        start: |number| Ok(AnyPosition::random_start(games::REVERSI, number)),
        seconds: 10,
        tables: false,
        aim: Some(("with at most 20 empty squares", |position| {
            let position: Option<&reversi::Position> = position.downcast_ref();
            position.is_some_and(|position| position.board().empty().len() <= 20)
        })),
    },
    Subject {
        name: "gipf-3388-table",
        tables: true,
        ..GIPF_3388
    },
    GIPF_3388,
    Subject {
        name: "gipf-4415",
        start: |_| Ok(AnyPosition::parse(games::GIPF, "4 4 15 15")?),
        aim: None,
        ..GIPF_3388
    },
    Subject {
        name: "mmpawns",
        start: |number| {
            let spread = Spread::ALL[number as usize % Spread::ALL.len()];
            let (pawns, holes) = (3 + number / 3 % 4, number % 6);
            Ok(random_start(spread, pawns as u32, holes as u32, number).into())
        },
        seconds: 30,
        tables: false,
        aim: Some(("of games with up to 6 pawns", |_| true)),
    },
];

/// The weak bots; each pair of neighbours plays.
const BOTS: [&str; 3] = ["random", "greedy", "minimax:2"];

/// Plies of the longest game.
const LONGEST_GAME: u32 = 200;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.beside {
        let played = game(&GIPF_3388, args.seed)?;
        return beside::run(&played, args.json);
    }
    let known = |name: &String| SUBJECTS.iter().any(|subject| subject.name == name);
    if let Some(name) = args.only.iter().find(|name| !known(name)) {
        let names = SUBJECTS.map(|subject| subject.name).join(", ");
        return Err(bad_input(format!("--only {name}: there are {names}")));
    }
    let mut out = std::io::stdout().lock();
    for subject in SUBJECTS {
        let asked = args.only.iter().any(|only| only == subject.name);
        if !args.only.is_empty() && !asked {
            continue;
        }
        if subject.tables && !has_table(args, &(subject.start)(0)?) {
            let name = subject.name;
            let missing = format!("{name}: --tables names no folder with a table of the variant");
            if asked {
                return Err(bad_input(missing));
            }
            crate::error::note(&missing);
            continue;
        }
        let sum = measure(args, &subject)?;
        match args.json {
            true => writeln!(out, "{}", sum.json(&subject, args.games))?,
            false => writeln!(out, "{}", sum.words(&subject, args.games))?,
        }
        out.flush()?;
    }
    Ok(())
}

/// Whether the tables know a position.
fn has_table(args: &Args, position: &AnyPosition) -> bool {
    let position: Option<&gipf::Position> = position.downcast_ref();
    let library = Library::new(&args.tables);
    position.is_some_and(|position| library.value(position).is_some())
}

/// Reviews of all games, added up.
#[derive(Default)]
struct Sum {
    /// Positions, and those that are proven.
    all: Count,
    /// Those that are aimed at.
    aimed: Count,
    /// Games of which everything is proven that is aimed at.
    whole: usize,
    mistakes: usize,
    taken: Duration,
    slowest: Duration,
    /// Processor time of all reviews together.
    processor: Duration,
}

/// Positions, and how many of them are proven.
#[derive(Default)]
struct Count {
    positions: usize,
    proven: usize,
}

impl Count {
    fn add(&mut self, proven: bool) {
        self.positions += 1;
        self.proven += usize::from(proven);
    }

    /// Proven positions in a hundred.
    fn share(&self) -> f64 {
        100.0 * self.proven as f64 / self.positions.max(1) as f64
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = self.share();
        write!(f, "{} of {} ({share:.1} %)", self.proven, self.positions)
    }
}

impl Sum {
    fn add(&mut self, subject: &Subject, played: &Played, review: &Review, taken: Duration) {
        self.taken += taken;
        self.slowest = self.slowest.max(taken);
        self.mistakes += review.real_mistakes().count();
        let mut whole = true;
        for (turn, judged) in played.turns.iter().zip(&review.turns) {
            let proven = judged.statement.proof().is_some();
            self.all.add(proven);
            if subject.aim.is_some_and(|(_, is_one)| is_one(&turn.before)) {
                self.aimed.add(proven);
                whole &= proven;
            }
        }
        self.whole += usize::from(whole);
    }

    fn words(&self, subject: &Subject, games: u64) -> String {
        let each = |time: Duration| time.as_secs_f64() / games as f64;
        let aim = subject.aim.map(|(words, _)| {
            let Sum { aimed, whole, .. } = self;
            format!("; {words}: {aimed}, in {whole} games all")
        });
        format!(
            "{}, {games} games: {} positions proven{}; {} mistakes; {:.2} s a game, {:.2} s at most, {:.2} s of processor time",
            subject.name,
            self.all,
            aim.unwrap_or_default(),
            self.mistakes,
            each(self.taken),
            self.slowest.as_secs_f64(),
            each(self.processor),
        )
    }

    fn json(&self, subject: &Subject, games: u64) -> serde_json::Value {
        let each = |time: Duration| time.as_secs_f64() / games as f64;
        let aim = subject.aim.map(|(words, _)| {
            json!({
                "positions": words, "count": self.aimed.positions, "proven": self.aimed.proven,
                "share": self.aimed.share(), "whole_games": self.whole,
            })
        });
        json!({
            "bench": format!("review {}", subject.name), "games": games,
            "positions": self.all.positions, "proven": self.all.proven, "share": self.all.share(),
            "aim": aim, "mistakes": self.mistakes, "seconds_per_game": each(self.taken),
            "slowest": self.slowest.as_secs_f64(),
            "processor_seconds_per_game": each(self.processor),
        })
    }
}

/// The game with this number.
fn game(subject: &Subject, number: u64) -> anyhow::Result<Played> {
    let pair = number as usize % BOTS.len();
    let players = [BOTS[pair], BOTS[(pair + 1) % BOTS.len()]];
    let players = [players[0].parse()?, players[1].parse()?];
    let mut setup = GameSetup::new((subject.start)(number)?, players);
    setup.seed = number;
    setup.longest = LONGEST_GAME;
    let record = play_game(&setup, &mut |_| (), &Arc::default())?;
    Ok(Played::from_record(&record)?)
}

fn measure(args: &Args, subject: &Subject) -> anyhow::Result<Sum> {
    let tables: &[PathBuf] = if subject.tables { &args.tables } else { &[] };
    let resources = Resources::new(tables);
    let numbers = args.seed..args.seed.saturating_add(args.games);
    let games: Vec<Played> = numbers
        .map(|number| game(subject, number))
        .collect::<anyhow::Result<_>>()?;
    let budget = Budget {
        time: args.time.unwrap_or(Duration::from_secs(subject.seconds)),
        gives_way: false,
        room: Room {
            threads: args.threads,
            memory: usize::try_from(args.memory).unwrap_or(usize::MAX),
        },
        ..Budget::default()
    };
    let (sum, next) = (Mutex::new(Sum::default()), AtomicUsize::new(0));
    let begun = ProcessTime::now();
    std::thread::scope(|scope| {
        for _ in 0..args.concurrency {
            scope.spawn(|| {
                while let Some(played) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let begun = Instant::now();
                    let review = review(played, &Knowledge::default(), &resources, &budget);
                    let taken = begun.elapsed();
                    if let Ok(mut sum) = sum.lock() {
                        sum.add(subject, played, &review, taken);
                    }
                }
            });
        }
    });
    let mut sum = sum.into_inner().unwrap_or_default();
    sum.processor = begun.elapsed();
    Ok(sum)
}
