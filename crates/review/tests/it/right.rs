//! Everything that reviews prove is right: compared with tables, with plain alpha–beta and with a
//! slow solver, on all positions of games between weak players that a review has looked at.
//!
//! A few games here; `cargo xtask proofs` compares thousands of positions.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use cpu_time::ProcessTime;
use games::{AnyPosition, GIPF, GameName, MMPAWNS, Proof, REVERSI, Resources, Room, Value};
use gipf_engine::tables::{self, Settings, Table};
use mmpawns_engine::fields::{Spread, random_start};
use review::{Budget, Knowledge, Played, review};
use rules::Game;
use search::{HeldTime, Time};

use crate::games_of_bots::{budget, record};

const PLAYERS: [[&str; 2]; 4] = [
    ["random", "greedy"],
    ["greedy", "random"],
    ["random", "random"],
    ["minimax:2", "random"],
];

/// How many proofs were compared, by value, and how many there were.
#[derive(Debug, Default)]
struct Counts {
    compared: [usize; 3],
    proofs: usize,
}

/// Games of a large comparison, which `cargo xtask proofs` asks for.
fn large() -> Option<u64> {
    let games = std::env::var("LUDEX_PROOFS").ok()?;
    Some(games.parse().expect("a number of games"))
}

/// Reviews games without tables, and compares every proof that comes of it with the reference,
/// which is told what is claimed and may not know everything.
fn compare(
    game: GameName,
    starts: impl Iterator<Item = AnyPosition>,
    budget: &Budget,
    reference: impl Fn(&AnyPosition, Proof) -> Option<Proof> + Sync,
) -> Counts {
    let mut counts = Counts::default();
    for (seed, start) in (0..).zip(starts) {
        let players = PLAYERS[seed as usize % PLAYERS.len()];
        let played = Played::from_record(&record(start, players, seed)).unwrap();
        let knowledge = Knowledge::default();
        let review = review(&played, &knowledge, &Resources::default(), budget);
        assert_eq!(review.game, game);
        let claims = knowledge.take_news();
        counts.proofs += claims.len();
        for proof in compared(game, claims, &reference) {
            counts.compared[proof.value as usize] += 1;
        }
    }
    println!("{game}: {counts:?}");
    counts
}

/// Compares claims, on all cores; those that the reference knows.
fn compared(
    game: GameName,
    claims: Vec<(String, Proof)>,
    reference: &(impl Fn(&AnyPosition, Proof) -> Option<Proof> + Sync),
) -> Vec<Proof> {
    let (claims, known) = (Mutex::new(claims.into_iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((key, proof)) = { claims.lock().unwrap().next() } {
                    let position = AnyPosition::parse(game, &key).unwrap();
                    let Some(truth) = reference(&position, proof) else {
                        continue;
                    };
                    assert_eq!(proof.value, truth.value, "{key}");
                    let margin = proof.margin.is_none_or(|n| truth.margin == Some(n));
                    let distance = proof.distance.is_none_or(|n| truth.distance == Some(n));
                    assert!(margin && distance, "{key}: {proof}, {truth}");
                    known.lock().unwrap().push(proof);
                }
            });
        }
    });
    known.into_inner().unwrap()
}

/// Threads of a review.
const THREADS: u32 = 2;

/// How often the time of a review goes on.
const STEP: Duration = Duration::from_millis(5);

/// A time that goes by only as far as this process works: with all threads at work a second a
/// second, and on a busy machine as much more slowly as the review.
fn working_time() -> Time {
    let time = HeldTime::new(Duration::ZERO);
    let source = Time::held(&time);
    let held = Arc::downgrade(&time);
    std::thread::spawn(move || {
        let mut last = ProcessTime::now();
        while let Some(time) = { held.upgrade() } {
            let now = ProcessTime::now();
            time.advance(now.duration_since(last) / THREADS);
            last = now;
            drop(time);
            sleep(STEP);
        }
    });
    source
}

/// A budget of processor time for each thread, so that as much is proven on a busy machine.
fn seconds(seconds: u64) -> Budget {
    Budget {
        gives_way: false,
        room: Room {
            threads: THREADS as usize,
            memory: 256 << 20,
        },
        source: working_time(),
        ..Budget::default().with_time(Duration::from_secs(seconds))
    }
}

/// The final difference by alpha–beta without a table or an evaluation; moves that leave the
/// opponent few come first.
fn plain(position: &reversi::Position, mut alpha: i32, beta: i32) -> i32 {
    if position.outcome().is_some() {
        return reversi_margin(position);
    }
    let mut next: Vec<reversi::Position> = position
        .moves()
        .into_iter()
        .map(|mv| {
            let mut next = *position;
            next.play_unchecked(mv);
            next
        })
        .collect();
    if position.board().empty().len() > 5 {
        next.sort_by_cached_key(|next| next.moves().len());
    }
    for next in next {
        alpha = alpha.max(-plain(&next, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// The margin of a finished game for the player whose turn it would be: empty squares are the
/// winner's.
fn reversi_margin(position: &reversi::Position) -> i32 {
    let board = position.board();
    let difference = board.difference();
    difference + difference.signum() * board.empty().len() as i32
}

fn othello(games: u64, most_empties: u32, budget: &Budget) -> Counts {
    let starts = (0..games).map(|seed| AnyPosition::random_start(REVERSI, seed));
    compare(REVERSI, starts, budget, |position, claim| {
        let position: &reversi::Position = position.downcast_ref()?;
        if position.board().empty().len() > most_empties {
            return None;
        }
        // A window around the claim shows whether it is right, and takes much less time.
        let claimed = claim.margin.unwrap_or(0);
        let found = plain(position, claimed - 1, claimed + 1);
        let right = found == claimed && claim.margin.is_some();
        Some(Proof::with_margin(match right {
            true => found,
            false => plain(position, -64, 64),
        }))
    })
}

fn gipf(variants: &[&str], games: u64, budget: &Budget) -> Counts {
    let mut counts = Counts::default();
    for text in variants {
        let variant = text.parse().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(tables::folder_name(variant));
        let settings = Settings {
            threads: 2,
            memory: 1 << 30,
            resume: false,
        };
        let (never, progress) = (AtomicBool::new(false), tables::Progress::default());
        tables::solve(variant, &path, settings, &never, &progress).unwrap();
        let table = Table::open(&path).unwrap();
        let start = AnyPosition::parse(GIPF, text).unwrap();
        let starts = (0..games).map(|_| start.clone());
        let more = compare(GIPF, starts, budget, |position, _| {
            Some(table.value(position.downcast_ref()?)?.into())
        });
        assert_eq!(more.proofs, more.compared.iter().sum::<usize>(), "{text}");
        counts.proofs += more.proofs;
        counts.compared = [0, 1, 2].map(|i| counts.compared[i] + more.compared[i]);
    }
    counts
}

/// The value of a position of MMPawns by every line of play; `None` if there are too many.
fn slow(position: &mmpawns::Position, most: usize) -> Option<Proof> {
    /// 0 for a draw; a win counts 1000 less the plies that it takes, a loss the same below 0.
    fn visit(
        position: &mmpawns::Position,
        known: &mut HashMap<mmpawns::Position, i32>,
        most: usize,
    ) -> Option<i32> {
        if let Some(&value) = known.get(position) {
            return Some(value);
        }
        if known.len() >= most {
            return None;
        }
        let value = match position.outcome() {
            Some(outcome) => 1000 * outcome.sign_for(position.side_to_move()),
            None => {
                let mut best = i32::MIN;
                for mv in position.moves() {
                    let mut next = *position;
                    next.play_unchecked(mv);
                    let value = -visit(&next, known, most)?;
                    best = best.max(value - value.signum());
                }
                best
            }
        };
        known.insert(*position, value);
        Some(value)
    }
    let value = visit(position, &mut HashMap::new(), most)?;
    let plies = 1000 - value.unsigned_abs();
    Some(Proof::with_distance(Value::of(value), Some(plies)))
}

fn mmpawns(games: u64, most: usize, budget: &Budget) -> Counts {
    // Few pawns on fields with holes, so that every line can be looked at.
    let starts = (0..games).map(|seed| {
        let (pawns, holes) = (1 + seed as u32 % 3, 12 + seed as u32 % 20);
        AnyPosition::from(random_start(Spread::Anywhere, pawns, holes, seed))
    });
    compare(MMPAWNS, starts, budget, |position, _| {
        slow(position.downcast_ref()?, most)
    })
}

#[track_caller]
fn check(counts: &Counts, least: usize) {
    assert!(counts.compared.iter().sum::<usize>() >= least, "{counts:?}");
}

#[test]
fn othello_by_plain_search() {
    match large() {
        Some(games) => check(&othello(games, 16, &seconds(4)), 30 * games as usize),
        None => check(&othello(6, 8, &budget(1)), 100),
    }
}

#[test]
fn gipf_by_tables() {
    match large() {
        Some(games) => {
            let variants = ["2 2 8 8", "3 3 5 5", "3 4 6 6"];
            check(&gipf(&variants, games, &seconds(4)), 60 * games as usize);
        }
        None => check(&gipf(&["2 2 6 6", "3 3 4 5"], 6, &budget(100)), 100),
    }
}

#[test]
fn mmpawns_by_every_line_of_play() {
    match large() {
        Some(games) => {
            let counts = mmpawns(5 * games, 400_000, &seconds(2));
            check(&counts, 30 * games as usize);
        }
        None => check(&mmpawns(24, 30_000, &budget(1)), 80),
    }
}
