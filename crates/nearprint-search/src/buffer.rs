//! Large arrays of words on large pages.
//!
//! A scatter over a gigabyte writes to thousands of places at once; with pages of 4 KiB it spends its
//! time in page faults and page walks (a third of a join of 10^7 fingerprints, measured). The kernel is asked
//! for 2 MiB pages; where it has none to give, or on other systems, nothing but the speed changes.
#![expect(unsafe_code, reason = "memory is mapped by the operating system")]

use std::collections::TryReserveError;
use std::ops::{Deref, DerefMut};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// A fixed number of words, all zero at first.
pub(crate) struct Buffer<T>(Memory<T>);

/// Words whose bytes may all be zero.
///
/// # Safety
///
/// All bytes zero must be a valid value, and dropping it must do nothing.
pub unsafe trait Plain: Copy + Send + Sync + 'static {}

// SAFETY: integers.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: as above.
unsafe impl Plain for u128 {}

/// Below this many bytes a plain allocation is as good. Miri takes seconds for a page of this size.
const LARGE: usize = if cfg!(miri) { 4 << 10 } else { 2 << 20 };

enum Memory<T> {
    /// Allocated as usual.
    Small(Vec<T>),
    #[cfg(target_os = "linux")]
    Mapped(mapped::Mapping<T>),
}

impl<T: Plain> Buffer<T> {
    /// `len` words of zero bytes.
    pub(crate) fn zeroed(len: usize) -> Self {
        #[cfg(target_os = "linux")]
        if len >= LARGE / size_of::<T>()
            && let Some(mapping) = mapped::Mapping::zeroed(len)
        {
            return Self(Memory::Mapped(mapping));
        }
        // SAFETY: `Plain` says that zero bytes are a value; the vector has room for `len`.
        let zero = unsafe { std::mem::zeroed::<T>() };
        Self(Memory::Small(vec![zero; len]))
    }
}

/// An empty vector with room for `len` words, on large pages where the system has them: for many words that are written
/// once, of which most of the time would be page faults. Without room where the system has none: `len` may be a guess.
#[must_use]
pub fn vec_on_large_pages<T: Plain>(len: usize) -> Vec<T> {
    let mut words = Vec::new();
    if words.try_reserve_exact(len).is_ok() {
        #[cfg(target_os = "linux")]
        mapped::advise(words.spare_capacity_mut());
    }
    words
}

/// `len` zeros on large pages where the system has them, written by `threads` threads: what is spent on fresh memory is
/// the system's clearing of its pages, which it does for each thread that touches them.
///
/// The threads are started here and end with it; fewer than 2^19 numbers are written by the caller.
///
/// # Errors
///
/// Without room: the numbers that were wanted are somebody's, not a guess.
pub fn zeros_on_large_pages(len: usize, threads: usize) -> Result<Vec<u64>, TryReserveError> {
    let mut words = vec_on_large_pages(len);
    words.try_reserve_exact(len)?;
    let page = LARGE / size_of::<u64>();
    let threads = threads.min(len / page);
    if threads > 1
        && let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build()
    {
        let zeros = rayon::iter::repeat_n(0, len).with_min_len(page);
        pool.install(|| zeros.collect_into_vec(&mut words));
    } else {
        words.resize(len, 0);
    }
    Ok(words)
}

/// Makes room for `more` words in a vector that grows, on large pages where the system has them.
///
/// It grows to twice its size at least. `Vec::reserve` would move its words to small pages before anything can be
/// asked.
pub fn reserve_on_large_pages<T: Plain>(words: &mut Vec<T>, more: usize) {
    if words.capacity() - words.len() < more {
        let wanted = words.len().saturating_add(more).max(words.capacity().saturating_mul(2));
        let mut grown = vec_on_large_pages(wanted);
        grown.extend_from_slice(words);
        *words = grown;
    }
}

impl<T> From<Vec<T>> for Buffer<T> {
    fn from(words: Vec<T>) -> Self {
        Self(Memory::Small(words))
    }
}

impl<T: Plain> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Small(words) => words,
            #[cfg(target_os = "linux")]
            Memory::Mapped(mapping) => mapping.words(),
        }
    }
}

impl<T: Plain> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Small(words) => words,
            #[cfg(target_os = "linux")]
            Memory::Mapped(mapping) => mapping.words_mut(),
        }
    }
}

#[cfg(target_os = "linux")]
mod mapped {
    use std::mem::MaybeUninit;
    use std::ptr::NonNull;

    use rustix::mm::{Advice, MapFlags, ProtFlags};
    use rustix::mm::{madvise, mmap_anonymous, munmap};

    use super::Plain;

    /// Anonymous pages, ours alone.
    pub(super) struct Mapping<T> {
        /// What was mapped, and its bytes.
        mapped: NonNull<u8>,
        bytes: usize,
        /// The words in it.
        start: NonNull<T>,
        len: usize,
    }

    /// Bytes of a large page.
    const PAGE: usize = super::LARGE;

    // SAFETY: the mapping is owned like a `Box<[T]>`, and `T` is plain data.
    unsafe impl<T: Plain> Send for Mapping<T> {}
    // SAFETY: as above; shared access only reads.
    unsafe impl<T: Plain> Sync for Mapping<T> {}

    impl<T: Plain> Mapping<T> {
        /// Maps `len > 0` words; `None` if the system refuses.
        pub(super) fn zeroed(len: usize) -> Option<Self> {
            // Whole large pages: what lies beside one is given small ones. A page more, so that they can
            // begin at a multiple; of what is never touched there is no memory.
            let used = len.checked_mul(size_of::<T>())?.checked_next_multiple_of(PAGE)?;
            let bytes = used.checked_add(PAGE)?;
            // SAFETY: a new anonymous mapping touches nothing that exists.
            let mapped = unsafe {
                let access = ProtFlags::READ | ProtFlags::WRITE;
                mmap_anonymous(std::ptr::null_mut(), bytes, access, MapFlags::PRIVATE)
            };
            let mapped = NonNull::new(mapped.ok()?.cast::<u8>())?;
            // SAFETY: less than a page on, so that `used` bytes from there lie in what was mapped.
            let start = unsafe { mapped.add(mapped.align_offset(PAGE)) };
            // SAFETY: the range was just mapped.
            unsafe { on_large_pages(start.as_ptr(), used) };
            Some(Self { mapped, bytes, start: start.cast(), len })
        }

        #[inline]
        pub(super) fn words(&self) -> &[T] {
            // SAFETY: `len` words are mapped at `start`, which is page-aligned, for as long as
            // `self` lives; fresh pages are zero, which `Plain` says is a value.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
        }

        #[inline]
        pub(super) fn words_mut(&mut self) -> &mut [T] {
            // SAFETY: as above, and `self` is borrowed alone.
            unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
        }
    }

    /// Asks for large pages under the whole ones of these words.
    pub(super) fn advise<T>(words: &mut [MaybeUninit<T>]) {
        let begin = words.as_mut_ptr().cast::<u8>();
        let skipped = begin.align_offset(PAGE);
        let Some(bytes) = size_of_val(words).checked_sub(skipped) else { return };
        let bytes = bytes / PAGE * PAGE;
        if bytes > 0 {
            // SAFETY: the range lies in `words`.
            unsafe { on_large_pages(begin.add(skipped), bytes) };
        }
    }

    /// Asks for large pages. This is advice: no byte changes, and its failure changes nothing.
    ///
    /// # Safety
    ///
    /// The bytes are mapped.
    unsafe fn on_large_pages(start: *mut u8, bytes: usize) {
        // Miri has no such call.
        if !cfg!(miri) {
            // SAFETY: as promised.
            let _ = unsafe { madvise(start.cast(), bytes, Advice::LinuxHugepage) };
        }
    }

    impl<T> Drop for Mapping<T> {
        fn drop(&mut self) {
            // SAFETY: exactly what was mapped, unmapped once; no borrow outlives `self`.
            let _ = unsafe { munmap(self.mapped.as_ptr().cast(), self.bytes) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_on_large_pages_are_vectors() {
        for len in [0, 1, LARGE / 8, LARGE + 1000] {
            let mut words = vec_on_large_pages::<u64>(len);
            assert!(words.is_empty() && words.capacity() >= len);
            words.extend(0..len as u64);
            words.push(7);
            assert!(words[..len].iter().copied().eq(0..len as u64));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where memory cannot be had")]
    fn room_that_cannot_be_had_is_none() {
        assert_eq!(vec_on_large_pages::<u64>(usize::MAX / 16).capacity(), 0);
    }

    #[test]
    fn zeros_are_so_many_by_any_number_of_threads() {
        for len in [0, 1, LARGE / 4 - 1, LARGE / 4, LARGE + 1000] {
            for threads in [0, 1, 2, 7] {
                let zeros = zeros_on_large_pages(len, threads).expect("room");
                assert_eq!(zeros.len(), len);
                assert!(zeros.iter().all(|&word| word == 0));
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where memory cannot be had")]
    fn zeros_without_room_are_an_error() {
        assert!(zeros_on_large_pages(usize::MAX / 16, 2).is_err());
    }

    #[test]
    fn vectors_that_grow_keep_their_words() {
        let mut words = Vec::<u64>::new();
        for part in 0..40 {
            reserve_on_large_pages(&mut words, LARGE / 64);
            let capacity = words.capacity();
            words.extend((0..LARGE / 64).map(|at| (part * LARGE / 64 + at) as u64));
            assert_eq!(words.capacity(), capacity, "room was made");
        }
        assert!(words.iter().copied().eq(0..words.len() as u64));
        let capacity = words.capacity();
        let left = capacity - words.len();
        reserve_on_large_pages(&mut words, left);
        assert_eq!(words.capacity(), capacity, "there was room");
    }

    #[test]
    fn small_and_large_buffers_are_zero_and_writable() {
        for len in [0, 1, LARGE / 8, LARGE / 8 + 1000] {
            let mut buffer = Buffer::<u64>::zeroed(len);
            assert_eq!(buffer.len(), len);
            assert!(buffer.iter().all(|&word| word == 0));
            if let Some(last) = buffer.last_mut() {
                *last = 7;
            }
            assert_eq!(buffer.last().copied(), (len > 0).then_some(7));
        }
    }
}
