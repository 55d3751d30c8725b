//! The games in progress: kept, changed, and answered by bots.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bots::{BotSpec, Budget};
use games::AnyPosition;
use search::{Limits, Report};
use tokio::sync::{Mutex as AsyncMutex, MutexGuard, watch};

use super::game::{Match, now};
use super::{Filled, keep, list};
use crate::Site;
use crate::fault::Fault;
use crate::pool::{Interest, WeakInterest};
use crate::review::source::Source;
use crate::review::work;
use crate::visitors::Visitor;

/// How long a bot goes on thinking after the last reader has left.
const GRACE: Duration = Duration::from_secs(10);

/// A bot that counts plies or positions could need for ever: after this it plays the best that it has
/// found.
const LONGEST_MOVE: Duration = Duration::from_secs(10);

/// More games than this in memory, and those that nobody looks at are put away.
const KEPT: usize = 512;

/// So many of the latest requests for a game are remembered.
const ASKED: usize = 512;

/// What a visitor has sent to begin a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// The form, as it was filled in.
    Form(Box<Filled>),
    /// A game to be played again.
    Again(String),
}

/// A request for a game, and the game that it has led to.
#[derive(Debug)]
struct Begun {
    key: Option<String>,
    asked: Asked,
    id: String,
}

/// A game in memory.
#[derive(Debug)]
pub(crate) struct Table {
    game: AsyncMutex<Match>,
    /// The game has been deleted: whoever still has it in hand must not keep it again.
    gone: AtomicBool,
    /// Grows with every change.
    pub(crate) version: watch::Sender<u64>,
    thinking: Mutex<WeakInterest>,
}

/// All games in progress.
#[derive(Debug)]
pub(crate) struct OpenGames {
    tables: Mutex<HashMap<String, Arc<Table>>>,
    /// The latest requests for a game: one that is sent twice makes one game.
    begun: AsyncMutex<VecDeque<Begun>>,
    /// When the server was started, in milliseconds since 1970.
    opened: u64,
}

impl Default for OpenGames {
    fn default() -> OpenGames {
        OpenGames {
            tables: Mutex::default(),
            begun: AsyncMutex::default(),
            opened: now(),
        }
    }
}

impl Table {
    fn new(game: Match) -> Arc<Table> {
        Arc::new(Table {
            game: AsyncMutex::new(game),
            gone: AtomicBool::new(false),
            version: watch::Sender::new(0),
            thinking: Mutex::default(),
        })
    }

    /// The game, which nobody else changes meanwhile.
    pub(crate) async fn lock(&self) -> Result<MutexGuard<'_, Match>, Fault> {
        let game = self.game.lock().await;
        match self.gone.load(Ordering::Relaxed) {
            true => Err(OpenGames::missing(&game.id)),
            false => Ok(game),
        }
    }

    /// Notifies everyone who watches.
    pub(crate) fn changed(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// Stops the search that is going on: its position is not the game's any more. Whoever has the
    /// game locked may rely on it that no answer to an earlier position is played afterwards.
    pub(crate) fn stop_search(&self) {
        let mut thinking = self.thinking.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *thinking).stop();
    }
}

impl OpenGames {
    /// Seats a new game.
    pub(crate) async fn add(&self, site: &Site, game: Match) -> Result<(), Fault> {
        site.documents.put("play", &game.id, &game).await?;
        for key in game.keys() {
            list::note_player(site, key, &game.id).await?;
        }
        self.keep(&game.id.clone(), Table::new(game));
        Ok(())
    }

    /// Seats a new game, unless the same visitor has just asked for the same and nobody has done anything
    /// in that game: the second half of a double click. Returns the id of the game that there is. No
    /// game may be locked meanwhile.
    pub(super) async fn add_once(
        &self,
        site: &Site,
        visitor: &Visitor,
        asked: Asked,
        game: Match,
    ) -> Result<String, Fault> {
        let mut begun = self.begun.lock().await;
        let same = |earlier: &&Begun| earlier.key == visitor.key && earlier.asked == asked;
        if let Some(earlier) = begun.iter().rev().find(same)
            && self.is_untouched(site, &earlier.id).await
        {
            return Ok(earlier.id.clone());
        }
        let id = game.id.clone();
        self.add(site, game).await?;
        if begun.len() == ASKED {
            begun.pop_front();
        }
        begun.push_back(Begun {
            key: visitor.key.clone(),
            asked,
            id: id.clone(),
        });
        Ok(id)
    }

    /// Whether there is such a game, and nobody has done anything in it.
    async fn is_untouched(&self, site: &Site, id: &str) -> bool {
        let Ok(table) = self.find(site, id).await else {
            return false;
        };
        let game = table.lock().await;
        game.is_ok_and(|game| game.is_untouched())
    }

    /// Removes a game, which stays locked meanwhile; whoever watches it finds out.
    pub(crate) async fn remove(
        &self,
        site: &Site,
        table: &Table,
        game: MutexGuard<'_, Match>,
    ) -> Result<(), Fault> {
        site.documents.delete("play", &game.id).await?;
        if game.tag.is_some() {
            keep::forget(site, &game.id).await?;
        }
        for key in game.keys() {
            list::forget_player(site, key, &game.id).await?;
        }
        work::leave(site, &Source::Play(game.id.clone())).await?;
        self.lock().remove(&game.id);
        table.gone.store(true, Ordering::Relaxed);
        table.stop_search();
        drop(game);
        table.changed();
        Ok(())
    }

    fn missing(id: &str) -> Fault {
        Fault::missing(format!("there is no game {id:?}"))
    }

    /// The game with this id, from memory or the store.
    pub(crate) async fn find(&self, site: &Site, id: &str) -> Result<Arc<Table>, Fault> {
        let known = self.lock().get(id).cloned();
        if let Some(table) = known {
            return Ok(table);
        }
        let mut game: Match = site
            .documents
            .get("play", id)
            .await?
            .ok_or_else(|| OpenGames::missing(id))?;
        // The clock stood still while the server was down.
        if game.since < self.opened {
            game.since = now();
        }
        Ok(self.keep(id, Table::new(game)))
    }

    fn keep(&self, id: &str, table: Arc<Table>) -> Arc<Table> {
        let mut tables = self.lock();
        if tables.len() > KEPT {
            tables.retain(|_, table| Arc::strong_count(table) > 1);
        }
        tables.entry(id.into()).or_insert(table).clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps a game that has been changed; the library follows it.
pub(crate) async fn save(site: &Site, game: &mut Match) -> Result<(), Fault> {
    keep::follow(site, game).await?;
    site.documents.put("play", &game.id, &*game).await
}

/// Plays a move for whoever is to move; says why not if it cannot be played. A move that comes too late
/// is none, but ends the game.
pub(crate) async fn play(
    site: &Site,
    table: &Table,
    game: &mut Match,
    mv: &str,
) -> Result<Result<(), String>, Fault> {
    let before = game.stamp();
    let played = game.play(mv).map(drop);
    if game.stamp() != before {
        save(site, game).await?;
        table.changed();
    }
    Ok(played)
}

/// Ends a game whose player to move has run out of time.
pub(crate) async fn look_at_clock(site: &Site, table: &Table) -> Result<(), Fault> {
    let mut game = table.lock().await?;
    let position = game.position().map_err(Fault::ours)?;
    if game.flag(&position) {
        table.stop_search();
        save(site, &mut game).await?;
        drop(game);
        table.changed();
    }
    Ok(())
}

/// A bot at work; who holds this keeps it thinking.
#[derive(Debug)]
pub(crate) struct Thinking {
    pub(crate) interest: Interest,
    /// Changes when the bot has moved, however soon that is.
    pub(crate) version: watch::Receiver<u64>,
}

/// Lets the bot that is to move think, if there is one.
pub(crate) async fn think(site: &Arc<Site>, table: &Arc<Table>) -> Option<Thinking> {
    let game = table.lock().await.ok()?;
    let position = game.position().ok()?;
    let spec = game.bot_to_move(&position)?;
    let mut thinking = table
        .thinking
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    // The bot cannot move before the game is unlocked, so its move is not missed.
    let version = table.version.subscribe();
    if let Some(interest) = thinking.upgrade() {
        return Some(Thinking { interest, version });
    }
    let interest = Interest::default();
    *thinking = interest.downgrade();
    let seed = game.seed.wrapping_add(game.moves.len() as u64);
    tokio::spawn(answer(
        site.clone(),
        table.clone(),
        interest.flag(),
        Turn {
            position,
            spec,
            seed,
        },
    ));
    Some(Thinking { interest, version })
}

/// Keeps a search alive for a while without a reader.
pub(crate) fn linger(interest: Interest) {
    tokio::spawn(async move {
        tokio::time::sleep(GRACE).await;
        drop(interest);
    });
}

struct Turn {
    position: AnyPosition,
    spec: BotSpec,
    seed: u64,
}

/// Finds the bot's move and plays it, unless everybody has left meanwhile or the game stands at
/// another position.
async fn answer(site: Arc<Site>, table: Arc<Table>, stop: Arc<AtomicBool>, turn: Turn) {
    let found = choose(&site, &stop, turn.position, turn.spec, turn.seed).await;
    let Some(Report {
        best: Some(mv),
        time,
        ..
    }) = found
    else {
        return;
    };
    let Ok(mut game) = table.lock().await else {
        return;
    };
    if stop.load(Ordering::Relaxed) {
        return;
    }
    let number = game.moves.len();
    // A refusal means that the clock ran out, which the game has noted.
    let _ = game.play(&mv);
    if let Some(played) = game.moves.get_mut(number) {
        played.searched_ms = time.as_millis() as u64;
    }
    table.stop_search();
    let _ = save(&site, &mut game).await;
    drop(game);
    table.changed();
}

/// What a bot finds in a game that is not over; quick players need no place in the pool.
pub(crate) async fn choose(
    site: &Arc<Site>,
    stop: &Arc<AtomicBool>,
    position: AnyPosition,
    spec: BotSpec,
    seed: u64,
) -> Option<Report<String>> {
    let limits = limits(spec.budget).with_stop(stop.clone());
    let here = site.clone();
    let work = move || {
        let game = position.game();
        // Quick players use nothing beside their own code.
        let resources = match spec.algorithm.is_quick() {
            true => &here.resources,
            false => here.resources(game),
        };
        let mut bot = spec.build_with(game, resources, seed);
        bot.choose(&position, &limits)
    };
    if spec.algorithm.is_quick() {
        return Some(work());
    }
    site.pool.run(stop, work).await
}

/// What holds for a bot beside its own budget: without one it stops by itself, and a budget of time has
/// been looked at when the game began.
fn limits(budget: Budget) -> Limits {
    match budget {
        Budget::Depth(_) | Budget::Nodes(_) => Limits::default().with_wall(LONGEST_MOVE),
        Budget::Free | Budget::Time(_) | Budget::Game(_) => Limits::default(),
    }
}

#[cfg(test)]
mod tests {
    use search::{HeldTime, Time};

    use super::*;
    use crate::Config;
    use crate::play::{Fit, new_game};

    /// With a clock on which a second goes by at every look.
    #[track_caller]
    fn check_bounded(bot: &str) {
        let spec: BotSpec = bot.parse().unwrap();
        let limits = Limits {
            time: Time::held(&HeldTime::new(Duration::from_secs(1))),
            ..limits(spec.budget)
        };
        assert!(limits.wall.is_some(), "{bot} could think for ever");
        let mut position = AnyPosition::start(games::GIPF);
        let report = spec.build(games::GIPF, 1).choose(&position, &limits);
        let mv = report.best.unwrap_or_else(|| panic!("{bot} finds no move"));
        position.play(&mv).unwrap();
    }

    #[test]
    fn bots_without_a_time_are_stopped_and_still_move() {
        for bot in [
            "minimax:8",
            "minimax:100",
            "alphabeta:d100",
            "alphabeta:n99999999999",
            "mcts:n99999999999",
            "best:d100",
            "best:n99999999999",
        ] {
            check_bounded(bot);
        }
    }

    /// A new game as the form says, kept.
    async fn begun(form: &str) -> (Arc<Site>, Arc<Table>) {
        let site = Arc::new(Site::open(Config::default()).await.unwrap());
        let visitor = Visitor {
            address: Visitor::HERE,
            key: None,
            trusted: true,
        };
        let filled: Filled = serde_urlencoded::from_str(form).unwrap();
        let game = new_game(&filled, Fit::Refuse, &visitor).unwrap();
        let id = game.id.clone();
        site.open_games.add(&site, game).await.unwrap();
        let table = site.open_games.find(&site, &id).await.unwrap();
        (site, table)
    }

    /// Somebody who still listens keeps nothing at work that was thought for a position that is gone.
    #[tokio::test]
    async fn a_position_that_is_taken_back_is_thought_about_no_more() {
        let (site, table) = begun("game=reversi&side=first&bot=mcts:60s").await;
        let id = table.lock().await.unwrap().id.clone();
        table.lock().await.unwrap().play("d3").unwrap();
        let before = think(&site, &table).await.unwrap();
        assert!(!before.interest.flag().load(Ordering::Relaxed));
        crate::play::take_back(&site, &id, None).await.unwrap();
        assert!(before.interest.flag().load(Ordering::Relaxed), "goes on");
        table.lock().await.unwrap().play("c4").unwrap();
        let after = think(&site, &table).await.unwrap();
        assert!(!after.interest.flag().load(Ordering::Relaxed), "joined");
        crate::play::give_up(&site, &id, None).await.unwrap();
        assert!(after.interest.flag().load(Ordering::Relaxed), "goes on");
    }

    #[tokio::test]
    async fn a_game_that_is_deleted_stays_so_whoever_has_it_in_hand() {
        let (site, table) = begun("game=reversi&side=second&bot=mcts:60s").await;
        let thinking = think(&site, &table).await.unwrap();
        let game = table.lock().await.unwrap();
        let id = game.id.clone();
        site.open_games.remove(&site, &table, game).await.unwrap();
        assert!(thinking.interest.flag().load(Ordering::Relaxed), "goes on");
        let fault = table.lock().await.map(drop).unwrap_err();
        assert_eq!(fault.message, format!("there is no game {id:?}"));
        assert!(site.open_games.find(&site, &id).await.is_err());
    }

    #[tokio::test]
    async fn a_time_for_the_whole_game_is_used_up() {
        let (site, table) = begun("game=reversi&side=second&bot=alphabeta:2s/game").await;
        let mut left = Duration::from_secs(2);
        for _ in 0..3 {
            let mut thinking = think(&site, &table).await.unwrap();
            thinking.version.changed().await.unwrap();
            let mut game = table.lock().await.unwrap();
            let reply = game.position().unwrap().moves().remove(0);
            game.play(&reply).unwrap();
            let bot = game.bot_to_move(&game.position().unwrap()).unwrap();
            let Budget::Game(now) = bot.budget else {
                panic!("{bot}");
            };
            assert!(now < left, "{now:?} of {left:?}");
            left = now;
        }
    }
}
