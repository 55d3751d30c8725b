//! A match of two bots, with ratings: `cargo run -p examples --bin run-a-match`.

use games::REVERSI;
use tournament::{Config, RawConfig, RunOptions, Store, run};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let players = vec!["minimax:2".parse()?, "greedy".parse()?];
    let mut config = RawConfig::new("Example", REVERSI, players);
    config.pairs = 5;
    let config = Config::try_from(config)?;
    // A path instead keeps the games for `ludex replay` and `ludex tournament show`.
    let store = Store::in_memory().await?;
    let summary = run(&store, &config, &RunOptions::default()).await?;
    for row in store.standings(&summary.tournament).await?.rows {
        println!(
            "{}. {}: {} points, Elo {:+.0}",
            row.rank,
            row.name,
            row.points(),
            row.rating.elo
        );
    }
    Ok(())
}
