//! `nearprint index get`, `remove` and `export`: documents by their ids, and all of them.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args, ValueEnum};
use nearprint::records::{
    DocumentId, ExtractorVersion, Format, IndexChangeRow, IndexedRow, PrintFileWriter, PrintRecord,
};
use nearprint::{Documents, InputSettings, Inputs, Parts};
use nearprint_index::{ExportError, StoredDocument};

use super::{PRINTS, for_reading, for_writing};
use crate::conditions::WhereOption;
use crate::exit_status::{ExitStatus, Failure};
use crate::messages;
use crate::options::OutputOptions;
use crate::output::{Output, is_terminal};
use crate::outputs::{ForceOption, Outputs};
use crate::talk::{Level, Talk};

/// Ids that are named.
#[derive(Debug, Args)]
struct IdOptions {
    /// Ids of documents
    #[arg(value_name = "ID", required_unless_present_any = ["ids_from", "payload_digest"])]
    ids: Vec<String>,
    /// Read more ids from FILE, one per line (- for standard input)
    #[arg(long, value_name = "FILE")]
    ids_from: Option<PathBuf>,
}

impl IdOptions {
    fn all(&self) -> Result<Vec<DocumentId>, Failure> {
        all_ids(&self.ids, self.ids_from.as_deref())
    }
}

/// Ids that are given, and those in a file.
fn all_ids(ids: &[String], file: Option<&Path>) -> Result<Vec<DocumentId>, Failure> {
    let id = |id: &str| {
        DocumentId::new(id).map_err(|bad| Failure::Usage(format!("{}: {bad}", id.escape_debug())))
    };
    let mut all: Vec<_> = ids.iter().map(|given| id(given)).collect::<Result<_, _>>()?;
    let Some(file) = file else { return Ok(all) };
    let unread = |error: std::io::Error| Failure::Work(format!("{}: {error}", file.display()));
    let reader: Box<dyn BufRead> = match file.as_os_str() == "-" {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(std::io::BufReader::new(std::fs::File::open(file).map_err(unread)?)),
    };
    for line in reader.lines() {
        all.push(id(&line.map_err(unread)?)?);
    }
    Ok(all)
}

/// Print documents of an index by id, as lines FINGERPRINT TAB ID
///
/// JSONL also has the time of addition, the extractor, the metadata, and the text if the index keeps texts.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index get --format jsonl crawl.index https://example.org/
  nearprint index get --payload-digest sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ crawl.index")]
pub(super) struct GetArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    ids: IdOptions,
    /// Print the documents whose archives state this digest of their payload, such as
    /// sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ
    #[arg(long, value_name = "DIGEST", conflicts_with_all = ["ids", "ids_from"])]
    payload_digest: Option<String>,
    #[command(flatten)]
    output: OutputOptions,
}

impl GetArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        if self.output.format().is_separated() {
            return Err(Failure::Usage(
                "documents of an index are written as text or jsonl".into(),
            ));
        }
        let ids = self.ids.all()?;
        let file = self.output.output.as_deref();
        let ids_from = Inputs::new(&self.ids.ids_from, InputSettings::default())?;
        Outputs::new(self.output.force).rows(file).check([&ids_from])?;
        let talk = Talk::new(Level::Normal, false);
        let index = for_reading(&self.index)?;
        let mut out = self.output.open::<IndexedRow>(PRINTS)?;
        let mut ending = ExitStatus::Whole;
        if let Some(digest) = &self.payload_digest {
            let found = index.with_payload_digest(digest, usize::MAX)?;
            if found.is_empty() {
                ending = ExitStatus::Partial;
            }
            for found in found {
                // One that was removed meanwhile is printed as it was found.
                let whole = index.document_with_text(&found.document.id)?;
                out.row(&IndexedRow::from(whole.unwrap_or(found.document)))?;
            }
        }
        for id in ids {
            match index.document_with_text(&id)? {
                Some(found) => out.row(&IndexedRow::from(found))?,
                None => {
                    messages::not_in_index(&talk, &id);
                    ending = ExitStatus::Partial;
                }
            }
        }
        out.finish()?;
        Ok(ending)
    }
}

/// Remove documents from an index by id or by their metadata, in one commit
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index remove crawl.index https://example.org/old
  nearprint index remove --where 'crawl<2025-01' crawl.index
  nearprint index remove --ids-from gone.txt crawl.index")]
pub(super) struct RemoveArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Ids of documents
    #[arg(value_name = "ID", required_unless_present_any = ["ids_from", "conditions"], conflicts_with = "conditions")]
    ids: Vec<String>,
    /// Read more ids from FILE, one per line (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "conditions")]
    ids_from: Option<PathBuf>,
    #[command(flatten)]
    conditions: WhereOption,
    /// Print only the summary, or with -qq only fatal errors; the exit code still reports failures
    #[arg(long, short, action = ArgAction::Count)]
    quiet: u8,
}

impl RemoveArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let ids = all_ids(&self.ids, self.ids_from.as_deref())?;
        let talk = Talk::new(Level::quieted(self.quiet), false);
        let index = for_writing(&self.index)?;
        for id in &ids {
            if index.get(id, &Parts::default())?.is_none() {
                messages::not_in_index(&talk, id);
            }
        }
        let removed = match self.conditions.is_given() {
            true => index.remove_where(&self.conditions.filter())?,
            false => index.remove_batch(&ids)?,
        };
        let mut change = IndexChangeRow::default();
        (change.removed, change.documents) = (removed, index.len()?);
        messages::removed(&change, &talk);
        Ok(if removed >= ids.len() as u64 { ExitStatus::Whole } else { ExitStatus::Partial })
    }
}

/// Write all documents of an index, in the order of addition
///
/// Text and binary output is a fingerprint file with ids, which `index import` and `nearprint prints`
/// read.
/// It contains neither metadata nor times. JSON lines contain everything that is stored, features and texts included;
/// `index import` and a server's snapshots read them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index export crawl.index | head
  nearprint index export --format binary --output crawl.prints crawl.index")]
pub(super) struct ExportArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    conditions: WhereOption,
    /// Output format
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    format: Form,
    /// Write to FILE, which appears only when it is complete (- for standard output)
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Lines FINGERPRINT TAB ID
    Text,
    /// One JSON object per document, with everything that is stored, between a first and a last line
    Jsonl,
    /// Fingerprints as numbers, then ids, then a checksum
    Binary,
}

impl ExportArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let file = self.output.as_deref();
        if self.format == Form::Binary && is_terminal(file) {
            let text =
                "binary prints would garble the terminal: name a file (--output), or redirect";
            return Err(Failure::Usage(text.to_owned()));
        }
        Outputs::new(self.force).rows(file).check([])?;
        let index = for_reading(&self.index)?;
        let filter = self.conditions.filter();
        let mut out = Output::open(file, Format::Text)?;
        if self.format == Form::Jsonl {
            let mut exported = Ok(());
            out.whole(|stream| match index.export(&filter, stream) {
                Ok(_) => Ok(()),
                Err(ExportError::Output(error)) => Err(error),
                Err(ExportError::Index(error)) => {
                    exported = Err(error);
                    Ok(())
                }
                Err(other) => Err(io::Error::other(other)),
            })?;
            exported?;
            out.finish()?;
            return Ok(ExitStatus::Whole);
        }
        let mut binary =
            (self.format == Form::Binary).then(|| PrintFileWriter::new(index.scheme(), true));
        index.for_each_where(
            &filter,
            |StoredDocument { id, fingerprint, extractor, .. }| match &mut binary {
                Some(binary) => binary.push(&id, &fingerprint, None).map_err(Failure::work),
                None => {
                    let extractor = extractor.as_deref().and_then(version);
                    out.row(&PrintRecord::new(id, fingerprint, None, extractor))
                }
            },
        )?;
        if let Some(binary) = binary {
            out.whole(|stream| binary.finish(stream))?;
        }
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}

/// An extractor and its version, as they are written `NAME/VERSION`.
fn version(text: &str) -> Option<ExtractorVersion> {
    let (name, version) = text.rsplit_once('/')?;
    Some(ExtractorVersion { name: name.into(), version: version.parse().ok()? })
}
