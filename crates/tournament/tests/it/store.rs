//! What goes into the store comes out of it, and stays.

use std::path::Path;
use std::time::Duration;

use games::{AnyPosition, GameName};
use referee::{GameSetup, Score, play_game};
use rusqlite::Connection;
use tournament::schedule::{Fixture, GameKey};
use tournament::store::{Kind, Schema, open_database};
use tournament::{GameFilter, GameOrder, NoteKind, Store, game_id};

use super::{block_on, checked, config, options};

fn fixture(game: u32) -> Fixture {
    Fixture {
        key: GameKey {
            round: 1,
            table: 1,
            game,
        },
        first: 0,
        second: 1,
        opening: 0,
    }
}

/// One tournament that would not be taken any more hides no others, and nothing of its own.
#[test]
fn a_tournament_of_an_earlier_version_is_still_shown() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let config = config("old", &["random", "greedy"]);
        let text = serde_json::to_string(&checked(config)).unwrap();
        let text = text.replace(r#""name":"greedy""#, r#""name":"gree\u200ddy""#);
        let text = text.replace(r#""bot":"greedy""#, r#""bot":"a bot of then""#);
        let old: tournament::Config = serde_json::from_str(&text).unwrap();
        let id = store.create(&old).await.unwrap();
        let all = store.tournaments().await.unwrap();
        assert_eq!(all[0].config, old);
        let standings = store.standings(&id).await.unwrap();
        assert_eq!(standings.of(1).unwrap().name, "gree\u{200d}dy");
        // But it is not played on.
        let run = tournament::run(&store, &old, &options()).await;
        let refused = run.unwrap_err().to_string();
        assert!(refused.contains("name"), "{refused}");
        // What is computed with is never believed.
        let text = text.replace(r#""pairs":1"#, r#""pairs":0"#);
        assert!(serde_json::from_str::<tournament::Config>(&text).is_err());
    });
}

/// Records of all games, with faults, standard error and odd bytes, come back as they were.
#[test]
fn records_come_back_whole() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        for game in GameName::all() {
            let program = match game.name() {
                "reversi" => "argv:/bin/sh -c 'printf \"\\\\377\\\\000x\"; echo why >&2'",
                "gipf" => "gipf:/bin/sh -c 'echo nonsense'",
                "gipf-standard" => "line:/bin/sh -c 'echo nonsense'",
                _ => "matrix:/bin/false",
            };
            let mut config = config(game.name(), &["random", "greedy"]);
            config.game = game;
            let config = checked(config);
            let id = store.create(&config).await.unwrap();
            for (number, second) in [(1, "greedy"), (2, program)] {
                let players = ["random".parse().unwrap(), second.parse().unwrap()];
                let mut setup = GameSetup::new(AnyPosition::random_start(game, 3), players);
                setup.longest = 30;
                let record = play_game(&setup, &mut |_| (), &Default::default()).unwrap();
                assert_ne!(record.score, Score::None);
                assert!(
                    store
                        .add_game(&id, &fixture(number), &record)
                        .await
                        .unwrap()
                );
                assert!(
                    !store
                        .add_game(&id, &fixture(number), &record)
                        .await
                        .unwrap()
                );
                let back = store
                    .record(&game_id(&id, fixture(number).key))
                    .await
                    .unwrap();
                let mut back = back.unwrap();
                for (a, b) in back.moves.iter_mut().zip(&record.moves) {
                    // The store keeps microseconds.
                    assert_eq!(a.wall.0.as_micros(), b.wall.0.as_micros());
                    assert_eq!(a.cpu.0.as_micros(), b.cpu.0.as_micros());
                    (a.wall, a.cpu) = (b.wall, b.cpu);
                }
                assert_eq!(back.moves, record.moves);
                assert_eq!((&back.end, &back.ending), (&record.end, &record.ending));
                assert_eq!(back.players, record.players);
            }
        }
    });
}

#[test]
fn nothing_is_ever_changed() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let store = Store::open(&path).await.unwrap();
        let config = checked(config("keep", &["random", "greedy"]));
        let id = tournament::run(&store, &config, &options())
            .await
            .unwrap()
            .tournament;
        store.close().await;
        let raw = Connection::open(&path).unwrap();
        for statement in [
            "UPDATE games SET score = 'draw'",
            "DELETE FROM games",
            "UPDATE moves SET wall = 0",
            "DELETE FROM moves",
            "DELETE FROM tournaments",
            "UPDATE players SET name = 'x'",
            "DELETE FROM notes",
        ] {
            let error = raw.execute(statement, ()).unwrap_err();
            assert!(
                error.to_string().contains("append-only"),
                "{statement}: {error}"
            );
        }
        let store = Store::open(&path).await.unwrap();
        assert_eq!(store.tournament(&id).await.unwrap().played, 2);
    });
}

/// A new file that somebody else writes to is opened when it is let go, by all who wait.
#[test]
fn a_held_file_is_waited_for() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("held.db");
        let holder = Connection::open(&path).unwrap();
        holder.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let waiting = [(); 4].map(|()| tokio::spawn(Store::open(path.clone())));
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(waiting.iter().all(|opened| !opened.is_finished()));
        holder.execute_batch("COMMIT").unwrap();
        for opened in waiting {
            let store = opened.await.unwrap().unwrap();
            assert!(store.tournaments().await.unwrap().is_empty());
        }
    });
}

/// A file that is no database is named, and so is a folder that is missing.
#[test]
fn files_that_cannot_be_opened_are_named() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        for (name, reason) in [
            ("text.db", "file is not a database"),
            ("missing/games.db", "unable to open database file"),
        ] {
            let path = folder.path().join(name);
            if name == "text.db" {
                std::fs::write(&path, "no database at all\n".repeat(100)).unwrap();
            }
            let error = Store::open(&path).await.unwrap_err().to_string();
            let expected = format!("cannot open {}: {reason}", path.display());
            assert_eq!(error, expected);
        }
    });
}

fn batch(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

const COURSE: Schema = Schema {
    kind: Kind::Course,
    steps: &["CREATE TABLE team (x); CREATE TABLE person (x); CREATE TABLE version (x)"],
};

/// Files that are no store of games are refused by whoever reads or writes, and not one of their
/// bytes changes.
#[test]
fn what_is_no_store_of_games_is_left_alone() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::write(place("text"), "no database at all\n".repeat(100)).unwrap();
        open_database(&place("course.db"), &COURSE).unwrap();
        // One that is older than the numbers of kinds.
        batch(&place("old.db"), COURSE.steps[0]);
        batch(
            &place("other"),
            "CREATE TABLE games (x); PRAGMA user_version = 3",
        );
        batch(&place("numbered"), "PRAGMA application_id = 77");
        let here = folder.path().display();
        let course = format!("is the store of a course: use --course {here}");
        for (name, expected) in [
            (
                "text",
                format!("cannot open {here}/text: file is not a database"),
            ),
            ("course.db", format!("{here}/course.db {course}")),
            ("old.db", format!("{here}/old.db {course}")),
            (
                "other",
                format!("{here}/other is a database of another program"),
            ),
            (
                "numbered",
                format!("{here}/numbered is a database of another program"),
            ),
        ] {
            let path = place(name);
            let before = std::fs::read(&path).unwrap();
            for error in [
                Store::open(&path).await.unwrap_err(),
                Store::open_existing(&path).await.unwrap_err(),
            ] {
                assert_eq!(error.to_string(), expected);
            }
            assert_eq!(std::fs::read(&path).unwrap(), before, "{name}");
        }
    });
}

/// Whoever only reads makes no store, neither of nothing nor of an empty file.
#[test]
fn reading_makes_no_store() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::write(place("empty"), "").unwrap();
        batch(&place("blank"), "PRAGMA journal_mode = wal");
        for (name, what) in [
            ("missing", "no such file"),
            ("empty", "an empty file"),
            ("blank", "an empty database"),
        ] {
            let path = place(name);
            let before = std::fs::read(&path).ok();
            let error = Store::open_existing(&path).await.unwrap_err().to_string();
            assert_eq!(error, format!("{}: {what}", path.display()));
            assert_eq!(std::fs::read(&path).ok(), before, "{name}");
        }
        Store::open(place("made")).await.unwrap().close().await;
        Store::open_existing(place("made")).await.unwrap();
    });
}

/// A store of games is not taken for another, and the store of a course into which an earlier
/// version has put tables of games opens again.
#[test]
fn other_stores_know_each_other() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.db");
        Store::open(&games).await.unwrap().close().await;
        let before = std::fs::read(&games).unwrap();
        let error = open_database(&games, &COURSE).unwrap_err().to_string();
        let expected = "is a store of games, not of a course: use --db";
        assert_eq!(error, format!("{} {expected}", games.display()));
        assert_eq!(std::fs::read(&games).unwrap(), before);

        let course = folder.path().join("course.db");
        batch(&course, COURSE.steps[0]);
        batch(
            &course,
            "CREATE TABLE documents (x); PRAGMA user_version = 5",
        );
        open_database(&course, &COURSE).unwrap();
        open_database(&course, &COURSE).unwrap();
    });
}

/// Many callers at once share the connections; after closing there is nothing to share.
#[test]
fn callers_take_turns() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shared.db");
        for store in [
            Store::in_memory().await.unwrap(),
            Store::open(&path).await.unwrap(),
        ] {
            let writers = (0..40).map(|number| {
                let store = store.clone();
                let id = number.to_string();
                tokio::spawn(async move { store.put_document("kind", &id, &id).await })
            });
            for writer in writers.collect::<Vec<_>>() {
                writer.await.unwrap().unwrap();
            }
            assert_eq!(store.documents("kind", 100).await.unwrap().len(), 40);
            store.close().await;
            let error = store.documents("kind", 1).await.unwrap_err();
            assert_eq!(error.to_string(), "the store is closed");
        }
        assert!(!path.with_extension("db-wal").exists());
    });
}

#[test]
fn questions_are_answered() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let mut config = config("questions", &["random", "greedy", "minimax:2"]);
        config.pairs = 3;
        let config = checked(config);
        let id = tournament::run(&store, &config, &options())
            .await
            .unwrap()
            .tournament;
        let games = |filter: GameFilter| {
            let (store, id) = (store.clone(), id.clone());
            async move { store.games(&id, &filter).await.unwrap() }
        };
        let all = games(GameFilter::default()).await;
        assert_eq!(all.len(), 18);
        assert!(all.windows(2).all(|two| two[0].key < two[1].key));
        let own = games(GameFilter {
            player: Some(2),
            opponent: Some(0),
            ..GameFilter::default()
        })
        .await;
        assert_eq!(own.len(), 6);
        assert!(
            own.iter()
                .all(|g| g.seat(2).is_some() && g.seat(0).is_some())
        );
        let page = games(GameFilter {
            order: GameOrder::Latest,
            limit: Some(4),
            offset: 2,
            ..GameFilter::default()
        })
        .await;
        assert_eq!(page.len(), 4);

        let slowest = store.slowest_moves(&id, Some(2), 5).await.unwrap();
        assert_eq!(slowest.len(), 5);
        assert!(slowest.iter().all(|turn| turn.player == 2));
        assert!(
            slowest
                .windows(2)
                .all(|two| two[0].record.wall >= two[1].record.wall)
        );
        let most = store.standings(&id).await.unwrap().of(2).unwrap().slowest;
        assert_eq!(slowest[0].record.wall, most);

        store
            .add_note(&id, NoteKind::Remark, None, "a note")
            .await
            .unwrap();
        let notes = store.notes(&id).await.unwrap();
        let kinds: Vec<NoteKind> = notes.iter().map(|note| note.kind).collect();
        assert_eq!(
            kinds,
            [NoteKind::Started, NoteKind::Finished, NoteKind::Remark]
        );
        assert_eq!(store.tournament_of(&all[0].id).await.unwrap(), id);
        for bad in ["", "nothing", "../x"] {
            assert!(store.tournament(bad).await.is_err());
            assert!(store.game(bad).await.is_err());
            assert!(store.record(bad).await.is_err());
        }
    });
}
