//! PDF to text in reading order, with limits.
//!
//! [`extract_text`] takes the bytes of a document and returns [`PdfText`]: the words a reader sees, line by
//! line, with warnings where the file does not say what its glyphs mean. It reads encrypted files whose
//! password is empty or given, repairs broken cross-references, and never returns a text cut short by a limit.
//!
//! The way of a document: [`hayro_syntax`] opens the file; `content` runs the page's operators and collects glyphs;
//! `fonts` and `recovery` say what characters they are; `columns` finds those written back and forth; `lines` joins
//! them to lines (`visual` undoes right-to-left order); `rules` finds underscores that are drawn; `furniture` takes out
//! running heads and page numbers, `line_numbers` those of lines; `flow`, `hyphens`, `urls`, `korean` and `homoglyphs`
//! make running text of the lines.
//!
//! What this crate is not: a renderer (images, colours and paths are skipped), an OCR engine (a scan without
//! text layer gives no text and a warning), or a reader of notes, mark-up and attachments. The answers in form fields,
//! free text and stamps are part of the text (`annotations`).
//!
//! ```
//! use nearprint_pdf::{Options, PdfError, extract_text};
//!
//! assert_eq!(extract_text(b"plain text", &Options::default()), Err(PdfError::NotPdf));
//! ```

mod actual_text;
mod annotations;
mod bombs;
mod budget;
mod columns;
mod content;
mod document;
mod error;
mod fields;
mod filters;
mod flow;
mod font_tables;
mod fonts;
mod furniture;
mod glyphs;
mod homoglyphs;
mod hyphens;
mod korean;
mod legacy;
mod line_numbers;
mod lines;
mod object_search;
mod options;
mod outcome;
mod overprint;
mod placement;
mod plausibility;
mod program_map;
mod recovery;
mod rules;
mod script;
mod slides;
mod syllables;
mod tex_encodings;
mod text_state;
mod text_string;
mod thai_names;
mod type3;
mod urls;
mod visibility;
mod visual;
mod xfa;
mod xml_text;

pub use document::extract_text;
pub use error::{Limit, PdfError};
pub use options::{Limits, Options};
pub use outcome::{PdfText, Warning};
