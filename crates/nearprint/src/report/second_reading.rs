//! Pages whose examples show documents: these are read again, from the inputs of the work.

use std::path::Path;

use nearprint_records::DeduplicationRow;

use super::{DifferenceExamples, ExampleReader, Report};
use crate::{
    AddressedSource, Decisions, DedupDocuments, Error, Inputs, InputsError, Pipeline, SeenFiles,
};

impl Report {
    /// A page about a deduplication, to be written to `file`, from which its links lead. The documents of its examples
    /// are read again from `inputs` and `references`, unless these include standard input: the page says so then.
    ///
    /// # Errors
    /// Where a temporary file cannot be read, or an input cannot be read again.
    pub fn of_decisions<E: From<Error> + From<InputsError>>(
        file: &Path,
        pipeline: &Pipeline<'_>,
        (decisions, gathered): (&Decisions, &mut DedupDocuments),
        summary: &DeduplicationRow,
        [inputs, references]: [&Inputs; 2],
    ) -> Result<Self, E> {
        let mut groups = [
            decisions.examples(gathered)?,
            decisions.contradictions(gathered)?,
            decisions.not_compared_examples(gathered)?,
        ];
        let is_once = inputs.read_standard_input() || references.read_standard_input();
        if !is_once && groups.iter().any(|groups| !groups.is_empty()) {
            let mut reader = ExampleReader::new(groups.iter_mut().flatten(), file);
            // Documents are found by their numbers, so they are the same as for the decision.
            let files = SeenFiles::default();
            reader.read(pipeline, &mut references.source()?.noting_files(&files), 1);
            reader.read(pipeline, &mut inputs.source()?.noting_files(&files), 0);
        }
        let distributions = decisions.distributions(gathered)?;
        let [largest, contradictions, not_compared] = groups;
        let groups = [largest, contradictions];
        let page = Self::of_deduplication(inputs.names(), summary, &distributions, groups);
        Ok(page.with_not_compared(&not_compared))
    }
}

impl DifferenceExamples {
    /// Reads the documents of the examples again, for a page that is written to `file`, unless an edition is standard
    /// input: the page says so then.
    ///
    /// # Errors
    /// Where an input cannot be read again.
    pub fn read_again(
        &mut self,
        file: &Path,
        pipeline: &Pipeline<'_>,
        editions: [&Inputs; 2],
    ) -> Result<(), InputsError> {
        if editions.into_iter().any(Inputs::read_standard_input) {
            return Ok(());
        }
        let mut reader = ExampleReader::new(self.groups_mut(), file);
        for (number, edition) in editions.into_iter().enumerate() {
            let mut source = AddressedSource::new(edition.source()?, edition.only_path()?);
            reader.read(pipeline, &mut source, number);
        }
        Ok(())
    }
}
