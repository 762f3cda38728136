//! `nearprint prints idf`: in how many documents of a collection each feature occurs, for schemes that weigh by it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::DocumentFrequencies;
use nearprint::fingerprint::{CustomScheme, Scheme, feature_hashes};
use nearprint::records::{FingerprintRecord, Format, IdfTableRow};

use super::conclude;
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::{JsonOption, LIST, WorkOptions};
use crate::output::Output;
use crate::outputs::{ForceOption, Outputs};
use crate::reading_options::ReadingOptions;
use crate::talk::{Talk, counted};

/// Count in how many documents each feature occurs, for schemes with TF-IDF weights
///
/// Writes the table to --output, and prints the declaration of a scheme that uses it, with the table's digest. To
/// use that scheme, give the declaration with the file: --scheme custom:words,log,lookup3,64,idf=FILE. The table is the
/// same for any order of the documents, any number of threads and any memory. docs/FORMAT.md specifies its bytes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints idf --output reports.idf reports
  nearprint fingerprint --scheme custom:words,log,lookup3,64,idf=reports.idf reports
  nearprint prints idf --scheme custom:shingles-2,tf,xxh3,128,stop=en --output crawl.idf crawl.warc.gz")]
pub(crate) struct IdfArgs {
    /// The collection: files, directories, quoted patterns, or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// The custom scheme that will use the table. Its features, hash, stop list and minimum length determine what is
    /// counted; one table works for all weights and widths
    #[arg(
        long,
        value_name = "DECLARATION",
        default_value = "custom:words,log,lookup3,64",
        help_heading = "Fingerprints"
    )]
    scheme: CustomScheme,
    /// Omit features that occur in fewer than N documents
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Counting")]
    least: u32,
    /// Keep at most N features by raising the minimum document frequency
    #[arg(long, value_name = "N", default_value = "4194304", value_parser = clap::value_parser!(u64).range(..=1 << 26), help_heading = "Counting")]
    most: u64,
    /// Write the table to FILE, which appears only when it is complete
    #[arg(long, short, value_name = "FILE", required = true, help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceOption,
    /// Output format of the declaration
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    format: IdfFormat,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    work: WorkOptions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum IdfFormat {
    /// The declaration of the scheme, with the table's digest
    Text,
    /// One JSON object
    Jsonl,
}

impl IdfArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        if self.scheme.idf().is_some() {
            let text = "the scheme already has a table; omit idf=";
            return Err(Failure::Usage(text.to_owned()));
        }
        if self.output.as_os_str() == "-" {
            let text = "a table is binary; name a file (--output)";
            return Err(Failure::Usage(text.to_owned()));
        }
        let scheme = Scheme::custom(self.scheme).map_err(Failure::work)?;
        let outputs = Outputs::new(self.force).rows(None).report(Some(&self.output));
        outputs.check([&inputs])?;
        let talk = Talk::new(self.work.level(), false);
        let mut file = Output::open(Some(&self.output), Format::Text)?;
        let mut source = inputs.source()?;
        talk.expect(&inputs, &source);
        let settings = self.reading.settings(scheme);
        let pipeline = self
            .reading
            .engine(self.work.threads)
            .pipeline(settings)
            .watched_by(|tally| talk.progress(tally));
        let (memory, temp) = (self.reading.memory(), std::env::temp_dir());
        let mut counting = DocumentFrequencies::new(self.scheme, memory, temp);
        let features =
            |text: &str| feature_hashes(scheme, text).filter(|features| !features.is_empty());
        let tally = pipeline.derive_all(&mut source, features, |found| match found {
            Ok((_, features)) => counting.push(&features).map_err(Failure::from),
            Err(error) => {
                talk.nothing(&FingerprintRecord::of_error(error, scheme));
                Ok(())
            }
        })?;
        talk.clear();
        let table = counting.finish(self.least, self.most)?;
        file.whole(|stream| stream.write_all(&table.to_bytes()))?;
        file.finish()?;
        let weighed = self.scheme.with_idf(&table).map_err(Failure::work)?;
        let mut row = IdfTableRow::default();
        row.scheme = weighed.to_string();
        row.digest = table.digest().to_string();
        row.counted = table.counted().to_owned();
        (row.documents, row.least) = (table.documents(), table.least());
        row.entries = table.len() as u64;
        // The scheme has an id where the table is known.
        table.keep().map_err(Failure::work)?;
        row.id = Scheme::custom(weighed).map_err(Failure::work)?.id().to_owned();
        talk.summary(format_args!(
            "nearprint: {} of {}, each in {} or more; use it with --scheme {},idf={}",
            counted(row.entries, "feature"),
            counted(row.documents.into(), "document"),
            row.least,
            self.scheme,
            self.output.display()
        ));
        let format = match self.format {
            IdfFormat::Text if !self.json.json => Format::Text,
            _ => Format::Jsonl,
        };
        let mut out = Output::open(None, format)?;
        out.row(&row)?;
        out.finish()?;
        Ok(conclude(&talk, &tally))
    }
}
