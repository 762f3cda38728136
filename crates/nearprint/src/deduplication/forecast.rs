//! What a deduplication would take, from a sample of its documents.

use std::collections::HashMap;
use std::time::Instant;

use nearprint_records::{Place, Source};

use super::Deduplication;
use crate::{Arrival, Error, Pipeline};

/// Documents that are read for it, at most.
const SAMPLE: u64 = 2_000;

/// Octets that compressed files are taken to expand to, for each of theirs.
const EXPANSION: u64 = 4;

/// Octets of a feature in memory, in a temporary file, and in the folder of a job.
const FEATURE: [f64; 3] = [16.0, 8.0, 10.7];

/// Octets noted about a document: in a temporary file, and in the folder of a job beside its features and its print.
const NOTE: [f64; 2] = [120.0, 600.0];

/// What to expect. All of it but the sample is an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeduplicationForecast {
    /// Documents read for the estimate.
    pub sample: u64,
    /// Documents in all: counted where the sample is all.
    pub documents: u64,
    /// Seconds to read, extract and fingerprint them all, at the speed of the sample.
    pub seconds: f64,
    /// Octets of memory that prints, notes and the search take, beside the features.
    pub memory: u64,
    /// Octets of features that are in memory, at most a quarter of what is allowed.
    pub features_in_memory: u64,
    /// Octets of temporary files.
    pub temporary: u64,
    /// Octets of the folder of a job, where there is one.
    pub job: u64,
}

impl Deduplication {
    /// Reads a sample of a source and estimates what all of it takes with so much memory. `files` are the lengths of the files named,
    /// by their escaped paths.
    ///
    /// # Errors
    /// None: documents that fail count as they would.
    pub fn forecast(
        &self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        files: &HashMap<Box<str>, u64>,
        memory: u64,
    ) -> Result<DeduplicationForecast, Error> {
        let begun = Instant::now();
        let (mut sample, mut features) = (0u64, 0u64);
        let mut some = std::iter::from_fn(|| source.next_document()).take(SAMPLE as usize + 1);
        let mut seen: HashMap<Box<str>, u64> = HashMap::new();
        pipeline.fingerprint_each(
            &mut some,
            |text| self.features(text).len() as u64,
            |record, found, Arrival { octets, .. }| {
                sample += 1;
                // One more than the sample says that there is more.
                if sample <= SAMPLE {
                    features += found.unwrap_or(0);
                    let place = record.place;
                    let length = files.get(&place.file).copied().unwrap_or(octets);
                    let read = seen.entry(place.file.clone()).or_insert(0);
                    *read = read_of(&place, *read, octets, length);
                }
                Ok::<_, Error>(())
            },
        )?;
        let is_all = sample <= SAMPLE;
        let sample = sample.min(SAMPLE);
        let read: u64 = seen.values().sum();
        let total: u64 = files.values().sum();
        let times = if is_all { 1.0 } else { (total as f64 / read.max(1) as f64).max(1.0) };
        let documents = sample as f64 * times;
        let features = features as f64 * times;
        let held = (features * FEATURE[0]).min(memory as f64 / 4.0);
        let print = self.scheme.octets() as f64;
        Ok(DeduplicationForecast {
            sample,
            documents: documents as u64,
            seconds: begun.elapsed().as_secs_f64() * times,
            // Notes and numbers, and what the search sorts.
            memory: (documents * (print + 60.0 + 28.0)) as u64,
            features_in_memory: held as u64,
            temporary: (documents * NOTE[0] + (features - held / FEATURE[0]) * FEATURE[1]) as u64,
            job: (documents * (NOTE[1] + print * 1.6) + features * FEATURE[2]) as u64,
        })
    }
}

/// Octets of a file of `length` that were read when a document of it was, by its place; `before` were when the one before it was.
fn read_of(place: &Place, before: u64, octets: u64, length: u64) -> u64 {
    let read = match (place.offset, place.length, &place.wrapper) {
        (Some(offset), Some(long), None) => offset + long,
        (Some(offset), Some(long), Some(_)) => (offset + long) / EXPANSION,
        // Rows of tables that are compressed by columns.
        _ if place.row.is_some() => before + octets.div_ceil(EXPANSION),
        _ => length,
    };
    read.clamp(before, length.max(before))
}

#[cfg(test)]
mod tests {
    use nearprint_records::{Content, Document, DocumentId, ErrorRecord};

    use super::*;
    use crate::Settings;

    /// So many lines of a file of 100 octets each.
    fn lines(count: u64) -> impl Iterator<Item = Result<Document, ErrorRecord>> {
        (0..count).map(|number| {
            let id = DocumentId::new(format!("{number}")).unwrap();
            let place = Place {
                file: "rows".into(),
                offset: Some(number * 100),
                length: Some(100),
                ..Place::default()
            };
            let text: String = (0..12).map(|word| format!("w{} ", number * 7 + word)).collect();
            Ok(Document::new(id, place, Content::Text(text)))
        })
    }

    #[test]
    fn what_is_not_read_is_estimated_and_what_is_read_is_counted() {
        let settings = Deduplication::default();
        let pipeline = Pipeline::new(Settings { scheme: settings.scheme, ..Settings::default() });
        let forecast = |count: u64| {
            let files = HashMap::from([("rows".into(), count * 100)]);
            settings.forecast(&pipeline, &mut lines(count), &files, 1 << 30).unwrap()
        };
        let small = forecast(40);
        assert_eq!((small.sample, small.documents, small.temporary), (40, 40, 40 * 120));
        assert_eq!(small.features_in_memory, 40 * 10 * 16);
        let large = forecast(100_000);
        assert_eq!((large.sample, large.documents), (SAMPLE, 100_000));
        assert!(large.memory > 100_000 * 256 && large.job > large.temporary);
        assert_eq!(forecast(0).documents, 0);
    }

    #[test]
    fn octets_read_follow_from_places() {
        let place = |offset, wrapper: Option<&str>, row| Place {
            offset,
            length: offset.map(|_| 10),
            wrapper: wrapper.map(Into::into),
            row,
            ..Place::default()
        };
        assert_eq!(read_of(&place(None, None, None), 0, 50, 60), 60);
        assert_eq!(read_of(&place(Some(30), None, None), 20, 50, 60), 40);
        assert_eq!(read_of(&place(Some(30), Some("gzip"), None), 0, 50, 60), 10);
        assert_eq!(read_of(&place(None, None, Some(3)), 20, 50, 600), 33);
        assert_eq!(read_of(&place(Some(90), None, None), 20, 50, 60), 60);
    }
}
