//! Playing a tournament.
//!
//! One task hands games out, writes what comes back, and informs the [`Observer`]; a [`Venue`]
//! plays them: threads of this process, each on a core of its own, or other machines. All that
//! the runner knows it has read from the store, so it can be killed and started again at any time.

mod aside;
mod bench;
mod cores;
mod duel;
mod events;
mod live;
mod pool;
#[cfg(test)]
mod tests;
mod venue;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use games::{GameName, Resources};
use referee::{Ending, GameRecord, GameSetup, Isolation, RefereeError, Score};
use thiserror::Error;

use crate::config::{Config, ConfigError, game_id};
use crate::rating::SprtVerdict;
use crate::schedule::{Fixture, Results};
use crate::store::{GameFilter, GameRow, NoteKind, Store, StoreError};

use aside::Aside;
use bench::{History, Rule, Standing};
pub use cores::{allowed_cores, cores, keep_to, physical_cores};
use duel::DuelCounts;
pub use events::{Event, Observer};
pub use live::{Live, RunningGame};
use pool::Pool;
pub use pool::panic_message;
pub use venue::{
    Done, Failure, Grading, Job, NoResult, Opening, Pending, RemoteMachines, TaskRunner, Venue,
};

/// How to play, as far as it does not change the result.
#[derive(Clone)]
pub struct RunOptions {
    /// How many games at once.
    pub concurrency: usize,
    /// Whether every worker gets a core of its own.
    pub pin: bool,
    /// Set it to stop: running games are given up, finished ones kept.
    pub stop: Arc<AtomicBool>,
    /// Who wants to know what happens.
    pub observer: Arc<dyn Observer>,
    /// What built-in bots may use beside their own code.
    pub resources: Resources,
    /// Other machines that play instead of this one.
    pub remote: Option<Arc<dyn RemoteMachines>>,
}

impl Default for RunOptions {
    /// As many games at once as there are cores, and nobody watching.
    fn default() -> RunOptions {
        RunOptions {
            concurrency: cores(),
            pin: true,
            stop: Arc::default(),
            observer: Arc::new(|_: &Event| ()),
            resources: Resources::default(),
            remote: None,
        }
    }
}

/// Why a tournament could not go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// Programs or what they need are not there, or this machine cannot do what is required.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game cannot be set up.
    #[error("game {game}: {source}")]
    Setup {
        /// Which game.
        game: String,
        /// Why not.
        source: RefereeError,
    },
    /// The machine was too busy for a game, or could not start its programs, over and over.
    #[error("game {game}: {what}; {times} times in a row: let fewer games run at once (-j)")]
    Busy {
        /// Which game.
        game: String,
        /// What happened last.
        what: String,
        /// How often.
        times: u32,
    },
    /// The other machines cannot be used.
    #[error("{0}")]
    RemoteMachines(String),
    /// The referee or a built-in bot is broken.
    #[error("game {game}: {message}")]
    Panic {
        /// In which game.
        game: String,
        /// What it said.
        message: String,
    },
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The tournament's id.
    pub tournament: String,
    /// Whether all games have been played (or a test is decided).
    pub finished: bool,
    /// How many games this run has added.
    pub added: usize,
    /// The games that are put aside because nothing came of them.
    pub quarantined: Vec<String>,
}

/// Plays what is left of a tournament, from the beginning if the store does not know it.
pub async fn run(
    store: &Store,
    config: &Config,
    options: &RunOptions,
) -> Result<Summary, RunError> {
    config.check()?;
    config.check_files()?;
    // Other machines are checked where they are.
    let machine = match options.remote {
        None => config.check_machine()?,
        Some(_) => None,
    };
    // Other machines forget a game when it is kept.
    let store = match options.remote {
        None => store.clone(),
        Some(_) => store.lasting(),
    };
    let tournament = store.create(config).await?;
    let mut runner = Runner::new(&store, config.clone(), options, tournament).await?;
    if let Some(machine) = machine {
        runner.remark(&machine).await?;
    }
    let finished = runner.play().await?;
    Ok(Summary {
        tournament: runner.tournament,
        finished,
        added: runner.added,
        quarantined: runner.aside.waiting(),
    })
}

struct Runner<'a> {
    store: &'a Store,
    config: Config,
    game: GameName,
    options: &'a RunOptions,
    tournament: String,
    results: Results,
    queue: VecDeque<Fixture>,
    running: HashMap<String, Fixture>,
    /// Games that were tried several times without a result.
    aside: Aside,
    /// The games of every player.
    histories: Vec<History>,
    /// Whose benching has been noted.
    benched: Vec<bool>,
    duel: DuelCounts,
    added: usize,
}

impl<'a> Runner<'a> {
    async fn new(
        store: &'a Store,
        config: Config,
        options: &'a RunOptions,
        tournament: String,
    ) -> Result<Runner<'a>, RunError> {
        let players = config.players.len();
        let mut runner = Runner {
            store,
            game: config.game,
            config,
            options,
            results: Results::new(),
            queue: VecDeque::new(),
            running: HashMap::new(),
            aside: Aside::default(),
            histories: vec![History::default(); players],
            benched: vec![false; players],
            duel: DuelCounts::default(),
            added: 0,
            tournament,
        };
        for game in store
            .games(&runner.tournament, &GameFilter::default())
            .await?
        {
            runner.count(&game);
        }
        for note in store.notes(&runner.tournament).await? {
            if let (NoteKind::Benched, Some(player)) = (note.kind, note.player) {
                runner.benched[player] = true;
            }
        }
        Ok(runner)
    }

    /// Plays until nothing is left (`true`) or somebody says stop (`false`).
    async fn play(&mut self) -> Result<bool, RunError> {
        let known = self.results.len();
        self.announce(Event::Started {
            tournament: self.tournament.clone(),
            known,
            planned: self.config.plan().games(),
        });
        let finished = if self.refill() {
            let text = format!("{known} games known");
            self.note_start(&text).await?;
            self.play_on().await?
        } else {
            true
        };
        if finished {
            let notes = self.store.notes(&self.tournament).await?;
            if !notes.iter().any(|note| note.kind == NoteKind::Finished) {
                let text = format!("{} games", self.results.len());
                self.note(NoteKind::Finished, None, &text).await?;
            }
        } else if self.is_stopped() {
            let text = format!("{} games known", self.results.len());
            self.note(NoteKind::Stopped, None, &text).await?;
        }
        self.announce(Event::Ended { finished });
        Ok(finished)
    }

    /// Notes that it begins, unless nothing has come since that was noted last: a tournament that
    /// cannot go on may be tried any number of times.
    async fn note_start(&self, text: &str) -> Result<(), RunError> {
        let notes = self.store.notes(&self.tournament).await?;
        let is_turn = |kind| matches!(kind, NoteKind::Started | NoteKind::Stopped);
        let last = notes.iter().rfind(|note| is_turn(note.kind));
        if last.is_some_and(|last| last.kind == NoteKind::Started && last.text == text) {
            return Ok(());
        }
        self.note(NoteKind::Started, None, text).await
    }

    fn is_stopped(&self) -> bool {
        self.options.stop.load(Ordering::Relaxed)
    }

    /// Plays what is open until nothing is left (`true`) or it cannot go on (`false`).
    async fn play_on(&mut self) -> Result<bool, RunError> {
        let mut venue = self.venue().await?;
        let finished = loop {
            if self.is_stopped() {
                break false;
            }
            if self.decided() {
                break true;
            }
            let open = self.refill();
            if open {
                self.hand_out(&mut *venue).await?;
            }
            if self.running.is_empty() && (!open || !self.aside.is_empty()) {
                if self.aside.is_empty() {
                    break true;
                }
                // What is left waits for games that are put aside.
                if !self.release(&venue.released().await?) {
                    break false;
                }
            }
            if let Some(done) = venue.next().await? {
                let id = done.id.clone();
                self.take(done).await?;
                venue.kept(&id).await;
            }
        };
        // Running games are given up. After a stop, what was finished meanwhile counts; after a
        // decided test it does not, or the result would depend on how fast the games were.
        let meanwhile = venue.stop(finished).await;
        for done in meanwhile.into_iter().filter(|_| !finished) {
            if let Ok(record) = done.result {
                self.finish(&done.id, record).await?;
            }
        }
        let is_stuck = !finished && !self.is_stopped();
        match is_stuck.then(|| self.aside.problem()).flatten() {
            Some(problem) => Err(problem),
            None => Ok(finished),
        }
    }

    /// Where games are played.
    async fn venue(&self) -> Result<Box<dyn Venue>, RunError> {
        let Some(remote) = &self.options.remote else {
            return Ok(Box::new(Pool::new(self.options)));
        };
        let opening = Opening {
            tournament: &self.tournament,
            config: &self.config,
            stop: self.options.stop.clone(),
            observer: self.options.observer.clone(),
        };
        remote.open(opening).await
    }

    /// Whether there is anything to play or being played.
    fn refill(&mut self) -> bool {
        if self.queue.is_empty() && self.running.is_empty() {
            let aside = |fixture: &Fixture| {
                let id = game_id(&self.tournament, fixture.key);
                self.aside.holds(&id)
            };
            let mut ready = self.config.plan().ready(&self.results);
            ready.retain(|fixture| !aside(fixture));
            self.queue = ready.into();
            bench::open_all(&mut self.histories, &self.queue);
        }
        !(self.queue.is_empty() && self.running.is_empty())
    }

    /// Gives the workers enough to do; games with a benched player are over at once, and
    /// games of which that is not yet clear wait.
    async fn hand_out(&mut self, venue: &mut dyn Venue) -> Result<(), RunError> {
        let mut waiting = 0;
        while venue.wants_more() && waiting < self.queue.len() && !self.is_one_alone() {
            let Some(fixture) = self.queue.remove(waiting) else {
                return Ok(());
            };
            let standings = [fixture.first, fixture.second].map(|p| self.standing(p, &fixture));
            if standings.contains(&Standing::Waiting) {
                self.queue.insert(waiting, fixture);
                waiting += 1;
                continue;
            }
            let id = game_id(&self.tournament, fixture.key);
            if standings != [Standing::Clear; 2] {
                self.forfeit(&id, &fixture, standings).await?;
                // What waited for this game may be clear now.
                waiting = 0;
                continue;
            }
            if self.aside.was_too_busy(&id) && !self.running.is_empty() {
                self.queue.insert(waiting, fixture);
                return Ok(());
            }
            let other = match venue.takes_pairs() {
                true => self.other_of_pair(waiting, &fixture),
                false => None,
            };
            let games = [fixture].into_iter().chain(other);
            let jobs = games.map(|fixture| self.begin(fixture)).collect();
            venue.send(jobs).await?;
        }
        Ok(())
    }

    /// Takes the second game of a pair out of the queue, if it comes next and can be played.
    fn other_of_pair(&mut self, place: usize, first: &Fixture) -> Option<Fixture> {
        let next = *self.queue.get(place)?;
        let pair = |fixture: &Fixture| (fixture.key.round, fixture.key.table, fixture.key.pair());
        let players = [next.first, next.second];
        let is_clear = || players.map(|p| self.standing(p, &next)) == [Standing::Clear; 2];
        if pair(&next) == pair(first) && is_clear() {
            self.queue.remove(place)
        } else {
            None
        }
    }

    /// Counts a game as being played.
    fn begin(&mut self, fixture: Fixture) -> Job {
        let id = game_id(&self.tournament, fixture.key);
        self.running.insert(id.clone(), fixture);
        let setup = self.setup(&fixture);
        Job { id, fixture, setup }
    }

    /// All that decides how a game is played.
    fn setup(&self, fixture: &Fixture) -> GameSetup {
        let mut setup = GameSetup::new(
            self.config
                .openings
                .position(self.game, self.config.seed, fixture.opening),
            [fixture.first, fixture.second].map(|p| self.config.players[p].clone()),
        );
        setup.limits = self.config.limits;
        setup.penalties = self.config.penalties;
        setup.seed = self.config.game_seed(fixture);
        setup.longest = self.config.longest;
        setup.isolation = self.config.isolation;
        setup.resources = self.options.resources.clone();
        setup
    }

    /// Whether a game is played alone since the machine was too busy for it: it may have been
    /// another game that kept the machine busy, and that must not happen again.
    fn is_one_alone(&self) -> bool {
        self.running.keys().any(|id| self.aside.was_too_busy(id))
    }

    /// Whether a player plays a game; a built-in bot always does.
    fn standing(&self, player: usize, fixture: &Fixture) -> Standing {
        if !self.config.players[player].kind.is_program() {
            return Standing::Clear;
        }
        let rule = Rule {
            after: self.config.bench_after,
            disqualify: self.config.disqualify,
        };
        self.histories[player].standing(fixture.key, rule)
    }

    async fn forfeit(
        &mut self,
        id: &str,
        fixture: &Fixture,
        standings: [Standing; 2],
    ) -> Result<(), RunError> {
        for (player, standing) in [fixture.first, fixture.second].into_iter().zip(standings) {
            self.bench(player, standing).await?;
        }
        let benched = standings.map(|standing| standing != Standing::Clear);
        let (score, absent) = match benched {
            [true, false] => (Score::Second, vec![fixture.first]),
            [false, true] => (Score::First, vec![fixture.second]),
            _ => (Score::Draw, vec![fixture.first, fixture.second]),
        };
        let names: Vec<&str> = absent
            .iter()
            .map(|&player| self.config.players[player].name.as_str())
            .collect();
        let reason = format!("{} benched", names.join(" and "));
        self.store
            .add_forfeit(&self.tournament, fixture, score, &reason)
            .await?;
        self.added_game(id).await
    }

    /// Takes what a venue returns.
    async fn take(&mut self, done: Done) -> Result<(), RunError> {
        match done.result {
            Ok(record) => self.finish(&done.id, record).await,
            Err(Failure::Quarantined(known)) => self.quarantine(&done.id, &known).await,
            Err(failure) => match self.running.remove(&done.id) {
                Some(fixture) => {
                    let problem = failure.into_run_error(&done.id);
                    self.aside.put_spoilt(&done.id, fixture, problem)
                }
                None => Ok(()),
            },
        }
    }

    /// Puts a game aside of which nothing came. It is never scored.
    async fn quarantine(&mut self, id: &str, known: &str) -> Result<(), RunError> {
        let Some(fixture) = self.running.remove(id) else {
            return Ok(());
        };
        self.aside.put(id, fixture);
        // It is still there in the next run.
        let text = format!("game {id} was put aside: {known}");
        self.remark_once(&text, &text).await
    }

    /// Notes something, unless it was noted before in words that begin alike.
    async fn remark_once(&self, alike: &str, text: &str) -> Result<(), RunError> {
        let notes = self.store.notes(&self.tournament).await?;
        if notes.iter().any(|note| note.text.starts_with(alike)) {
            return Ok(());
        }
        self.note(NoteKind::Remark, None, text).await
    }

    /// Counts games that were put aside as being played; whether there are any.
    fn release(&mut self, ids: &[String]) -> bool {
        for id in ids {
            if let Some(fixture) = self.aside.take(id) {
                self.running.insert(id.clone(), fixture);
            }
        }
        !self.running.is_empty()
    }

    /// The game with this id, if a result of it is wanted. Other machines may have played one
    /// that was handed out by a run before this one.
    fn wanted(&mut self, id: &str) -> Option<Fixture> {
        let known = self.running.remove(id);
        if known.is_some() || self.options.remote.is_none() {
            return known;
        }
        if let Some(fixture) = self.aside.take(id) {
            return Some(fixture);
        }
        let is_it = |fixture: &Fixture| game_id(&self.tournament, fixture.key) == id;
        let place = self.queue.iter().position(is_it)?;
        self.queue.remove(place)
    }

    /// Why a record from another machine cannot be that of this game.
    fn misfit(&self, fixture: &Fixture, record: &GameRecord) -> Option<&'static str> {
        self.options.remote.as_ref()?;
        let setup = self.setup(fixture);
        [
            (record.game == self.game, "game"),
            (record.start == setup.start.to_string(), "start"),
            (record.seed == setup.seed, "seed"),
            (record.players == setup.players, "players"),
            (record.penalties == setup.penalties, "penalties"),
        ]
        .into_iter()
        .find_map(|(fits, what)| (!fits).then_some(what))
    }

    /// Writes a game that is over.
    async fn finish(&mut self, id: &str, record: GameRecord) -> Result<(), RunError> {
        let Some(fixture) = self.wanted(id) else {
            return Ok(());
        };
        if let Some(what) = self.misfit(&fixture, &record) {
            self.queue.push_front(fixture);
            let text = format!("game {id} is played again: a record of it has another {what}");
            return self.remark_once(&text, &text).await;
        }
        if let Ending::Machine { verdict, .. } = &record.ending {
            return self.play_again(id, fixture, verdict.to_string()).await;
        }
        if record.score == Score::None {
            return Ok(());
        }
        self.store
            .add_game(&self.tournament, &fixture, &record)
            .await?;
        self.aside.played();
        self.added_game(id).await
    }

    /// Puts a game back that the machine was too busy for.
    async fn play_again(
        &mut self,
        id: &str,
        fixture: Fixture,
        what: String,
    ) -> Result<(), RunError> {
        if let Some(problem) = self.aside.too_busy(id, &what) {
            return self.aside.put_spoilt(id, fixture, problem);
        }
        self.queue.push_front(fixture);
        // What was measured differs each time.
        let alike = format!("game {id} is played again, alone: ");
        self.remark_once(&alike, &format!("{alike}{what}")).await
    }

    /// Says what this machine cannot enforce, before the first game.
    async fn remark(&self, machine: &Isolation) -> Result<(), RunError> {
        let gaps: Vec<&str> = machine.gaps().collect();
        if gaps.is_empty() {
            return Ok(());
        }
        let text = format!("not enforced here: {}", gaps.join("; "));
        self.remark_once(&text, &text).await
    }

    async fn added_game(&mut self, id: &str) -> Result<(), RunError> {
        let row = self.store.game(id).await?;
        self.added += 1;
        self.count(&row);
        self.announce(Event::GameFinished { row });
        Ok(())
    }

    /// Takes a finished game into account.
    fn count(&mut self, row: &GameRow) {
        self.results.insert(row.key, row.played());
        let players = [row.first, row.second];
        if row.is_forfeit() {
            for player in players {
                self.histories[player].forfeit(row.key);
            }
            return;
        }
        self.duel.add(row);
        for (player, failed) in players.into_iter().zip(row.failed) {
            self.histories[player].add(row.key, failed);
        }
    }

    /// Notes once that a player is benched, if it is.
    async fn bench(&mut self, player: usize, standing: Standing) -> Result<(), RunError> {
        let Standing::Benched {
            games,
            disqualified,
        } = standing
        else {
            return Ok(());
        };
        if self.benched[player] {
            return Ok(());
        }
        self.benched[player] = true;
        let text = match disqualified {
            true => "disqualified for a fault".to_owned(),
            false => format!("failed in all of its {games} games"),
        };
        self.note(NoteKind::Benched, Some(player), &text).await?;
        self.announce(Event::Benched {
            player,
            reason: text,
        });
        Ok(())
    }

    /// Whether a test between two players needs no more games.
    fn decided(&self) -> bool {
        self.config
            .sprt
            .is_some_and(|sprt| sprt.state(&self.duel.pairs).verdict != SprtVerdict::Undecided)
    }

    async fn note(
        &self,
        kind: NoteKind,
        player: Option<usize>,
        text: &str,
    ) -> Result<(), RunError> {
        let note = self.store.add_note(&self.tournament, kind, player, text);
        Ok(note.await?)
    }

    fn announce(&self, event: Event) {
        self.options.observer.event(&event);
    }
}
