//! `nearprint passages decontaminate`: which items of a test are in training data.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{ContaminationRow, ErrorRecord, FieldPurpose, FingerprintRecord};
use nearprint::{Decontaminate, InputSource, Inputs, InputsError, SeenFiles, UnexpectedInput};

use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::kept_documents::CopyOption;
use crate::messages;
use crate::options::{LIST, WorkOptions};
use crate::outputs;
use crate::question::{QuestionArgs, print};
use crate::reading_options::ReadingOptions;
use crate::results::{ResultOptions, Results};
use crate::talk::Talk;
use crate::unexpected_input::meant;
use crate::verbs::conclude;

/// Columns of a table of items.
const HEADING: &[&str] =
    &["VERDICT", "ITEM", "PART", "ITEM TOKENS", "DOCUMENT", "IN DOCUMENT", "TOKENS", "ANSWER"];

/// Find the items of a test that are in training data
///
/// Prints one line VERDICT TAB ITEM TAB PART TAB ITEM-TOKENS TAB DOCUMENT TAB START-END TAB TOKENS TAB ANSWER for each
/// training document and each item that it has: a run of at least 13 tokens of the question (words and numbers), or the
/// whole question if it has fewer, in any layout and with any text around it. Every such item is found. ANSWER says
/// whether the answer begins within 50 tokens after the end of the question. Items of fewer than 5 tokens cannot be
/// decided about; they are listed at the end, with the verdict undecidable. A run that more than 100 items have in
/// common shows none of them, and an item that has nothing else is undecidable, too.
///
/// The items are in memory; of the training data nothing is kept, so it may be of any size. With --write, copies it
/// without the documents that have an item, everything else byte for byte. By --policy gpt3, which cuts, only the runs
/// and 200 characters on both sides of each go, and pieces of fewer than 200 characters; with more than 10 cuts the
/// document. What cannot be cut, such as HTML, goes as a whole.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint passages decontaminate train.jsonl.zst --against test.jsonl
  nearprint passages decontaminate corpus --against test.jsonl --fields question,answer
  nearprint passages decontaminate corpus --against test.parquet --fields question,answer,context
  nearprint passages decontaminate --write clean.jsonl train.jsonl --against test.jsonl
  nearprint passages decontaminate --policy gpt3 --write clean.jsonl train.jsonl --against test.jsonl
  nearprint passages decontaminate --policy share8 --format csv 'train/*.parquet' --against test.jsonl")]
pub(crate) struct DecontaminateArgs {
    /// Training data: files, directories, quoted patterns, or - for standard input
    #[arg(value_name = "TRAIN", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// The test: each of its documents, or of its rows, is an item
    #[arg(long, value_name = "TEST", num_args = 1.., required = true, help_heading = "Input")]
    against: Vec<PathBuf>,
    /// Fields of the test, in JSON lines and tables: that with the question, and after commas those with the answer and
    /// with the passage that the question is about, for which the test is read again. Passages are looked for as
    /// questions are, and listed apart (PART) [default: that of --read text, else text, and no others]
    #[arg(long, value_name = "QUESTION[,ANSWER[,PASSAGE]]", help_heading = "Input")]
    fields: Option<String>,
    #[command(flatten)]
    question: QuestionArgs<Decontaminate>,
    #[command(flatten)]
    copy: CopyOption,
    #[command(flatten)]
    output: ResultOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    work: WorkOptions,
}

impl DecontaminateArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let fields = self.fields.as_deref().unwrap_or_default();
        let (question_field, others) = fields.split_once(',').unwrap_or((fields, ""));
        let (answer_field, passage_field) = others.split_once(',').unwrap_or((others, ""));
        if passage_field.contains(',') {
            let text = "--fields: expected at most three fields, QUESTION,ANSWER,PASSAGE";
            return Err(Failure::Usage(text.to_owned()));
        }
        let test = self.items(question_field)?;
        Inputs::check_standard_input([&inputs, &test])?;
        if !others.is_empty() && test.read_standard_input() {
            let text = "--fields with an answer or a passage reads the test again, and standard input can be read only once; name a file";
            return Err(Failure::Usage(text.to_owned()));
        }
        let question = self.question.resolve(Decontaminate::resolve)?;
        if !passage_field.is_empty() && !question.policy.finds_passages() {
            let text = "--policy decon-like does not look for passages: name the fields of the question and the answer";
            return Err(Failure::Usage(text.to_owned()));
        }
        let file = self.output.output.as_deref();
        if self.question.dry_run {
            return print(&question.to_json(), file);
        }
        let lists = !self.copy.is_given() || file.is_some();
        let outputs = self.copy.outputs(self.output.force, lists.then_some(file), &inputs)?;
        outputs.check([&inputs, &test])?;
        let mut questions = test_source(&test)?;
        let mut source = meant(inputs.source())?.noting_files(&SeenFiles::default());
        let talk = Talk::new(self.work.level(), false);
        let format = self.output.format();
        let open = || Results::open::<ContaminationRow>(file, format, Scheme::SD1, HEADING);
        let mut out = lists.then(open).transpose()?;
        let copy = self.copy.begin(&inputs)?;
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(self.reading.settings(Scheme::SD1));
        let left_out = |error: ErrorRecord| {
            talk.nothing(&FingerprintRecord::of_error(error, Scheme::SD1));
        };
        let left_out_of_test = |mut error: ErrorRecord| {
            error.detail = error.detail.replace("(text, html)", "(--fields)").into();
            left_out(error);
        };
        let mut items = question.items();
        if !answer_field.is_empty() {
            let mut answers = test_source(&self.items(answer_field)?)?;
            items.read_answers(&pipeline, &mut answers, left_out_of_test);
        }
        if !passage_field.is_empty() {
            let mut passages = test_source(&self.items(passage_field)?)?;
            items.read_passages(&pipeline, &mut passages, left_out_of_test);
        }
        let mut tally = items.read(&pipeline, &mut questions, left_out_of_test);
        talk.expect(&inputs, &source);
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let mut contaminated = HashSet::new();
        let found = items.find(&pipeline, &mut source, left_out, |row| {
            if copy.is_some() {
                contaminated.extend(row.document.clone());
            }
            out.as_mut().map_or(Ok(()), |out| out.row(&row))
        })?;
        talk.clear();
        out.map_or(Ok(()), Results::finish)?;
        messages::items(&talk, &found.counts, found.tally.documents);
        if let Some(copy) = copy {
            outputs::none_was_read()?;
            let files = inputs.files()?;
            let written = copy.with(&talk, |writer| {
                found.write_clean(&contaminated, writer, files, inputs.settings())
            });
            messages::clean(&talk, &written.map_err(Failure::work)?, found.cuts_texts());
        }
        tally.add(&found.tally);
        Ok(conclude(&talk, &tally))
    }

    /// The test, with its text in this field if it has a name.
    fn items(&self, field: &str) -> Result<Inputs, Failure> {
        let test = self.collection.others(&self.against, &self.reading)?;
        if field.is_empty() {
            return Ok(test);
        }
        let mut settings = test.settings().clone();
        settings.reading.fields.text = Some(field.to_owned());
        settings.reading.fields.html = None;
        Ok(Inputs::new(&self.against, settings)?)
    }
}

/// The items of a test. Its fields have an option of their own.
fn test_source(test: &Inputs) -> Result<InputSource, Failure> {
    test.source().map_err(|error| match &error {
        InputsError::Unexpected(unexpected)
            if matches!(unexpected, UnexpectedInput::MissingColumn { .. })
                || unexpected.purpose() == Some(FieldPurpose::Content) =>
        {
            Failure::Usage(format!("{error}; use --fields to name the fields of the test"))
        }
        _ => error.into(),
    })
}
