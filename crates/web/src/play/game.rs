//! A game that is being played: who plays, what was played, and what the clock says.

use std::time::Duration;

use bots::{BotSpec, Budget};
use games::{AnyPosition, GameName};
use rules::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// Who sits on one side of the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Seat {
    /// A person.
    Human,
    /// A player by name.
    Bot(String),
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Played {
    /// The move's text.
    pub(crate) mv: String,
    /// How long it took.
    pub(crate) ms: u64,
    /// How long a bot searched for it: it waits for others, and while nobody looks.
    #[serde(default)]
    pub(crate) searched_ms: u64,
    /// Nobody was asked, because it was the only move: a pass.
    #[serde(default)]
    pub(crate) forced: bool,
}

/// Why a game ended before the rules ended it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Cut {
    /// The player gave up.
    Resigned,
    /// The player's time ran out.
    Flagged,
    /// Both players agreed on a draw; the player is the one who offered it.
    Agreed,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ending {
    pub(crate) outcome: Outcome,
    /// How, for everybody: `White wins: 40 discs to 24`.
    pub(crate) text: String,
    /// Why, without who won.
    reason: String,
}

impl Ending {
    /// The same for whoever sits on this side.
    pub(crate) fn told_to(&self, side: Side) -> String {
        let result = match self.outcome.winner() {
            Some(winner) if winner == side => "You won",
            Some(_) => "You lost",
            None => "Draw",
        };
        match self.reason.as_str() {
            "" => result.into(),
            reason => format!("{result}: {reason}"),
        }
    }
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
    /// How long the player to move had thought when the game was cut.
    #[serde(default)]
    pub(crate) cut_ms: u64,
    /// When the player to move got the turn, in milliseconds since 1970.
    pub(crate) since: u64,
    /// When the game began.
    pub(crate) created: u64,
    /// What people call themselves; empty if they do not say.
    #[serde(default)]
    pub(crate) names: [String; 2],
    /// Whose game it is: the key of the visitor who began it.
    #[serde(default)]
    pub(crate) owner: Option<String>,
    /// The players of a game by link.
    #[serde(default)]
    pub(crate) link: Option<Link>,
    /// Under which tag the game is kept in the library.
    #[serde(default)]
    pub(crate) tag: Option<String>,
    /// Somebody has taken the game out of the library: it does not come back by itself.
    #[serde(default)]
    pub(crate) left_out: bool,
    /// A stranger takes part: others do not see what the players call themselves.
    #[serde(default)]
    pub(crate) guests: bool,
}

/// What two people at two devices have to agree on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Link {
    /// The keys of the visitors on both sides; `None` for a seat that is free.
    pub(crate) holders: [Option<String>; 2],
    /// Who offers a draw.
    pub(crate) offer: Option<usize>,
    /// Who wants to play again.
    pub(crate) again: [bool; 2],
    /// The game that was begun when both did.
    pub(crate) next: Option<String>,
}

/// A game without a person is a draw after so many moves, as games of tournaments are.
pub(crate) const LONGEST_WATCHED: usize = 400;

/// What is asked for again so soon is one wish: a double click, or somebody who waits for the answer.
const YOUNG: Duration = Duration::from_secs(30);

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

    /// Whether the game waits for its second player.
    pub(crate) fn is_waiting(&self) -> bool {
        let link = self.link.as_ref();
        link.is_some_and(|link| link.holders.contains(&None))
    }

    /// For which sides this visitor may move. Whoever knows the address of a game against a bot
    /// may go on with it; a game by link has two players.
    pub(crate) fn sides_of(&self, key: Option<&str>) -> [bool; 2] {
        Side::BOTH.map(|side| {
            let human = self.seats[side.index()] == Seat::Human;
            human
                && match &self.link {
                    None => true,
                    Some(link) => key.is_some() && link.holders[side.index()].as_deref() == key,
                }
        })
    }

    /// The keys of the visitors whose game it is.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &String> {
        let holders = self.link.iter().flat_map(|link| link.holders.iter());
        self.owner.iter().chain(holders.flatten())
    }

    /// The only side of this visitor, if there is one.
    pub(crate) fn side_of(&self, key: Option<&str>) -> Option<Side> {
        match self.sides_of(key) {
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            _ => None,
        }
    }

    /// Who sits on a side, in words.
    pub(crate) fn name(&self, side: Side) -> &str {
        match (&self.seats[side.index()], self.names[side.index()].as_str()) {
            (Seat::Bot(spec), _) => match spec.parse::<BotSpec>() {
                Ok(bot) if bot.algorithm.is_level() => bot.algorithm.words(),
                _ => spec,
            },
            (Seat::Human, "") => match &self.link {
                Some(link) if link.holders[side.index()].is_none() => "nobody yet",
                Some(_) => "a guest",
                None => "you",
            },
            (Seat::Human, name) => name,
        }
    }

    /// A text that changes with everything that a page of the game shows.
    pub(crate) fn stamp(&self) -> String {
        let link = self.link.as_ref();
        let seated = link.map_or(0, |link| link.holders.iter().flatten().count());
        let offer = link.and_then(|link| link.offer);
        let again = link.map_or([false; 2], |link| link.again);
        format!(
            "{}.{}.{}.{seated}.{offer:?}.{again:?}",
            self.moves.len(),
            self.since,
            self.cut.is_some()
        )
    }

    /// Who moves after so many moves, if `first` begins. Sides take turns in every game here;
    /// a pass is a move too.
    fn turn_after(first: Side, moves: usize) -> Side {
        match moves % 2 {
            0 => first,
            _ => !first,
        }
    }

    /// How long a side has thought so far, the running turn included.
    pub(crate) fn used(&self, first: Side, side: Side, to_move: Option<Side>) -> u64 {
        let own = usize::from(first != side);
        let spent: u64 = self.moves.iter().skip(own).step_by(2).map(|p| p.ms).sum();
        let last = Match::turn_after(first, self.moves.len());
        let running = match to_move {
            Some(turn) if turn == side && !self.is_waiting() => now().saturating_sub(self.since),
            None if self.cut.is_some() && last == side => self.cut_ms,
            _ => 0,
        };
        spent + running
    }

    /// How the game ended, if it did.
    pub(crate) fn ending(&self, position: &AnyPosition) -> Option<Ending> {
        let game = position.game();
        let name = |side: Side| game.side_name(side);
        if let Some((side, cut)) = self.cut {
            let side = Side::BOTH[side & 1];
            let reason = match cut {
                Cut::Resigned => format!("{} resigned", name(side)),
                Cut::Flagged => format!("{} ran out of time", name(side)),
                Cut::Agreed => format!("{} offered it, {} agreed", name(side), name(!side)),
            };
            let (outcome, result) = match cut {
                Cut::Agreed => (Outcome::Draw, "Draw".into()),
                _ => (Outcome::Win(!side), format!("{} wins", name(!side))),
            };
            let text = format!("{result}: {reason}");
            return Some(Ending {
                outcome,
                text,
                reason,
            });
        }
        if let Some(outcome) = position.outcome() {
            return Some(Ending {
                outcome,
                text: position.announce(outcome),
                reason: position.reason(),
            });
        }
        let endless = self.moves.len() >= LONGEST_WATCHED && !self.seats.contains(&Seat::Human);
        endless.then(|| {
            let reason = format!("bots play {LONGEST_WATCHED} moves at most");
            Ending {
                outcome: Outcome::Draw,
                text: format!("Draw: {reason}"),
                reason,
            }
        })
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
            self.cut_short(position.side_to_move(), Cut::Flagged);
        }
        over
    }

    /// Ends the game before the rules do.
    pub(crate) fn cut_short(&mut self, side: Side, cut: Cut) {
        self.cut = Some((side.index(), cut));
        self.cut_ms = now().saturating_sub(self.since);
    }

    /// Plays a move for the side to move; says why not if it cannot be.
    pub(crate) fn play(&mut self, mv: &str) -> Result<String, String> {
        let mut position = self.position()?;
        if let Some(ending) = self.ending(&position) {
            return Err(format!("the game is over: {}", ending.text));
        }
        if self.is_waiting() {
            return Err("the opponent has not come yet".into());
        }
        if self.flag(&position) {
            let name = position.game().side_name(position.side_to_move());
            return Err(format!("{name} ran out of time"));
        }
        let side = position.side_to_move();
        let mv = position.play(mv).map_err(|e| e.to_string())?;
        self.moves.push(Played {
            mv: mv.clone(),
            ms: now().saturating_sub(self.since),
            searched_ms: 0,
            forced: false,
        });
        self.since = now();
        // Whoever moves instead of answering has declined.
        if let Some(link) = &mut self.link
            && link.offer != Some(side.index())
        {
            link.offer = None;
        }
        self.pass_where_forced(&mut position);
        Ok(mv)
    }

    /// Makes the passes that nobody need be asked for.
    pub(crate) fn pass_where_forced(&mut self, position: &mut AnyPosition) {
        while let Some(pass) = position.only_pass() {
            let Ok(mv) = position.play(&pass) else {
                return;
            };
            self.moves.push(Played {
                mv,
                ms: 0,
                searched_ms: 0,
                forced: true,
            });
        }
    }

    /// How many moves an undo takes back: a person's last move and what followed it.
    pub(crate) fn undo_count(&self, position: &AnyPosition) -> usize {
        let mut side = position.side_to_move();
        for (count, played) in (1..).zip(self.moves.iter().rev()) {
            side = !side;
            if self.seats[side.index()] == Seat::Human && !played.forced {
                return count;
            }
        }
        0
    }

    /// The bot that is to move now; of a time for the whole game it has what is left.
    pub(crate) fn bot_to_move(&self, position: &AnyPosition) -> Option<BotSpec> {
        if self.ending(position).is_some() {
            return None;
        }
        let Seat::Bot(spec) = &self.seats[position.side_to_move().index()] else {
            return None;
        };
        let mut spec: BotSpec = spec.parse().ok()?;
        if let Budget::Game(time) = &mut spec.budget {
            let own = self.moves.iter().rev().skip(1).step_by(2);
            let searched = own.map(|played| played.searched_ms).sum();
            *time = time.saturating_sub(Duration::from_millis(searched));
        }
        Some(spec)
    }

    /// Whether the game has just begun and no person has moved in it, joined it or ended it.
    pub(crate) fn is_untouched(&self) -> bool {
        let young = now().saturating_sub(self.created) < YOUNG.as_millis() as u64;
        let joined = self.link.is_some() && !self.is_waiting();
        let open = |position| self.ending(&position).is_none() && self.undo_count(&position) == 0;
        young && !joined && self.position().is_ok_and(open)
    }

    /// The same game again with sides exchanged, under another id.
    pub(crate) fn again(&self, id: String) -> Result<Match, String> {
        let swapped = |pair: &[String; 2]| [pair[1].clone(), pair[0].clone()];
        let mut game = Match {
            id,
            moves: Vec::new(),
            seats: [self.seats[1].clone(), self.seats[0].clone()],
            names: swapped(&self.names),
            seed: rand::random(),
            cut: None,
            cut_ms: 0,
            since: now(),
            created: now(),
            tag: None,
            left_out: false,
            link: self.link.as_ref().map(|link| Link {
                holders: [link.holders[1].clone(), link.holders[0].clone()],
                ..Link::default()
            }),
            ..self.clone()
        };
        let mut position = game.position()?;
        game.pass_where_forced(&mut position);
        Ok(game)
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
            cut_ms: 0,
            since: now(),
            created: now(),
            names: Default::default(),
            owner: None,
            link: None,
            tag: None,
            left_out: false,
            guests: false,
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

    /// White has no move after this one: nobody need press a button for that.
    #[test]
    fn forced_passes_are_made_and_taken_back_with_the_move() {
        let mut game = game();
        let rows = [
            "--OX----", "--------", "--------", "--------", "--------", "--------", "--------",
            "OX------",
        ];
        game.start = format!("{} O", rows.concat());
        game.seats = [Seat::Bot("greedy".into()), Seat::Human];
        // White takes d1 from e1; Black cannot move, so White goes on.
        game.play("e1").unwrap();
        assert_eq!(game.moves.len(), 2);
        assert!(game.moves[1].forced);
        let position = game.position().unwrap();
        assert_eq!(position.side_to_move(), Side::Second);
        assert_eq!(game.undo_count(&position), 2);
    }

    #[test]
    fn the_clock_ends_a_game_and_the_flag_falls_at_the_right_clock() {
        let mut game = game();
        game.clock_ms = Some(1000);
        game.since = now() - 2000;
        assert_eq!(game.play("d3"), Err("Black ran out of time".into()));
        let position = game.position().unwrap();
        let ending = game.ending(&position).unwrap();
        assert_eq!(ending.text, "White wins: Black ran out of time");
        assert_eq!(
            ending.told_to(Side::First),
            "You lost: Black ran out of time"
        );
        assert!(game.used(Side::First, Side::First, None) >= 2000);
        assert_eq!(game.used(Side::First, Side::Second, None), 0);
    }

    #[test]
    fn games_of_bots_come_to_an_end() {
        let mut game = game();
        let position = game.position().unwrap();
        let pass = Played {
            mv: "pass".into(),
            ms: 0,
            searched_ms: 0,
            forced: true,
        };
        game.moves = vec![pass; LONGEST_WATCHED];
        assert_eq!(game.ending(&position), None, "a person may go on");
        game.seats = ["greedy", "random"].map(|bot| Seat::Bot(bot.into()));
        let ending = game.ending(&position).unwrap();
        assert_eq!(ending.outcome, Outcome::Draw);
        assert_eq!(ending.text, "Draw: bots play 400 moves at most");
        assert_eq!(game.bot_to_move(&position), None);
        game.moves.pop();
        assert!(game.bot_to_move(&position).is_some());
    }

    #[test]
    fn results_have_reasons() {
        let mut game = game();
        game.start = format!("{} X", "X".repeat(40) + &"O".repeat(24));
        let position = game.position().unwrap();
        let ending = game.ending(&position).unwrap();
        assert_eq!(ending.text, "Black wins: 40 discs to 24");
        assert_eq!(ending.told_to(Side::First), "You won: 40 discs to 24");
        assert_eq!(ending.told_to(Side::Second), "You lost: 40 discs to 24");
    }
}
