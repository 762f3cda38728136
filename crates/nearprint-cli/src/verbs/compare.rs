//! `nearprint compare`: two documents compared.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use nearprint::fingerprint::{Fingerprint, Scheme, fingerprint};
use nearprint::records::{ComparisonRow, DocumentId, Format};
use nearprint::search::Measure;
use nearprint::{
    InputSettings, Inputs, TextMeasure, TextSimilarity, Verification, compare, compare_texts,
    explain, longest_passages, measure_texts, passages, read_idf_table,
};

use crate::ending::{Ending, Failure};
use crate::options::{OutputOptions, ReadingOptions, SchemeOption, WorkOptions};
use crate::outputs::Outputs;
use crate::searched::one_document;
use crate::talk::Talk;
use crate::verifying::{MeasureName, share};

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
  nearprint compare --details old.html new.pdf
  nearprint compare --verify=containment chapter.html book.epub
  nearprint compare --prints sd1:aerukz4jvpg66 sd1:aerukz4jvpg6y")]
pub(crate) struct CompareArgs {
    /// A document, or - for standard input
    a: PathBuf,
    /// The other document
    b: PathBuf,
    /// A and B are fingerprints, not paths
    #[arg(long, conflicts_with_all = ["details", "verify"])]
    prints: bool,
    /// Report whether the texts are similar enough by this measure: jaccard, containment or cosine, which also see
    /// numbers, as in pairs; or a measure of words or characters alone: jaccard-F or containment-F, with F one of
    /// words, shingles-2 to shingles-8 and chars-2 to chars-9, weighted-jaccard, cosine-tf, cosine-log, cosine-tfidf
    /// (needs --idf), or edit (edit distance)
    #[arg(
        long,
        value_parser = yardstick,
        value_name = "MEASURE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "jaccard"
    )]
    verify: Option<Yardstick>,
    /// Table of document frequencies of words, made by nearprint idf, for --verify=cosine-tfidf
    #[arg(long, value_name = "FILE", requires = "verify")]
    idf: Option<PathBuf>,
    /// Minimum similarity of the texts for --verify, 0 to 1 [default: 0.3 for jaccard, 0.8 for all others]
    #[arg(long, value_name = "SIMILARITY", requires = "verify", value_parser = share)]
    threshold: Option<f64>,
    /// Report the N most frequent shared words, the N words whose frequencies differ most, and the N longest passages
    /// that both documents contain, or only one of them [default: 10]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "10")]
    details: Option<usize>,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    scheme: SchemeOption,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    work: WorkOptions,
}

/// What measures two texts.
#[derive(Debug, Clone, Copy)]
enum Yardstick {
    /// As candidates are verified.
    Verification(MeasureName),
    /// By words or characters alone.
    Text(TextMeasure),
}

fn yardstick(name: &str) -> Result<Yardstick, String> {
    if let Ok(name) = MeasureName::from_str(name, false) {
        return Ok(Yardstick::Verification(name));
    }
    name.parse()
        .map(Yardstick::Text)
        .map_err(|error| format!("{error}; and as in pairs jaccard, containment and cosine"))
}

/// A document that can be compared.
struct Printed {
    id: DocumentId,
    fingerprint: Fingerprint,
    text: String,
}

impl CompareArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        if self.output.format() == Format::Csv {
            let text = "compare supports only --format text and jsonl";
            return Err(Failure::Usage(text.to_owned()));
        }
        if self.idf.is_some() && !matches!(self.verify, Some(Yardstick::Text(_))) {
            let text = "--idf is only for --verify=cosine-tfidf";
            return Err(Failure::Usage(text.to_owned()));
        }
        let outputs = Outputs::new(self.output.force).rows(self.output.output.as_deref());
        let (a, b) = (self.inputs(&self.a)?, self.inputs(&self.b)?);
        outputs.check([&a, &b])?;
        let talk = Talk::new(self.work.quiet, true);
        Inputs::check_standard_input([&a, &b])?;
        let (Some(a), Some(b)) = (self.printed(&a, &talk)?, self.printed(&b, &talk)?) else {
            return Ok(Ending::Partial);
        };
        let words =
            self.details.map(|most| explain(self.scheme.or(Scheme::SD1), &a.text, &b.text, most));
        let passages = self.details.map(|most| longest_passages(passages(&a.text, &b.text), most));
        let mut row = compare((a.id, a.fingerprint), (b.id, b.fingerprint))?;
        (row.shared, row.differs) = words.unzip();
        row.passages = passages;
        if !self.prints {
            self.measure(&a.text, &b.text, &mut row, &talk)?;
        }
        let mut out = self.output.open::<ComparisonRow>(&[])?;
        out.row(&row)?;
        out.finish()?;
        Ok(Ending::Whole)
    }

    /// What one of the arguments names: a document, or a fingerprint itself.
    fn inputs(&self, path: &Path) -> Result<Inputs, Failure> {
        let mut settings = InputSettings::default();
        settings.files.max_bytes = self.reading.max_bytes();
        Ok(Inputs::new([path], settings)?)
    }

    /// What the texts are to each other.
    fn measure(
        &self,
        a: &str,
        b: &str,
        row: &mut ComparisonRow,
        talk: &Talk,
    ) -> Result<(), Failure> {
        let measure = match self.verify {
            None => Measure::Jaccard,
            Some(Yardstick::Verification(name)) => name.measure(),
            Some(Yardstick::Text(measure)) => return self.measure_by(measure, a, b, row, talk),
        };
        let verification = Verification::new(measure);
        let verification =
            self.threshold.map_or(verification, |threshold| verification.at(threshold));
        let texts = compare_texts(a, b, verification);
        row.text_similarity = Some(texts.similarity);
        row.measure = Some(measure.name());
        row.texts = Some(texts.grade);
        row.verified = self.verify.map(|_| texts.verified);
        Ok(())
    }

    fn measure_by(
        &self,
        measure: TextMeasure,
        a: &str,
        b: &str,
        row: &mut ComparisonRow,
        talk: &Talk,
    ) -> Result<(), Failure> {
        let usage = |error: &dyn std::fmt::Display| Failure::Usage(format!("--verify: {error}"));
        let table = self.idf.as_deref().map(read_idf_table).transpose();
        let table = table.map_err(|error| usage(&error))?;
        let at_least = self.threshold.unwrap_or(TextMeasure::DEFAULT_THRESHOLD);
        let texts = measure_texts(a, b, measure, at_least, table.as_ref())
            .map_err(|error| usage(&error))?;
        match texts.similarity {
            TextSimilarity::Exact(similarity) => row.text_similarity = Some(similarity),
            TextSimilarity::Below(bound) => {
                row.text_similarity_below = Some(bound);
                talk.say(format_args!(
                    "the texts are too long and too different for their exact edit distance; use \
                        another measure"
                ));
            }
        }
        row.measure = Some(measure.name());
        row.texts = texts.grade;
        row.verified = texts.verified;
        Ok(())
    }

    /// The document or fingerprint that was named; `None` once it has been said why there is none.
    fn printed(&self, named: &Inputs, talk: &Talk) -> Result<Option<Printed>, Failure> {
        if self.prints {
            let (id, fingerprint) = given_print(named.only_path()?)?;
            return Ok(Some(Printed { id, fingerprint, text: String::new() }));
        }
        let many = "use pairs, dedup or diff for many documents, and compare --prints for two \
            fingerprints";
        let Some(document) = one_document(named, many, talk)? else { return Ok(None) };
        let id = document.id.clone();
        let pipeline = self
            .reading
            .engine(self.work.threads, None)
            .pipeline(self.reading.settings(self.scheme.or(Scheme::SD1)));
        let text = match pipeline.extract(document) {
            Ok(extraction) => extraction.text,
            Err(error) => {
                talk.error(&error);
                return Ok(None);
            }
        };
        let Some(fingerprint) = fingerprint(self.scheme.or(Scheme::SD1), &text).into_fingerprint()
        else {
            talk.say(format_args!(
                "{id}: no fingerprint: no-tokens: the text has no word with a letter"
            ));
            return Ok(None);
        };
        Ok(Some(Printed { id, fingerprint, text }))
    }
}

/// A fingerprint given on the command line; its string is its id.
pub(super) fn given_print(text: &Path) -> Result<(DocumentId, Fingerprint), Failure> {
    let text = text.to_string_lossy();
    let fingerprint: Fingerprint =
        text.parse().map_err(|error| Failure::Usage(format!("{text}: {error}")))?;
    let id = DocumentId::new(fingerprint.to_string())
        .map_err(|error| Failure::Usage(error.to_string()))?;
    Ok((id, fingerprint))
}
