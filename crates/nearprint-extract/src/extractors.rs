//! The media this crate reads: one row for each, with its names and its extractor.

use crate::error::ExtractError;
use crate::job::Job;
use crate::media::Media;
use crate::sniff::{PDF_HEADER, PDF_WINDOW};
use crate::{package, pdf, plain};

/// The extractors of markup.
#[cfg(feature = "markup")]
mod markup {
    pub(super) use crate::citations::{bibtex, ris};
    pub(super) use crate::html::{html, xhtml};
    pub(super) use crate::latex::latex;
    pub(super) use crate::markup::{asciidoc, info, markdown, mediawiki, restructured};
    pub(super) use crate::roff::roff;
    pub(super) use crate::texinfo::texinfo;
    pub(super) use crate::xml::xml;
}
#[cfg(not(feature = "markup"))]
mod markup {
    pub(super) use crate::media_none::markup as html;
    pub(super) use html as asciidoc;
    pub(super) use html as bibtex;
    pub(super) use html as info;
    pub(super) use html as latex;
    pub(super) use html as markdown;
    pub(super) use html as mediawiki;
    pub(super) use html as restructured;
    pub(super) use html as ris;
    pub(super) use html as roff;
    pub(super) use html as texinfo;
    pub(super) use html as xhtml;
    pub(super) use html as xml;
}

#[cfg(not(feature = "charsets"))]
use crate::media_none::{mail, rtf};
#[cfg(feature = "charsets")]
use crate::{mail::mail, rtf::rtf};

/// How a document of one kind becomes text.
#[derive(Clone, Copy)]
pub(crate) enum Extractor {
    /// From decoded text.
    Text(fn(&str, &mut Job<'_>) -> Result<String, ExtractError>),
    /// From the bytes themselves.
    Bytes(fn(&[u8], &mut Job<'_>) -> Result<String, ExtractError>),
}

/// One row of the table.
pub(crate) struct Row {
    pub(crate) media: Media,
    /// The media type that records name; others that hints may name follow.
    pub(crate) types: &'static [&'static str],
    /// The extractor's name in records.
    pub(crate) name: &'static str,
    /// Changes whenever the extractor's output may change.
    pub(crate) version: u32,
    pub(crate) extractor: Extractor,
    /// If its parser is large, or its size says little about its cost: by what its documents are recognised before they
    /// are parsed, so that this can be done in a separate process.
    pub(crate) heavy: Option<Magic>,
}

/// Bytes that begin at most `within` bytes after the beginning.
pub(crate) struct Magic {
    pub(crate) bytes: &'static [u8],
    pub(crate) within: usize,
}

/// What zip files begin with, also empty and split ones.
const ZIP: Magic = Magic { bytes: b"PK", within: 0 };

static TABLE: [Row; 22] = [
    Row {
        media: Media::Plain,
        types: &["text/plain"],
        name: "plain",
        version: 2,
        extractor: Extractor::Text(plain::plain),
        heavy: None,
    },
    Row {
        media: Media::Html,
        types: &["text/html"],
        name: "html",
        version: 9,
        extractor: Extractor::Text(markup::html),
        heavy: None,
    },
    Row {
        media: Media::Xhtml,
        types: &["application/xhtml+xml"],
        name: "html",
        version: 9,
        extractor: Extractor::Text(markup::xhtml),
        heavy: None,
    },
    Row {
        media: Media::Xml,
        types: &["application/xml", "text/xml"],
        name: "xml",
        version: 12,
        extractor: Extractor::Text(markup::xml),
        heavy: None,
    },
    Row {
        media: Media::Pdf,
        types: &["application/pdf", "application/x-pdf"],
        name: "pdf",
        version: 8,
        extractor: Extractor::Bytes(pdf::pdf),
        heavy: Some(Magic { bytes: PDF_HEADER, within: PDF_WINDOW - PDF_HEADER.len() }),
    },
    Row {
        media: Media::Epub,
        types: &["application/epub+zip"],
        name: "epub",
        version: 4,
        extractor: Extractor::Bytes(package::epub),
        heavy: Some(ZIP),
    },
    Row {
        media: Media::OpenDocument,
        types: &[
            "application/vnd.oasis.opendocument.text",
            "application/vnd.oasis.opendocument.presentation",
            "application/vnd.oasis.opendocument.spreadsheet",
            "application/vnd.oasis.opendocument.graphics",
            "application/vnd.oasis.opendocument.text-template",
            "application/vnd.oasis.opendocument.text-master",
            "application/vnd.oasis.opendocument.presentation-template",
        ],
        name: "opendocument",
        version: 3,
        extractor: Extractor::Bytes(package::opendocument),
        heavy: Some(ZIP),
    },
    Row {
        media: Media::Docx,
        types: &[
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
            "application/vnd.ms-word.document.macroEnabled.12",
            "application/vnd.ms-word.template.macroEnabled.12",
        ],
        name: "docx",
        version: 3,
        extractor: Extractor::Bytes(package::docx),
        heavy: Some(ZIP),
    },
    Row {
        media: Media::Pptx,
        types: &[
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            "application/vnd.openxmlformats-officedocument.presentationml.template",
            "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
            "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
            "application/vnd.ms-powerpoint.template.macroEnabled.12",
            "application/vnd.ms-powerpoint.slideshow.macroEnabled.12",
        ],
        name: "pptx",
        version: 3,
        extractor: Extractor::Bytes(package::pptx),
        heavy: Some(ZIP),
    },
    Row {
        media: Media::Xlsx,
        types: &[
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
            "application/vnd.ms-excel.sheet.macroEnabled.12",
            "application/vnd.ms-excel.template.macroEnabled.12",
        ],
        name: "xlsx",
        version: 1,
        extractor: Extractor::Bytes(package::xlsx),
        heavy: Some(ZIP),
    },
    Row {
        media: Media::Roff,
        types: &["text/troff", "application/x-troff-man", "application/x-troff"],
        name: "roff",
        version: 4,
        extractor: Extractor::Text(markup::roff),
        heavy: None,
    },
    Row {
        media: Media::Latex,
        types: &["application/x-latex", "text/x-tex", "application/x-tex"],
        name: "latex",
        version: 7,
        extractor: Extractor::Text(markup::latex),
        heavy: None,
    },
    Row {
        media: Media::Rtf,
        types: &["application/rtf", "text/rtf"],
        name: "rtf",
        version: 3,
        extractor: Extractor::Bytes(rtf),
        heavy: Some(Magic { bytes: b"{\\rtf", within: 0 }),
    },
    Row {
        media: Media::Markdown,
        types: &["text/markdown"],
        name: "markdown",
        version: 7,
        extractor: Extractor::Text(markup::markdown),
        heavy: None,
    },
    Row {
        media: Media::Restructured,
        types: &["text/x-rst", "text/prs.fallenstein.rst"],
        name: "restructuredtext",
        version: 6,
        extractor: Extractor::Text(markup::restructured),
        heavy: None,
    },
    Row {
        media: Media::Asciidoc,
        types: &["text/asciidoc", "text/x-asciidoc"],
        name: "asciidoc",
        version: 9,
        extractor: Extractor::Text(markup::asciidoc),
        heavy: None,
    },
    Row {
        media: Media::Info,
        types: &["text/x-info"],
        name: "info",
        version: 2,
        extractor: Extractor::Text(markup::info),
        heavy: None,
    },
    Row {
        media: Media::Mail,
        types: &[
            "message/rfc822",
            "application/mbox",
            "multipart/related",
            "application/x-mimearchive",
        ],
        name: "mail",
        version: 5,
        extractor: Extractor::Bytes(mail),
        heavy: None,
    },
    Row {
        media: Media::Texinfo,
        types: &["text/x-texinfo", "application/x-texinfo"],
        name: "texinfo",
        version: 2,
        extractor: Extractor::Text(markup::texinfo),
        heavy: None,
    },
    Row {
        media: Media::Wiki,
        types: &["text/x-wiki", "text/mediawiki"],
        name: "mediawiki",
        version: 3,
        extractor: Extractor::Text(markup::mediawiki),
        heavy: None,
    },
    Row {
        media: Media::Bibtex,
        types: &["application/x-bibtex", "text/x-bibtex"],
        name: "bibtex",
        version: 1,
        extractor: Extractor::Text(markup::bibtex),
        heavy: None,
    },
    Row {
        media: Media::Ris,
        types: &["application/x-research-info-systems"],
        name: "ris",
        version: 1,
        extractor: Extractor::Text(markup::ris),
        heavy: None,
    },
];

impl Media {
    pub(crate) fn rows() -> &'static [Row] {
        &TABLE
    }

    pub(crate) fn row(self) -> &'static Row {
        // The order of the table is the order of the variants; a test holds them together.
        &TABLE[self as usize]
    }

    /// The medium that a media type names; its parameters (`; charset=`) are ignored.
    pub(crate) fn from_type(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or("").trim();
        let row = TABLE
            .iter()
            .find(|row| row.types.iter().any(|name| name.eq_ignore_ascii_case(essence)));
        match row {
            Some(row) => Some(row.media),
            None if essence.len() > 4
                && essence.as_bytes()[essence.len() - 4..].eq_ignore_ascii_case(b"+xml") =>
            {
                Some(Self::Xml)
            }
            None => None,
        }
    }
}

/// The media types that are read, each with its synonyms after it; beside these, all that end in `+xml`.
///
/// ```
/// assert!(nearprint_extract::media_types().any(|name| name == "text/html"));
/// ```
pub fn media_types() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|row| row.types.iter().copied())
}

/// The extractors with their versions, as [`ExtractionRecord`](crate::ExtractionRecord)s name them. A version is
/// another one whenever the extractor may take another text out of the same document.
///
/// ```
/// assert!(nearprint_extract::extractors().any(|(name, version)| name == "html" && version > 0));
/// ```
pub fn extractors() -> impl Iterator<Item = (&'static str, u32)> {
    TABLE.iter().map(|row| (row.name, row.version))
}

/// Whether a media type, as a hint may give it, is read: parameters are ignored. Extraction refuses hints of any
/// other.
///
/// ```
/// assert!(nearprint_extract::is_media_type("text/html; charset=utf-8"));
/// assert!(!nearprint_extract::is_media_type("image/png"));
/// ```
#[must_use]
pub fn is_media_type(media_type: &str) -> bool {
    Media::from_type(media_type).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_medium() {
        for row in &TABLE {
            assert!(std::ptr::eq(row.media.row(), row), "{}", row.types[0]);
            assert_eq!(Media::from_type(row.types[0]), Some(row.media));
        }
    }

    #[test]
    fn types_are_read_with_parameters_in_any_case() {
        assert_eq!(Media::from_type(" Text/HTML; charset=utf-8"), Some(Media::Html));
        assert_eq!(Media::from_type("application/tei+xml"), Some(Media::Xml));
        assert_eq!(Media::from_type("application/xhtml+xml"), Some(Media::Xhtml));
        assert_eq!(Media::from_type("image/png"), None);
        assert_eq!(Media::from_type(""), None);
    }
}
