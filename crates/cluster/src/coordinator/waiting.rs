//! Why nothing comes: what whoever waits for results is told.

use super::listen::Known;

/// So many workers are named.
const NAMED: usize = 3;

/// Why nobody plays the pairs that are given out, in a line; nothing if somebody plays, or if
/// nothing is known to keep a worker from it.
pub(super) fn why_nothing_comes(known: &Known) -> Option<String> {
    let pairs = match known.open.len() {
        0 => return None,
        1 => "1 pair waits".to_owned(),
        many => format!("{many} pairs wait"),
    };
    let workers: Vec<_> = known.live().collect();
    if workers.is_empty() {
        return Some(format!(
            "{pairs}, and no worker is there: start some by ludex worker --nats URL"
        ));
    }
    let idle = workers.iter().all(|worker| worker.busy == 0);
    let kept = workers.iter().all(|worker| !worker.troubles.is_empty());
    if !idle || !kept {
        return None;
    }
    let mut reasons: Vec<String> = workers
        .iter()
        .take(NAMED)
        .map(|worker| format!("{}: {}", worker.worker, worker.troubles.join("; ")))
        .collect();
    if workers.len() > NAMED {
        reasons.push(format!(
            "{} more: see ludex cluster status",
            workers.len() - NAMED
        ));
    }
    Some(format!(
        "{pairs}, and no worker takes work ({})",
        reasons.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::protocol::{Presence, VERSION};

    fn worker(name: &str, busy: usize, trouble: Option<&str>) -> Presence {
        Presence {
            protocol: VERSION,
            version: "1".into(),
            worker: name.into(),
            slots: 1,
            busy,
            calibration: vec![1.0],
            walls: Err("none".into()),
            finished: 0,
            spooled: 0,
            troubles: trouble.into_iter().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn who_waits_is_told_why() {
        let mut known = Known::default();
        assert_eq!(why_nothing_comes(&known), None);
        known.open.insert("1-1-1x2".into());
        let nobody = "1 pair waits, and no worker is there: start some by ludex worker --nats URL";
        assert_eq!(why_nothing_comes(&known).unwrap(), nobody);
        let mut comes = |worker: Presence| {
            let name = worker.worker.clone();
            known.workers.insert(name, (worker, Instant::now()));
            known.open.insert("1-2-1x2".into());
            why_nothing_comes(&known)
        };
        let slow = comes(worker("a", 0, Some("too slow")));
        assert_eq!(
            slow.unwrap(),
            "2 pairs wait, and no worker takes work (a: too slow)"
        );
        for name in ["b", "c", "d", "e"] {
            comes(worker(name, 0, Some("no walls")));
        }
        let many = comes(worker("f", 0, Some("no walls"))).unwrap();
        assert!(
            many.ends_with("c: no walls; 3 more: see ludex cluster status)"),
            "{many}"
        );
        assert_eq!(comes(worker("a", 1, Some("too slow"))), None);
        assert_eq!(comes(worker("a", 0, None)), None);
    }
}
