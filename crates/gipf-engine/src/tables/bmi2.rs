//! Packing bits by the instructions made for it.

use std::arch::x86_64::{_pdep_u32, _pext_u32};

use super::index::Bits;
use super::parallel::Task;

/// For processors with the BMI2 instructions; only [`run`] makes use of it.
#[derive(Clone, Copy)]
struct Bmi2;

impl Bits for Bmi2 {
    #[inline(always)]
    fn compress(set: u32, mask: u32) -> u32 {
        // SAFETY: this type is private and used only under `run`, whose callers have
        // made sure that the processor has the instruction.
        unsafe { _pext_u32(set, mask) }
    }

    #[inline(always)]
    fn spread(set: u32, mask: u32) -> u32 {
        // SAFETY: as above.
        unsafe { _pdep_u32(set, mask) }
    }
}

/// Does a task with these instructions.
///
/// # Safety
///
/// The processor must have BMI2.
#[target_feature(enable = "bmi2,bmi1,popcnt,lzcnt")]
pub(crate) unsafe fn run(task: &mut impl Task) {
    task.run::<Bmi2>();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::index::Portable;

    #[test]
    fn the_portable_twin_agrees() {
        if !std::arch::is_x86_feature_detected!("bmi2") {
            println!("skipped: this processor has no BMI2");
            return;
        }
        let mut word = 1u64;
        for _ in 0..100_000 {
            word = word
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (set, mask) = ((word >> 40) as u32 & 0x7ffff, (word >> 13) as u32 & 0x7ffff);
            assert_eq!(Bmi2::compress(set, mask), Portable::compress(set, mask));
            assert_eq!(Bmi2::spread(set, mask), Portable::spread(set, mask));
        }
    }
}
