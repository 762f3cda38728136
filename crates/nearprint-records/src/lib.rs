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

#[cfg(feature = "files")]
mod appearance;
#[cfg(feature = "files")]
mod archive;
mod bad_records;
mod batch;
#[cfg(feature = "files")]
mod beginning;
mod capture;
#[cfg(feature = "files")]
mod capture_lines;
#[cfg(feature = "files")]
mod cells;
#[cfg(feature = "archives")]
mod compressor;
#[cfg(all(feature = "files", not(feature = "archives")))]
#[path = "compressor_none.rs"]
mod compressor;
mod container;
mod content_digests;
mod counting_writer;
mod document;
#[cfg(feature = "files")]
mod element_copy;
#[cfg(feature = "files")]
mod expansion;
mod extractor_version;
#[cfg(feature = "files")]
mod fields;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "directories")]
mod globs;
#[cfg(all(feature = "files", not(feature = "directories")))]
#[path = "globs_none.rs"]
mod globs;
#[cfg(feature = "files")]
mod http_body;
mod id;
#[cfg(feature = "files")]
mod input_file;
#[cfg(feature = "files")]
mod interchange;
#[cfg(feature = "json")]
mod json_forms;
#[cfg(feature = "files")]
mod json_lines;
#[cfg(feature = "json")]
mod json_row;
#[cfg(not(feature = "json"))]
#[path = "json_row_none.rs"]
mod json_row;
#[cfg(feature = "files")]
mod lines;
mod order;
#[cfg(feature = "files")]
mod output_check;
#[cfg(feature = "files")]
mod parts;
#[cfg(feature = "files")]
mod path_list;
#[cfg(feature = "files")]
mod patterns;
mod place;
mod position;
pub mod positioned_io;
#[cfg(feature = "files")]
mod print_file;
mod print_line;
#[cfg(feature = "files")]
mod prints;
#[cfg(feature = "files")]
mod read_settings;
mod reason;
#[cfg(feature = "files")]
mod record_copy;
mod record_counts;
#[cfg(feature = "files")]
mod row;
#[cfg(all(feature = "files", feature = "charsets"))]
mod row_charset;
#[cfg(all(feature = "files", not(feature = "charsets")))]
#[path = "row_charset_none.rs"]
mod row_charset;
mod rows;
#[cfg(feature = "files")]
mod same_file;
#[cfg(feature = "files")]
mod selection;
#[cfg(feature = "files")]
mod separated_values;
mod separated_writer;
mod surt;
#[cfg(feature = "files")]
mod table_form;
#[cfg(feature = "files")]
mod unread_rows;
#[cfg(feature = "files")]
mod wacz;
#[cfg(feature = "files")]
mod work;
mod writer;

#[cfg(feature = "files")]
pub use appearance::{Appearance, FirstLine};
#[cfg(feature = "files")]
pub use archive::{
    RevisitReference, RevisitTarget, StoredKind, StoredPayload, StoredRecord, StoredRecords,
};
pub use bad_records::BadRecords;
pub use batch::{BATCH_BYTES, BATCH_DOCUMENTS, Batch};
#[cfg(feature = "files")]
pub use beginning::{FieldPurpose, MissingField};
pub use capture::{Capture, REVISIT_TYPE, RevisitedCapture, capture_seconds};
#[cfg(feature = "files")]
pub use capture_lines::{CaptureLines, IndexedCapture};
#[cfg(feature = "files")]
pub use cells::{Cell, CellKind, Column, TableRow};
pub use container::Container;
pub use content_digests::{ContentDigests, Sha256Digest};
pub use counting_writer::CountingWriter;
pub use document::{Content, Document, ErrorRecord, Source};
#[cfg(feature = "files")]
pub use element_copy::{copy_elements_changed, copy_elements_without};
pub use extractor_version::ExtractorVersion;
#[cfg(feature = "files")]
pub use fields::{BadPointer, TableFields};
#[cfg(feature = "files")]
pub use files::{FileSettings, FileSource};
#[cfg(feature = "files")]
pub use http_body::HttpBody;
pub use id::{BadId, DocumentId, LONGEST_ID, escape, unescape};
#[cfg(feature = "files")]
pub use input_file::{InputFile, Translations};
#[cfg(feature = "files")]
pub use interchange::{
    InterchangeError, InterchangeForm, InterchangeHeader, InterchangeReader, InterchangeReason,
    InterchangeRelation, InterchangeRow, InterchangeWriter,
};
#[cfg(feature = "files")]
pub use json_lines::JsonTextCut;
pub use order::OrderKey;
#[cfg(feature = "files")]
pub use output_check::{OutputCheck, OutputRefusal};
#[cfg(feature = "files")]
pub use parts::{Checkpoint, Folder, JobIdentity, PartSize, Parts, PartsError, Storage};
#[cfg(feature = "files")]
pub use path_list::PathList;
#[cfg(feature = "files")]
pub use patterns::matching;
pub use place::Place;
pub use position::Position;
#[cfg(feature = "files")]
pub use print_file::{
    PrintFile, PrintFileEnd, PrintFileError, PrintFileIds, PrintFileWriter, ShortMarks,
    little_endian_print,
};
pub use print_line::{SHORT_MARK, write_print_line};
#[cfg(feature = "files")]
pub use prints::{PrintFormat, PrintReader, PrintRecord, StatedScheme, UnknownPrintFormat};
#[cfg(feature = "files")]
pub use read_settings::{CaptureIds, ReadSettings};
pub use reason::ReasonCode;
#[cfg(feature = "files")]
pub use record_copy::{
    BytesChange, StretchChange, copy_changed, copy_records, copy_without, mixed_compression,
    rewritten,
};
pub use record_counts::{RecordCounter, RecordCounts};
#[cfg(feature = "json")]
pub use rows::{
    CalibrationRow, CaptureEntryRow, ChanceRow, CheckRow, Containment, ContaminationRow, Decision,
    DecisionReason, DecisionRow, DeduplicationRow, DifferenceKind, DifferenceRow, ExportEndRow,
    ExportHeadRow, ExtractionFailure, ExtractionRow, HealthRow, IdfTableRow, IndexChangeRow,
    IndexRow, IndexedRow, ItemPart, KindRow, Pace, PassagePlaceRow, PassagesSummaryRow, RepeatRow,
    SchemeRow, SharedPassageRow, SummaryRow, TextPiece, TextRange, Verdict, write_cdxj_line,
};
pub use rows::{
    ClusterRow, ComparisonRow, ExtractionNote, FingerprintRecord, FoundIn, Grade, MatchOfMany,
    MatchRow, Note, Outcome, PairRow, PassageRow, TextGrade, TextVerdict, WordRow,
};
#[cfg(feature = "files")]
pub use rows::{StatedDecision, StatedDecisionError};
#[cfg(feature = "files")]
pub use same_file::SameFile;
#[cfg(feature = "files")]
pub use selection::{BadGlob, Selection};
pub use surt::url_key;
#[cfg(feature = "files")]
pub use table_form::{BadDelimiter, Delimiter, TableForm};
#[cfg(feature = "files")]
pub use unread_rows::UnreadRows;
#[cfg(feature = "files")]
pub use wacz::{PackageAddition, PackageArchive, PackageCopy, copy_package, each_package_archive};
pub use writer::{Format, Row, RowWriter, UnknownFormat};

#[cfg(feature = "files")]
pub use nearprint_output::{FileIdentity, FinishedFile, FinishedFolder, OutputPlace, durability};
