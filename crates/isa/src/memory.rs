//! Memory: what is needed soon, and large tables on large pages. Random access to many small pages
//! costs more than a search itself.

/// Asks the processor to bring something into its cache: it will be looked at soon.
#[inline(always)]
pub fn prefetch<T>(_memory: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect but on the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(_memory).cast()) };
    }
}

/// Asks the system for large pages under this memory, where it has them. Only a hint, and one that
/// comes too late for pages that have been written to.
pub fn advise_large_pages<T>(table: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 1 << 21;
        let range = table.as_mut_ptr_range();
        let start = (range.start as usize).next_multiple_of(PAGE);
        let end = range.end as usize / PAGE * PAGE;
        if start < end {
            // SAFETY: the pages lie within memory that `table` borrows, and the advice
            // changes how they are mapped, not what they hold.
            unsafe {
                libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = table;
}

/// So many times the same, on large pages.
#[must_use]
pub fn on_large_pages<T: Clone>(value: T, count: usize) -> Vec<T> {
    let mut table = Vec::with_capacity(count);
    advise_large_pages(table.spare_capacity_mut());
    table.resize(count, value);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_changes_nothing() {
        for count in [0, 1, 1000, 1 << 20] {
            let mut table = on_large_pages(7u64, count);
            assert_eq!(table.len(), count);
            advise_large_pages(&mut table);
            assert!(table.iter().all(|&value| value == 7));
            table.iter().for_each(prefetch);
        }
    }
}
