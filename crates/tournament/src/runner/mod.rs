//! Playing a tournament.
//!
//! Worker threads play games, each on a core of its own; one task hands them out, writes
//! what comes back, and informs the [`Observer`]. All that the runner knows it has read from
//! the store, so it can be killed and started again at any time.

mod bench;
mod events;
mod live;
mod pool;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use games::{GameName, Resources};
use referee::{Ending, GameRecord, GameSetup, Isolation, RefereeError, Score};
use thiserror::Error;

use crate::config::{Config, ConfigError, game_id};
use crate::rating::{PairCounts, SprtVerdict};
use crate::schedule::{Fixture, Results};
use crate::store::{GameFilter, GameRow, NoteKind, Store, StoreError};

use bench::{History, Rule, Standing};
pub use events::{Event, Observer};
pub use live::{Live, RunningGame};
use pool::{Job, Pool};

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
        }
    }
}

/// How many cores this process may use.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
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
    /// The machine was too busy for a game, over and over.
    #[error("game {game}: {what}; {times} times in a row: let fewer games run at once (-j)")]
    Busy {
        /// Which game.
        game: String,
        /// What happened last.
        what: String,
        /// How often.
        times: u32,
    },
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
}

/// A game that the machine was too busy for is not tried more often than this.
const MOST_BUSY: u32 = 3;

/// Plays what is left of a tournament, from the beginning if the store does not know it.
pub async fn run(
    store: &Store,
    config: &Config,
    options: &RunOptions,
) -> Result<Summary, RunError> {
    config.check_files()?;
    let machine = config.check_machine()?;
    let tournament = store.create(config).await?;
    let mut runner = Runner::new(store, config.clone(), options, tournament).await?;
    if let Some(machine) = machine {
        runner.remark(&machine).await?;
    }
    let finished = runner.play().await?;
    Ok(Summary {
        tournament: runner.tournament,
        finished,
        added: runner.added,
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
    /// The games of every player.
    histories: Vec<History>,
    /// Whose benching has been noted.
    benched: Vec<bool>,
    /// How often the machine was too busy for a game.
    busy: HashMap<String, u32>,
    duel: DuelCounts,
    remarked: bool,
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
            histories: vec![History::default(); players],
            busy: HashMap::new(),
            benched: vec![false; players],
            duel: DuelCounts::default(),
            remarked: false,
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
            match (note.kind, note.player) {
                (NoteKind::Benched, Some(player)) => runner.benched[player] = true,
                (NoteKind::Remark, _) => runner.remarked = true,
                _ => {}
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
        if self.refill() {
            let text = format!("{known} games known");
            self.note(NoteKind::Started, None, &text).await?;
        }
        let mut pool = Pool::new(self.options);
        let finished = loop {
            if self.options.stop.load(Ordering::Relaxed) {
                break false;
            }
            if self.decided() || !self.refill() {
                break true;
            }
            self.hand_out(&mut pool).await?;
            if let Some(done) = pool.next().await {
                let id = done.id;
                let record = done.result.map_err(|error| error.into_run_error(&id))?;
                self.finish(&id, record).await?;
            }
        };
        // Running games are given up. After a stop, what was finished meanwhile counts; after a
        // decided test it does not, or the result would depend on how fast the games were.
        let meanwhile = pool.stop().await;
        for done in meanwhile.into_iter().filter(|_| !finished) {
            if let Ok(record) = done.result {
                self.finish(&done.id, record).await?;
            }
        }
        if finished {
            let notes = self.store.notes(&self.tournament).await?;
            if !notes.iter().any(|note| note.kind == NoteKind::Finished) {
                let text = format!("{} games", self.results.len());
                self.note(NoteKind::Finished, None, &text).await?;
            }
        } else {
            let text = format!("{} games known", self.results.len());
            self.note(NoteKind::Stopped, None, &text).await?;
        }
        self.announce(Event::Ended { finished });
        Ok(finished)
    }

    /// Whether there is anything to play or being played.
    fn refill(&mut self) -> bool {
        if self.queue.is_empty() && self.running.is_empty() {
            self.queue = self.config.plan().ready(&self.results).into();
            bench::open_all(&mut self.histories, &self.queue);
        }
        !(self.queue.is_empty() && self.running.is_empty())
    }

    /// Gives the workers enough to do; games with a benched player are over at once, and
    /// games of which that is not yet clear wait.
    async fn hand_out(&mut self, pool: &mut Pool) -> Result<(), RunError> {
        let mut waiting = 0;
        while pool.wants_more() && waiting < self.queue.len() && !self.is_one_alone() {
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
            if self.busy.contains_key(&id) && !self.running.is_empty() {
                self.queue.insert(waiting, fixture);
                return Ok(());
            }
            self.running.insert(id.clone(), fixture);
            let mut setup = GameSetup::new(
                self.config
                    .openings
                    .position(self.game, self.config.seed, fixture.opening),
                [fixture.first, fixture.second].map(|p| self.config.players[p].clone()),
            );
            setup.limits = self.config.limits;
            setup.penalties = self.config.penalties;
            setup.seed = self.config.game_seed(&fixture);
            setup.longest = self.config.longest;
            setup.isolation = self.config.isolation;
            setup.resources = self.options.resources.clone();
            pool.send(Job { id, fixture, setup });
        }
        Ok(())
    }

    /// Whether a game is played alone since the machine was too busy for it: it may have been
    /// another game that kept the machine busy, and that must not happen again.
    fn is_one_alone(&self) -> bool {
        self.running.keys().any(|id| self.busy.contains_key(id))
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

    /// Writes a game that a worker has finished.
    async fn finish(&mut self, id: &str, record: GameRecord) -> Result<(), RunError> {
        let Some(fixture) = self.running.remove(id) else {
            return Ok(());
        };
        if let Ending::Machine { verdict, .. } = &record.ending {
            return self.play_again(id, fixture, verdict.to_string()).await;
        }
        if record.score == Score::None {
            return Ok(());
        }
        self.store
            .add_game(&self.tournament, &fixture, &record)
            .await?;
        self.added_game(id).await
    }

    /// Puts a game back that the machine was too busy for.
    async fn play_again(
        &mut self,
        id: &str,
        fixture: Fixture,
        what: String,
    ) -> Result<(), RunError> {
        let times = self.busy.entry(id.into()).or_default();
        *times += 1;
        let times = *times;
        if times >= MOST_BUSY {
            let game = id.into();
            return Err(RunError::Busy { game, what, times });
        }
        let text = format!("game {id} is played again, alone: {what}");
        self.queue.push_front(fixture);
        self.note(NoteKind::Remark, None, &text).await
    }

    /// Says what this machine cannot enforce, before the first game.
    async fn remark(&mut self, machine: &Isolation) -> Result<(), RunError> {
        let gaps: Vec<&str> = machine.gaps().collect();
        if gaps.is_empty() || self.remarked {
            return Ok(());
        }
        self.remarked = true;
        let text = format!("not enforced here: {}", gaps.join("; "));
        self.note(NoteKind::Remark, None, &text).await
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

/// Pairs of games of the first player of the list, as they become complete.
#[derive(Default)]
struct DuelCounts {
    pairs: PairCounts,
    half: HashMap<(u32, u32, u32), u8>,
}

impl DuelCounts {
    fn add(&mut self, row: &GameRow) {
        let Some(own) = row.played().half_points_of(0) else {
            return;
        };
        let pair = (row.key.round, row.key.table, row.key.pair());
        match self.half.remove(&pair) {
            Some(other) => self.pairs.add(own + other),
            None => {
                self.half.insert(pair, own);
            }
        }
    }
}
