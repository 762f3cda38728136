//! Where the libraries below may panic, and take as much stack as they like.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Name of the thread. The command silences panics on threads of this name, because each of them is told as an error.
const NAME: &str = "nearprint";

/// Address space for its stack, taken where it is touched: schemas may be nested some thousand levels deep.
const STACK: usize = 64 << 20;

/// Does work that may panic.
///
/// The libraries below are made for files that are well formed, and some of their checks are assertions. What was
/// worked on is dropped afterwards, so a state that is broken is seen by nobody.
pub(crate) fn guarded<R>(work: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(damaged(said(&*panic))))
}

/// Does work that may panic and takes much stack, while whoever wants it waits.
pub(crate) fn apart<R: Send>(work: impl FnOnce() -> Result<R, String> + Send) -> Result<R, String> {
    let builder = thread::Builder::new().name(NAME.to_owned()).stack_size(STACK);
    thread::scope(|scope| match builder.spawn_scoped(scope, || guarded(work)) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| Err(damaged(said(&*panic)))),
        Err(error) => Err(format!("cannot start a thread: {error}")),
    })
}

/// What is wrong with a table, in words.
pub(crate) fn damaged(cause: impl std::fmt::Display) -> String {
    // Messages of the libraries quote names from the file.
    format!("the table is damaged: {}", cause.to_string().escape_debug())
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("its decoder failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(apart(|| Ok(3)), Ok(3));
        let error = apart::<()>(|| panic!("odd")).unwrap_err();
        assert!(error.ends_with("odd"), "{error}");
    }
}
