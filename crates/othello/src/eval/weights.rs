//! The weights of all phases, and the sum over a position's lanes.

use std::sync::OnceLock;

use isa::{Available, Isa, Kernel, Set};
use reversi::Board;

use super::features::mobility_of;
use super::file::{self, FileError, Header, Phases};
use super::pattern::{Distinct, LANES, LAYOUT, SLOTS};
use super::{Features, MOST};

/// How many phases there are. Each is two empties wide, but for the first and the last.
pub const PHASES: usize = 24;

/// The fewest empties of the second phase; with fewer, positions are solved, not valued.
const FIRST: u32 = 9;

/// The phase of a position with this many empties.
#[inline]
#[must_use]
pub const fn phase_of(empties: u32) -> usize {
    let phase = (empties + 2).saturating_sub(FIRST) as usize / 2;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// One phase, expanded: a weight for every slot, then zeros that lanes not in use read.
type Slots = Box<[i16]>;

/// Zeros after the slots: a vector load of a 16-bit weight reads 32 bits.
const PADDING: usize = 2;

/// A weight for every index of every pattern in every phase.
///
/// A phase is unpacked and expanded from its distinct weights when it is first asked for, so a
/// program pays only for the phases that its search meets.
pub struct Weights {
    header: Header,
    /// Everything but the header as it is in a file.
    body: &'static [u8],
    /// The phases in it.
    packed: Phases<'static>,
    /// The instruction set for sums outside a search.
    isa: Available,
    phases: [OnceLock<Slots>; PHASES],
}

impl Weights {
    /// The trained weights that are part of this program.
    #[must_use]
    pub fn embedded() -> &'static Weights {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        static BYTES: &[u8] = include_bytes!("../../weights/othello.weights");
        // Checking the sum of megabytes at every start would take the time of a thousand
        // positions; a test does it instead.
        WEIGHTS.get_or_init(|| match file::split(BYTES) {
            Ok(parts) => Weights::new(parts),
            Err(error) => unreachable!("the embedded weights: {error}"),
        })
    }

    /// Reads a weights file, and checks its sum. The bytes stay in memory for good:
    /// a program reads one or two such files in its life.
    pub fn read(bytes: Vec<u8>) -> Result<Weights, FileError> {
        let weights = Weights::new(file::split(Box::leak(bytes.into_boxed_slice()))?);
        weights.check()?;
        Ok(weights)
    }

    /// Weights that find every position equal: where training from nothing starts.
    #[must_use]
    pub fn zero() -> Weights {
        let phases = vec![vec![0; Distinct::get().count()]; PHASES];
        let bytes = file::write(&phases, "zero", &[]);
        Weights::read(bytes).expect("what was just written can be read")
    }

    fn new((header, body, packed): (Header, &'static [u8], Phases<'static>)) -> Weights {
        Weights {
            header,
            body,
            packed,
            isa: Available::best(),
            phases: [const { OnceLock::new() }; PHASES],
        }
    }

    /// What the file says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Compares the checksum in the header with that of the numbers, and unpacks all of them.
    pub fn check(&self) -> Result<(), FileError> {
        self.header.check(self.body)?;
        match self.packed.iter().position(|it| file::unpack(it).is_none()) {
            Some(phase) => Err(FileError::Packed { phase }),
            None => Ok(()),
        }
    }

    /// The distinct weights of one phase.
    #[must_use]
    pub fn distinct(&self, phase: usize) -> Vec<i16> {
        let weights = file::unpack(self.packed[phase]);
        weights.expect("a file that was read, and the embedded one in a test, was checked")
    }

    /// The value of a board with its features for the player to move, in parts of a
    /// [`DISC`](super::DISC).
    #[inline]
    #[must_use]
    pub fn value(&self, board: Board, features: &Features) -> i32 {
        let slots = self.slots(board.empty().len());
        let indices = features.indices(mobility_of(board));
        let sum = Sum(slots, &indices);
        self.isa.call(sum).clamp(-MOST, MOST)
    }

    /// The expanded weights for positions with so many empties.
    #[inline]
    pub(crate) fn slots(&self, empties: u32) -> &[i16] {
        let phase = phase_of(empties);
        self.phases[phase].get_or_init(|| self.expand(phase))
    }

    #[cold]
    fn expand(&self, phase: usize) -> Slots {
        let distinct = self.distinct(phase);
        let mut slots = Vec::with_capacity(SLOTS + PADDING);
        let of_slot = Distinct::get().of_slot();
        slots.extend(of_slot.iter().map(|&weight| distinct[weight as usize]));
        slots.extend([0; PADDING]);
        slots.into()
    }
}

/// The sum of the weights of all lanes.
///
/// The slots must be an expanded phase: all of [`SLOTS`] and the padding.
#[inline(always)]
pub(crate) fn sum<I: Isa>(_: I, slots: &[i16], indices: &[u16; LANES]) -> i32 {
    match I::SET {
        // SAFETY: an `I` is the proof that the processor has its set.
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 | Set::Avx512Popcnt => unsafe { avx512::sum(slots, indices) },
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 => unsafe { avx2::sum(slots, indices) },
        _ => portable_sum(slots, indices),
    }
}

/// The sum of the weights of all lanes, as a kernel.
struct Sum<'a>(&'a [i16], &'a [u16; LANES]);

impl Kernel for Sum<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        sum(isa, self.0, self.1)
    }
}

/// The sum of the weights of all lanes: the plain twin.
#[inline]
fn portable_sum(slots: &[i16], indices: &[u16; LANES]) -> i32 {
    LAYOUT
        .offset
        .iter()
        .zip(indices)
        .map(|(&offset, &index)| i32::from(slots[offset as usize + usize::from(index)]))
        .sum()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{LANES, LAYOUT, PADDING, SLOTS};

    /// The sum of the weights of all lanes, eight at a time.
    ///
    /// The slots must be an expanded phase: all of [`SLOTS`] and the padding.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn sum(slots: &[i16], indices: &[u16; LANES]) -> i32 {
        assert!(slots.len() == SLOTS + PADDING);
        let mut total = _mm256_setzero_si256();
        for lane in (0..LANES).step_by(8) {
            // SAFETY: `lane + 8` is within both arrays. An index is below its table's
            // size, so offset + index is at most SLOTS, and the gather reads
            // that weight and the next, which the padding has room for.
            let weights = unsafe {
                let index = _mm_loadu_si128(indices.as_ptr().add(lane).cast());
                let offset = _mm256_loadu_si256(LAYOUT.offset.as_ptr().add(lane).cast());
                let slot = _mm256_add_epi32(offset, _mm256_cvtepu16_epi32(index));
                _mm256_i32gather_epi32::<2>(slots.as_ptr().cast(), slot)
            };
            // Each gathered word holds two neighbours; the low one is the weight.
            let weights = _mm256_srai_epi32::<16>(_mm256_slli_epi32::<16>(weights));
            total = _mm256_add_epi32(total, weights);
        }
        let half = _mm_add_epi32(
            _mm256_castsi256_si128(total),
            _mm256_extracti128_si256::<1>(total),
        );
        let pair = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
        let one = _mm_add_epi32(pair, _mm_shuffle_epi32::<0b10_11_00_01>(pair));
        _mm_cvtsi128_si32(one)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::{LANES, LAYOUT, PADDING, SLOTS};

    /// The sum of the weights of all lanes, sixteen at a time.
    ///
    /// The slots must be an expanded phase: all of [`SLOTS`] and the padding.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn sum(slots: &[i16], indices: &[u16; LANES]) -> i32 {
        assert!(slots.len() == SLOTS + PADDING);
        let mut total = _mm512_setzero_si512();
        for lane in (0..LANES).step_by(16) {
            // SAFETY: `lane + 16` is within both arrays. An index is below its table's
            // size, so offset + index is at most SLOTS, and the gather reads
            // that weight and the next, which the padding has room for.
            let weights = unsafe {
                let index = _mm256_loadu_si256(indices.as_ptr().add(lane).cast());
                let offset = _mm512_loadu_si512(LAYOUT.offset.as_ptr().add(lane).cast());
                let slot = _mm512_add_epi32(offset, _mm512_cvtepu16_epi32(index));
                _mm512_i32gather_epi32::<2>(slot, slots.as_ptr().cast())
            };
            // Each gathered word holds two neighbours; the low one is the weight.
            let weights = _mm512_srai_epi32::<16>(_mm512_slli_epi32::<16>(weights));
            total = _mm512_add_epi32(total, weights);
        }
        _mm512_reduce_add_epi32(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi::Discs;

    #[test]
    fn phases_cover_all_empties() {
        let phases: Vec<_> = (0..=60).map(phase_of).collect();
        assert_eq!(phases[0], 0);
        assert_eq!((phases[8], phases[9], phases[10], phases[11]), (0, 1, 1, 2));
        assert_eq!(phases[60], PHASES - 1);
        assert!(phases.windows(2).all(|p| p[1] - p[0] <= 1));
    }

    #[test]
    fn sums_agree_on_all_instruction_sets() {
        let mut seed = 7u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        let mut slots: Vec<i16> = (0..SLOTS).map(|_| random() as i16).collect();
        slots.extend([0; PADDING]);
        for _ in 0..1000 {
            let own = random() & random();
            let board = Board {
                own: Discs(own),
                other: Discs(random() & !own),
            };
            let indices = Features::new(board).indices(mobility_of(board));
            let plain: i32 = Features::slots(board)
                .map(|slot| i32::from(slots[slot as usize]))
                .sum();
            for isa in Available::all() {
                let (slots, indices) = (&slots[..], &indices);
                assert_eq!(isa.call(Sum(slots, indices)), plain, "{isa:?}");
            }
        }
    }

    #[test]
    fn mirrored_boards_are_worth_the_same() {
        let weights = Weights::embedded();
        let turn = |discs: u64| discs.swap_bytes();
        for (own, other) in [(0x0000_3c18_0000_0000, 0x0010_0224_1c00_0000), (0x81, 0x7e)] {
            let value = |own, other| {
                let board = Board {
                    own: Discs(own),
                    other: Discs(other),
                };
                weights.value(board, &Features::new(board))
            };
            let here = value(own, other);
            assert_eq!(here, value(turn(own), turn(other)));
            assert_eq!(here, value(own.reverse_bits(), other.reverse_bits()));
        }
    }

    #[test]
    fn the_embedded_file_is_whole() {
        assert_eq!(Weights::embedded().check(), Ok(()));
    }
}
