//! The kinds of documents that are told apart.

/// A kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Media {
    Plain,
    Html,
    Xhtml,
    Xml,
    Pdf,
    Epub,
    OpenDocument,
    Docx,
    Pptx,
    Xlsx,
    Roff,
    Latex,
    Rtf,
    Markdown,
    Restructured,
    Asciidoc,
    Info,
    Mail,
    Texinfo,
    Wiki,
    Bibtex,
    Ris,
}
