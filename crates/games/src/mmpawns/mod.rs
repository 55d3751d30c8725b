//! MMPawns.

mod drawing;
mod lessons;
pub mod matrix;
mod prover;

use std::time::Duration;

use ::mmpawns::{MOST_PAWNS, Move, Position, Square, Squares};
use mmpawns_engine::{Player, Sizes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Outcome};
use search::{Limits, Report};

use crate::drawn::Drawn;
use crate::proof::first_view;
use crate::transcript::{beginning, read_plain};
use crate::{
    About, Board, Defined, Definition, Editor, Engine, GameName, GameTime, Handicap, Judgement,
    Kind, Levels, OneShot, Prover, Resources, Room, Start, TimeLimits, Transcript,
};

/// MMPawns.
pub const MMPAWNS: GameName = GameName::of::<Mmpawns>();

/// The definition of MMPawns.
pub struct Mmpawns;

impl Definition for Mmpawns {
    type Position = Position;

    const ABOUT: About = About {
        summary: "Pawns that only go forward, on a field with holes. First across wins.",
        rules: &[
            "A begins and goes up, B goes down. A pawn goes one square forward, straight or diagonally, if that is free; or it jumps the same way over a pawn of the opponent onto the free square behind, and the pawn it jumped over is removed. Nobody has to jump. Crossed squares are holes.",
            "Whoever is to move and cannot, because all pawns are stuck or gone, wins (rule 9). This is looked at first.",
            "Otherwise a pawn on the far edge wins for its player: so do not arrive there if the opponent is left without a move. After 60 plies the game is a draw.",
        ],
        starts: &[
            Start {
                value: "random",
                words: "A random field",
            },
            Start {
                value: "start",
                words: "The plain field",
            },
        ],
        random_starts: "random fields",
        look: &drawing::LOOK,
        chips: [
            "radial-gradient(circle at 35% 30%, #f0655a, #a81f1b 80%)",
            "radial-gradient(circle at 35% 30%, #5b8ff0, #1b459f 80%)",
        ],
        editor: Some(Editor {
            turn: number_ply,
            ..Editor::new("AB-*", Board::Last, |_| Ok(drawing::layout()))
        }),
        // Wall time is only a guard against a program that sleeps for ever.
        limits: TimeLimits {
            wall: Duration::from_secs(60),
            game_cpu: Some(Duration::from_secs(30)),
        },
        programs: &[Kind::Matrix],
        lessons: lessons::LESSONS,
        levels: Levels {
            plays: [
                Handicap::new(Judgement::Gains, 1, 90),
                Handicap::new(Judgement::Features, 1, 15),
                Handicap::new(Judgement::Features, 2, 25),
                Handicap::new(Judgement::Features, 3, 12),
                Handicap::new(Judgement::Features, 4, 5),
                Handicap::of_positions(200, 10),
                Handicap::of_positions(3_000, 0),
            ],
        },
        ..About::new("MMPawns")
    };

    /// Eight pawns each on its own edge of a field without holes.
    fn start() -> Position {
        facing(Squares(0), Squares(0xff << 56))
    }

    /// Five to eight pawns each on its own three rows, a few holes, and both players
    /// facing the same: turn the board around and they change places.
    fn random_start(seed: u64) -> Position {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        loop {
            let some = |rng: &mut ChaCha8Rng, count, from: std::ops::Range<u8>| -> Squares {
                (0..count)
                    .map(|_| Square::new(rng.random_range(from.clone())))
                    .collect()
            };
            let (few, many) = (rng.random_range(0..4), rng.random_range(6..12));
            let holes = some(&mut rng, few, 0..32);
            let pawns = some(&mut rng, many, 40..64);
            if (5..=MOST_PAWNS).contains(&pawns.len()) {
                let position = facing(holes, pawns);
                if position.outcome().is_none() {
                    return position;
                }
            }
        }
    }

    fn strongest(_: &Resources, _: u64) -> Option<Box<dyn Engine<Position>>> {
        Some(Box::new(Strongest::default()))
    }

    fn provers(_: &Resources, room: Room) -> Vec<Box<dyn Prover<Position>>> {
        prover::Solver::side_by_side(room)
    }

    fn canonical(position: &Position) -> Position {
        first_view(position)
    }

    fn analyst(_: &Resources) -> Option<Box<dyn Engine<Position>>> {
        Some(Box::new(Analyst::default()))
    }

    fn reason(position: &Position, outcome: Outcome) -> String {
        let side = position.side_to_move();
        let [mover, other] = [side, !side].map(Position::side_name);
        let arrived = position.has_arrived(!side);
        match outcome {
            Outcome::Draw => "60 plies have been played".into(),
            Outcome::Win(winner) if winner == side && arrived => format!(
                "{mover} has no move left, and that comes first, although {other} has reached the far edge (rule 9)"
            ),
            Outcome::Win(winner) if winner == side && position.pawns(side).is_empty() => {
                format!("{mover} has no pawn left to move (rule 9)")
            }
            Outcome::Win(winner) if winner == side => {
                format!("{mover} has no move left (rule 9)")
            }
            Outcome::Win(_) => format!("a pawn of {other} has reached the far edge"),
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

    fn how(_: &Position, picks: &[String]) -> String {
        match picks {
            [] => "Choose a pawn, then where it goes.".into(),
            picks => format!("From {}: choose where it goes.", picks.join(", ")),
        }
    }

    fn looks_like(text: &str) -> bool {
        matches!(beginning(text), Some((b'A' | b'B', b' ')))
    }

    /// A file `matrix.txt`, a drawn board, or a plain text.
    fn read(text: &str) -> Result<Vec<Transcript>, String> {
        if let Some(drawn) = Drawn::read(text) {
            return drawing::read(&drawn).map(|position| vec![Transcript::alone(position)]);
        }
        if text.lines().count() < matrix::LINES {
            return read_plain(MMPAWNS, text);
        }
        // What is no such file may still be a position with many moves below it.
        match ::mmpawns::matrix::Matrix::read(text.as_bytes()) {
            Ok(matrix) => Ok(vec![Transcript::alone(matrix.position)]),
            Err(error) => read_plain(MMPAWNS, text).map_err(|_| error.to_string()),
        }
    }

    fn one_shot(kind: Kind, time: &GameTime) -> Option<Box<dyn OneShot>> {
        let dialogue = || Box::new(matrix::Dialogue::new(*time)) as Box<dyn OneShot>;
        (kind == Kind::Matrix).then(dialogue)
    }
}

/// The number of the ply says whose turn it is too.
fn number_ply(words: &mut [String]) {
    if let [side, number] = words {
        *number = if side == "A" { "1" } else { "2" }.into();
    }
}

/// The MMPawns engine. Its memory is taken at the first move, so that a name costs nothing.
#[derive(Default)]
struct Strongest(Option<Player>);

impl Strongest {
    fn player(&mut self) -> &mut Player {
        let sizes = Sizes {
            proofs: 64 << 20,
            values: 16 << 20,
        };
        self.0.get_or_insert_with(|| Player::new(sizes))
    }
}

impl Engine<Position> for Strongest {
    fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        self.player().choose(position, limits)
    }

    fn new_game(&mut self) {
        self.0 = None;
    }
}

/// The same engine, asked for the strongest statement instead of the best move.
#[derive(Default)]
struct Analyst(Strongest);

impl Engine<Position> for Analyst {
    fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        self.0.player().analyse(position, limits)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }
}

/// A start with A's pawns and some holes as given, B's pawns and as many holes as they are
/// seen from the other end of the board. A pawn makes room for itself.
fn facing(holes: Squares, pawns: Squares) -> Position {
    let opposite = pawns.0.reverse_bits();
    let holes = (holes.0 | holes.0.reverse_bits()) & !(pawns.0 | opposite);
    Position::new([pawns, Squares(opposite)], Squares(!holes), 1)
        .expect("eight pawns at most, each on its own half of the board")
}

impl Defined for Position {
    type Definition = Mmpawns;
}
