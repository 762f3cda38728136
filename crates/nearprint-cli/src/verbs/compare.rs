//! `nearprint compare`: two documents compared.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::fingerprint;
use nearprint::records::{ComparisonRow, Format};
use nearprint::{Compare, ComparedDocument, Error, InputSettings, Inputs, Pipeline};

use crate::exit_status::{ExitStatus, Failure};
use crate::options::{OutputOptions, ReadingOptions, WorkOptions};
use crate::outputs::Outputs;
use crate::question::{QuestionArgs, print};
use crate::search_inputs::{self, one_document};
use crate::talk::Talk;

/// Compare two documents: their fingerprints and their texts
///
/// For the fingerprints, prints the distance, the similarity, and close, loose or different. For the texts,
/// prints the similarity, and identical (equal except for case, layout and white space), same-words (only
/// numbers, signs or punctuation differ), near or different.
///
/// The exit code does not depend on the similarity; it is 1 if one of the documents has no fingerprint.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint compare old.html new.html
  nearprint compare --details 10 old.html new.pdf
  nearprint compare --measure containment chapter.html book.epub
  nearprint compare --prints sd1:aerukz4jvpg66 sd1:aerukz4jvpg6y")]
pub(crate) struct CompareArgs {
    /// A document, or - for standard input
    a: PathBuf,
    /// The other document
    b: PathBuf,
    /// A and B are fingerprints, not paths
    #[arg(long, conflicts_with_all = ["details", "measure", "threshold", "idf"])]
    prints: bool,
    #[command(flatten)]
    question: QuestionArgs<Compare>,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    work: WorkOptions,
}

impl CompareArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        if self.output.format() == Format::Csv {
            let text = "compare supports only --format text and jsonl";
            return Err(Failure::Usage(text.to_owned()));
        }
        let question = self.question.question.resolve()?;
        if self.question.dry_run {
            return print(&question.to_json(), self.output.output.as_deref());
        }
        let outputs = Outputs::new(self.output.force).rows(self.output.output.as_deref());
        let (a, b) = (self.inputs(&self.a)?, self.inputs(&self.b)?);
        outputs.check([&a, &b])?;
        let talk = Talk::new(self.work.quiet, true);
        Inputs::check_standard_input([&a, &b])?;
        let engine = self.reading.engine(self.work.threads, None);
        let pipeline = engine.pipeline(self.reading.settings(question.question().scheme));
        let compared = |inputs| {
            if self.prints {
                given_print(Inputs::only_path(inputs)?).map(Some)
            } else {
                read(inputs, &pipeline, &talk)
            }
        };
        let (Some(a), Some(b)) = (compared(&a)?, compared(&b)?) else {
            return Ok(ExitStatus::Partial);
        };
        let row = if self.prints {
            nearprint::compare((a.id, a.fingerprint), (b.id, b.fingerprint))?
        } else {
            question.run(&a, &b, || Ok::<_, Error>(()))?
        };
        if row.text_similarity_below.is_some() {
            talk.say(
                "the texts are too long and too different for their exact edit distance; use another measure",
            );
        }
        let mut out = self.output.open::<ComparisonRow>(&[])?;
        out.row(&row)?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }

    /// What one of the arguments names: a document, or a fingerprint itself.
    fn inputs(&self, path: &Path) -> Result<Inputs, Failure> {
        let mut settings = InputSettings::default();
        settings.files.max_bytes = self.reading.max_bytes();
        Ok(Inputs::new([path], settings)?)
    }
}

/// The fingerprint that is named itself.
fn given_print(text: &Path) -> Result<ComparedDocument, Failure> {
    let (id, fingerprint) = search_inputs::given_print(text)?;
    Ok(ComparedDocument { id, fingerprint, text: String::new() })
}

/// The document that is named; `None` once it has been said why it has no fingerprint.
fn read(
    named: &Inputs,
    pipeline: &Pipeline<'_>,
    talk: &Talk,
) -> Result<Option<ComparedDocument>, Failure> {
    let many =
        "use pairs, dedup or diff for many documents, and compare --prints for two fingerprints";
    let Some(document) = one_document(named, many, talk)? else { return Ok(None) };
    let id = document.id.clone();
    let text = match pipeline.extract(document) {
        Ok(extraction) => extraction.text,
        Err(error) => {
            talk.error(&error);
            return Ok(None);
        }
    };
    let found = fingerprint(pipeline.settings().scheme, &text).into_fingerprint();
    let Some(fingerprint) = found else {
        talk.say(format_args!(
            "{id}: no fingerprint: no-tokens: the text has no word with a letter"
        ));
        return Ok(None);
    };
    Ok(Some(ComparedDocument { id, fingerprint, text }))
}
