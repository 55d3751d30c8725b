//! Positions that the player looks at on fixed questions.

use std::fmt::Write;

use gipf_standard::{Position, Rules};
use gipf_standard_engine::Player;
use rules::Game;
use search::Limits;

/// Rules, plies played from the start (each time the middle move of the list), depth and count.
const PLAYER: &str = "\
basic 0 5; 4738
basic 9 5; 7360
basic 16 5; 12964
standard 0 5; 4577
standard 9 5; 6577
standard 16 5; 8391
tournament 0 5; 10166
tournament 9 5; 8763
tournament 16 5; 52950
";

#[test]
fn player() {
    let mut found = String::new();
    for rules in Rules::ALL {
        for (plies, depth) in [(0, 5), (9, 5), (16, 5)] {
            let mut position = Position::start(rules);
            for _ in 0..plies {
                let moves = position.moves();
                let Some(&mv) = moves.get(moves.len() / 2) else {
                    break;
                };
                position.play_unchecked(mv);
            }
            let report = Player::default().search(&position, &Limits::default().with_depth(depth));
            let nodes = report.nodes;
            writeln!(found, "{rules} {plies} {depth}; {nodes}").unwrap();
        }
    }
    assert_eq!(found, PLAYER);
}
