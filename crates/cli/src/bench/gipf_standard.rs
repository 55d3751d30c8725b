//! `ludex bench gipf-standard`: players of both games of GIPF against each other.

use std::io::Write;
use std::time::Duration;

use clap::ValueEnum;
use games::random_opening;
use gipf_standard::{Move, Points, Position, Rules, SIZE};
use rules::{Game, Outcome, Side};
use search::Limits;
use serde_json::json;

use crate::input;

/// Players of published and of generalised GIPF against each other, on basic rules
///
/// Both play the game 4 4 15 15 with the same processor time for a move, from random openings of six
/// plies, each opening once with either colour. One core.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The player whose points are counted
    #[arg(long, default_value = "published")]
    player: Name,
    /// Its opponent
    #[arg(long, default_value = "generalised")]
    rival: Name,
    /// How many games
    #[arg(long, default_value_t = 20, value_name = "N")]
    games: u64,
    /// Processor time for a move, such as 1 (second) or 100ms
    #[arg(long, default_value = "100ms", value_parser = input::time_limit)]
    time: Duration,
    /// Decides the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// The strongest player of the published game
    Published,
    /// The strongest player of the generalised game
    Generalised,
    /// The same with the evaluation of variants that are unlike the published game
    Counting,
}

/// Entries of the table of a player that is made here, as many as others have.
const TABLE_BITS: u32 = 20;

/// A player of one of the games.
enum Player {
    Published(gipf_standard_engine::Player),
    Generalised(gipf_engine::player::Player),
}

impl Name {
    fn build(self) -> Player {
        use gipf_engine::player::{Player as Generalised, Weights};
        match self {
            Name::Published => Player::Published(gipf_standard_engine::Player::default()),
            Name::Generalised => Player::Generalised(Generalised::default()),
            Name::Counting => Player::Generalised(Generalised::new(Weights::default(), TABLE_BITS)),
        }
    }
}

impl Player {
    fn choose(&mut self, position: &Position, time: Duration) -> Option<Move> {
        match self {
            Player::Published(player) => {
                let limits = Limits::default().with_cpu(time);
                player.search(position, &limits).best
            }
            Player::Generalised(player) => generalised_move(player, position, time),
        }
    }
}

/// Plies after which a game counts as a draw.
const LONGEST: usize = 400;

/// Random plies before the players begin.
const OPENING: u32 = 6;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut results = [0u64; 3];
    for number in 0..args.games {
        let start = Position::start(Rules::Basic);
        let start = random_opening(&start, OPENING, args.seed + number / 2);
        let side = Side::BOTH[(number % 2) as usize];
        let outcome = play([args.player, args.rival], start, side, args.time);
        let sign = outcome.sign_for(side);
        results[(1 - sign) as usize] += 1;
    }
    let [won, drawn, lost] = results;
    let score = (won as f64 + drawn as f64 / 2.0) / args.games.max(1) as f64;
    if args.json {
        let object = json!({
            "bench": "gipf-standard", "games": args.games, "seconds": args.time.as_secs_f64(),
            "won": won, "drawn": drawn, "lost": lost, "score": score,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "{} games of 4 4 15 15 at {:?} of processor time a move: won {won}, drawn {drawn}, lost {lost}, score {:.1} %",
            args.games,
            args.time,
            100.0 * score
        )?;
    }
    Ok(())
}

/// One game; the first player has this side.
fn play(players: [Name; 2], start: Position, side: Side, time: Duration) -> Outcome {
    let mut players = players.map(Name::build);
    let mut position = start;
    for _ in 0..LONGEST {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let turn = usize::from(position.side() != side);
        let Some(mv) = players[turn].choose(&position, time) else {
            break;
        };
        position.play_unchecked(mv);
    }
    Outcome::Draw
}

/// The move of a player of the generalised game. Rows of its own that lie on the board are not known to the
/// generalised game: each way of taking them off is a position to search, with a share of the time.
fn generalised_move(
    player: &mut gipf_engine::player::Player,
    position: &Position,
    time: Duration,
) -> Option<Move> {
    let moves = position.moves();
    let mut removals: Vec<Points> = moves.iter().map(|mv| mv.before).collect();
    removals.dedup();
    let limits = Limits::default().with_cpu(time / removals.len().max(1) as u32);
    let mut best: Option<(i32, Move)> = None;
    for before in removals {
        let Some(board) = generalised(position, before) else {
            continue;
        };
        let report = player.search(&board, &limits);
        let Some(chosen) = report.best else { continue };
        let value = report.score.value();
        if best.is_none_or(|(known, _)| value > known) {
            let fitting = moves.iter().filter(|mv| mv.before == before);
            let found = same_move(position, fitting, &board, chosen);
            best = found.map(|mv| (value, mv)).or(best);
        }
    }
    best.map(|(_, mv)| mv).or(moves.first().copied())
}

/// The position of the generalised game after these pieces have been taken off.
fn generalised(position: &Position, before: Points) -> Option<gipf::Position> {
    let mover = position.side();
    let back = (position.pieces(mover) & before).len();
    let [white, black] = Side::BOTH.map(|side| {
        let reserve = u32::from(position.reserve(side));
        reserve + if side == mover { back } else { 0 }
    });
    let mut rows = vec![String::new(); 2 * usize::from(SIZE) - 1];
    for point in Points::ALL {
        let letter = match position.at(point).filter(|_| !before.contains(point)) {
            Some((Side::First, _)) => 'W',
            Some((Side::Second, _)) => 'B',
            None => '_',
        };
        rows[usize::from(point.field().row) - 1].push(letter);
    }
    let side = ['W', 'B'][mover.index()];
    let text = format!("4 4 15 15 {white} {black} {side} {}", rows.join("/"));
    text.parse().ok()
}

/// The move of the published game that pushes as a move of the generalised one does, and takes
/// off what goes there.
fn same_move<'a>(
    position: &Position,
    moves: impl Iterator<Item = &'a Move>,
    board: &gipf::Position,
    chosen: gipf::Move,
) -> Option<Move> {
    let text = board.move_text(chosen);
    let (dot, target) = text.split(' ').next()?.split_once('-')?;
    let mut after = *board;
    after.play_unchecked(chosen);
    let stands = |point: gipf_standard::Point| {
        let number = after.geometry().point(point.field());
        number.is_some_and(|number| after.stone(number).is_some())
    };
    let fits = |mv: &&Move| {
        mv.push.is_some_and(|push| {
            let entry = push.entry;
            let taken = mv.before.contains(entry.target());
            let empty = taken || position.at(entry.target()).is_none();
            entry.target().label() == target
                && (empty || entry.dot().label(SIZE) == dot)
                && !mv.after.into_iter().any(stands)
        })
    };
    moves
        .copied()
        .filter(|mv| fits(&mv))
        .max_by_key(|mv| mv.after.len())
}
