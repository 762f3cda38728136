//! Asking for memory before it is needed, for loops that walk many places at once.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "a prefetch is an intrinsic that takes a pointer")
)]

/// Asks for the cache line of `array[at]`; out of bounds it does nothing.
#[inline(always)]
pub(crate) fn prefetch<T>(array: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if at < array.len() {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address lies in `array`; a prefetch reads nothing the program can see, and
        // is part of SSE, which every x86-64 has.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(array.as_ptr().add(at).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (array, at);
}
