//! `nearprint index list`: documents in the order of their ids.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::{DocumentId, Format};

use super::documents::row;
use super::for_reading;
use crate::ending::{Ending, Failure};
use crate::options::OutputOptions;
use crate::output::Output;
use crate::outputs::Outputs;

/// Documents that are read from the index at a time.
const PAGE: usize = 1000;

/// Print documents of an index in the order of their ids, as lines FINGERPRINT TAB ID
///
/// Only the documents that are printed are read: with ids that begin with an address and go on with a time, all
/// captures of that address are one short read.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index list --prefix https://example.org/ crawl.index
  nearprint index list --after https://example.org/a --limit 100 crawl.index")]
pub(super) struct ListArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Only ids that begin with TEXT
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    prefix: String,
    /// Only ids after ID, in the order of their bytes; the index need not have it
    #[arg(long, value_name = "ID", value_parser = id)]
    after: Option<DocumentId>,
    /// At most N documents
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    output: OutputOptions,
}

fn id(text: &str) -> Result<DocumentId, String> {
    DocumentId::new(text).map_err(|bad| bad.to_string())
}

impl ListArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        if matches!(self.output.format(), Format::Csv) {
            return Err(Failure::Usage(
                "documents of an index are written as text or jsonl".into(),
            ));
        }
        let file = self.output.output.as_deref();
        Outputs::new(self.output.force).rows(file).check([])?;
        let index = for_reading(&self.index)?;
        let mut out = Output::open(file, self.output.format())?;
        let (mut after, mut left) = (self.after, self.limit.unwrap_or(usize::MAX));
        loop {
            let page = index.list(&self.prefix, after.as_ref(), left.min(PAGE))?;
            left -= page.len();
            let Some(last) = page.last().map(|last| last.id.clone()) else { break };
            after = Some(last);
            for document in page {
                out.row(&row(document))?;
            }
        }
        out.finish()?;
        Ok(Ending::Whole)
    }
}
