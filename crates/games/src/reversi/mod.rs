//! Reversi, also called Othello.

pub mod argv;
mod drawing;
mod engine;
mod lessons;
mod library;
mod prover;

use std::ops::RangeInclusive;
use std::time::Duration;

use ::reversi::notation::{self, Record, wthor};
use ::reversi::{Move, Position};
use rules::{Game, Outcome};
use search::{Limits, Score};

use self::engine::{ANALYST_HASH, PLAYER_HASH, Strongest};
use crate::drawn::Drawn;
use crate::proof::first_view;
use crate::transcript::beginning;
use crate::{
    About, Board, Cost, Defined, Definition, Editor, Engine, Example, GameName, GameTime, Handicap,
    Judgement, Kind, Levels, OneShot, Prover, Recorded, Resources, Room, Scale, TimeLimits,
    Transcript, Unread, random_opening,
};

/// Reversi, also called Othello.
pub const REVERSI: GameName = GameName::of::<Reversi>();

/// The definition of Reversi.
pub struct Reversi;

impl Definition for Reversi {
    type Position = Position;

    const ABOUT: About = About {
        aliases: &["othello"],
        summary: "Enclose the other side's discs and turn them over. Also called Othello.",
        rules: &[
            "Black begins. Put a disc on an empty square so that discs of the other colour lie in a straight line between it and another disc of yours: all of them turn over, in every direction.",
            "Whoever cannot turn any disc over passes. When nobody can, the game is over, and more discs win.",
        ],
        examples: &[Example {
            before: "",
            words: "a game of Othello with mistakes",
            text: "d3c5e6d2c6f4c4f6f5d6e7g4f3e3g6e8c2g5h4c3h6h5d7h3h2d8f7b6b5a5c8f8b7f2d1c7g8a8b4g3",
        }],
        scale: Scale {
            unit: Score::UNIT,
            mistake: 3 * Score::UNIT,
            far: 16.0 * Score::UNIT as f64,
            meaning: "Values are discs by which the player to move will win, as far as the engine sees.",
        },
        look: &drawing::LOOK,
        editor: Some(Editor::new("XO-", Board::First, |_| Ok(drawing::layout()))),
        limits: TimeLimits {
            wall: Duration::from_secs(1),
            game_cpu: None,
        },
        fault: Cost::Turn,
        programs: &[Kind::Argv, Kind::Gtp, Kind::Nboard],
        openings: library::OPENINGS,
        lessons: lessons::LESSONS,
        levels: Levels {
            plays: [
                Handicap::new(Judgement::Gains, 1, 40),
                Handicap::new(Judgement::Features, 1, 40).with_blur(60),
                Handicap::new(Judgement::Features, 1, 15).with_blur(20),
                Handicap::new(Judgement::Features, 2, 15).with_blur(20),
                Handicap::new(Judgement::Features, 4, 6).with_blur(8),
                Handicap::new(Judgement::Engine, 2, 5),
                Handicap::new(Judgement::Engine, 8, 0),
            ],
        },
        ..About::new("Reversi")
    };

    fn start() -> Position {
        Position::start()
    }

    fn random_start(seed: u64) -> Position {
        random_opening(&Position::start(), 8, seed)
    }

    /// The most discs.
    fn greed(position: &Position) -> i32 {
        -position.board().difference()
    }

    fn share(position: &Position, left: Duration) -> Limits {
        othello::allot(left, position.board().empty().len())
    }

    fn strongest(_: &Resources, _: u64) -> Option<Box<dyn Engine<Position>>> {
        Some(Box::new(Strongest::new(PLAYER_HASH)))
    }

    fn analyst(_: &Resources) -> Option<Box<dyn Engine<Position>>> {
        Some(Box::new(Strongest::new(ANALYST_HASH)))
    }

    /// Discs; empty squares count for the winner.
    fn final_score(position: &Position, outcome: Outcome) -> Score {
        let sign = outcome.sign_for(position.side_to_move());
        let empty = position.board().empty().len() as i32;
        Score::Margin(position.board().difference() + sign * empty)
    }

    fn provers(_: &Resources, room: Room) -> Vec<Box<dyn Prover<Position>>> {
        prover::Solver::side_by_side(room)
    }

    fn canonical(position: &Position) -> Position {
        first_view(position)
    }

    fn only_pass(position: &Position) -> Option<Move> {
        position.is_legal(Move::PASS).then_some(Move::PASS)
    }

    /// A lost turn is a pass, also where the rules forbid one.
    fn forfeit(position: &Position) -> Option<(Position, String)> {
        let next = Position::new(position.board().pass(), !position.side_to_move());
        Some((next, Move::PASS.to_string()))
    }

    /// Who has more discs.
    fn adjudicate(position: &Position) -> Outcome {
        let side = position.side_to_move();
        match position.board().difference().signum() {
            1 => Outcome::Win(side),
            -1 => Outcome::Win(!side),
            _ => Outcome::Draw,
        }
    }

    fn reason(position: &Position, outcome: Outcome) -> String {
        let side = position.side_to_move();
        let discs = |side| position.discs(side).len();
        let [own, other] = [discs(side), discs(!side)];
        let score = format!("{} discs to {}", own.max(other), own.min(other));
        match outcome {
            Outcome::Draw => format!("{own} discs each"),
            Outcome::Win(winner) if discs(!winner) == 0 => {
                format!("{} has no disc left", Position::side_name(!winner))
            }
            Outcome::Win(_) => score,
        }
    }

    fn scene(position: &Position) -> draw::Scene {
        drawing::scene(position)
    }

    fn trace(position: &Position, mv: Move) -> draw::Trace {
        drawing::trace(position, mv)
    }

    fn ways(position: &Position) -> Vec<draw::Way<Move>> {
        drawing::ways(position)
    }

    fn pieces(position: &Position) -> Vec<u8> {
        drawing::pieces(position)
    }

    fn how(_: &Position, _: &[String]) -> String {
        "Choose a marked square.".into()
    }

    fn looks_like(text: &str) -> bool {
        let Some((first, second)) = beginning(text) else {
            return false;
        };
        let squares = (b'1'..=b'8').contains(&second) && !text.contains(['-', 'x', '.']);
        (first == b'(' && !names_another_game(text)) || ((b'a'..=b'h').contains(&first) && squares)
    }

    /// Transcripts, GGF, OBF, boards, drawn boards.
    fn read(text: &str) -> Result<Vec<Transcript>, String> {
        if let Some(drawn) = Drawn::read(text) {
            return drawing::read(&drawn).map(|position| vec![Transcript::alone(position)]);
        }
        let records = notation::read(text).map_err(|e| e.to_string())?;
        Ok(records.iter().map(Transcript::from).collect())
    }

    /// WTHOR.
    fn read_file(bytes: &[u8]) -> Result<Vec<Transcript>, Unread> {
        if let Err(error) = wthor::games(bytes) {
            let names = wthor::players(bytes).is_ok() || wthor::tournaments(bytes).is_ok();
            return Err(Unread::Malformed(match names {
                true => {
                    "it holds names: choose it together with the games, which end in .wtb".into()
                }
                false => error.to_string(),
            }));
        }
        let games = library::read(&[bytes.to_vec()]).map_err(Unread::Malformed)?;
        let listed = games
            .iter()
            .map(|game| game.listed(GameName::of::<Reversi>()));
        listed.collect::<Result<_, _>>().map_err(Unread::Malformed)
    }

    fn games_in(bytes: &[u8]) -> Option<usize> {
        wthor::count(bytes)
    }

    /// WTHOR with its players and tournaments, and texts.
    fn read_library(files: &[Vec<u8>]) -> Result<Vec<Recorded>, String> {
        library::read(files)
    }

    fn symmetric_key(position: &Position) -> u64 {
        library::key(position)
    }

    /// A few passes may have come before.
    fn plies_to(position: &Position) -> RangeInclusive<usize> {
        let least = library::plies_to(position);
        least..=least + 8
    }

    fn one_shot(kind: Kind, _: &GameTime) -> Option<Box<dyn OneShot>> {
        (kind == Kind::Argv).then(|| Box::new(argv::Arguments) as Box<dyn OneShot>)
    }
}

/// Whether a game file says that it is of another game: other games have files in brackets, too.
fn names_another_game(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let named = text.split_once("gm[").map(|(_, name)| name.trim_start());
    named.is_some_and(|name| !name.starts_with("othello"))
}

impl From<&Record> for Transcript {
    fn from(record: &Record) -> Transcript {
        let players: Vec<&str> = [&record.black, &record.white]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        let mut title = players.join(" – ");
        if let Some(event) = &record.event {
            title = if title.is_empty() {
                event.clone()
            } else {
                format!("{title} ({event})")
            };
        }
        Transcript {
            start: record.start.into(),
            moves: record.moves.iter().map(ToString::to_string).collect(),
            title,
        }
    }
}

impl Defined for Position {
    type Definition = Reversi;
}
