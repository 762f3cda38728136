//! Which documents an addition lets in: all of them, those that are new, or so many of those that are similar.

use nearprint::{Candidates, Dedup, Distance, Matches, QuestionError, Subject};

use crate::disk_index::DiskIndex;

/// Which documents an addition lets in. Each is decided in its turn, by what the index has after those before it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Admission {
    /// All.
    #[default]
    All,
    /// Those that lie within this distance of no other. Where the index keeps features, only duplicates by the rule of
    /// `dedup` count.
    New(u32),
    /// Those to which fewer than so many others are similar.
    Budget(Budget),
}

impl Admission {
    /// Within which distance other fingerprints are looked for; `None` where they do not matter, or texts decide.
    pub(crate) fn distance(&self) -> Option<u32> {
        match self {
            Self::All | Self::Budget(Budget { candidates: Some(_), .. }) => None,
            Self::New(k) | Self::Budget(Budget { k, candidates: None, .. }) => Some(*k),
        }
    }
}

/// How many documents that are similar to one another an index takes.
///
/// ```
/// use nearprint::fingerprint::Scheme;
/// use nearprint::records::DocumentId;
/// use nearprint::OnDuplicate;
/// use nearprint_index::{Addition, Admission, Budget, DiskIndex, Settings, StoredDocument};
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("pages.index");
/// let index = DiskIndex::create(&path, Scheme::SD1, Settings::default())?;
/// let two = Admission::Budget(Budget::of(&index, 2, None, None).expect("no wrong option"));
/// let page = |id: &str| {
///     let print = "sd1:aerukz4jvpg66".parse().expect("a fingerprint");
///     StoredDocument::new(DocumentId::new(id).expect("short and plain"), print)
/// };
/// let pages = ["june", "july", "august"].map(page);
/// let found = index.add(&pages, OnDuplicate::Replace, two)?;
/// assert_eq!(found[1], Addition::Added { similar: Some(1) });
/// assert!(matches!(&found[2], Addition::Near(near) if near.len() == 2));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    most: u64,
    /// Within which distance documents are similar, or become candidates.
    k: u32,
    /// Which texts are compared, where the index keeps features.
    candidates: Option<Candidates>,
}

impl Budget {
    /// At most so many: where the index keeps features, of texts that are as similar as the threshold demands, by
    /// default that of `dedup`; else of fingerprints within `k`, by default that of the scheme.
    ///
    /// # Errors
    /// Where an option has no such value, or the index keeps no features and there is a threshold.
    pub fn of(
        index: &DiskIndex,
        most: u64,
        threshold: Option<f64>,
        k: Option<u32>,
    ) -> Result<Self, QuestionError> {
        let usual = || Dedup::default().verification().at_least();
        let question = Matches::default();
        let question = match threshold.or_else(|| index.keeps_features().then(usual)) {
            Some(threshold) => question.threshold(threshold),
            None => question,
        };
        let question = match k {
            Some(k) => question.k(Distance::Within(k)),
            None => question,
        };
        let question = question.resolve(Subject::of(index))?;
        let method = question.method();
        Ok(Self { most, k: method.search().distance(), candidates: method.candidates() })
    }

    /// Whether so many similar ones leave no room for another.
    pub(crate) fn is_spent(&self, similar: usize) -> bool {
        similar as u64 >= self.most
    }

    pub(crate) fn distance(&self) -> u32 {
        self.k
    }

    /// What is asked about a text; `None` where fingerprints alone decide.
    pub(crate) fn candidates(&self) -> Option<&Candidates> {
        self.candidates.as_ref()
    }
}
