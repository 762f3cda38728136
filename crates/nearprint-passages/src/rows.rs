//! What is found.

/// The place of a passage in a text: from the first byte and character of its first token up to the end of its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TextPlace {
    /// Bytes of UTF-8 before the passage.
    pub start_byte: u64,
    /// Bytes up to its end.
    pub end_byte: u64,
    /// Characters (code points) before the passage.
    pub start_character: u64,
    /// Characters up to its end.
    pub end_character: u64,
}

/// A passage that two documents share: a run of tokens that is the same in both, and that is longer nowhere, neither to
/// the left nor to the right.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SharedPassage {
    /// The number of one document, from 0 in the order in which documents were added.
    pub a: u32,
    /// The number of the other one, which is greater.
    pub b: u32,
    /// The number of tokens that are the same.
    pub tokens: u32,
    /// Tokens of either document that the other one lacks there; 0 unless runs are joined
    /// ([`most_gap`](crate::PassageSettings::most_gap)).
    pub changed: u32,
    /// All tokens of a.
    pub a_tokens: u32,
    /// All tokens of b.
    pub b_tokens: u32,
    /// Where it is in a.
    pub a_place: TextPlace,
    /// Where it is in b.
    pub b_place: TextPlace,
    /// The passage as a has it.
    pub text: String,
}

/// A passage at so many places that its pairs are not reported one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrequentPassage {
    /// The number of this passage, from 0, by which its places are named.
    pub passage: u64,
    /// The number of tokens.
    pub tokens: u32,
    /// How many documents have it.
    pub documents: u32,
    /// At how many places it is. Where several overlap, as in a periodic text, each counts.
    pub places: u64,
    /// The number of the first document that has it.
    pub document: u32,
    /// Where it is there first.
    pub place: TextPlace,
    /// The passage as the first document has it.
    pub text: String,
}

/// One place of a [`FrequentPassage`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrequentPlace {
    /// The number of the passage.
    pub passage: u64,
    /// The number of the document.
    pub document: u32,
    /// Where it is there. Places that overlap are one.
    pub place: TextPlace,
}

/// Takes what is found, in order: first all passages of two documents, by the numbers of the documents and then by
/// their places; then frequent passages by their first places, each after its own places.
pub trait PassageSink<E> {
    /// Takes a passage that two documents share.
    ///
    /// # Errors
    /// The sink's own, which ends the search.
    fn shared(&mut self, passage: SharedPassage) -> Result<(), E>;

    /// Takes a place of the frequent passage that comes next.
    ///
    /// # Errors
    /// The sink's own, which ends the search.
    fn place(&mut self, place: FrequentPlace) -> Result<(), E>;

    /// Takes a frequent passage.
    ///
    /// # Errors
    /// The sink's own, which ends the search.
    fn frequent(&mut self, passage: FrequentPassage) -> Result<(), E>;
}

/// All that is found, in memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PassageLists {
    /// Passages of two documents.
    pub shared: Vec<SharedPassage>,
    /// Frequent passages.
    pub frequent: Vec<FrequentPassage>,
    /// Their places.
    pub places: Vec<FrequentPlace>,
}

impl<E> PassageSink<E> for PassageLists {
    fn shared(&mut self, passage: SharedPassage) -> Result<(), E> {
        self.shared.push(passage);
        Ok(())
    }

    fn place(&mut self, place: FrequentPlace) -> Result<(), E> {
        self.places.push(place);
        Ok(())
    }

    fn frequent(&mut self, passage: FrequentPassage) -> Result<(), E> {
        self.frequent.push(passage);
        Ok(())
    }
}

/// What a search did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PassageCounts {
    /// Documents.
    pub documents: u32,
    /// Tokens of all of them.
    pub tokens: u64,
    /// Anchors that were sorted.
    pub anchors: u64,
    /// Pairs of places that were compared on their tokens, or lay within a run that was.
    pub candidates: u64,
    /// Passages of two documents.
    pub shared: u64,
    /// Frequent passages.
    pub frequent: u64,
}
