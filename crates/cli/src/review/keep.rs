//! Reviewing with a store: proofs are read from it before, and written while the review runs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use games::{GameName, Resources};
use review::{Budget, Knowledge, Played, Review, review};
use tokio::runtime::Runtime;
use tournament::Store;

use crate::error::bad_input;
use crate::input;
use crate::watch;

/// How often what is new is written while a review runs.
const SAVE_EVERY: Duration = Duration::from_millis(500);

/// How often to look whether a review is finished.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The store that is used where none is named and it exists.
const USUAL: &str = "ludex.db";

/// Reviews games, and keeps what is proven if there is a store.
pub(super) struct Keeper {
    pub(super) runtime: Runtime,
    pub(super) store: Option<Store>,
    pub(super) db: PathBuf,
    resources: Resources,
    budget: Budget,
}

impl Keeper {
    /// With the store that is named, which is made if it is not there, or the usual one.
    pub(super) fn new(
        db: Option<&Path>,
        resources: Resources,
        budget: Budget,
    ) -> anyhow::Result<Keeper> {
        let runtime = watch::runtime()?;
        let usual = Path::new(USUAL);
        let path = db.or_else(|| Some(usual).filter(|usual| usual.is_file()));
        let store = path
            .map(|path| runtime.block_on(input::store(path)))
            .transpose()?;
        Ok(Keeper {
            runtime,
            store,
            db: path.unwrap_or(usual).to_path_buf(),
            resources,
            budget,
        })
    }

    /// The store, which must be there.
    pub(super) fn store(&self) -> anyhow::Result<&Store> {
        let missing = || bad_input(format!("{}: no such file", self.db.display()));
        self.store.as_ref().ok_or_else(missing)
    }

    /// Whether somebody wants it all to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.budget.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Reviews a game with everything that the store knows. `id` is that of a game in the store,
    /// whose review is kept there.
    pub(super) fn review(&self, played: &Played, id: Option<&str>) -> anyhow::Result<Review> {
        let Some(store) = &self.store else {
            let nothing = Knowledge::default();
            return Ok(review(played, &nothing, &self.resources, &self.budget));
        };
        if let Some(id) = id
            && let Some(kept) = self.runtime.block_on(store.review(id))?
            && kept.time.0 >= self.budget.time
        {
            return Ok(kept);
        }
        let knowledge = self.runtime.block_on(store.knowledge(played))?;
        let review: anyhow::Result<Review> = std::thread::scope(|scope| {
            let work = || review(played, &knowledge, &self.resources, &self.budget);
            let worker = scope.spawn(work);
            let mut saved = Instant::now();
            while !worker.is_finished() {
                std::thread::sleep(LOOK_EVERY);
                if saved.elapsed() >= SAVE_EVERY {
                    self.save(store, played.game, &knowledge)?;
                    saved = Instant::now();
                }
            }
            let review = worker.join();
            self.save(store, played.game, &knowledge)?;
            review.or_else(|panic| std::panic::resume_unwind(panic))
        });
        let review = review?;
        if let Some(id) = id {
            self.runtime.block_on(store.put_review(id, &review))?;
        }
        Ok(review)
    }

    fn save(&self, store: &Store, game: GameName, knowledge: &Knowledge) -> anyhow::Result<()> {
        let news = knowledge.take_news();
        if !news.is_empty() {
            self.runtime.block_on(store.add_proofs(game, news))?;
        }
        Ok(())
    }
}
