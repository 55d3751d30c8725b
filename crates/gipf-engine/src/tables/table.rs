//! Questions to a finished table.

use std::path::Path;

use gipf::{Move, Position, Variant};
use memmap2::Mmap;
use rules::{Game, Side};
use search::{Distance, Score};

use super::index::{Portable, Tier};
use super::moves::Stones;
use super::retro::{DRAW, UNREACHED, is_win};
use super::space::Space;
use super::store::{Folder, Manifest, TableError};

/// What a position is worth to the player to move, with perfect play of both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Wins in so many plies, against the longest defence.
    Win(u32),
    /// Loses in so many plies, by the longest defence.
    Loss(u32),
    /// Neither side can force a win.
    Draw,
}

impl Value {
    fn from_byte(byte: u8) -> Option<Value> {
        match byte {
            UNREACHED => None,
            DRAW => Some(Value::Draw),
            value if is_win(value) => Some(Value::Win(u32::from(value) - 1)),
            value => Some(Value::Loss(u32::from(value) - 1)),
        }
    }

    /// The value before the move that led to a position of this value.
    #[must_use]
    pub fn before(self) -> Value {
        match self {
            Value::Win(distance) => Value::Loss(distance + 1),
            Value::Loss(distance) => Value::Win(distance + 1),
            Value::Draw => Value::Draw,
        }
    }

    /// Sorts better values for the player to move first.
    #[must_use]
    pub fn order(self) -> i64 {
        match self {
            Value::Win(distance) => i64::from(distance) - (1 << 32),
            Value::Draw => 0,
            Value::Loss(distance) => (1 << 32) - i64::from(distance),
        }
    }
}

impl From<Value> for Score {
    fn from(value: Value) -> Score {
        match value {
            Value::Win(distance) => Score::Win(Distance::Exactly(distance)),
            Value::Loss(distance) => Score::Loss(Distance::Exactly(distance)),
            Value::Draw => Score::Draw,
        }
    }
}

/// A finished table, opened.
pub struct Table {
    space: Box<Space>,
    files: Vec<Option<Mmap>>,
    folder: Folder,
    manifest: Manifest,
}

impl Table {
    /// Opens the table in a folder. Checksums are left to [`check`](Table::check) and
    /// [`verify`](super::verify()).
    pub fn open(folder: &Path) -> Result<Table, TableError> {
        let (folder, manifest, variant) = open_finished(folder)?;
        let space = Box::new(Space::new(variant));
        let files = open_tiers(&folder, &manifest, &space, false)?;
        Ok(Table {
            space,
            files,
            folder,
            manifest,
        })
    }

    /// Checks the checksums of all tiers that the value of a position and of its moves are
    /// read from.
    pub fn check(&self, position: &Position) -> Result<(), TableError> {
        let mut tiers = vec![self.space.locate(position).0];
        for mv in position.moves() {
            let mut next = *position;
            next.play_unchecked(mv);
            tiers.push(self.space.locate(&next).0);
        }
        for facts in &self.manifest.tiers {
            let tier = Tier {
                own: facts.own,
                other: facts.other,
            };
            if tiers.contains(&tier)
                && let Some(values) = &self.files[self.space.slot(tier)]
            {
                let path = self.folder.tier_file(tier);
                self.folder.check(&path, values, &facts.checksum)?;
            }
        }
        Ok(())
    }

    /// The variant that it solves.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.space.variant
    }

    /// What is known about its parts.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The value of a position; `None` if it cannot arise from the start.
    ///
    /// Positions of another variant on the same board with the same run length are
    /// answered too, as far as the table has them: the stones decide, not where they came
    /// from.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        let (own, other) = (position.variant(), self.space.variant);
        let most = Side::BOTH
            .map(|side| other.stones(side))
            .into_iter()
            .max()
            .unwrap_or(0);
        let fits = Side::BOTH
            .iter()
            .all(|&side| position.material(side) <= most);
        if (own.size(), own.run()) != (other.size(), other.run()) || !fits {
            return None;
        }
        let (tier, stones) = self.space.locate(position);
        self.value_at(tier, stones)
    }

    /// The same for stones on the board; a tier of the table has so many stones in all.
    pub(crate) fn value_at(&self, tier: Tier, stones: Stones) -> Option<Value> {
        let values = self.files[self.space.slot(tier)].as_ref()?;
        let number = self
            .space
            .index
            .number::<Portable>(self.space.layout(tier), stones);
        Value::from_byte(values[number as usize])
    }

    /// Every move with its value for the player who makes it, the best first.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<(Move, Value)> {
        let mut moves: Vec<(Move, Value)> = position
            .moves()
            .into_iter()
            .filter_map(|mv| {
                let mut next = *position;
                next.play_unchecked(mv);
                Some((mv, self.value(&next)?.before()))
            })
            .collect();
        moves.sort_by_key(|&(_, value)| value.order());
        moves
    }

    /// Some position whose value is wanted, found from a seed; `None` if there is none.
    #[must_use]
    pub fn sample(&self, seed: u64, wanted: impl Fn(Value) -> bool) -> Option<Position> {
        let total: u64 = self.manifest.tiers.iter().map(|tier| tier.bytes).sum();
        let mut at = seed
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(31)
            .checked_rem(total)?;
        // From there on to the end, then from the beginning: at most once around.
        let mut left = total;
        loop {
            let mut skipped = 0;
            for facts in &self.manifest.tiers {
                let start = skipped;
                skipped += facts.bytes;
                if at >= skipped {
                    continue;
                }
                let tier = Tier {
                    own: facts.own,
                    other: facts.other,
                };
                let values = self.files[self.space.slot(tier)].as_ref()?;
                for number in at - start..facts.bytes {
                    if Value::from_byte(values[number as usize]).is_some_and(&wanted) {
                        return self.position(tier, number as u32);
                    }
                    left = left.checked_sub(1)?;
                }
                at = skipped;
            }
            at = 0;
        }
    }

    /// The position of a number, with White to move where the stones allow it.
    fn position(&self, tier: Tier, number: u32) -> Option<Position> {
        let layout = self.space.layout(tier);
        let section = &layout.sections[layout.section(number)];
        let stones = self.space.index.stones::<Portable>(section, number);
        let variant = self.space.variant;
        let fits = |side: Side| {
            u16::from(tier.own) <= variant.stones(side)
                && u16::from(tier.other) <= variant.stones(!side)
        };
        let side = if fits(Side::First) {
            Side::First
        } else {
            Side::Second
        };
        let mut sets = [u128::from(stones.own), u128::from(stones.other)];
        let mut reserves = [
            u16::from(tier.own) - stones.own.count_ones() as u16,
            u16::from(tier.other) - stones.other.count_ones() as u16,
        ];
        if side == Side::Second {
            sets.swap(0, 1);
            reserves.swap(0, 1);
        }
        Position::try_from(gipf::Setup {
            variant,
            reserves,
            side,
            stones: sets,
        })
        .ok()
    }
}

/// The folder, list and variant of a finished table.
pub(crate) fn open_finished(path: &Path) -> Result<(Folder, Manifest, Variant), TableError> {
    let folder = Folder {
        path: path.to_owned(),
    };
    let missing = || TableError::Damaged {
        path: path.to_owned(),
        reason: "no table in this folder".into(),
    };
    let (manifest, variant) = folder.manifest()?.ok_or_else(missing)?;
    if !manifest.finished {
        return Err(TableError::Unfinished(path.to_owned()));
    }
    Ok((folder, manifest, variant))
}

/// The values of all tiers, by [`Space::slot`]; with `check`, only if the checksums are right.
pub(crate) fn open_tiers(
    folder: &Folder,
    manifest: &Manifest,
    space: &Space,
    check: bool,
) -> Result<Vec<Option<Mmap>>, TableError> {
    let mut files: Vec<_> = (0..space.slots()).map(|_| None).collect();
    for facts in &manifest.tiers {
        let tier = Tier {
            own: facts.own,
            other: facts.other,
        };
        let damaged = |reason: String| TableError::Damaged {
            path: folder.tier_file(tier),
            reason,
        };
        if !space.has(tier) {
            return Err(damaged("no such tier in this variant".into()));
        }
        let values = folder.open_tier(facts, check)?;
        let size = space.layout(tier).size;
        if values.len() != size {
            return Err(damaged(format!("{} numbers, not {size}", values.len())));
        }
        files[space.slot(tier)] = Some(values);
    }
    Ok(files)
}
