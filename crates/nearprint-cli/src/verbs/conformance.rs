//! `nearprint prints conformance`: another implementation of the standard, or another extractor, judged.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::vectors::{
    self, ClassAgreement, ExtractionBounds, Question, Verdict, corpus_documents,
};
use nearprint::records::Format;

use crate::answering_command;
use crate::exit_status::{ExitStatus, Failure};
use crate::output::Output;
use crate::table::table;
use crate::talk::{Level, Talk};

/// Check another implementation against the vectors, or another extractor against the corpus
///
/// With --command, a shell runs COMMAND, and it is asked all vectors: each line of its standard input is one case, as
/// {"file":…,"name":…,"input":…}; it writes one line of JSON for each, with the fields of `expected` of spec/vectors,
/// or {"skipped":true}. With --extraction, FOLDER has the texts that another extractor made of the documents of
/// spec/extraction/corpus.tsv, as spec/PROFILE.md says ([21.2]). The exit code is 1 if something differs, or a document
/// is too far away. Skipped cases are counted, and are not passed cases.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints conformance --command 'python3 reference/answer_vectors.py'
  nearprint prints conformance --extraction their-texts
  nearprint prints conformance -k 1 --extraction their-texts")]
pub(crate) struct ConformanceArgs {
    /// Command that answers the vectors
    #[arg(
        long,
        value_name = "COMMAND",
        required_unless_present = "extraction",
        conflicts_with = "extraction"
    )]
    command: Option<String>,
    /// Folder of texts by another extractor
    #[arg(long, value_name = "FOLDER")]
    extraction: Option<PathBuf>,
    /// Bits of sd1 within which texts of HTML, XML, EPUB and office files agree; those of nine in ten PDFs agree within
    /// twice as many
    #[arg(short, value_name = "DISTANCE", default_value_t = ExtractionBounds::default().markup)]
    k: u32,
}

impl ConformanceArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let talk = Talk::new(Level::Normal, true);
        let (rows, ending, right) = match (&self.command, &self.extraction) {
            (Some(command), _) => vector_rows(command, &talk)?,
            (None, Some(folder)) => {
                let bounds = ExtractionBounds { markup: self.k, pdf: 2 * self.k };
                extraction_rows(folder, bounds, &talk)?
            }
            (None, None) => {
                return Err(Failure::Usage("--command or --extraction is missing".to_owned()));
            }
        };
        let mut out = Output::open(None, Format::Text)?;
        out.text(table(&rows, right).as_bytes())?;
        out.finish()?;
        Ok(ending)
    }
}

/// A table, how the command ends, and the columns of numbers.
type Judgement = (Vec<Vec<String>>, ExitStatus, &'static [usize]);

fn vector_rows(command: &str, talk: &Talk) -> Result<Judgement, Failure> {
    let questions = vectors::questions();
    let answers = answering_command::ask(command, questions.iter().map(Question::line).collect())?;
    if answers.len() < questions.len() {
        let (given, wanted) = (answers.len(), questions.len());
        talk.say(format_args!("the command answered {given} of {wanted} cases, and ended"));
    }
    let mut rows = vec![["VECTORS", "CASES", "FAILED", "SKIPPED"].map(str::to_owned).to_vec()];
    let mut ending = ExitStatus::Whole;
    for name in vectors::names() {
        let asked = questions.iter().enumerate().filter(|(_, question)| question.file() == name);
        let (mut cases, mut failed, mut skipped) = (0_u64, 0_u64, 0_u64);
        for (number, question) in asked {
            cases += 1;
            match answers.get(number).map(|answer| question.judge(answer)) {
                Some(Verdict::Passed) => {}
                Some(Verdict::Skipped) => skipped += 1,
                Some(Verdict::Failed(why)) => {
                    failed += 1;
                    talk.say(format_args!("{name}: {}: {why}", question.name()));
                }
                _ => failed += 1,
            }
        }
        if failed > 0 {
            ending = ExitStatus::Partial;
        }
        rows.push(
            [name.to_owned(), cases.to_string(), failed.to_string(), skipped.to_string()].to_vec(),
        );
    }
    Ok((rows, ending, &[1, 2, 3]))
}

fn extraction_rows(
    folder: &Path,
    bounds: ExtractionBounds,
    talk: &Talk,
) -> Result<Judgement, Failure> {
    if !folder.is_dir() {
        return Err(Failure::Usage(format!("{} is not a folder of texts", folder.display())));
    }
    let mut classes: Vec<ClassAgreement> = Vec::new();
    for document in corpus_documents() {
        let (path, bound) = (document.text_path(), document.bound(bounds));
        let distance = match fs::read(folder.join(&path)) {
            Ok(bytes) => Some(document.distance(&String::from_utf8_lossy(&bytes))),
            Err(error) => {
                talk.say(format_args!("{path}: {error}"));
                None
            }
        };
        if let Some(found) = distance.filter(|d| !d.is_within(bound) || !d.is_similar()) {
            let bits = |distance: Option<u32>| {
                distance.map_or_else(|| "none".to_owned(), |distance| distance.to_string())
            };
            talk.say(format_args!(
                "{path}: distance sd1 {}, md1 {}; within {bound} and {} agree",
                bits(found.sd1),
                bits(found.md1),
                nearprint::fingerprint::Scheme::MD1.default_distance()
            ));
        }
        let at = classes.iter().position(|counted| counted.class == document.class());
        let at = at.unwrap_or_else(|| {
            classes.push(ClassAgreement::of(document.class()));
            classes.len() - 1
        });
        classes[at].add(&document, distance, bound);
    }
    let heading = ["CLASS", "DOCUMENTS", "WITHIN", "SIMILAR", "FARTHEST", "AGREES"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let mut ending = ExitStatus::Whole;
    for counted in classes {
        if !counted.agrees() {
            ending = ExitStatus::Partial;
        }
        let agrees = if counted.agrees() { "yes" } else { "no" };
        let numbers = [counted.documents, counted.within, counted.similar].map(|n| n.to_string());
        let mut row = vec![counted.class.to_owned()];
        row.extend(numbers);
        row.extend([counted.farthest.to_string(), agrees.to_owned()]);
        rows.push(row);
    }
    Ok((rows, ending, &[1, 2, 3, 4]))
}
