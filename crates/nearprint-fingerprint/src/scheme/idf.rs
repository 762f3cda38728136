//! SPEC [13.9] to [13.12]: in how many documents of a collection each feature occurs, and the weight that follows.
//!
//! A table is bytes that anyone can recompute from the same collection, and a digest of them is part of the name of a
//! scheme that weighs by it. So fingerprints weighed by different tables are of different schemes. Everything is whole
//! numbers: a logarithm of the runtime would differ from machine to machine.

mod bytes;
mod digest;
mod error;

use std::fmt;
use std::sync::{Mutex, PoisonError};

pub use self::digest::IdfDigest;
pub use self::error::IdfTableError;
use crate::scheme::custom::CustomScheme;

/// The most entries a table may have.
const MOST_ENTRIES: u64 = 1 << 26;

/// Tables that a process can know: each is kept until it ends.
const MOST_KEPT: usize = 256;

/// Bytes of memory that they can take together.
const MOST_KEPT_BYTES: u64 = 4 << 30;

/// In how many documents of a collection the features of custom schemes occur (SPEC [13.9]).
///
/// Looking a feature up takes constant time. Memory: 16 bytes an entry.
///
/// ```
/// use nearprint_fingerprint::{CustomScheme, IdfTable, Scheme, feature_hashes, fingerprint};
///
/// let words: CustomScheme = "custom:words,log,lookup3,64".parse()?;
/// let scheme = Scheme::custom(words)?;
/// let fog = feature_hashes(scheme, "fog").unwrap_or_default();
/// // Of 1,000 documents 600 have the word "fog"; what is in no entry was in less than 2.
/// let table = IdfTable::new(words, 1000, 2, vec![(fog[0], 600)])?;
/// let weighed = words.with_idf(&table)?;
/// table.keep()?;
/// let scheme: Scheme = weighed.to_string().parse()?;
/// assert!(fingerprint(scheme, "Fog came in.").fingerprint().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct IdfTable {
    counted: String,
    documents: u32,
    least: u32,
    hashes: Vec<u64>,
    counts: Vec<u32>,
    /// Where the hashes with each value of the upper bits begin; one more than there are values.
    starts: Vec<u32>,
    /// By how many bits to the right a hash is its place in `starts`.
    shift: u32,
    digest: IdfDigest,
}

impl IdfTable {
    /// The table of a collection of so many documents with features of `scheme`, of which each entry's hash was in so
    /// many. `least` is the least count that is in it: what occurs in fewer documents is in no entry.
    ///
    /// # Errors
    /// If there is no document, `least` is 0, hashes do not ascend, or counts are less than `least` or more than the
    /// documents.
    pub fn new(
        scheme: CustomScheme,
        documents: u32,
        least: u32,
        entries: Vec<(u64, u32)>,
    ) -> Result<Self, IdfTableError> {
        let (hashes, counts) = entries.into_iter().unzip();
        let mut table = Self::checked(scheme.counted(), documents, least, hashes, counts)?;
        table.digest = IdfDigest::of(&table.sum());
        Ok(table)
    }

    fn checked(
        counted: String,
        documents: u32,
        least: u32,
        hashes: Vec<u64>,
        counts: Vec<u32>,
    ) -> Result<Self, IdfTableError> {
        let refused = |what| Err(IdfTableError::Content { what });
        if documents == 0 || documents == u32::MAX {
            return refused("documents are from 1 to 4,294,967,294");
        }
        if least == 0 {
            return refused("the least count is 1 or more");
        }
        if hashes.len() as u64 > MOST_ENTRIES {
            return refused("there are 67,108,864 entries at most");
        }
        if !hashes.is_sorted_by(|a, b| a < b) {
            return refused("hashes ascend, each once");
        }
        if !counts.iter().all(|count| (least..=documents).contains(count)) {
            return refused(
                "a feature is in as many documents as the least count says, or more, and in no more than there are",
            );
        }
        // One entry for each start, or two.
        let bits = hashes.len().checked_ilog2().unwrap_or_default();
        let shift = u64::BITS - bits;
        let mut starts = vec![0u32; (1 << bits) + 1];
        for &hash in &hashes {
            starts[place(hash, shift) + 1] += 1;
        }
        let mut before = 0;
        for start in &mut starts {
            before += *start;
            *start = before;
        }
        let digest = IdfDigest::of(&[0; 32]);
        Ok(Self { counted, documents, least, hashes, counts, starts, shift, digest })
    }

    /// The table's name.
    #[must_use]
    pub fn digest(&self) -> IdfDigest {
        self.digest
    }

    /// The documents counted: those with a feature.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// The least count that is in it.
    #[must_use]
    pub fn least(&self) -> u32 {
        self.least
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The features it counts, as a declaration names them: features, hash, and what takes no part.
    #[must_use]
    pub fn counted(&self) -> &str {
        &self.counted
    }

    /// SPEC [13.12]: the inverse document frequency of a feature of this hash, in 1/65536.
    #[must_use]
    pub fn weight(&self, hash: u64) -> u64 {
        let at = place(hash, self.shift);
        let (from, to) = (self.starts[at] as usize, self.starts[at + 1] as usize);
        let count = match self.hashes[from..to].binary_search(&hash) {
            Ok(found) => self.counts[from + found],
            Err(_) => (self.least - 1).min(self.documents),
        };
        65_536 + u64::from(log2(self.documents + 1)) - u64::from(log2(count + 1))
    }

    /// Bytes of memory it takes.
    fn memory(&self) -> u64 {
        (self.hashes.len() * (size_of::<u64>() + size_of::<u32>()) + self.starts.len() * 4) as u64
    }

    /// Refuses a scheme whose features the table does not count.
    pub(crate) fn check(&self, scheme: &CustomScheme) -> Result<(), IdfTableError> {
        let scheme = scheme.counted();
        if self.counted == scheme {
            return Ok(());
        }
        Err(IdfTableError::OtherFeatures { table: self.counted.clone(), scheme })
    }

    /// Makes the table known to this process, until it ends: from here on declarations can name it.
    ///
    /// # Errors
    /// If the process knows hundreds of them already, or 4 GiB of them.
    pub fn keep(self) -> Result<IdfDigest, IdfTableError> {
        // A list that a panic interrupted holds whole tables.
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = self.digest;
        if !kept.iter().any(|kept| kept.digest == digest) {
            let bytes: u64 = kept.iter().map(|kept| kept.memory()).sum();
            if kept.len() >= MOST_KEPT || bytes + self.memory() > MOST_KEPT_BYTES {
                return Err(IdfTableError::TooMany);
            }
            kept.push(Box::leak(Box::new(self)));
        }
        Ok(digest)
    }

    /// The table of this digest, where it was kept.
    #[must_use]
    pub fn kept(digest: IdfDigest) -> Option<&'static Self> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|kept| kept.digest == digest).copied()
    }
}

/// The tables that were kept in this process.
static KEPT: Mutex<Vec<&'static IdfTable>> = Mutex::new(Vec::new());

fn place(hash: u64, shift: u32) -> usize {
    hash.checked_shr(shift).unwrap_or_default() as usize
}

/// SPEC [13.11]: the binary logarithm of a number of 1 or more, in 1/65536, a digit at a time by squaring.
pub(crate) fn log2(number: u32) -> u32 {
    let zeros = number.leading_zeros();
    let mut result = 31 - zeros;
    let mut mantissa = u64::from(number) << zeros;
    for _ in 0..16 {
        mantissa = (mantissa * mantissa) >> 31;
        let digit = mantissa >> 32;
        mantissa >>= digit;
        result = result << 1 | digit as u32;
    }
    result
}

impl fmt::Debug for IdfTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdfTable")
            .field("counted", &self.counted)
            .field("documents", &self.documents)
            .field("entries", &self.len())
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::bytes::{SUM, sum};
    use super::*;

    fn words() -> CustomScheme {
        "custom:words,log,lookup3,64".parse().unwrap()
    }

    fn table() -> IdfTable {
        let entries =
            (0..1000u64).map(|n| (n.wrapping_mul(0x0123_4567_89ab_cdef), 3 + n as u32 % 70));
        let mut entries: Vec<(u64, u32)> = entries.collect();
        entries.sort_unstable();
        IdfTable::new(words(), 90, 3, entries).unwrap()
    }

    #[test]
    fn the_logarithm_is_the_logarithm() {
        for (number, wanted) in [(1, 0), (2, 65_536), (3, 103_872), (1 << 31, 31 << 16)] {
            assert_eq!(log2(number), wanted, "{number}");
        }
        let mut number = 1u32;
        while let Some(next) = number.checked_add(number / 1000 + 1) {
            let exact = f64::from(number).log2() * 65_536.0;
            let error = exact - f64::from(log2(number));
            assert!((-0.01..1.01).contains(&error), "{number}: {error}");
            assert!(log2(number) <= log2(next), "{number}");
            number = next;
        }
    }

    #[test]
    fn weights_follow_the_counts() {
        let table = table();
        for (&hash, &count) in table.hashes.iter().zip(&table.counts) {
            let wanted = 65_536 + u64::from(log2(91)) - u64::from(log2(count + 1));
            assert_eq!(table.weight(hash), wanted);
            // What is not in it counts as in two documents, one less than the least.
            let unknown = 65_536 + u64::from(log2(91)) - u64::from(log2(3));
            assert_eq!(table.weight(hash ^ 1), unknown);
        }
        let empty = IdfTable::new(words(), 1, 2, Vec::new()).unwrap();
        assert_eq!(empty.weight(77), 65_536);
        let one = IdfTable::new(words(), 3, 1, vec![(u64::MAX, 3)]).unwrap();
        assert_eq!((one.weight(u64::MAX), one.weight(0)), (65_536, 3 << 16));
    }

    #[test]
    fn bytes_are_read_as_they_are_written_and_in_no_other_way() {
        let table = table();
        let bytes = table.to_bytes();
        assert_eq!(IdfTable::from_bytes(&bytes), Ok(table.clone()));
        assert_eq!(table.digest().to_string().parse(), Ok(table.digest()));
        for cut in [0, 7, 8, 31, 32, 40, bytes.len() - 1] {
            assert!(IdfTable::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(IdfTable::from_bytes(&changed).is_err(), "byte {at}");
        }
        let summed = |mut bytes: Vec<u8>, at: usize, value: u8| {
            bytes.truncate(bytes.len() - SUM);
            bytes[at] = value;
            let sum = sum(&bytes);
            bytes.extend(sum);
            IdfTable::from_bytes(&bytes)
        };
        assert_eq!(summed(bytes.clone(), 8, 2), Err(IdfTableError::Version { found: 2 }));
        // No documents, no least count, another least count, a name that is none, hashes out of order, a count of none.
        for (at, value) in
            [(12, 0), (16, 0), (16, 4), (33, b'O'), (32 + 13 + 7, 0xff), (32 + 13 + 8, 0)]
        {
            let refused = summed(bytes.clone(), at, value);
            assert!(matches!(refused, Err(IdfTableError::Content { .. })), "{at}: {refused:?}");
        }
    }

    #[test]
    fn a_table_serves_schemes_of_its_features_only() {
        let table = table();
        let weighed = words().with_idf(&table).unwrap();
        let name = format!("custom:words,log,lookup3,64,idf={}", table.digest());
        assert_eq!(weighed.to_string(), name);
        assert_eq!(name.parse(), Ok(weighed));
        let error = name.parse::<crate::Scheme>().unwrap_err().to_string();
        assert!(error.contains(&format!("{} is missing", table.digest())), "{error}");
        table.clone().keep().unwrap();
        let scheme: crate::Scheme = name.parse().unwrap();
        assert_eq!((scheme.name(), scheme.as_custom()), (name.as_str(), Some(weighed)));
        for other in [
            "custom:shingles-2,log,lookup3,64",
            "custom:words,log,xxh3,64",
            "custom:words,log,lookup3,64,stop=en",
            "custom:words,log,lookup3,64,min=3",
        ] {
            let scheme: CustomScheme = other.parse().unwrap();
            let refused = scheme.with_idf(&table).unwrap_err();
            assert!(refused.to_string().contains("words,lookup3"), "{refused}");
            let named: CustomScheme = format!("{other},idf={}", table.digest()).parse().unwrap();
            assert_eq!(
                crate::Scheme::custom(named).unwrap_err(),
                crate::CustomError::OtherTable(refused)
            );
        }
    }
}
