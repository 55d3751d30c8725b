//! Positions that each prover looks at on fixed questions. A change that is not meant to alter
//! the search leaves these counts as they are; one that is says so and gives the new ones.

use gipf::Position;
use rules::Game;
use search::{Clock, Limits};

use super::bounded::ShortestWin;
use super::fixed_point::hashed::HashedProver;
use super::fixed_point::indexed::{IndexedProver, Together};
use super::fixed_point::{FixedPointProver, Progress};
use super::portfolio::Prepared;
use super::proof_number::ProofNumberSearch;
use super::proof_number::initial::{LogOdds, MaterialOdds, SmallOdds};
use super::rules::{General, Rules, SmallBoard};

/// Memory for each prover.
const MEMORY: usize = 1 << 28;

/// Positions of a turn: short enough that no thread is started.
const SLICE: u64 = 900;

/// What is found for each position, a line each.
fn table(positions: &[&str], count: impl Fn(&Position) -> String) -> String {
    let line = |text: &&str| {
        let position: Position = text.parse().unwrap();
        format!("{text}: {}\n", count(&position))
    };
    positions.iter().map(line).collect()
}

/// Whether the player to move wins, the opponent, or nobody.
fn winner(mover_wins: Option<bool>) -> &'static str {
    match mover_wins {
        Some(true) => "mover",
        Some(false) => "opponent",
        None => "nobody",
    }
}

fn small(position: &Position) -> (&'static Prepared, SmallBoard) {
    let prepared = Prepared::of(position.variant()).unwrap();
    (prepared, SmallBoard::new(position).unwrap())
}

/// The answer of a prover, and the positions that it takes.
fn count(prover: &mut impl FixedPointProver) -> String {
    loop {
        let answer = match prover.run(&Limits::default(), SLICE) {
            [Progress::Wins, _] => Some(true),
            [_, Progress::Wins] => Some(false),
            [Progress::Fails, Progress::Fails] => None,
            _ => continue,
        };
        return format!("{} {}", winner(answer), prover.take_count());
    }
}

const INDEXED: &str = "\
2 2 8 8: nobody 17
3 3 5 5: nobody 4442
3 3 6 6: nobody 68397
3 4 5 5: opponent 2
3 3 4 5: opponent 0
3 3 5 5 1 1 W W_B/B__W/B___W/____/W_B: nobody 5516
3 3 6 6 2 1 B W_B/____/B___W/____/W_B: opponent 0
3 3 6 6 1 1 W W_B/BWWB/B___W/__B_/__W: nobody 104823
";

/// The last one needs a reply that looks risky: without a second risk limit it takes three times as
/// many positions.
#[test]
fn indexed_sets() {
    let positions = [
        "2 2 8 8",
        "3 3 5 5",
        "3 3 6 6",
        "3 4 5 5",
        "3 3 4 5",
        "3 3 5 5 1 1 W W_B/B__W/B___W/____/W_B",
        "3 3 6 6 2 1 B W_B/____/B___W/____/W_B",
        "3 3 6 6 1 1 W W_B/BWWB/B___W/__B_/__W",
    ];
    let found = table(&positions, |position| {
        let (prepared, root) = small(position);
        count(&mut IndexedProver::new(prepared.knowledge(), root, MEMORY))
    });
    assert_eq!(found, INDEXED);
}

/// The positions of a game, from its end backwards, each alone and all in one set: a proof of one
/// is most of the proofs of the others.
#[test]
fn shared_sets() {
    let mut position: Position = "3 3 6 6".parse().unwrap();
    let mut game = Vec::new();
    while position.outcome().is_none() && game.len() < 12 {
        game.push(position);
        let moves = position.moves();
        position.play_unchecked(moves[(game.len() * 11 + 3) % moves.len()]);
    }
    let (prepared, start) = small(&game[0]);
    let mut alone = 0;
    for position in &game {
        let (prepared, root) = small(position);
        let number = |text: String| text.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
        alone += number(count(&mut IndexedProver::new(
            prepared.knowledge(),
            root,
            MEMORY,
        )));
    }
    let mut together = Together::new(prepared.knowledge(), start.totals[0], MEMORY);
    let boards = game.iter().rev().map(|position| small(position).1);
    together.ask(boards.enumerate());
    let mut decided = 0;
    let progress = together.run(&Limits::default(), u64::MAX, |_, _| decided += 1);
    assert_eq!((progress, decided), (Progress::Fails, game.len()));
    let counts = (game.len(), alone, together.count());
    assert_eq!(counts, (6, 350_419, 71_716));
}

const HASHED: [&str; 2] = [
    "\
2 2 6 6: nobody 217
2 2 9 7: nobody 510
3 3 5 4: mover 1
3 4 5 5: opponent 9
3 3 5 5 1 1 W W_B/____/____W/____/W_B: opponent 1
3 4 5 5 1 2 B W_B/____/____W/____/W_B: mover 1
",
    "\
2 2 6 6: nobody 396
2 2 9 7: nobody 848
3 3 5 4: mover 1
3 4 5 5: opponent 9
3 3 5 5 1 1 W W_B/____/____W/____/W_B: opponent 1
3 4 5 5 1 2 B W_B/____/____W/____/W_B: mover 1
",
];

#[test]
fn hashed_sets() {
    let positions = [
        "2 2 6 6",
        "2 2 9 7",
        "3 3 5 4",
        "3 4 5 5",
        "3 3 5 5 1 1 W W_B/____/____W/____/W_B",
        "3 4 5 5 1 2 B W_B/____/____W/____/W_B",
    ];
    let on_small = table(&positions, |position| {
        let (prepared, root) = small(position);
        count(&mut HashedProver::new(&prepared.rules, &root, MEMORY))
    });
    let on_general = table(&positions, |position| {
        let rules = General::new(position.variant());
        count(&mut HashedProver::new(&rules, position, MEMORY))
    });
    assert_eq!([on_small, on_general], HASHED);
}

fn prove(position: &Position, memory: usize) -> String {
    fn run<R: Rules>(rules: &R, odds: &impl LogOdds<R>, root: &R::Board, memory: usize) -> String {
        let mut proof = ProofNumberSearch::new(rules, odds, root, memory);
        let mut clock = Clock::start(&Limits::default());
        let found = proof.run(&mut clock, 100_000, || false);
        format!("{} {}", winner(found), proof.nodes())
    }
    match SmallBoard::new(position) {
        Some(root) => {
            let rules = &small(position).0.rules;
            run(rules, &SmallOdds::new(rules.shape()), &root, memory)
        }
        None => {
            let rules = General::new(position.variant());
            run(&rules, &MaterialOdds, position, memory)
        }
    }
}

const PROOFS: [&str; 2] = [
    "\
3 4 8 8: opponent 18018
3 5 6 6: opponent 14
3 4 6 6: opponent 17
2 2 5 5: nobody 12722
3 3 6 6 1 2 W _WW/_B__/B___W/B___/___: nobody 100000
4 4 15 15 2 9 W W__B/_____/__B___/B_____W/__B___/_____/W__B: opponent 39
",
    "\
3 4 8 8: nobody 100000
3 5 6 6: opponent 14
3 4 6 6: opponent 17
2 2 5 5: nobody 12722
3 3 6 6 1 2 W _WW/_B__/B___W/B___/___: nobody 100000
4 4 15 15 2 9 W W__B/_____/__B___/B_____W/__B___/_____/W__B: opponent 39
",
];

#[test]
fn proof_numbers() {
    let positions = [
        "3 4 8 8",
        "3 5 6 6",
        "3 4 6 6",
        "2 2 5 5",
        "3 3 6 6 1 2 W _WW/_B__/B___W/B___/___",
        "4 4 15 15 2 9 W W__B/_____/__B___/B_____W/__B___/_____/W__B",
    ];
    let roomy = table(&positions, |position| prove(position, MEMORY));
    // A table of a thousand entries, most of which are replaced.
    let narrow = table(&positions, |position| prove(position, 1 << 14));
    assert_eq!([roomy, narrow], PROOFS);
}

const SHORTEST: &str = "\
3 4 6 6: Some((false, 6)) 765
3 5 6 6: Some((false, 6)) 744
2 2 6 6: None 33
3 4 7 7: Some((false, 8)) 7200
3 3 4 5 1 2 W B_W/____/_WB__/____/___: Some((false, 2)) 15
";

#[test]
fn shortest_wins() {
    let positions = [
        "3 4 6 6",
        "3 5 6 6",
        "2 2 6 6",
        "3 4 7 7",
        "3 3 4 5 1 2 W B_W/____/_WB__/____/___",
    ];
    let found = table(&positions, |position| {
        let (prepared, root) = small(position);
        let mut bounded = ShortestWin::new(&prepared.rules, &root, MEMORY);
        let mut clock = Clock::start(&Limits::default());
        let found = bounded.run(8, None, &mut clock, u64::MAX, || false);
        format!("{:?} {}", found.unwrap(), bounded.nodes())
    });
    assert_eq!(found, SHORTEST);
}
