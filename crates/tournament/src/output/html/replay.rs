//! Games as the page's script plays them through: boards as rows of characters, and only
//! what changes from one to the next.

use bots::AnyPosition;
use draw::{Drawable, Ground, Kind, Layout, Scene, Spot};
use referee::GameRecord;
use rules::Side;
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
    let game = record.game_name()?;
    let start = AnyPosition::parse(game, &record.start).ok()?;
    let layout = scene(&start).layout;
    let number = board_number(&layout, boards);
    let first = pieces(&start, &layout);
    let mut before = first.clone();
    let mut turns = Vec::with_capacity(record.moves.len());
    let after = record.moves.iter().skip(1).map(|mv| &mv.position);
    for (mv, after) in record.moves.iter().zip(after.chain([&record.end])) {
        let now = pieces(&AnyPosition::parse(game, after).ok()?, &layout);
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

fn scene(position: &AnyPosition) -> Scene {
    match position {
        AnyPosition::Reversi(position) => position.scene(),
        AnyPosition::Gipf(position) => position.scene(),
        AnyPosition::Mmpawns(position) => position.scene(),
    }
}

/// One character per place: `-` empty, `0` and `1` the players' pieces, `*` no field. The
/// same as in the [`Scene`], but a scene for every turn would take most of the time.
fn pieces(position: &AnyPosition, layout: &Layout) -> Vec<u8> {
    let mark = |side: Option<Side>| side.map_or(b'-', |side| b"01"[side.index()]);
    match position {
        AnyPosition::Reversi(position) => {
            let [black, white] = Side::BOTH.map(|side| position.discs(side));
            reversi::Square::all()
                .map(
                    |square| match (black.contains(square), white.contains(square)) {
                        (true, _) => mark(Some(Side::First)),
                        (_, true) => mark(Some(Side::Second)),
                        _ => mark(None),
                    },
                )
                .collect()
        }
        AnyPosition::Gipf(position) => {
            let mut points = position.geometry().rows().flatten();
            let stone = |spot: &Spot| match spot.kind {
                Kind::Dot => None,
                _ => points.next().and_then(|&point| position.stone(point)),
            };
            layout.spots.iter().map(stone).map(mark).collect()
        }
        AnyPosition::Mmpawns(position) => mmpawns::Square::all()
            .map(|square| match position.symbol(square) {
                'A' => b'0',
                'B' => b'1',
                '*' => b'*',
                _ => b'-',
            })
            .collect(),
    }
}

/// The number of this board among those seen so far; holes do not make another one.
fn board_number(layout: &Layout, boards: &mut Vec<Layout>) -> usize {
    let same =
        |board: &Layout| board.ground == layout.ground && board.spots.len() == layout.spots.len();
    boards.iter().position(same).unwrap_or_else(|| {
        boards.push(layout.clone());
        boards.len() - 1
    })
}

fn board(layout: &Layout) -> Value {
    let kind = match layout.ground {
        Ground::Cloth => "cloth",
        Ground::Hexagon(_) => "hexagon",
        Ground::Field => "field",
    };
    let spots: Vec<Value> = layout
        .spots
        .iter()
        .map(|spot| json!([spot.name, spot.x, spot.y, u8::from(spot.kind == Kind::Dot)]))
        .collect();
    json!({ "kind": kind, "spots": spots })
}

#[cfg(test)]
mod tests {
    use bots::GameName;
    use referee::{GameSetup, play_game};

    use super::*;

    /// The pieces as the scene has them.
    fn drawn(scene: &Scene) -> Vec<u8> {
        let spots = scene.pieces.iter().zip(&scene.layout.spots);
        spots
            .map(|(piece, spot)| match piece {
                Some(side) => b"01"[side.index()],
                None if spot.kind == Kind::Hole => b'*',
                None => b'-',
            })
            .collect()
    }

    /// Putting the changes of every turn on the start gives the end.
    #[test]
    fn every_game_can_be_played_through() {
        for &game in GameName::ALL {
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
            assert_eq!(board, drawn(&scene(&end)), "{game}");
        }
    }
}
