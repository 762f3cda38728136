//! `nearprint diff`: what became of a collection.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::records::DifferenceRow;
use nearprint::report::{DifferenceExamples, Report};
use nearprint::{Diff, Inputs, Tally};
use nearprint_index::DiskIndex;

use super::conclude;
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::indexes::Indexes;
use crate::messages;
use crate::options::{OutputOptions, WorkOptions};
use crate::outputs::Outputs;
use crate::question::{QuestionArgs, print};
use crate::reading_options::ReadingOptions;
use crate::report::{is_page, report, write_page};
use crate::talk::Talk;

/// Compare two editions of a collection: identical, changed, moved, new and removed documents
///
/// Prints lines DIFFERENCE TAB SIMILARITY TAB OLD-ID TAB ID, in the order of NEW, then the documents that are
/// gone.
///
/// Documents are matched by id: captures in archives by their address, files by their path below the directory. The
/// remaining ones are matched by content. A document is identical if its text is equal, and same-words if only numbers,
/// signs, punctuation, case or line breaks differ. Menus and markup are not compared. A page is also identical if NEW
/// has only a revisit record, which states that it had not changed. Documents of an index are known by their ids: for
/// archives, add them with --read ids=url.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint diff site-2025 site-2026
  nearprint diff --changes --threshold 0.9 old.warc.gz new.warc.gz
  nearprint diff index:site.index site-2026
  nearprint diff --format jsonl --read id=url before.jsonl after.jsonl")]
pub(crate) struct DiffArgs {
    /// The old edition: a file, a directory, or an index (index:PATH, or its directory), md1 and made with --keep
    /// features
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new edition
    #[arg(value_name = "NEW")]
    new: PathBuf,
    #[command(flatten)]
    question: QuestionArgs<Diff>,
    /// Write a summary of the run to FILE, as one line of JSON, or if its name ends in .html as a page with changed
    /// documents side by side, for which some documents are read again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    work: WorkOptions,
}

impl DiffArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let ((of_old, old), (of_new, new)) = (self.edition(&self.old)?, self.edition(&self.new)?);
        Inputs::check_standard_input([&old, &new])?;
        if self.collection.has_list() {
            let text = "diff does not support --files-from";
            return Err(Failure::Usage(text.to_owned()));
        }
        let difference = self.question.resolve(Diff::resolve)?;
        if self.question.dry_run {
            return print(&difference.to_json(), self.output.output.as_deref());
        }
        let page = self.report.as_deref().filter(|file| is_page(file));
        if page.is_some() && (of_old.is_some() || of_new.is_some()) {
            let text = "a page shows texts, which an index does not keep; use --report FILE.json";
            return Err(Failure::Usage(text.to_owned()));
        }
        let outputs = Outputs::new(self.output.force)
            .rows(self.output.output.as_deref())
            .report(self.report.as_deref());
        outputs.check([&old, &new])?;
        let talk = Talk::new(self.work.level(), false);
        let mut out =
            self.output.open::<DifferenceRow>(&["DIFFERENCE", "SIMILARITY", "OLD", "NEW"])?;
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(self.reading.settings(difference.scheme()));
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let read = |index: Option<DiskIndex>, inputs: &Inputs| -> Result<_, Failure> {
            if let Some(index) = index {
                return Ok((difference.edition_of(&index, &engine)?, Tally::default()));
            }
            let read = difference.read::<Failure>(&pipeline, inputs, |record| talk.nothing(record));
            talk.clear();
            read
        };
        let (before, mut tally) = read(of_old, &old)?;
        let (now, of_now) = read(of_new, &new)?;
        tally.add(&of_now);
        let mut examples = DifferenceExamples::default();
        let counts = difference.compare(
            &before,
            &now,
            |search| search,
            |row| {
                if page.is_some() {
                    examples.push(&row);
                }
                out.row(&row)
            },
        )?;
        out.finish()?;
        messages::difference(&talk, &counts, before.len(), now.len());
        match page {
            Some(file) => {
                examples.read_again(file, &pipeline, [&old, &new])?;
                talk.clear();
                write_page(file, &Report::of_difference(old.and(&new).names(), examples))?;
            }
            None => {
                report(self.report.as_deref(), tally.summary(difference.scheme()), &talk)?;
            }
        }
        Ok(conclude(&talk, &tally))
    }

    /// One edition: an index, or documents, which a pattern may name.
    fn edition(&self, path: &Path) -> Result<(Option<DiskIndex>, Inputs), Failure> {
        let (index, path) = Indexes::among(&[path.to_owned()])?;
        let inputs = self.collection.others(&path, &self.reading)?;
        if let Some(index) = index.into_only() {
            return Ok((Some(index), inputs));
        }
        inputs.only_path()?;
        Ok((None, inputs))
    }
}
