//! Which scheme, distance and verification suit a user's own documents: measured on edits planted into some of them, or
//! on pairs the user has labelled.

mod edits;
mod labels;

use std::time::Instant;

use nearprint_fingerprint::{Fingerprint, Scheme, fingerprint};
use nearprint_records::{CalibrationRow, KindRow};
use nearprint_search::{MAX_PLANNED_DISTANCE, Measure, tasks};

use crate::questions::health::wilson;
use crate::{CancelFlag, Verification};
pub(crate) use edits::{Draw, Edit};

pub use labels::{LabelledPairs, LabelsError};

/// False pairs of unverified prints that are borne: one for each hundred documents.
const BORNE: f64 = 0.01;

/// Pairs whose distances a thread takes one after the other.
const TOGETHER: usize = 4096;

/// Documents and pairs to measure on.
///
/// ```
/// use nearprint::Calibration;
///
/// let mut calibration = Calibration::new(7);
/// for number in 0..30 {
///     let words = (0..300).map(|word| format!("word{} ", word * 31 % 97 + number * 50));
///     calibration.push(words.collect());
/// }
/// let rows = calibration.measure(0.95, 30);
/// assert_eq!(rows.iter().filter(|row| row.recommended).count(), 1);
/// ```
#[derive(Debug)]
pub struct Calibration {
    draw: Draw,
    most: usize,
    seen: usize,
    texts: Vec<String>,
    /// Labelled pairs: same or different documents.
    labels: Vec<(usize, usize, bool)>,
    cancel: CancelFlag,
}

/// Two texts that should be found, by their places.
struct TruePair {
    one: usize,
    other: usize,
    kind: &'static str,
}

/// What is known of every text.
struct SchemeMeasurement {
    prints: Vec<Option<Fingerprint>>,
    microseconds: f64,
}

impl Calibration {
    /// True pairs, and labelled pairs of unlike documents, below which a recommendation is little more than a guess: of
    /// 30 pairs all of which are found, up to 11 % may be missed elsewhere (95 % interval of E. B. Wilson, 1927).
    pub const ENOUGH: u64 = 30;

    /// A calibration that draws by a seed, on a sample of up to 500 documents.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let (texts, labels, cancel) = (Vec::new(), Vec::new(), CancelFlag::new());
        Self { draw: Draw(seed), most: 500, seen: 0, texts, labels, cancel }
    }

    /// Draws so many documents instead; at least two are.
    #[must_use]
    pub fn sample(mut self, most: usize) -> Self {
        self.most = most.max(2);
        self
    }

    /// Ends [`measure`](Self::measure) where this flag is set, with the schemes measured by then.
    #[must_use]
    pub fn cancelled_by(mut self, flag: &CancelFlag) -> Self {
        self.cancel = flag.clone();
        self
    }

    /// Offers a document's text to the sample, into which every one comes with the same probability (J. Vitter's
    /// algorithm R, 1985). Gives its place while nothing is replaced, for [`label`](Self::label).
    pub fn push(&mut self, text: String) -> usize {
        self.seen += 1;
        if self.texts.len() < self.most {
            self.texts.push(text);
            return self.texts.len() - 1;
        }
        let at = self.draw.below(self.seen);
        if let Some(place) = self.texts.get_mut(at) {
            *place = text;
        }
        at
    }

    /// Says of two documents, by their places, whether they are one. Where there are labels nothing is planted.
    pub fn label(&mut self, one: usize, other: usize, same: bool) {
        self.labels.push((one, other, same));
    }

    /// Measures all schemes at their distances, unverified and verified, and marks the row to take: the first that
    /// finds `recall` of the true pairs and expects among `documents` documents no more than one false pair for each
    /// hundred of them, smaller prints first; else, of those that are verified, the one with the fewest comparisons in
    /// vain.
    ///
    /// Unlike documents are those labelled so; where nothing is labelled, all pairs of the sample but those whose texts
    /// [`Verification`] finds similar. Runs in the current rayon pool; O(n^2) for n documents of the sample, but for
    /// their reading.
    #[must_use]
    pub fn measure(mut self, recall: f64, documents: u64) -> Vec<CalibrationRow> {
        let originals = self.texts.len();
        let pairs = self.true_pairs();
        let verification = Verification::new(Measure::Jaccard);
        // Once the work is cancelled nobody sees what comes of it: it only has to end soon.
        let cancel = self.cancel.clone();
        let features = tasks::map(self.texts.iter().collect(), |text: &String| {
            verification.features(if cancel.is_cancelled() { "" } else { text })
        });
        let passes = |one: usize, other: usize| {
            !cancel.is_cancelled()
                && verification.verified(&features[one], &features[other]).is_some()
        };
        let unlike: Vec<(usize, usize)> = if self.labels.is_empty() {
            let with_later = |one: usize| {
                let later = (one + 1..originals).take_while(|_| !cancel.is_cancelled());
                let pairs = later.map(|other| (one, other));
                pairs.filter(|&(one, other)| !passes(one, other)).collect::<Vec<_>>()
            };
            tasks::map((0..originals).collect(), with_later).concat()
        } else {
            let different = self.labels.iter().filter(|label| !label.2);
            different.map(|&(one, other, _)| (one, other)).collect()
        };
        let mut rows = Vec::new();
        for scheme in Scheme::all() {
            if self.cancel.is_cancelled() {
                break;
            }
            let measured = self.measured(scheme, originals);
            let distance = |one: usize, other: usize| {
                if cancel.is_cancelled() {
                    return None;
                }
                let (one, other) =
                    (measured.prints[one].as_ref()?, measured.prints[other].as_ref()?);
                one.distance(other).ok()
            };
            let apart: Vec<Option<u32>> =
                pairs.iter().map(|pair| distance(pair.one, pair.other)).collect();
            let distances_of = |some: &[(usize, usize)]| {
                some.iter().map(|&(one, other)| distance(one, other)).collect::<Vec<_>>()
            };
            let by_chance: Vec<Option<u32>> =
                tasks::map(unlike.chunks(TOGETHER).collect(), distances_of).concat();
            if cancel.is_cancelled() {
                break;
            }
            for k in distances(scheme, &apart, recall) {
                for verified in [false, true] {
                    if cancel.is_cancelled() {
                        break;
                    }
                    let found: Vec<bool> = pairs
                        .iter()
                        .zip(&apart)
                        .map(|(pair, apart)| {
                            apart.is_some_and(|apart| apart <= k)
                                && (!verified || passes(pair.one, pair.other))
                        })
                        .collect();
                    let within =
                        by_chance.iter().filter(|apart| apart.is_some_and(|apart| apart <= k));
                    let chance = (within.count() as u64, by_chance.len() as u64);
                    let measure = verified.then(|| verification.measure().name());
                    rows.push(row(
                        &pairs,
                        &found,
                        chance,
                        documents,
                        (scheme, k, measure, measured.microseconds),
                    ));
                }
            }
        }
        recommend(&mut rows, recall, documents);
        rows
    }

    /// The labelled pairs, or edited texts planted behind the originals.
    fn true_pairs(&mut self) -> Vec<TruePair> {
        if !self.labels.is_empty() {
            let same = self.labels.iter().filter(|label| label.2);
            return same
                .map(|&(one, other, _)| TruePair { one, other, kind: "labelled" })
                .collect();
        }
        let mut pairs = Vec::new();
        let originals = self.texts.len();
        for one in 0..originals {
            if self.cancel.is_cancelled() {
                break;
            }
            for edit in Edit::ALL {
                let other =
                    &self.texts[(one + 1 + self.draw.below(originals.max(2) - 1)) % originals];
                let edited = edit.of(&self.texts[one], other, &mut self.draw);
                pairs.push(TruePair { one, other: self.texts.len(), kind: edit.name() });
                self.texts.push(edited);
            }
        }
        pairs
    }

    fn measured(&self, scheme: Scheme, originals: usize) -> SchemeMeasurement {
        let print = |text: &String| {
            let cancelled = self.cancel.is_cancelled();
            (!cancelled).then(|| fingerprint(scheme, text).into_fingerprint()).flatten()
        };
        let begun = Instant::now();
        let mut prints: Vec<Option<Fingerprint>> =
            self.texts[..originals].iter().map(print).collect();
        let microseconds = begun.elapsed().as_secs_f64() * 1e6 / originals.max(1) as f64;
        prints.extend(tasks::map(self.texts[originals..].iter().collect(), print));
        SchemeMeasurement { prints, microseconds }
    }
}

/// The distances worth telling: the scheme's own, and the least that finds as much as is wanted.
fn distances(scheme: Scheme, apart: &[Option<u32>], recall: f64) -> Vec<u32> {
    let most = match scheme.positions() {
        64 => MAX_PLANNED_DISTANCE,
        positions => positions,
    };
    let mut sorted: Vec<u32> = apart.iter().filter_map(|&apart| apart).collect();
    sorted.sort_unstable();
    let needed = (recall * apart.len() as f64).ceil() as usize;
    let enough = needed.checked_sub(1).and_then(|last| sorted.get(last)).copied();
    let mut distances = vec![scheme.close(), scheme.default_distance(), scheme.loose()];
    distances.extend(enough.filter(|&enough| enough <= most));
    distances.sort_unstable();
    distances.dedup();
    distances
}

fn row(
    pairs: &[TruePair],
    found: &[bool],
    (chance, unlike): (u64, u64),
    documents: u64,
    (scheme, distance, measure, microseconds): (Scheme, u32, Option<&'static str>, f64),
) -> CalibrationRow {
    let share = |hits: usize, of: usize| if of > 0 { hits as f64 / of as f64 } else { 0.0 };
    let mut kinds: Vec<KindRow> = Vec::new();
    let mut hits: Vec<usize> = Vec::new();
    for (pair, &found) in pairs.iter().zip(found) {
        let at = kinds.iter().position(|kind| kind.kind == pair.kind).unwrap_or_else(|| {
            kinds.push(KindRow::new(pair.kind));
            hits.push(0);
            kinds.len() - 1
        });
        kinds[at].pairs += 1;
        hits[at] += usize::from(found);
    }
    for (kind, hits) in kinds.iter_mut().zip(hits) {
        kind.recall = share(hits, kind.pairs as usize);
    }
    let all = found.iter().filter(|&&found| found).count();
    let rate = share(chance as usize, unlike as usize);
    let possible = documents as f64 * (documents as f64 - 1.0).max(0.0) / 2.0;
    let mut row = CalibrationRow::new(scheme, distance);
    (row.measure, row.kinds, row.microseconds) = (measure, kinds, microseconds);
    row.recall = share(all, pairs.len());
    (row.recall_at_least, row.recall_at_most) = wilson(all as f64, pairs.len() as f64);
    row.chance_per_million = rate * 1e6;
    row.chance_per_million_at_most = wilson(chance as f64, unlike as f64).1 * 1e6;
    row.chance_in_set = rate * possible;
    row
}

fn recommend(rows: &mut [CalibrationRow], recall: f64, documents: u64) {
    let reaches = |row: &&mut CalibrationRow| row.recall >= recall;
    let unverified = rows
        .iter_mut()
        .filter(reaches)
        .filter(|row| row.measure.is_none() && row.chance_in_set <= BORNE * documents as f64)
        .min_by(|a, b| (a.bytes, a.distance).cmp(&(b.bytes, b.distance)));
    if let Some(row) = unverified {
        row.recommended = true;
        return;
    }
    let verified = rows.iter_mut().filter(reaches).filter(|row| row.measure.is_some());
    let fewest = verified.min_by(|a, b| {
        a.chance_per_million.total_cmp(&b.chance_per_million).then(b.recall.total_cmp(&a.recall))
    });
    match fewest {
        Some(row) => row.recommended = true,
        // Nothing finds as much as is wanted: what finds most, verified.
        None => {
            let verified = rows.iter_mut().filter(|row| row.measure.is_some());
            if let Some(row) = verified.max_by(|a, b| a.recall.total_cmp(&b.recall)) {
                row.recommended = true;
            }
        }
    }
}
