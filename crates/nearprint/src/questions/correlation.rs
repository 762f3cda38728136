//! How well distances of fingerprints tell the exact similarity of texts: measured on all pairs of a sample.

use nearprint_fingerprint::{Family, Fingerprint, Scheme, fingerprint};
use nearprint_records::{DocumentId, PairRow};
use nearprint_search::tasks;

use crate::questions::calibration::{Draw, Edit};
use crate::text::text_measure::{MOST_STEPS_OF_MANY, SeenText};
use crate::{Error, TextSimilarity, TextVerification};

/// Classes of similarity, of equal width.
pub(crate) const CLASSES: usize = 50;

/// Documents of a collection, all pairs of which are compared by their fingerprints and by their texts.
///
/// ```
/// use nearprint::fingerprint::Scheme;
/// use nearprint::records::DocumentId;
/// use nearprint::{Correlation, Error, TextVerification};
///
/// let mut correlation = Correlation::new(7);
/// for (id, text) in [("a", "fog at noon"), ("b", "fog at night"), ("c", "rain in May")] {
///     correlation.push(DocumentId::new(id).expect("short and plain"), text.to_owned());
/// }
/// let cosine = TextVerification::new("cosine-tf".parse()?);
/// let mut rows = Vec::new();
/// let found = correlation.measure(Scheme::SD1, cosine, |row| Ok::<_, Error>(rows.push(row)))?;
/// assert_eq!((found.documents(), found.pairs()), (3, 3));
/// assert_eq!(rows[0].similarity, Some(2.0 / 3.0));
/// assert!(rows[0].distance < rows[1].distance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Correlation {
    draw: Draw,
    most: usize,
    planted: bool,
    seen: usize,
    sample: Vec<SampleText>,
}

#[derive(Debug)]
struct SampleText {
    /// Its number among all documents.
    number: usize,
    id: DocumentId,
    text: String,
}

/// What is compared of a text.
struct SampleDocument {
    id: DocumentId,
    print: Fingerprint,
    seen: SeenText,
}

impl Correlation {
    /// A sample of up to 500 documents, drawn by a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { draw: Draw(seed), most: 500, planted: false, seen: 0, sample: Vec::new() }
    }

    /// Draws so many documents instead; at least two are.
    #[must_use]
    pub fn sample(self, most: usize) -> Self {
        Self { most: most.max(2), ..self }
    }

    /// Also compares each document with edited copies of it, for collections with few near-duplicates: the edits of
    /// [`Calibration`](crate::Calibration).
    #[must_use]
    pub fn planted(self, planted: bool) -> Self {
        Self { planted, ..self }
    }

    /// Offers a document to the sample, into which every one comes with the same probability (J. Vitter's algorithm R,
    /// 1985).
    pub fn push(&mut self, id: DocumentId, text: String) {
        let sampled = SampleText { number: self.seen, id, text };
        self.seen += 1;
        if self.sample.len() < self.most {
            self.sample.push(sampled);
        } else if let Some(place) = self.sample.get_mut(self.draw.below(self.seen)) {
            *place = sampled;
        }
    }

    /// Compares all pairs, in the order of the input, then documents with their edited copies. A row has the similarity
    /// that the fingerprints estimate and that of the texts. Documents without a fingerprint are left out, and pairs
    /// whose edit distance takes too much work have no row.
    ///
    /// O(n^2) comparisons for n documents, in the current rayon pool. The threshold of the verification only decides
    /// which pairs [`CorrelationResult`] counts as similar.
    ///
    /// # Errors
    /// The first one of `take`, which ends it.
    pub fn measure<E: From<Error>>(
        mut self,
        scheme: Scheme,
        verification: TextVerification,
        mut take: impl FnMut(PairRow) -> Result<(), E>,
    ) -> Result<CorrelationResult, E> {
        self.sample.sort_unstable_by_key(|sampled| sampled.number);
        let compared = |id: &DocumentId, text: &str| {
            let print = fingerprint(scheme, text).into_fingerprint()?;
            Some(SampleDocument { id: id.clone(), print, seen: verification.seen(text) })
        };
        let all: Vec<Option<SampleDocument>> =
            tasks::map(self.sample.iter().collect(), |one| compared(&one.id, &one.text));
        let documents = all.iter().flatten().count();
        let mut correlated = CorrelationResult::new(scheme, verification, documents as u64);
        let mut add = |one: &SampleDocument, others: &[&SampleDocument]| -> Result<(), E> {
            let rows: Vec<Option<(u32, f64)>> =
                tasks::map(others.to_vec(), |other| measured(verification, one, other));
            for (other, row) in others.iter().zip(rows) {
                let Some((distance, similarity)) = row else {
                    correlated.open += 1;
                    continue;
                };
                correlated.add(distance, similarity);
                let (a, b) = (one.id.clone(), other.id.clone());
                let mut row = PairRow::new(a, b, distance, correlated.estimate(distance));
                row.measure = Some(verification.measure().name());
                row.similarity = Some(similarity);
                take(row)?;
            }
            Ok(())
        };
        let kept: Vec<&SampleDocument> = all.iter().flatten().collect();
        for (at, one) in kept.iter().enumerate() {
            add(one, &kept[at + 1..])?;
        }
        if self.planted {
            let count = self.sample.len();
            for (at, one) in all.iter().enumerate() {
                let Some(one) = one else { continue };
                let mut edited = Vec::new();
                for edit in Edit::ALL {
                    let other = (at + 1 + self.draw.below(count.max(2) - 1)) % count;
                    let (text, other) = (&self.sample[at].text, &self.sample[other].text);
                    let copy = edit.of(text, other, &mut self.draw);
                    // An id that is too long with this ending has no copies.
                    let id = DocumentId::new(format!("{}#{}", one.id, edit.name())).ok();
                    edited.extend(id.and_then(|id| compared(&id, &copy)));
                }
                add(one, &edited.iter().collect::<Vec<_>>())?;
            }
        }
        Ok(correlated)
    }
}

/// Distance and similarity of two documents, unless the bound on work left them open.
fn measured(
    verification: TextVerification,
    one: &SampleDocument,
    other: &SampleDocument,
) -> Option<(u32, f64)> {
    let distance = one.print.distance(&other.print).ok()?;
    let measure = verification.measure();
    match measure.between(&one.seen, &other.seen, 0.0, MOST_STEPS_OF_MANY) {
        TextSimilarity::Exact(similarity) => Some((distance, similarity)),
        TextSimilarity::Below(_) => None,
    }
}

/// What the pairs of a sample say about a scheme and a measure.
#[derive(Debug, Clone)]
pub struct CorrelationResult {
    scheme: Scheme,
    verification: TextVerification,
    documents: u64,
    open: u64,
    at: Vec<AtDistance>,
    sums: Sums,
}

/// The pairs at a distance.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AtDistance {
    /// Bits or positions that differ.
    pub distance: u32,
    /// Pairs.
    pub pairs: u64,
    /// Those of them that are as similar as is demanded.
    pub similar: u64,
    /// The least similarity.
    pub least: f64,
    /// The mean similarity.
    pub mean: f64,
    /// The greatest similarity.
    pub most: f64,
    /// Pairs by similarity: 50 classes of 0.02, the last with 1 in it.
    pub(crate) classes: [u64; CLASSES],
}

/// Sums over pairs, of estimates x and similarities y.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl CorrelationResult {
    fn new(scheme: Scheme, verification: TextVerification, documents: u64) -> Self {
        let at = |distance| AtDistance {
            distance,
            pairs: 0,
            similar: 0,
            least: 1.0,
            mean: 0.0,
            most: 0.0,
            classes: [0; CLASSES],
        };
        let at = (0..=scheme.positions()).map(at).collect();
        Self { scheme, verification, documents, open: 0, at, sums: Sums::default() }
    }

    fn add(&mut self, distance: u32, similarity: f64) {
        let (x, y) = (self.estimate(distance), similarity);
        self.sums.x += x;
        self.sums.y += y;
        self.sums.xx += x * x;
        self.sums.yy += y * y;
        self.sums.xy += x * y;
        let at = &mut self.at[distance as usize];
        at.pairs += 1;
        at.similar += u64::from(y >= self.verification.at_least());
        at.least = at.least.min(y);
        at.most = at.most.max(y);
        at.mean += (y - at.mean) / at.pairs as f64;
        at.classes[((y * CLASSES as f64) as usize).min(CLASSES - 1)] += 1;
    }

    /// The similarity that fingerprints at a distance stand for, 1 - distance/positions.
    pub(crate) fn estimate(&self, distance: u32) -> f64 {
        1.0 - f64::from(distance) / f64::from(self.scheme.positions())
    }

    /// The similarity of texts that a distance estimates, if the scheme's method says so: the cosine of the weights
    /// that a simhash adds up (M. Charikar 2002), for sketches the Jaccard similarity of their elements.
    #[must_use]
    pub fn expected(&self, distance: u32) -> f64 {
        let share = 1.0 - self.estimate(distance);
        match self.scheme.family() {
            Family::Sketch => 1.0 - share,
            _ => (std::f64::consts::PI * share).cos().max(0.0),
        }
    }

    /// The scheme of the fingerprints.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The measure of the texts, and the similarity from which pairs are similar.
    #[must_use]
    pub fn verification(&self) -> TextVerification {
        self.verification
    }

    /// Documents compared.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Pairs compared.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.at.iter().map(|at| at.pairs).sum()
    }

    /// Pairs whose edit distance was left open.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.open
    }

    /// The pairs by distance, without distances that have none.
    pub fn by_distance(&self) -> impl Iterator<Item = &AtDistance> {
        self.at.iter().filter(|at| at.pairs > 0)
    }

    /// The correlation of estimated and exact similarity, -1 to 1 (K. Pearson); `None` where one of them is the same
    /// for all pairs.
    #[must_use]
    pub fn coefficient(&self) -> Option<f64> {
        let (n, Sums { x, y, xx, yy, xy }) = (self.pairs() as f64, self.sums);
        let spread = |sum: f64, squares: f64| n * squares - sum * sum;
        let both = spread(x, xx) * spread(y, yy);
        // What rounding leaves of no spread at all is not a spread.
        (n > 0.0 && both > 1e-9 * n * n).then(|| ((n * xy - x * y) / both.sqrt()).clamp(-1.0, 1.0))
    }

    /// Of the similar pairs, how many there are and how many lie within a distance; and how many pairs lie within it.
    #[must_use]
    pub fn within(&self, distance: u32) -> (u64, u64, u64) {
        let near = || self.at.iter().take(distance as usize + 1);
        let similar = self.at.iter().map(|at| at.similar).sum();
        (similar, near().map(|at| at.similar).sum(), near().map(|at| at.pairs).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(count: usize) -> impl Iterator<Item = (DocumentId, String)> {
        (0..count).map(|number| {
            let words =
                (0..120).map(|word| format!("w{} ", (word * (number % 7 + 1) + number) % 97));
            (DocumentId::new(number.to_string()).unwrap(), words.collect())
        })
    }

    fn measured(planted: bool, sample: usize) -> (CorrelationResult, Vec<PairRow>) {
        let mut correlation = Correlation::new(3).sample(sample).planted(planted);
        texts(20).for_each(|(id, text)| correlation.push(id, text));
        let cosine = TextVerification::new("cosine-tf".parse().unwrap());
        let mut rows = Vec::new();
        let take = |row| {
            rows.push(row);
            Ok::<_, Error>(())
        };
        (correlation.measure(Scheme::SD1, cosine, take).unwrap(), rows)
    }

    #[test]
    fn all_pairs_of_the_sample_are_compared_and_counted() {
        let (found, rows) = measured(false, 12);
        assert_eq!((found.documents(), found.pairs(), rows.len()), (12, 66, 66));
        let numbers =
            |row: &PairRow| [&row.a, &row.b].map(|id| id.as_str().parse::<u32>().unwrap());
        assert!(rows.iter().map(numbers).is_sorted());
        let similar = rows.iter().filter(|row| row.similarity >= Some(0.8));
        let near = similar.clone().filter(|row| row.distance <= 9).count() as u64;
        let within = rows.iter().filter(|row| row.distance <= 9).count() as u64;
        assert_eq!(found.within(9), (similar.count() as u64, near, within));
        for at in found.by_distance() {
            let here = rows.iter().filter(|row| row.distance == at.distance);
            let here: Vec<f64> = here.filter_map(|row| row.similarity).collect();
            assert_eq!(here.len() as u64, at.pairs);
            assert!((here.iter().sum::<f64>() / here.len() as f64 - at.mean).abs() < 1e-9);
            assert!(here.iter().all(|similarity| (at.least..=at.most).contains(similarity)));
            assert_eq!(at.classes.iter().sum::<u64>(), at.pairs);
        }
    }

    #[test]
    fn the_coefficient_is_pearsons() {
        let (found, rows) = measured(false, 20);
        let n = rows.len() as f64;
        let mean = |of: &dyn Fn(&PairRow) -> f64| rows.iter().map(of).sum::<f64>() / n;
        let (x, y) = (|row: &PairRow| row.estimate, |row: &PairRow| row.similarity.unwrap());
        let (mx, my) = (mean(&x), mean(&y));
        let covariance = mean(&|row| (x(row) - mx) * (y(row) - my));
        let variances = mean(&|row| (x(row) - mx).powi(2)) * mean(&|row| (y(row) - my).powi(2));
        let wanted = covariance / variances.sqrt();
        assert!((found.coefficient().unwrap() - wanted).abs() < 1e-9);
        assert!(wanted > 0.3, "{wanted}");
    }

    #[test]
    fn edited_copies_are_near_their_documents() {
        let (found, rows) = measured(true, 20);
        let planted: Vec<&PairRow> =
            rows.iter().filter(|row| row.b.as_str().contains('#')).collect();
        assert_eq!((planted.len(), found.pairs()), (100, 190 + 100));
        assert!(planted.iter().all(|row| row.similarity > Some(0.6)));
        let own = |row: &&PairRow| row.b.as_str().starts_with(&format!("{}#", row.a));
        assert!(planted.iter().all(own));
    }
}
