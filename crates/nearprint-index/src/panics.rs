//! Panics of the database over a damaged file, which become errors and are not for the user to read.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread becomes an error.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Does some work; `None` where it panicked. Nothing is printed about it: the hook of the process, which is called for
/// every other panic, is not called for this one.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !EXPECTED.get() {
                usual(panic);
            }
        }));
    });
    let outer = EXPECTED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    EXPECTED.set(outer);
    done.ok()
}
