//! Documents read for a decision or an output: at once, or by a job that can be resumed. Both are one path.

use nearprint_records::{FingerprintRecord, ReasonCode, Source, Storage};

use crate::{
    Dedup, DedupDocuments, DoneDocument, Error, JobError, Pipeline, ResumableJob, Role, Tally,
    TextRequest,
};

impl Pipeline<'_> {
    /// Reads the documents of all sources, in order, and gives each to `take` with the role of its source, and with the
    /// features and the digest that are `wanted`.
    ///
    /// With a `job`, what is done is saved on the way, and `take` gets the documents after the last of them: those that
    /// were done before the job was interrupted, too. Without one, it gets them as they are read. They are the same
    /// documents in the same order.
    ///
    /// ```
    /// use nearprint::records::{Document, DocumentId, ErrorRecord, Folder};
    /// use nearprint::{Engine, JobError, ResumableJob, Role, Settings, TextRequest};
    ///
    /// let page = Document::from_bytes(DocumentId::new("page")?, "Fog came in at noon.");
    /// let mut source = [Ok::<_, ErrorRecord>(page)].into_iter();
    /// let pipeline = Engine::default().pipeline(Settings::default());
    /// let job = None::<&mut ResumableJob<Folder>>;
    /// let mut ids = Vec::new();
    /// let wanted = TextRequest::default();
    /// let tally = pipeline.read_sources(&mut [(Role::Candidate, &mut source)], &wanted, job, |done| {
    ///     ids.push(done.record.id);
    ///     Ok::<_, JobError>(())
    /// })?;
    /// assert_eq!((tally.documents, ids[0].as_str()), (1, "page"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of the job, and the first one of `take`, which ends the call.
    pub fn read_sources<S: Storage, E: From<JobError>>(
        &self,
        sources: &mut [(Role, &mut dyn Source)],
        wanted: &TextRequest,
        job: Option<&mut ResumableJob<S>>,
        mut take: impl FnMut(DoneDocument) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let Some(job) = job else {
            let mut tally = Tally::default();
            for (role, source) in sources {
                let read = self.read(*source, wanted, |record, made, arrival| {
                    let features = made.and_then(|made| made.features);
                    take(DoneDocument { record, arrival, role: *role, features, text: None })
                })?;
                tally.add(&read);
            }
            return Ok(tally);
        };
        for (role, source) in sources {
            job.read(self, *source, *role, wanted)?;
        }
        job.finish()?;
        let mut tally = Tally::default();
        job.for_each(|done| {
            tally.count(&done.record, done.arrival.bytes);
            take(done)
        })?;
        tally.records = job.record_counts();
        tally.cancelled = job.is_cancelled();
        Ok(tally)
    }
}

impl Dedup {
    /// Reads the documents of all sources for a decision, references first, as [`Pipeline::read_sources`] does, and
    /// gives each record to `watch`. Copies are not extracted again.
    ///
    /// # Errors
    /// Those of the job, and as for [`DedupDocuments::push`].
    pub fn read<S: Storage, E: From<JobError> + From<Error>>(
        &self,
        pipeline: &Pipeline<'_>,
        sources: &mut [(Role, &mut dyn Source)],
        job: Option<&mut ResumableJob<S>>,
        gathered: &mut DedupDocuments,
        mut watch: impl FnMut(&FingerprintRecord),
    ) -> Result<Tally, E> {
        let wanted = gathered.wanted();
        pipeline.read_sources(sources, &wanted, job, |done| {
            // What is said of an earlier document holds for its copies.
            if !done.record.outcome.is(&ReasonCode::SAME_BYTES) {
                watch(&done.record);
            }
            Ok(gathered.push(&done.record, done.features.as_ref(), done.role, done.arrival)?)
        })
    }
}
