//! Texts without their repeats, in the form that they came in.
//!
//! Places were found in extracted texts. They are cut out of what the input has. A row's text is what was extracted:
//! that each repeat stands in its place is all that is checked. A file is the same but for layout: so tokens are
//! counted, and only where those of the file are the ones that were found is anything cut.

use std::io;
use std::iter::Peekable;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nearprint_fingerprint::placed_tokens;
use nearprint_passages::RepeatedRun;
use nearprint_records::{
    Content, Document, JsonTextCut, Place, Source, StretchChange, copy_changed, escape,
};

use super::CollectionRepeats;
use crate::table_files::copy_rows_with_texts;
use crate::{InputSettings, InputSource, KeptError, KeptWriter, WrittenCounts};

/// What was written without its repeats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CutCounts {
    /// The files.
    pub written: WrittenCounts,
    /// Documents out of which something was cut.
    pub cut: u64,
    /// Bytes of text that were cut.
    pub bytes: u64,
    /// Documents that have repeats and are whole: neither their form nor their text is one that can be cut.
    pub whole: u64,
    /// The first of them.
    pub first_whole: Option<Place>,
}

impl CollectionRepeats {
    /// Writes all files of the input without the repeats: of rows of JSON and of Parquet and Arrow the text, and plain
    /// text in UTF-8. All other bytes stay as they are, of tables all other values. Other documents are copied, and
    /// counted, and so are those whose text is not what their bytes say: with control characters, lone surrogates, or
    /// in a dictionary or a structure of a table. `files` are those that were read, in their order, and `settings` how.
    ///
    /// # Errors
    /// Where a file cannot be read any more or has changed, or the output cannot be written; nothing appears then.
    pub fn write_cut(
        &self,
        mut writing: KeptWriter<'_>,
        files: impl IntoIterator<Item = PathBuf>,
        settings: &InputSettings,
    ) -> Result<CutCounts, KeptError> {
        let rows = JsonTextCut::new(&settings.reading.fields);
        let rows = rows.map_err(|error| KeptError::Output(io::Error::other(error.to_string())))?;
        let found = self.found.iter().map_err(KeptError::Output)?;
        let counts = Mutex::new(CutCounts::default());
        let mut cutter = TextCutter {
            repeats: self,
            rows,
            found: found.peekable(),
            next: self.references,
            counts: &counts,
            column: settings.reading.fields.content(),
            unreadable: Vec::new(),
        };
        let mut unreadable = Vec::new();
        for path in files {
            writing.go_on()?;
            if !writing.takes(&path) {
                continue;
            }
            let name = escape(path.as_os_str().as_encoded_bytes());
            writing.copy(&name, &path, |to| {
                let one = std::iter::once(Ok(path.clone()));
                let source = InputSource::from_results(one, settings.clone());
                cutter.copy(&path, source, to)
            })?;
            unreadable.extend(cutter.unreadable.drain(..).map(|rows| (name.as_str().into(), rows)));
        }
        let mut written = writing.finish()?;
        written.unreadable_rows = unreadable;
        drop(cutter);
        let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(CutCounts { written, ..counts })
    }
}

/// The work on file after file.
struct TextCutter<'r, I: Iterator<Item = io::Result<RepeatedRun>>> {
    repeats: &'r CollectionRepeats,
    rows: JsonTextCut,
    found: Peekable<I>,
    /// The number of the next document that had a text.
    next: u32,
    counts: &'r Mutex<CutCounts>,
    /// The name of the field or column with the text.
    column: &'r str,
    /// Rows of the table that is copied that cannot be read, and so are not written.
    unreadable: Vec<RangeInclusive<u64>>,
}

/// A document with something to cut.
struct CutDocument {
    place: Place,
    /// Where it is in its file.
    source: CutSource,
    /// What goes, in bytes of its text.
    cuts: Vec<Range<usize>>,
}

/// Where a document with something to cut is in its file.
enum CutSource {
    /// These bytes of it: a row of JSON, or all.
    Stretch(Range<u64>),
    /// The row of a table, with its text.
    TableRow(u64, String),
}

impl<I: Iterator<Item = io::Result<RepeatedRun>> + Send> TextCutter<'_, I> {
    /// Copies a file, of which `source` gives the documents.
    fn copy(
        &mut self,
        path: &Path,
        mut source: InputSource,
        to: &mut (dyn io::Write + Send),
    ) -> io::Result<u64> {
        let (rows, counts, column) = (self.rows.clone(), self.counts, self.column);
        let mut documents = std::iter::from_fn(|| self.next_cut(&mut source)).peekable();
        let (mut wrapper, mut has_rows) = (None, false);
        if let Some(Ok(CutDocument { place, source, .. })) = documents.peek() {
            wrapper.clone_from(&place.wrapper);
            has_rows = matches!(source, CutSource::TableRow(..));
        }
        if has_rows {
            let texts = documents.by_ref().map(|document| new_text(document?, counts));
            let copied = copy_rows_with_texts(path, column, texts, to)?;
            if copied.keeps_texts {
                for document in documents {
                    note_whole(counts, document?.place);
                }
            }
            self.unreadable.extend(copied.unreadable);
            return Ok(copied.bytes);
        }
        let changes = documents.map(|document| change(document?, &rows, counts));
        copy_changed(path, wrapper.as_deref(), changes, to)
    }

    /// The next document of a file out of which something is to be cut.
    fn next_cut(&mut self, source: &mut InputSource) -> Option<io::Result<CutDocument>> {
        while let Some(found) = source.next_document() {
            let Ok(document) = found else { continue };
            let number = self.next;
            // Documents without a text have no number.
            if !self.repeats.is_document(number, &document.id) {
                continue;
            }
            self.next += 1;
            let mut repeats = Vec::new();
            let is_due = |next: &io::Result<RepeatedRun>| {
                next.as_ref().map_or(true, |repeat| repeat.document <= number)
            };
            while let Some(repeat) = self.found.next_if(is_due) {
                match repeat {
                    Ok(repeat) if repeat.document == number => repeats.push(repeat),
                    // Of a reference.
                    Ok(_) => {}
                    Err(error) => return Some(Err(error)),
                }
            }
            if repeats.is_empty() {
                continue;
            }
            let place = document.place.clone();
            match self.cut(document, &repeats) {
                Some(cut) => return Some(Ok(cut)),
                None => note_whole(self.counts, place),
            }
        }
        None
    }

    /// What is to be cut out of a document; `None` where its form does not allow it.
    fn cut(&self, document: Document, repeats: &[RepeatedRun]) -> Option<CutDocument> {
        let Document { place, content, .. } = document;
        let is_named = !self.column.starts_with('/');
        let (text, source) = match (content, place.offset, place.length, place.row) {
            (Content::Text(text), Some(start), Some(length), _) => {
                (text, CutSource::Stretch(start..start + length))
            }
            (Content::Text(text), None, _, Some(row)) if is_named => {
                (text, CutSource::TableRow(row, String::new()))
            }
            (Content::File { path, .. }, None, _, None) => {
                let text = String::from_utf8(std::fs::read(path).ok()?).ok()?;
                let length = text.len() as u64;
                (text, CutSource::Stretch(0..length))
            }
            _ => return None,
        };
        let cuts = match place.offset.or(place.row) {
            Some(_) => places_in_row(&text, repeats)?,
            None => self.places_by_tokens(&text, repeats)?,
        };
        let source = match source {
            CutSource::TableRow(row, _) => CutSource::TableRow(row, text),
            stretch => stretch,
        };
        Some(CutDocument { place, source, cuts })
    }

    /// Where repeats are in the text of a file, in bytes; `None` where they are not.
    fn places_by_tokens(&self, text: &str, repeats: &[RepeatedRun]) -> Option<Vec<Range<usize>>> {
        let tokens = self.tokens(text);
        let place = |repeat: &RepeatedRun| {
            let run = tokens.get(repeat.tokens.start as usize..repeat.tokens.end as usize)?;
            let wanted = self.tokens(&repeat.text);
            let is_same = tokens.len() == repeat.document_tokens as usize
                && run.len() == wanted.len()
                && run.iter().zip(&wanted).all(|((one, _), (other, _))| one == other);
            let (first, last) = (run.first()?, run.last()?);
            is_same.then_some(first.1.start..last.1.end)
        };
        repeats.iter().map(place).collect()
    }

    /// The hashes of a text's tokens, and where they are.
    fn tokens(&self, text: &str) -> Vec<(u64, Range<usize>)> {
        let mut tokens = Vec::new();
        placed_tokens(text, self.repeats.numbers, |token| tokens.push((token.hash, token.place)));
        tokens
    }
}

/// Where repeats are in the text of a row, in bytes; `None` where they are not.
fn places_in_row(text: &str, repeats: &[RepeatedRun]) -> Option<Vec<Range<usize>>> {
    let place = |repeat: &RepeatedRun| {
        let [start, end] = [repeat.place.start_byte, repeat.place.end_byte];
        let place = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
        (text.get(place.clone()) == Some(&repeat.text)).then_some(place)
    };
    repeats.iter().map(place).collect()
}

/// The change of a document in its file.
fn change<'c>(
    document: CutDocument,
    rows: &'c JsonTextCut,
    counts: &'c Mutex<CutCounts>,
) -> io::Result<StretchChange<'c>> {
    let CutDocument { place, source, cuts } = document;
    let CutSource::Stretch(stretch) = source else { return Err(mixed_rows()) };
    let is_file = place.offset.is_none();
    let change = move |bytes: &[u8]| {
        let left = if is_file { without(bytes, &cuts) } else { rows.row(bytes, &cuts) };
        let Some(left) = left else {
            note_whole(counts, place);
            return Ok(bytes.to_vec());
        };
        note_cut(counts, &cuts);
        Ok(left)
    };
    Ok((stretch, Box::new(change)))
}

/// The new text of a row of a table.
fn new_text(document: CutDocument, counts: &Mutex<CutCounts>) -> io::Result<(u64, String)> {
    let CutDocument { source, cuts, .. } = document;
    let CutSource::TableRow(row, text) = source else { return Err(mixed_rows()) };
    let left = without(text.as_bytes(), &cuts).and_then(|left| String::from_utf8(left).ok());
    let left = left.ok_or_else(|| io::Error::other("a repeat is not at characters of its text"))?;
    note_cut(counts, &cuts);
    Ok((row, left))
}

fn mixed_rows() -> io::Error {
    let text = "the file changed while the job was running; rerun it";
    io::Error::new(io::ErrorKind::InvalidData, text)
}

fn note_cut(counts: &Mutex<CutCounts>, cuts: &[Range<usize>]) {
    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    counts.cut += 1;
    counts.bytes += cuts.iter().map(|cut| cut.len() as u64).sum::<u64>();
}

/// Bytes without some stretches of them.
fn without(bytes: &[u8], cuts: &[Range<usize>]) -> Option<Vec<u8>> {
    let (mut left, mut at) = (Vec::with_capacity(bytes.len()), 0);
    for cut in cuts {
        left.extend_from_slice(bytes.get(at..cut.start)?);
        at = cut.end;
    }
    left.extend_from_slice(bytes.get(at..)?);
    Some(left)
}

fn note_whole(counts: &Mutex<CutCounts>, place: Place) {
    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    counts.whole += 1;
    counts.first_whole.get_or_insert(place);
}
