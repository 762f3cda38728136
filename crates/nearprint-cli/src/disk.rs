//! How large the work is, before it is said what of the disk it takes.

use nearprint::InputSize;

use crate::talk::Talk;

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
