//! Reads documents from files, archives and rows, and writes results in several formats.
//!
//! - In: a [`Source`] yields [`Document`]s and [`ErrorRecord`]s, each with its [`Place`]. [`FileSource`] reads files
//!   and directories, [`PathList`] a list of paths. [`PrintReader`] reads text fingerprint files, [`PrintFile`] binary
//!   ones, [`InterchangeReader`] the files that parties exchange.
//! - Ids: a [`DocumentId`] fits into one column of one line. Paths are converted to ids reversibly.
//! - Out: a [`Row`] is one result, which [`RowWriter`] writes as text or as a line of JSON. A [`TableRow`] has cells
//!   for tables. A [`FinishedFile`] appears under its name only when it is complete.
//!
//! `docs/FORMAT.md` specifies the formats. Tests read every line back as another program would. Extraction,
//! fingerprinting and search are *not* here. This crate knows what a fingerprint looks like, but not how it is
//! computed.
//!
//! ```
//! use nearprint_records::{Format, PrintFormat, PrintReader, PrintRecord, RowWriter};
//!
//! let text = "sd1:aerukz4jvpg66\tone.txt\n";
//! let records: Vec<_> = PrintReader::new("prints.txt", text.as_bytes(), PrintFormat::Nearprint).collect();
//! let record: &PrintRecord = records[0].as_ref().unwrap();
//! assert_eq!(record.id.as_str(), "one.txt");
//!
//! let mut out = RowWriter::new(Format::Text, Vec::new());
//! out.write(record)?;
//! assert_eq!(out.into_inner(), text.as_bytes());
//! # Ok::<(), std::io::Error>(())
//! ```

#![cfg_attr(
    not(all(
        feature = "archives",
        feature = "charsets",
        feature = "directories",
        feature = "spill"
    )),
    allow(dead_code, unused_imports, reason = "what only a missing feature needs stays")
)]

mod appearance;
mod archive;
mod bad_records;
mod batch;
mod beginning;
mod capture;
mod cells;
#[cfg(feature = "archives")]
mod compressor;
#[cfg(not(feature = "archives"))]
#[path = "compressor_none.rs"]
mod compressor;
mod container;
mod content_digests;
mod counting_writer;
mod document;
mod expansion;
mod fields;
mod files;
#[cfg(feature = "directories")]
mod globs;
#[cfg(not(feature = "directories"))]
#[path = "globs_none.rs"]
mod globs;
mod http_body;
mod id;
mod input_file;
mod interchange;
mod json_lines;
mod lines;
mod order;
mod output_check;
mod parts;
mod path_list;
mod patterns;
mod place;
mod position;
pub mod positioned_io;
mod print_file;
mod prints;
mod read_settings;
mod reason;
mod record_copy;
mod record_counts;
mod row;
#[cfg(feature = "charsets")]
mod row_charset;
#[cfg(not(feature = "charsets"))]
#[path = "row_charset_none.rs"]
mod row_charset;
mod rows;
mod same_file;
mod selection;
mod separated_values;
mod separated_writer;
mod surt;
mod table_form;
mod work;
mod writer;

pub use appearance::{Appearance, FirstLine};
pub use archive::{
    RevisitReference, RevisitTarget, StoredKind, StoredPayload, StoredRecord, StoredRecords,
};
pub use bad_records::BadRecords;
pub use batch::{BATCH_BYTES, BATCH_DOCUMENTS, Batch};
pub use beginning::{FieldPurpose, MissingField};
pub use capture::{Capture, REVISIT_TYPE, RevisitedCapture, capture_seconds};
pub use cells::{Cell, CellKind, Column, TableRow};
pub use container::Container;
pub use content_digests::{ContentDigests, Sha256Digest};
pub use counting_writer::CountingWriter;
pub use document::{Content, Document, ErrorRecord, Source};
pub use fields::{BadPointer, TableFields};
pub use files::{FileSettings, FileSource};
pub use http_body::HttpBody;
pub use id::{BadId, DocumentId, LONGEST_ID, escape, unescape};
pub use input_file::InputFile;
pub use interchange::{
    InterchangeError, InterchangeForm, InterchangeHeader, InterchangeReader, InterchangeReason,
    InterchangeRelation, InterchangeRow, InterchangeWriter,
};
pub use order::OrderKey;
pub use output_check::{OutputCheck, OutputRefusal};
pub use parts::{Checkpoint, Folder, JobIdentity, PartSize, Parts, PartsError, Storage};
pub use path_list::PathList;
pub use patterns::matching;
pub use place::Place;
pub use position::Position;
pub use print_file::{
    PrintFile, PrintFileEnd, PrintFileError, PrintFileIds, PrintFileWriter, ShortMarks,
    little_endian_print,
};
pub use prints::{
    ExtractorVersion, PrintFormat, PrintReader, PrintRecord, SHORT_MARK, StatedScheme,
    UnknownPrintFormat, write_print_line,
};
pub use read_settings::{CaptureIds, ReadSettings};
pub use reason::ReasonCode;
pub use record_copy::{
    copy_elements_without, copy_records, copy_without, mixed_compression, rewritten,
};
pub use record_counts::{RecordCounter, RecordCounts};
pub use rows::{
    CalibrationRow, ChanceRow, CheckRow, ClusterRow, ComparisonRow, Containment, ContaminationRow,
    Decision, DecisionReason, DecisionRow, DeduplicationRow, DifferenceKind, DifferenceRow,
    ExportEndRow, ExportHeadRow, ExtractionFailure, ExtractionNote, ExtractionRow,
    FingerprintRecord, FoundIn, Grade, HealthRow, IdfTableRow, IndexChangeRow, IndexRow,
    IndexedRow, KindRow, MatchOfMany, MatchRow, Note, Outcome, Pace, PairRow, PassagePlaceRow,
    PassageRow, PassagesSummaryRow, SchemeRow, SharedPassageRow, StatedDecision,
    StatedDecisionError, SummaryRow, TextGrade, TextRange, TextVerdict, Verdict, WordRow,
};
pub use same_file::SameFile;
pub use selection::{BadGlob, Selection};
pub use surt::url_key;
pub use table_form::{BadDelimiter, Delimiter, TableForm};
pub use writer::{Format, Row, RowWriter, UnknownFormat};

pub use nearprint_output::{FileIdentity, FinishedFile, FinishedFolder, OutputPlace, durability};
