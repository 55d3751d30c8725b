//! What a runner does: formats, faults, tests, stops.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use referee::{IsolationMode, Penalties};
use tournament::rating::{Sprt, SprtVerdict};
use tournament::schedule::Format;
use tournament::{Event, GameFilter, Live, NoteKind, Observer, RunOptions, Store};

use super::{block_on, checked, config, options};

#[test]
fn every_format_is_played_to_its_end() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        for format in [
            Format::RoundRobin,
            Format::Gauntlet { challengers: 2 },
            Format::Swiss { rounds: 3 },
            Format::Knockout { extra_pairs: 1 },
        ] {
            let players = ["greedy", "random", "minimax:1", "minimax:2", "alphabeta:d1"];
            let mut config = config(format.name(), &players);
            config.format = format;
            let config = checked(config);
            let summary = tournament::run(&store, &config, &options()).await.unwrap();
            assert!(summary.finished);
            let row = store.tournament(&summary.tournament).await.unwrap();
            assert!(row.finished && row.played >= row.planned, "{format:?}");
            let standings = store.standings(&row.id).await.unwrap();
            assert_eq!(standings.rows.len(), 5);
            assert_eq!(standings.rows[0].rank, 1);
            let half_points: u32 = standings.rows.iter().map(|r| r.half_points).sum();
            let byes: u32 = standings.rows.iter().map(|r| r.byes).sum();
            assert_eq!(half_points, 2 * row.played as u32 + 4 * byes, "{format:?}");
            // Once more: there is nothing left to do.
            let again = tournament::run(&store, &config, &options()).await.unwrap();
            assert_eq!((again.finished, again.added), (true, 0));
        }
        assert_eq!(store.tournaments().await.unwrap().len(), 4);
    });
}

#[test]
fn a_program_that_always_fails_is_benched() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let mut config = config("bench", &["random", "argv:/bin/false", "greedy"]);
        config.pairs = 4;
        config.isolation = IsolationMode::None;
        // Only a hang can take so long, however busy the machine is.
        config.limits.wall = Some(referee::Seconds::from_secs(60));
        let config = checked(config);
        let summary = tournament::run(&store, &config, &options()).await.unwrap();
        assert!(summary.finished);
        let id = summary.tournament;
        let notes = store.notes(&id).await.unwrap();
        let benched: Vec<_> = notes
            .iter()
            .filter(|n| n.kind == NoteKind::Benched)
            .collect();
        assert_eq!(benched.len(), 1);
        assert_eq!(benched[0].player, Some(1));
        let standings = store.standings(&id).await.unwrap();
        let row = standings.of(1).unwrap();
        assert_eq!(row.half_points, 0);
        assert_eq!(
            row.wdl().games(),
            16,
            "its other games are lost without playing"
        );
        assert_eq!(row.forfeits, 13, "three games decide, whichever end first");
        assert!(row.benched.is_some());
        let faults = store.faults(&id, Some(1), 5).await.unwrap();
        assert_eq!(faults.len(), 5);
        assert!(
            faults[0].text.contains("exit status 1"),
            "{}",
            faults[0].text
        );
        assert!(store.faults(&id, Some(0), 5).await.unwrap().is_empty());
        let filter = GameFilter {
            player: Some(1),
            faults_only: true,
            ..GameFilter::default()
        };
        let faulty = store.games(&id, &filter).await.unwrap();
        assert_eq!(faulty.len() as u32, 16 - row.forfeits);
        assert!(
            faulty
                .iter()
                .all(|game| game.failed[game.seat(1).unwrap().index()])
        );
    });
}

#[test]
fn a_fault_disqualifies_where_the_organiser_says_so() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let mut config = config("strict", &["random", "matrix:/bin/false", "greedy"]);
        config.game = games::MMPAWNS;
        config.penalties = Penalties::for_game(games::MMPAWNS);
        config.isolation = IsolationMode::None;
        config.pairs = 3;
        config.disqualify = true;
        let config = checked(config);
        let one_by_one = RunOptions {
            concurrency: 1,
            ..options()
        };
        let id = tournament::run(&store, &config, &one_by_one)
            .await
            .unwrap()
            .tournament;
        let standings = store.standings(&id).await.unwrap();
        let row = standings.of(1).unwrap();
        assert_eq!(row.benched.as_deref(), Some("disqualified for a fault"));
        assert!(row.forfeits >= 9, "{} forfeits of 12 games", row.forfeits);
        assert!(standings.of(0).unwrap().benched.is_none());
    });
}

#[test]
fn a_test_ends_as_soon_as_it_is_decided() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let mut config = config("sprt", &["minimax:3", "random"]);
        config.pairs = 5000;
        config.sprt = Some(Sprt {
            elo0: 0.0,
            elo1: 50.0,
            alpha: 0.05,
            beta: 0.05,
        });
        let config = checked(config);
        let summary = tournament::run(&store, &config, &options()).await.unwrap();
        assert!(summary.finished);
        assert!(summary.added < 500, "{} games", summary.added);
        let standings = store.standings(&summary.tournament).await.unwrap();
        let duel = standings.duel.unwrap();
        assert_eq!(duel.sprt.unwrap().verdict, SprtVerdict::Accepted);
        assert!(duel.rating.elo > 100.0);
    });
}

/// Says stop after so many games.
struct StopAfter {
    games: Mutex<usize>,
    stop: Arc<AtomicBool>,
    live: Live,
}

impl Observer for StopAfter {
    fn event(&self, event: &Event) {
        self.live.event(event);
        if let Event::GameFinished { row } = event {
            assert!(self.live.game(&row.id).is_none());
            let mut games = self.games.lock().unwrap();
            *games = games.saturating_sub(1);
            if *games == 0 {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        if let Event::Turn { id, .. } = event {
            assert!(self.live.running().iter().any(|game| game.id == *id));
        }
    }
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let mut config = config("stop", &["random", "greedy"]);
        config.pairs = 20;
        let config = checked(config);
        let stop = Arc::new(AtomicBool::new(false));
        let observer = Arc::new(StopAfter {
            games: Mutex::new(5),
            stop: stop.clone(),
            live: Live::default(),
        });
        let stopping = RunOptions {
            stop,
            observer: observer.clone(),
            ..options()
        };
        let first = tournament::run(&store, &config, &stopping).await.unwrap();
        assert!(
            !first.finished && (5..40).contains(&first.added),
            "{first:?}"
        );
        assert!(observer.live.ended() && observer.live.running().is_empty());
        assert!(observer.live.finished().len() >= 5);
        assert!(!store.tournament(&first.tournament).await.unwrap().finished);
        let second = tournament::run(&store, &config, &options()).await.unwrap();
        assert!(second.finished);
        assert_eq!(first.added + second.added, 40);
    });
}

#[test]
fn a_senseless_tournament_is_refused() {
    block_on(async {
        let error = tournament::Config::try_from(config("one", &["random"]));
        assert_eq!(
            error.unwrap_err().to_string(),
            "at least two players are needed"
        );
    });
}

/// The games of the others are kept, those of the new program are played anew.
#[test]
fn a_program_that_is_handed_in_again_plays_again() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let config = checked(config("again", &["random", "greedy", "minimax:1"]));
        let first = tournament::run(&store, &config, &options()).await.unwrap();
        assert_eq!(first.added, 6);
        let (next, players) = config.handed_in_again(&["greedy".into()]).unwrap();
        assert_eq!(players, [1]);
        let create = || store.create_version(&next, &first.tournament, &players);
        let id = create().await.unwrap();
        assert_ne!(id, first.tournament);
        for _again in 0..2 {
            assert_eq!(create().await.unwrap(), id);
            let taken = store.games(&id, &GameFilter::default()).await.unwrap();
            assert_eq!(taken.len(), 2);
        }
        let second = tournament::run(&store, &next, &options()).await.unwrap();
        assert_eq!((second.tournament.clone(), second.added), (id, 4));
        let latest = store.latest_version(&config).await.unwrap().unwrap();
        assert_eq!(latest.id, second.tournament);
        let games = store
            .games(&latest.id, &GameFilter::default())
            .await
            .unwrap();
        assert_eq!(games.len(), 6);
        for game in games
            .iter()
            .filter(|game| game.first != 1 && game.second != 1)
        {
            let old = tournament::game_id(&first.tournament, game.key);
            let (old, new) = (store.record(&old).await, store.record(&game.id).await);
            assert_eq!(old.unwrap(), new.unwrap());
        }
        assert!(config.handed_in_again(&["nobody".into()]).is_err());
    });
}

/// A version that could not take over all games, whatever stopped it, is not there.
#[test]
fn a_version_is_there_with_its_games_or_not_at_all() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ludex.db");
        let store = Store::open(&path).await.unwrap();
        let config = checked(config("again", &["random", "greedy", "minimax:1"]));
        let first = tournament::run(&store, &config, &options()).await.unwrap();
        let (next, players) = config.handed_in_again(&["greedy".into()]).unwrap();
        let stop =
            "CREATE TRIGGER stop BEFORE INSERT ON moves BEGIN SELECT RAISE(ABORT, 'stop'); END";
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch(stop).unwrap();
        let create = || store.create_version(&next, &first.tournament, &players);
        create().await.unwrap_err();
        let latest = store.latest_version(&config).await.unwrap().unwrap();
        assert_eq!(latest.id, first.tournament);
        other.execute_batch("DROP TRIGGER stop").unwrap();
        let id = create().await.unwrap();
        let latest = store.latest_version(&config).await.unwrap().unwrap();
        assert_eq!(latest.id, id);
    });
}

#[test]
fn programs_that_are_not_there_are_found_before_the_first_game() {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let mut config = config("mistyped", &["random", "argv:./no/such"]);
        let error = tournament::run(&store, &checked(config.clone()), &options())
            .await
            .unwrap_err();
        assert!(
            error.to_string().contains("./no/such: no such program"),
            "{error}"
        );
        config.players[1] = "argv:/bin/false".parse().unwrap();
        config.players[1].folder = Some("/no/such/folder".into());
        let error = tournament::run(&store, &checked(config.clone()), &options())
            .await
            .unwrap_err();
        assert!(
            error.to_string().contains("/no/such/folder is not there"),
            "{error}"
        );
        assert!(store.tournaments().await.unwrap().is_empty());
    });
}
