//! `nearprint index list`: documents in the order of their ids.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::{DocumentId, IndexedRow};
use nearprint_index::CaptureRange;

use super::{PRINTS, for_reading};
use crate::exit_status::{ExitStatus, Failure};
use crate::options::OutputOptions;
use crate::outputs::Outputs;

/// Documents that are read from the index at a time.
const PAGE: usize = 1000;

/// Print documents of an index in the order of their ids, as lines FINGERPRINT TAB ID
///
/// Only the documents that are printed are read. With --url, prints captures from web archives in the order of address
/// and time: all captures of one address are one short read. JSONL also has the key of the address (SURT), the time,
/// and the digest of the payload.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index list --prefix https://example.org/ crawl.index
  nearprint index list --url https://example.org/page --from 2026 crawl.index
  nearprint index list --url 'https://example.org/*' --format jsonl crawl.index
  nearprint index list --after https://example.org/a --most 100 crawl.index")]
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
    /// Only captures of URL, however it is written (http or https, with www. or without); with a final *, of all
    /// addresses that begin with what is before it
    #[arg(long, value_name = "URL", conflicts_with_all = ["prefix", "after"])]
    url: Option<String>,
    /// Only captures at DATE or later: 14 digits (YYYYMMDDhhmmss), or the first ones
    #[arg(long, value_name = "DATE", requires = "url", value_parser = date)]
    from: Option<String>,
    /// Only captures at DATE or earlier
    #[arg(long, value_name = "DATE", requires = "url", value_parser = date)]
    to: Option<String>,
    /// At most N documents
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    #[command(flatten)]
    output: OutputOptions,
}

fn id(text: &str) -> Result<DocumentId, String> {
    DocumentId::new(text).map_err(|bad| bad.to_string())
}

fn date(text: &str) -> Result<String, String> {
    match text.len() <= 14 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Ok(text.to_owned()),
        false => Err("expected up to 14 digits, such as 20261123 or 20261123070000".to_owned()),
    }
}

impl ListArgs {
    /// The captures that are meant; `None` for documents by their ids.
    fn captures(&self) -> Option<CaptureRange> {
        let url = self.url.as_deref()?;
        let range = match url.strip_suffix('*') {
            Some(prefix) => CaptureRange::of_prefix(prefix),
            None => CaptureRange::of_url(url),
        };
        let range = self.from.iter().fold(range, CaptureRange::from);
        Some(self.to.iter().fold(range, CaptureRange::to))
    }

    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        if self.output.format().is_separated() {
            return Err(Failure::Usage(
                "documents of an index are written as text or jsonl".into(),
            ));
        }
        let file = self.output.output.as_deref();
        Outputs::new(self.output.force).rows(file).check([])?;
        let index = for_reading(&self.index)?;
        let mut out = self.output.open::<IndexedRow>(PRINTS)?;
        let mut left = self.most.unwrap_or(usize::MAX);
        if let Some(range) = self.captures() {
            let mut after = None;
            loop {
                let page = index.captures(&range, after.as_ref(), left.min(PAGE))?;
                left -= page.len();
                let Some(last) = page.last() else { break };
                after = Some(last.clone());
                page.into_iter()
                    .try_for_each(|found| out.row(&IndexedRow::from(found.document)))?;
            }
            out.finish()?;
            return Ok(ExitStatus::Whole);
        }
        let mut after = self.after;
        loop {
            let page = index.list(&self.prefix, after.as_ref(), left.min(PAGE))?;
            left -= page.len();
            let Some(last) = page.last().map(|last| last.id.clone()) else { break };
            after = Some(last);
            for document in page {
                out.row(&IndexedRow::from(document))?;
            }
        }
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}
