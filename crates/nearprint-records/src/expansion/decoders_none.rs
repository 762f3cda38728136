//! Compression in a build without the feature `archives`: recognised, and refused.

use std::io::{self, Read};
use std::sync::atomic::Ordering;

use super::raw::Raw;
use super::window::Window;
use super::{Body, Compression, Damage};
use crate::ReasonCode;

/// What refuses a compressed file.
fn refusal(compression: Compression) -> Damage {
    let detail = format!(
        "this build does not read files compressed by {}: compile it with the feature \"archives\"",
        compression.name()
    );
    Damage { reason: ReasonCode::from_static("unsupported-media"), detail }
}

/// A reader of nothing but the refusal.
struct RefusalReader(Compression);

impl Read for RefusalReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(refusal(self.0).into())
    }
}

/// A compressed file, which is refused when it is read.
pub(super) fn body(compression: Compression, raw: Raw) -> Body {
    let read = raw.counter();
    let before = read.load(Ordering::Relaxed);
    let reader = Box::new(RefusalReader(compression));
    Body::Whole { reader, window: Window::default(), read, before }
}

/// Refuses to look into a compressed file.
pub(super) fn first(compression: Compression, _: &mut Raw, _: usize) -> Result<Vec<u8>, Damage> {
    Err(refusal(compression))
}
