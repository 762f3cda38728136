//! How a search divides the memory it may use: part for what verification compares, the rest for fingerprints and
//! pairs.

/// The memory of a search by purpose, in bytes. What does not fit into a share goes to a temporary file, or is an error
/// where none can help.
///
/// ```
/// use nearprint::MemoryShares;
///
/// let shares = MemoryShares::of(4 << 30);
/// assert_eq!((shares.features(), shares.search()), (0, 4 << 30));
/// let verified = shares.verified(true);
/// assert_eq!((verified.features(), verified.texts(), verified.search()), (1 << 30, 1 << 30, 2 << 30));
/// assert_eq!(verified.set(2), 512 << 20);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryShares {
    all: u64,
    features: u64,
    texts: u64,
}

impl MemoryShares {
    /// All memory for fingerprints alone.
    #[must_use]
    pub fn of(all: u64) -> Self {
        Self { all, features: 0, texts: 0 }
    }

    /// A quarter of it for the features that verification compares, and as much for texts where these are kept too.
    #[must_use]
    pub fn verified(self, texts: bool) -> Self {
        let features = self.all / 4;
        Self { features, texts: if texts { features } else { 0 }, ..self }
    }

    /// A quarter of it for the texts of all documents, where these are compared and no features are kept.
    #[must_use]
    pub fn of_texts(self) -> Self {
        Self { features: 0, texts: self.all / 4, ..self }
    }

    /// For the features of all documents.
    #[must_use]
    pub fn features(&self) -> u64 {
        self.features
    }

    /// For their texts.
    #[must_use]
    pub fn texts(&self) -> u64 {
        self.texts
    }

    /// For the search: sets of fingerprints, working memory, pairs.
    #[must_use]
    pub fn search(&self) -> u64 {
        self.all - self.features - self.texts
    }

    /// For the sketches of each of so many sets: half of what the search has.
    #[must_use]
    pub fn set(&self, sets: u64) -> u64 {
        self.search() / 2 / sets.max(1)
    }
}
