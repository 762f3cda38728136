//! Batches decoded on a thread of their own, each when it is asked for.
//!
//! The thread is there for its stack and for the panics of the libraries, not to work beside those who ask: how many threads
//! work is for others to say.

use std::any::Any;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::sync_channel;
use std::thread;

use crate::rows::Rows;

/// Decoded batches; an error is the last.
pub(crate) type Batches<T = Rows> = Box<dyn Iterator<Item = Result<T, String>> + Send>;

/// Name of the thread. The command silences panics on threads of this name, because each of them is told as an error.
const NAME: &str = "nearprint";

/// Address space for its stack, taken where it is touched: schemas may be nested some thousand levels deep.
const STACK: usize = 64 << 20;

/// The batches of the source that `open` makes. Where opening or decoding panics, that is an error.
pub(crate) fn decoded<T: Send + 'static>(
    open: impl FnOnce() -> Result<Batches<T>, String> + Send + 'static,
) -> Batches<T> {
    let (ask, asked) = sync_channel::<()>(0);
    let (sender, receiver) = sync_channel(0);
    let work = move || {
        // Where nobody asks any more the work is over.
        if asked.recv().is_err() {
            return;
        }
        let mut source = match guarded(open) {
            Ok(source) => source,
            Err(error) => return drop(sender.send(Err(error))),
        };
        while let Some(batch) = guarded(|| source.next().transpose()).transpose() {
            let ended = batch.is_err();
            if sender.send(batch).is_err() || ended || asked.recv().is_err() {
                return;
            }
        }
    };
    match thread::Builder::new().name(NAME.to_owned()).stack_size(STACK).spawn(work) {
        Ok(_) => Box::new(iter::from_fn(move || {
            ask.send(()).ok()?;
            receiver.recv().ok()
        })),
        Err(error) => {
            Box::new(iter::once(Err(format!("the system gives no thread to read it on: {error}"))))
        }
    }
}

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
        Err(error) => Err(format!("the system gives no thread to work on: {error}")),
    })
}

/// What is wrong with a table, in words.
pub(crate) fn damaged(cause: impl std::fmt::Display) -> String {
    // Messages of the libraries quote names from the file.
    format!("the table is damaged: {}", cause.to_string().escape_debug())
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("its decoder gave up")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_panic_is_the_last_word() {
        let mut left = 3;
        let batches = decoded(move || {
            Ok(Box::new(iter::from_fn(move || {
                left -= 1;
                assert!(left > 0, "no octets at {left}");
                Some(Ok(left))
            })))
        });
        let found: Vec<_> = batches.collect();
        assert_eq!(found.len(), 3);
        assert!(found[1].is_ok());
        assert!(found[2].as_ref().unwrap_err().ends_with("no octets at 0"), "{found:?}");
        let found: Vec<_> = decoded::<()>(|| panic!("odd")).collect();
        assert!(found[0].as_ref().unwrap_err().ends_with("odd"), "{found:?}");
    }

    #[test]
    fn nothing_is_decoded_before_it_is_asked_for() {
        static DECODED: AtomicUsize = AtomicUsize::new(0);
        let one = || Ok(DECODED.fetch_add(1, Ordering::SeqCst));
        let mut batches = decoded(move || Ok(Box::new(iter::repeat_with(one))));
        assert_eq!(DECODED.load(Ordering::SeqCst), 0);
        assert_eq!(batches.by_ref().take(100).count(), 100);
        assert_eq!(DECODED.load(Ordering::SeqCst), 100);
    }
}
