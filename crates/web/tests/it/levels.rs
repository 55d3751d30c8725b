//! Levels: chosen on the form, with what they are worth.

use games::Algorithm;
use tournament::rating;

use crate::client::Client;

#[tokio::test]
async fn every_game_has_levels_to_choose() {
    let client = Client::new().await;
    for game in games::BUILT_IN {
        let page = client.get(&format!("/play?game={game}")).await.ok();
        for level in Algorithm::LEVELS {
            let option = match rating::level(game, level) {
                Some(rating) => format!("{} ({rating})</option>", level.words()),
                None => format!("{}</option>", level.words()),
            };
            assert!(page.contains(&option), "{game}: {option} in {page}");
        }
    }
}

#[tokio::test]
async fn every_level_answers_a_move() {
    let client = Client::new().await;
    for level in Algorithm::LEVELS {
        let form = format!("game=reversi&side=first&bot={}&budget=100ms", level.name());
        let game = client.post("/play", &form).await.location();
        client
            .post(&format!("{game}/move"), "move=d3")
            .await
            .location();
        let page = loop {
            let page = client.get(&game).await.ok();
            if page.contains("data-moves=\"2\"") {
                break page;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        };
        if level.is_level() {
            assert!(page.contains(&format!("<span>{}</span>", level.words())));
        }
    }
}
