//! The texts of many documents, in memory up to a bound and beyond it in a temporary file.

use std::io;
use std::path::PathBuf;

use crate::store::byte_store::ByteStore;

/// Texts by document, in the order they were added, for whoever wants to see what pairs have in common. The file has no
/// name and is gone when the store is.
///
/// ```
/// use nearprint::TextStore;
///
/// let mut store = TextStore::new(10, std::env::temp_dir());
/// store.push("Fog came in at noon.")?;
/// assert_eq!(store.get(0)?, "Fog came in at noon.");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextStore(ByteStore);

impl TextStore {
    /// An empty store that takes up to `memory` bytes of memory, and beyond that a file in this directory.
    #[must_use]
    pub fn new(memory: u64, directory: PathBuf) -> Self {
        Self(ByteStore::new("texts", memory, size_of::<u64>() as u64, directory))
    }

    /// Adds a document's text.
    ///
    /// # Errors
    /// Where the temporary file cannot be made or written: no room, most of the time.
    pub fn push(&mut self, text: &str) -> io::Result<()> {
        self.0.push(text.as_bytes())
    }

    /// The text of the document at a position.
    ///
    /// # Errors
    /// Where the temporary file cannot be read.
    ///
    /// # Panics
    /// Where there are not so many documents.
    pub fn get(&self, position: usize) -> io::Result<String> {
        Ok(String::from_utf8_lossy(&self.0.get(position)?).into_owned())
    }
}
