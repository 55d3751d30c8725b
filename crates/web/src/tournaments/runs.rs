//! The tournaments that are being played now.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cluster::Cluster;
use games::Resources;
use tournament::runner::RemoteMachines;
use tournament::{Config, Live, NoteKind, RunOptions, Store};

use crate::Site;
use crate::documents::Documents;
use crate::fault::Fault;

/// A tournament that is being played, or was since the server started.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) live: Arc<Live>,
    stop: Arc<AtomicBool>,
    /// Why it ended early, if it did.
    problem: Arc<Mutex<Option<String>>>,
}

impl Run {
    /// Why it ended early, if it did.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problem
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Plays what is left of a tournament, also after a restart of the server.
pub(crate) async fn launch(site: &Site, config: Config) -> Result<(), Fault> {
    site.documents.put(LAUNCHED, &config.id(), &true).await?;
    let place = Place::new(&site.resources, site.config.cluster.as_ref());
    site.runs.start(&site.store, &place, config);
    Ok(())
}

/// The kind of document that says which tournaments were started here. Others in the store
/// belong to the command line, which may be playing them at this moment.
const LAUNCHED: &str = "launched";

/// Where tournaments are played, and with what.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    resources: Resources,
    remote: Option<Arc<dyn RemoteMachines>>,
}

impl Place {
    /// On these workers, or here.
    pub(crate) fn new(resources: &Resources, cluster: Option<&Cluster>) -> Place {
        Place {
            resources: resources.clone(),
            remote: cluster.map(|cluster| Arc::new(cluster.clone()) as Arc<dyn RemoteMachines>),
        }
    }
}

/// All of them, by id.
#[derive(Debug, Default)]
pub(crate) struct Runs(Mutex<HashMap<String, Run>>);

impl Runs {
    /// The run of a tournament, if there has been one.
    pub(crate) fn find(&self, id: &str) -> Option<Run> {
        self.lock().get(id).cloned()
    }

    /// Whether games are being played now.
    pub(crate) fn is_running(&self, id: &str) -> bool {
        self.find(id).is_some_and(|run| !run.live.ended())
    }

    /// Those of which games are being played now.
    pub(crate) fn running(&self) -> HashSet<String> {
        let runs = self.lock();
        let now = runs.iter().filter(|(_, run)| !run.live.ended());
        now.map(|(id, _)| id.clone()).collect()
    }

    /// Plays what is left of a tournament, unless that is being done already.
    fn start(&self, store: &Store, place: &Place, config: Config) {
        let id = config.id();
        let mut runs = self.lock();
        if runs.get(&id).is_some_and(|run| !run.live.ended()) {
            return;
        }
        let run = Run {
            live: Arc::default(),
            stop: Arc::default(),
            problem: Arc::default(),
        };
        runs.insert(id, run.clone());
        let options = RunOptions {
            // One core stays free for the readers.
            concurrency: tournament::cores().saturating_sub(1).max(1),
            pin: false,
            stop: run.stop.clone(),
            observer: run.live.clone(),
            resources: place.resources.clone(),
            remote: place.remote.clone(),
        };
        let store = store.clone();
        tokio::spawn(async move {
            let what = match tournament::run(&store, &config, &options).await {
                Ok(summary) if summary.quarantined.is_empty() => None,
                Ok(summary) => Some(format!(
                    "{} games are put aside, since nothing came of them: see the page of the \
                     workers",
                    summary.quarantined.len()
                )),
                Err(error) => Some(error.to_string()),
            };
            *run.problem.lock().unwrap_or_else(PoisonError::into_inner) = what;
            use tournament::{Event, Observer};
            run.live.event(&Event::Ended { finished: false });
        });
    }

    /// Stops a tournament; finished games are kept.
    pub(crate) fn stop(&self, id: &str) {
        if let Some(run) = self.find(id) {
            run.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Goes on with the tournaments that were being played when the server went down.
    pub(crate) async fn resume(&self, store: &Store, documents: &Documents, place: &Place) {
        for row in store.tournaments().await.unwrap_or_default() {
            if !matches!(documents.get(LAUNCHED, &row.id).await, Ok(Some(true))) {
                continue;
            }
            let notes = store.notes(&row.id).await.unwrap_or_default();
            let last = notes.iter().rfind(|note| {
                matches!(
                    note.kind,
                    NoteKind::Started | NoteKind::Stopped | NoteKind::Finished
                )
            });
            if !row.finished && last.is_some_and(|note| note.kind == NoteKind::Started) {
                self.start(store, place, row.config);
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Run>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
