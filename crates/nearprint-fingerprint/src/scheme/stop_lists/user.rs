//! Stop lists of a user (SPEC [13.13]): words from a file, named by a digest of them.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::base32::{base32, bytes_of_base32};

/// Lists that a process can know: each is kept until it ends.
const MOST_KEPT: usize = 256;

/// The longest list, in bytes of its words.
const LONGEST: usize = 16 << 20;

/// The name of a list: the first 16 bytes of the SHA-256 of its words, written as 26 characters of base32.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StopDigest([u8; 16]);

impl StopDigest {
    /// What printing gives, and nothing else: a declaration has one form.
    pub(super) fn from_exact(text: &str) -> Option<Self> {
        let digest = Self(bytes_of_base32(text)?.try_into().ok()?);
        (digest.to_string() == text).then_some(digest)
    }
}

impl fmt::Display for StopDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&base32(&self.0))
    }
}

impl fmt::Debug for StopDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StopDigest({self})")
    }
}

impl std::str::FromStr for StopDigest {
    type Err = StopWordsError;

    fn from_str(text: &str) -> Result<Self, StopWordsError> {
        Self::from_exact(text).ok_or(StopWordsError::NoDigest)
    }
}

/// The words that a user's list leaves out of custom schemes.
///
/// ```
/// use nearprint_fingerprint::{CustomScheme, Scheme, StopWords, fingerprint};
///
/// let words: CustomScheme = "custom:words,tf,lookup3,64".parse()?;
/// let list = StopWords::of(words, "# Of all reports.\nfog\nnoon\n")?;
/// let declared = words.with_stop_words(&list).to_string();
/// list.keep()?;
/// let scheme: Scheme = declared.parse()?;
/// assert_eq!(fingerprint(scheme, "Fog came in at noon.").tokens(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct StopWords {
    /// In ascending order, each once.
    words: Vec<Box<[u8]>>,
    digest: StopDigest,
}

impl StopWords {
    /// The list of these words, in any order.
    pub(crate) fn of_words(mut words: Vec<Box<[u8]>>) -> Result<Self, StopWordsError> {
        words.sort_unstable();
        words.dedup();
        let bytes: usize = words.iter().map(|word| word.len() + 1).sum();
        if words.is_empty() {
            return Err(StopWordsError::Empty);
        }
        if bytes > LONGEST {
            return Err(StopWordsError::Length { bytes });
        }
        let mut sum = Sha256::new();
        for word in &words {
            sum.update(word);
            sum.update(b"\n");
        }
        let sum: [u8; 32] = sum.finalize().into();
        Ok(Self { words, digest: StopDigest(std::array::from_fn(|i| sum[i])) })
    }

    /// The list's name.
    #[must_use]
    pub fn digest(&self) -> StopDigest {
        self.digest
    }

    /// Whether a token is on the list.
    pub(super) fn holds(&self, token: &[u8]) -> bool {
        self.words.binary_search_by(|word| (**word).cmp(token)).is_ok()
    }

    /// Makes the list known to this process, until it ends: from here on declarations can name it.
    ///
    /// # Errors
    /// If the process knows hundreds of them already.
    pub fn keep(self) -> Result<StopDigest, StopWordsError> {
        // A list that a panic interrupted holds whole lists.
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = self.digest;
        if !kept.iter().any(|kept| kept.digest == digest) {
            if kept.len() >= MOST_KEPT {
                return Err(StopWordsError::TooMany);
            }
            kept.push(Box::leak(Box::new(self)));
        }
        Ok(digest)
    }

    /// The list of this digest, where it was kept.
    pub(crate) fn kept(digest: StopDigest) -> Option<&'static Self> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|kept| kept.digest == digest).copied()
    }
}

impl fmt::Debug for StopWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StopWords({} words, {})", self.words.len(), self.digest)
    }
}

/// The lists that were kept in this process.
static KEPT: Mutex<Vec<&'static StopWords>> = Mutex::new(Vec::new());

/// Why there is no list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopWordsError {
    /// It has no word.
    Empty,
    /// It has too many.
    Length {
        /// Bytes of its words.
        bytes: usize,
    },
    /// A digest of a list has another form.
    NoDigest,
    /// This process knows too many lists already.
    TooMany,
}

impl fmt::Display for StopWordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str(
                "the stop list has no words; give a text file of words, in which lines that begin \
                    with # are comments",
            ),
            Self::Length { bytes } => write!(
                f,
                "the stop list has {bytes} bytes of words, but the maximum is {LONGEST}; give a \
                    shorter one"
            ),
            Self::NoDigest => {
                f.write_str("the digest of a stop list has 26 characters of a-z and 2-7")
            }
            Self::TooMany => write!(
                f,
                "this process has reached the maximum of {MOST_KEPT} stop lists; use another \
                    process"
            ),
        }
    }
}

impl std::error::Error for StopWordsError {}
