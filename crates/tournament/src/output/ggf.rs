//! Games of Othello as other people's programs read them.

use referee::GameRecord;
use reversi::Position;
use reversi::notation::{self, Record};
use rules::Game;

/// A game in GGF, or `None` if it is not of Othello. GGF knows no lost turns, so a game
/// with one is written up to there, and the event says so.
#[must_use]
pub fn ggf(record: &GameRecord, event: &str) -> Option<String> {
    if record.game != games::REVERSI {
        return None;
    }
    let mut position: Position = record.start.parse().ok()?;
    let mut game = Record::new(position);
    game.black = Some(record.players[0].name.clone());
    game.white = Some(record.players[1].name.clone());
    game.event = Some(event.into());
    for mv in &record.moves {
        let read = mv.mv.as_deref().filter(|_| mv.verdict.is_ok());
        let Some(Ok(played)) = read.map(|text| position.parse_move(text)) else {
            game.event = Some(format!("{event}, to the fault in turn {}", mv.ply));
            break;
        };
        position.play_unchecked(played);
        game.moves.push(played);
    }
    Some(notation::ggf::write(&game))
}

#[cfg(test)]
mod tests {
    use games::AnyPosition;
    use referee::{GameSetup, play_game};

    use super::*;

    #[test]
    fn a_game_is_read_back() {
        let start = AnyPosition::random_start(games::REVERSI, 3);
        let players = ["greedy".parse().unwrap(), "random".parse().unwrap()];
        let setup = GameSetup::new(start, players);
        let record = play_game(&setup, &mut |_| (), &Default::default()).unwrap();
        let text = ggf(&record, "a cup").unwrap();
        let read = &notation::ggf::read(&text).unwrap()[0];
        assert_eq!(read.last().to_string(), record.end);
        assert_eq!(read.black.as_deref(), Some("greedy"));
        assert_eq!(read.event.as_deref(), Some("a cup"));
    }
}
