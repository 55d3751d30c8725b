//! Reviews at work: one game after the other, in the background, with a low priority.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use games::Room;
use review::{Budget, Knowledge, Review, review, stated};
use serde::{Deserialize, Serialize};

use super::source::{Loaded, Source};
use crate::Site;
use crate::fault::Fault;

/// Under which kind it is kept which reviews were asked for.
const ASKED: &str = "asked-review";

/// How often what was proven is kept.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// Bytes of the provers.
const MEMORY: usize = 1 << 30;

/// So many reviews that were asked for are gone on with after a restart.
const MOST_RESUMED: u32 = 10_000;

/// A review that was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Asked {
    source: Source,
    /// Seconds for the game.
    seconds: u64,
    /// Whether it is over.
    done: bool,
}

/// The review of one game: waiting, or at work.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) source: Source,
    seconds: u64,
    stop: Arc<AtomicBool>,
    /// The game has gone on meanwhile, or been deleted: nobody wants what comes of the job.
    left: AtomicBool,
    state: Mutex<JobState>,
}

#[derive(Debug, Default)]
struct JobState {
    /// The game, and what is proven of it by now; nothing as long as the job waits.
    work: Option<(Arc<Loaded>, Arc<Knowledge>)>,
    /// Whether it is over, and why it failed, if it did.
    over: Option<Result<(), String>>,
}

impl Job {
    fn state(&self) -> MutexGuard<'_, JobState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known by now; `None` as long as the job waits for others.
    pub(crate) fn known(&self) -> Option<Review> {
        let work = self.state().work.clone();
        work.map(|(loaded, knowledge)| stated(&loaded.played, &knowledge))
    }

    /// Changes whenever there may be something new to see.
    pub(crate) fn version(&self) -> (bool, usize) {
        let state = self.state();
        let known = state.work.as_ref().map_or(0, |(_, known)| 1 + known.len());
        (state.over.is_some(), known)
    }

    fn is_left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    /// Whether it is over.
    pub(crate) fn is_over(&self) -> bool {
        self.state().over.is_some()
    }

    /// Why it failed, if it did.
    pub(crate) fn problem(&self) -> Option<String> {
        self.state().over.clone()?.err()
    }
}

/// All reviews that wait or are at work, in their order.
#[derive(Debug, Default)]
pub(crate) struct Reviews(Mutex<Queue>);

#[derive(Debug, Default)]
struct Queue {
    jobs: VecDeque<Arc<Job>>,
    /// Whether a task goes through the jobs.
    working: bool,
    /// The last job that failed.
    failed: Option<Arc<Job>>,
}

impl Reviews {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The review of a game that waits or is at work, or that failed last.
    pub(crate) fn find(&self, source: &Source) -> Option<Arc<Job>> {
        let queue = self.lock();
        let mut jobs = queue.jobs.iter().chain(&queue.failed);
        jobs.find(|job| job.source == *source).cloned()
    }

    /// How many games wait before this one.
    pub(crate) fn before(&self, job: &Job) -> usize {
        let queue = self.lock();
        let place = queue.jobs.iter().position(|one| one.source == job.source);
        place.unwrap_or(0)
    }

    /// How many of these games wait or are at work.
    pub(crate) fn count(&self, is_one: impl Fn(&str) -> bool) -> usize {
        let queue = self.lock();
        let open = queue.jobs.iter().filter(|job| match &job.source {
            Source::Tournament(id) => is_one(id),
            _ => false,
        });
        open.count()
    }

    /// Stops the reviews of these games; what is proven by then is kept.
    pub(crate) fn stop(&self, is_one: impl Fn(&Source) -> bool) {
        for job in self.lock().jobs.iter().filter(|job| is_one(&job.source)) {
            job.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Stops the review of a game that is another one now, or none: it is looked for no more, and
    /// may be asked for anew. Says whether there was one.
    fn leave(&self, source: &Source) -> bool {
        let queue = &mut *self.lock();
        let all = queue.jobs.len();
        queue.jobs.retain(|job| {
            let left = job.source == *source;
            if left {
                job.left.store(true, Ordering::Relaxed);
                job.stop.store(true, Ordering::Relaxed);
            }
            !left
        });
        queue.failed = queue.failed.take().filter(|job| job.source != *source);
        queue.jobs.len() < all
    }

    /// Adds games that are not there yet; whether somebody must begin to work.
    fn add(&self, jobs: impl IntoIterator<Item = (Source, u64)>) -> bool {
        let queue = &mut *self.lock();
        for (source, seconds) in jobs {
            if queue.jobs.iter().all(|job| job.source != source) {
                queue.jobs.push_back(Arc::new(Job {
                    source,
                    seconds,
                    stop: Arc::default(),
                    left: AtomicBool::default(),
                    state: Mutex::default(),
                }));
            }
        }
        let idle = !queue.working && !queue.jobs.is_empty();
        queue.working |= idle;
        idle
    }

    /// The job at the head of the queue; nobody works any more if there is none.
    fn first(&self) -> Option<Arc<Job>> {
        let queue = &mut *self.lock();
        queue.working = !queue.jobs.is_empty();
        queue.jobs.front().cloned()
    }

    /// A job is over.
    fn finish(&self, job: &Arc<Job>, result: Result<(), String>) {
        let queue = &mut *self.lock();
        match result {
            _ if job.is_left() => {}
            Err(_) => queue.failed = Some(job.clone()),
            Ok(()) => queue.failed = queue.failed.take().filter(|one| one.source != job.source),
        }
        job.state().over = Some(result);
        queue.jobs.retain(|one| !Arc::ptr_eq(one, job));
    }
}

/// Reviews games in the background, so many seconds each, also after a restart of the server.
pub(crate) async fn ask(site: &Arc<Site>, sources: Vec<Source>, seconds: u64) -> Result<(), Fault> {
    for source in &sources {
        note(site, source, seconds, false).await?;
    }
    begin(site, sources.into_iter().map(|source| (source, seconds)));
    Ok(())
}

/// Stops the review of a game that is another one now, or none.
pub(crate) async fn leave(site: &Site, source: &Source) -> Result<(), Fault> {
    match site.reviews.leave(source) {
        true => note(site, source, 0, true).await,
        false => Ok(()),
    }
}

/// Keeps whether a review is wanted.
async fn note(site: &Site, source: &Source, seconds: u64, done: bool) -> Result<(), Fault> {
    let asked = Asked {
        source: source.clone(),
        seconds,
        done,
    };
    site.documents.put(ASKED, &source.key(), &asked).await
}

/// Goes on with the reviews that the last run of the server left.
pub(crate) async fn resume(site: &Arc<Site>) {
    let asked: Vec<Asked> = site
        .documents
        .latest(ASKED, MOST_RESUMED)
        .await
        .unwrap_or_default();
    let open = asked.into_iter().rev().filter(|asked| !asked.done);
    begin(site, open.map(|asked| (asked.source, asked.seconds)));
}

fn begin(site: &Arc<Site>, jobs: impl IntoIterator<Item = (Source, u64)>) {
    if site.reviews.add(jobs) {
        let site = site.clone();
        tokio::spawn(async move {
            while let Some(job) = site.reviews.first() {
                let result = work(&site, &job).await.map_err(|fault| fault.message);
                // What is not noted is done once more after a restart, from what is proven.
                if !job.is_left() {
                    let _ = note(&site, &job.source, job.seconds, true).await;
                }
                site.reviews.finish(&job, result);
            }
        });
    }
}

/// Reviews one game.
async fn work(site: &Arc<Site>, job: &Arc<Job>) -> Result<(), Fault> {
    if job.stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let loaded = Arc::new(job.source.load(site).await?);
    let game = loaded.played.game;
    let knowledge = site.store.knowledge(&loaded.played).await;
    let knowledge = Arc::new(knowledge.map_err(Fault::ours)?);
    job.state().work = Some((loaded.clone(), knowledge.clone()));
    let mut proving = {
        let (site, job, knowledge) = (site.clone(), job.clone(), knowledge.clone());
        tokio::task::spawn_blocking(move || {
            let budget = Budget {
                room: Room {
                    // One core stays free for the readers.
                    threads: tournament::cores().saturating_sub(1).max(1),
                    memory: MEMORY,
                },
                stop: job.stop.clone(),
                gives_way: site.config.reviews_give_way,
                ..Budget::default().with_time(Duration::from_secs(job.seconds))
            };
            review(&loaded.played, &knowledge, site.resources(game), &budget)
        })
    };
    let review = loop {
        let done = tokio::time::timeout(SAVE_EVERY, &mut proving).await;
        let proofs = knowledge.take_news();
        if !proofs.is_empty()
            && let Err(error) = site.store.add_proofs(game, proofs).await
        {
            job.stop.store(true, Ordering::Relaxed);
            return Err(Fault::ours(error));
        }
        if let Ok(review) = done {
            break review.map_err(Fault::ours)?;
        }
    };
    if job.is_left() {
        return Ok(());
    }
    let kept = site.store.put_review(&job.source.key(), &review).await;
    kept.map_err(Fault::ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reviews a game at the head of the queue, with this result.
    fn end(reviews: &Reviews, id: &str, result: Result<(), String>) {
        reviews.add([(Source::Play(id.into()), 1)]);
        let job = reviews.first().unwrap();
        reviews.finish(&job, result);
    }

    #[test]
    fn a_review_that_succeeds_has_not_failed() {
        let reviews = Reviews::default();
        let problem = |id: &str| reviews.find(&Source::Play(id.into()))?.problem();
        end(&reviews, "a", Err("the disk is full".into()));
        assert_eq!(problem("a").as_deref(), Some("the disk is full"));
        end(&reviews, "b", Ok(()));
        assert!(problem("a").is_some(), "that was another game");
        end(&reviews, "a", Ok(()));
        assert_eq!(problem("a"), None);
    }

    #[test]
    fn a_game_that_goes_on_is_reviewed_no_more() {
        let reviews = Reviews::default();
        let source = |id: &str| Source::Play(id.into());
        reviews.add([(source("a"), 1), (source("b"), 1)]);
        let (old, other) = (
            reviews.first().unwrap(),
            reviews.find(&source("b")).unwrap(),
        );
        assert!(reviews.leave(&source("a")));
        assert!(!reviews.leave(&source("a")));
        assert!(old.stop.load(Ordering::Relaxed) && !other.stop.load(Ordering::Relaxed));
        // Asked for again, it is another job, and the end of the old one is nobody's business.
        reviews.add([(source("a"), 1)]);
        reviews.finish(&old, Err("stopped".into()));
        let new = reviews.find(&source("a")).unwrap();
        assert!(!Arc::ptr_eq(&new, &old) && new.problem().is_none());
        assert!(!new.stop.load(Ordering::Relaxed));
        assert!(Arc::ptr_eq(&reviews.first().unwrap(), &other));
    }
}
