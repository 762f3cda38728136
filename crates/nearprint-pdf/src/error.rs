//! Why a document gave no text.
//!
//! Everything that ends an extraction is here; what merely lowers the quality of a text is a
//! [`Warning`](crate::Warning).

use std::fmt;

/// The counted bounds an extraction can run into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// Pages of the document.
    Pages,
    /// Glyphs shown on all pages together.
    Glyphs,
    /// Operators executed in all content streams together.
    Operators,
    /// Bytes of decoded content streams and of font data, all pages together.
    DecodedBytes,
    /// Bytes that one stream decodes to, for each byte of the document.
    ExpansionRatio,
    /// Form XObjects (drawings used within drawings), or fields of a form, nested in each other.
    Nesting,
    /// Glyphs of one page.
    PageGlyphs,
    /// Bytes of text that single glyphs stand for.
    Text,
    /// Entries of the tables of all fonts.
    FontEntries,
    /// Bytes read by a search for objects, for each byte of the document.
    SearchRatio,
}

impl Limit {
    /// The limit's name as used in error texts, e.g. `decoded bytes`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Glyphs => "glyphs",
            Self::Operators => "content operators",
            Self::DecodedBytes => "decoded bytes",
            Self::ExpansionRatio => "decoded bytes in one stream for each byte of the document",
            Self::Nesting => "nested drawings or form fields",
            Self::PageGlyphs => "glyphs on one page",
            Self::Text => "bytes of text for single glyphs",
            Self::FontEntries => "entries in the tables of its fonts",
            Self::SearchRatio => {
                "bytes read in the search for objects for each byte of the document"
            }
        }
    }
}

/// Why a document gave no text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PdfError {
    /// The bytes do not begin like a PDF (`%PDF-` within the first 1,024 bytes).
    NotPdf,
    /// No page could be found, even by searching the whole file for objects.
    Damaged,
    /// The document is encrypted and the password (or the empty one, if none was given) does not open it.
    WrongPassword {
        /// Whether the caller gave a password.
        given: bool,
    },
    /// The document is encrypted in a way that is not supported or is itself damaged.
    UnsupportedEncryption,
    /// A counted limit was reached. Nothing is returned then: a text must not depend on where the limit fell.
    LimitReached {
        /// Which limit.
        limit: Limit,
        /// Its value.
        value: u64,
    },
    /// The parser failed in a way that only a defect explains (a caught panic).
    Internal {
        /// What the parser said.
        detail: String,
    },
}

impl fmt::Display for PdfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPdf => f.write_str("not a PDF: no %PDF- header in the first 1,024 bytes"),
            Self::Damaged => f.write_str("damaged PDF: no readable page was found"),
            Self::WrongPassword { given: false } => {
                f.write_str("encrypted PDF: it needs a password and none was given")
            }
            Self::WrongPassword { given: true } => {
                f.write_str("encrypted PDF: the given password does not open it")
            }
            Self::UnsupportedEncryption => {
                f.write_str("encrypted PDF: its encryption is unsupported or damaged")
            }
            Self::LimitReached { limit: Limit::SearchRatio, value } => write!(
                f,
                "PDF opens objects that it does not close: to find its objects, more than {value} bytes would be read \
                 for each of its own; repair the file, for example with qpdf"
            ),
            Self::LimitReached { limit, value } => write!(
                f,
                "PDF has more than {value} {}; raise this limit to read it",
                limit.as_str()
            ),
            Self::Internal { detail } => {
                write!(f, "the PDF parser failed (please report the file): {detail}")
            }
        }
    }
}

impl std::error::Error for PdfError {}
