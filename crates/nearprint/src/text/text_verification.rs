//! Verification of pairs by a measure of whole texts: the texts themselves are kept and compared.

use nearprint_fingerprint::{IdfDigest, IdfTable};

use crate::text::text_measure::{MOST_STEPS_OF_MANY, SeenText};
use crate::{TextMeasure, TextMeasureError, TextSimilarity};

/// A measure of whole texts and the similarity that it must at least give.
///
/// Unlike [`Verification`](crate::Verification) it sees no numbers, and needs the texts of all documents instead of
/// their features.
///
/// ```
/// use nearprint::TextVerification;
///
/// let edits = TextVerification::new("edit".parse()?).at(0.9);
/// assert_eq!((edits.measure().name(), edits.at_least()), ("edit", 0.9));
/// # Ok::<(), nearprint::TextMeasureError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextVerification {
    measure: TextMeasure,
    at_least: f64,
    table: Option<IdfDigest>,
}

impl TextVerification {
    /// Verification by a measure, from [`TextMeasure::DEFAULT_THRESHOLD`] on.
    #[must_use]
    pub fn new(measure: TextMeasure) -> Self {
        Self { measure, at_least: TextMeasure::DEFAULT_THRESHOLD, table: None }
    }

    /// Demands another similarity, 0 to 1.
    #[must_use]
    pub fn at(self, at_least: f64) -> Self {
        Self { at_least, ..self }
    }

    /// Takes this table of document frequencies, if the measure needs one. The process keeps it until it ends.
    ///
    /// # Errors
    /// If the table counts something else, or the process keeps hundreds of them already.
    pub fn by_table(self, table: Option<IdfTable>) -> Result<Self, TextMeasureError> {
        self.measure.check(table.as_ref())?;
        let table = table.filter(|_| self.measure.needs_table());
        let table = table.map(IdfTable::keep).transpose().map_err(TextMeasureError::Table)?;
        Ok(Self { table, ..self })
    }

    /// The measure.
    #[must_use]
    pub fn measure(&self) -> TextMeasure {
        self.measure
    }

    /// The similarity demanded (inclusive).
    #[must_use]
    pub fn at_least(&self) -> f64 {
        self.at_least
    }

    /// The table it weighs by.
    pub(crate) fn table(&self) -> Option<&'static IdfTable> {
        self.table.and_then(IdfTable::kept)
    }

    /// What is compared of a text.
    pub(crate) fn seen(&self, text: &str) -> SeenText {
        self.measure.seen(text, self.table())
    }

    /// Whether two texts pass, and by which similarity.
    pub(crate) fn judge(&self, a: &SeenText, b: &SeenText) -> Judgement {
        match self.measure.between(a, b, self.at_least, MOST_STEPS_OF_MANY) {
            TextSimilarity::Exact(similarity) if similarity >= self.at_least => {
                Judgement::Passes(similarity)
            }
            TextSimilarity::Below(bound) if bound > self.at_least => Judgement::Open,
            _ => Judgement::Fails,
        }
    }
}

/// What a comparison of two texts says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Judgement {
    Passes(f64),
    Fails,
    /// The bound on work left it open.
    Open,
}

#[cfg(test)]
mod tests {
    use nearprint_fingerprint::fingerprint;
    use nearprint_records::{Document, DocumentId, ErrorRecord, PairRow};

    use super::*;
    use crate::{
        Candidates, CollectionSettings, Engine, Error, SearchCounts, Settings, measure_texts,
    };

    /// Texts that share more or less of one another.
    fn texts() -> Vec<String> {
        let words = |from: usize, to: usize, step: usize| {
            (from..to).map(|n| format!("word{} ", n * step % 211)).collect::<String>()
        };
        vec![
            words(0, 80, 1),
            words(5, 85, 1),
            words(40, 120, 1),
            words(0, 80, 3),
            words(0, 80, 1) + &words(0, 20, 7),
            words(0, 40, 1),
        ]
    }

    fn found(verification: TextVerification, references: usize) -> (SearchCounts, Vec<PairRow>) {
        let engine = Engine::default();
        // Every pair whose sketches are equal in one position is a candidate.
        let candidates = Candidates::of_texts(verification).within(Some(128));
        let candidates = candidates.bands(Some("128x1".parse().unwrap()));
        let settings = CollectionSettings { references: references > 0, ..candidates.into() };
        let mut collection = engine.collection(settings);
        let scheme = candidates.scheme();
        let pipeline = engine.pipeline(Settings::default().scheme(scheme));
        let documents: Vec<Document> = (0..)
            .zip(texts())
            .map(|(number, text)| {
                Document::from_bytes(DocumentId::new(number.to_string()).unwrap(), text)
            })
            .collect();
        let (references, others): (Vec<_>, Vec<_>) = documents
            .into_iter()
            .partition(|document| document.id.as_str() < &*references.to_string());
        let mut others = others.into_iter().map(Ok::<_, ErrorRecord>);
        let mut references = references.into_iter().map(Ok::<_, ErrorRecord>);
        collection.read(&pipeline, &mut others, |_| Ok::<_, Error>(())).unwrap();
        if collection.settings().references {
            let ignored = |_: &_| Ok::<_, Error>(());
            collection.read_references(&pipeline, &mut references, ignored).unwrap();
        }
        let mut rows = Vec::new();
        let search = collection.search(candidates.search());
        let take = |row| {
            rows.push(row);
            Ok::<_, Error>(())
        };
        let found = collection.pairs(&search, None, take).unwrap();
        (found, rows)
    }

    #[test]
    fn pairs_are_those_that_the_measure_confirms() {
        let texts = texts();
        for measure in TextMeasure::all().filter(|measure| !measure.needs_table()) {
            let verification = TextVerification::new(measure).at(0.4);
            let mut wanted = Vec::new();
            for a in 0..texts.len() {
                for b in a + 1..texts.len() {
                    let measured = measure_texts(&texts[a], &texts[b], measure, 0.4, None);
                    if let TextSimilarity::Exact(similarity) = measured.unwrap().similarity {
                        wanted.push((a.to_string(), b.to_string(), similarity));
                    }
                }
            }
            // Sketches that are equal nowhere propose nothing.
            let scheme = Candidates::of_texts(verification).scheme();
            let print = |at: &String| {
                let text = &texts[at.parse::<usize>().unwrap()];
                fingerprint(scheme, text).into_fingerprint().unwrap()
            };
            wanted.retain(|(a, b, similarity)| {
                *similarity >= 0.4 && print(a).distance(&print(b)).unwrap() < 128
            });
            assert!(!wanted.is_empty(), "{}", measure.name());
            let (counts, rows) = found(verification, 0);
            assert_eq!((counts.found, counts.open), (wanted.len() as u64, 0));
            assert!(counts.candidates >= Some(counts.found));
            let rows = rows.iter().map(|row| {
                assert_eq!(row.measure, Some(measure.name()));
                (row.a.to_string(), row.b.to_string(), row.similarity.unwrap())
            });
            assert_eq!(rows.collect::<Vec<_>>(), wanted, "{}", measure.name());
        }
    }

    #[test]
    fn references_are_compared_with_documents_alone() {
        let verification = TextVerification::new("jaccard-words".parse().unwrap()).at(0.4);
        let (_, all) = found(verification, 0);
        let (_, rows) = found(verification, 2);
        let is_reference = |id: &DocumentId| id.as_str() < "2";
        let wanted = all.iter().filter(|row| is_reference(&row.a) != is_reference(&row.b)).count();
        assert!(wanted > 0 && rows.len() == wanted, "{} of {wanted}", rows.len());
        assert!(rows.iter().all(|row| !is_reference(&row.a) && is_reference(&row.b)));
    }

    #[test]
    fn candidates_promise_only_what_sketches_estimate() {
        for (name, scheme, known) in [
            ("jaccard-shingles-3", "md1", true),
            ("containment-shingles-3", "md1", true),
            ("jaccard-words", "wd1", false),
            ("cosine-log", "wd1", false),
            ("containment-words", "md1", false),
            ("edit", "md1", false),
        ] {
            let verification = TextVerification::new(name.parse().unwrap());
            let candidates = Candidates::of_texts(verification);
            assert_eq!(
                (candidates.scheme().id(), candidates.texts()),
                (scheme, Some(verification))
            );
            let text = candidates.to_string();
            assert_eq!(text.starts_with("candidates include"), known, "{name}: {text}");
            assert!(text.contains(&format!("{name} 0.8")), "{text}");
            // Little alike takes wide nets.
            let wide = Candidates::of_texts(verification.at(0.2));
            assert!(wide.distance() >= 110, "{name}: {}", wide.distance());
        }
    }

    #[test]
    fn a_table_is_for_the_measure_that_needs_one() {
        let tfidf = TextVerification::new("cosine-tfidf".parse().unwrap());
        assert_eq!(tfidf.by_table(None).unwrap_err(), TextMeasureError::NoTable);
        let words = "custom:words,tf,lookup3,64".parse().unwrap();
        let table = IdfTable::new(words, 9, 1, vec![]).unwrap();
        let tfidf = tfidf.by_table(Some(table.clone())).unwrap();
        let (one, other) = (tfidf.seen("fog and rain"), tfidf.seen("fog and sun"));
        assert_eq!(tfidf.judge(&one, &other), Judgement::Fails);
        assert!(matches!(tfidf.at(0.5).judge(&one, &other), Judgement::Passes(_)));
        let edit = TextVerification::new("edit".parse().unwrap()).by_table(Some(table)).unwrap();
        assert!(edit.table().is_none());
    }
}
