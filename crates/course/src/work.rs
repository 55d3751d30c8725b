//! The threads of an open course: one kind judges versions, one plays the ladder, one plays challenges,
//! one looks at the clock for finals. None of them waits for another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use games::AnyPosition;

use crate::config::{Assignment, Play};
use crate::judge::{Trouble, caught, rated};
use crate::open_course::{OpenCourse, locked};
use crate::store::{ChallengeRow, NewGame, Purpose, Side, State, VersionRow};
use crate::workers::AT_ONCE;

/// How often somebody with nothing to do looks around.
const LOOK: Duration = Duration::from_secs(2);

/// How long a version or a pair is left alone after the machine was at fault.
const REST: Duration = Duration::from_secs(30);

/// So many challenges are played at once.
const CHALLENGES: usize = 2;

/// A player with which the machine has trouble again and again is left alone for no longer than this.
const LONGEST_REST: Duration = Duration::from_secs(600);

/// A challenge that the machine spoils is tried this often.
const MOST_TRIES: u32 = 3;

/// After so many pairs of an assignment in a row that the machine spoilt, it is not the players
/// that it has trouble with.
const SPOILT_IN_A_ROW: u32 = 3;

/// The threads of an open course.
#[derive(Debug)]
pub struct Work {
    open_course: Arc<OpenCourse>,
    threads: Vec<JoinHandle<()>>,
}

impl Work {
    /// Starts the threads, with so many cores to use: half of them judge, the others play. Where
    /// other machines do both, more of them wait for those.
    #[must_use]
    pub fn start(open_course: &Arc<OpenCourse>, cores: usize) -> Work {
        open_course.begin();
        let cores = match open_course.workers {
            Some(_) => AT_ONCE,
            None => cores,
        };
        let judges = (cores / 2).max(1);
        let players = cores.saturating_sub(judges).max(1);
        let claims = Arc::new(Claims::default());
        let mut threads = Vec::new();
        for _ in 0..judges {
            let (open_course, claims) = (Arc::clone(open_course), Arc::clone(&claims));
            threads.push(std::thread::spawn(move || judge(&open_course, &claims)));
        }
        let spoilt = Arc::new(Spoilt::default());
        for _ in 0..players {
            let (open_course, spoilt) = (Arc::clone(open_course), Arc::clone(&spoilt));
            threads.push(std::thread::spawn(move || {
                play_ladder(&open_course, &spoilt);
            }));
        }
        // Whoever asks for a game gets it at once, however long the others think.
        let asked = Arc::new(Asked::default());
        for _ in 0..CHALLENGES {
            let (open_course, asked) = (Arc::clone(open_course), Arc::clone(&asked));
            threads.push(std::thread::spawn(move || {
                play_challenges(&open_course, &asked);
            }));
        }
        let clock = Arc::clone(open_course);
        threads.push(std::thread::spawn(move || crate::finals::watch(&clock)));
        Work {
            open_course: Arc::clone(open_course),
            threads,
        }
    }

    /// Stops: what is being played is given up and begun again after the next start.
    pub fn stop(self) {
        self.open_course.stop();
        for thread in self.threads {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

/// Which versions are being judged, and which are left alone until when.
#[derive(Debug, Default)]
struct Claims {
    taken: Mutex<HashMap<i64, Option<Instant>>>,
}

impl Claims {
    fn next(&self, open_course: &OpenCourse) -> Option<VersionRow> {
        let waiting = open_course.store.waiting().ok()?;
        let mut taken = locked(&self.taken);
        let now = Instant::now();
        taken.retain(|_, until| until.is_none_or(|until| until > now));
        let version = waiting
            .into_iter()
            .find(|version| !taken.contains_key(&version.id))?;
        taken.insert(version.id, None);
        Some(version)
    }

    fn leave(&self, version: i64, rest: bool) {
        let mut taken = locked(&self.taken);
        match rest {
            true => drop(taken.insert(version, Some(Instant::now() + REST))),
            false => drop(taken.remove(&version)),
        }
    }
}

/// Judges versions until the course closes.
fn judge(open_course: &OpenCourse, claims: &Claims) {
    while !open_course.is_stopped() {
        let Some(version) = claims.next(open_course) else {
            open_course.wait(LOOK);
            continue;
        };
        let id = version.id;
        let about = format!("version {id}");
        let taken = caught(|| all_steps(open_course, id));
        locked(&open_course.doing).remove(&id);
        let rest = matches!(taken, Err(Trouble::Machine(_)));
        match taken {
            Ok(()) => open_course.told.is_over(&about),
            Err(Trouble::Stopped) => {}
            Err(Trouble::Machine(reason)) => {
                let what = format!("{about} waits, since the machine is at fault: {reason}");
                open_course.tell(&about, &what);
            }
        }
        claims.leave(id, rest);
        open_course.ring();
    }
}

/// Takes the steps that a version has not taken.
fn all_steps(open_course: &OpenCourse, id: i64) -> Result<(), Trouble> {
    loop {
        let Some(version) = open_course.store.version(id)? else {
            return Ok(());
        };
        match version.state {
            State::Before(step) => open_course.take_step(&version, step)?,
            State::Failed(_) | State::Passed => {
                // A new version may play from now on.
                if let Some(assignment) = open_course.course.assignment(&version.assignment) {
                    let _ = open_course.fresh_table(assignment);
                }
                return Ok(());
            }
        }
    }
}

/// Which challenges are being played, and how often the machine has spoilt each.
#[derive(Debug, Default)]
struct Asked {
    tries: Mutex<HashMap<i64, (bool, u32)>>,
}

impl Asked {
    /// The first challenge that nobody plays yet.
    fn next(&self, open_course: &OpenCourse) -> Option<ChallengeRow> {
        let open = open_course.store.open_challenges().ok()?;
        let mut tries = locked(&self.tries);
        let is_free = |id: i64| !tries.get(&id).is_some_and(|(playing, _)| *playing);
        let next = open.into_iter().find(|row| is_free(row.id))?;
        tries.entry(next.id).or_default().0 = true;
        Some(next)
    }

    /// A challenge has been played; `spoilt` if the machine was at fault. How often it was.
    fn leave(&self, id: i64, spoilt: bool) -> u32 {
        let mut tries = locked(&self.tries);
        let (playing, count) = tries.entry(id).or_default();
        *playing = false;
        *count += u32::from(spoilt);
        *count
    }
}

/// Plays challenges, in the order in which they came, until the course closes.
fn play_challenges(open_course: &OpenCourse, asked: &Asked) {
    while !open_course.is_stopped() {
        match asked.next(open_course) {
            Some(challenge) => play_challenge(open_course, &challenge, asked),
            None => open_course.wait(LOOK),
        }
    }
}

/// What the ladder leaves alone for a while, since the machine was at fault there: players, so
/// that others go on without them, and whole assignments.
#[derive(Debug, Default)]
struct Spoilt(Mutex<SpoiltPairs>);

#[derive(Debug, Default)]
struct SpoiltPairs {
    /// Players: until when, and how long that is.
    players: HashMap<String, (Instant, Duration)>,
    /// Assignments, and until when.
    assignments: HashMap<String, Instant>,
    /// Pairs of an assignment that were spoilt since one was played.
    in_a_row: HashMap<String, u32>,
}

impl SpoiltPairs {
    /// A player rests: each time for twice as long, until it has played, so that any number of
    /// players that cannot be played leave time for the others.
    fn rest(&mut self, player: &str) {
        let now = Instant::now();
        let (until, rest) = self
            .players
            .entry(player.into())
            .or_insert((now, Duration::ZERO));
        *rest = (2 * *rest).clamp(REST, LONGEST_REST);
        *until = now + *rest;
    }
}

impl Spoilt {
    fn rests(&self, player: &str) -> bool {
        let until = locked(&self.0).players.get(player).map(|(until, _)| *until);
        until.is_some_and(|until| until > Instant::now())
    }

    fn all_rest(&self, assignment: &str) -> bool {
        let until = locked(&self.0).assignments.get(assignment).copied();
        until.is_some_and(|until| until > Instant::now())
    }

    /// One player cannot be played, whoever it meets: only that one rests.
    fn player(&self, player: &str) {
        locked(&self.0).rest(player);
    }

    /// A pair was spoilt: its players rest, and the assignment if it was not the first.
    fn pair(&self, assignment: &str, players: &[String; 2]) {
        let mut spoilt = locked(&self.0);
        for player in players {
            spoilt.rest(player);
        }
        let in_a_row = spoilt.in_a_row.entry(assignment.into()).or_default();
        *in_a_row += 1;
        if *in_a_row >= SPOILT_IN_A_ROW {
            *in_a_row = 0;
            let until = Instant::now() + REST;
            spoilt.assignments.insert(assignment.into(), until);
        }
    }

    fn played(&self, assignment: &str, players: &[String; 2]) {
        let mut spoilt = locked(&self.0);
        spoilt.in_a_row.remove(assignment);
        for player in players {
            spoilt.players.remove(player);
        }
    }
}

/// What a player of an assignment is called among those of all.
fn key(assignment: &Assignment, side: &Side) -> String {
    format!("{} {}", assignment.id, side.key())
}

/// Plays the ladder until the course closes.
fn play_ladder(open_course: &OpenCourse, spoilt: &Spoilt) {
    let ladders = open_course.course.assignments.iter();
    let ladders: Vec<&Assignment> = ladders.filter(|a| a.ladder.on).collect();
    for turn in 0.. {
        if open_course.is_stopped() {
            return;
        }
        // Assignments take turns: one with much to play is not in the way of the next.
        let count = ladders.len().max(1);
        let mut order = ladders.iter().cycle().skip(turn % count).take(count);
        let played = order.any(|assignment| {
            let Some(play) = assignment.play else {
                return false;
            };
            let turn = (turn / count) as u64;
            !spoilt.all_rest(&assignment.id)
                && play_pair(open_course, assignment, play, turn, spoilt)
        });
        if !played {
            open_course.wait(LOOK);
        }
    }
}

fn play_challenge(open_course: &OpenCourse, challenge: &ChallengeRow, asked: &Asked) {
    let id = challenge.id;
    // Where nothing can be written, it is played again, after a while.
    let finish = |game: Result<&NewGame, &str>| {
        if open_course.store.finish_challenge(id, game).is_err() {
            open_course.wait(LOOK);
        }
    };
    let assignment = open_course.course.assignment(&challenge.assignment);
    let assignment = assignment.and_then(|assignment| Some((assignment, assignment.play?)));
    let Some((assignment, play)) = assignment else {
        finish(Err("programs of this assignment do not play any more"));
        asked.leave(id, false);
        return;
    };
    // Who asks moves first every other time.
    let mut players = challenge.players.clone();
    if id % 2 == 0 {
        players.reverse();
    }
    let seed = id as u64;
    let start = AnyPosition::random_start(play.game, seed);
    let game = caught(|| {
        let record = open_course.play(&players, assignment, play, start, seed)?;
        rated(assignment, Purpose::Challenge, players.clone(), id, record)
    });
    match game {
        Ok(game) => {
            open_course.not_quarantined(assignment, Purpose::Challenge, &challenge.players);
            finish(Ok(&game));
            asked.leave(id, false);
        }
        Err(Trouble::Stopped) => {
            asked.leave(id, false);
        }
        Err(Trouble::Machine(reason)) => {
            open_course.quarantine(assignment, Purpose::Challenge, &challenge.players, &reason);
            if asked.leave(id, true) >= MOST_TRIES {
                finish(Err("the machine was at fault: ask for it again"));
            }
        }
    }
}

/// Plays the pair of ladder games that tells most; whether there was one.
fn play_pair(
    open_course: &OpenCourse,
    assignment: &Assignment,
    play: Play,
    turn: u64,
    spoilt: &Spoilt,
) -> bool {
    let id = &assignment.id;
    let Ok(table) = caught(|| Ok(open_course.fresh_table(assignment)?)) else {
        return false;
    };
    let (sides, keys) = {
        let mut playing = locked(&open_course.playing);
        let busy = |number: usize| {
            let key = key(assignment, &table.players[number].side);
            let games = playing.iter().filter(|other| **other == key).count() as u32;
            (!spoilt.rests(&key)).then_some(games)
        };
        let Some(pair) = table.next_pair(&assignment.ladder, &busy, turn) else {
            return false;
        };
        let sides = pair.map(|number| table.players[number].side.clone());
        let keys = sides.each_ref().map(|side| key(assignment, side));
        playing.extend(keys.clone());
        (sides, keys)
    };
    let mut unable = None;
    let result = caught(|| {
        for (side, key) in sides.iter().zip(&keys) {
            let player = open_course.player(side, play, assignment);
            player.inspect_err(|_| unable = Some(key))?;
        }
        let games = both_games(open_course, assignment, play, &sides)?;
        open_course.store.add_games(&games)?;
        open_course.fresh_table(assignment)?;
        Ok(())
    });
    {
        let mut playing = locked(&open_course.playing);
        for key in &keys {
            if let Some(place) = playing.iter().position(|other| other == key) {
                playing.swap_remove(place);
            }
        }
    }
    match result {
        Ok(()) => {
            open_course.not_quarantined(assignment, Purpose::Ladder, &sides);
            spoilt.played(id, &keys);
        }
        Err(Trouble::Stopped) => {}
        Err(Trouble::Machine(reason)) => {
            open_course.quarantine(assignment, Purpose::Ladder, &sides, &reason);
            match unable {
                Some(player) => spoilt.player(player),
                None => spoilt.pair(id, &keys),
            }
        }
    }
    true
}

/// Two games from one start position with colours exchanged: both count, or none.
fn both_games(
    open_course: &OpenCourse,
    assignment: &Assignment,
    play: Play,
    sides: &[Side; 2],
) -> Result<Vec<NewGame>, Trouble> {
    let seed = u64::from(rand::random::<u32>());
    let start = AnyPosition::random_start(play.game, seed);
    let pair = i64::from(rand::random::<u32>()) << 20 | i64::from(rand::random::<u32>() >> 12);
    let both = [sides.clone(), [sides[1].clone(), sides[0].clone()]];
    let mut setups = Vec::new();
    for players in &both {
        setups.push(open_course.setup(players, assignment, play, start.clone(), seed)?);
    }
    let records = open_course.play_all(setups)?;
    let games = both.into_iter().zip(records);
    games
        .map(|(players, record)| rated(assignment, Purpose::Ladder, players, pair, record))
        .collect()
}
