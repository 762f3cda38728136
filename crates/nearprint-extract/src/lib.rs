//! Bytes to text: what a document says, whatever medium, charset or compression it comes in.
//!
//! [`extract`] takes the bytes of one document, [`Hints`] of what the caller knows, and [`Limits`] on what it
//! may cost. It returns an [`Extraction`], which is the text and the record of how it was obtained, or an
//! [`ExtractError`] with one [`Reason`] of a closed list. All of these are plain data that serialise, so that
//! a worker process can send them.
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
//! It reads plain text, HTML and XHTML, XML of any vocabulary, PDF, EPUB, OpenDocument, DOCX, PPTX, RTF, LaTeX,
//! manual pages, Markdown, reStructuredText, AsciiDoc, Info and mail, distinguished by their content, in all charsets
//! of the Encoding Standard and UTF-32, wrapped in gzip, bzip2, xz or zstd.
//!
//! The aim is that one document gives the same words in every medium. So what belongs to a medium and not to
//! the document stays out: metadata, styling, navigation, running heads, scripts, hidden parts. Captions,
//! tables, quotations, footnotes and reference lists stay in. Letters are left as they are: case and width
//! are left to the code that compares texts. Of PDF, which has glyphs and no letters, ligatures are opened,
//! strokes that lengthen Arabic letters go, and letters of the wrong alphabet are those of their word's.
//!
//! Results are decided by the bytes and by counted limits, never by a clock, and a limit that is reached is an
//! error, never a shorter text.
//!
//! This crate knows nothing of fingerprints, reads no files and starts no threads.

mod charset;
mod error;
mod extraction;
mod flow;
mod html;
mod job;
mod latex;
mod limits;
mod line_search;
mod mail;
mod markup;
mod media;
mod package;
mod pdf;
mod pipeline;
mod plain;
mod roff;
mod rtf;
mod sniff;
mod tidy;
mod wrapper;
mod xml;

pub use charset::is_charset;
pub use error::{ExtractError, Reason};
pub use extraction::{Extraction, ExtractionRecord, Hints, MainContent, Warning, WarningCode};
pub use limits::{Limits, UnknownLimit};
pub use media::{extractors, is_media_type, media_types};
pub use pipeline::extract;
