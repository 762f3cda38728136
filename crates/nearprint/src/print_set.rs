//! Many fingerprints of one scheme with their documents' ids, ready to be searched.

use nearprint_fingerprint::{Fingerprint, Scheme, UnlikeSchemes};
use nearprint_records::DocumentId;

use crate::Error;

/// Fingerprints in the order they were added, each with its document's id.
///
/// The scheme is checked once, when a print is added; from there on they are plain words. Takes 16 octets a print
/// beside the ids' own.
///
/// ```
/// use nearprint::{PrintSet, fingerprint::Scheme, records::DocumentId};
///
/// let mut set = PrintSet::new(Scheme::SD1)?;
/// set.push(&DocumentId::new("one").unwrap(), &"sd1:aerukz4jvpg66".parse().unwrap())?;
/// set.push(&DocumentId::new("two").unwrap(), &"sd1:aerukz4jvpg6y".parse().unwrap())?;
/// assert_eq!((set.len(), set.id(1)), (2, "two"));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PrintSet {
    scheme: Scheme,
    words: Vec<u64>,
    /// All ids one behind the other, and where each ends: one allocation for millions of short names.
    ids: String,
    ends: Vec<usize>,
}

impl PrintSet {
    /// An empty set of prints of one scheme.
    ///
    /// # Errors
    /// Where the scheme's prints are not of 64 bits.
    pub fn new(scheme: Scheme) -> Result<Self, Error> {
        if Fingerprint::from_u64(scheme, 0).is_none() {
            return Err(Error::NotSearchable { scheme });
        }
        Ok(Self { scheme, words: Vec::new(), ids: String::new(), ends: Vec::new() })
    }

    /// Adds a document's fingerprint.
    ///
    /// # Errors
    /// Where it is of another scheme than the set.
    pub fn push(&mut self, id: &DocumentId, fingerprint: &Fingerprint) -> Result<(), Error> {
        let word = self.word(fingerprint)?;
        self.words.push(word);
        self.ids.push_str(id.as_str());
        self.ends.push(self.ids.len());
        Ok(())
    }

    /// The scheme of all its prints.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Number of prints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The id of the document at a position.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    #[must_use]
    pub fn id(&self, position: usize) -> &str {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.ids[start..self.ends[position]]
    }

    /// The fingerprint at a position.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    #[must_use]
    pub fn fingerprint(&self, position: usize) -> Fingerprint {
        Fingerprint::from_u64(self.scheme, self.words[position])
            .expect("the set was made for a scheme of 64 bits")
    }

    /// The prints as plain words, in order.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// A print of this set's scheme as a plain word.
    pub(crate) fn word(&self, fingerprint: &Fingerprint) -> Result<u64, Error> {
        UnlikeSchemes::check(self.scheme, fingerprint.scheme())?;
        fingerprint.as_u64().ok_or(Error::NotSearchable { scheme: self.scheme })
    }

    /// The id at a position, to be kept.
    pub(crate) fn document_id(&self, position: usize) -> DocumentId {
        DocumentId::new(self.id(position)).expect("it was an id when it was added")
    }
}
