//! Which documents of a collection to keep.
//!
//! The decisions are those of `nearprint dedup` on the same texts in the order of insertion.

use nearprint::{Documents, Engine, Filter, Role, Settings};

use super::run::{JobEnd, ResultFile};
use super::{Job, JobRequest};
use crate::collection::Collection;

impl Job {
    pub(super) fn dedup(
        &self,
        request: &JobRequest,
        collection: &Collection,
        engine: &Engine,
        file: &mut ResultFile,
    ) -> Result<(), JobEnd> {
        let question = request.dedup(collection)?;
        let mut gathered = question.gather(engine)?;
        let settings = Settings::default().scheme(question.print_scheme());
        let (documents, all) = (&collection.index, Filter::all());
        let total = documents.len()?;
        let pipeline = engine.pipeline(settings).cancelled_by(&self.cancel);
        let pipeline = pipeline.watched_by(|tally| self.set_progress(tally.documents, total));
        question.read_stored(&pipeline, documents, all, Role::Candidate, &mut gathered)?;
        self.go_on()?;
        let search = gathered.search(self.watched(question.search()));
        let decisions = question.decide(&mut gathered, search)?;
        decisions.for_each(&mut gathered, |row| {
            file.push_reasoned(&row, row.reason.name()).map_err(JobEnd::from)
        })
    }
}
