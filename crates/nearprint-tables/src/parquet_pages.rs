//! Pages of Parquet that are examined before their decoder allocates what they state.
//!
//! A page says how many values it has, and the decoders take memory for as many before they look for them: of a file of
//! some hundred bytes more than any machine has, at which the process would end. So the pages that a reader is given
//! pass by here. What they hold is left to the decoders, which give errors where it is damaged.
//!
//! Decoders that read several row groups go on with the next where one ends. If one had more or fewer rows than the
//! footer states, the rows behind it would be taken for others, so the rows of pages are counted here too.

use std::sync::Arc;

use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, RowGroups, RowSelection,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescriptor;

/// Values of a page (<=) whose lengths are written as differences: these are decoded at once, into 4 bytes each.
const MOST_VALUES: u64 = 1 << 24;

/// The rows of some row groups of a file, in these columns; all of them where none are selected.
pub(crate) fn checked_reader(
    file: impl ChunkReader + 'static,
    metadata: &ArrowReaderMetadata,
    groups: Vec<usize>,
    columns: ProjectionMask,
    batch: usize,
    selection: Option<RowSelection>,
) -> Result<ParquetRecordBatchReader> {
    let fields = Some(metadata.schema().fields());
    let metadata = Arc::clone(metadata.metadata());
    let described = metadata.file_metadata().schema_descr();
    let levels = parquet_to_arrow_field_levels(described, columns, fields)?;
    let groups = CheckedGroups { file: Arc::new(file), metadata, groups };
    // No large batch for few rows.
    let batch = batch.min(groups.num_rows());
    ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, batch, selection)
}

struct CheckedGroups<F> {
    file: Arc<F>,
    metadata: Arc<ParquetMetaData>,
    groups: Vec<usize>,
}

impl<F: ChunkReader + 'static> RowGroups for CheckedGroups<F> {
    fn num_rows(&self) -> usize {
        let rows = self.row_groups().map(|group| usize::try_from(group.num_rows()).unwrap_or(0));
        rows.fold(0, usize::saturating_add)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        Ok(Box::new(Chunks {
            file: Arc::clone(&self.file),
            metadata: Arc::clone(&self.metadata),
            groups: self.groups.clone().into_iter(),
            column,
        }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.groups.iter().map(|group| self.metadata.row_group(*group)))
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The pages of a column, for each row group a reader.
struct Chunks<F> {
    file: Arc<F>,
    metadata: Arc<ParquetMetaData>,
    groups: std::vec::IntoIter<usize>,
    column: usize,
}

impl<F: ChunkReader + 'static> Iterator for Chunks<F> {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.metadata.row_group(self.groups.next()?);
        let chunk = group.column(self.column);
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        let pages = SerializedPageReader::new(Arc::clone(&self.file), chunk, rows, None);
        let levels = Levels::of(chunk.column_descr());
        let rows = RowCount { stated: rows, found: (levels.repetition == 0).then_some(0) };
        Some(pages.map(|pages| Box::new(CheckedPages { pages, levels, rows }) as _))
    }
}

impl<F: ChunkReader + 'static> PageIterator for Chunks<F> {}

/// Whether values are preceded by levels of repetition and of definition, and how many bits the highest of these takes.
#[derive(Debug, Clone, Copy)]
struct Levels {
    repetition: u32,
    definition: u32,
}

impl Levels {
    fn of(column: &ColumnDescriptor) -> Self {
        let bits =
            |level: i16| u16::try_from(level).unwrap_or(0).checked_ilog2().map_or(0, |n| n + 1);
        Self { repetition: bits(column.max_rep_level()), definition: bits(column.max_def_level()) }
    }
}

/// The rows of a column in a row group.
#[derive(Debug)]
struct RowCount {
    /// By the footer.
    stated: usize,
    /// In the pages up to here; none in lists, which have more values than rows: pages of the first version do not
    /// state theirs, and some writers are wrong about those of the second.
    found: Option<usize>,
}

impl RowCount {
    /// Counts a page of so many values; none where it does not say.
    fn add(&mut self, values: Option<usize>) -> Result<()> {
        self.found = self.found.zip(values).and_then(|(found, more)| found.checked_add(more));
        match self.found {
            Some(found) if found > self.stated => Err(Self::wrong("more")),
            _ => Ok(()),
        }
    }

    /// The last page was counted.
    fn end(&self) -> Result<()> {
        match self.found {
            Some(found) if found < self.stated => Err(Self::wrong("fewer")),
            _ => Ok(()),
        }
    }

    fn wrong(what: &str) -> ParquetError {
        ParquetError::General(format!("a row group has {what} rows than it states"))
    }
}

/// Pages of a column, checked as they are read.
struct CheckedPages<F: ChunkReader> {
    pages: SerializedPageReader<F>,
    levels: Levels,
    rows: RowCount,
}

impl<F: ChunkReader + 'static> Iterator for CheckedPages<F> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<F: ChunkReader + 'static> PageReader for CheckedPages<F> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(page) = self.pages.get_next_page()? else {
            self.rows.end()?;
            return Ok(None);
        };
        if page.is_data_page() {
            self.rows.add(Some(page.num_values() as usize))?;
        }
        checked(page, self.levels).map(Some)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        if let Some(page) = self.pages.peek_next_page()?
            && !page.is_dict
        {
            self.rows.add(page.num_levels.or(page.num_rows))?;
        }
        self.pages.skip_next_page()
    }

    fn supports_deferred_dictionary(&self) -> bool {
        self.pages.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        self.pages.take_deferred_dictionary()?.map(|page| checked(page, self.levels)).transpose()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

/// The page, unless it states more values than there can be.
fn checked(page: Page, levels: Levels) -> Result<Page> {
    let possible = match &page {
        // Each value of a dictionary takes a byte, at the least.
        Page::DictionaryPage { buf, num_values, .. } => *num_values as usize <= buf.len(),
        Page::DataPage {
            buf,
            num_values,
            encoding,
            def_level_encoding,
            rep_level_encoding,
            ..
        } => {
            let repetition = behind_level(buf, levels.repetition, *rep_level_encoding, *num_values);
            let values = repetition.and_then(|rest| {
                behind_level(rest, levels.definition, *def_level_encoding, *num_values)
            });
            values.is_some_and(|values| may_be_decoded(values, *encoding))
        }
        Page::DataPageV2 { buf, encoding, def_levels_byte_len, rep_levels_byte_len, .. } => {
            let levels = (*def_levels_byte_len as usize).checked_add(*rep_levels_byte_len as usize);
            let values = levels.and_then(|levels| buf.get(levels..));
            values.is_some_and(|values| may_be_decoded(values, *encoding))
        }
    };
    if possible {
        return Ok(page);
    }
    Err(ParquetError::General("a page states more values than it can have".to_owned()))
}

/// What follows levels of so many bits: run lengths behind their own length, or packed bits.
fn behind_level(page: &[u8], bits: u32, encoding: Encoding, values: u32) -> Option<&[u8]> {
    if bits == 0 {
        return Some(page);
    }
    if encoding == Encoding::RLE {
        let (length, rest) = page.split_first_chunk()?;
        return rest.get(u32::from_le_bytes(*length) as usize..);
    }
    let packed = (u64::from(values) * u64::from(bits)).div_ceil(8);
    page.get(usize::try_from(packed).ok()?..)
}

/// Whether the lengths of values, where they are written as differences, are no more than may be decoded at once.
fn may_be_decoded(values: &[u8], encoding: Encoding) -> bool {
    let lists = match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        // How much of the value before is repeated, and how much comes after that.
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => 0,
    };
    let mut rest = values;
    // The second list may be missing where the first one has no values, or the page is damaged: its decoder says so.
    (0..lists).all(|_| match list_of_differences(&mut rest) {
        Some(count) => count <= MOST_VALUES,
        None => false,
    })
}

/// Goes past a list of numbers that are written as differences, and returns how many it states: all of them, where it
/// states too many.
fn list_of_differences(rest: &mut &[u8]) -> Option<u64> {
    let (block, parts, count) = (varint(rest)?, varint(rest)?, varint(rest)?);
    varint(rest)?; // the first value
    if count > MOST_VALUES {
        return Some(count);
    }
    let of_part = block.checked_div(parts)?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint(rest)?; // the least difference
        let (widths, after) = rest.split_at_checked(usize::try_from(parts).ok()?)?;
        *rest = after;
        for width in widths {
            // Parts without values may state any width, and take no bytes.
            if left > 0 {
                let bytes = u64::from(*width).checked_mul(of_part)? / 8;
                *rest = rest.get(usize::try_from(bytes).ok()?..)?;
            }
            left = left.saturating_sub(of_part);
        }
        if of_part == 0 {
            return None;
        }
    }
    Some(count)
}

/// A number of seven bits a byte, the lowest first.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for place in 0..10 {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7F).checked_shl(place * 7)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of this many numbers: one block of four parts, all differences 0 or of 8 bits.
    fn list(count: u8, width: u8) -> Vec<u8> {
        let mut bytes = vec![0x80, 1, 4, count, 0];
        if count > 1 {
            bytes.extend([0, width, 0, 0, 0]);
            bytes.extend(vec![0; usize::from(width) * 32 / 8]);
        }
        bytes
    }

    #[test]
    fn lists_of_differences_are_passed() {
        for (count, width) in [(0, 0), (1, 0), (2, 0), (33, 8), (100, 3)] {
            let bytes = [list(count, width), b"behind".to_vec()].concat();
            let mut rest = &bytes[..];
            assert_eq!(list_of_differences(&mut rest), Some(count.into()), "{count} {width}");
            assert_eq!(rest, b"behind", "{count} {width}");
        }
        for damaged in
            [&b""[..], b"\x80\x01", b"\x80\x01\x00\x05\x00", b"\x80\x01\x04\x05\x00\x00\xFF"]
        {
            assert_eq!(list_of_differences(&mut &damaged[..]), None, "{damaged:?}");
        }
    }

    #[test]
    fn pages_that_state_too_much_are_refused() {
        // 2^55 values, in the first list and in the second.
        let absurd = [&[0x80, 1, 4][..], &[0xFF; 7], &[0x7F, 0]].concat();
        let second = [list(2, 0), absurd.clone()].concat();
        for (values, encoding, expected) in [
            (&absurd, Encoding::DELTA_LENGTH_BYTE_ARRAY, false),
            (&absurd, Encoding::DELTA_BYTE_ARRAY, false),
            (&second, Encoding::DELTA_LENGTH_BYTE_ARRAY, true),
            (&second, Encoding::DELTA_BYTE_ARRAY, false),
            (&absurd, Encoding::PLAIN, true),
        ] {
            assert_eq!(may_be_decoded(values, encoding), expected, "{encoding} {values:?}");
        }
        assert!(may_be_decoded(&list(2, 0).repeat(2), Encoding::DELTA_BYTE_ARRAY));
    }

    #[test]
    fn rows_of_pages_are_counted() {
        let mut rows = RowCount { stated: 5, found: Some(0) };
        rows.add(Some(2)).unwrap();
        assert!(rows.end().unwrap_err().to_string().contains("fewer rows"));
        rows.add(Some(3)).unwrap();
        rows.end().unwrap();
        assert!(rows.add(Some(1)).unwrap_err().to_string().contains("more rows"));
        let mut lists = RowCount { stated: 1, found: None };
        lists.add(Some(9)).unwrap();
        lists.end().unwrap();
    }

    #[test]
    fn levels_are_passed() {
        let lengths = b"\x02\0\0\0LLvalues";
        assert_eq!(behind_level(lengths, 1, Encoding::RLE, 9), Some(&b"values"[..]));
        assert_eq!(behind_level(lengths, 0, Encoding::RLE, 9), Some(&lengths[..]));
        #[expect(deprecated, reason = "old files have it")]
        let packed = Encoding::BIT_PACKED;
        assert_eq!(behind_level(b"LLvalues", 1, packed, 9), Some(&b"values"[..]));
        assert_eq!(behind_level(b"\xFF\xFF\xFF\xFF", 1, Encoding::RLE, 9), None);
    }
}
