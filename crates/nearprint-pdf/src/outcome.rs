//! What an extraction returns: the text and what is worth knowing about it.

/// The text of a PDF.
#[derive(Debug, Clone, PartialEq)]
pub struct PdfText {
    /// The text in reading order: a newline ends each line, an empty line each paragraph or page.
    pub text: String,
    /// Number of pages of the document, readable or not.
    pub pages: u32,
    /// Number of glyphs shown on all pages, with or without Unicode.
    pub glyphs: u64,
    /// Observations about the quality of the text, each kind at most once.
    pub warnings: Vec<Warning>,
}

/// One observation about the quality of a text. The kinds are a closed list; new kinds are a new version of
/// the extractor.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Glyphs whose font does not say what character they are; they were left out.
    GlyphsWithoutUnicode {
        /// How many were left out.
        missing: u64,
        /// Their share of all glyphs shown, 0 to 1.
        share: f64,
    },
    /// Glyphs whose characters were guessed from the names or codes their font uses, because it has no
    /// other map to Unicode.
    GlyphsGuessed {
        /// How many were guessed.
        guessed: u64,
        /// Their share of all glyphs shown, 0 to 1.
        share: f64,
    },
    /// Latin letters of fonts that draw others, by their names or by how the text reads: of an encoding older than
    /// Unicode, most likely. They stand in the text as the fonts claim them.
    DoubtfulLetters {
        /// How many.
        letters: u64,
        /// Their share of all glyphs shown, 0 to 1.
        share: f64,
    },
    /// Pages whose content could not be decoded at all.
    UnreadablePages {
        /// How many.
        pages: u32,
    },
    /// Parts of the file were damaged (undecodable streams, missing fonts, broken structure) and were skipped
    /// or repaired, or its end is missing.
    RecoveredDamage {
        /// How many damaged parts were met.
        parts: u32,
        /// Whether the cross-reference is missing, so that objects were searched for.
        cross_reference: bool,
        /// How many pages fewer were found than the document states.
        pages: u32,
    },
    /// Pages go back and forth between two columns of long lines; they were read as the file has them, and nothing says
    /// whether they are tables.
    DoubtfulOrder {
        /// How many.
        pages: u32,
    },
    /// The form is written in XFA, with pages that only ask for a viewer of such forms: the labels of its fields were
    /// not read.
    XfaForm {
        /// Its answers were read.
        answers: bool,
    },
    /// Pages show images and no text: a scan without a text layer, most likely.
    ImageOnlyPages {
        /// How many.
        pages: u32,
    },
}
