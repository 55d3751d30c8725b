//! Work that is put aside.

use std::collections::HashSet;

use futures_util::TryStreamExt;

use crate::error::{Result, server};
use crate::link::Link;
use crate::protocol::{streams, subjects};

/// The work of a tournament that is put aside.
pub(crate) async fn quarantined_units(link: &Link, tournament: &str) -> Result<HashSet<String>> {
    let stream = link.stream(streams::QUARANTINE).await?;
    let filter = subjects::quarantine(tournament, ">");
    let info = stream.info_with_subjects(filter).await;
    let subjects = info.map_err(server("read the quarantine"))?;
    let subjects: Vec<(String, usize)> = subjects
        .try_collect()
        .await
        .map_err(server("read the quarantine"))?;
    let unit = |subject: &str| subject.rsplit('.').next().map(str::to_owned);
    Ok(subjects
        .iter()
        .filter_map(|(subject, _)| unit(subject))
        .collect())
}

/// Removes work from the quarantine.
pub(crate) async fn release(link: &Link, tournament: &str, unit: &str) -> Result<()> {
    let stream = link.stream(streams::QUARANTINE).await?;
    for (stream, subject) in [
        (stream, subjects::quarantine(tournament, unit)),
        (
            link.stream(streams::TRIES).await?,
            subjects::tries(tournament, unit),
        ),
    ] {
        let purged = stream.purge().filter(subject).await;
        purged.map_err(server("clear the quarantine"))?;
    }
    Ok(())
}
