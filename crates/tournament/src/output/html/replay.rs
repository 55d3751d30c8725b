//! Games as the page's script plays them through: boards as rows of characters, and only
//! what changes from one to the next.

use draw::{Kind, Layout};
use referee::GameRecord;
use serde_json::{Value, json};

use crate::store::{GameRow, Store, StoreResult};

/// `{boards: […], games: {id: …}}`.
pub(super) async fn data(store: &Store, chosen: &[&GameRow]) -> StoreResult<Value> {
    let mut boards: Vec<Layout> = Vec::new();
    let mut games = serde_json::Map::new();
    for game in chosen {
        if let Some(record) = store.record(&game.id).await?
            && let Some(replay) = replay(&record, &mut boards)
        {
            games.insert(game.id.clone(), replay);
        }
    }
    let boards: Vec<Value> = boards.iter().map(board).collect();
    Ok(json!({ "boards": boards, "games": games }))
}

/// One game; `None` if its positions cannot be read.
fn replay(record: &GameRecord, boards: &mut Vec<Layout>) -> Option<Value> {
    let game = record.game;
    let start = game.parse(&record.start).ok()?;
    let layout = start.scene().layout;
    let number = board_number(&layout, boards);
    let first = start.pieces();
    let mut before = first.clone();
    let mut turns = Vec::with_capacity(record.moves.len());
    let after = record.moves.iter().skip(1).map(|mv| &mv.position);
    for (mv, after) in record.moves.iter().zip(after.chain([&record.end])) {
        let now = game.parse(after).ok()?.pieces();
        let changes: Vec<Value> = (0..now.len())
            .filter(|&spot| now[spot] != before[spot])
            .flat_map(|spot| [json!(spot), json!(char::from(now[spot]).to_string())])
            .collect();
        let text = match (&mv.mv, mv.verdict.is_ok()) {
            (Some(text), true) => text.clone(),
            _ => format!("✗ {}", mv.verdict),
        };
        turns.push(json!([
            mv.side.index(),
            text,
            changes,
            mv.wall.0.as_micros() as u64,
            mv.cpu.0.as_micros() as u64
        ]));
        before = now;
    }
    let first = String::from_utf8(first).ok()?;
    Some(json!({ "board": number, "start": first, "turns": turns }))
}

/// The number of this board among those seen so far; holes do not make another one.
fn board_number(layout: &Layout, boards: &mut Vec<Layout>) -> usize {
    let same =
        |board: &Layout| board.look == layout.look && board.spots.len() == layout.spots.len();
    boards.iter().position(same).unwrap_or_else(|| {
        boards.push(layout.clone());
        boards.len() - 1
    })
}

fn board(layout: &Layout) -> Value {
    let spots = layout.spots.iter().enumerate();
    let spots: Vec<Value> = spots
        .map(|(number, spot)| {
            let (x, y) = layout.at(number);
            json!([spot.name, x, y, u8::from(spot.kind == Kind::Dot)])
        })
        .collect();
    json!({ "kind": layout.look.name, "spots": spots })
}

#[cfg(test)]
mod tests {
    use games::{AnyPosition, GameName};
    use referee::{GameSetup, play_game};

    use super::*;

    /// Putting the changes of every turn on the start gives the end.
    #[test]
    fn every_game_can_be_played_through() {
        for game in GameName::all() {
            let players = ["random".parse().unwrap(), "random".parse().unwrap()];
            let mut setup = GameSetup::new(AnyPosition::random_start(game, 5), players);
            setup.longest = 60;
            let record = play_game(&setup, &mut |_| (), &Default::default()).unwrap();
            let replay = replay(&record, &mut Vec::new()).unwrap();
            let mut board = replay["start"].as_str().unwrap().as_bytes().to_vec();
            for turn in replay["turns"].as_array().unwrap() {
                for change in turn[2].as_array().unwrap().chunks(2) {
                    let spot = change[0].as_u64().unwrap() as usize;
                    board[spot] = change[1].as_str().unwrap().as_bytes()[0];
                }
            }
            let end = AnyPosition::parse(game, &record.end).unwrap();
            assert_eq!(board, end.scene().characters(), "{game}");
        }
    }
}
