//! Where the documents and the labelled pairs of a calibration come from.

use std::collections::HashMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use nearprint_records::{FingerprintRecord, Outcome, Source};

use super::Calibration;
use crate::{ErrorKind, Pipeline, Tally, TextRequest};

/// Pairs of documents, by their ids, that are known to be the same or different.
///
/// ```
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("pairs.tsv");
/// std::fs::write(&path, "draft.html\tfinal.html\tsame\ndraft.html\tmenu.html\tdifferent\n")?;
/// let labels = nearprint::LabelledPairs::read(&path).unwrap();
/// assert_eq!((labels.len(), labels.different()), (2, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledPairs(Vec<(String, String, bool)>);

/// Why a file of labelled pairs is refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum LabelsError {
    /// It cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line is not two ids and a label.
    BadLine {
        /// The file.
        file: PathBuf,
        /// The number of the line, from 1.
        line: usize,
    },
    /// No pair is labelled same.
    NothingToFind {
        /// The file.
        file: PathBuf,
    },
}

impl fmt::Display for LabelsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { file, error } => {
                write!(f, "cannot read {}: {error}", file.display())
            }
            Self::BadLine { file, line } => write!(
                f,
                "{}:{line}: expected two ids and same or different, separated by tabs",
                file.display()
            ),
            Self::NothingToFind { file } => write!(
                f,
                "{}: no pair is labelled same, so there is nothing to find",
                file.display()
            ),
        }
    }
}

impl std::error::Error for LabelsError {}

impl LabelsError {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unreadable { .. } => ErrorKind::Io,
            Self::BadLine { .. } | Self::NothingToFind { .. } => ErrorKind::InvalidInput,
        }
    }
}

impl LabelledPairs {
    /// Reads lines A TAB B TAB same, or different, where A and B are ids. Empty lines are skipped.
    ///
    /// # Errors
    /// Where the file cannot be read, a line is another, or no pair is labelled same.
    pub fn read(file: &Path) -> Result<Self, LabelsError> {
        let name = || file.to_owned();
        let text = std::fs::read_to_string(file)
            .map_err(|error| LabelsError::Unreadable { file: name(), error })?;
        let mut pairs = Vec::new();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.is_empty()) {
            let fields: Vec<&str> = text.split('\t').collect();
            let same = match fields[..] {
                [_, _, "same"] => true,
                [_, _, "different"] => false,
                _ => return Err(LabelsError::BadLine { file: name(), line }),
            };
            pairs.push((fields[0].to_owned(), fields[1].to_owned(), same));
        }
        Self::new(pairs).ok_or_else(|| LabelsError::NothingToFind { file: name() })
    }

    /// Pairs of ids and whether they are the same document; `None` if no pair is, so that there is nothing to find.
    #[must_use]
    pub fn new(pairs: Vec<(String, String, bool)>) -> Option<Self> {
        pairs.iter().any(|pair| pair.2).then_some(Self(pairs))
    }

    /// How many pairs there are, at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always a pair")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// How many of them are of different documents.
    #[must_use]
    pub fn different(&self) -> u64 {
        self.0.iter().filter(|pair| !pair.2).count() as u64
    }
}

impl Calibration {
    /// Reads documents into the sample, and gives each record that has no fingerprint to `nothing`. Short documents are
    /// left out, as fingerprints say little of them. With `labels`, all labelled documents are read and no others.
    /// Returns the tally, and how many labelled pairs are left out because a document of theirs was not found or has no
    /// fingerprint.
    pub fn read(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        labels: Option<&LabelledPairs>,
        mut nothing: impl FnMut(&FingerprintRecord),
    ) -> (Tally, u64) {
        let pairs = labels.map_or(&[][..], |labels| &labels.0);
        let mut places: HashMap<&str, Option<usize>> = HashMap::new();
        for (a, b, _) in pairs {
            places.insert(a, None);
            places.insert(b, None);
        }
        if labels.is_some() {
            self.most = places.len().max(2);
        }
        let text = TextRequest { text: true, ..TextRequest::default() };
        let read = pipeline.read(source, &text, |record, made, _| {
            match (&record.outcome, made.and_then(|made| made.text)) {
                (Outcome::Print { short, .. }, Some(text)) => {
                    match places.get_mut(record.id.as_str()) {
                        Some(place) => *place = Some(self.push(text)),
                        None if labels.is_none() && !short => drop(self.push(text)),
                        None => {}
                    }
                }
                _ => nothing(&record),
            }
            Ok::<_, Infallible>(())
        });
        let Ok(tally) = read;
        let mut left_out = 0;
        for (a, b, same) in pairs {
            match (places[a.as_str()], places[b.as_str()]) {
                (Some(a), Some(b)) => self.label(a, b, *same),
                _ => left_out += 1,
            }
        }
        (tally, left_out)
    }
}
