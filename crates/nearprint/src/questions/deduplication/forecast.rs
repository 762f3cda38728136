//! What a deduplication would take, from a sample of its documents.

use std::path::Path;

use nearprint_fingerprint::Family;
use nearprint_records::DecisionRow;

use super::Dedup;
use super::dedup_documents::features_share;
use crate::engine::machine::{check_room, free_space};
use crate::input::sample::sample;
use crate::{DoneDocument, Error, InputSize, InputSource, JobError, Pipeline, Role};

/// Bytes of memory for a document, and for a text that none before it had, beside features and prints: notes, numbers,
/// and what the search sorts.
const MEMORY: [f64; 2] = [28.0, 82.0];

/// Bytes of a document's digests in a temporary file.
const DIGESTS: f64 = 32.0;

/// Times of the sketches in memory that growing takes for a moment.
const GROWING: f64 = 3.0;

/// What to expect. All of it but the sample is an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct DeduplicationForecast {
    /// Documents read for the estimate.
    pub sample: u64,
    /// Documents in all: counted where the sample is all, and of tables what they say they have.
    pub documents: u64,
    /// Seconds to read, extract and fingerprint them all, at the speed of the sample.
    pub seconds: f64,
    /// Bytes of memory that prints, notes and the search take, beside the features.
    pub memory: u64,
    /// Bytes of features that are in memory, at most what is allowed.
    pub features_in_memory: u64,
    /// Bytes of temporary files, at most where a search of simhashes makes one of what does not fit in memory.
    pub temporary: u64,
    /// Bytes of the folder of a job, where there is one.
    pub job: u64,
}

impl Dedup {
    /// Reads the first documents of an input of this size and estimates what all of it takes of the memory and the
    /// temporary directory of the pipeline's engine. `take` gets the sample's decisions, to see what rows of them take.
    ///
    /// # Errors
    /// As [`gather`](Self::gather) and [`decide`](Self::decide), and those of `take`: documents that fail count as they
    /// would.
    pub fn forecast<E: From<Error> + From<JobError>>(
        &self,
        pipeline: &Pipeline<'_>,
        source: &mut InputSource,
        size: &InputSize,
        take: impl FnMut(DecisionRow) -> Result<(), E>,
    ) -> Result<DeduplicationForecast, E> {
        let engine = pipeline.engine();
        let (memory, whole) = (features_share(engine), engine.settings().memory);
        let mut gathered = self.gather(engine)?;
        let mut job = 0;
        let estimate = sample(pipeline, source, size, &self.wanted(), |record, made, arrival| {
            let features = made.and_then(|made| made.features);
            gathered.push(&record, features.as_ref(), Role::Candidate, arrival.clone())?;
            let done =
                DoneDocument { record, arrival, role: Role::Candidate, features, text: None };
            job += done.job_bytes().map_err(JobError::from)?;
            Ok::<_, E>(())
        })?;
        self.decide(&mut gathered, self.search())?.for_each(&mut gathered, take)?;
        let times = estimate.times();
        let (documents, texts) = (estimate.documents, gathered.distinct_texts() as f64 * times);
        let (features, places) = gathered.store.bytes_and_places();
        let (features, places) = (features as f64 * times, places as f64 * times);
        let bound = memory as f64;
        let held = if features + places <= bound {
            features
        } else {
            bound * features / (features + places)
        };
        let prints = texts * self.print_scheme().bytes() as f64;
        let are_sketches = self.print_scheme().family() == Family::Sketch;
        let [in_memory, in_file] = match are_sketches && prints * GROWING > bound {
            true => [0.0, prints],
            false => [prints, 0.0],
        };
        let notes = (gathered.log.bytes_each() + DIGESTS) * documents;
        let search = whole.saturating_sub(memory + (documents * MEMORY[0] + in_memory) as u64);
        let search = self.search().on(engine).memory(Some(search));
        let spilled = search.disk(&gathered.set, texts as u64)? as f64;
        Ok(DeduplicationForecast {
            sample: estimate.sample,
            documents: documents as u64,
            seconds: estimate.seconds,
            memory: (documents * MEMORY[0] + texts * MEMORY[1] + in_memory) as u64,
            features_in_memory: held as u64,
            temporary: (notes + (features - held) + in_file + spilled) as u64,
            job: (job as f64 * times) as u64,
        })
    }
}

impl DeduplicationForecast {
    /// Refuses what would not fit on the disk of the temporary files.
    ///
    /// # Errors
    /// [`Error::NoRoom`] where `directory` has less room than the temporary files take.
    pub fn check_room(&self, directory: &Path) -> Result<(), Error> {
        check_room(directory, self.temporary, free_space(directory))
    }
}
