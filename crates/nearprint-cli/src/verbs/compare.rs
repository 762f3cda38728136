//! `nearprint compare`: two documents compared.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{ComparisonRow, Format};
use nearprint::{InputSettings, Inputs, compare, explain, longest_passages, passages};

use crate::compared::{self, Compared};
use crate::ending::{Ending, Failure};
use crate::options::{OutputOptions, ReadingOptions, SchemeOption, WorkOptions};
use crate::outputs::Outputs;
use crate::talk::Talk;
use crate::verifying::{Yardstick, YardstickParser, share};

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
        value_parser = YardstickParser,
        hide_possible_values = true,
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
        let scheme = self.scheme.or(Scheme::SD1);
        let engine = self.reading.engine(self.work.threads, None);
        let pipeline = engine.pipeline(self.reading.settings(scheme));
        let compared = |inputs| match self.prints {
            true => Compared::given(inputs).map(Some),
            false => Compared::read(inputs, &pipeline, &talk),
        };
        let (Some(a), Some(b)) = (compared(&a)?, compared(&b)?) else {
            return Ok(Ending::Partial);
        };
        let words = self.details.map(|most| explain(scheme, &a.text, &b.text, most));
        let passages = self.details.map(|most| longest_passages(passages(&a.text, &b.text), most));
        let mut row = compare((a.id, a.fingerprint), (b.id, b.fingerprint))?;
        (row.shared, row.differs) = words.unzip();
        row.passages = passages;
        if !self.prints {
            let by = (self.verify, self.threshold, self.idf.as_deref());
            compared::measure(&mut row, (&a.text, &b.text), by, &talk)?;
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
}
