//! Many fingerprints of one scheme with their documents' ids, ready to be searched.

mod files;

pub use files::Met;

use std::borrow::Cow;

use nearprint_fingerprint::{Family, Fingerprint, Scheme, UnlikeSchemes};
use nearprint_records::DocumentId;
use nearprint_search::{FingerprintWord, Sketch, WeakBits, sketch_distance};

use crate::Error;
use crate::id_list::IdList;

/// Fingerprints in the order they were added, each with its document's id.
///
/// The scheme is checked once, when a print is added; from there on they are plain words or sketches. Takes 8 octets a print of 64 bits,
/// 256 a sketch; and for each id 8 octets beside its own, unless ids only number the prints of a file.
///
/// ```
/// use nearprint::{PrintSet, fingerprint::Scheme, records::DocumentId};
///
/// let mut set = PrintSet::new(Scheme::SD1);
/// set.push(&DocumentId::new("one").unwrap(), &"sd1:aerukz4jvpg66".parse().unwrap())?;
/// set.push(&DocumentId::new("two").unwrap(), &"sd1:aerukz4jvpg6y".parse().unwrap())?;
/// assert_eq!((set.len(), &*set.id(1), set.distance(0, 1)), (2, "two", 2));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PrintSet {
    scheme: Scheme,
    prints: Prints,
    ids: IdList,
    /// The least certain bits of the prints that came with them.
    weak: Vec<WeakBits>,
}

/// The prints without their scheme, as searches take them.
#[derive(Debug, Clone)]
pub(crate) enum Prints {
    Words(Vec<u64>),
    Sketches(Vec<Sketch>),
}

impl PrintSet {
    /// An empty set of prints of one scheme.
    #[must_use]
    pub fn new(scheme: Scheme) -> Self {
        let prints = match scheme.family() {
            Family::Sketch => Prints::Sketches(Vec::new()),
            _ => Prints::Words(Vec::new()),
        };
        Self { scheme, prints, ids: IdList::default(), weak: Vec::new() }
    }

    /// Adds a document's fingerprint.
    ///
    /// # Errors
    /// Where it is of another scheme than the set.
    pub fn push(&mut self, id: &DocumentId, fingerprint: &Fingerprint) -> Result<(), Error> {
        self.push_print(fingerprint)?;
        self.ids.push(id.as_str());
        Ok(())
    }

    /// Adds a fingerprint of something that its caller knows by its number: no id is stored.
    pub(crate) fn push_numbered(&mut self, fingerprint: &Fingerprint) -> Result<(), Error> {
        self.push_print(fingerprint)?;
        self.ids.count("");
        Ok(())
    }

    fn push_print(&mut self, fingerprint: &Fingerprint) -> Result<(), Error> {
        UnlikeSchemes::check(self.scheme, fingerprint.scheme())?;
        match (&mut self.prints, fingerprint.as_u64(), fingerprint.as_sketch()) {
            (Prints::Words(words), Some(word), _) => words.push(word),
            (Prints::Sketches(sketches), _, Some(sketch)) => sketches.push(*sketch),
            // One scheme's prints have one form.
            _ => return Err(Error::NotSearchable { scheme: self.scheme }),
        }
        Ok(())
    }

    /// Adds the least certain bits of the print that was added last, for
    /// [`Search::learn`](crate::Search::learn). Nothing is lost where they are not known.
    pub fn note_weak_bits(&mut self, weak: WeakBits) {
        // Those of a print before it that had none would be mistaken for its own.
        if self.weak.len() + 1 == self.len() {
            self.weak.push(weak);
        }
    }

    /// The least certain bits of the first prints: of all, where all came with them.
    pub(crate) fn weak_bits(&self) -> &[WeakBits] {
        &self.weak
    }

    /// The scheme of all its prints.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Number of prints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of the document at a position.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    #[must_use]
    pub fn id(&self, position: usize) -> Cow<'_, str> {
        self.ids.get(position)
    }

    /// Octets of memory that its prints and ids take.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let prints = match &self.prints {
            Prints::Words(words) => words.len() * size_of::<u64>(),
            Prints::Sketches(sketches) => sketches.len() * size_of::<Sketch>(),
        };
        (prints + self.weak.len() * size_of::<WeakBits>()) as u64 + self.ids.memory()
    }

    /// The fingerprint at a position.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    #[must_use]
    pub fn fingerprint(&self, position: usize) -> Fingerprint {
        match &self.prints {
            Prints::Words(words) => Fingerprint::from_u64(self.scheme, words[position]),
            Prints::Sketches(sketches) => Fingerprint::from_sketch(self.scheme, sketches[position]),
        }
        .expect("the set holds the form that its scheme has")
    }

    /// The distance of the prints at two positions.
    ///
    /// # Panics
    /// Where one of them is not below [`len`](Self::len).
    #[must_use]
    pub fn distance(&self, a: usize, b: usize) -> u32 {
        match &self.prints {
            Prints::Words(words) => words[a].hamming_distance(words[b]),
            Prints::Sketches(sketches) => sketch_distance(&sketches[a], &sketches[b]),
        }
    }

    pub(crate) fn prints(&self) -> &Prints {
        &self.prints
    }

    /// The id at a position, to be kept.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    #[must_use]
    pub fn document_id(&self, position: usize) -> DocumentId {
        DocumentId::new(self.id(position).into_owned()).expect("it was an id when it was added")
    }
}
