//! Files of settings, and the record of a game.

use std::path::Path;

use fuzz::fuzz;
use referee::GameRecord;
use tournament::Config;

use crate::{INPUTS, answer};

#[test]
fn tournament_file() {
    let seeds = [
        r#"
name = "Spring cup"
game = "othello"
format = "swiss"
rounds = 2
pairs = 3
seed = 7
[openings]
from = "start"
plies = 6
[limits]
wall = "200 ms"
[[player]]
bot = "greedy"
[[player]]
name = "mine"
kind = "argv"
command = "./mine --fast"
limits = { memory = "2 GB" }
[[player]]
bot = "minimax:2"
"#,
        "game = \"gipf\"\nformat = \"knockout\"\nextra-pairs = 1\n[[player]]\nbot = \"random\"\n\
         [[player]]\nbot = \"best:30s/game\"\n",
    ];
    fuzz("tournament_file", &seeds, INPUTS, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let config = Config::from_toml(Path::new("cup.toml"), &text);
        if let Ok(config) = &config {
            let stored = serde_json::to_string(config).unwrap();
            let again: Config = serde_json::from_str(&stored).unwrap();
            assert_eq!(again.id(), config.id());
        }
        answer(&config)
    });
}

#[test]
fn programs_file() {
    let seeds = [
        "[[program]]\nname = \"mine\"\nkind = \"argv\"\ncommand = \"./mine --fast 'a b'\"\n\
         folder = \"/tmp\"\nlimits = { wall = \"1.5 s\", memory = 1000000 }\n",
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("programs.toml");
    fuzz("programs_file", &seeds, INPUTS, |bytes| {
        std::fs::write(&path, bytes).unwrap();
        answer(&web::read_programs(&path))
    });
}

/// The record that the documentation shows, and what becomes of it.
#[test]
fn game_record() {
    let page = include_str!("../../../../docs/game-record.md");
    let start = page.find("```json").unwrap() + "```json".len();
    let record = &page[start..start + page[start..].find("```").unwrap()];
    assert!(serde_json::from_str::<GameRecord>(record).is_ok());
    fuzz("game_record", &[record], INPUTS, |bytes| {
        let record: Result<GameRecord, _> = serde_json::from_slice(bytes);
        if let Ok(record) = &record {
            let written = serde_json::to_string(record).unwrap();
            let again: GameRecord = serde_json::from_str(&written).unwrap();
            assert_eq!(serde_json::to_string(&again).unwrap(), written);
        }
        answer(&record)
    });
}
