//! Texts of documents as a job saves them: a search that was interrupted reads none of its documents again, and goes on
//! after the last of its steps that was done.

use nearprint_passages::{AnchorReader, AnchoredText};
use nearprint_records::{ErrorRecord, Outcome, ReasonCode, Source, Storage};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::PassageDocuments;
use crate::pipeline::document::NO_TOKENS;
use crate::{DoneDocument, Error, JobError, Pipeline, ResumableJob, Role, Tally, TextRequest};

/// Bytes of texts that are divided into tokens together.
const BATCH: usize = 8 << 20;

/// A text of a job.
enum SavedText {
    /// The saved search has it, if it has tokens.
    Known { has_tokens: bool },
    /// It is new to the search.
    Anchored(AnchoredText),
}

impl SavedText {
    fn has_tokens(&self) -> bool {
        match self {
            Self::Known { has_tokens } => *has_tokens,
            Self::Anchored(text) => text.tokens() > 0,
        }
    }
}

impl PassageDocuments {
    /// Reads sources one after the other, each for what it is there for. With a job, their texts are saved in it, and
    /// what it has is not read again; the sources of a job come in the same order each time. The steps of the search
    /// are saved in it as well, and those of the same question are not done again. Documents without a text or a token
    /// come to `left_out`. Where references follow documents, only passages of one of each are found.
    ///
    /// # Errors
    /// Where a temporary file or the job fails, and those of `left_out`.
    pub fn read_all<S: Storage, E: From<Error> + From<JobError>>(
        &mut self,
        pipeline: &Pipeline<'_>,
        sources: &mut [(Role, &mut dyn Source)],
        job: Option<&mut ResumableJob<S>>,
        mut left_out: impl FnMut(ErrorRecord) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let mut tally = Tally::default();
        let roles: Vec<Role> = sources.iter().map(|(role, _)| *role).collect();
        roles.first().into_iter().for_each(|&role| self.begin(role));
        match job {
            None => {
                for (role, source) in sources {
                    self.begin(*role);
                    tally.add(&self.read(pipeline, &mut **source, &mut left_out)?);
                }
            }
            Some(job) => {
                let wanted =
                    TextRequest { text: true, without_print: true, ..TextRequest::default() };
                for (role, source) in sources {
                    job.read(pipeline, &mut **source, *role, &wanted)?;
                }
                job.finish()?;
                if let Some(folder) = job.search_folder().filter(|_| self.search.documents() == 0) {
                    self.saved =
                        self.search.save_in(&folder, &self.question).map_err(Error::from)?;
                }
                tally.records = job.record_counts();
                self.take_saved(job, &mut tally, &mut left_out)?;
            }
        }
        roles.into_iter().for_each(|role| self.begin(role));
        Ok(tally)
    }

    /// Takes the documents of a job.
    fn take_saved<S: Storage, E: From<Error> + From<JobError>>(
        &mut self,
        job: &ResumableJob<S>,
        tally: &mut Tally,
        left_out: &mut impl FnMut(ErrorRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        job.for_each(|done| {
            bytes += done.text.as_ref().map_or(0, String::len);
            batch.push(done);
            if bytes >= BATCH {
                bytes = 0;
                self.take_batch(std::mem::take(&mut batch), tally, left_out)?;
            }
            Ok::<_, E>(())
        })?;
        self.take_batch(batch, tally, left_out)
    }

    fn take_batch<E: From<Error>>(
        &mut self,
        batch: Vec<DoneDocument>,
        tally: &mut Tally,
        left_out: &mut impl FnMut(ErrorRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let anchor_reader: AnchorReader = self.search.anchor_reader();
        let is_saved = self.saved.is_some();
        let read: Vec<SavedText> = self.engine.install(|| {
            let texts = batch.par_iter().map(|done| done.text.as_deref().unwrap_or_default());
            let read = texts.map(|text| match is_saved {
                true => SavedText::Known { has_tokens: anchor_reader.has_tokens(text) },
                false => SavedText::Anchored(anchor_reader.text(text)),
            });
            read.collect()
        })?;
        for (done, text) in batch.iter().zip(read) {
            self.begin(done.role);
            tally.bytes += done.arrival.bytes;
            tally.count_row(&done.record.place);
            if text.has_tokens() {
                tally.count_print();
                if let SavedText::Anchored(text) = &text {
                    self.search.add(text).map_err(Error::from)?;
                }
                self.ids.push(done.record.id.as_str());
                continue;
            }
            let error = error_of(done);
            tally.count_nothing(error.reason.is_failure());
            left_out(error)?;
        }
        Ok(())
    }

    /// Takes note of what the next documents are there for.
    fn begin(&mut self, role: Role) {
        match role {
            Role::Candidate if !self.has_documents => {
                self.has_documents = true;
                self.first_document = self.count();
            }
            Role::Reference if !self.has_references => {
                self.has_references = true;
                if self.has_documents {
                    self.begin_references();
                }
            }
            _ => {}
        }
    }
}

/// Why a document has no tokens.
fn error_of(done: &DoneDocument) -> ErrorRecord {
    let record = &done.record;
    let (reason, detail) = match &record.outcome {
        Outcome::Nothing { reason, detail, .. } => (reason.clone(), detail.clone()),
        Outcome::Print { .. } => (ReasonCode::NO_TOKENS, NO_TOKENS.into()),
    };
    ErrorRecord { id: Some(record.id.clone()), place: record.place.clone(), reason, detail }
}
