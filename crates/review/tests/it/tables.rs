//! Reviews of small variants say what tables say.

use std::sync::atomic::AtomicBool;

use games::{AnyPosition, GIPF, Proof, Resources, Value};
use gipf_engine::tables::{self, Settings, Table};
use review::{Knowledge, Played, review};

use crate::games_of_bots::{budget, record};

#[test]
fn with_a_table_everything_is_proven() {
    let folder = tempfile::tempdir().unwrap();
    let variant = "2 2 5 5".parse().unwrap();
    let path = folder.path().join(tables::folder_name(variant));
    let settings = Settings {
        threads: 1,
        memory: 1 << 26,
        resume: false,
    };
    let never = AtomicBool::new(false);
    tables::solve(
        variant,
        &path,
        settings,
        &never,
        &tables::Progress::default(),
    )
    .unwrap();
    let table = Table::open(&path).unwrap();
    let mut mistakes = 0;
    for seed in 0..20 {
        let start = AnyPosition::parse(GIPF, "2 2 5 5").unwrap();
        let record = record(start, ["random", "random"], seed);
        let played = Played::from_record(&record).unwrap();
        let knowledge = Knowledge::default();
        let review = review(
            &played,
            &knowledge,
            &Resources::new([folder.path()]),
            &budget(2),
        );
        assert_eq!(review.coverage.proven, review.coverage.positions);
        for (judged, turn) in review.turns.iter().zip(&played.turns) {
            let position: &gipf::Position = turn.before.downcast_ref().unwrap();
            let expected = match table.value(position).unwrap() {
                tables::Value::Win(plies) => Proof::with_distance(Value::Win, Some(plies)),
                tables::Value::Loss(plies) => Proof::with_distance(Value::Loss, Some(plies)),
                tables::Value::Draw => Value::Draw.into(),
            };
            assert_eq!(judged.statement.proof(), Some(expected), "{position}");
        }
        for mistake in review.real_mistakes() {
            let position: gipf::Position = mistake.position.parse().unwrap();
            let moves = table.moves(&position);
            let best = moves[0].1.order().signum();
            let keeps = moves
                .iter()
                .filter(|(_, value)| value.order().signum() == best);
            assert_eq!(mistake.kept.len(), keeps.count(), "{position}");
            mistakes += 1;
        }
    }
    assert!(mistakes > 10, "{mistakes}");
}
