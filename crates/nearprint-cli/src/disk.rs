//! How large the work is, before it is said what of the disk it takes.

use std::path::PathBuf;

use nearprint::InputSize;

use crate::collection::CollectionOptions;
use crate::ending::Failure;
use crate::inputs::is_stdin;
use crate::options::ReadingOptions;
use crate::talk::Talk;

/// The size of all that is named; nothing where it cannot be read twice.
pub(crate) fn size(
    inputs: &[PathBuf],
    collection: &CollectionOptions,
    reading: &ReadingOptions,
) -> Result<Option<InputSize>, Failure> {
    if collection.list().is_some() || inputs.iter().any(|input| is_stdin(input)) {
        return Ok(None);
    }
    Ok(Some(InputSize::of(inputs, &collection.settings(reading)?)))
}

/// Says what large work takes of the disk.
pub(crate) fn say(talk: &Talk, size: &InputSize, documents: u64, takes: &[String]) {
    talk.say(format_args!(
        "nearprint: {} MB of input, about {documents} documents: {}",
        megabytes(size.bytes()),
        takes.join(", ")
    ));
}

/// Megabytes (10^6 bytes), rounded up.
pub(crate) fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}
