//! Who plays at the same time.

use super::*;
use crate::RawConfig;

fn config() -> Config {
    let players = ["random", "greedy"].map(|player| player.parse().unwrap());
    let mut config = RawConfig::new("alone", games::REVERSI, players.into());
    config.limits.wall = None;
    config.try_into().unwrap()
}

#[tokio::test]
async fn a_game_that_the_machine_was_too_busy_for_is_played_alone() {
    let store = Store::in_memory().await.unwrap();
    let options = RunOptions {
        concurrency: 2,
        pin: false,
        ..RunOptions::default()
    };
    let mut runner = Runner::new(&store, config(), &options, "alone".into())
        .await
        .unwrap();
    assert!(runner.refill());
    let mut pool = Pool::new(&options);
    let id = |fixture: &Fixture| game_id("alone", fixture.key);
    let first = runner.queue.pop_front().unwrap();
    let second = id(&runner.queue[0]);
    runner.running.insert(id(&first), first);
    assert!(runner.aside.too_busy(&second, "busy").is_none());
    runner.hand_out(&mut pool).await.unwrap();
    assert_eq!(runner.running.len(), 1, "the first is still being played");
    runner.running.clear();
    runner.hand_out(&mut pool).await.unwrap();
    let running: Vec<&String> = runner.running.keys().collect();
    assert_eq!(running, [&second]);
    Box::new(pool).stop(false).await;
}
