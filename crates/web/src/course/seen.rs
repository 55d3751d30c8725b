//! What a reader may see of a game: moves and result of any, what was asked and answered where
//! their own program played.

use course::store::GameRow;
use course::time::Millis;
use course::{FinalGame, OpenCourse, Person, Side};
use games::{AnyPosition, GameName};
use referee::{Blob, CommandLine, Ending, GameRecord, Input, MoveRecord, Seconds, Size};

use super::assignment;
use super::view::team_of;
use crate::fault::Fault;

/// A game with what this reader may see of it.
pub(super) struct Seen {
    /// Its page.
    pub(super) address: String,
    /// What its record is called.
    pub(super) file: String,
    /// Where it is listed.
    pub(super) back: String,
    /// What it was played for.
    pub(super) purpose: String,
    /// Who moved first, and who second.
    pub(super) players: [Side; 2],
    /// 2, 1 or 0 as the first player won, drew or lost.
    pub(super) half_points: u8,
    /// When it was over.
    pub(super) at: Millis,
    pub(super) game: GameName,
    pub(super) start: String,
    moves: Vec<String>,
    ending: String,
    faults: [u32; 2],
    /// Whether the reader may see what each player was asked and answered.
    own: [bool; 2],
    /// The record, if one was kept.
    record: Option<GameRecord>,
}

/// A position of a game, and the move that led to it.
pub(super) struct Turn {
    pub(super) mv: Option<String>,
    pub(super) lost: bool,
    pub(super) position: AnyPosition,
    pub(super) before: AnyPosition,
}

fn missing() -> Fault {
    Fault::missing("there is no such game")
}

/// Whose programs these are: whether the reader may see what each was asked and answered.
fn own(open_course: &OpenCourse, reader: &Person, players: &[Side; 2]) -> Result<[bool; 2], Fault> {
    let mut own = [false; 2];
    for (seat, side) in players.iter().enumerate() {
        let team = team_of(open_course, side)?;
        own[seat] = reader.is_staff() || team == Some(reader.team);
    }
    Ok(own)
}

fn game_of(open_course: &OpenCourse, id: &str) -> Result<GameName, Fault> {
    let assignment = assignment::find(open_course, id)?;
    Ok(assignment.play.ok_or_else(missing)?.game)
}

impl Seen {
    /// A game of a trial, the ladder or a challenge.
    pub(super) fn usual(open_course: &OpenCourse, reader: &Person, id: i64) -> Result<Seen, Fault> {
        let row: GameRow = open_course.store.game(id)?.ok_or_else(missing)?;
        let record = match row.faults {
            [0, 0] => None,
            _ => open_course.store.record(id)?,
        };
        Ok(Seen {
            address: format!("/g/{id}"),
            file: format!("game-{id}.json"),
            back: format!("/a/{}/ladder", row.assignment),
            game: game_of(open_course, &row.assignment)?,
            own: own(open_course, reader, &row.players)?,
            purpose: row.purpose,
            players: row.players,
            half_points: row.half_points,
            at: row.at,
            start: row.start,
            moves: row.moves,
            ending: row.ending,
            faults: row.faults,
            record,
        })
    }

    /// A game of a final.
    pub(super) fn of_final(
        open_course: &OpenCourse,
        reader: &Person,
        game: FinalGame,
        record: Option<GameRecord>,
    ) -> Result<Seen, Fault> {
        let FinalGame {
            assignment,
            number,
            players,
            row,
        } = game;
        Ok(Seen {
            address: format!("/f/{}", row.id),
            file: format!("game-{}.json", row.id),
            back: format!("/a/{assignment}/finals/{number}"),
            game: game_of(open_course, &assignment)?,
            own: own(open_course, reader, &players)?,
            purpose: format!("final {number}"),
            players,
            half_points: row.played().half_points,
            at: row.finished.0,
            start: record
                .as_ref()
                .map_or_else(String::new, |record| record.start.clone()),
            moves: Vec::new(),
            ending: row.ending_text,
            faults: row.faults,
            record,
        })
    }

    /// Every turn: from the record where turns were lost, from the moves elsewhere.
    pub(super) fn turns(&self) -> Vec<Turn> {
        let parse = |text: &str| AnyPosition::parse(self.game, text).ok();
        let Some(mut position) = parse(&self.start) else {
            return Vec::new();
        };
        let mut turns = Vec::new();
        match &self.record {
            Some(record) => {
                for (index, turn) in record.moves.iter().enumerate() {
                    let after = record.moves.get(index + 1);
                    let after = after.map_or(record.end.as_str(), |next| &next.position);
                    let (Some(before), Some(after)) = (parse(&turn.position), parse(after)) else {
                        return turns;
                    };
                    let lost = !turn.verdict.is_ok();
                    turns.push(Turn {
                        mv: turn.mv.clone().filter(|_| !lost),
                        lost,
                        position: after,
                        before,
                    });
                }
            }
            None => {
                for mv in &self.moves {
                    let before = position.clone();
                    if position.play(mv).is_err() {
                        return turns;
                    }
                    turns.push(Turn {
                        mv: Some(mv.clone()),
                        lost: false,
                        position: position.clone(),
                        before,
                    });
                }
            }
        }
        turns
    }

    /// Why the game ended. What somebody else's program answered is not told.
    pub(super) fn ending(&self) -> String {
        let foreign = (0..2).any(|seat| self.faults[seat] > 0 && !self.own[seat]);
        match foreign {
            true => "with a fault".into(),
            false => self.ending.clone(),
        }
    }

    /// The faults that the reader may see, by seat.
    pub(super) fn faults(&self) -> Vec<&MoveRecord> {
        let turns = self.record.iter().flat_map(|record| &record.moves);
        let visible = |turn: &&MoveRecord| turn.verdict.is_fault() && self.own[turn.side.index()];
        turns.filter(visible).collect()
    }

    /// The record, without what belongs to somebody else.
    pub(super) fn record(mut self) -> Result<GameRecord, Fault> {
        if self.own == [false; 2] {
            let status = axum::http::StatusCode::FORBIDDEN;
            return Err(Fault::new(status, "this is not yours"));
        }
        let record = self.record.take();
        let mut record = record.ok_or_else(|| {
            Fault::missing("records are kept of finals and of games in which somebody made a fault")
        })?;
        for (seat, player) in record.players.iter_mut().enumerate() {
            // Where it stands on the server is nobody's business.
            player.folder = None;
            player.read = Vec::new();
            if !self.own[seat] && player.kind.is_program() {
                player.command = CommandLine(vec!["./other".into()]);
                record.programs[seat] = None;
            }
        }
        for turn in &mut record.moves {
            if !self.own[turn.side.index()] {
                turn.input = Input::default();
                turn.answer = Blob::default();
                turn.stderr = Blob::default();
                turn.value = None;
                (turn.wall, turn.cpu) = (Seconds::default(), Seconds::default());
                turn.memory = Size::default();
            }
        }
        if (0..2).any(|seat| self.faults[seat] > 0 && !self.own[seat]) {
            // Verdicts quote answers.
            record
                .moves
                .retain(|turn| self.own[turn.side.index()] || !turn.verdict.is_fault());
            record.ending = Ending::Rules;
        }
        Ok(record)
    }
}
