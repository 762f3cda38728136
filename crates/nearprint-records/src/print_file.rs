//! The binary form of a file of fingerprints: a header, the fingerprints as little-endian words, the ids if they are
//! kept, which fingerprints are short, a checksum.
//!
//! ```text
//! offset  bytes  what
//!      0       8  magic: 89 4e 50 52 54 0d 0a 1a
//!      8       4  version: 2, or 1 without the marks of short fingerprints
//!     12       4  width of a print in bits: 8 times the bytes its scheme says
//!     16       8  number of prints
//!     24       8  bytes of all ids together
//!     32       4  whether ids follow: 0 or 1
//!     36      28  id of the scheme in ASCII, filled up with 0
//!     64       .  the prints, one behind the other
//!      .       .  where ids follow: for each print 8 bytes, where its id ends in the text of the ids
//!      .       .  where ids follow: the text of the ids in UTF-8, one behind the other
//!      .       .  in version 2: a bit for each print, 1 where it is short (SPEC [7.5]); that of print i (from 0) is
//!                 bit i mod 8, from the least significant, of byte i / 8; the bits left over in the last byte are 0
//!      .       8  checksum: XXH3-64 (seed 0) of everything before it
//! ```
//!
//! All numbers are little-endian. This and docs/FORMAT.md are the two places that state it. What is read is refused
//! before it is used: by the header alone where that will do, else at the checksum, before anybody has searched the
//! fingerprints.

mod error;
mod header;
mod marks;
mod reader;
#[cfg(feature = "spill")]
mod spool;
#[cfg(not(feature = "spill"))]
#[path = "print_file/spool_none.rs"]
mod spool;
mod writer;

pub use error::PrintFileError;
pub use marks::ShortMarks;
pub use reader::{PrintFile, PrintFileEnd, PrintFileIds, little_endian_print};
pub use writer::PrintFileWriter;

/// What a binary file of fingerprints begins with: a byte that begins no text, its name, and line ends and an end mark
/// of old that a transfer as text would change.
const MAGIC: [u8; 8] = *b"\x89NPRT\r\n\x1a";

/// The latest version. The one before it says nothing of short fingerprints, and is written where that is not known.
const VERSION: u32 = 2;
const VERSION_WITHOUT_MARKS: u32 = 1;

/// Bytes of an entry of the table of ids.
const END: usize = 8;

/// Bytes of the checksum.
const CHECKSUM: usize = 8;

/// Whether a file that begins so is a binary file of fingerprints.
pub(crate) fn begins(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

#[cfg(test)]
mod tests;
