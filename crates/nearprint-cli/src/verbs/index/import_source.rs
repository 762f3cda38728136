//! Files that `nearprint index import` reads: fingerprint files, tables of fingerprints, and rows of another index.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{
    Container, ErrorRecord, InputFile, Place, PrintFormat, ReadSettings, ReasonCode, Source,
    TableFields,
};
use nearprint::{InputSettings, Inputs, PrintSet, Tally};
use nearprint_index::{IndexedLine, IndexedLines, StoredDocument};

use super::index_inputs::GivenOptions;
use crate::exit_status::Failure;
use crate::talk::Talk;
use crate::unexpected_input::meant;

/// Gives `take` the documents of a file, whatever it is.
pub(super) fn imported(
    file: Result<PathBuf, ErrorRecord>,
    as_named: (PrintFormat, Scheme),
    talk: &Talk,
    mut take: impl FnMut(IndexedLine) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    let document = |document| take(IndexedLine::Document(Box::new(document)));
    let Ok(path) = &file else { return GivenOptions::prints(file, as_named, talk, document) };
    let unread = |error: std::io::Error| Failure::Work(format!("{}: {error}", path.display()));
    let is_standard_input = path.as_os_str() == "-";
    let mut reader: Box<dyn BufRead + Send> = match is_standard_input {
        true => Box::new(BufReader::new(std::io::stdin())),
        false if !path.is_file() => return GivenOptions::prints(file, as_named, talk, document),
        false => Box::new(BufReader::new(File::open(path).map_err(unread)?)),
    };
    let beginning = reader.fill_buf().map_err(unread)?;
    let mut tally = Tally::default();
    if IndexedLines::<&[u8]>::is_begun_by(beginning) {
        for line in IndexedLines::new(path.to_string_lossy(), reader) {
            match line {
                Ok(line) => {
                    if matches!(line, IndexedLine::Document(_)) {
                        tally.count_prints(1);
                    }
                    take(line)?;
                }
                Err(error) => {
                    tally.count_nothing(true);
                    talk.error(&error);
                }
            }
        }
        return Ok(tally);
    }
    if is_standard_input {
        let (mut set, place) =
            (PrintSet::new(as_named.1), Place { file: "-".into(), ..Place::default() });
        let file = InputFile::from_reader(place, reader);
        let watch = |tally: &Tally, error: Option<&_>| talk.read_print(tally, error);
        meant(set.read_standard_input(file, as_named.0, &mut tally, watch))?;
        talk.clear();
        GivenOptions::each_print(&set, document)?;
        return Ok(tally);
    }
    let container = InputFile::open(path).map_err(unread)?.container(&table_settings());
    match container {
        Ok(Some(Container::Parquet | Container::Arrow | Container::Csv | Container::Tsv)) => {
            table(path, talk, document)
        }
        _ => GivenOptions::prints(file, as_named, talk, document),
    }
}

/// How a table of fingerprints is recognised.
fn table_settings() -> ReadSettings {
    ReadSettings { fields: table_fields(), ..ReadSettings::default() }
}

/// The columns of a table of fingerprints.
fn table_fields() -> TableFields {
    TableFields { text: Some("fingerprint".to_owned()), ..TableFields::default() }
}

/// Gives `take` the fingerprints of a table.
fn table(
    path: &Path,
    talk: &Talk,
    mut take: impl FnMut(StoredDocument) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    let mut settings = InputSettings::default();
    settings.reading.fields = table_fields();
    let mut source = Inputs::new([path], settings)?.source()?;
    let mut tally = Tally::default();
    while let Some(row) = source.next_document() {
        let parsed =
            row.and_then(|row| {
                let (id, place) = (row.id.clone(), row.place.clone());
                let text = row.into_bytes(u64::MAX)?;
                let text = String::from_utf8_lossy(&text).into_owned();
                let print: Result<Fingerprint, _> = text.trim().parse();
                // A document without a fingerprint has a row, too.
                let reason = match text.is_empty() {
                    true => ReasonCode::NO_TOKENS,
                    false => ReasonCode::BAD_LINE,
                };
                print.map(|print| StoredDocument::new(id.clone(), print)).map_err(|error| {
                    ErrorRecord { id: Some(id), place, reason, detail: error.to_string().into() }
                })
            });
        match parsed {
            Ok(document) => {
                tally.count_prints(1);
                take(document)?;
            }
            Err(error) => {
                tally.count_nothing(error.reason.is_failure());
                talk.error(&error);
            }
        }
    }
    Ok(tally)
}
