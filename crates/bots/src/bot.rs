//! Players of one game as a type, and of any game as a value.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use rules::Game;
use search::{Limits, Report};

use crate::{AnyPosition, Playable};

/// A player of one game.
pub trait Engine<G: Game>: Send {
    /// Looks for a move; see [`Report`].
    fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move>;

    /// Forgets what it learned from earlier games.
    fn new_game(&mut self) {}
}

/// A player of the game that it was built for.
pub trait Bot: Send {
    /// The name that would build it again.
    fn name(&self) -> String;

    /// Chooses a move. The bot's own limits hold too, whichever are tighter.
    ///
    /// # Panics
    /// If the position is of another game than the bot was built for.
    fn choose(&mut self, position: &AnyPosition, limits: &Limits) -> Choice;

    /// Forgets what it learned from earlier games.
    fn new_game(&mut self);
}

/// What a bot chose, as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// The move; empty exactly if the game is over.
    pub mv: String,
    /// What the position is worth to the player to move, if the bot has an opinion.
    pub value: Option<i32>,
    /// Whether `value` is proven rather than estimated.
    pub exact: bool,
    /// How the bot expects the game to go on, `mv` first.
    pub line: Vec<String>,
    /// Half-moves looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time taken.
    pub time: Duration,
}

impl Choice {
    /// The text of a report about `position`.
    fn new<G: Game>(position: &G, report: Report<G::Move>) -> Choice {
        let mut at = position.clone();
        let line: Vec<String> = report
            .line
            .iter()
            .map(|&mv| {
                let text = at.move_text(mv);
                at.play_unchecked(mv);
                text
            })
            .collect();
        Choice {
            mv: report
                .best
                .map_or_else(String::new, |mv| position.move_text(mv)),
            value: (report.depth > 0).then_some(report.value),
            exact: report.exact,
            line,
            depth: report.depth,
            nodes: report.nodes,
            time: report.time,
        }
    }
}

/// Nobody thinks long about the only move there is.
const FORCED: Limits = Limits {
    depth: Some(4),
    nodes: Some(1_000),
    wall: None,
    about: None,
    cpu: None,
    stop: None,
    time: search::Time::SYSTEM,
};

/// An engine with its name and its own limits.
pub(crate) struct Player<G, E> {
    pub(crate) name: String,
    pub(crate) limits: Limits,
    /// The time for all its moves of a game, if the name sets one.
    pub(crate) game_time: Option<Duration>,
    /// What is used of it.
    pub(crate) used: Duration,
    /// What holds if neither the caller nor the name sets a limit.
    pub(crate) default: Limits,
    pub(crate) engine: E,
    pub(crate) game: PhantomData<fn(&G)>,
}

impl<G: Playable, E: Engine<G> + ?Sized> Bot for Player<G, Box<E>>
where
    for<'a> &'a G: TryFrom<&'a AnyPosition>,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, position: &AnyPosition, limits: &Limits) -> Choice {
        let game = position.game();
        let Ok(position) = <&G>::try_from(position) else {
            panic!("a bot for {} was asked about {game}", G::NAME);
        };
        let started = Instant::now();
        let mut limits = limits.and(&self.limits);
        if let Some(time) = self.game_time {
            limits = limits.and(&position.share(time.saturating_sub(self.used)));
        }
        if limits.is_endless() {
            limits = limits.and(&self.default);
        }
        if position.count_moves() == 1 {
            limits = limits.and(&FORCED);
        }
        let report = self.engine.search(position, &limits);
        self.used += started.elapsed();
        Choice::new(position, report)
    }

    fn new_game(&mut self) {
        self.used = Duration::ZERO;
        self.engine.new_game();
    }
}
