//! Sizes of the pages of Parquet, read from their heads before any of them is expanded.
//!
//! A page is expanded to as many bytes as its head states, up to 2 GiB, however few it has in the file; and the pages
//! of a batch are held together. So their sizes are added up before the batch is read. They are added up by rows, not
//! as pages happen to be read, because the same batch must be refused or read wherever a reader began.
//!
//! Columns that repeat within a row are none of those that are read, so each value of a page is a row of it.

use std::io::Read;
use std::ops::Range;

use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;

use crate::compact_thrift::{CompactReader, STRUCTURE};

/// Bytes of the pages of a batch (<=) of a file of up to [`SMALL`] bytes; of a longer one in proportion.
const LARGEST_BATCH: u64 = 128 << 20;

/// The longest file of which memory is bounded by a number alone.
pub(crate) const SMALL: u64 = 20 << 20;

/// Bytes that the pages of a batch may have in memory, in a file of this length.
pub(crate) fn largest_batch(file: u64) -> u64 {
    let product = u128::from(LARGEST_BATCH) * u128::from(file.max(SMALL));
    u64::try_from(product / u128::from(SMALL)).unwrap_or(u64::MAX)
}

/// The pages of some columns in some row groups.
#[derive(Debug)]
pub(crate) struct PageSizes(Vec<Chunk>);

/// The pages of a column in a row group.
#[derive(Debug)]
struct Chunk {
    /// Its rows, counted from the first row group.
    rows: Range<usize>,
    /// Bytes of its dictionary.
    dictionary: u64,
    /// Where the rows of each page end, and bytes of it.
    pages: Vec<(usize, u64)>,
}

impl PageSizes {
    /// Reads the heads. Pages from one on whose head is damaged are not known.
    pub(crate) fn of(
        file: &impl ChunkReader,
        metadata: &ParquetMetaData,
        groups: Range<usize>,
        is_read: impl Fn(usize) -> bool,
    ) -> Self {
        let (mut chunks, mut begin) = (Vec::new(), 0_usize);
        for group in groups.filter_map(|group| metadata.row_groups().get(group)) {
            let rows = usize::try_from(group.num_rows()).unwrap_or(0);
            let end = begin.saturating_add(rows);
            for (_, column) in group.columns().iter().enumerate().filter(|(leaf, _)| is_read(*leaf))
            {
                let mut chunk = Chunk { rows: begin..end, dictionary: 0, pages: Vec::new() };
                let (start, length) = column.byte_range();
                chunk.read(file, start, length);
                chunks.push(chunk);
            }
            begin = end;
        }
        Self(chunks)
    }

    /// Bytes of the pages that have some of these rows, with their dictionaries; none where some are not known.
    pub(crate) fn of_rows(&self, rows: Range<usize>) -> Option<u64> {
        let chunks = self.0.iter();
        let wanted =
            chunks.filter(|chunk| chunk.rows.start < rows.end && rows.start < chunk.rows.end);
        wanted
            .map(|chunk| chunk.of_rows(&rows))
            .try_fold(0_u64, |sum, bytes| Some(sum.saturating_add(bytes?)))
    }
}

impl Chunk {
    fn read(&mut self, file: &impl ChunkReader, start: u64, length: u64) {
        let (mut at, end) = (start, start.saturating_add(length));
        let mut row = self.rows.start;
        while at < end && row < self.rows.end {
            let Ok(read) = file.get_read(at) else { return };
            let reader = CompactReader::new(read.take(end - at));
            let mut head = Head { reader, page: Page::default() };
            if head.structure(0).is_none() {
                return;
            }
            let (read, page) = (head.reader.read, head.page);
            let bytes = page.expanded.max(page.packed);
            match page.kind {
                DATA | DATA_2 => {
                    row = row.saturating_add(usize::try_from(page.values).unwrap_or(usize::MAX));
                    self.pages.push((row, bytes));
                }
                DICTIONARY => self.dictionary = self.dictionary.saturating_add(bytes),
                _ => {}
            }
            at = at.saturating_add(read).saturating_add(page.packed);
        }
    }

    fn of_rows(&self, rows: &Range<usize>) -> Option<u64> {
        let rows = rows.start.max(self.rows.start)..rows.end.min(self.rows.end);
        let first = self.pages.partition_point(|(end, _)| *end <= rows.start);
        let mut sum = self.dictionary;
        for (end, bytes) in self.pages.get(first..)? {
            sum = sum.saturating_add(*bytes);
            if *end >= rows.end {
                return Some(sum);
            }
        }
        None
    }
}

const DATA: u64 = 0;
const DICTIONARY: u64 = 2;
const DATA_2: u64 = 3;

/// What a page states.
#[derive(Debug, Default)]
struct Page {
    kind: u64,
    expanded: u64,
    packed: u64,
    values: u64,
}

/// The head of a page, of which some numbers are wanted.
struct Head<R> {
    reader: CompactReader<R>,
    page: Page,
}

impl<R: Read> Head<R> {
    /// Reads a structure; `within` is the field that it is of, 0 for the head itself.
    fn structure(&mut self, within: i64) -> Option<()> {
        let mut field = 0_i64;
        loop {
            let kind;
            (field, kind) = self.reader.field(field)?;
            if kind == 0 {
                return Some(());
            }
            if let 4..=6 = kind {
                let number = u64::try_from(self.reader.number()?).ok();
                match (within, field) {
                    (0, 1) => self.page.kind = number?,
                    // Whichever is the last counts for readers: the largest counts here.
                    (0, 2) => self.page.expanded = self.page.expanded.max(number?),
                    (0, 3) => self.page.packed = number?,
                    // Of the heads of data pages of the first and the second version.
                    (5 | 8, 1) => self.page.values = number?,
                    _ => {}
                }
            } else if kind == STRUCTURE && within == 0 {
                // What has number 0 is not a structure of a head, and would be taken for the head itself.
                self.structure(if field == 0 { -1 } else { field })?;
            } else {
                self.reader.skip(kind, 1)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    /// A page with its head: of a kind, with these sizes and values, and a field that nobody wants before the last.
    fn page(kind: u8, expanded: u8, values: u8) -> Vec<u8> {
        let field = if kind == 3 { 0x5C } else { 0x2C };
        let head =
            [0x15, kind * 2, 0x15, expanded * 2, 0x15, 3 * 2, field, 0x15, values * 2, 0x18, 2];
        [&head[..], b"xy", &[0, 0], b"abc"].concat()
    }

    #[test]
    fn pages_are_added_up_by_rows() {
        let bytes = [page(2, 50, 0), page(0, 10, 4), page(3, 20, 3), page(0, 40, 5)].concat();
        let mut chunk = Chunk { rows: 100..112, dictionary: 0, pages: Vec::new() };
        chunk.read(&Bytes::from(bytes.clone()), 0, bytes.len() as u64);
        assert_eq!(
            (chunk.dictionary, &chunk.pages[..]),
            (50, &[(104, 10), (107, 20), (112, 40)][..])
        );
        let sizes = PageSizes(vec![chunk]);
        for (rows, expected) in [
            (100..104, 60),
            (103..104, 60),
            (103..105, 80),
            (104..107, 70),
            (0..112, 120),
            (111..200, 90),
            (0..100, 0),
            (112..200, 0),
        ] {
            assert_eq!(sizes.of_rows(rows.clone()), Some(expected), "{rows:?}");
        }
        // Cut off within the last page's head, or with fewer values than rows.
        for (length, end) in [(bytes.len() - 14, 112), (bytes.len(), 113)] {
            let mut chunk = Chunk { rows: 100..end, dictionary: 0, pages: Vec::new() };
            chunk.read(&Bytes::from(bytes[..length].to_vec()), 0, length as u64);
            let sizes = PageSizes(vec![chunk]);
            assert_eq!(sizes.of_rows(100..107), Some(80), "{length}");
            assert_eq!(sizes.of_rows(106..end), None, "{length}");
        }
    }

    #[test]
    fn long_files_may_have_larger_batches() {
        assert_eq!(largest_batch(0), 128 << 20);
        assert_eq!(largest_batch(20 << 20), 128 << 20);
        assert_eq!(largest_batch(200 << 20), 1280 << 20);
        assert_eq!(largest_batch(u64::MAX), u64::MAX);
    }
}
