//! The real base of tournament games, where it is at hand: every game replays.

use std::fs;
use std::path::Path;

use reversi::notation::wthor;
use rules::Side;

#[test]
fn every_game_replays() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/wthor");
    if !folder.is_dir() {
        println!("skipped: no {}", folder.display());
        return;
    }
    let bytes = |name: &str| fs::read(folder.join(name)).expect("a file that can be read");
    let players = wthor::players(&bytes("WTH.JOU")).expect("players");
    let tournaments = wthor::tournaments(&bytes("WTH.TRN")).expect("tournaments");
    let mut count = 0;
    for file in fs::read_dir(&folder).expect("a folder that can be read") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|e| e != "wtb") {
            continue;
        }
        let bytes = fs::read(&path).expect("a file that can be read");
        let mut games =
            wthor::games(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        count += games.entries.len();
        for game in &mut games.entries {
            game.name(&players, &tournaments);
            assert!(game.record.black.is_some() && game.record.white.is_some());
            let last = game.record.last();
            let discs = last.discs(Side::First).len() + last.discs(Side::Second).len();
            assert_eq!(discs as usize, 4 + game.record.moves.len() - passes(game));
        }
    }
    println!("{count} games");
    assert!(count >= 137_548, "{count} games");
}

fn passes(game: &wthor::Entry) -> usize {
    let moves = game.record.moves.iter();
    moves.filter(|mv| mv.square().is_none()).count()
}
