//! Names that come and go in a program's folder while it runs: a look before and one after show
//! neither a temporary file that is gone again nor one that was moved over another.

use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;

use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};

use super::dir::Dir;
use crate::Verdict;

/// The notices of the kernel about one folder.
pub(super) struct Names(Inotify);

impl Names {
    /// Watches a folder from now on; none if this user watches too many already.
    pub(super) fn of(dir: &Dir) -> Option<Names> {
        let notices = Inotify::init(InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK).ok()?;
        let kinds = AddWatchFlags::IN_CREATE
            | AddWatchFlags::IN_DELETE
            | AddWatchFlags::IN_MOVE
            | AddWatchFlags::IN_ONLYDIR;
        notices.add_watch(&dir.by_number(), kinds).ok()?;
        Some(Names(notices))
    }

    /// The first other name than `but` that came or went.
    pub(super) fn first_but(&self, but: &CStr) -> Option<Verdict> {
        let but = OsStr::from_bytes(but.to_bytes());
        // Reading fails when there is nothing more, and the kernel keeps no more than a few
        // thousand. Who makes more has made room for others that nobody hears of.
        while let Ok(notices) = self.0.read_events() {
            for notice in notices {
                if notice.mask.contains(AddWatchFlags::IN_Q_OVERFLOW) {
                    return Some(Verdict::Changed {
                        path: "its folder too often to be followed".into(),
                    });
                }
                let Some(name) = notice.name.filter(|name| name != but) else {
                    continue;
                };
                let path = crate::printable(&name.to_string_lossy());
                let came = AddWatchFlags::IN_CREATE | AddWatchFlags::IN_MOVED_TO;
                return Some(match notice.mask.intersects(came) {
                    true => Verdict::Created {
                        path: format!("{path}, which is gone again"),
                    },
                    false => Verdict::Removed { path },
                });
            }
        }
        None
    }
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Names")
    }
}
