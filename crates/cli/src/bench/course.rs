//! `ludex bench course`: a big course, its pages with many readers, and its ladder.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::course::judge::{Cases, Detail};
use ::course::store::{HandIn, NewGame, Purpose, Step, StepName};
use ::course::time::now;
use ::course::{Course, FINALS, OpenCourse, Person, STORE, Side, TEMPLATE, roster};
use anyhow::{Context, anyhow};
use games::AnyPosition;
use referee::{GameRecord, GameSetup, PlayerSpec};
use serde_json::json;
use tokio::runtime::Runtime;
use tournament::schedule::{Fixture, GameKey};
use tournament::{Config, NoteKind, RawConfig};
use web::CourseSite;

use super::visit::{self, Visit};
use crate::input;

/// A big course on this machine: how fast its pages are with many readers, how large its store
/// is, and how long the ladder takes to fit
///
/// People, versions and games are generated: games of bots under the names of versions, every
/// twentieth with a fault and its evidence, and a final. Readers look at all pages in turn.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Students
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    students: u32,
    /// Versions of all of them together
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    versions: u32,
    /// Games of the ladder
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,
    /// Readers at once
    #[arg(long, default_value = "50", value_parser = input::threads())]
    visitors: usize,
    /// Seconds to read
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Milliseconds that a reader looks at a page, on average
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pause: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// What to look at: one's own version, a game of it with a fault, a game of the final.
struct Made {
    version: i64,
    game: i64,
    of_final: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    input::write_file(&folder.path().join("course.toml"), TEMPLATE)?;
    let runtime = Runtime::new().context("cannot start the server")?;
    let course = Course::open(folder.path())?;
    let open_course = Arc::new(runtime.block_on(OpenCourse::open(course))?);
    let begin = Instant::now();
    let made = fill(&runtime, &open_course, args)?;
    let seconds = begin.elapsed().as_secs_f64();
    let megabytes = size(folder.path()) as f64 / 1e6;
    let begin = Instant::now();
    let table = open_course.fresh_table(&open_course.course.assignments[0])?;
    let fit = begin.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    let Args {
        students,
        versions,
        games,
        visitors,
        ..
    } = args;
    if args.json {
        let row = json!({
            "bench": "course", "students": students, "versions": versions, "games": games,
            "store_mb": megabytes, "fit_seconds": fit, "players": table.players.len(),
        });
        writeln!(out, "{row}")?;
    } else {
        writeln!(
            out,
            "{students} students, {versions} versions, {games} games: made in {seconds:.0} s, store of {megabytes:.0} MB"
        )?;
        writeln!(
            out,
            "ladder of {} players fitted in {fit:.2} s",
            table.players.len()
        )?;
        writeln!(out, "{visitors} readers, {} ms a page:", args.pause)?;
    }
    for (page, mut times) in read(&runtime, &open_course, args, &made)? {
        times.sort_unstable();
        if args.json {
            let part = |share| visit::part(&times, share);
            let row = json!({
                "bench": page, "looks": times.len(),
                "median_ms": part(0.5), "p99_ms": part(0.99), "longest_ms": part(1.0),
            });
            writeln!(out, "{row}")?;
        } else {
            let (count, spread) = (times.len(), visit::spread(&times));
            writeln!(out, "{page:<32} {count:>6} looks   {spread}")?;
        }
    }
    Ok(out.flush()?)
}

/// How large what the course keeps is.
fn size(folder: &Path) -> u64 {
    let sizes = [STORE, FINALS]
        .into_iter()
        .flat_map(|name| ["", "-wal"].map(|end| folder.join(format!("{name}{end}")).metadata()));
    sizes.map(|data| data.map_or(0, |data| data.len())).sum()
}

/// Lets everybody look at all pages in turn: how long each took.
fn read(
    runtime: &Runtime,
    open_course: &Arc<OpenCourse>,
    args: &Args,
    made: &Made,
) -> anyhow::Result<Vec<(String, Vec<Duration>)>> {
    let people = open_course.store.people()?;
    let login = |name: &str| -> anyhow::Result<String> {
        let person = people.iter().find(|person| person.login == name);
        Ok(open_course.store.log_in(person.context("nobody")?.id)?)
    };
    let (student, staff) = (login("s0")?, login("staff")?);
    let address = runtime.block_on(async {
        let (listener, address) = web::listen(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
        let site = CourseSite::new(Arc::clone(open_course));
        tokio::spawn(web::serve_course_pages(
            listener,
            site,
            std::future::pending(),
        ));
        anyhow::Ok(address)
    })?;
    let base = format!("/a/{}", open_course.course.assignments[0].id);
    let Made {
        version,
        game,
        of_final,
    } = made;
    let mut pages = vec![("/".to_string(), &student)];
    for part in ["", "/ladder", "/faults", "/final", "/finals/1", "/grade"] {
        pages.push((format!("{base}{part}"), &student));
    }
    for page in [
        format!("/v/{version}"),
        format!("/g/{game}"),
        format!("/f/{of_final}"),
        "/me".into(),
    ] {
        pages.push((page, &student));
    }
    for page in ["/staff".to_string(), format!("/staff{base}")] {
        pages.push((page, &staff));
    }
    let end = Instant::now() + Duration::from_secs(args.seconds);
    let pause = Duration::from_millis(args.pause);
    let walks = visit::crowd(args.visitors, |number| {
        let mut visits =
            [&student, &staff].map(|login| Visit::known(address, "ludex_course", login));
        let mut times = vec![Vec::new(); pages.len()];
        // People do not look all at the same moment, nor at the same page.
        std::thread::sleep(pause.mul_f64((number as f64 * 0.618).fract()));
        let mut turn = number as usize;
        let first = turn;
        while turn < first + pages.len() || Instant::now() < end {
            let (page, login) = &pages[turn % pages.len()];
            let seat = usize::from(*login == &staff);
            let started = Instant::now();
            visits[seat]
                .as_mut()
                .map_err(|error| anyhow!("{error:#}"))?
                .page(page)?;
            times[turn % pages.len()].push(started.elapsed());
            std::thread::sleep(pause.mul_f64(0.5 + (turn as f64 * 0.618).fract()));
            turn += 1;
        }
        Ok(times)
    })?;
    let mut all = vec![Vec::new(); pages.len()];
    for times in walks {
        for (page, times) in times.into_iter().enumerate() {
            all[page].extend(times);
        }
    }
    let names = pages.into_iter().map(|(page, _)| page);
    Ok(names.zip(all).collect())
}

/// Makes people, versions, games and a final.
fn fill(runtime: &Runtime, open_course: &OpenCourse, args: &Args) -> anyhow::Result<Made> {
    let mut names = String::from("name,id,role\nStaff,staff,staff\n");
    for number in 0..args.students {
        names += &format!("Student {number},s{number},student\n");
    }
    let entries = roster::read(&names).map_err(anyhow::Error::msg)?;
    let added = open_course.store.add(&entries)?;
    let students: Vec<Person> = added
        .into_iter()
        .map(|added| added.person)
        .filter(|person| !person.is_staff())
        .collect();
    let latest = fill_versions(open_course, &students, args.versions as usize)?;
    let records = Records::play(open_course)?;
    fill_games(open_course, args.games as usize, &latest, &records)?;
    let of_final = runtime.block_on(fill_final(open_course, &latest, &records))?;
    let version = latest[0].1;
    let faults = open_course.store.faults_of(version, 1)?;
    let games = open_course.store.games_of(version, 1)?;
    let game = faults.first().or(games.first());
    let game = game.context("the first student has no game")?.id;
    Ok(Made {
        version,
        game,
        of_final,
    })
}

/// Makes versions that have passed; the team and the latest version of everybody.
fn fill_versions(
    open_course: &OpenCourse,
    students: &[Person],
    versions: usize,
) -> anyhow::Result<Vec<(i64, i64)>> {
    let case = |number: usize| (format!("case-{number}"), "a rule".to_string(), true);
    let cases = Cases {
        passed: 40,
        cases: 40,
        points: 100.0,
        all: (0..40).map(case).collect(),
        ..Cases::default()
    };
    let detail = Detail {
        cases: Some(cases),
        ..Detail::default()
    };
    let detail = serde_json::to_string(&detail)?;
    let mut latest = vec![(0, 0); students.len()];
    for number in 0..versions {
        let student = &students[number % students.len()];
        let hand_in = HandIn {
            team: student.team,
            person: student.id,
            assignment: &open_course.course.assignments[0].id,
            hash: &format!("{number:064x}"),
            language: "C",
            per_day: u32::MAX,
            received: now(),
        };
        let taken = open_course.store.take_version(&hand_in, |_| Ok(()))?;
        let version = taken.map_err(|reason| anyhow!("{reason:?}"))?;
        for name in StepName::ALL {
            let step = Step {
                name,
                at: version.received,
                seconds: 1.0,
                ok: true,
                summary: "in order".into(),
                detail: match name {
                    StepName::Graded => detail.clone(),
                    _ => "{}".into(),
                },
            };
            let passed = name == StepName::Played;
            open_course.store.add_step(version.id, &step, &[], passed)?;
        }
        latest[number % students.len()] = (student.team, version.id);
    }
    latest.retain(|(_, version)| *version > 0);
    Ok(latest)
}

/// Games to be kept under many names.
struct Records {
    good: Vec<GameRecord>,
    /// One whose last turn of the first player is a fault, with all that it was given.
    faulty: GameRecord,
}

impl Records {
    fn play(open_course: &OpenCourse) -> anyhow::Result<Records> {
        let assignment = &open_course.course.assignments[0];
        let play = assignment.play.context("programs of the template play")?;
        let game = |players: [PlayerSpec; 2], seed: u64| -> anyhow::Result<GameRecord> {
            let start = AnyPosition::random_start(play.game, seed);
            let mut setup = GameSetup::new(start, players);
            setup.seed = seed;
            Ok(referee::play_game(&setup, &mut |_| (), &Arc::default())?)
        };
        let mut good = Vec::new();
        for seed in 0..50 {
            good.push(game(["random".parse()?, "greedy".parse()?], seed)?);
        }
        let wrong = format!("{}:echo x", play.kind).parse()?;
        let wrong = game([wrong, "random".parse()?], 1)?;
        let fault = wrong.moves.iter().find(|turn| turn.verdict.is_fault());
        let fault = fault.context("a program that answers nonsense makes a fault")?;
        let mut faulty = good[0].clone();
        for turn in &mut faulty.moves {
            turn.input = fault.input.clone();
            turn.answer = fault.answer.clone();
            turn.stderr = fault.answer.clone();
        }
        let own = |turn: &&mut referee::MoveRecord| turn.side == fault.side;
        let last = faulty.moves.iter_mut().rev().find(own);
        last.context("a game without a move")?.verdict = fault.verdict.clone();
        Ok(Records { good, faulty })
    }

    fn of(&self, number: usize) -> GameRecord {
        match number % 20 {
            7 => self.faulty.clone(),
            _ => self.good[number % self.good.len()].clone(),
        }
    }
}

fn fill_games(
    open_course: &OpenCourse,
    count: usize,
    versions: &[(i64, i64)],
    records: &Records,
) -> anyhow::Result<()> {
    let all = versions.len();
    let mut games = Vec::new();
    for number in 0..count {
        let step = 1 + number / all % (all - 1).max(1);
        let players = [number % all, (number + step) % all];
        games.push(NewGame {
            assignment: open_course.course.assignments[0].id.clone(),
            purpose: Purpose::Ladder,
            players: players.map(|place| Side::Version(versions[place].1)),
            pair: number as i64 / 2,
            half_points: [2, 0, 1, 2, 0][number % 5],
            record: records.of(number),
        });
        if games.len() == 2000 {
            open_course.store.add_games(&games)?;
            games.clear();
        }
    }
    Ok(open_course.store.add_games(&games)?)
}

/// A final of nine rounds that is over; the id of one of its games.
async fn fill_final(
    open_course: &OpenCourse,
    versions: &[(i64, i64)],
    records: &Records,
) -> anyhow::Result<String> {
    const ROUNDS: u32 = 9;
    let assignment = &open_course.course.assignments[0];
    let play = assignment.play.context("programs of the template play")?;
    let mut players = Vec::new();
    for (_, version) in versions {
        let mut player: PlayerSpec = "random".parse()?;
        player.name = Side::Version(*version).key();
        players.push(player);
    }
    let name = format!("{} final 1", assignment.id);
    let config = Config::try_from(RawConfig::new(name, play.game, players))?;
    let id = open_course.finals.create(&config).await?;
    let all = versions.len();
    for round in 1..=ROUNDS {
        for table in 0..all / 2 {
            for game in 1..=2 {
                let key = GameKey {
                    round,
                    table: table as u32 + 1,
                    game,
                };
                let pair = [table, all - 1 - table].map(|place| (place + round as usize) % all);
                let [first, second] = if game == 1 { pair } else { [pair[1], pair[0]] };
                let fixture = Fixture {
                    key,
                    first,
                    second,
                    opening: 0,
                };
                let record = records.of(table + 7 * game as usize);
                open_course.finals.add_game(&id, &fixture, &record).await?;
            }
        }
    }
    let note = open_course
        .finals
        .add_note(&id, NoteKind::Finished, None, "");
    note.await?;
    open_course
        .store
        .freeze(&assignment.id, 1, versions, Some(&id), None)?;
    let first = GameKey {
        round: 1,
        table: 1,
        game: 1,
    };
    Ok(tournament::game_id(&id, first))
}
