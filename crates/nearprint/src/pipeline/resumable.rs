//! Jobs that go on where they stopped: what was made of documents is committed part by part, and given out at the end.

use std::cell::{Cell, RefCell};
use std::fmt;

use nearprint_records::{
    BadRecords, Checkpoint, ErrorRecord, JobIdentity, PartSize, Parts, PartsError, RecordCounts,
    Source, Storage,
};

use crate::pipeline::SourceEvent;
use crate::{DoneDocument, ErrorKind, Pipeline, Role, TextRequest};

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
                "cannot use the job folder: {error}. Saved progress is kept; rerun the same \
                    command to resume"
            ),
            Self::Parts(error) => error.fmt(f),
            Self::OtherInput { was, is } => write!(
                f,
                "the input has changed since the job stopped: the last finished document was \
                    {was} and is now {is}; use another folder to start again"
            ),
        }
    }
}

impl std::error::Error for JobError {}

impl JobError {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Parts(PartsError::Storage(_)) => ErrorKind::Io,
            Self::Parts(_) | Self::OtherInput { .. } => ErrorKind::InvalidInput,
        }
    }
}

impl From<PartsError> for JobError {
    fn from(error: PartsError) -> Self {
        Self::Parts(error)
    }
}

/// A job in a folder.
///
/// ```
/// use nearprint::records::{Document, DocumentId, ErrorRecord, Folder, JobIdentity, PartSize};
/// use nearprint::{Engine, JobError, ResumableJob, Role, Settings, TextRequest};
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("job");
/// let documents = || (1..=5).map(|number| {
///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
///     Ok::<_, ErrorRecord>(Document::from_bytes(id, "Fog came in at noon."))
/// });
/// let pipeline = Engine::default().pipeline(Settings::default());
/// let identity = JobIdentity::new("example");
/// for count in [2, 5] {
///     // The first time the process dies after two documents.
///     let folder = Folder::open(&path).map_err(nearprint::records::PartsError::from)?;
///     let mut job = ResumableJob::open(folder, &identity, PartSize { records: 1, bytes: 1 << 20 })?;
///     job.read(&pipeline, &mut documents().take(count), Role::Candidate, &TextRequest::default())?;
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
    /// Where the job stood when it was taken up; taken by the source it stood in.
    left: Option<Checkpoint>,
    /// Sources that were read or passed over.
    sources: u64,
    /// Records of archives in them.
    records: RecordCounts,
    /// Whether some source was left before its end.
    cancelled: bool,
}

impl<S: Storage> ResumableJob<S> {
    /// Takes up the job that lies in `storage`, or begins it there. `size` says how much is done again after a crash.
    ///
    /// # Errors
    /// Where another job lies there, or it is damaged, or the storage fails.
    pub fn open(storage: S, identity: &JobIdentity, size: PartSize) -> Result<Self, JobError> {
        let parts = Parts::open(storage, identity.as_str(), size)?;
        let left = parts.stands().clone();
        let records = left.records;
        Ok(Self { parts, left: Some(left), sources: 0, records, cancelled: false })
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

    /// Whether a source was left before its end because the call was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// Records of archives in the sources that were read.
    #[must_use]
    pub fn record_counts(&self) -> RecordCounts {
        self.records
    }

    /// Does what is left of a source: it goes on where the last committed document was ([`Source::go_on`]), and passes
    /// over those few that are done behind the nearest position. The sources of a job come in the same order each time.
    ///
    /// # Errors
    /// Where the source is not what it was, or the storage fails: full, most of the time.
    pub fn read(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        role: Role,
        wanted: &TextRequest,
    ) -> Result<(), JobError> {
        let number = self.sources;
        self.sources += 1;
        let reached = self.left.as_ref().is_none_or(|left| left.source <= number);
        if self.is_finished() || !reached {
            return Ok(());
        }
        let mut bad = BadRecords::default();
        match self.left.take().filter(|left| left.source == number) {
            Some(left) => {
                pass_over(source, &left)?;
                bad = left.bad;
            }
            None => {
                let at = self.parts.stands().at.clone();
                let records = self.records;
                self.parts.stand(Checkpoint {
                    source: number,
                    records,
                    at,
                    ..Checkpoint::default()
                });
            }
        }
        let (parts, is_rest) = (RefCell::new(&mut self.parts), Cell::new(false));
        let tally = pipeline.read_noting(
            source,
            wanted,
            bad,
            |record, made, arrival| {
                let at = record.place.to_string();
                let (features, text) = made.map_or((None, None), |made| (made.features, made.text));
                let text = text.filter(|_| wanted.text);
                let done = DoneDocument { record, arrival, role, features, text }.to_bytes()?;
                let mut parts = parts.borrow_mut();
                if is_rest.take() {
                    let standing =
                        Checkpoint { bad: BadRecords::default(), ..parts.stands().clone() };
                    parts.stand(standing);
                    return parts.push_beside(&done).map_err(JobError::from);
                }
                parts.push(&done, &at).map_err(JobError::from)
            },
            |event| {
                let mut parts = parts.borrow_mut();
                match event {
                    SourceEvent::Batch(None) => {}
                    SourceEvent::Batch(position) => {
                        let standing = parts.stands().clone();
                        parts.stand(Checkpoint { position, behind: 0, ..standing });
                    }
                    SourceEvent::Bad(bad, left_out) => {
                        let standing = Checkpoint { bad: bad.clone(), ..parts.stands().clone() };
                        parts.stand(standing);
                        if let Some(place) = left_out {
                            parts.leave_out(&place.to_string());
                        }
                    }
                    SourceEvent::Rest => is_rest.set(true),
                }
                Ok(())
            },
        )?;
        if tally.cancelled {
            self.cancelled = true;
            return Ok(());
        }
        self.records.add(&source.record_counts());
        let (at, records) = (self.parts.stands().at.clone(), self.records);
        let source = number + 1;
        self.parts.stand(Checkpoint { source, records, at, ..Checkpoint::default() });
        Ok(())
    }

    /// Commits the rest, and that it is all, where no source was left before its end.
    ///
    /// # Errors
    /// Where the storage fails.
    pub fn finish(&mut self) -> Result<(), JobError> {
        if self.cancelled { Ok(self.parts.commit()?) } else { Ok(self.parts.finish()?) }
    }

    /// Gives out all documents, in order.
    ///
    /// # Errors
    /// Where a part is damaged, and those of `take`.
    pub fn for_each<E: From<JobError>>(
        &self,
        mut take: impl FnMut(DoneDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        enum JobStop<E> {
            Parts(PartsError),
            Taken(E),
        }
        impl<E> From<PartsError> for JobStop<E> {
            fn from(error: PartsError) -> Self {
                Self::Parts(error)
            }
        }
        let done = self
            .parts
            .for_each(|record| take(DoneDocument::from_bytes(record)?).map_err(JobStop::Taken));
        done.map_err(|stopped| match stopped {
            JobStop::Parts(error) => JobError::from(error).into(),
            JobStop::Taken(error) => error,
        })
    }

    /// The directory for the files of a search among its documents, once all of them are done.
    #[cfg(feature = "passages")]
    pub(crate) fn search_folder(&self) -> Option<std::path::PathBuf> {
        self.parts.search_folder().filter(|_| self.is_finished())
    }

    /// Removes the job once its output is there, and gives the place back.
    ///
    /// # Errors
    /// Where the storage fails.
    pub fn remove(self) -> Result<S, JobError> {
        Ok(self.parts.remove()?)
    }
}

/// Goes to where a job stands in a source.
fn pass_over(source: &mut dyn Source, left: &Checkpoint) -> Result<(), JobError> {
    let other = |is: String| Err(JobError::OtherInput { was: left.at.clone(), is });
    if let Some(position) = &left.position
        && !source.go_on(position)
    {
        return other("nothing".to_owned());
    }
    let mut last = None;
    for passed in 0..left.behind {
        match source.next_document() {
            Some(found) => last = Some(place_of(&found)),
            None => return other(format!("{} fewer", left.behind - passed)),
        }
    }
    match last {
        Some(is) if is != left.at => other(is),
        _ => Ok(()),
    }
}

fn place_of(found: &Result<nearprint_records::Document, ErrorRecord>) -> String {
    match found {
        Ok(document) => document.place.to_string(),
        Err(error) => error.place.to_string(),
    }
}
