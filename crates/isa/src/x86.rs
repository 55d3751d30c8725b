//! The instruction sets of x86-64.

use crate::{Isa, Kernel, Set, Visitor};

/// x86-64-v3: AVX2, BMI1, BMI2, FMA, LZCNT, MOVBE, POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The proof, if this processor has it.
    #[must_use]
    #[inline]
    pub fn detect() -> Option<Avx2> {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Avx2(()))
    }

    /// The proof without detection.
    ///
    /// # Safety
    /// The processor must have the instruction set.
    pub(crate) unsafe fn assume() -> Avx2 {
        Avx2(())
    }
}

impl Isa for Avx2 {
    const SET: Set = Set::Avx2;

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
        fn call<K: Kernel>(isa: Avx2, kernel: K) -> K::Output {
            kernel.run(isa)
        }
        // SAFETY: `self` is the proof that the processor has the instruction set.
        unsafe { call(self, kernel) }
    }

    #[inline(always)]
    fn visit<V: Visitor<S, N>, S, N>(self, state: &mut S, node: N, bound: i32, left: u32) -> i32 {
        #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
        fn visit<V: Visitor<S, N>, S, N>(
            isa: Avx2,
            state: &mut S,
            node: N,
            bound: i32,
            left: u32,
        ) -> i32 {
            V::run(isa, state, node, bound, left)
        }
        // SAFETY: see above.
        unsafe { visit::<V, S, N>(self, state, node, bound, left) }
    }
}

/// x86-64-v4: AVX-512 F, BW, CD, DQ and VL as well.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The proof, if this processor has it.
    #[must_use]
    #[inline]
    pub fn detect() -> Option<Avx512> {
        let found = Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        found.then_some(Avx512(()))
    }

    /// The proof without detection.
    ///
    /// # Safety
    /// The processor must have the instruction set.
    pub(crate) unsafe fn assume() -> Avx512 {
        Avx512(())
    }
}

impl Isa for Avx512 {
    const SET: Set = Set::Avx512;

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        fn call<K: Kernel>(isa: Avx512, kernel: K) -> K::Output {
            kernel.run(isa)
        }
        // SAFETY: `self` is the proof that the processor has the instruction set.
        unsafe { call(self, kernel) }
    }

    #[inline(always)]
    fn visit<V: Visitor<S, N>, S, N>(self, state: &mut S, node: N, bound: i32, left: u32) -> i32 {
        #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        fn visit<V: Visitor<S, N>, S, N>(
            isa: Avx512,
            state: &mut S,
            node: N,
            bound: i32,
            left: u32,
        ) -> i32 {
            V::run(isa, state, node, bound, left)
        }
        // SAFETY: see above.
        unsafe { visit::<V, S, N>(self, state, node, bound, left) }
    }
}

/// VPOPCNTDQ as well, which counts the bits of every lane.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Popcnt(());

impl Avx512Popcnt {
    /// The proof, if this processor has it.
    #[must_use]
    #[inline]
    pub fn detect() -> Option<Avx512Popcnt> {
        let found = Avx512::detect().is_some() && is_x86_feature_detected!("avx512vpopcntdq");
        found.then_some(Avx512Popcnt(()))
    }

    /// The proof without detection.
    ///
    /// # Safety
    /// The processor must have the instruction set.
    pub(crate) unsafe fn assume() -> Avx512Popcnt {
        Avx512Popcnt(())
    }
}

impl Isa for Avx512Popcnt {
    const SET: Set = Set::Avx512Popcnt;

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        #[target_feature(enable = "avx512vpopcntdq")]
        fn call<K: Kernel>(isa: Avx512Popcnt, kernel: K) -> K::Output {
            kernel.run(isa)
        }
        // SAFETY: `self` is the proof that the processor has the instruction set.
        unsafe { call(self, kernel) }
    }

    #[inline(always)]
    fn visit<V: Visitor<S, N>, S, N>(self, state: &mut S, node: N, bound: i32, left: u32) -> i32 {
        #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        #[target_feature(enable = "avx512vpopcntdq")]
        fn visit<V: Visitor<S, N>, S, N>(
            isa: Avx512Popcnt,
            state: &mut S,
            node: N,
            bound: i32,
            left: u32,
        ) -> i32 {
            V::run(isa, state, node, bound, left)
        }
        // SAFETY: see above.
        unsafe { visit::<V, S, N>(self, state, node, bound, left) }
    }
}
