//! The source of documents that are rows of a table.

use std::fs::File;
use std::io::Read;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use nearprint_records::{
    BATCH_BYTES, BATCH_DOCUMENTS, Batch, Content, Document, DocumentId, ErrorRecord, Place,
    Position, ReasonCode, Source, TableFields,
};

use crate::ahead::{Ahead, Unreadable};
use crate::decoder_thread::apart;
use crate::memory_batches::MemoryBatches;
use crate::rows::{ColumnSelection, Rows};
use crate::stretches::Stretches;
use crate::{arrow_reader, parquet_reader};

/// The rows of a table as documents, in their order.
///
/// - The column of the content is named by [`TableFields`]: text, bytes, or a dictionary of them; a dotted name is a
///   column of a structure. A table without it is one error, which names the columns there are.
/// - The id is text (or a dictionary of it), a whole number, which is written in decimal digits, or bytes of a fixed
///   number, written as hexadecimal digits. A row without one is called by its place, `FILE#ROW`; rows count from 1.
/// - A row whose content is **null** is a document of no bytes: `empty`, which is a finding and no failure. Text that
///   is no UTF-8 is the error of its row. HTML may be in any charset where its column holds bytes.
/// - What is **damaged** is one error. Of Parquet it says which rows cannot be read: what is left of a row group,
///   after which the next one is read. Of Arrow, and where the footer of Parquet cannot be read, it is the end of the
///   table.
///
/// Rows are decoded some thousand at a time, and made documents by the thread that processes them. Where several
/// threads do ([`expect_workers`](Source::expect_workers)), they decode as well, each a stretch of rows of its own (a
/// batch of Arrow; of Parquet a small row group, or about 16 MiB of a large one), while others continue with the rows
/// before it: the same rows in the same order, however many they are.
///
/// Memory: of Parquet batches of at most 8,192 rows and about 4 MiB (one row, where it is longer), and the pages they
/// lie in, as the writer cut them, however many rows a row group has: with one thread those that are worked on, with
/// several about 16 MiB for each and for the present stretch, of at most 8. Of Arrow batches as the writer cut them, 2
/// GiB each at most. Nothing is decoded ahead where it would come to more than 256 MiB, or of stretches of more than 64
/// MiB to more than one. Rows that are as long as they like are copied one at a time.
pub struct TableSource {
    table: Table,
    /// Opens the table after so many rows, when the first row is asked for.
    open: Option<Box<Open>>,
    /// Threads that work on its rows.
    workers: NonZeroUsize,
    /// Whether rows can be skipped without reading them.
    seeks: bool,
    /// What is not used yet; `None` before the table is opened and after its end.
    batches: Option<Ahead>,
    /// What is used now, and the first row of it that was not taken.
    rows: Option<(Arc<Rows>, usize)>,
    /// Rows that were met.
    met: u64,
}

/// Gives the rows after so many, and how many of the first ones are to be skipped all the same.
type Open = dyn FnOnce(u64) -> Result<(Box<dyn Stretches>, usize), String> + Send;

/// What all rows have in common.
#[derive(Debug, Clone)]
struct Table {
    /// The file; a table in memory has none.
    place: Option<Place>,
    html: bool,
}

impl TableSource {
    /// The rows of a Parquet file, which is opened when the first one is asked for. `place` says what it is called.
    #[must_use]
    pub fn of_parquet(path: impl Into<PathBuf>, place: Place, fields: &TableFields) -> Self {
        let path = path.into();
        Self::of(place, fields, true, move |fields, skip| {
            let file = File::open(path).map_err(|error| error.to_string())?;
            parquet_reader::open(file, skip, |schema| ColumnSelection::find(schema, &fields))
        })
    }

    /// The rows of Parquet as it comes, compressed as a whole or from a pipe. What lies where is written at its end: so
    /// when the first row is asked for, all of it is written to a temporary file, which has no name and is gone with
    /// the source.
    #[must_use]
    pub fn of_parquet_stream(
        reader: impl Read + Send + 'static,
        place: Place,
        fields: &TableFields,
    ) -> Self {
        Self::of(place, fields, true, move |fields, skip| {
            let file = parquet_reader::spooled(reader).map_err(|error| error.to_string())?;
            parquet_reader::open(file, skip, |schema| ColumnSelection::find(schema, &fields))
        })
    }

    /// The rows of Arrow IPC, a file (also called Feather 2) or a stream, read from its beginning to its end. A file
    /// that is cut between two batches is an error after its rows; of a stream nobody can tell.
    #[must_use]
    pub fn of_arrow(
        reader: impl Read + Send + 'static,
        place: Place,
        fields: &TableFields,
    ) -> Self {
        Self::of(place, fields, false, |fields, _| {
            Ok((arrow_reader::open(reader, |schema| ColumnSelection::find(schema, &fields))?, 0))
        })
    }

    /// The rows of batches in memory, which have this schema. Columns are found at once, and nothing of them is copied
    /// before somebody works on a row.
    ///
    /// A row without an id is called by its position, from 0. The file of its place is its id, as there is no file.
    ///
    /// # Errors
    /// Where there is no column of the content, or one that is named has another type than it needs: the message names
    /// the columns there are.
    pub fn of_batches(
        schema: &Schema,
        batches: Vec<RecordBatch>,
        fields: &TableFields,
    ) -> Result<Self, String> {
        let stretches = MemoryBatches::new(ColumnSelection::find(schema, fields)?, batches);
        Ok(Self::of(None, fields, false, move |_, _| Ok((Box::new(stretches), 0))))
    }

    fn of(
        place: impl Into<Option<Place>>,
        fields: &TableFields,
        seeks: bool,
        open: impl FnOnce(TableFields, u64) -> Result<(Box<dyn Stretches>, usize), String>
        + Send
        + 'static,
    ) -> Self {
        let table = Table { place: place.into(), html: fields.is_html() };
        let fields = fields.clone();
        let open = Box::new(move |skip| apart(move || open(fields, skip)));
        Self {
            table,
            open: Some(open),
            workers: NonZeroUsize::MIN,
            seeks,
            batches: None,
            rows: None,
            met: 0,
        }
    }

    /// The batch with the next row, and which of its rows that is.
    fn ahead(&mut self) -> Option<Result<(Arc<Rows>, usize), ErrorRecord>> {
        let mut pass = 0;
        if let Some(open) = self.open.take() {
            match open(self.met) {
                Ok((stretches, passed)) => {
                    self.batches = Some(Ahead::of(stretches, self.workers));
                    pass = passed;
                }
                Err(detail) => return Some(Err(self.bad(detail))),
            }
        }
        loop {
            if let Some((rows, next)) = self.rows.take()
                && next < rows.count
            {
                return Some(Ok((rows, next)));
            }
            match self.batches.as_ref()?.next() {
                Some(Ok(rows)) => {
                    let passed = pass.min(rows.count);
                    pass -= passed;
                    self.rows = Some((Arc::new(rows), passed));
                }
                // Rows that were met before.
                Some(Err(Unreadable { rows: Some(rows), .. })) if rows <= pass => pass -= rows,
                Some(Err(Unreadable { rows: Some(rows), error })) => {
                    let bad = self.bad_rows(rows - std::mem::take(&mut pass), &error);
                    return Some(Err(bad));
                }
                Some(Err(Unreadable { rows: None, error })) => {
                    self.batches = None;
                    return Some(Err(self.bad(error)));
                }
                None => self.batches = None,
            }
        }
    }

    /// The error of so many rows that cannot be read; others follow.
    fn bad_rows(&mut self, rows: usize, error: &str) -> ErrorRecord {
        let first = self.met + 1;
        self.met = self.met.saturating_add(rows as u64);
        let detail = format!("rows {first} to {} cannot be read: {error}", self.met);
        let place = self.table.place(Some(first), None);
        self::error(None, place, ReasonCode::BAD_FILE, detail)
    }

    /// The error of the row that cannot be read, or of the table.
    fn bad(&self, detail: String) -> ErrorRecord {
        let row = (self.met > 0).then_some(self.met + 1);
        error(None, self.table.place(row, None), ReasonCode::BAD_FILE, detail)
    }
}

impl Source for TableSource {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        let (rows, next) = match self.ahead()? {
            Ok(ahead) => ahead,
            Err(error) => return Some(Err(error)),
        };
        self.met += 1;
        let document = self.table.document(&rows, next, self.met);
        self.rows = Some((rows, next + 1));
        Some(document)
    }

    fn next_batch(&mut self) -> Option<Batch> {
        let (rows, next) = match self.ahead()? {
            Ok(ahead) => ahead,
            Err(error) => return Some(Batch::ready(vec![Err(error)])),
        };
        let (mut end, mut bytes) = (next, 0u64);
        while end < rows.count && end - next < BATCH_DOCUMENTS && bytes < BATCH_BYTES {
            bytes += rows.content(end).len() as u64;
            end += 1;
        }
        let first = self.met + 1;
        self.met += (end - next) as u64;
        self.rows = Some((Arc::clone(&rows), end));
        let table = self.table.clone();
        let count = end - next;
        let ahead = self.batches.clone();
        Some(Batch::later(count, bytes, move || {
            if let Some(batches) = ahead {
                batches.decode();
            }
            table.documents(&rows, next..end, first)
        }))
    }

    fn expect_workers(&mut self, workers: NonZeroUsize) {
        self.workers = workers;
        if let Some(batches) = &self.batches {
            batches.expect(workers);
        }
    }

    fn position(&self) -> Option<Position> {
        let stands = self.seeks && (self.open.is_some() || self.batches.is_some());
        stands.then(|| Position { row: self.met, ..Position::default() })
    }

    fn go_on(&mut self, position: &Position) -> bool {
        let can = self.seeks && self.open.is_some();
        if can {
            self.met = position.row;
        }
        can
    }
}

impl Table {
    /// Some rows of a batch, of which the first has the number `first` in the table.
    fn documents(
        &self,
        rows: &Rows,
        some: Range<usize>,
        first: u64,
    ) -> Vec<Result<Document, ErrorRecord>> {
        some.zip(first..).map(|(row, number)| self.document(rows, row, number)).collect()
    }

    /// Where the row of a number, or the whole table, is.
    fn place(&self, row: Option<u64>, id: Option<&DocumentId>) -> Place {
        match (&self.place, row, id) {
            (Some(place), row, _) => Place { row, ..place.clone() },
            (None, _, Some(id)) => Place { file: id.as_str().into(), ..Place::default() },
            (None, Some(row), None) => Place { file: self.name(row).into(), ..Place::default() },
            (None, None, None) => Place::default(),
        }
    }

    /// What a row without an id is called.
    fn name(&self, number: u64) -> String {
        match &self.place {
            Some(place) => Place { row: Some(number), ..place.clone() }.to_string(),
            None => (number - 1).to_string(),
        }
    }

    fn document(&self, rows: &Rows, row: usize, number: u64) -> Result<Document, ErrorRecord> {
        let id = match rows.id(row) {
            None => DocumentId::new(self.name(number)).map_err(|bad| bad.to_string()),
            Some(Ok(id)) => DocumentId::new(id).map_err(|bad| bad.to_string()),
            Some(Err(detail)) => Err(detail),
        };
        let place = self.place(Some(number), id.as_ref().ok());
        let id = match id {
            Ok(id) => id,
            Err(detail) => return Err(error(None, place, ReasonCode::BAD_ID, detail)),
        };
        let bytes = rows.content(row);
        let order = rows.order(row);
        if self.html {
            let content = match std::str::from_utf8(bytes) {
                Ok(page) if rows.is_text => Content::Page(page.to_owned()),
                _ => Content::Bytes(bytes.to_vec()),
            };
            let mut document = Document::new(id, place, content);
            document.media_type = Some("text/html".to_owned());
            document.charset = rows.is_text.then(|| "utf-8".to_owned());
            document.order = order;
            return Ok(document);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let document = Document::new(id, place, Content::Text(text.to_owned()));
                Ok(Document { order, ..document })
            }
            Err(bad) => {
                let detail = format!("the text is not valid UTF-8 from byte {}", bad.valid_up_to());
                Err(error(Some(id), place, ReasonCode::DAMAGED, detail))
            }
        }
    }
}

fn error(id: Option<DocumentId>, place: Place, reason: ReasonCode, detail: String) -> ErrorRecord {
    ErrorRecord { id, place, reason, detail: detail.into() }
}
