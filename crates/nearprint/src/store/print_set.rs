//! Many fingerprints of one scheme with their documents' ids, ready to be searched.

#[cfg(feature = "files")]
mod files;

#[cfg(feature = "files")]
pub use files::PrintFileEvent;

use std::borrow::Cow;
use std::path::PathBuf;

use nearprint_fingerprint::{Family, Fingerprint, Scheme, UnlikeSchemes};
use nearprint_records::{DocumentId, ExtractorVersion};
use nearprint_search::{FingerprintWord, SearchedWord, WeakBits, sketch_distance};

use crate::Error;
use crate::store::extractor_list::ExtractorList;
use crate::store::id_list::IdList;
use crate::store::short_list::ShortList;
use crate::store::sketch_list::SketchList;

/// Fingerprints in the order they were added, each with its document's id.
///
/// The scheme is checked once, when a print is added; from there on they are plain words or sketches. Takes 8 bytes a
/// print of 64 bits, 256 a sketch, which may be in a temporary file; and for each id 8 bytes beside its own, unless ids
/// only number the prints of a file.
///
/// ```
/// use nearprint::{PrintSet, fingerprint::Scheme, records::DocumentId};
///
/// let mut set = PrintSet::new(Scheme::SD1);
/// set.push(&DocumentId::new("one").unwrap(), &"sd1:aerukz4jvpg66".parse().unwrap())?;
/// set.push(&DocumentId::new("two").unwrap(), &"sd1:aerukz4jvpg6y".parse().unwrap())?;
/// assert_eq!((set.len(), &*set.id(1), set.distance(0, 1)?), (2, "two", 2));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Debug)]
pub struct PrintSet {
    scheme: Scheme,
    prints: Prints,
    ids: IdList,
    /// The weak bits of the first prints: of all, where all came with them.
    pub(crate) weak_bits: Vec<WeakBits>,
    /// What took the texts of the prints, where their lines say it.
    extractors: ExtractorList,
    /// Which of them are short, where that is known.
    short: ShortList,
}

/// The prints without their scheme, as searches take them.
#[derive(Debug)]
pub(crate) enum Prints {
    Words(Vec<u64>),
    #[cfg(feature = "widths")]
    Narrow(Vec<u32>),
    #[cfg(feature = "widths")]
    Wide(Vec<u128>),
    Sketches(SketchList),
}

/// Does the same with the words of prints, whatever their width.
macro_rules! with_words {
    ($prints:expr, $words:ident => $work:expr, else $otherwise:expr) => {
        match $prints {
            $crate::store::print_set::Prints::Words($words) => $work,
            #[cfg(feature = "widths")]
            $crate::store::print_set::Prints::Narrow($words) => $work,
            #[cfg(feature = "widths")]
            $crate::store::print_set::Prints::Wide($words) => $work,
            $crate::store::print_set::Prints::Sketches(_) => $otherwise,
        }
    };
}
pub(crate) use with_words;

/// Whether fingerprints of a scheme have a width that this build searches.
pub(crate) fn is_searchable(scheme: Scheme) -> bool {
    cfg!(feature = "widths") || scheme.family() == Family::Sketch || scheme.positions() == 64
}

/// A word that sets hold.
pub(crate) trait Word: SearchedWord {
    /// The words, where they are of this width.
    fn of(prints: &Prints) -> Option<&[Self]>;

    /// The word of a print, where it is of this width.
    fn of_print(fingerprint: &Fingerprint) -> Option<Self>;
}

macro_rules! word {
    ($word:ty, $variant:ident) => {
        impl Word for $word {
            fn of(prints: &Prints) -> Option<&[Self]> {
                match prints {
                    Prints::$variant(words) => Some(words),
                    _ => None,
                }
            }

            fn of_print(fingerprint: &Fingerprint) -> Option<Self> {
                fingerprint.as_u128().and_then(|word| word.try_into().ok())
            }
        }
    };
}
word!(u64, Words);
#[cfg(feature = "widths")]
word!(u32, Narrow);
#[cfg(feature = "widths")]
word!(u128, Wide);

impl PrintSet {
    /// An empty set of prints of one scheme.
    #[must_use]
    pub fn new(scheme: Scheme) -> Self {
        Self::keeping(scheme, SketchList::default())
    }

    /// An empty set that keeps up to `memory` bytes of sketches in memory. Where there are more, they are in a file in
    /// this directory, which has no name and is gone when the set is. Prints of other schemes are small and stay in
    /// memory.
    #[must_use]
    pub fn within(scheme: Scheme, memory: u64, directory: PathBuf) -> Self {
        Self::keeping(scheme, SketchList::within(memory, directory))
    }

    fn keeping(scheme: Scheme, sketches: SketchList) -> Self {
        let prints = match scheme.family() {
            Family::Sketch => Prints::Sketches(sketches),
            #[cfg(feature = "widths")]
            _ if scheme.positions() == 32 => Prints::Narrow(Vec::new()),
            #[cfg(feature = "widths")]
            _ if scheme.positions() == 128 => Prints::Wide(Vec::new()),
            _ => Prints::Words(Vec::new()),
        };
        Self {
            scheme,
            prints,
            ids: IdList::default(),
            weak_bits: Vec::new(),
            extractors: ExtractorList::default(),
            short: ShortList::default(),
        }
    }

    /// The set of fingerprints of 64 bits without ids, in the order of their values; `None` where the scheme's
    /// fingerprints are of other widths. Results name them by their positions
    /// ([`Search::numbered_pairs`](crate::Search::numbered_pairs)).
    #[must_use]
    pub fn of_words(scheme: Scheme, words: Vec<u64>) -> Option<Self> {
        let mut set = Self::new(scheme);
        let Prints::Words(held) = &mut set.prints else { return None };
        set.ids.number("", words.len());
        *held = words;
        Some(set)
    }

    /// Adds a document's fingerprint.
    ///
    /// # Errors
    /// Where it is of another scheme than the set, or the set's file cannot be written.
    pub fn push(&mut self, id: &DocumentId, fingerprint: &Fingerprint) -> Result<(), Error> {
        self.push_print(fingerprint)?;
        self.ids.push(id.as_str());
        Ok(())
    }

    /// Adds a fingerprint of something that its caller knows by its number: no id is stored.
    ///
    /// # Errors
    /// As for [`push`](Self::push).
    pub fn push_numbered(&mut self, fingerprint: &Fingerprint) -> Result<(), Error> {
        self.push_print(fingerprint)?;
        self.ids.count("");
        Ok(())
    }

    fn push_print(&mut self, fingerprint: &Fingerprint) -> Result<(), Error> {
        UnlikeSchemes::check(self.scheme, fingerprint.scheme())?;
        match (&mut self.prints, fingerprint.as_u128(), fingerprint.as_sketch()) {
            // As wide as the scheme, so nothing is cut off.
            (Prints::Words(words), Some(word), _) if is_searchable(self.scheme) => {
                words.push(word as u64);
            }
            #[cfg(feature = "widths")]
            (Prints::Narrow(words), Some(word), _) => words.push(word as u32),
            #[cfg(feature = "widths")]
            (Prints::Wide(words), Some(word), _) => words.push(word),
            (Prints::Sketches(sketches), _, Some(sketch)) => sketches.push(*sketch)?,
            // One scheme's prints have one form.
            _ => return Err(Error::NotSearchable { scheme: self.scheme }),
        }
        Ok(())
    }

    /// Notes what took the text that the print added last is of.
    pub(crate) fn note_extractor(&mut self, extractor: ExtractorVersion) {
        self.extractors.note(self.len() - 1, extractor);
    }

    /// Notes whether the print added last is short, where that is known.
    pub(crate) fn note_short(&mut self, short: Option<bool>) {
        if let Some(short) = short {
            self.short.note(self.len() - 1, short);
        }
    }

    /// Whether the standard calls a print short, one of a document of few words; `None` where that is not known.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    #[must_use]
    pub fn short(&self, position: usize) -> Option<bool> {
        assert!(position < self.len(), "{position} of {}", self.len());
        self.short.of(position)
    }

    /// What took the text that a print is of; `None` where that is not known.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    #[must_use]
    pub fn extractor(&self, position: usize) -> Option<&ExtractorVersion> {
        assert!(position < self.len(), "{position} of {}", self.len());
        self.extractors.of(position)
    }

    /// The extractors that took the texts of prints in another version than today's, with today's and how many prints
    /// these are, as far as files of prints say it.
    pub fn other_extractors(&self) -> impl Iterator<Item = (&ExtractorVersion, u32, u64)> {
        self.extractors.counts().filter_map(|(then, prints)| {
            let mut today = nearprint_extract::extractors();
            let (_, now) = today.find(|&(name, _)| name == &*then.name)?;
            (now != then.version).then_some((then, now, prints))
        })
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

    /// Bytes of memory that its prints and ids take.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let prints = match &self.prints {
            Prints::Sketches(sketches) => sketches.memory(),
            _ => (self.len() * self.scheme.bytes()) as u64,
        };
        let weak = (self.weak_bits.len() * size_of::<WeakBits>()) as u64;
        prints + weak + self.ids.memory() + self.extractors.memory() + self.short.memory()
    }

    /// Bytes of prints that are in a temporary file.
    #[must_use]
    pub fn on_disk(&self) -> u64 {
        match &self.prints {
            Prints::Sketches(sketches) => sketches.on_disk(),
            _ => 0,
        }
    }

    /// The fingerprint at a position.
    ///
    /// # Errors
    /// Where it cannot be read from the set's file.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    pub fn fingerprint(&self, position: usize) -> Result<Fingerprint, Error> {
        let made = match &self.prints {
            Prints::Words(words) => Fingerprint::from_u64(self.scheme, words[position]),
            #[cfg(feature = "widths")]
            Prints::Narrow(words) => Fingerprint::from_u128(self.scheme, words[position].into()),
            #[cfg(feature = "widths")]
            Prints::Wide(words) => Fingerprint::from_u128(self.scheme, words[position]),
            Prints::Sketches(sketches) => {
                Fingerprint::from_sketch(self.scheme, sketches.get(position)?)
            }
        };
        Ok(made.expect("the set holds the form that its scheme has"))
    }

    /// The distance of the prints at two positions.
    ///
    /// # Errors
    /// Where one cannot be read from the set's file.
    ///
    /// # Panics
    /// Where one of them is not below [`len`](Self::len).
    pub fn distance(&self, a: usize, b: usize) -> Result<u32, Error> {
        Ok(match &self.prints {
            Prints::Words(words) => words[a].hamming_distance(words[b]),
            #[cfg(feature = "widths")]
            Prints::Narrow(words) => words[a].hamming_distance(words[b]),
            #[cfg(feature = "widths")]
            Prints::Wide(words) => words[a].hamming_distance(words[b]),
            Prints::Sketches(sketches) => sketch_distance(&sketches.get(a)?, &sketches.get(b)?),
        })
    }

    /// What a distance of its prints says of similarity: 1 - distance / width.
    #[must_use]
    pub fn estimate(&self, distance: u32) -> f64 {
        1.0 - f64::from(distance) / f64::from(self.scheme.positions())
    }

    /// The prints at some positions, numbered instead of called by their ids.
    pub(crate) fn without_ids(&self, positions: &[u32]) -> Result<Self, Error> {
        fn some<W: Copy>(words: &[W], positions: &[u32]) -> Vec<W> {
            positions.iter().map(|&at| words[at as usize]).collect()
        }
        let mut set = Self::new(self.scheme);
        set.prints = match &self.prints {
            Prints::Words(words) => Prints::Words(some(words, positions)),
            #[cfg(feature = "widths")]
            Prints::Narrow(words) => Prints::Narrow(some(words, positions)),
            #[cfg(feature = "widths")]
            Prints::Wide(words) => Prints::Wide(some(words, positions)),
            Prints::Sketches(sketches) => Prints::Sketches(sketches.some(positions)?),
        };
        set.ids.number("", positions.len());
        Ok(set)
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
