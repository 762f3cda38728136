//! `nearprint compare` and `nearprint prints compare`: two documents, or two fingerprints, compared.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::{Fingerprint, Scheme, fingerprint};
use nearprint::records::{ComparisonRow, DocumentId};
use nearprint::{Compare, ComparedDocument, Error, InputSettings, Inputs, Pipeline};

use crate::exit_status::{ExitStatus, Failure};
use crate::options::{OutputOptions, SchemeOption, WorkOptions};
use crate::outputs::Outputs;
use crate::question::{QuestionArgs, print};
use crate::reading_options::ReadingOptions;
use crate::search_inputs::{given_print, one_document};
use crate::talk::Talk;
use crate::unexpected_input;

/// Compare two documents: their fingerprints and their texts
///
/// For the fingerprints, prints the distance, the similarity, and close, loose or different. For the texts,
/// prints the similarity, and identical (the texts are equal), same-words (only numbers, signs, punctuation, case or
/// line breaks differ), near or different.
///
/// The exit code does not depend on the similarity; it is 1 if one of the documents has no fingerprint.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint compare old.html new.html
  nearprint compare --details 10 old.html new.pdf
  nearprint compare --measure containment chapter.html book.epub")]
pub(crate) struct CompareArgs {
    /// A document, or - for standard input
    a: PathBuf,
    /// The other document
    b: PathBuf,
    #[command(flatten)]
    question: QuestionArgs<Compare>,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    work: WorkOptions,
}

/// Compare two fingerprints
///
/// Prints the distance, the similarity, and close, loose or different. A fingerprint is written as nearprint writes it,
/// or as a decimal number of --scheme.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints compare sd1:aerukz4jvpg66 sd1:aerukz4jvpg6y
  nearprint prints compare --scheme sl1 9223372036854775808 9223372036854775809")]
pub(crate) struct PrintsCompareArgs {
    /// A fingerprint
    a: PathBuf,
    /// The other fingerprint
    b: PathBuf,
    #[command(flatten)]
    scheme: SchemeOption,
    #[command(flatten)]
    output: OutputOptions,
}

impl PrintsCompareArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        refuse_table(&self.output)?;
        let scheme = self.scheme.or(Scheme::SD1);
        let (a, b) = (in_any_form(&self.a, scheme)?, in_any_form(&self.b, scheme)?);
        Outputs::new(self.output.force).rows(self.output.output.as_deref()).check([])?;
        let row = nearprint::compare(a, b)?;
        let mut out = self.output.open::<ComparisonRow>(&[])?;
        out.row(&row)?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}

/// A fingerprint as nearprint writes it, or a decimal number of a scheme; it is its own id.
fn in_any_form(text: &Path, scheme: Scheme) -> Result<(DocumentId, Fingerprint), Failure> {
    if text.exists() {
        return Err(unexpected_input::document(text));
    }
    let shown = text.to_string_lossy();
    let parsed: Result<Fingerprint, _> = shown.parse();
    let is_number = shown.bytes().all(|byte| byte.is_ascii_digit());
    let found = match parsed {
        Err(_) if is_number => Fingerprint::from_decimal(scheme, &shown)
            .map_err(|error| Failure::Usage(format!("{shown}: {error}")))?,
        parsed => parsed.map_err(|error| Failure::Usage(format!("{shown}: {error}")))?,
    };
    let id = DocumentId::new(found.to_string()).map_err(Failure::work)?;
    Ok((id, found))
}

/// Refuses a format that comparisons do not have.
fn refuse_table(output: &OutputOptions) -> Result<(), Failure> {
    if output.format().is_separated() {
        let text = "compare supports only --format text and jsonl";
        return Err(Failure::Usage(text.to_owned()));
    }
    Ok(())
}

impl CompareArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        refuse_table(&self.output)?;
        let question = self.question.resolve(Compare::resolve)?;
        if self.question.dry_run {
            return print(&question.to_json(), self.output.output.as_deref());
        }
        if let Some((id, _)) = given_print(&self.a).or_else(|| given_print(&self.b)) {
            return Err(unexpected_input::fingerprint(&id));
        }
        let outputs = Outputs::new(self.output.force).rows(self.output.output.as_deref());
        let (a, b) = (self.inputs(&self.a)?, self.inputs(&self.b)?);
        outputs.check([&a, &b])?;
        let talk = Talk::new(self.work.level(), true);
        Inputs::check_standard_input([&a, &b])?;
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(self.reading.settings(question.question().scheme));
        let (Some(a), Some(b)) = (read(&a, &pipeline, &talk)?, read(&b, &pipeline, &talk)?) else {
            return Ok(ExitStatus::Partial);
        };
        let row = question.run(&a, &b, || Ok::<_, Error>(()))?;
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

    /// What one of the arguments names.
    fn inputs(&self, path: &Path) -> Result<Inputs, Failure> {
        let mut settings = InputSettings::default();
        settings.files.max_bytes = self.reading.limits().max_input_bytes;
        Ok(Inputs::new([path], settings)?)
    }
}

/// The document that is named; `None` once it has been said why it has no fingerprint.
fn read(
    named: &Inputs,
    pipeline: &Pipeline<'_>,
    talk: &Talk,
) -> Result<Option<ComparedDocument>, Failure> {
    let many = "use pairs, dedup or diff for many documents";
    let Some(document) = one_document(named, many, talk)? else { return Ok(None) };
    let id = document.id.clone();
    let extraction = match pipeline.extract(document) {
        Ok(extraction) => extraction,
        Err(error) => {
            talk.error(&error);
            return Ok(None);
        }
    };
    let found = fingerprint(pipeline.settings().scheme, &extraction.text).into_fingerprint();
    let Some(fingerprint) = found else {
        talk.say(format_args!(
            "{id}: no fingerprint: no-tokens: the text has no word with a letter"
        ));
        return Ok(None);
    };
    Ok(Some(ComparedDocument::of_extraction(id, fingerprint, extraction)))
}
