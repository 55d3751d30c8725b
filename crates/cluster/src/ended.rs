//! The end of tournaments: that it is said, and what is left of them on the server.

use std::collections::BTreeSet;

use futures_util::StreamExt;

use crate::link::Link;
use crate::protocol::{Run, VERSION, streams, subjects};
use crate::stream::results_name;
use crate::wire;

impl Link {
    /// Says that all games of a tournament are kept, unless another coordinator than the one with
    /// this number has begun to run it.
    pub(crate) async fn end(&self, tournament: &str, begun: u64) {
        let subject = subjects::coordinator(tournament);
        // If it is lost, workers keep results for longer.
        let _ = self
            .publish_after(subject, wire::pack(&Run::Over), begun)
            .await;
    }

    /// Whether the last coordinator of a tournament has said that all of its games are kept.
    pub(crate) async fn is_over(&self, tournament: &str) -> bool {
        let subject = subjects::coordinator(tournament);
        let last = self.last(streams::STATE, &subject).await.ok().flatten();
        let run = last.and_then(|bytes| wire::unpack("a run", &bytes).ok());
        run == Some(Run::Over)
    }

    /// Nobody wants the work of a tournament any more.
    pub(crate) async fn forget_work(&self, tournament: &str) {
        if let Ok(stream) = self.stream(streams::WORK).await {
            let all = format!("ludex.v{VERSION}.work.*.{tournament}.>");
            let _ = stream.purge().filter(all).await;
        }
    }

    /// Nobody reads the results of a tournament any more.
    pub(crate) async fn forget_results(&self, tournament: &str) {
        if let Ok(stream) = self.stream(streams::RESULTS).await {
            let _ = stream.delete_consumer(&results_name(tournament)).await;
            let _ = stream
                .purge()
                .filter(subjects::result(tournament, ">"))
                .await;
        }
    }

    /// Removes results that came when their tournaments were over.
    pub(crate) async fn sweep(&self) {
        let Ok(stream) = self.stream(streams::RESULTS).await else {
            return;
        };
        let Ok(mut subjects) = stream.info_with_subjects(subjects::result("*", ">")).await else {
            return;
        };
        let mut tournaments = BTreeSet::new();
        while let Some(Ok((subject, _))) = subjects.next().await {
            tournaments.extend(subject.split('.').nth(3).map(str::to_owned));
        }
        for tournament in tournaments {
            if self.is_over(&tournament).await {
                self.forget_results(&tournament).await;
            }
        }
    }
}
