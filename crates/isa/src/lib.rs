//! Kernels compiled for several instruction sets; the processor decides at run time which
//! one is used.
//!
//! A [`Kernel`] is a function as a value: its fields are the arguments, [`Kernel::run`] is the
//! body, generic over the instruction set `I`. [`Isa::call`] compiles the body with the target
//! features of `I`. Three rules follow from how `#[target_feature]` works:
//!
//! - The body and every generic function that it calls are `#[inline(always)]`: only what is
//!   inlined into [`Isa::call`] is compiled with its features.
//! - A recursive function, or one that is too large to be inlined everywhere, is a kernel of its
//!   own, called by [`Isa::call`] again.
//! - Code that differs between instruction sets branches on [`Isa::SET`], a constant.
//!
//! A value of a type that implements [`Isa`] is the proof that the processor has the
//! instruction set: only detection makes one.
//!
//! ```
//! use isa::{Available, Isa, Kernel};
//!
//! struct Sum<'a>(&'a [u32]);
//!
//! impl Kernel for Sum<'_> {
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run<I: Isa>(self, _: I) -> u32 {
//!         self.0.iter().sum()
//!     }
//! }
//!
//! for set in Available::all() {
//!     assert_eq!(set.call(Sum(&[1, 2, 3])), 6, "{set:?}");
//! }
//! ```

mod memory;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use memory::{advise_large_pages, on_large_pages, prefetch};

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, Avx512Popcnt};

/// An instruction set for which kernels can be compiled, from the plainest to the widest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Set {
    /// What the compiler takes for granted.
    Portable,
    /// x86-64-v3: AVX2, BMI1, BMI2, FMA, LZCNT, MOVBE, POPCNT.
    Avx2,
    /// x86-64-v4: AVX-512 F, BW, CD, DQ and VL as well.
    Avx512,
    /// VPOPCNTDQ as well, which counts the bits of every lane.
    Avx512Popcnt,
}

impl Set {
    const ALL: [Set; 4] = [Set::Portable, Set::Avx2, Set::Avx512, Set::Avx512Popcnt];

    /// Whether this processor has it.
    fn is_available(self) -> bool {
        match self {
            Set::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => Avx512::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Popcnt => Avx512Popcnt::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// An instruction set at compile time, and the proof that the processor has it.
pub trait Isa: Copy + Send + Sync + 'static {
    /// Which one.
    const SET: Set;

    /// Runs a kernel, compiled for this instruction set.
    fn call<K: Kernel>(self, kernel: K) -> K::Output;

    /// Runs a visitor, compiled for this instruction set.
    fn visit<V: Visitor<S, N>, S, N>(self, state: &mut S, node: N, bound: i32, left: u32) -> i32;
}

/// A function with its arguments, to be compiled for several instruction sets.
pub trait Kernel {
    /// What it returns.
    type Output;

    /// The instruction sets that it gains by, beside the portable one, the widest last.
    const SETS: &'static [Set] = &[Set::Avx2, Set::Avx512];

    /// The body. Implementations are `#[inline(always)]`.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// A kernel that visits a node of a tree, with arguments that travel in registers: those of a
/// [`Kernel`] go through memory if they are more than two words, which counts where a node takes
/// a hundred instructions.
pub trait Visitor<State, Node> {
    /// The body, given what all nodes share, a node of at most two words, a bound, and what is left
    /// of the tree. Implementations are `#[inline(always)]`.
    fn run<I: Isa>(isa: I, state: &mut State, node: Node, bound: i32, left: u32) -> i32;
}

/// The instruction set that every processor has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Isa for Portable {
    const SET: Set = Set::Portable;

    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    fn visit<V: Visitor<S, N>, S, N>(self, state: &mut S, node: N, bound: i32, left: u32) -> i32 {
        V::run(self, state, node, bound, left)
    }
}

/// An instruction set that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Available(Set);

impl Available {
    /// The portable one.
    pub const PORTABLE: Available = Available(Set::Portable);

    /// All that this processor has, the widest last.
    pub fn all() -> impl DoubleEndedIterator<Item = Available> {
        let sets = Set::ALL.into_iter();
        sets.filter(|set| set.is_available()).map(Available)
    }

    /// The widest one.
    #[must_use]
    pub fn best() -> Available {
        Available::all().next_back().unwrap_or(Available::PORTABLE)
    }

    /// Runs a kernel, compiled for the widest of its sets that this one includes.
    #[inline]
    pub fn call<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        {
            if const { gains_by::<K>(Set::Avx512Popcnt) } && self.0 >= Set::Avx512Popcnt {
                // SAFETY: detection has found `self`, which includes all narrower sets.
                return unsafe { Avx512Popcnt::assume() }.call(kernel);
            }
            if const { gains_by::<K>(Set::Avx512) } && self.0 >= Set::Avx512 {
                // SAFETY: see above.
                return unsafe { Avx512::assume() }.call(kernel);
            }
            if const { gains_by::<K>(Set::Avx2) } && self.0 >= Set::Avx2 {
                // SAFETY: see above.
                return unsafe { Avx2::assume() }.call(kernel);
            }
        }
        Portable.call(kernel)
    }
}

/// Whether a kernel is to be compiled for a set.
#[cfg(target_arch = "x86_64")]
const fn gains_by<K: Kernel>(set: Set) -> bool {
    let mut at = 0;
    while at < K::SETS.len() {
        if K::SETS[at] as u8 == set as u8 {
            return true;
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says for which set it was compiled, after some recursion.
    struct Which(u32);

    impl Kernel for Which {
        type Output = Set;
        const SETS: &'static [Set] = &[Set::Avx2, Set::Avx512Popcnt];

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Set {
            match self.0 {
                0 => I::SET,
                left => isa.call(Which(left - 1)),
            }
        }
    }

    #[test]
    fn a_kernel_runs_by_the_widest_of_its_sets_that_the_processor_has() {
        for available in Available::all() {
            let wanted = match available.0 {
                Set::Avx512 => Set::Avx2,
                set => set,
            };
            assert_eq!(available.call(Which(3)), wanted, "{available:?}");
        }
        assert!(Available::best().0 >= Available::PORTABLE.0);
    }

    #[test]
    fn wider_sets_include_narrower_ones() {
        let found: Vec<Set> = Available::all().map(|available| available.0).collect();
        assert_eq!(found, Set::ALL[..found.len()]);
    }
}
