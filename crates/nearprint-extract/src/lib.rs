//! Extracts text from bytes, in any medium, charset or compression.
//!
//! [`extract`] takes the bytes of one document, [`Hints`] about it, and [`Limits`] on its cost. It returns an
//! [`Extraction`] (the text, and a record of how it was obtained) or an [`ExtractError`] with one [`Reason`] of a
//! closed list. All of these are plain data, which the feature `serde` serialises, so a worker process can send them.
//!
//! ```
//! use nearprint_extract::{Hints, Limits, extract};
//!
//! let found = extract("naïve café".as_bytes(), &Hints::default(), &Limits::default())?;
//! assert_eq!(found.text, "naïve café\n");
//! assert_eq!(found.record.charset.as_deref(), Some("UTF-8"));
//! # Ok::<(), nearprint_extract::ExtractError>(())
//! ```
//!
//! It supports plain text, HTML and XHTML, XML of any vocabulary, PDF, EPUB, OpenDocument, DOCX, PPTX, XLSX, RTF,
//! LaTeX, Texinfo, manual pages, Markdown, reStructuredText, AsciiDoc, MediaWiki, Info, BibTeX, RIS and mail, in all
//! charsets of the Encoding Standard and UTF-32, optionally compressed by gzip, bzip2, xz or zstd. The type is detected
//! from content; where that is silent, the name of the document's file may decide ([`media_type_of_name`]).
//!
//! The goal is that a document gives the same words in every medium. So everything that belongs to the medium rather
//! than to the document is left out: metadata, styling, navigation, running heads, scripts, hidden parts. Captions,
//! tables, quotations, footnotes and reference lists are included. Letters are not changed: the code that compares
//! texts handles case and width. Digits of superscripts and subscripts are the characters that Unicode has for them.
//! PDF contains glyphs rather than letters, so there ligatures are split, strokes that lengthen Arabic letters are
//! removed, and look-alike letters of another alphabet are replaced by those of the word's alphabet.
//!
//! Only the bytes and counted limits decide the result, never a clock. Reaching a limit is an error, never a shorter
//! text.
//!
//! The features `pdf`, `office` (packages), `archives` (compression), `markup` and `charsets` (others than UTF-8, RTF
//! and mail) are on by default. In a build without one, what needs it is an error of the reason `unsupported-media`
//! that names it; every other result is the same. So is `serde`, which only adds.
//!
//! This crate does not know fingerprints, read files or start threads.

#![cfg_attr(
    not(all(
        feature = "archives",
        feature = "charsets",
        feature = "markup",
        feature = "office",
        feature = "pdf"
    )),
    allow(dead_code, unused_imports, reason = "what only a missing feature needs stays")
)]

mod character_reference;
mod charset;
mod citations;
mod detail;
mod error;
mod extraction;
mod extractors;
mod flow;
mod heavy;
#[cfg(any(feature = "charsets", feature = "markup"))]
mod html;
#[cfg(not(any(feature = "charsets", feature = "markup")))]
#[path = "html_none.rs"]
mod html;
mod job;
#[cfg(feature = "markup")]
mod latex;
#[cfg(not(feature = "markup"))]
#[path = "latex_none.rs"]
mod latex;
mod legacy_office;
mod letters;
mod limits;
mod line_search;
mod mail;
mod markup;
mod media;
#[cfg(not(all(feature = "charsets", feature = "markup")))]
mod media_none;
mod name;
mod outcome_check;
#[cfg(feature = "office")]
mod package;
#[cfg(not(feature = "office"))]
#[path = "package_none.rs"]
mod package;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(not(feature = "pdf"))]
#[path = "pdf_none.rs"]
mod pdf;
mod pipeline;
mod plain;
#[cfg(feature = "markup")]
mod roff;
mod rtf;
mod sniff;
mod superscript;
#[cfg(feature = "markup")]
mod texinfo;
mod tidy;
mod work;
mod wrapper;
#[cfg(feature = "markup")]
mod xml;

pub use charset::is_charset;
pub use error::{ExtractError, Reason};
pub use extraction::{Extraction, ExtractionRecord, Hints, MainContent, Warning, WarningCode};
pub use extractors::{extractors, is_media_type, media_types};
pub use heavy::is_heavy;
pub use html::{PageHead, page_head};
pub use limits::{Limits, UnknownLimit};
pub use name::media_type_of_name;
pub use outcome_check::check_outcome;
pub use pipeline::{extract, extract_counted};
