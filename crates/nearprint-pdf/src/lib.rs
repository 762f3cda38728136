//! Extracts the text of PDF files in reading order, with limits.
//!
//! [`extract_text`] takes the bytes of a document and returns [`PdfText`]: the words that a reader sees, line by line,
//! with warnings if the file does not say what its glyphs mean. It reads encrypted files whose password is empty or
//! given, repairs broken cross-references, and never returns a text that a limit has truncated.
//!
//! Data flow: [`hayro_syntax`] opens the file. `content` executes the operators of a page and collects glyphs. `fonts`
//! and `recovery` determine their characters. `columns` finds columns that the file writes alternately. `lines` joins
//! glyphs into lines (`visual` undoes right-to-left order). `rules` finds drawn underscores. `furniture` removes
//! running heads and page numbers, `line_numbers` the numbers of lines. `flow`, `hyphens`, `urls`, `korean` and
//! `homoglyphs` turn the lines into running text.
//!
//! This crate is not a renderer (images, colours and paths are skipped), not an OCR engine (a scan without a text layer
//! gives no text and a warning), and does not read notes, mark-up and attachments. The answers in form fields, free
//! text and stamps are part of the text (`annotations`).
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
mod encryption;
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
mod inline_images;
mod korean;
mod legacy;
mod line_numbers;
mod lines;
mod lookups;
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
mod steps;
mod syllables;
mod tex_encodings;
mod text_state;
mod text_string;
mod thai_names;
mod type3;
mod urls;
mod visibility;
mod visual;
mod wholeness;
mod xfa;
mod xml_text;

pub use document::{extract_text, extract_text_counted};
pub use error::{Limit, PdfError};
pub use options::{Limits, Options};
pub use outcome::{PdfText, Warning};
