//! Proofs are right: compared with slow and obvious solvers, and with tables, on positions of
//! games between weak players.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::AtomicBool;

use games::{
    Algorithm, AnyPosition, AnyProver, GIPF, GIPF_STANDARD, GameName, MMPAWNS, Proof, REVERSI,
    Resources, Room, Value,
};
use gipf_engine::tables::{self, Settings, Table};
use rules::{Game, Side};
use search::Limits;

const ROOM: Room = Room {
    threads: 1,
    memory: 64 << 20,
};

fn prover(game: GameName) -> Box<dyn AnyProver> {
    let mut provers = game.provers(&Resources::default(), ROOM);
    provers.pop().expect("a prover")
}

/// Every position of a game between weak players.
fn game(start: AnyPosition, seed: u64, longest: usize) -> Vec<AnyPosition> {
    let players = [Algorithm::Random, Algorithm::Greedy];
    let resources = Resources::default();
    let name = start.game();
    let mut players = players.map(|player| name.engine(player, &resources, seed));
    let mut positions = vec![start];
    while let Some(at) = positions.last()
        && at.outcome().is_none()
        && positions.len() <= longest
    {
        let side = at.side_to_move().index() ^ (seed % 2) as usize;
        let report = players[side].search(at, &Limits::default().with_depth(1));
        let mut next = at.clone();
        next.play(&report.best.expect("a move")).expect("legal");
        positions.push(next);
    }
    positions
}

fn proven(prover: &mut dyn AnyProver, position: &AnyPosition, nodes: u64) -> Option<Proof> {
    prover.prove(position, &Limits::default().with_nodes(nodes))
}

/// The final difference with best play, by plain alpha–beta.
fn margin(position: &reversi::Position, mut alpha: i32, beta: i32) -> i32 {
    if let Some(outcome) = position.outcome() {
        let sign = outcome.sign_for(position.side_to_move());
        let empty = position.board().empty().len() as i32;
        return position.board().difference() + sign * empty;
    }
    for mv in position.moves() {
        let mut next = *position;
        next.play_unchecked(mv);
        alpha = alpha.max(-margin(&next, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

#[test]
fn margins_are_those_of_plain_search() {
    let mut prover = prover(REVERSI);
    let (mut compared, mut signs) = (0, [0; 3]);
    for seed in 0..300 {
        let start = AnyPosition::random_start(REVERSI, seed);
        for position in game(start, seed, 200) {
            let plain: &reversi::Position = position.downcast_ref().unwrap();
            let empties = plain.board().empty().len();
            // The longer ones only now and then.
            if empties > 11 || (empties > 7 && seed % 50 != 0) {
                continue;
            }
            let expected = margin(plain, -64, 64);
            let found = prover.prove(&position, &Limits::default());
            assert_eq!(found, Some(Proof::with_margin(expected)), "{position}");
            compared += 1;
            signs[(expected.signum() + 1) as usize] += 1;
        }
    }
    assert!(compared > 1500, "{compared}");
    assert!(signs.iter().all(|&count| count > 20), "{signs:?}");
}

/// Who wins, and in how many plies, by writing down every line of play; `None` if there are too
/// many.
fn written_out<G: Game + Copy + Eq + Hash>(
    position: &G,
    known: &mut HashMap<G, i32>,
) -> Option<i32> {
    const WIN: i32 = 1000;
    if let Some(&value) = known.get(position) {
        return Some(value);
    }
    if known.len() > 8_000 {
        return None;
    }
    let value = match position.outcome() {
        Some(outcome) => WIN * outcome.sign_for(position.side_to_move()),
        None => {
            let mut best = -WIN;
            for mv in position.moves() {
                let mut next = *position;
                next.play_unchecked(mv);
                let value = -written_out(&next, known)?;
                best = best.max(value - value.signum());
            }
            best
        }
    };
    known.insert(*position, value);
    Some(value)
}

#[test]
fn pawns_are_proven_as_by_every_line_of_play() {
    let mut prover = prover(MMPAWNS);
    let (mut compared, mut with_distance) = (0, 0);
    for seed in 0..400 {
        let start = AnyPosition::random_start(MMPAWNS, seed);
        for position in game(start, seed, 70).into_iter().rev().take(4) {
            let plain: &mmpawns::Position = position.downcast_ref().unwrap();
            let Some(value) = written_out(plain, &mut HashMap::new()) else {
                continue;
            };
            let Some(proof) = proven(&mut *prover, &position, 3_000) else {
                continue;
            };
            assert_eq!(proof.value, Value::of(value), "{position}");
            compared += 1;
            if let Some(distance) = proof.distance {
                assert_eq!(distance as i32, 1000 - value.abs(), "{position}");
                with_distance += 1;
            }
        }
    }
    assert!(
        compared > 400 && with_distance > 200,
        "{compared}, {with_distance}"
    );
}

/// Positions near the end, by the reserves or by the draw.
#[test]
fn published_gipf_is_proven_as_by_every_line_of_play() {
    let mut prover = prover(GIPF_STANDARD);
    let (mut compared, mut values) = (0, HashMap::new());
    for seed in 0..60 {
        let rules = ["basic", "standard", "tournament"][seed as usize % 3];
        let start = AnyPosition::parse(GIPF_STANDARD, rules).unwrap();
        let positions = game(start, seed, 16 + seed as usize % 20);
        let Some(last) = positions.iter().rfind(|at| at.outcome().is_none()) else {
            continue;
        };
        let text = last.to_string();
        let words: Vec<&str> = text.split(' ').collect();
        let (side, board) = (words[3], words[words.len() - 1]);
        // With a capture in between the game goes on a little longer.
        for end in [
            "1 1 {} 0/9",
            "2 1 {} 0/9",
            "1 3 {} 0/9",
            "5 5 {} 1/3",
            "4 5 {} 0/2",
        ] {
            let rest = end.replace("{}", side);
            let Ok(position) = GIPF_STANDARD.parse(&format!("{rules} {rest} {board}")) else {
                continue;
            };
            let plain: &gipf_standard::Position = position.downcast_ref().unwrap();
            let Some(value) = written_out(plain, &mut HashMap::new()) else {
                continue;
            };
            let Some(proof) = proven(&mut *prover, &position, 20_000) else {
                continue;
            };
            assert_eq!(proof.value, Value::of(value), "{position}");
            if let Some(distance) = proof.distance {
                assert_eq!(distance as i32, 1000 - value.abs(), "{position}");
            }
            compared += 1;
            *values.entry(proof.value).or_insert(0) += 1;
        }
    }
    assert!(compared > 60, "{compared}");
    assert!(
        values.len() == 3 && values.values().all(|&n| n > 3),
        "{values:?}"
    );
}

#[test]
fn ties_and_wins_are_those_of_tables() {
    let folder = tempfile::tempdir().unwrap();
    let (mut compared, mut values) = (0, HashMap::new());
    for variant in ["2 2 5 5", "2 3 6 6", "3 3 5 5"] {
        let name = tables::folder_name(variant.parse().unwrap());
        let path = folder.path().join(name);
        let settings = Settings {
            threads: 1,
            memory: 1 << 28,
            resume: false,
        };
        let never = AtomicBool::new(false);
        let progress = tables::Progress::default();
        tables::solve(variant.parse().unwrap(), &path, settings, &never, &progress).unwrap();
        let table = Table::open(&path).unwrap();
        let resources = Resources::new([folder.path()]);
        let mut with_tables = GIPF.provers(&resources, ROOM).pop().expect("a prover");
        let mut without = prover(GIPF);
        for seed in 0..8 {
            let start = AnyPosition::parse(GIPF, variant).unwrap();
            for position in game(start, seed, 40) {
                let plain: &gipf::Position = position.downcast_ref().unwrap();
                if plain.outcome().is_some() {
                    continue;
                }
                let expected = match table.value(plain).expect("every position that arises") {
                    tables::Value::Win(plies) => Proof::with_distance(Value::Win, Some(plies)),
                    tables::Value::Loss(plies) => Proof::with_distance(Value::Loss, Some(plies)),
                    tables::Value::Draw => Value::Draw.into(),
                };
                assert_eq!(
                    proven(&mut *with_tables, &position, 1),
                    Some(expected),
                    "{position}"
                );
                if let Some(found) = proven(&mut *without, &position, 4_000) {
                    assert_eq!(found.value, expected.value, "{position}");
                    if found.distance.is_some() {
                        assert_eq!(found.distance, expected.distance, "{position}");
                    }
                    compared += 1;
                    *values.entry(found.value).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(compared > 150, "{compared}");
    assert!(
        values.len() == 3 && values.values().all(|&n| n > 3),
        "{values:?}"
    );
}

/// A line of best play keeps the value to its end.
#[test]
fn lines_keep_the_value() {
    for (name, plies, fewest) in [(REVERSI, 8, 20), (GIPF_STANDARD, 2, 8), (MMPAWNS, 8, 20)] {
        let mut prover = prover(name);
        let mut followed = 0;
        for seed in 0..10 {
            let positions = game(AnyPosition::random_start(name, seed), seed, 200);
            let late = positions.len().saturating_sub(plies);
            let mut at = positions[late].clone();
            let Some(proof) = proven(&mut *prover, &at, 20_000) else {
                continue;
            };
            let winner = match proof.value {
                Value::Win => Some(at.side_to_move()),
                Value::Draw => None,
                Value::Loss => Some(!at.side_to_move()),
            };
            for mv in prover.line(&at, &Limits::default().with_nodes(20_000)) {
                at.play(&mv).expect("a legal move");
                followed += 1;
                let Some(proof) = proven(&mut *prover, &at, 20_000) else {
                    continue;
                };
                let sign = winner.map_or(
                    0,
                    |side: Side| if side == at.side_to_move() { 1 } else { -1 },
                );
                assert_eq!(proof.value.sign(), sign, "{at}");
            }
        }
        assert!(followed > fewest, "{name}: {followed}");
    }
}

#[test]
fn symmetric_positions_have_one_text() {
    for name in GameName::all() {
        let start = AnyPosition::random_start(name, 4);
        assert_eq!(start.canonical_text(), {
            let text = start.canonical_text();
            AnyPosition::parse(name, &text).unwrap().canonical_text()
        });
    }
    let texts: Vec<String> = AnyPosition::start(REVERSI)
        .moves()
        .iter()
        .map(|mv| {
            let mut next = AnyPosition::start(REVERSI);
            next.play(mv).unwrap();
            next.canonical_text()
        })
        .collect();
    assert!(texts.windows(2).all(|pair| pair[0] == pair[1]), "{texts:?}");
}
