//! What a verified search would take, from a sample of its documents.

use std::path::Path;

use nearprint_fingerprint::{Family, Scheme};

use crate::engine::machine::{check_room, free_space};
use crate::input::sample::sample;
use crate::{
    Error, FeatureStore, InputSize, InputSource, MemoryShares, Pipeline, TextParts, TextRequest,
    Verification,
};

/// Bytes of memory for a document beside features and fingerprints: its id, and what the search sorts.
const EACH: f64 = 96.0;

/// Times of the sketches in memory that growing takes for a moment.
const GROWING: f64 = 3.0;

/// What to expect. All of it but the sample is an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct VerificationForecast {
    /// Documents read for the estimate.
    pub sample: u64,
    /// Documents in all: counted where the sample is all, and of tables what they say they have.
    pub documents: u64,
    /// Seconds to read, extract and fingerprint them all, at the speed of the sample.
    pub seconds: f64,
    /// Bytes of memory for features, texts, fingerprints and ids; candidates and pairs come on top.
    pub memory: u64,
    /// Bytes of temporary files.
    pub temporary: u64,
}

impl Verification {
    /// Reads the first documents of an input of this size, and estimates what all of them take where memory is divided
    /// so. Features and texts count where they have a share of it.
    ///
    /// # Errors
    /// Where temporary files cannot be made in `directory`. Documents that fail count as they would.
    pub fn forecast(
        &self,
        pipeline: &Pipeline<'_>,
        source: &mut InputSource,
        size: &InputSize,
        shares: MemoryShares,
        directory: &Path,
    ) -> Result<VerificationForecast, Error> {
        let scheme = pipeline.settings().scheme;
        let mut store = FeatureStore::new(shares.features()).in_directory(directory.to_owned());
        let (mut prints, mut texts) = (0u64, 0u64);
        let wanted = TextRequest { text: true, ..(*self).into() };
        let estimate = sample(pipeline, source, size, &wanted, |_, made, _| {
            if let Some(TextParts { features: Some(features), text: Some(text), .. }) = made {
                prints += 1;
                texts += text.len() as u64;
                store.push_packed(&features).map_err(Error::TemporaryFile)?;
            }
            Ok::<_, Error>(())
        })?;
        let times = estimate.times();
        let of_all = |part: u64| part as f64 * times;
        let (features, places) = store.bytes_and_places();
        let mut room = Room::default();
        if shares.features() > 0 {
            room.add(of_all(features), of_all(places), shares.features());
        }
        if shares.texts() > 0 {
            room.add(of_all(texts), of_all(prints) * size_of::<u64>() as f64, shares.texts());
        }
        room.add_prints(scheme, of_all(prints), shares.set(1));
        Ok(VerificationForecast {
            sample: estimate.sample,
            documents: estimate.documents as u64,
            seconds: estimate.seconds,
            memory: (room.memory + of_all(prints) * EACH) as u64,
            temporary: room.temporary as u64,
        })
    }
}

impl VerificationForecast {
    /// Refuses what would not fit on the disk of the temporary files.
    ///
    /// # Errors
    /// [`Error::NoRoom`] where `directory` has less room than the temporary files take.
    pub fn check_room(&self, directory: &Path) -> Result<(), Error> {
        check_room(directory, self.temporary, free_space(directory))
    }
}

/// What is in memory and what in temporary files, in bytes.
#[derive(Debug, Default)]
struct Room {
    memory: f64,
    temporary: f64,
}

impl Room {
    /// A store that keeps so much, with so much beside it in memory, within a share of memory.
    fn add(&mut self, kept: f64, beside: f64, share: u64) {
        let share = share as f64;
        let held = match kept + beside <= share {
            true => kept,
            // Whole documents are held from the first on, while their places fit too.
            false => share * kept / (kept + beside),
        };
        self.memory += held + beside;
        self.temporary += kept - held;
    }

    /// So many fingerprints; sketches beyond their share are in a file, all of them.
    fn add_prints(&mut self, scheme: Scheme, prints: f64, share: u64) {
        let bytes = prints * scheme.bytes() as f64;
        match scheme.family() == Family::Sketch && bytes * GROWING > share as f64 {
            true => self.temporary += bytes,
            false => self.memory += bytes,
        }
    }
}
