//! GIPF, of any size.

mod analyst;
mod drawing;
mod lessons;
mod prover;
mod stdin;

pub(crate) use self::drawing::LOOK;

use ::gipf::{Move, Position, Variant};
use gipf_engine::player::Player;
use gipf_engine::tables::Library;
use rules::{Game, Outcome};
use search::{Limits, Report};

use self::analyst::Analyst;
use crate::drawn::Drawn;
use crate::proof::first_view;
use crate::transcript::{beginning, read_plain};
use crate::{
    About, Board, Change, Defined, Definition, Editor, Engine, Example, Field, GameName, GameTime,
    Kind, OneShot, Prompt, Prover, Resources, Room, Start, Transcript, Variants, hexagon,
    random_opening,
};

/// GIPF, of any size.
pub const GIPF: GameName = GameName::of::<Gipf>();

/// The definition of GIPF.
pub struct Gipf;

/// A start with its words.
const fn variant(value: &'static str, words: &'static str) -> Start {
    Start { value, words }
}

impl Definition for Gipf {
    type Position = Position;

    const ABOUT: About = About {
        summary: "Push stones in from the rim, make rows, take them back before they run out.",
        rules: &[
            "White begins. Put a stone from your reserve on a dot at the rim and push it one step onto the board; stones in its way move along. A line without a gap cannot be pushed.",
            "When four stones of one colour (in other variants K) or more stand next to each other in a line, they come off with all stones that follow them in that line without a gap. Stones of the row's colour go back into their reserve, the others are out of the game.",
            "Rows of the player who pushed come off before rows of the opponent. Where rows of one colour cross, the player who pushed says which comes off first: that is part of the move. A row that is broken by it stays.",
            "Whoever is to move and has no stone in reserve, or no move, has lost.",
            "A variant is four numbers, S K GW GB: points along a side of the board, stones that make a row, stones of White and of Black. The original is 4 4 15 15.",
        ],
        starts: &[
            variant("4 4 15 15", "Original (4 4 15 15)"),
            variant("4 4 12 12", "Shorter original (4 4 12 12)"),
            variant("3 3 12 12", "Small board (3 3 12 12)"),
            variant("3 3 8 8", "Small and short (3 3 8 8)"),
            variant("3 3 6 6", "Small and quick (3 3 6 6)"),
            variant("2 2 5 5", "Tiny, rows of two (2 2 5 5)"),
        ],
        variants: Some(Variants {
            prompt: "S K GW GB, such as 3 3 9 9",
            read: |text| match text.parse::<Variant>() {
                Ok(variant) => Ok(variant.to_string()),
                Err(error) => Err(error.to_string()),
            },
        }),
        prompt: Prompt {
            position: "a variant (3 3 9 9) or a whole position",
            positions: "one on each line: variants or whole positions",
        },
        examples: &[Example {
            before: "the start of ",
            words: "a small GIPF",
            text: "3 3 6 6",
        }],
        look: &drawing::LOOK,
        chips: [
            "radial-gradient(circle at 35% 30%, #fff, #d3d8d4 80%)",
            "radial-gradient(circle at 35% 30%, #5a6166, #0c0e10 75%)",
        ],
        editor: Some(Editor {
            side: SIDE,
            fields: FIELDS,
            settle: count_reserves,
            ..Editor::new("WB_", Board::Last, |words| {
                let size = words.first().and_then(|word| word.parse().ok());
                let size = size.filter(|size| (2..=7).contains(size));
                size.map(drawing::layout)
                    .ok_or_else(|| "the board size is not between 2 and 7".into())
            })
        }),
        programs: &[Kind::Stdin],
        lessons: lessons::LESSONS,
        levels: hexagon::LEVELS,
        solved: Some("GIPF variants in which every position is known"),
        bench: &["minimax:3", "alphabeta:d5", "mcts:n30000"],
        ..About::new("GIPF")
    };

    /// The original game.
    fn start() -> Position {
        Position::start(Variant::ORIGINAL)
    }

    fn random_start(seed: u64) -> Position {
        random_opening(&Gipf::start(), 6, seed)
    }

    fn variant(position: &Position) -> String {
        position.variant().to_string()
    }

    /// It plays by tables of solved variants where it is given some.
    fn strongest(resources: &Resources, _: u64) -> Option<Box<dyn Engine<Position>>> {
        let tables = resources.open(|folders| Library::new(folders));
        Some(Box::new(Player::default().with_tables(tables)))
    }

    /// Tables of solved variants, where there are some, and the solver.
    fn provers(resources: &Resources, room: Room) -> Vec<Box<dyn Prover<Position>>> {
        let tables = resources.open(|folders| Library::new(folders));
        prover::Solver::side_by_side(&tables, room)
    }

    fn canonical(position: &Position) -> Position {
        first_view(position)
    }

    fn analyst(resources: &Resources) -> Option<Box<dyn Engine<Position>>> {
        let tables = resources.open(|folders| Library::new(folders));
        Some(Box::new(Analyst::new(&tables)))
    }

    fn reason(position: &Position, _: Outcome) -> String {
        let side = position.side_to_move();
        let name = Position::side_name(side);
        match position.reserve(side) {
            0 => format!("{name} has no stone left to bring in"),
            _ => format!("{name} cannot bring in a stone, every point is taken"),
        }
    }

    fn underway(position: &Position, picks: &[String]) -> Option<draw::Scene> {
        drawing::underway(position, picks).map(|(scene, _)| scene)
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

    fn how(position: &Position, picks: &[String]) -> String {
        if let Some((_, question)) = drawing::underway(position, picks) {
            return question;
        }
        match picks {
            [] => "Choose a dot, then the point to push the stone to.".into(),
            [dot] => format!("From {dot}: choose the point to push the stone to."),
            _ => "Choose the row to take off.".into(),
        }
    }

    fn looks_like(text: &str) -> bool {
        match beginning(text) {
            Some((first, second)) => {
                let drawn = Drawn::read(text);
                first == b'L'
                    || ((b'2'..=b'9').contains(&first) && second == b' ')
                    || drawn.is_some_and(|drawn| drawn.number_after("rows of").is_some())
            }
            None => false,
        }
    }

    /// A board over several lines, as the GIPF program prints it or as it is drawn with
    /// coordinates, or a plain text.
    fn read(text: &str) -> Result<Vec<Transcript>, String> {
        if let Some(drawn) = Drawn::read(text) {
            return drawing::read(&drawn).map(|position| vec![Transcript::alone(position)]);
        }
        match stdin::load(text) {
            Some(Ok(position)) => Ok(vec![Transcript::alone(position)]),
            // What is no such board may still be a position with moves below it.
            Some(Err(error)) => read_plain(GIPF, text).map_err(|_| error),
            None => read_plain(GIPF, text),
        }
    }

    fn one_shot(kind: Kind, _: &GameTime) -> Option<Box<dyn OneShot>> {
        (kind == Kind::Stdin).then(|| Box::new(stdin::Loaded) as Box<dyn OneShot>)
    }
}

/// The words of a position's text beside the board: the four numbers of the variant, both
/// reserves, the side to move.
const RESERVES: usize = 4;
const SIDE: usize = 6;

const FIELDS: &[Field] = &[
    Field::word::<1>("Stones in a row"),
    Field::word::<2>("White's stones"),
    Field::word::<3>("Black's stones"),
    Field::word::<4>("White's reserve"),
    Field::word::<5>("Black's reserve"),
];

/// Stones come from the reserve, and go back to it.
fn count_reserves(words: &mut [String], change: Change<'_>) {
    if words.len() != SIDE + 1 {
        return;
    }
    for (side, letter) in ['W', 'B'].into_iter().enumerate() {
        let reserve: usize = words[RESERVES + side].parse().unwrap_or(0);
        let left = reserve.saturating_add_signed(-change.more(letter));
        words[RESERVES + side] = left.to_string();
    }
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
    type Definition = Gipf;
}
