//! GIPF as it is published: the basic, the standard and the tournament game.

mod drawing;
mod editing;
mod entry;
mod lessons;
mod prover;
mod reading;

use draw::{Scene, Trace, Way};
use gipf_standard::{Move, Position, Rules};
use gipf_standard_engine::Player;
use rules::{Game, Outcome};
use search::{Limits, Report};

use crate::proof::first_view;
use crate::{
    About, Defined, Definition, Engine, Example, Form, GameName, Kind, Prompt, Prover, Resources,
    Room, Scale, Start, Transcript, Variants, hexagon, random_opening,
};

/// GIPF as it is published.
pub const GIPF_STANDARD: GameName = GameName::of::<GipfStandard>();

/// The definition of GIPF as it is published.
pub struct GipfStandard;

impl Definition for GipfStandard {
    type Position = Position;

    const ABOUT: About = About {
        aliases: &["gipf-published", "published-gipf"],
        summary: "The game as it is sold, with GIPF-pieces: basic, standard and tournament rules.",
        rules: &[
            "White begins. Put a piece from your reserve on a dot at the rim and push it one step onto the board; pieces in its way move along. A line without a gap cannot be pushed.",
            "Four or more pieces of one colour next to each other in a line are a row. It comes off with all pieces that touch it in that line: the owner's go back to the reserve, the others are captured. Who has a row takes it off: the mover right after the push, the opponent before the next one. Where rows cross, their owner says which comes off first.",
            "GIPF-pieces are two pieces stacked. Of a row that comes off, its owner may keep any GIPF-piece, of either colour. One's own that goes off returns as two single pieces.",
            "Basic: 15 single pieces each, three of them on the corners. Standard: 18 each, three GIPF-pieces on the corners. Tournament: 18 each and an empty board; a side's first piece is a GIPF-piece, and further ones may follow until it brings in its first single piece.",
            "Who has no piece to bring in loses; in the standard and the tournament game also who has no GIPF-piece left on the board. After 100 plies without a capture the game is drawn.",
        ],
        starts: &[
            start("standard", "Standard: three GIPF-pieces each"),
            start("basic", "Basic: single pieces only"),
            start("tournament", "Tournament: an empty board"),
            start("random", "A random opening of the standard game"),
        ],
        random_starts: "random openings of the standard game",
        variants: Some(Variants {
            prompt: "basic, standard or tournament; 0/60 behind it: drawn after 60 plies without a capture",
            read: |text| match text.parse::<Position>() {
                Ok(position) => Ok(position.to_string()),
                Err(error) => Err(error.to_string()),
            },
        }),
        prompt: Prompt {
            position: "basic, standard, tournament, or a whole position",
            positions: "one on each line: basic, standard, tournament, or whole positions",
        },
        examples: &[Example {
            before: "a row with a GIPF-piece in ",
            words: "published GIPF",
            text: "standard 3 5 W W___/_____/______/_WwwwB_/______/_____/___B",
        }],
        scale: Scale {
            unit: 100,
            mistake: 150,
            far: 1200.0,
            meaning: "Values are for the player to move: W5 wins in 5 plies, W≤9 in 9 at most, W by proof without a known distance; L4 loses in 4; D: neither side can force a win; a number is the engine's estimate: +4 is a chance to win of about 73 %, +8 of 88 %.",
        },
        look: &drawing::LOOK,
        chips: [
            "radial-gradient(circle at 35% 30%, #fff, #d3d8d4 80%)",
            "radial-gradient(circle at 35% 30%, #5a6166, #0c0e10 75%)",
        ],
        editor: Some(editing::EDITOR),
        short_form: true,
        programs: &[Kind::Line],
        lessons: lessons::LESSONS,
        levels: hexagon::LEVELS,
        bench: &["minimax:3", "alphabeta:d5", "mcts:n30000"],
        ..About::new("Published GIPF")
    };

    /// The standard game.
    fn start() -> Position {
        Position::start(Rules::Standard)
    }

    fn random_start(seed: u64) -> Position {
        random_opening(&GipfStandard::start(), 6, seed)
    }

    fn variant(position: &Position) -> String {
        position.rules().to_string()
    }

    fn strongest(_: &Resources, _: u64) -> Option<Box<dyn Engine<Position>>> {
        Some(Box::new(Player::default()))
    }

    fn provers(_: &Resources, room: Room) -> Vec<Box<dyn Prover<Position>>> {
        prover::Solver::side_by_side(room)
    }

    fn canonical(position: &Position) -> Position {
        first_view(position)
    }

    fn reason(position: &Position, outcome: Outcome) -> String {
        let Outcome::Win(winner) = outcome else {
            let plies = position.limit().half_moves();
            return format!("{plies} plies without a capture");
        };
        let loser = Position::side_name(!winner);
        match position.is_without_gipf(!winner) {
            true => format!("{loser} has no GIPF-piece left on the board"),
            false => format!("{loser} has no piece left to bring in"),
        }
    }

    fn scene(position: &Position) -> Scene {
        drawing::scene(position)
    }

    fn trace(position: &Position, mv: Move) -> Trace {
        drawing::trace(position, mv)
    }

    fn ways(position: &Position) -> Vec<Way<Move>> {
        entry::ways(position)
    }

    fn how(position: &Position, picks: &[String]) -> String {
        entry::how(position, picks)
    }

    /// Rows that have come off, and the piece that has been pushed in.
    fn underway(position: &Position, picks: &[String]) -> Option<Scene> {
        let now = entry::underway(position, picks)?;
        Some(drawing::scene(&now))
    }

    /// The rules or the position, and numbered moves with the reserve after each.
    fn record(start: &Position, moves: &[Move], form: Form) -> String {
        reading::write(*start, moves.to_vec(), form)
    }

    fn looks_like(text: &str) -> bool {
        reading::looks_like(text)
    }

    fn read(text: &str) -> Result<Vec<Transcript>, String> {
        reading::read(text)
    }
}

/// A start with its words.
const fn start(value: &'static str, words: &'static str) -> Start {
    Start { value, words }
}

impl Engine<Position> for Player {
    fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        Player::search(self, position, limits)
    }

    fn new_game(&mut self) {
        self.clear();
    }
}

impl Defined for Position {
    type Definition = GipfStandard;
}
