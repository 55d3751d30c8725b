//! Games that cannot be played: the others are.

use std::sync::Arc;

use tournament::runner::{Done, Failure, Job, Opening, Pending, RemoteMachines, TaskRunner, Venue};
use tournament::{GameFilter, Note, RunError, RunOptions, Store, Summary};

use super::{block_on, checked, config, options};

/// What comes of a game, if it is not its record.
type Spoils = fn(&str) -> Option<Failure>;

/// Machines that spoil games.
#[derive(Clone, Debug)]
struct Lab(Spoils);

impl RemoteMachines for Lab {
    fn open<'a>(&'a self, _: Opening<'a>) -> Pending<'a, Result<Box<dyn Venue>, RunError>> {
        let lab = LabVenue {
            spoils: self.0,
            jobs: Vec::new(),
        };
        Box::pin(async { Ok(Box::new(lab) as Box<dyn Venue>) })
    }

    fn task_runner<'a>(&'a self, _: &'a str) -> Pending<'a, Result<Arc<dyn TaskRunner>, RunError>> {
        unreachable!("tournaments have no tasks")
    }
}

struct LabVenue {
    spoils: Spoils,
    jobs: Vec<Job>,
}

impl Venue for LabVenue {
    fn wants_more(&self) -> bool {
        self.jobs.is_empty()
    }

    fn send(&mut self, games: Vec<Job>) -> Pending<'_, Result<(), RunError>> {
        self.jobs.extend(games);
        Box::pin(async { Ok(()) })
    }

    fn next(&mut self) -> Pending<'_, Result<Option<Done>, RunError>> {
        let done = self.jobs.pop().map(|job| Done {
            result: match (self.spoils)(&job.id) {
                Some(failure) => Err(failure),
                None => Ok(referee::play_game(&job.setup, &mut |_| (), &Arc::default()).unwrap()),
            },
            id: job.id,
        });
        Box::pin(async { Ok(done) })
    }

    fn stop(self: Box<Self>, _: bool) -> Pending<'static, Vec<Done>> {
        Box::pin(async { Vec::new() })
    }
}

/// Plays all of a tournament of three, twice: how each run ended, how many games there are, and
/// the notes after each.
fn twice(spoils: Spoils) -> (Vec<Result<Summary, String>>, usize, [Vec<Note>; 2]) {
    block_on(async {
        let store = Store::in_memory().await.unwrap();
        let config = checked(config("aside", &["random", "greedy", "minimax:1"]));
        let options = RunOptions {
            remote: Some(Arc::new(Lab(spoils))),
            ..options()
        };
        let (mut ended, mut notes) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            let run = tournament::run(&store, &config, &options).await;
            ended.push(run.map_err(|error| error.to_string()));
            notes.push(store.notes(&config.id()).await.unwrap());
        }
        let games = store.games(&config.id(), &GameFilter::default()).await;
        let games = games.unwrap().len();
        let notes = notes.try_into().unwrap();
        (ended, games, notes)
    })
}

#[test]
fn a_game_that_cannot_be_played_is_in_nobodys_way() {
    let (ended, games, [first, second]) = twice(|id| {
        let is_it = id.ends_with(".1.1.1");
        is_it.then(|| Failure::Panic("panicked: a bug".into()))
    });
    for run in ended {
        let error = run.unwrap_err();
        assert!(error.ends_with(".1.1.1: panicked: a bug"), "{error}");
    }
    assert_eq!(games, 5);
    // The second run begins with more games; the next ones would say nothing new.
    assert!(second.len() <= first.len() + 1, "{second:?}");
}

#[test]
fn where_nothing_can_be_played_not_all_is_tried() {
    static TRIED: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let (ended, games, [first, second]) = twice(|_| {
        TRIED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Some(Failure::Panic("panicked: a bug".into()))
    });
    assert!(ended.iter().all(Result::is_err), "{ended:?}");
    assert_eq!(
        (games, TRIED.load(std::sync::atomic::Ordering::Relaxed)),
        (0, 6)
    );
    assert_eq!(first, second);
}

#[test]
fn a_tournament_that_waits_writes_nothing_more() {
    let (ended, games, [first, second]) =
        twice(|_| Some(Failure::Quarantined("no worker came back".into())));
    for run in ended {
        let summary = run.unwrap();
        assert_eq!((summary.finished, summary.quarantined.len()), (false, 6));
    }
    assert_eq!(games, 0);
    assert_eq!(first, second);
}
