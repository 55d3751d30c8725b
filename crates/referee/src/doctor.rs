//! What this machine can enforce, and what to do about the rest.

use std::fmt;
use std::fs;

use serde::Serialize;

use crate::{IsolationMode, process, survey};

/// How well the machine does at one thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Everything is enforced.
    Good,
    /// Something is missing, or not needed.
    Partial,
    /// It is not to be had here.
    Missing,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            State::Good => "good",
            State::Partial => "partial",
            State::Missing => "missing",
        })
    }
}

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// What.
    pub subject: &'static str,
    /// How well.
    pub state: State,
    /// What that means, in a sentence.
    pub detail: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// Tries everything out.
#[must_use]
pub fn examine() -> Vec<Finding> {
    vec![
        user(),
        walls("namespaces", IsolationMode::Namespaces, namespaces_remedy()),
        walls(
            "bwrap",
            IsolationMode::Bwrap,
            "install the package bubblewrap; it is needed only where namespaces are not to be had"
                .into(),
        ),
        walls(
            "landlock",
            IsolationMode::Landlock,
            "a kernel from 5.13 on, with landlock among the security modules (lsm=) of its boot \
             line; it is needed only where namespaces are not to be had"
                .into(),
        ),
        chosen(),
        processor_time(),
        memory(),
        control_groups(),
        own_program(),
        load(),
    ]
}

fn good(subject: &'static str, detail: impl Into<String>) -> Finding {
    Finding {
        subject,
        state: State::Good,
        detail: detail.into(),
        remedy: None,
    }
}

fn user() -> Finding {
    // SAFETY: only reads who we are.
    match unsafe { libc::geteuid() } {
        0 => good(
            "user",
            "root: every program runs as a user of its own without any rights",
        ),
        _ => good(
            "user",
            "not root: programs run as you, and walls keep them from your files",
        ),
    }
}

fn walls(subject: &'static str, mode: IsolationMode, remedy: String) -> Finding {
    match survey(mode) {
        Ok(found) if found.missing.is_empty() => good(
            subject,
            "programs see their own folder and what they need to run",
        ),
        Ok(found) => Finding {
            subject,
            state: State::Partial,
            detail: found.missing.join("; "),
            remedy: Some("a newer kernel".into()),
        },
        Err(error) => Finding {
            subject,
            state: State::Missing,
            detail: error.to_string(),
            remedy: Some(remedy),
        },
    }
}

/// What keeps ordinary users from making namespaces here.
fn namespaces_remedy() -> String {
    let setting = |name: &str| {
        let text = fs::read_to_string(format!("/proc/sys/{}", name.replace('.', "/")));
        text.ok().map(|text| text.trim().to_string())
    };
    for (name, bad, right) in [
        ("kernel.unprivileged_userns_clone", "0", "1"),
        ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
        ("user.max_user_namespaces", "0", "10000"),
    ] {
        if setting(name).as_deref() == Some(bad) {
            return format!("sysctl {name}={right}");
        }
    }
    "in a container: allow user namespaces and mounts (docker: --security-opt seccomp=unconfined \
     --security-opt systempaths=unconfined), or run outside of it"
        .into()
}

fn chosen() -> Finding {
    match survey(IsolationMode::Auto) {
        Ok(found) if found.mode == IsolationMode::None => Finding {
            subject: "isolation",
            state: State::Missing,
            detail: format!("none: {}", found.missing.join("; ")),
            remedy: Some("see namespaces, bwrap and landlock above".into()),
        },
        Ok(found) => good("isolation", format!("auto takes {}", found.mode)),
        Err(error) => Finding {
            subject: "isolation",
            state: State::Missing,
            detail: error.to_string(),
            remedy: None,
        },
    }
}

fn processor_time() -> Finding {
    let unmeasured = survey(IsolationMode::Auto).map(|found| found.unmeasured);
    match unmeasured {
        Ok(list) if list.is_empty() => good(
            "processor time",
            "counted by the kernel for all processes of a program, however they end",
        ),
        Ok(list) => Finding {
            subject: "processor time",
            state: State::Partial,
            detail: list.join("; "),
            remedy: Some("sysctl kernel.perf_event_paranoid=2".into()),
        },
        Err(error) => Finding {
            subject: "processor time",
            state: State::Missing,
            detail: error.to_string(),
            remedy: None,
        },
    }
}

fn memory() -> Finding {
    let capped = process::group_home().is_some_and(|home| home.caps.contains(&"memory"));
    good(
        "memory",
        match capped {
            true => "capped by the kernel for all processes of a program together",
            false => {
                "summed over all processes of a program fifty times a second, shared memory \
                 included; the kernel caps each process at once"
            }
        },
    )
}

fn control_groups() -> Finding {
    match process::group_home() {
        Some(home) => good(
            "control groups",
            format!("a group around every program caps {}", home.caps.join(" and ")),
        ),
        None => Finding {
            subject: "control groups",
            state: State::Partial,
            detail: "none is delegated to this process: limits are enforced by counting".into(),
            remedy: Some(
                "start by systemd-run --user --scope -p Delegate=yes ludex …, or as a service with \
                 Delegate=yes"
                    .into(),
            ),
        },
    }
}

/// A program that can run Ludex can let it play.
fn own_program() -> Finding {
    let shown = std::env::current_exe().is_ok_and(|own| process::is_shown_to_all(&own));
    if !shown {
        return good("own program", "ludex itself is out of the programs' sight");
    }
    Finding {
        subject: "own program",
        state: State::Partial,
        detail: "ludex lies in a system folder, where programs can run it".into(),
        remedy: Some("install it elsewhere: cargo install puts it into your home".into()),
    }
}

fn load() -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = text
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(0.0);
    if load <= cores as f64 {
        return good("load", format!("{load:.1} on {cores} cores"));
    }
    Finding {
        subject: "load",
        state: State::Partial,
        detail: format!("{load:.1} on {cores} cores: turns that this spoils are repeated"),
        remedy: Some("let fewer games run at once (-j), or wait".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_not_good_comes_with_a_reason() {
        let findings = examine();
        assert!(findings.len() >= 10);
        for finding in findings {
            assert!(!finding.detail.is_empty(), "{finding:?}");
            if finding.state == State::Missing && finding.subject != "isolation" {
                assert!(finding.remedy.is_some(), "{finding:?}");
            }
        }
    }
}
