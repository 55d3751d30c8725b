//! Packing the bits under a mask together, and back: one instruction where the processor has
//! it.

use isa::Isa;
#[cfg(target_arch = "x86_64")]
use isa::Set;

use super::board::bits;

/// Packing and unpacking bits with an instruction set.
///
/// Kernels hand their instruction set on as a type; [`isa::Portable`] is for everything else.
pub(crate) trait Bits: Isa {
    /// The bits of `set` at the places of `mask`, packed together.
    fn compress(set: u32, mask: u32) -> u32;
    /// The opposite.
    fn spread(set: u32, mask: u32) -> u32;
}

impl<I: Isa> Bits for I {
    #[inline(always)]
    fn compress(set: u32, mask: u32) -> u32 {
        match I::SET {
            // SAFETY: only kernels use other types than `Portable`, and a kernel runs only if
            // the processor has its instruction set.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 | Set::Avx512Popcnt => unsafe {
                std::arch::x86_64::_pext_u32(set, mask)
            },
            _ => slow_compress(set, mask),
        }
    }

    #[inline(always)]
    fn spread(set: u32, mask: u32) -> u32 {
        match I::SET {
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 | Set::Avx512Popcnt => unsafe {
                std::arch::x86_64::_pdep_u32(set, mask)
            },
            _ => slow_spread(set, mask),
        }
    }
}

/// [`Bits::compress`] bit by bit.
#[inline]
fn slow_compress(set: u32, mask: u32) -> u32 {
    bits(mask)
        .enumerate()
        .fold(0, |packed, (at, bit)| packed | (set >> bit & 1) << at)
}

/// [`Bits::spread`] bit by bit.
#[inline]
fn slow_spread(set: u32, mask: u32) -> u32 {
    bits(mask)
        .enumerate()
        .fold(0, |spread, (at, bit)| spread | (set >> at & 1) << bit)
}

#[cfg(test)]
mod tests {
    use isa::{Available, Kernel, Portable};

    use super::*;
    use crate::tables::parallel::SETS;

    /// Packs and unpacks.
    struct Both {
        set: u32,
        mask: u32,
    }

    impl Kernel for Both {
        type Output = [u32; 2];
        const SETS: &'static [isa::Set] = SETS;

        #[inline(always)]
        fn run<I: Isa>(self, _: I) -> [u32; 2] {
            [
                I::compress(self.set, self.mask),
                I::spread(self.set, self.mask),
            ]
        }
    }

    #[test]
    fn all_instruction_sets_agree() {
        let mut word = 1u64;
        for _ in 0..100_000 {
            word = word
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (set, mask) = ((word >> 40) as u32 & 0x7ffff, (word >> 13) as u32 & 0x7ffff);
            let plain = Both { set, mask }.run(Portable);
            for isa in Available::all() {
                assert_eq!(isa.call(Both { set, mask }), plain, "{isa:?}");
            }
            assert_eq!(slow_spread(plain[0], mask), set & mask);
        }
    }
}
