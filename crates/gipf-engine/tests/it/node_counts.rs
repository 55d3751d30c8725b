//! Positions that the solver and the player look at on fixed questions.

use gipf::Position;
use gipf_engine::player::{Player, Weights};
use gipf_engine::solve::{Budget, solve_counting};
use search::Limits;

/// Positions and counts.
const SOLVER: &str = "\
2 2 5 5 3 3 W WB/___/_B; 132
2 2 5 5 3 4 B W_/__W/_B; 136
2 2 5 5 4 2 W _B/__W/B_; 141
2 2 7 4 4 1 W WB/B_W/WB; 144
2 3 5 5 1 3 W WB/BWW/W_; 10
2 3 6 6 3 3 W WB/B_W/WB; 1
4 4 15 15 2 1 W BWBB/___WB/__B_BW/_WW__BW/_WBWBW/_BWW_/_BBW; 46
4 4 15 15 1 4 W W__B/_____/______/B_____W/______/_____/W__B; 6
4 4 15 15 3 1 B W__B/_____/______/B_____W/______/_____/W__B; 6
4 4 15 15 1 4 B W__B/_____/__B___/B__W__W/__B___/_____/W__B; 29
4 4 15 15 2 4 W W__B/_____/__B___/B_____W/__B___/_____/W__B; 270
2 2 4 4; 143
2 2 5 5; 143
2 2 6 6; 143
2 2 8 8 3 3 W __/___/__; 131
2 3 5 5; 1
2 3 9 7; 1
2 3 5 5 1 3 W WB/BWW/W_; 10
3 3 4 4; 5
4 4 15 15 1 8 B W__B/_____/__B___/B__W__W/__B___/_____/W__B; 29
4 4 15 15 2 1 W BWBB/___WB/__B_BW/_WW__BW/_WBWBW/_BWW_/_BBW; 46
4 4 15 15 2 9 W W__B/_____/__B___/B_____W/__B___/_____/W__B; 270
4 4 15 15 1 4 W W__B/_____/______/B_____W/______/_____/W__B; 6
4 4 15 15 3 1 B W__B/_____/______/B_____W/______/_____/W__B; 6
";

/// These are solved before the first thread is started, so that the counts repeat.
#[test]
fn solver() {
    let data = [
        include_str!("../data/endings.txt"),
        include_str!("../data/solve.txt"),
    ];
    let mut found = String::new();
    for line in data.iter().flat_map(|data| data.lines()) {
        if let Some((position, _)) = line.split_once(';') {
            let parsed: Position = position.parse().unwrap();
            let mut nodes = 0;
            solve_counting(&parsed, &Budget::default(), &mut nodes).unwrap();
            found += &format!("{position}; {nodes}\n");
        }
    }
    assert_eq!(found, SOLVER);
}

/// Positions and depths to search.
const QUESTIONS: [(&str, u32); 4] = [
    ("4 4 15 15", 6),
    ("3 3 8 8", 7),
    ("2 2 5 5", 10),
    (
        "4 4 15 15 2 9 W W__B/_____/__B___/B_____W/__B___/_____/W__B",
        6,
    ),
];

/// The value and the count of each question, asked of a new player.
fn searched(player: impl Fn() -> Player) -> [(i32, u64); 4] {
    QUESTIONS.map(|(position, depth)| {
        let position: Position = position.parse().unwrap();
        let report = player().search(&position, &Limits::default().with_depth(depth));
        (report.score.value(), report.nodes)
    })
}

#[test]
fn player() {
    let found = searched(|| Player::new(Weights::default(), 12));
    let expected = [(18, 15_192), (4, 73_151), (307, 7_984), (-999_996, 4_742)];
    assert_eq!(found, expected);
}

/// The player that people meet: 4 4 15 15 by patterns, other variants by counts.
#[test]
fn best_player() {
    let expected = [(32, 11_483), (13, 70_794), (307, 7_972), (-999_996, 3_987)];
    assert_eq!(searched(Player::default), expected);
}
