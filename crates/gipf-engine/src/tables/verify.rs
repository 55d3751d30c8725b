//! Proof that a table is consistent.
//!
//! If every value follows from those of its successors, the table is right: wins and losses
//! by induction over their distance, and from a draw neither side can be forced out of the
//! draws. The proof looks at every position and every move anew.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Progress;
use super::index::{Bits, Layout, Portable, Tier};
use super::moves::Successor;
use super::parallel::{self, Work};
use super::retro::{DRAW, Lower, UNREACHED, is_loss, is_win};
use super::solve::{Files, facts as count};
use super::space::Space;
use super::store::{Manifest, TableError};
use super::table::{open_finished, open_tiers};

const CHUNK: usize = 1 << 14;

/// Checks the checksums of all files, every value against its successors, and what the list
/// says about them.
pub fn verify(
    folder: &Path,
    threads: usize,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Manifest, TableError> {
    let (folder, manifest, variant) = open_finished(folder)?;
    let space = Space::new(variant);
    progress.begin("verifying".into(), manifest.positions());
    let files = Files {
        files: open_tiers(&folder, &manifest, &space, true)?,
        space: &space,
    };
    let start = gipf::Position::start(variant);
    let (tier, stones) = space.locate(&start);
    let number = space.index.number::<Portable>(space.layout(tier), stones);
    if files.value(tier, number) == UNREACHED {
        return Err(TableError::Wrong {
            tier,
            number,
            reason: "the start position is missing".into(),
        });
    }
    for facts in &manifest.tiers {
        let tier = Tier {
            own: facts.own,
            other: facts.other,
        };
        let check = Check {
            space: &space,
            layout: space.layout(tier),
            files: &files,
            progress,
            wrong: Mutex::new(None),
        };
        let chunks = check.layout.size.div_ceil(CHUNK);
        parallel::run(&check, chunks, threads, stop);
        if stop.load(Ordering::Relaxed) {
            return Err(TableError::Stopped);
        }
        if let Some((number, reason)) = check.wrong.into_inner().unwrap_or(None) {
            return Err(TableError::Wrong {
                tier,
                number,
                reason,
            });
        }
        let values = files.files[space.slot(tier)].as_deref().unwrap_or(&[]);
        let counted = count(tier, values, facts.checksum.clone());
        if counted != *facts {
            return Err(folder.miscounted(&counted));
        }
    }
    Ok(manifest)
}

struct Check<'a> {
    space: &'a Space,
    layout: &'a Layout,
    files: &'a Files<'a>,
    progress: &'a Progress,
    /// The first fault that was found.
    wrong: Mutex<Option<(u32, String)>>,
}

impl Work for Check<'_> {
    type Local = Vec<Successor>;

    #[inline(always)]
    fn chunk<B: Bits>(&self, chunk: usize, list: &mut Vec<Successor>) {
        let tier = self.layout.tier;
        let mut count = 0;
        for number in chunk * CHUNK..((chunk + 1) * CHUNK).min(self.layout.size) {
            let number = number as u32;
            let value = self.files.value(tier, number);
            if value == UNREACHED {
                continue;
            }
            count += 1;
            let follows = match self.follows::<B>(number, list) {
                Ok(follows) if follows == value => continue,
                Ok(follows) => format!("value {value}, but {follows} follows from its successors"),
                Err(reason) => reason,
            };
            if let Ok(mut wrong) = self.wrong.lock() {
                wrong.get_or_insert((number, follows));
            }
        }
        self.progress.add(count);
    }
}

impl Check<'_> {
    /// The value that follows from the successors.
    #[inline(always)]
    fn follows<B: Bits>(&self, number: u32, list: &mut Vec<Successor>) -> Result<u8, String> {
        let tier = self.layout.tier;
        let section = &self.layout.sections[self.layout.section(number)];
        if section.own == usize::from(tier.own) {
            return Ok(1);
        }
        let index = &self.space.index;
        let stones = index.stones::<B>(section, number);
        let (mut any, mut drawn, mut missing) = (false, false, false);
        let (mut soonest_loss, mut latest_win) = (u8::MAX, 0);
        index.shape().successors(stones, list);
        for next in list {
            any = true;
            let to = Tier {
                own: tier.other - next.lost[1],
                other: tier.own - next.lost[0],
            };
            let number = index.number::<B>(self.space.layout(to), next.stones);
            match self.files.value(to, number) {
                UNREACHED => missing = true,
                DRAW => drawn = true,
                value if is_loss(value) => soonest_loss = soonest_loss.min(value),
                value => {
                    debug_assert!(is_win(value));
                    latest_win = latest_win.max(value);
                }
            }
        }
        if missing {
            return Err("a successor is missing".into());
        }
        Ok(if !any {
            1
        } else if soonest_loss != u8::MAX {
            soonest_loss + 1
        } else if drawn {
            DRAW
        } else {
            latest_win + 1
        })
    }
}
