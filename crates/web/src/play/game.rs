//! A game that is being played: who plays, what was played, and what the clock says.

use bots::BotSpec;
use games::{AnyPosition, GameName};
use rules::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// Who sits on one side of the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Seat {
    /// Whoever has the page open.
    Human,
    /// A player by name.
    Bot(String),
}

impl Seat {
    /// The name to show.
    pub(crate) fn name(&self) -> &str {
        match self {
            Seat::Human => "you",
            Seat::Bot(spec) => spec,
        }
    }
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Played {
    /// The move's text.
    pub(crate) mv: String,
    /// How long it took.
    pub(crate) ms: u64,
}

/// Why a game ended before the rules ended it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Cut {
    /// The player gave up.
    Resigned,
    /// The player's time ran out.
    Flagged,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ending {
    pub(crate) outcome: Outcome,
    pub(crate) text: String,
}

/// A game of a person against a bot, or another person, or of two bots.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Match {
    pub(crate) id: String,
    /// The game.
    pub(crate) game: GameName,
    /// The text of the first position.
    pub(crate) start: String,
    pub(crate) moves: Vec<Played>,
    pub(crate) seats: [Seat; 2],
    /// Decides the bots' random choices.
    pub(crate) seed: u64,
    /// Time for each side for the whole game.
    pub(crate) clock_ms: Option<u64>,
    /// Who lost by giving up or on time: the side's number.
    pub(crate) cut: Option<(usize, Cut)>,
    /// When the player to move got the turn, in milliseconds since 1970.
    pub(crate) since: u64,
    /// When the game began.
    pub(crate) created: u64,
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| time.as_millis() as u64)
}

impl Match {
    /// Every position so far, the first one first.
    pub(crate) fn positions(&self) -> Result<Vec<AnyPosition>, String> {
        let moves: Vec<&str> = self.moves.iter().map(|played| played.mv.as_str()).collect();
        replay(self.game, &self.start, &moves)
    }

    /// The position to move in.
    pub(crate) fn position(&self) -> Result<AnyPosition, String> {
        self.positions()?
            .pop()
            .ok_or_else(|| "no position".to_string())
    }

    /// How long a side has thought so far, the running turn included.
    pub(crate) fn used(&self, first: Side, side: Side, to_move: Option<Side>) -> u64 {
        let own = usize::from(first != side);
        let spent: u64 = self.moves.iter().skip(own).step_by(2).map(|p| p.ms).sum();
        let running = match to_move {
            Some(turn) if turn == side => now().saturating_sub(self.since),
            _ => 0,
        };
        spent + running
    }

    /// How the game ended, if it did.
    pub(crate) fn ending(&self, position: &AnyPosition) -> Option<Ending> {
        let game = position.game();
        let name = |side: Side| game.side_name(side);
        if let Some((loser, cut)) = self.cut {
            let winner = !Side::BOTH[loser & 1];
            let why = match cut {
                Cut::Resigned => "resigned",
                Cut::Flagged => "ran out of time",
            };
            return Some(Ending {
                outcome: Outcome::Win(winner),
                text: format!("{} wins: {} {why}", name(winner), name(!winner)),
            });
        }
        let outcome = position.outcome()?;
        let text = match outcome {
            Outcome::Win(side) => format!("{} wins", name(side)),
            Outcome::Draw => "A draw".into(),
        };
        let notes = position.scene().notes.join("; ");
        let text = if notes.is_empty() {
            text
        } else {
            format!("{text} ({notes})")
        };
        Some(Ending { outcome, text })
    }

    /// How long the player to move has left; `None` without a clock, or when it is over.
    pub(crate) fn left(&self, position: &AnyPosition) -> Option<u64> {
        if self.ending(position).is_some() {
            return None;
        }
        let side = position.side_to_move();
        let start = AnyPosition::parse(position.game(), &self.start).ok()?;
        let used = self.used(start.side_to_move(), side, Some(side));
        Some(self.clock_ms?.saturating_sub(used))
    }

    /// Ends the game if the player to move has no time left; says whether it did.
    pub(crate) fn flag(&mut self, position: &AnyPosition) -> bool {
        let over = self.left(position) == Some(0);
        if over {
            self.cut = Some((position.side_to_move().index(), Cut::Flagged));
        }
        over
    }

    /// Plays a move for the side to move; says why not if it cannot be.
    pub(crate) fn play(&mut self, mv: &str) -> Result<String, String> {
        let mut position = self.position()?;
        if let Some(ending) = self.ending(&position) {
            return Err(format!("the game is over: {}", ending.text));
        }
        if self.flag(&position) {
            let name = position.game().side_name(position.side_to_move());
            return Err(format!("{name} ran out of time"));
        }
        let mv = position.play(mv).map_err(|e| e.to_string())?;
        let ms = now().saturating_sub(self.since);
        self.moves.push(Played { mv: mv.clone(), ms });
        self.since = now();
        Ok(mv)
    }

    /// How many moves an undo takes back: one's own last move and what followed it.
    pub(crate) fn undo_count(&self, position: &AnyPosition) -> usize {
        let human = |side: Side| self.seats[side.index()] == Seat::Human;
        let mut side = position.side_to_move();
        for count in 1..=self.moves.len() {
            // Sides take turns in every game here; a pass is a move too.
            side = !side;
            if human(side) {
                return count;
            }
        }
        0
    }

    /// The bot that is to move now.
    pub(crate) fn bot_to_move(&self, position: &AnyPosition) -> Option<BotSpec> {
        if self.ending(position).is_some() {
            return None;
        }
        match &self.seats[position.side_to_move().index()] {
            Seat::Human => None,
            Seat::Bot(spec) => spec.parse().ok(),
        }
    }
}

/// Every position of a game from its texts.
pub(crate) fn replay(
    game: GameName,
    start: &str,
    moves: &[impl AsRef<str>],
) -> Result<Vec<AnyPosition>, String> {
    let mut position = AnyPosition::parse(game, start).map_err(|e| e.to_string())?;
    let mut positions = vec![position.clone()];
    for (number, mv) in (1..).zip(moves) {
        position
            .play(mv.as_ref())
            .map_err(|e| format!("move {number}: {e}"))?;
        positions.push(position.clone());
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Match {
        Match {
            id: "x".into(),
            game: games::REVERSI,
            start: AnyPosition::start(games::REVERSI).to_string(),
            moves: Vec::new(),
            seats: [Seat::Human, Seat::Bot("greedy".into())],
            seed: 1,
            clock_ms: None,
            cut: None,
            since: now(),
            created: now(),
        }
    }

    #[test]
    fn undo_takes_back_the_reply_too() {
        let mut game = game();
        assert_eq!(game.undo_count(&game.position().unwrap()), 0);
        game.play("d3").unwrap();
        assert_eq!(game.undo_count(&game.position().unwrap()), 1);
        assert!(game.bot_to_move(&game.position().unwrap()).is_some());
        game.play("c5").unwrap();
        assert_eq!(game.undo_count(&game.position().unwrap()), 2);
        assert_eq!(
            game.play("a1"),
            Err("illegal move a1 (not adjacent to a white disc)".into())
        );
    }

    #[test]
    fn the_clock_ends_a_game() {
        let mut game = game();
        game.clock_ms = Some(1000);
        game.since = now() - 2000;
        assert_eq!(game.play("d3"), Err("Black ran out of time".into()));
        let position = game.position().unwrap();
        let ending = game.ending(&position).unwrap();
        assert_eq!(ending.text, "White wins: Black ran out of time");
    }
}
