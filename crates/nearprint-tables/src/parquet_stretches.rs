//! Rows of a Parquet file in stretches: row groups, or runs of rows within one, each decoded by a reader of its own.
//!
//! A row group may have millions of rows, of which neither the bytes nor what is decoded may be held at once. So of a
//! large one several readers decode a stretch each, in turn: the first stretch the first one, the next the second, and
//! so on. A reader goes past the stretches of the others by the heads of their pages; a page that two stretches share
//! is expanded by two.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, RowSelection, RowSelector,
};

use parquet::file::reader::Length;

use crate::decoder_thread::{damaged, guarded};
use crate::page_sizes::{PageSizes, SMALL, largest_batch};
use crate::parquet_pages::checked_reader;
use crate::parquet_reader::{RowSize, WithinFile};
use crate::rows::ColumnSelection;
use crate::stretches::{DamagedRows, DecodedStretch, End, LONG_STRETCH, Stretch, Stretches};

/// Bytes of a stretch that are aimed at where several are decoded at once: so few pages lie on its ends.
const STRETCH_BYTES: u64 = 16 << 20;

/// Batches of a stretch (<=): rows that are said to be small may be large.
const MOST_BATCHES: usize = 64;

/// Stretches of a row group (<=) that is read by several readers: each of them gets all of its own in advance.
const MOST_STRETCHES: usize = 1 << 16;

/// What is read of a file.
pub(crate) struct Columns {
    pub(crate) file: WithinFile,
    pub(crate) metadata: ArrowReaderMetadata,
    pub(crate) columns: ProjectionMask,
    pub(crate) wanted: ColumnSelection,
    pub(crate) size: RowSize,
}

/// Row groups that are read as one: one of them, or some so small that they make one batch. Batches begin where it
/// begins, whatever was skipped before, so that what is damaged is the same rows each time.
#[derive(Clone)]
struct Unit {
    groups: std::ops::Range<usize>,
    rows: usize,
}

pub(crate) struct ParquetStretches {
    columns: Arc<Columns>,
    /// Those that are not begun, the next one last.
    units: Vec<Unit>,
    /// The one that is read, and how many of its rows are after.
    unit: Unit,
    at: usize,
    /// The sizes of its pages, once somebody reads them.
    sizes: Arc<OnceLock<PageSizes>>,
    /// Who reads it.
    lanes: Vec<Arc<Mutex<Lane>>>,
    /// For how many decoders they were made.
    decoders: usize,
    turn: usize,
}

impl ParquetStretches {
    /// The stretches from the batch on in which so many rows end, and how many of its rows these are.
    pub(crate) fn behind(skip: u64, columns: Columns) -> (Self, usize) {
        let batch = columns.size.batch;
        let mut units: Vec<Unit> = Vec::new();
        for (number, group) in columns.metadata.metadata().row_groups().iter().enumerate() {
            let rows = usize::try_from(group.num_rows()).unwrap_or(0);
            match units.last_mut() {
                Some(unit) if unit.rows.saturating_add(rows) <= batch => {
                    unit.groups.end = number + 1;
                    unit.rows += rows;
                }
                _ => units.push(Unit { groups: number..number + 1, rows }),
            }
        }
        units.reverse();
        let mut left = usize::try_from(skip).unwrap_or(usize::MAX);
        while let Some(unit) = units.pop_if(|unit| unit.rows <= left) {
            left -= unit.rows;
        }
        let unit = units.pop().unwrap_or(Unit { groups: 0..0, rows: 0 });
        let at = if unit.rows == 0 { 0 } else { left - left % batch };
        let (lanes, columns) = (Vec::new(), Arc::new(columns));
        let sizes = Arc::default();
        (Self { columns, units, unit, at, sizes, lanes, decoders: 0, turn: 0 }, left - at)
    }

    /// Rows of a stretch where so many are decoded at once, whole batches.
    fn stretch_rows(&self, decoders: usize) -> usize {
        let RowSize { mean, batch } = self.columns.size;
        if decoders == 1 {
            return batch;
        }
        let batches = STRETCH_BYTES / mean.saturating_mul(batch as u64);
        batch * usize::try_from(batches).unwrap_or(1).clamp(1, MOST_BATCHES)
    }
}

impl Stretches for ParquetStretches {
    fn next(&mut self, decoders: usize) -> Option<Result<Stretch, String>> {
        while self.at >= self.unit.rows {
            self.unit = self.units.pop()?;
            self.at = 0;
            self.sizes = Arc::default();
            self.lanes.clear();
        }
        let rows = self.stretch_rows(decoders);
        if self.lanes.is_empty() || self.decoders != decoders {
            let stretches = (self.unit.rows - self.at).div_ceil(rows);
            let count = if stretches > MOST_STRETCHES { 1 } else { decoders.min(stretches) };
            let lane = |_| {
                let (columns, unit) = (Arc::clone(&self.columns), self.unit.clone());
                let sizes = Arc::clone(&self.sizes);
                let lane = Lane { columns, unit, sizes, rows, count, reader: None, at: 0 };
                Arc::new(Mutex::new(lane))
            };
            self.lanes = (0..count).map(lane).collect();
            (self.decoders, self.turn) = (decoders, 0);
        }
        let lane = Arc::clone(&self.lanes[self.turn]);
        self.turn = (self.turn + 1) % self.lanes.len();
        let begin = self.at;
        let end = begin.saturating_add(rows).min(self.unit.rows);
        self.at = end;
        let unit = self.unit.groups.start;
        Some(Ok(stretch(lane, unit, begin, end, self.columns.size.mean)))
    }

    /// Of a small file few are decoded at once: what each of them expands to may be much, and is held.
    fn most_decoders(&self) -> usize {
        if self.columns.file.len() <= SMALL { 2 } else { usize::MAX }
    }

    fn leave(&mut self, unit: usize) {
        if self.unit.groups.start == unit {
            self.at = self.unit.rows;
        }
    }
}

/// Some rows of a unit that a lane decodes.
fn stretch(lane: Arc<Mutex<Lane>>, unit: usize, begin: usize, end: usize, mean: u64) -> Stretch {
    let bytes = mean.saturating_mul((end - begin) as u64);
    Stretch::new(usize::try_from(bytes).unwrap_or(usize::MAX), unit, move || {
        // After a panic there is no reader in it.
        let mut reading = lane.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut decoded, mut bytes, mut at) = (DecodedStretch::default(), 0_usize, begin);
        while at < end {
            if bytes >= LONG_STRETCH {
                drop(reading);
                decoded.end = End::Rest(stretch(lane, unit, at, end, mean));
                break;
            }
            match guarded(|| reading.batch(at, end)) {
                Ok(rows) => {
                    at += rows.count;
                    bytes = bytes.saturating_add(rows.bytes);
                    decoded.batches.push(rows);
                }
                Err(error) => {
                    reading.reader = None;
                    decoded.end = reading.damaged(at, error);
                    break;
                }
            }
        }
        Ok(decoded)
    })
}

/// A reader of some stretches of a unit: of as many as there are lanes every one but for the first skipped over.
struct Lane {
    columns: Arc<Columns>,
    unit: Unit,
    /// The sizes of the unit's pages.
    sizes: Arc<OnceLock<PageSizes>>,
    /// Rows of a stretch.
    rows: usize,
    /// How many lanes there are.
    count: usize,
    reader: Option<ParquetRecordBatchReader>,
    /// The row of the unit that the reader gives next.
    at: usize,
}

impl Lane {
    /// The next rows from `at` on of a stretch that goes to `end`.
    fn batch(&mut self, at: usize, end: usize) -> Result<crate::rows::Rows, String> {
        let rows = self.columns.size.batch.min(end - at);
        self.check_expansion(at..at + rows)?;
        let mut reader = match self.reader.take() {
            Some(reader) if self.at == at => reader,
            _ => self.reader_from(at, end)?,
        };
        let batch = match reader.next() {
            Some(batch) => batch.map_err(damaged)?,
            None => return Err(too_few()),
        };
        if batch.num_rows() != rows {
            return Err(too_few());
        }
        let rows = self.columns.wanted.rows(&batch)?;
        self.at = at + rows.count;
        if self.at == end {
            // Behind the stretches of the others.
            self.at = end.saturating_add(self.rows.saturating_mul(self.count - 1));
        }
        self.reader = Some(reader);
        Ok(rows)
    }

    /// Refuses rows whose pages would take too much memory together, before they are expanded.
    fn check_expansion(&self, rows: std::ops::Range<usize>) -> Result<(), String> {
        let Columns { file, metadata, columns, .. } = &*self.columns;
        let sizes = self.sizes.get_or_init(|| {
            let is_read = |leaf| columns.leaf_included(leaf);
            PageSizes::of(file, metadata.metadata(), self.unit.groups.clone(), is_read)
        });
        let bytes = sizes.of_rows(rows).ok_or_else(too_few)?;
        let limit = largest_batch(file.len());
        if bytes > limit {
            return Err(format!(
                "its pages expand to {bytes} bytes; the limit for a file of {} bytes is {limit}: write the table \
                 in smaller pages",
                file.len()
            ));
        }
        Ok(())
    }

    /// What follows rows of the unit that were read, where the one at `at` cannot be: the next row group, of several
    /// that make one unit.
    fn damaged(&self, at: usize, error: String) -> End {
        let (rows, several) = (self.unit.rows - at, self.unit.groups.len() > 1);
        let alone = several.then(|| self.alone(self.unit.groups.clone())).flatten();
        match alone {
            Some(alone) if at == 0 => End::Rest(alone),
            _ => End::Damaged(DamagedRows { rows, error, rest: None }),
        }
    }

    /// These row groups one by one, each read alone.
    fn alone(&self, groups: std::ops::Range<usize>) -> Option<Stretch> {
        let first = groups.start;
        let rest = first + 1..groups.end;
        let rows = self.columns.metadata.metadata().row_groups().get(first)?.num_rows();
        let rows = usize::try_from(rows).unwrap_or(0);
        let (columns, unit) = (Arc::clone(&self.columns), Unit { groups: first..rest.start, rows });
        let (rows_of, sizes) = (rows.max(1), Arc::default());
        let mut lane = Self { columns, unit, sizes, rows: rows_of, count: 1, reader: None, at: 0 };
        let unit = self.unit.groups.start;
        let more = Self {
            columns: Arc::clone(&self.columns),
            unit: self.unit.clone(),
            sizes: Arc::default(),
            rows: 1,
            count: 1,
            reader: None,
            at: 0,
        };
        Some(Stretch::new(0, unit, move || {
            let rest = (!rest.is_empty()).then(|| more.alone(rest)).flatten();
            let mut decoded = DecodedStretch::default();
            let batch = if rows == 0 { None } else { Some(guarded(|| lane.batch(0, rows))) };
            decoded.end = match (batch, rest) {
                (Some(Err(error)), rest) => End::Damaged(DamagedRows { rows, error, rest }),
                (batch, rest) => {
                    decoded.batches.extend(batch.and_then(Result::ok));
                    rest.map_or(End::Next, End::Rest)
                }
            };
            Ok(decoded)
        }))
    }

    /// A reader of the stretch from `at` to `end`, and of the stretches of this lane after it.
    fn reader_from(&self, at: usize, end: usize) -> Result<ParquetRecordBatchReader, String> {
        let Columns { file, metadata, columns, size, .. } = &*self.columns;
        let mut selectors = Vec::new();
        let mut behind = 0;
        let (mut begin, mut end) = (at, if self.count == 1 { self.unit.rows } else { end });
        while begin < self.unit.rows {
            if begin > behind {
                selectors.push(RowSelector::skip(begin - behind));
            }
            selectors.push(RowSelector::select(end - begin));
            behind = end;
            begin = end.saturating_add(self.rows.saturating_mul(self.count - 1));
            end = begin.saturating_add(self.rows).min(self.unit.rows);
        }
        let groups = self.unit.groups.clone().collect();
        let selection = Some(RowSelection::from(selectors));
        checked_reader(file.clone(), metadata, groups, columns.clone(), size.batch, selection)
            .map_err(damaged)
    }
}

fn too_few() -> String {
    damaged("a row group has fewer rows than it states")
}
