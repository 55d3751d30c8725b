//! A position of any game.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut, RangeInclusive};
use std::time::Duration;

use draw::{Scene, Stroke, Way};
use rules::{Evaluate, Game, Hashed, MoveError, Outcome, PositionError, Side};
use search::{Limits, Report, Score};

use crate::{Definition, Form, GameName, Transcript};

/// A position of any of the games. `Display` writes its one-line text; what can be asked of
/// it are the methods of [`DynPosition`], to which this dereferences.
pub struct AnyPosition(Box<dyn DynPosition>);

impl AnyPosition {
    /// A position of the game that `D` defines.
    #[must_use]
    pub fn new<D: Definition>(position: D::Position) -> AnyPosition {
        AnyPosition(Box::new(Held::<D>(position)))
    }

    /// The moves, those together that lead to positions which are symmetric to each other, and so
    /// are worth the same.
    #[must_use]
    pub fn classes(&self) -> Vec<Vec<String>> {
        let mut classes: Vec<(Option<String>, Vec<String>)> = Vec::new();
        for mv in self.moves() {
            let after = self.seen_after(&mv);
            match classes.iter_mut().find(|(known, _)| *known == after) {
                Some((_, class)) => class.push(mv),
                None => classes.push((after, vec![mv])),
            }
        }
        classes.into_iter().map(|(_, class)| class).collect()
    }

    /// Whether two moves are of one [class](AnyPosition::classes).
    #[must_use]
    pub fn same_worth(&self, mv: &str, other: &str) -> bool {
        let after = self.seen_after(mv);
        after.is_some() && after == self.seen_after(other)
    }

    /// What is known about a move by what is known about one of the same worth.
    #[must_use]
    pub fn same_report(&self, known: &Report<String>, mv: &str) -> Report<String> {
        if known.best.as_deref() == Some(mv) {
            return known.clone();
        }
        let line = self.same_line(&known.line, mv);
        Report {
            best: line.first().cloned(),
            line,
            ..known.clone()
        }
    }

    /// The line that begins with another move of the same worth, and goes through the positions
    /// that are symmetric to those of this one.
    #[must_use]
    pub fn same_line(&self, line: &[String], other: &str) -> Vec<String> {
        let mut mirrored = vec![other.to_string()];
        let (Some((first, rest)), Some(mut own)) = (line.split_first(), self.after(other)) else {
            return mirrored;
        };
        let Some(mut theirs) = self.after(first) else {
            return mirrored;
        };
        for mv in rest {
            let Some(next) = theirs.after(mv) else { break };
            let wanted = Some(next.canonical_text());
            let mut moves = own.moves().into_iter();
            let Some(mv) = moves.find(|mv| own.seen_after(mv) == wanted) else {
                break;
            };
            let Some(next_own) = own.after(&mv) else {
                break;
            };
            (own, theirs) = (next_own, next);
            mirrored.push(mv);
        }
        mirrored
    }

    /// The text that the position after a move shares with all that are symmetric to it.
    fn seen_after(&self, mv: &str) -> Option<String> {
        self.after(mv).map(|next| next.canonical_text())
    }

    /// The position after a move, if it is legal.
    fn after(&self, mv: &str) -> Option<AnyPosition> {
        let mut next = self.clone();
        next.play(mv).ok().map(|_| next)
    }

    /// Where a game usually starts.
    #[must_use]
    pub fn start(game: GameName) -> AnyPosition {
        game.start()
    }

    /// A fair-looking start that the seed decides, for games that should not all be alike.
    #[must_use]
    pub fn random_start(game: GameName, seed: u64) -> AnyPosition {
        game.random_start(seed)
    }

    /// Reads the one-line text of a position; `start` is the usual start.
    pub fn parse(game: GameName, text: &str) -> Result<AnyPosition, PositionError> {
        if text.trim() == "start" {
            return Ok(game.start());
        }
        game.parse(text)
    }

    /// The position to which the moves of one game lead, in any form that the game reads.
    pub fn after_moves(game: GameName, text: &str) -> Result<AnyPosition, String> {
        let games = Transcript::read(Some(game), text)?;
        let [one] = &games[..] else {
            return Err(format!("{} games in one line", games.len()));
        };
        let last = one.positions()?.pop();
        Ok(last.expect("the start is a position"))
    }

    /// The position to which an opening leads, by its name in small letters or large ones.
    pub fn after_opening(game: GameName, name: &str) -> Result<AnyPosition, String> {
        AnyPosition::after_moves(game, game.about().opening(name)?.moves)
    }

    /// The position as that of its own type, if it is a `P`.
    #[must_use]
    pub fn downcast_ref<P: 'static>(&self) -> Option<&P> {
        self.0.inner().downcast_ref()
    }
}

/// What can be asked of a position as a value. Moves are texts.
pub trait DynPosition: Send + Sync {
    /// Which game this is a position of.
    fn game(&self) -> GameName;

    /// The position of its own type.
    fn inner(&self) -> &dyn Any;

    /// The same position once more.
    fn copy(&self) -> AnyPosition;

    /// Whether both are the same position of the same game.
    fn equals(&self, other: &AnyPosition) -> bool;

    /// The one-line text.
    fn text(&self) -> String;

    /// The text of the position that stands for all that are symmetric to this one.
    fn canonical_text(&self) -> String;

    /// What engines must not mix up; see [`Definition::variant`].
    fn variant(&self) -> String;

    /// Who is to move.
    fn side_to_move(&self) -> Side;

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The legal moves, in the order of the rules.
    fn moves(&self) -> Vec<String>;

    /// How many legal moves there are.
    fn count_moves(&self) -> usize;

    /// Plays a move and returns its usual text; an illegal one changes nothing.
    fn play(&mut self, text: &str) -> Result<String, MoveError>;

    /// The game that begins here with these moves, as people note it down; see
    /// [`Definition::record`].
    fn record(&self, moves: &[String], form: Form) -> Result<String, MoveError>;

    /// The number of ways to play `depth` plies.
    fn perft(&self, depth: u32) -> u64;

    /// The game's own quick estimate for the player to move; see [`rules::Evaluate`].
    fn evaluate(&self) -> i32;

    /// A 64-bit hash: equal positions of one game hash alike.
    fn hash(&self) -> u64;

    /// The part of the time left for a game that a move here should get.
    fn share(&self, left: Duration) -> Limits;

    /// The score of a finished game for the player to move; `None` while it goes on.
    fn final_score(&self) -> Option<Score>;

    /// The pass, where it is the only move.
    fn only_pass(&self) -> Option<String>;

    /// The position after a lost turn, and how that is written among the moves; `None` where
    /// turns cannot be lost.
    fn forfeit(&self) -> Option<(AnyPosition, String)>;

    /// Who would win if the game ended here.
    fn adjudicate(&self) -> Outcome;

    /// The board, without marks.
    fn scene(&self) -> Scene;

    /// The board after a move, with the move marked.
    fn scene_after(&self, mv: &str) -> Result<Scene, MoveError>;

    /// Where a move begins and ends.
    fn stroke(&self, mv: &str) -> Result<Stroke, MoveError>;

    /// All ways to enter moves by pointing.
    fn ways(&self) -> Vec<Way<String>>;

    /// One character per place; see [`Definition::pieces`].
    fn pieces(&self) -> Vec<u8>;

    /// How a move is entered by pointing, as far as it has come.
    fn how(&self, picks: &[String]) -> String;

    /// The board in the middle of a move; see [`Definition::underway`].
    fn underway(&self, picks: &[String]) -> Option<Scene>;

    /// A key that all symmetric positions share; see [`Definition::symmetric_key`].
    fn symmetric_key(&self) -> u64;

    /// After how many plies this can come up; see [`Definition::plies_to`].
    fn plies_to(&self) -> RangeInclusive<usize>;

    /// Why a finished game ended so; empty while it goes on, or if there is nothing to say.
    fn reason(&self) -> String;
}

impl dyn DynPosition {
    /// How a game that ended so is announced: `White wins: 40 discs to 24`.
    #[must_use]
    pub fn announce(&self, outcome: Outcome) -> String {
        let result = match outcome {
            Outcome::Win(side) => format!("{} wins", self.game().side_name(side)),
            Outcome::Draw => "Draw".into(),
        };
        match self.reason() {
            reason if reason.is_empty() => result,
            reason => format!("{result}: {reason}"),
        }
    }

    /// The places to point at first when a move is entered.
    #[must_use]
    pub fn first_steps(&self) -> Vec<usize> {
        let mut spots: Vec<usize> = self
            .ways()
            .into_iter()
            .filter_map(|way| way.steps.into_iter().next())
            .flat_map(|step| step.spots)
            .collect();
        spots.sort_unstable();
        spots.dedup();
        spots
    }
}

/// A position with its definition.
struct Held<D: Definition>(D::Position);

impl<D: Definition> DynPosition for Held<D> {
    fn game(&self) -> GameName {
        GameName::of::<D>()
    }

    fn inner(&self) -> &dyn Any {
        &self.0
    }

    fn copy(&self) -> AnyPosition {
        AnyPosition::new::<D>(self.0.clone())
    }

    fn equals(&self, other: &AnyPosition) -> bool {
        other.downcast_ref() == Some(&self.0)
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn canonical_text(&self) -> String {
        D::canonical(&self.0).to_string()
    }

    fn variant(&self) -> String {
        D::variant(&self.0)
    }

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn moves(&self) -> Vec<String> {
        let moves = self.0.moves().into_iter();
        moves.map(|mv| self.0.move_text(mv)).collect()
    }

    fn count_moves(&self) -> usize {
        self.0.count_moves()
    }

    fn play(&mut self, text: &str) -> Result<String, MoveError> {
        let mv = self.0.parse_move(text)?;
        let usual = self.0.move_text(mv);
        self.0.play_unchecked(mv);
        Ok(usual)
    }

    fn record(&self, moves: &[String], form: Form) -> Result<String, MoveError> {
        let (mut now, mut played) = (self.0.clone(), Vec::with_capacity(moves.len()));
        for text in moves {
            let mv = now.parse_move(text)?;
            now.play_unchecked(mv);
            played.push(mv);
        }
        Ok(D::record(&self.0, &played, form))
    }

    fn perft(&self, depth: u32) -> u64 {
        rules::perft(&self.0, depth)
    }

    fn evaluate(&self) -> i32 {
        self.0.evaluate()
    }

    fn hash(&self) -> u64 {
        Hashed::hash(&self.0)
    }

    fn share(&self, left: Duration) -> Limits {
        D::share(&self.0, left)
    }

    fn final_score(&self) -> Option<Score> {
        let outcome = self.0.outcome()?;
        Some(D::final_score(&self.0, outcome))
    }

    fn only_pass(&self) -> Option<String> {
        D::only_pass(&self.0).map(|mv| self.0.move_text(mv))
    }

    fn forfeit(&self) -> Option<(AnyPosition, String)> {
        D::forfeit(&self.0).map(|(next, text)| (AnyPosition::new::<D>(next), text))
    }

    fn adjudicate(&self) -> Outcome {
        D::adjudicate(&self.0)
    }

    fn scene(&self) -> Scene {
        D::scene(&self.0)
    }

    fn scene_after(&self, mv: &str) -> Result<Scene, MoveError> {
        let mv = self.0.parse_move(mv)?;
        let mut next = self.0.clone();
        next.play_unchecked(mv);
        let mut scene = D::scene(&next);
        scene.marks.last = Some(D::trace(&self.0, mv));
        Ok(scene)
    }

    fn stroke(&self, mv: &str) -> Result<Stroke, MoveError> {
        let mv = self.0.parse_move(mv)?;
        Ok(D::stroke(&self.0, mv))
    }

    fn ways(&self) -> Vec<Way<String>> {
        let way = |way: Way<_>| Way {
            mv: self.0.move_text(way.mv),
            steps: way.steps,
        };
        D::ways(&self.0).into_iter().map(way).collect()
    }

    fn pieces(&self) -> Vec<u8> {
        D::pieces(&self.0)
    }

    fn how(&self, picks: &[String]) -> String {
        D::how(&self.0, picks)
    }

    fn underway(&self, picks: &[String]) -> Option<Scene> {
        D::underway(&self.0, picks)
    }

    fn symmetric_key(&self) -> u64 {
        D::symmetric_key(&self.0)
    }

    fn plies_to(&self) -> RangeInclusive<usize> {
        D::plies_to(&self.0)
    }

    fn reason(&self) -> String {
        let outcome = self.0.outcome();
        outcome.map_or_else(String::new, |outcome| D::reason(&self.0, outcome))
    }
}

/// A position type of a built-in game, which turns into any position by itself.
pub(crate) trait Defined: Game {
    /// The game.
    type Definition: Definition<Position = Self>;
}

impl<P: Defined> From<P> for AnyPosition {
    fn from(position: P) -> AnyPosition {
        AnyPosition::new::<P::Definition>(position)
    }
}

impl Deref for AnyPosition {
    type Target = dyn DynPosition;

    fn deref(&self) -> &(dyn DynPosition + 'static) {
        &*self.0
    }
}

impl DerefMut for AnyPosition {
    fn deref_mut(&mut self) -> &mut (dyn DynPosition + 'static) {
        &mut *self.0
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> AnyPosition {
        self.0.copy()
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &AnyPosition) -> bool {
        self.0.equals(other)
    }
}

impl Eq for AnyPosition {}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.game(), self.text())
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
