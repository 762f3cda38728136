//! An allocator that ends the process when memory cannot be had.
//!
//! Two reasons. The host sees from the exit code that it was memory and not a fault of the parser. And a parser
//! that survives a failed allocation must not continue: it would give a shorter text and call it the document.
#![expect(unsafe_code, reason = "an allocator is unsafe to implement; this one only forwards")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a worker whose memory ran out.
pub(crate) const EXIT_MEMORY: i32 = 81;

/// Whether this process is a worker. Set once, before any document, and never unset.
static IS_WORKER: AtomicBool = AtomicBool::new(false);

/// From now on memory that cannot be had ends the process.
pub(crate) fn arm() {
    IS_WORKER.store(true, Ordering::Relaxed);
}

/// The system's allocator, which in a worker ends the process with exit code 81 where the system has no memory to
/// give. Before [`serve`](crate::serve) is called, as in a program that is its own worker executable, it is the
/// system's allocator and no more.
///
/// For worker executables, which set it as their global allocator:
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: nearprint_worker::ExitingAllocator = nearprint_worker::ExitingAllocator;
/// # drop(vec![0; 10]);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct ExitingAllocator;

// SAFETY: every call is forwarded unchanged to `System`, which upholds the contract; its result is returned as it is,
// unless the process ends instead.
unsafe impl GlobalAlloc for ExitingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc`, which is the same.
        had(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc_zeroed`, which is the same.
        had(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `realloc`, which is the same.
        had(unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `dealloc`, which is the same.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[inline]
fn had(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() && IS_WORKER.load(Ordering::Relaxed) {
        end();
    }
    pointer
}

#[cold]
#[cfg(unix)]
fn end() -> ! {
    unsafe extern "C" {
        // POSIX: ends the process at once, runs nothing of it, allocates nothing.
        fn _exit(code: std::ffi::c_int) -> !;
    }
    // SAFETY: `_exit` takes any code and does not return; it touches no memory of this process.
    unsafe { _exit(EXIT_MEMORY) }
}

#[cold]
#[cfg(not(unix))]
fn end() -> ! {
    std::process::abort()
}
