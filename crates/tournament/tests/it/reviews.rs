//! Proofs and reviews are kept, and sums follow from them.

use games::{Proof, REVERSI, Value};
use review::{Played, stated};
use tournament::{GameFilter, Store, output};

use super::{block_on, checked, config, options};

#[test]
fn proofs_stay_and_become_stronger() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let keep = async |proof: Proof| {
            let proofs = vec![("somewhere".to_string(), proof)];
            store.add_proofs(REVERSI, proofs).await.unwrap();
            let kept = store.proofs(REVERSI, vec!["somewhere".into(), "elsewhere".into()]);
            kept.await.unwrap()
        };
        let known = |proof| vec![("somewhere".to_string(), proof)];
        assert_eq!(keep(Value::Win.into()).await, known(Value::Win.into()));
        assert_eq!(
            keep(Proof::with_margin(6)).await,
            known(Proof::with_margin(6))
        );
        assert_eq!(keep(Value::Win.into()).await, known(Proof::with_margin(6)));
        // What is proven is never taken back.
        assert_eq!(keep(Value::Loss.into()).await, known(Proof::with_margin(6)));
        let other = store.proofs(games::GIPF, vec!["somewhere".into()]);
        assert_eq!(other.await.unwrap(), []);
    });
}

#[test]
fn reviews_are_part_of_every_export() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let config = checked(config("reviewed", &["random", "greedy"]));
        let summary = tournament::run(&store, &config, &options()).await.unwrap();
        let id = summary.tournament;
        let before = output::html(&store, &id, &Default::default())
            .await
            .unwrap();
        assert!(!before.contains("<h2>Conversion</h2>"));
        let games = store.games(&id, &GameFilter::default()).await.unwrap();
        for game in &games {
            let record = store.record(&game.id).await.unwrap().unwrap();
            let played = Played::from_record(&record).unwrap();
            let knowledge = store.knowledge(&played).await.unwrap();
            let last = played.turns.last().unwrap();
            knowledge.learn(&last.before, Value::Win.into());
            let news = knowledge.take_news();
            assert_eq!(news.len(), 1);
            store.add_proofs(played.game, news).await.unwrap();
            let review = stated(&played, &store.knowledge(&played).await.unwrap());
            assert_eq!(review.coverage.proven, 1);
            store.put_review(&game.id, &review).await.unwrap();
        }
        let conversions = store.conversions(&id).await.unwrap();
        assert_eq!(conversions.reviewed, games.len());
        let won: usize = conversions.players.iter().map(|player| player.won).sum();
        assert!(won >= games.len());
        let csv = output::csv::conversion(&conversions);
        assert_eq!(csv.lines().count(), 3);
        let reviews = store.reviews(&id).await.unwrap();
        let players = store.tournament(&id).await.unwrap().players;
        let csv = output::csv::reviews(&reviews, &conversions, &players);
        assert_eq!(csv.lines().count(), 1 + games.len());
        let decided = csv.lines().filter(|line| line.contains(",yes,"));
        assert!(decided.count() >= conversions.decided);
        let page = output::html(&store, &id, &Default::default())
            .await
            .unwrap();
        assert!(page.contains("<h2>Conversion</h2>"));
        let json = serde_json::to_value(output::json(&store, &id).await.unwrap()).unwrap();
        assert_eq!(json["conversions"]["reviewed"], games.len());
    });
}
