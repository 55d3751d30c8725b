//! The search kernels, compiled once per instruction set.
//!
//! Every function of the search must carry the same target features as the ones that
//! it calls, or nothing is inlined. So the files of this folder are compiled several
//! times: as part of `portable`, of `avx2` and of `avx512`. They hold free functions
//! inside the macro `fns!`, which each of these modules defines to put its own
//! `#[target_feature]` before every function. Only `bitboard.rs` differs between them.
//! The instruction set is chosen once, at the top ([`Isa::detect`], [`dispatch!`]).

#![allow(
    clippy::duplicate_mod,
    reason = "compiling these files several times is the purpose of this module"
)]

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use arrayvec::ArrayVec;

use crate::eval::Features;
use crate::level::Level;

pub(crate) mod portable {
    macro_rules! fns { ($($item:item)*) => { $($item)* } }

    pub(crate) mod bitboard;
    #[path = "../endgame.rs"]
    pub(crate) mod endgame;
    #[path = "../last_empties.rs"]
    pub(crate) mod last_empties;
    #[path = "../pvs.rs"]
    pub(crate) mod pvs;
    #[path = "../shallow.rs"]
    pub(crate) mod shallow;
    #[path = "../split.rs"]
    pub(crate) mod split;
    #[path = "../stability.rs"]
    pub(crate) mod stability;
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2 {
    macro_rules! fns {
        ($($item:item)*) => { $(
            #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt,movbe")]
            $item
        )* };
    }

    pub(crate) mod bitboard;
    #[path = "../endgame.rs"]
    pub(crate) mod endgame;
    #[path = "../last_empties.rs"]
    pub(crate) mod last_empties;
    #[path = "../pvs.rs"]
    pub(crate) mod pvs;
    #[path = "../shallow.rs"]
    pub(crate) mod shallow;
    #[path = "../split.rs"]
    pub(crate) mod split;
    #[path = "../stability.rs"]
    pub(crate) mod stability;
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512 {
    macro_rules! fns {
        ($($item:item)*) => { $(
            #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt,movbe,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
            $item
        )* };
    }

    pub(crate) mod bitboard;
    #[path = "../endgame.rs"]
    pub(crate) mod endgame;
    #[path = "../last_empties.rs"]
    pub(crate) mod last_empties;
    #[path = "../pvs.rs"]
    pub(crate) mod pvs;
    #[path = "../shallow.rs"]
    pub(crate) mod shallow;
    #[path = "../split.rs"]
    pub(crate) mod split;
    #[path = "../stability.rs"]
    pub(crate) mod stability;
}

/// The parameters of the search of one node.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    /// The window.
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    /// The depth in plies; equal to `empties`: to the end.
    pub(crate) depth: u32,
    pub(crate) empties: u32,
    /// The selectivity.
    pub(crate) level: Level,
}

impl Task {
    /// The task for a successor.
    #[inline]
    pub(crate) fn next(self, alpha: i32, beta: i32) -> Task {
        Task {
            alpha: -beta,
            beta: -alpha,
            depth: self.depth - 1,
            empties: self.empties - 1,
            level: self.level,
        }
    }
}

/// A position with its features, seen by the player to move.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    pub(crate) own: u64,
    pub(crate) other: u64,
    pub(crate) features: &'a Features,
}

/// A move with the position after it, seen by the opponent.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) own: u64,
    pub(crate) other: u64,
    /// The discs that the move flips.
    pub(crate) flipped: u64,
    /// The hash of the position after it.
    pub(crate) hash: u64,
    /// The score for move ordering.
    pub(crate) score: i32,
    pub(crate) square: u8,
}

/// The moves of a position.
pub(crate) type Candidates = ArrayVec<Candidate, 64>;

/// The instruction sets for which there is code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Isa {
    /// Plain Rust.
    Portable,
    /// x86-64 with AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The same with AVX-512 (F, BW, CD, DQ and VL).
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// All instruction sets that this processor has, the best one last.
    pub(crate) fn available() -> Vec<Isa> {
        let mut sets = vec![Isa::Portable];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("movbe")
        {
            sets.push(Isa::Avx2);
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                sets.push(Isa::Avx512);
            }
        }
        sets
    }

    /// The best instruction set that this processor has.
    pub(crate) fn detect() -> Isa {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(|| Isa::available().pop().unwrap_or(Isa::Portable))
    }
}

/// Calls a kernel function in the form for an [`Isa`].
macro_rules! dispatch {
    ($isa:expr, $module:ident::$function:ident($($argument:expr),* $(,)?)) => {
        match $isa {
            $crate::kernel::Isa::Portable => $crate::kernel::portable::$module::$function($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Isa::available` is where this value comes from; it has found every
            // feature that the module is compiled with.
            $crate::kernel::Isa::Avx2 => unsafe { $crate::kernel::avx2::$module::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: likewise.
            $crate::kernel::Isa::Avx512 => unsafe { $crate::kernel::avx512::$module::$function($($argument),*) },
        }
    };
}
pub(crate) use dispatch;
