//! Large tables on large pages: random access to many small pages costs more than the
//! search itself.

/// Asks the system for large pages under this memory, where it has them. Only a hint.
pub(crate) fn advise<T>(table: &mut [T]) {
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
