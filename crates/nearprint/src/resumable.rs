//! Jobs that go on where they stopped: what was made of documents is committed part by part, and given out at the end.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use nearprint_records::{
    ErrorRecord, FingerprintRecord, JobIdentity, PartSize, Parts, PartsError, Source, Storage,
};
use nearprint_search::WeightedFeature;
use serde::{Deserialize, Serialize};

use crate::{Pipeline, Role, Verification};

/// A document that is done, as a part holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct DoneDocument {
    /// What became of it.
    pub record: FingerprintRecord,
    /// Its octets, as they lay in the input.
    pub octets: u64,
    /// What it is there for.
    pub role: Role,
    /// What verification compares, where that was asked for.
    pub features: Option<Vec<WeightedFeature>>,
}

/// The same as a line.
#[derive(Serialize, Deserialize)]
struct Line {
    octets: u64,
    reference: bool,
    /// Hashes of 8 octets in little-endian, as base 64.
    features: Option<String>,
    record: FingerprintRecord,
}

/// Why a job cannot go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum JobError {
    /// Its folder: another job's, damaged, or it could not be written.
    Parts(PartsError),
    /// The input is not the one that the parts were made from.
    OtherInput {
        /// The last document done, as its part says.
        was: String,
        /// What is there now.
        is: String,
    },
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parts(PartsError::Storage(error)) => write!(
                f,
                "the job's folder cannot be used: {error}. What was committed stays; the same command goes on from there"
            ),
            Self::Parts(error) => error.fmt(f),
            Self::OtherInput { was, is } => write!(
                f,
                "the input has changed since the job stopped: the last document done was {was}, there is {is} now; \
                 name another folder to begin anew"
            ),
        }
    }
}

impl std::error::Error for JobError {}

impl From<PartsError> for JobError {
    fn from(error: PartsError) -> Self {
        Self::Parts(error)
    }
}

/// A job in a folder.
///
/// ```
/// use nearprint::records::{Document, DocumentId, ErrorRecord, Folder, JobIdentity, PartSize};
/// use nearprint::{JobError, Pipeline, ResumableJob, Role, Settings};
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("job");
/// let documents = || (1..=5).map(|number| {
///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
///     Ok::<_, ErrorRecord>(Document::from_octets(id, "Fog came in at noon."))
/// });
/// let pipeline = Pipeline::new(Settings::default());
/// let identity = JobIdentity::new("example");
/// for count in [2, 5] {
///     // The first time the process dies after two documents.
///     let folder = Folder::open(&path).map_err(nearprint::records::PartsError::from)?;
///     let mut job = ResumableJob::open(folder, &identity, PartSize { records: 1, octets: 1 << 20 })?;
///     job.read(&pipeline, &mut documents().take(count), Role::Candidate, None)?;
///     if count == 5 {
///         job.finish()?;
///         let mut ids = Vec::new();
///         job.for_each(|done| { ids.push(done.record.id.to_string()); Ok::<_, JobError>(()) })?;
///         assert_eq!(ids.join(" "), "page-1 page-2 page-3 page-4 page-5");
///     }
/// }
/// # Ok::<(), JobError>(())
/// ```
#[derive(Debug)]
pub struct ResumableJob<S> {
    parts: Parts<S>,
    /// Documents that were done before, and are still to be passed over in what is read.
    ahead: u64,
    /// Where the last of them came from.
    at: String,
}

impl<S: Storage> ResumableJob<S> {
    /// Takes up the job that lies in `storage`, or begins it there. `size` says how much is done again after a crash.
    ///
    /// # Errors
    /// Where another job lies there, or it is damaged, or the storage fails.
    pub fn open(storage: S, identity: &JobIdentity, size: PartSize) -> Result<Self, JobError> {
        let parts = Parts::open(storage, identity.as_str(), size)?;
        let (ahead, at) = (parts.records(), parts.at().to_owned());
        Ok(Self { parts, ahead, at })
    }

    /// Documents that are done.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.parts.records()
    }

    /// Whether all of them are.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.parts.is_finished()
    }

    /// Does what is left of a source: those documents of it that were done before are read and passed over, nothing is extracted from
    /// them. The sources of a job come in the same order each time.
    ///
    /// # Errors
    /// Where the source is not what it was, or the storage fails: full, most of the time.
    pub fn read(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        role: Role,
        verification: Option<Verification>,
    ) -> Result<(), JobError> {
        if self.is_finished() {
            return Ok(());
        }
        while self.ahead > 0 {
            let Some(found) = source.next_document() else { return Ok(()) };
            self.ahead -= 1;
            if self.ahead == 0 {
                let is = place_of(&found);
                if is != self.at {
                    return Err(JobError::OtherInput { was: self.at.clone(), is });
                }
            }
        }
        let derive = |text: &str| verification.map(|verification| verification.features(text));
        pipeline.fingerprint_each(source, derive, |record, features, octets| {
            let at = record.place.to_string();
            let line = Line {
                octets,
                reference: role == Role::Reference,
                features: features.flatten().map(|features| packed(&features)),
                record,
            };
            let line = serde_json::to_vec(&line)
                .map_err(|error| PartsError::from(std::io::Error::from(error)))?;
            self.parts.push(&line, &at).map_err(JobError::from)
        })?;
        Ok(())
    }

    /// Commits the rest, and that it is all.
    ///
    /// # Errors
    /// Where documents that were done before did not come again, or the storage fails.
    pub fn finish(&mut self) -> Result<(), JobError> {
        if self.ahead > 0 && !self.is_finished() {
            let is = format!("{} fewer", self.ahead);
            return Err(JobError::OtherInput { was: self.at.clone(), is });
        }
        Ok(self.parts.finish()?)
    }

    /// Gives out all documents, in order.
    ///
    /// # Errors
    /// Where a part is damaged, and those of `take`.
    pub fn for_each<E: From<JobError>>(
        &self,
        mut take: impl FnMut(DoneDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        enum Stopped<E> {
            Parts(PartsError),
            Taken(E),
        }
        impl<E> From<PartsError> for Stopped<E> {
            fn from(error: PartsError) -> Self {
                Self::Parts(error)
            }
        }
        let done = self.parts.for_each(|line| {
            let line: Line = serde_json::from_slice(line)
                .map_err(|error| Stopped::Parts(std::io::Error::from(error).into()))?;
            let role = if line.reference { Role::Reference } else { Role::Candidate };
            let features = line.features.as_deref().map(unpacked);
            let done = DoneDocument { record: line.record, octets: line.octets, role, features };
            take(done).map_err(Stopped::Taken)
        });
        done.map_err(|stopped| match stopped {
            Stopped::Parts(error) => JobError::from(error).into(),
            Stopped::Taken(error) => error,
        })
    }

    /// Removes the job once its output is there, and gives the place back.
    ///
    /// # Errors
    /// Where the storage fails.
    pub fn remove(self) -> Result<S, JobError> {
        Ok(self.parts.remove()?)
    }
}

fn place_of(found: &Result<nearprint_records::Document, ErrorRecord>) -> String {
    match found {
        Ok(document) => document.place.to_string(),
        Err(error) => error.place.to_string(),
    }
}

/// Hashes of features, which all weigh 1.
fn packed(features: &[WeightedFeature]) -> String {
    let octets: Vec<u8> = features.iter().flat_map(|(hash, _)| hash.to_le_bytes()).collect();
    BASE64_STANDARD_NO_PAD.encode(octets)
}

/// The parts are checked by a digest: what is no base 64 there was never written.
fn unpacked(text: &str) -> Vec<WeightedFeature> {
    let octets = BASE64_STANDARD_NO_PAD.decode(text).unwrap_or_default();
    octets.as_chunks::<8>().0.iter().map(|hash| (u64::from_le_bytes(*hash), 1)).collect()
}
