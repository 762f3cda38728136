//! Fingerprints of many texts that are in memory: no documents, no extraction, no ids.

use std::num::NonZeroUsize;

use nearprint_fingerprint::{FingerprintOutcome, Fingerprinter, Scheme};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{CancelFlag, Error};

/// Bytes of a text between two looks at the cancel flag.
const PIECE: usize = 4 << 20;

/// Fingerprints texts that the caller holds, on all cores. Its threads start with it and end with it.
///
/// ```
/// use nearprint::fingerprint::Scheme;
/// use nearprint::{CancelFlag, TextBatches};
///
/// let texts = ["Fog came in at noon.", "2024"];
/// let batches = TextBatches::new(Scheme::SD1, None)?;
/// let found = batches.fingerprint(texts.len(), |at| Some(texts[at].as_bytes()), &CancelFlag::new(), |printed| {
///     printed.into_fingerprint().map(|fingerprint| fingerprint.to_string())
/// });
/// let found = found.expect("nobody cancels");
/// assert!(found[0].as_ref().unwrap().as_ref().unwrap().starts_with("sd1:"));
/// assert_eq!(found[1], Some(None)); // numbers are not tokens
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Debug)]
pub struct TextBatches {
    scheme: Scheme,
    pool: ThreadPool,
}

impl TextBatches {
    /// Starts the threads: so many, or one for each processor.
    ///
    /// # Errors
    /// [`Error::Threads`] where the system gives none.
    pub fn new(scheme: Scheme, threads: Option<NonZeroUsize>) -> Result<Self, Error> {
        let threads = threads.map_or(0, NonZeroUsize::get);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(Error::Threads)?;
        Ok(Self { scheme, pool })
    }

    /// What `make` makes of the fingerprint of each of `count` texts, in their order; `None` for those that `text` does
    /// not have, and `None` for all once the flag is set.
    ///
    /// Texts are UTF-8. Bytes that are not valid become U+FFFD, one for each maximal subpart of an ill-formed sequence.
    pub fn fingerprint<'t, R: Send>(
        &self,
        count: usize,
        text: impl Fn(usize) -> Option<&'t [u8]> + Sync,
        cancel: &CancelFlag,
        make: impl Fn(FingerprintOutcome) -> R + Sync,
    ) -> Option<Vec<Option<R>>> {
        let one = |at: usize| match text(at) {
            _ if cancel.is_cancelled() => None,
            None => Some(None),
            Some(text) => {
                fingerprint_bytes(self.scheme, text, cancel).map(|found| Some(make(found)))
            }
        };
        // Each in its place: an `Option` of all is collected in parts, which are copied.
        let made: Vec<Option<Option<R>>> =
            self.pool.install(|| (0..count).into_par_iter().map(one).collect());
        made.into_iter().collect()
    }
}

/// The fingerprint of a text; `None` once the flag is set.
fn fingerprint_bytes(
    scheme: Scheme,
    text: &[u8],
    cancel: &CancelFlag,
) -> Option<FingerprintOutcome> {
    let mut fingerprinter = Fingerprinter::new(scheme);
    // However a text is divided, its fingerprint is the same.
    for piece in text.chunks(PIECE) {
        if cancel.is_cancelled() {
            return None;
        }
        fingerprinter.update_bytes(piece);
    }
    Some(fingerprinter.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::fingerprint;

    #[test]
    fn texts_have_the_fingerprints_that_they_have_alone() {
        let long =
            "Fog came in at noon and stayed; nobody saw the harbour. Ünïcödé 中文 ".repeat(150_000);
        assert!(long.len() > 2 * PIECE);
        let texts = [Some("Many hands make light work."), None, Some(""), Some(long.as_str())];
        for scheme in [Scheme::SD1, Scheme::SL1, Scheme::MD1, Scheme::WD1] {
            let batches = TextBatches::new(scheme, NonZeroUsize::new(3)).unwrap();
            let text = |at: usize| texts[at].map(str::as_bytes);
            let found = batches.fingerprint(texts.len(), text, &CancelFlag::new(), |found| found);
            let alone = |text: &Option<&str>| text.map(|text| fingerprint(scheme, text));
            assert_eq!(found.unwrap(), texts.iter().map(alone).collect::<Vec<_>>(), "{scheme}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let batches = TextBatches::new(Scheme::SD1, None).unwrap();
        let text = |_: usize| Some(&b"fog \xff\xfe came \xe4\xb8 in"[..]);
        let found = batches.fingerprint(1, text, &CancelFlag::new(), |found| found).unwrap();
        let repaired = fingerprint(Scheme::SD1, "fog \u{fffd}\u{fffd} came \u{fffd} in");
        assert_eq!(found[0], Some(repaired));
    }

    #[test]
    fn a_set_flag_ends_the_work() {
        let (batches, cancel) = (TextBatches::new(Scheme::SD1, None).unwrap(), CancelFlag::new());
        let made = |found: FingerprintOutcome| {
            cancel.cancel();
            found
        };
        assert_eq!(batches.fingerprint(1000, |_| Some(&b"fog"[..]), &cancel, made), None);
    }
}
