//! Which candidates a verification takes: scheme, distance and bands, chosen from the measure and the threshold.
//!
//! Fingerprints propose pairs and texts decide. So candidates must include what verification would confirm, and should
//! include little else. Where the sketch estimates the similarity that is asked for (md1 and Jaccard), both follow from
//! the threshold. A part of a long document shares little of the whole: its Jaccard similarity falls with the length of
//! the whole, so for containment one common position is enough, and the share that is found depends on how much longer
//! the whole is. Every door of the library takes its candidates from here.

use std::fmt;

use nearprint_fingerprint::{Family, Scheme};
use nearprint_search::{Bands, Measure, SKETCH_POSITIONS};

use crate::text::text_measure::ProposedBy;
use crate::{Search, TextVerification, Verification};

/// Positions of a sketch, as a number of 32 bits.
const POSITIONS: u32 = SKETCH_POSITIONS as u32;

/// Of the pairs at the threshold, the share that bands should propose.
const WANTED: f64 = 0.9995;

/// The share that is enough where more would take bands of a single row, which propose pairs that share one phrase.
const ENOUGH: f64 = 0.99;

/// Standard errors by which the estimate of a sketch may lie below the threshold.
const ERRORS: f64 = 4.0;

/// Positions beyond the loose distance of a scheme whose sketches do not estimate the measure: about three standard
/// errors.
const BEYOND_LOOSE: u32 = 16;

/// The shares of parts for which it is stated how long the whole may be.
const PARTS: [f64; 2] = [0.95, 0.5];

/// How the candidates of a verification are found, and which share of what it would confirm they include.
///
/// ```
/// use nearprint::{Candidates, Verification, search::Measure};
///
/// let candidates = Candidates::of(Verification::new(Measure::Jaccard));
/// assert_eq!(candidates.scheme().id(), "md1");
/// assert!(candidates.share().unwrap() > 0.997); // of pairs whose similarity is 0.3
///
/// let parts = Candidates::of(Verification::new(Measure::Containment));
/// assert_eq!(parts.share(), None); // it depends on how much longer the other document is
/// assert!(parts.share_of_parts(30.0).unwrap() > 0.95);
/// assert!(parts.share_of_parts(100.0).unwrap() < 0.65);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidates {
    verification: Verification,
    scheme: Scheme,
    distance: u32,
    known: RecallBasis,
    /// The bands that suit the measure and the threshold.
    bands: Option<Bands>,
    /// Those that the caller asked for.
    asked: Option<Bands>,
    recall: Option<f64>,
    /// What decides instead of the verification, where whole texts are measured.
    texts: Option<TextVerification>,
}

/// What the distance of two fingerprints says about the similarity that is verified.
#[derive(Debug, Clone, Copy, PartialEq)]
enum RecallBasis {
    /// The sketch estimates it.
    Similarity,
    /// The sketch estimates the Jaccard similarity, of which containment is a part that depends on the lengths.
    Parts,
    /// Nothing that can be calculated.
    Nothing,
}

impl Candidates {
    /// The candidates of a verification by the scheme that suits it: `md1`.
    #[must_use]
    pub fn of(verification: Verification) -> Self {
        Self::by(Scheme::MD1, verification)
    }

    /// The candidates by fingerprints of this scheme. Where these say nothing about the measure, they are what the
    /// scheme itself takes for a match: of simhashes within its default distance, of sketches somewhat beyond its loose
    /// one.
    ///
    /// # Panics
    /// Never: single rows always fit into a sketch.
    #[must_use]
    pub fn by(scheme: Scheme, verification: Verification) -> Self {
        let at = verification.at_least();
        let chosen = |distance, known, bands| Self {
            verification,
            scheme,
            distance,
            known,
            bands,
            asked: None,
            recall: None,
            texts: None,
        };
        if scheme.family() != Family::Sketch {
            return chosen(scheme.default_distance(), RecallBasis::Nothing, None);
        }
        match verification.measure() {
            Measure::Jaccard if scheme == Scheme::MD1 => {
                chosen(distance_at(at), RecallBasis::Similarity, Some(bands_at(at)))
            }
            Measure::Containment if scheme == Scheme::MD1 => {
                // Bands of one row, which find the most.
                let single = Bands::finding(0.0, 1.0);
                chosen(POSITIONS - 1, RecallBasis::Parts, Some(single))
            }
            _ => {
                let distance = (scheme.loose() + BEYOND_LOOSE).min(scheme.positions());
                chosen(distance, RecallBasis::Nothing, None)
            }
        }
    }

    /// The candidates of a verification by a measure of whole texts, by the scheme that suits it: `wd1`, which compares
    /// words without their order, for measures of words alone, else `md1`.
    ///
    /// Which share of the pairs they include is known for the Jaccard similarity and the containment of word
    /// 3-shingles only. By another measure a pair may be similar whose sketches have nothing in common.
    #[must_use]
    pub fn of_texts(verification: TextVerification) -> Self {
        let scheme = match verification.measure().proposed_by() {
            ProposedBy::Words => Scheme::WD1,
            _ => Scheme::MD1,
        };
        Self::by_texts(scheme, verification)
    }

    /// The same by fingerprints of this scheme.
    #[must_use]
    pub fn by_texts(scheme: Scheme, verification: TextVerification) -> Self {
        let at = verification.at_least();
        let by = |measure| Self::by(scheme, Verification::new(measure).at(at));
        let proposed = match verification.measure().proposed_by() {
            ProposedBy::Shingles => by(Measure::Jaccard),
            ProposedBy::Parts { known: true } => by(Measure::Containment),
            ProposedBy::Parts { known: false } => {
                Self { known: RecallBasis::Nothing, ..by(Measure::Containment) }
            }
            ProposedBy::Words | ProposedBy::Order => {
                // Sketches of pairs that are little alike, if such are asked for.
                let proposed = by(Measure::Cosine);
                let is_near = proposed.distance >= distance_at(at);
                match scheme.family() {
                    Family::Sketch if !is_near => {
                        let distance = distance_at(at).min(POSITIONS - 1);
                        Self { distance, bands: Some(bands_at(at)), ..proposed }
                    }
                    _ => proposed,
                }
            }
        };
        Self { texts: Some(verification), ..proposed }
    }

    /// What decides about the texts as a whole, where that is what is verified.
    #[must_use]
    pub fn texts(&self) -> Option<TextVerification> {
        self.texts
    }

    /// Takes what is within this distance instead; the bands are then those of a search within it. `None` changes
    /// nothing.
    #[must_use]
    pub fn within(self, distance: Option<u32>) -> Self {
        match distance {
            Some(distance) => Self { distance, known: RecallBasis::Nothing, bands: None, ..self },
            None => self,
        }
    }

    /// Takes these bands instead. `None` changes nothing.
    #[must_use]
    pub fn bands(self, bands: Option<Bands>) -> Self {
        Self { asked: bands.or(self.asked), ..self }
    }

    /// Takes the bands that cost least among those that find this share of the pairs at the threshold, or where nothing
    /// is known of that, of the pairs just within the distance. `None` changes nothing, nor does any share where
    /// [`bands`](Self::bands) are given.
    #[must_use]
    pub fn recall(self, share: Option<f64>) -> Self {
        Self { recall: share.or(self.recall), ..self }
    }

    /// The scheme of the fingerprints.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The distance within which a pair is a candidate.
    #[must_use]
    pub fn distance(&self) -> u32 {
        self.distance
    }

    /// The bands that sketches are divided into; `None` where the search chooses them by the documents at hand.
    #[must_use]
    pub fn used_bands(&self) -> Option<Bands> {
        match self.recall {
            Some(_) => self.asked,
            None => self.asked.or(self.bands),
        }
    }

    /// What candidates must show.
    #[must_use]
    pub fn verification(&self) -> Verification {
        self.verification
    }

    /// The search that finds them, with bounds and watches to be set as wanted.
    #[must_use]
    pub fn search<'w>(&self) -> Search<'w> {
        let search = Search::within(self.distance)
            .proposed_bands(self.bands)
            .bands(self.asked)
            .recall(self.recall);
        match self.known {
            RecallBasis::Similarity => search.recall_at(self.verification.at_least()),
            _ => search,
        }
    }

    /// The search for what matches one document, whose text is compared with every other: unless a distance or a scheme
    /// was chosen, nothing is left out for its fingerprint.
    #[must_use]
    pub fn search_of_one<'w>(&self) -> Search<'w> {
        match self.known {
            RecallBasis::Nothing => self.search(),
            _ => Search::within(POSITIONS),
        }
    }

    /// At least this share, 0 to 1, of the pairs whose similarity is the threshold become candidates, and more of those
    /// above; `None` where it depends on the documents ([`share_of_parts`](Self::share_of_parts)) or is not known.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.known == RecallBasis::Similarity).then(|| self.share_at(self.verification.at_least()))
    }

    /// At least this share, 0 to 1, of the documents of which a part as large as the threshold is in a document so many
    /// `times` as long become candidates with it; `None` for other measures than containment, and where it is not
    /// known.
    #[must_use]
    pub fn share_of_parts(&self, times: f64) -> Option<f64> {
        let at = self.verification.at_least();
        // A part of n elements of which at * n are among the times * n of the whole.
        let jaccard = at / (1.0 + times.max(1.0) - at);
        (self.known == RecallBasis::Parts).then(|| self.share_at(jaccard))
    }

    /// How many times as long as its part the whole may be for this share of such parts to become candidates; `None` as
    /// for [`share_of_parts`](Self::share_of_parts).
    #[must_use]
    pub fn longest_whole(&self, share: f64) -> Option<f64> {
        let (at, bands) = (self.verification.at_least(), self.asked.or(self.bands)?);
        let band = 1.0 - (1.0 - share).powf(1.0 / f64::from(bands.bands()));
        let jaccard = band.powf(1.0 / f64::from(bands.rows()));
        (self.known == RecallBasis::Parts).then(|| (at / jaccard + at - 1.0).max(1.0))
    }

    /// The share of pairs of this Jaccard similarity: those that bands find less those that the distance leaves out.
    fn share_at(&self, jaccard: f64) -> f64 {
        let found = match (self.asked, self.recall, self.bands) {
            (Some(bands), ..) => bands.chance(jaccard),
            // No bands find more than those of one row.
            (None, Some(recall), _) if self.known == RecallBasis::Similarity => {
                recall.min(Bands::finding(0.0, 1.0).chance(jaccard))
            }
            (None, _, Some(bands)) => bands.chance(jaccard),
            (None, _, None) => 0.0,
        };
        (found - beyond(self.distance, jaccard)).max(0.0)
    }
}

/// For a person to read: which share of what verification confirms the candidates include; empty where it is not known.
impl fmt::Display for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.verification.at_least();
        let measure = match self.texts {
            Some(texts) => texts.measure().name(),
            None => self.verification.measure().name(),
        };
        if let Some(share) = self.share() {
            return write!(f, "candidates include {} of pairs with {measure} {at}", Percent(share));
        }
        let [Some(most), Some(half)] = PARTS.map(|share| self.longest_whole(share)) else {
            return match self.texts {
                Some(_) => write!(
                    f,
                    "it is not known which share of all pairs with {measure} {at} are candidates"
                ),
                None => Ok(()),
            };
        };
        write!(
            f,
            "candidates include {} of parts ({measure} {at}) of documents {:.0} times as long, {} of documents {:.0} times as long",
            Percent(PARTS[0]),
            most.floor(),
            Percent(PARTS[1]),
            half.floor()
        )
    }
}

/// A share as per cent, never more than it is.
struct Percent(f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is exact but for the last bit of the number stays so; only what includes all is 100 %.
        let tenths = (self.0 * 1000.0 + 1e-9).floor();
        let tenths = if self.0 < 1.0 { tenths.min(999.0) } else { tenths };
        write!(f, "{} %", tenths / 10.0)
    }
}

/// The distance within which the sketches of nearly all pairs of this similarity lie.
fn distance_at(similarity: f64) -> u32 {
    let positions = f64::from(POSITIONS);
    let mean = positions * (1.0 - similarity);
    let deviation = (positions * similarity * (1.0 - similarity)).sqrt();
    (mean + ERRORS * deviation).ceil().clamp(0.0, positions) as u32
}

/// The bands of most rows, so of fewest candidates, that find nearly all pairs of this similarity.
fn bands_at(similarity: f64) -> Bands {
    let double = Bands::new(POSITIONS / 2, 2).expect("they fit into a sketch");
    match Bands::finding(similarity, WANTED) {
        single if single.rows() == 1 && double.chance(similarity) >= ENOUGH => double,
        bands => bands,
    }
}

/// The probability that sketches of documents of this similarity differ in more positions than the distance.
fn beyond(distance: u32, similarity: f64) -> f64 {
    // Sketches that agree in one position at least, as those that bands find do, are within every greater distance.
    if distance >= POSITIONS - 1 {
        return 0.0;
    }
    let (agree, differ) = (similarity.clamp(0.0, 1.0), 1.0 - similarity.clamp(0.0, 1.0));
    // The chance of agreeing in so many positions, from none on; all of them are less than what the distance asks for.
    let mut choices = 1.0;
    (0..POSITIONS - distance)
        .map(|agreeing| {
            let rest = POSITIONS - agreeing;
            let chance = choices * agree.powi(agreeing as i32) * differ.powi(rest as i32);
            choices *= f64::from(rest) / f64::from(agreeing + 1);
            chance
        })
        .sum()
}

#[cfg(test)]
mod tests;
