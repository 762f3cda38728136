//! The corpus of extraction profile 1 (`spec/PROFILE.md`, section 21), and how texts of another extractor agree with
//! it.

use crate::{Fingerprint, Scheme, fingerprint};

const CORPUS: &str = include_str!("../../extraction.tsv");

/// The class whose documents agree within [`ExtractionBounds::pdf`], nine in ten of them.
const PDF: &str = "pdf";

/// A document of the corpus.
#[derive(Debug, Clone)]
pub struct CorpusDocument {
    path: &'static str,
    class: &'static str,
    sd1: Fingerprint,
    md1: Fingerprint,
}

/// The bits of `sd1` within which texts agree (<=). [21.3]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtractionBounds {
    /// Of documents that are not PDF.
    pub markup: u32,
    /// Of nine in ten PDFs.
    pub pdf: u32,
}

impl Default for ExtractionBounds {
    fn default() -> Self {
        Self { markup: 3, pdf: 6 }
    }
}

/// How far a text is from the one that is expected; no distance where the text has no tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextDistance {
    /// Bits of `sd1` that differ.
    pub sd1: Option<u32>,
    /// Positions of `md1` that differ.
    pub md1: Option<u32>,
}

/// The documents of the corpus.
///
/// # Panics
/// If the embedded list is malformed, which tests exclude.
#[must_use]
pub fn corpus_documents() -> Vec<CorpusDocument> {
    let parse = |text: &str| text.parse().expect("the corpus has fingerprints");
    CORPUS
        .lines()
        .skip(1)
        .map(|line| {
            let mut columns = line.split('\t');
            let mut next = || columns.next().expect("the corpus has five columns");
            let (path, class, _tokens) = (next(), next(), next());
            CorpusDocument { path, class, sd1: parse(next()), md1: parse(next()) }
        })
        .collect()
}

impl CorpusDocument {
    /// The path of the document, relative to `spec/`.
    #[must_use]
    pub fn path(&self) -> &'static str {
        self.path
    }

    /// Its class: `html`, `xml`, `epub`, `office` or `pdf`.
    #[must_use]
    pub fn class(&self) -> &'static str {
        self.class
    }

    /// The path of its text in a folder of texts. [21.2]
    #[must_use]
    pub fn text_path(&self) -> String {
        format!("{}.txt", self.path.trim_start_matches("../"))
    }

    /// How far a text of it is from the expected one.
    #[must_use]
    pub fn distance(&self, text: &str) -> TextDistance {
        let of = |scheme, expected: &Fingerprint| {
            fingerprint(scheme, text).fingerprint()?.distance(expected).ok()
        };
        TextDistance { sd1: of(Scheme::SD1, &self.sd1), md1: of(Scheme::MD1, &self.md1) }
    }

    /// The bits of `sd1` within which its texts agree.
    #[must_use]
    pub fn bound(&self, bounds: ExtractionBounds) -> u32 {
        if self.class == PDF { bounds.pdf } else { bounds.markup }
    }
}

impl TextDistance {
    /// Whether the text agrees by `sd1`.
    #[must_use]
    pub fn is_within(self, bound: u32) -> bool {
        self.sd1.is_some_and(|distance| distance <= bound)
    }

    /// Whether the text agrees by `md1`.
    #[must_use]
    pub fn is_similar(self) -> bool {
        self.md1.is_some_and(|distance| distance <= Scheme::MD1.default_distance())
    }
}

/// The documents of one class, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassAgreement {
    /// The class.
    pub class: &'static str,
    /// Its documents in the corpus.
    pub documents: usize,
    /// Documents whose text agrees by `sd1`.
    pub within: usize,
    /// Documents whose text agrees by `md1`.
    pub similar: usize,
    /// The largest distance by `sd1` among its texts.
    pub farthest: u32,
}

impl ClassAgreement {
    /// A class without documents.
    #[must_use]
    pub fn of(class: &'static str) -> Self {
        Self { class, documents: 0, within: 0, similar: 0, farthest: 0 }
    }

    /// Adds a document; `text` is `None` where there is none.
    pub fn add(&mut self, document: &CorpusDocument, text: Option<TextDistance>, bound: u32) {
        self.documents += 1;
        let Some(distance) = text else { return };
        debug_assert_eq!(document.class, self.class);
        self.within += usize::from(distance.is_within(bound));
        self.similar += usize::from(distance.is_similar());
        self.farthest = self.farthest.max(distance.sd1.unwrap_or(Scheme::SD1.positions()));
    }

    /// Whether the class agrees with the corpus. [21.3]
    #[must_use]
    pub fn agrees(&self) -> bool {
        let enough = if self.class == PDF {
            self.within * 10 >= self.documents * 9
        } else {
            self.within == self.documents
        };
        enough && self.similar == self.documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_is_read_and_its_paths_are_inside_of_a_folder() {
        let documents = corpus_documents();
        assert!(documents.len() > 60);
        for document in &documents {
            assert!(!document.text_path().contains(".."), "{}", document.path);
            assert_eq!(document.sd1.scheme(), Scheme::SD1);
            assert_eq!(document.md1.scheme(), Scheme::MD1);
        }
    }

    #[test]
    fn nine_in_ten_pdfs_are_enough_and_all_other_documents_count() {
        let documents = corpus_documents();
        let near = TextDistance { sd1: Some(0), md1: Some(0) };
        let far = TextDistance { sd1: Some(9), md1: Some(80) };
        for (class, far_ones, agrees) in
            [("pdf", 1, true), ("pdf", 2, false), ("html", 0, true), ("html", 1, false)]
        {
            let one = documents.iter().find(|document| document.class == class).unwrap();
            let mut counted = ClassAgreement::of(one.class);
            for number in 0..10 {
                let distance = if number < far_ones { far } else { near };
                counted.add(one, Some(distance), one.bound(ExtractionBounds::default()));
            }
            assert_eq!(counted.agrees(), agrees, "{class} {far_ones}");
        }
        let one = &documents[0];
        let mut counted = ClassAgreement::of(one.class);
        counted.add(one, None, 3);
        assert!(!counted.agrees());
        counted = ClassAgreement::of(one.class);
        counted.add(one, Some(TextDistance { sd1: Some(0), md1: Some(90) }), 3);
        assert!(!counted.agrees());
    }
}
