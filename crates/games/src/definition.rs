//! The definition of a game: what it says about itself, once, for all floors above.

use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::time::Duration;

use draw::{Layout, Scene, Step, Stroke, Trace, Way};
use rules::{Evaluate, Game, Hashed, Outcome, PositionError, Side};
use search::{Limits, Score};

use crate::engine::Typed;
use crate::program::Line;
use crate::proof::{Searching, TypedProver};
use crate::{
    About, Algorithm, AnyEngine, AnyPosition, AnyProver, Engine, Form, GameName, GameTime, Kind,
    OneShot, Prover, Recorded, Resources, Room, Sketch, Transcript, Unread, random_opening,
    recorded, transcript,
};

/// The move type of a definition.
type Move<D> = <<D as Definition>::Position as Game>::Move;

/// A game as everything above the engines sees it. A type without values implements this
/// beside the position type, so that a game can be defined in any crate.
///
/// Only the position type, [`ABOUT`](Definition::ABOUT) and [`start`](Definition::start)
/// must be given; a game without a drawing is played by choosing from its legal moves.
pub trait Definition: Sized + Send + Sync + 'static {
    /// The positions, with their rules.
    type Position: Hashed + Evaluate;

    /// What the game says about itself.
    const ABOUT: About;

    // Where games start.

    /// Where a game usually starts.
    fn start() -> Self::Position;

    /// A fair-looking start that the seed decides, for games that should not all be alike.
    fn random_start(seed: u64) -> Self::Position {
        random_opening(&Self::start(), 4, seed)
    }

    /// What engines must not mix up: positions with different keys are of different rules.
    fn variant(position: &Self::Position) -> String {
        let _ = position;
        Self::Position::NAME.into()
    }

    // Players.

    /// What `greedy` wants most: the worth of a position to the player who just moved.
    fn greed(position: &Self::Position) -> i32 {
        -position.evaluate()
    }

    /// The part of the time left for a game that a move in this position should get.
    fn share(position: &Self::Position, left: Duration) -> Limits {
        let _ = position;
        Limits::default().with_wall(left / 12)
    }

    /// The strongest player of this game, where one is better than generic search.
    fn strongest(resources: &Resources, seed: u64) -> Option<Box<dyn Engine<Self::Position>>> {
        let _ = (resources, seed);
        None
    }

    /// The engine that says what positions are worth, on the game's [scale](crate::Scale),
    /// where that is another one than the strongest player.
    fn analyst(resources: &Resources) -> Option<Box<dyn Engine<Self::Position>>> {
        let _ = resources;
        None
    }

    /// The score of a finished game for the player to move, as the analyst gives it.
    fn final_score(position: &Self::Position, outcome: Outcome) -> Score {
        Score::over(outcome, position.side_to_move())
    }

    // Proofs.

    /// Provers that work side by side in this room: one for each thread, fewer where they do
    /// better by sharing what they find.
    fn provers(resources: &Resources, room: Room) -> Vec<Box<dyn Prover<Self::Position>>> {
        let _ = resources;
        let prover = |_| Box::new(Searching::new()) as Box<dyn Prover<Self::Position>>;
        (0..room.threads).map(prover).collect()
    }

    /// The same for all positions that are symmetric to each other, so that a proof of one is
    /// found for all.
    fn canonical(position: &Self::Position) -> Self::Position {
        position.clone()
    }

    // Forfeits: what happens to a turn without a move.

    /// The pass, where it is the only move: whoever can only pass is not asked.
    fn only_pass(position: &Self::Position) -> Option<Move<Self>> {
        let _ = position;
        None
    }

    /// The position after the player to move has lost the turn, and how the lost turn is
    /// written among the moves; `None` where turns cannot be lost.
    fn forfeit(position: &Self::Position) -> Option<(Self::Position, String)> {
        let _ = position;
        None
    }

    /// Who would win if the game ended here, because nobody uses a turn any more.
    fn adjudicate(position: &Self::Position) -> Outcome {
        let _ = position;
        Outcome::Draw
    }

    /// Why the game ended so, as it follows `White wins:`; empty if there is nothing to say.
    fn reason(position: &Self::Position, outcome: Outcome) -> String {
        let _ = (position, outcome);
        String::new()
    }

    // Boards.

    /// The board of this position, without marks. The default shows the legal moves.
    fn scene(position: &Self::Position) -> Scene {
        let moves = position.moves().into_iter();
        let names = moves.map(|mv| position.move_text(mv));
        let layout = Layout::choices(Self::ABOUT.look, names);
        let pieces: Vec<Option<Side>> = vec![None; layout.spots.len()];
        let mut scene = Scene::new(layout, pieces, side_names::<Self>());
        scene.notes.push(position.to_string());
        scene
    }

    /// What playing this legal move does to the pieces.
    fn trace(position: &Self::Position, mv: Move<Self>) -> Trace {
        let _ = (position, mv);
        Trace::default()
    }

    /// Where a legal move begins and ends on the board before it.
    fn stroke(position: &Self::Position, mv: Move<Self>) -> Stroke {
        match Self::trace(position, mv).stroke {
            Stroke { to: None, .. } => Stroke {
                to: Self::scene(position).layout.find(&position.move_text(mv)),
                ..Stroke::default()
            },
            stroke => stroke,
        }
    }

    /// All ways to enter legal moves by pointing, step by step.
    fn ways(position: &Self::Position) -> Vec<Way<Move<Self>>> {
        let layout = Self::scene(position).layout;
        let moves = position.moves().into_iter().enumerate();
        let way = |(spot, mv)| Way {
            steps: vec![Step::place(&layout, spot)],
            mv,
        };
        moves.map(way).collect()
    }

    /// One character per place of the layout: `-` empty, `0` and `1` the players' pieces, `2`
    /// and `3` their stacked ones, `*` no field. The same as in the scene, for those who need
    /// many of them quickly.
    fn pieces(position: &Self::Position) -> Vec<u8> {
        Self::scene(position).characters()
    }

    /// How a move is entered by pointing, as far as it has come.
    fn how(position: &Self::Position, picks: &[String]) -> String {
        let _ = (position, picks);
        "Choose a move.".into()
    }

    /// The board as it is when a move has been entered as far as this, where that differs from
    /// the board before the move.
    fn underway(position: &Self::Position, picks: &[String]) -> Option<Scene> {
        let _ = (position, picks);
        None
    }

    // Texts and programs.

    /// Whether a text looks like this game at first sight, so that only the error of this
    /// game need be shown.
    fn looks_like(text: &str) -> bool {
        let _ = text;
        false
    }

    /// Reads games or positions from a text, in every form that the game knows.
    fn read(text: &str) -> Result<Vec<Transcript>, String> {
        transcript::read_plain(GameName::of::<Self>(), text)
    }

    /// A game as people note it down, in a form that [`read`](Definition::read) reads: the start
    /// and the moves, each in a line of its own, unless the game has a notation for whole games.
    fn record(start: &Self::Position, moves: &[Move<Self>], form: Form) -> String {
        let _ = form;
        let (mut text, mut now) = (format!("{start}\n"), start.clone());
        for &mv in moves {
            text += &format!("{}\n", now.move_text(mv));
            now.play_unchecked(mv);
        }
        text
    }

    /// Reads a file that need not be a text; see [`Unread`].
    fn read_file(bytes: &[u8]) -> Result<Vec<Transcript>, Unread> {
        let _ = bytes;
        Err(Unread::NotMine)
    }

    /// How many games a file that is no text says that it holds; none of them is read.
    fn games_in(bytes: &[u8]) -> Option<usize> {
        let _ = bytes;
        None
    }

    /// Reads files of games that belong together, for a library.
    fn read_library(files: &[Vec<u8>]) -> Result<Vec<Recorded>, String> {
        recorded::read_texts::<Self>(files)
    }

    /// A key that all images of a position under the symmetries of the game share, by which a
    /// library finds it.
    fn symmetric_key(position: &Self::Position) -> u64 {
        recorded::default_key::<Self>(position)
    }

    /// After how many plies a position can come up, where it says so itself.
    fn plies_to(position: &Self::Position) -> RangeInclusive<usize> {
        let _ = position;
        0..=usize::MAX
    }

    /// The dialogue with a program that is started for every move, if the game has one of
    /// this protocol. Every game has that of lines.
    fn one_shot(kind: Kind, time: &GameTime) -> Option<Box<dyn OneShot>> {
        let _ = time;
        (kind == Kind::Line).then(|| Box::new(Line) as Box<dyn OneShot>)
    }
}

/// The names of both players.
pub(crate) fn side_names<D: Definition>() -> [&'static str; 2] {
    Side::BOTH.map(D::Position::side_name)
}

/// What can be asked of a game as a value: the one dispatch from values to types.
pub trait AnyGame: Send + Sync + 'static {
    /// The name people type.
    fn name(&self) -> &'static str;

    /// What the game says about itself.
    fn about(&self) -> &'static About;

    /// What the game calls this player.
    fn side_name(&self, side: Side) -> &'static str;

    /// Where a game usually starts.
    fn start(&self) -> AnyPosition;

    /// A fair-looking start that the seed decides.
    fn random_start(&self, seed: u64) -> AnyPosition;

    /// Reads the one-line text of a position.
    fn parse(&self, text: &str) -> Result<AnyPosition, PositionError>;

    /// A built-in player; the seed decides all its random choices.
    fn engine(&self, algorithm: Algorithm, resources: &Resources, seed: u64) -> Box<dyn AnyEngine>;

    /// The engine that says what positions are worth, on the game's scale.
    fn analyst(&self, resources: &Resources) -> Box<dyn AnyEngine>;

    /// Provers that work side by side; at least one.
    fn provers(&self, resources: &Resources, room: Room) -> Vec<Box<dyn AnyProver>>;

    /// The text of a position taken apart, to be changed by hand.
    fn sketch(&self, text: &str) -> Result<Sketch, PositionError>;

    /// Whether a text looks like this game at first sight.
    fn looks_like(&self, text: &str) -> bool;

    /// Reads games or positions from a text.
    fn read(&self, text: &str) -> Result<Vec<Transcript>, String>;

    /// Reads games from a file that need not be a text.
    fn read_file(&self, bytes: &[u8]) -> Result<Vec<Transcript>, Unread>;

    /// How many games a file that is no text says that it holds.
    fn games_in(&self, bytes: &[u8]) -> Option<usize>;

    /// Reads files of games that belong together, for a library.
    fn read_library(&self, files: &[Vec<u8>]) -> Result<Vec<Recorded>, String>;

    /// The dialogue with a program that is started for every move.
    fn one_shot(&self, kind: Kind, time: &GameTime) -> Option<Box<dyn OneShot>>;
}

/// The value that stands for a definition.
pub(crate) struct Entry<D: Definition>(PhantomData<fn() -> D>);

impl<D: Definition> Entry<D> {
    /// A reference for the registry.
    pub(crate) const REFERENCE: &'static dyn AnyGame = &Entry::<D>(PhantomData);
}

/// A constant of a definition in a place of its own.
struct Stated<D: Definition>(PhantomData<fn() -> D>);

impl<D: Definition> Stated<D> {
    const ABOUT: &'static About = &D::ABOUT;
}

impl<D: Definition> AnyGame for Entry<D> {
    fn name(&self) -> &'static str {
        D::Position::NAME
    }

    fn about(&self) -> &'static About {
        Stated::<D>::ABOUT
    }

    fn side_name(&self, side: Side) -> &'static str {
        D::Position::side_name(side)
    }

    fn start(&self) -> AnyPosition {
        AnyPosition::new::<D>(D::start())
    }

    fn random_start(&self, seed: u64) -> AnyPosition {
        AnyPosition::new::<D>(D::random_start(seed))
    }

    fn parse(&self, text: &str) -> Result<AnyPosition, PositionError> {
        text.parse().map(AnyPosition::new::<D>)
    }

    fn engine(&self, algorithm: Algorithm, resources: &Resources, seed: u64) -> Box<dyn AnyEngine> {
        Box::new(Typed::<D>(algorithm.build::<D>(resources, seed)))
    }

    fn analyst(&self, resources: &Resources) -> Box<dyn AnyEngine> {
        match D::analyst(resources) {
            Some(engine) => Box::new(Typed::<D>(engine)),
            None => self.engine(Algorithm::Best, resources, 0),
        }
    }

    fn provers(&self, resources: &Resources, room: Room) -> Vec<Box<dyn AnyProver>> {
        let provers = D::provers(resources, room).into_iter();
        provers
            .map(|prover| Box::new(TypedProver::<D>(prover)) as Box<dyn AnyProver>)
            .collect()
    }

    fn sketch(&self, text: &str) -> Result<Sketch, PositionError> {
        Sketch::read::<D>(text)
    }

    fn looks_like(&self, text: &str) -> bool {
        D::looks_like(text)
    }

    fn read(&self, text: &str) -> Result<Vec<Transcript>, String> {
        D::read(text)
    }

    fn read_file(&self, bytes: &[u8]) -> Result<Vec<Transcript>, Unread> {
        D::read_file(bytes)
    }

    fn games_in(&self, bytes: &[u8]) -> Option<usize> {
        D::games_in(bytes)
    }

    fn read_library(&self, files: &[Vec<u8>]) -> Result<Vec<Recorded>, String> {
        D::read_library(files)
    }

    fn one_shot(&self, kind: Kind, time: &GameTime) -> Option<Box<dyn OneShot>> {
        D::one_shot(kind, time)
    }
}
