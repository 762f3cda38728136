//! What fingerprinting an input would take, from a sample of its documents.

use nearprint_records::FingerprintRecord;

use crate::input::sample::sample;
use crate::{DoneDocument, InputSize, InputSource, JobError, Pipeline, Role, TextRequest};

/// What to expect. All of it but the sample is an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct FingerprintForecast {
    /// Documents read for the estimate.
    pub sample: u64,
    /// Documents in all: counted where the sample is all, and of tables what they say they have.
    pub documents: u64,
    /// Seconds to read, extract and fingerprint them all, at the speed of the sample.
    pub seconds: f64,
    /// Bytes of the folder of a job, where there is one.
    pub job: u64,
}

impl Pipeline<'_> {
    /// Fingerprints the first documents of an input of this size and estimates what all of it takes. `take` gets the
    /// sample's records, to see what rows of them take.
    ///
    /// # Errors
    /// Those of `take`: documents that fail count as they would.
    pub fn forecast<E: From<JobError>>(
        &self,
        source: &mut InputSource,
        size: &InputSize,
        mut take: impl FnMut(&FingerprintRecord) -> Result<(), E>,
    ) -> Result<FingerprintForecast, E> {
        let mut job = 0;
        let estimate =
            sample(self, source, size, &TextRequest::default(), |record, _, arrival| {
                take(&record)?;
                let done = DoneDocument {
                    record,
                    arrival,
                    role: Role::Candidate,
                    features: None,
                    text: None,
                };
                job += done.job_bytes().map_err(JobError::from)?;
                Ok::<_, E>(())
            })?;
        Ok(FingerprintForecast {
            sample: estimate.sample,
            documents: estimate.documents as u64,
            seconds: estimate.seconds,
            job: (job as f64 * estimate.times()) as u64,
        })
    }
}
