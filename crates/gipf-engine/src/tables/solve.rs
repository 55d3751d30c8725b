//! The whole way from a variant to its table.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use gipf::Variant;
use memmap2::Mmap;
use rules::Side;

use super::Progress;
use super::index::Tier;
use super::retro::{self, DRAW, Failure, Lower, UNREACHED, is_loss, is_win};
use super::space::{Reach, Space};
use super::store::{Folder, Manifest, TableError, TierFacts};

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Threads that work.
    pub threads: usize,
    /// The most bytes of memory.
    pub memory: u64,
    /// Whether a table that is there may be continued.
    pub resume: bool,
}

/// Values of lower tiers, straight from their files.
pub(crate) struct Files<'a> {
    pub(crate) space: &'a Space,
    pub(crate) files: Vec<Option<Mmap>>,
}

impl Lower for Files<'_> {
    #[inline]
    fn value(&self, tier: Tier, number: u32) -> u8 {
        match &self.files[self.space.slot(tier)] {
            Some(values) => values[number as usize],
            None => UNREACHED,
        }
    }
}

/// Checks that a table of the variant is possible.
fn check_size(variant: Variant) -> Result<(), TableError> {
    let too_many = Side::BOTH.iter().any(|&side| variant.stones(side) > 60);
    if variant.size() > 3 || too_many {
        return Err(TableError::TooLarge(variant));
    }
    Ok(())
}

/// How many numbers all tiers of the variant have: the bytes of its table, at most.
pub fn states(variant: Variant) -> Result<u64, TableError> {
    check_size(variant)?;
    let space = Space::new(variant);
    Ok(space
        .pairs()
        .into_iter()
        .flat_map(|pair| space.tiers(pair))
        .map(|tier| space.layout(tier).size as u64)
        .sum())
}

/// Solves the variant and writes its table into the folder. A table that is there is left
/// alone, or continued where it stands, unless another process is solving it.
pub fn solve(
    variant: Variant,
    folder: &Path,
    settings: Settings,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Manifest, TableError> {
    check_size(variant)?;
    let folder = Folder::create(folder)?;
    let claim = folder.claim();
    let mut manifest = match folder.manifest()? {
        None => Folder::new_manifest(variant),
        Some((manifest, found)) if found == variant && settings.resume => manifest,
        Some((_, found)) if found == variant => return Err(TableError::Exists(folder.path)),
        Some((_, found)) => {
            return Err(TableError::OtherVariant {
                table: found,
                found: variant,
            });
        }
    };
    if manifest.finished {
        // A kill can come between the last manifest and the removal of what only an
        // unfinished table needs.
        folder.tidy();
        return Ok(manifest);
    }
    let _claim = claim?;
    let space = Space::new(variant);
    let for_lists = check_memory(&space, settings)?;
    let mut clock = Instant::now();
    let mut spent = |manifest: &mut Manifest| {
        manifest.seconds += clock.elapsed().as_secs_f64();
        clock = Instant::now();
    };

    // From now on the folder is this variant's.
    folder.write_manifest(&manifest)?;
    let found = reached(&space, &folder, settings, stop, progress);
    spent(&mut manifest);
    folder.write_manifest(&manifest)?;
    let reach = found?;

    let mut files = Files {
        space: &space,
        files: (0..space.slots()).map(|_| None).collect(),
    };
    let pairs: Vec<Tier> = space.pairs().into_iter().rev().collect();
    let total = pairs
        .iter()
        .flat_map(|&pair| space.tiers(pair))
        .map(|tier| reach.count(tier))
        .sum();
    progress.begin("solving".into(), total);
    for pair in pairs {
        let tiers = space.tiers(pair);
        let known = |tier: Tier| {
            manifest
                .tiers
                .iter()
                .find(|facts| (facts.own, facts.other) == (tier.own, tier.other))
        };
        if tiers.iter().all(|&tier| reach.count(tier) == 0) {
            continue;
        }
        // What is there and good stays; anything else is solved again.
        let opened: Option<Vec<_>> = tiers
            .iter()
            .map(|&tier| Some((tier, folder.open_tier(known(tier)?, true).ok()?)))
            .collect();
        if let Some(opened) = opened {
            for (tier, values) in opened {
                progress.add(reach.count(tier));
                files.files[space.slot(tier)] = Some(values);
            }
            continue;
        }
        progress.rename(format!("solving {}:{} stones", pair.own, pair.other));
        let values = retro::solve(
            &space,
            pair,
            &reach,
            &files,
            for_lists,
            settings.threads,
            stop,
            progress,
        )
        .map_err(|failure| match failure {
            Failure::TooLong => TableError::TooLong(variant),
            Failure::Memory(lists) => {
                too_little(variant, settings.memory - for_lists + lists, settings)
            }
            Failure::Stopped => TableError::Stopped,
        })?;
        manifest.tiers.retain(|facts| {
            !tiers.contains(&Tier {
                own: facts.own,
                other: facts.other,
            })
        });
        for (&tier, values) in tiers.iter().zip(&values) {
            let checksum = folder.write_tier(tier, values)?;
            let facts = facts(tier, values, checksum);
            files.files[space.slot(tier)] = Some(folder.open_tier(&facts, false)?);
            manifest.tiers.push(facts);
        }
        spent(&mut manifest);
        folder.write_manifest(&manifest)?;
    }
    manifest.finished = true;
    folder.write_manifest(&manifest)?;
    folder.tidy();
    Ok(manifest)
}

/// What is there beside the work on a pair of tiers, and the lists that such work needs at
/// least for each number.
const BASE: u64 = 48 << 20;
const LIST: u64 = 4;

/// The memory that is left for the lists of a pair of tiers; an error if there is none.
fn check_memory(space: &Space, settings: Settings) -> Result<u64, TableError> {
    let numbers = |tiers: Vec<Tier>| -> u64 {
        let sizes = tiers.into_iter().map(|tier| space.layout(tier).size as u64);
        sizes.sum()
    };
    let pairs = space.pairs();
    let largest = pairs.iter().map(|&pair| numbers(space.tiers(pair))).max();
    let largest = largest.unwrap_or(0);
    let all: u64 = pairs.iter().map(|&pair| numbers(space.tiers(pair))).sum();
    // Smaller tiers are mapped; the positions that can arise are one bit each, and read
    // back through a copy.
    let fixed = BASE + largest * retro::PER_NUMBER + (all - largest) + 3 * all / 8;
    let needed = fixed + LIST * largest;
    if needed > settings.memory {
        return Err(too_little(space.variant, needed, settings));
    }
    Ok(settings.memory - fixed)
}

fn too_little(variant: Variant, needed: u64, settings: Settings) -> TableError {
    TableError::Memory {
        variant,
        needed: needed.div_ceil(1 << 20),
        allowed: settings.memory >> 20,
    }
}

/// How often, at most, the positions found so far are written down.
const SAVE_EVERY: Duration = Duration::from_secs(15);

/// The positions that can arise: from the file, or found now and kept.
fn reached<'a>(
    space: &'a Space,
    folder: &Folder,
    settings: Settings,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Reach<'a>, TableError> {
    let pairs = space.pairs();
    let tiers: Vec<Tier> = pairs.iter().flat_map(|&pair| space.tiers(pair)).collect();
    let words = |tier: Tier| space.layout(tier).size.div_ceil(64);
    let all_words: usize = tiers.iter().map(|&tier| words(tier)).sum();
    let (closed, reach) = match folder.read_reached(all_words)? {
        Some((closed, sets)) => {
            let reach = Reach::empty(space);
            let mut sets = sets.as_slice();
            for &tier in &tiers {
                let (set, rest) = sets.split_at(words(tier));
                reach.restore(tier, set);
                sets = rest;
            }
            (closed, reach)
        }
        None => (0, Reach::new(space)),
    };
    let save = |closed: usize| {
        let word = |word: &AtomicU64| word.load(Ordering::Relaxed);
        let sets = tiers.iter().flat_map(|&tier| reach.touch(tier));
        folder.write_reached(closed, sets.map(word))
    };
    let numbers = |pairs: &[Tier]| -> u64 {
        let tiers = pairs.iter().flat_map(|&pair| space.tiers(pair));
        tiers.map(|tier| space.layout(tier).size as u64).sum()
    };
    progress.begin("finding positions".into(), numbers(&pairs));
    progress.add(numbers(&pairs[..closed.min(pairs.len())]));
    let mut saved = Instant::now();
    for (at, &pair) in pairs.iter().enumerate().skip(closed) {
        reach.close(pair, settings.threads, stop, progress);
        let stopped = stop.load(Ordering::Relaxed);
        if stopped || saved.elapsed() >= SAVE_EVERY {
            save(if stopped { at } else { at + 1 })?;
            saved = Instant::now();
        }
        if stopped {
            return Err(TableError::Stopped);
        }
    }
    if closed < pairs.len() {
        save(pairs.len())?;
    }
    Ok(reach)
}

/// What the values of a tier are.
pub(crate) fn facts(tier: Tier, values: &[u8], checksum: String) -> TierFacts {
    let reached = || values.iter().copied().filter(|&value| value != UNREACHED);
    let count = |wanted: fn(u8) -> bool| reached().filter(|&value| wanted(value)).count() as u64;
    TierFacts {
        own: tier.own,
        other: tier.other,
        positions: reached().count() as u64,
        wins: count(is_win),
        losses: count(is_loss),
        longest: reached()
            .filter(|&value| value != DRAW)
            .map(|value| u32::from(value) - 1)
            .max()
            .unwrap_or(0),
        bytes: values.len() as u64,
        checksum,
    }
}
