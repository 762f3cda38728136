//! What a document may cost. Every bound counts something in the document, never time, so the same bytes
//! meet the same bound on every machine.

use std::fmt;

use crate::error::{ExtractError, Reason};

/// Bounds on one extraction. Reaching one is an [`ExtractError`], never a shorter text.
///
/// ```
/// use nearprint_extract::{Hints, Limits, Reason, extract};
///
/// let limits = Limits { max_input_bytes: 3, ..Limits::default() };
/// let error = extract(b"four", &Hints::default(), &limits).unwrap_err();
/// assert_eq!(error.reason(), Reason::TooLarge);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Bytes of the document as given (<=). Default 1 GiB.
    pub max_input_bytes: u64,
    /// Bytes after all compression is undone, all parts of an archive together (<=). Default 1 GiB.
    pub max_expanded_bytes: u64,
    /// Expanded bytes per compressed byte (<=), examined only beyond 16 MiB of expanded bytes: small
    /// documents of one repeated line compress better than any sane bound. In a PDF, of one stream, for each byte of
    /// the document. Default 300.
    pub max_expansion_ratio: u64,
    /// Bytes of UTF-8 text that come out (<=). Default 256 MiB.
    pub max_text_bytes: u64,
    /// Bytes to which a document of up to 20 MiB, or one part of it, may expand (<=), and bytes of its text (<=); of a
    /// longer document in proportion, within the limits before. So what a small document takes of memory is bounded.
    /// Default 128 MiB.
    pub max_growth_bytes: u64,
    /// Open elements in HTML and XML, groups in RTF (<=). Default 1,000,000.
    pub max_depth: u32,
    /// Attributes of one element of HTML or XML (<=). Default 1,000,000.
    pub max_attributes: u32,
    /// Compression layers and archives nested in each other (<=). Default 4.
    pub max_wrappers: u32,
    /// Bytes that the entities of an XML document, the attributes of AsciiDoc, the substitutions of reStructuredText,
    /// the strings of roff, the names of BibTeX, and the macros and notes of LaTeX and the macros and values of Texinfo
    /// (beside 16 times their length) may expand to, together (<=). Default 8 MiB.
    pub max_entity_bytes: u64,
    /// Pages of a paged document (<=). Default 20,000.
    pub max_pages: u32,
    /// Glyphs that a paged document draws (<=). Default 50,000,000.
    pub max_glyphs: u64,
    /// Drawing operators that a paged document executes (<=). Default 100,000,000.
    pub max_operators: u64,
    /// Entries of an archive, parts of a message (<=). Default 100,000.
    pub max_parts: u32,
    /// Bytes that parsers other than that of PDF look at, for each byte of the document and of what it expands to
    /// (<=), examined beyond 16 MiB. Default 256: they take linear time, and few documents take more than 16.
    pub max_work_per_byte: u64,
    /// Bad records of one input, such as lines of a table, that are records of their own (<=); the rest of them are one
    /// record together. Extraction does not look at it. Default 10,000.
    pub max_bad_records: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_input_bytes: 1 << 30,
            max_expanded_bytes: 1 << 30,
            max_expansion_ratio: 300,
            max_text_bytes: 256 << 20,
            max_growth_bytes: 128 << 20,
            max_depth: 1_000_000,
            max_attributes: 1_000_000,
            max_wrappers: 4,
            max_entity_bytes: 8 << 20,
            max_pages: 20_000,
            max_glyphs: 50_000_000,
            max_operators: 100_000_000,
            max_parts: 100_000,
            max_work_per_byte: 256,
            max_bad_records: 10_000,
        }
    }
}

/// Expanded bytes up to which the ratio is not examined.
const RATIO_FLOOR: u64 = 16 << 20;

/// Bytes of a document up to which it may grow by [`Limits::max_growth_bytes`] and no less.
const SMALL: u64 = 20 << 20;

/// A name that is none of [`Limits::NAMES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLimit(pub String);

impl fmt::Display for UnknownLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown limit {:?}; use one of {}", self.0, Limits::NAMES.join(", "))
    }
}

impl std::error::Error for UnknownLimit {}

impl Limits {
    /// The names by which [`Self::set`] knows the limits, in the order of their declaration.
    pub const NAMES: [&str; 15] = [
        "input-bytes",
        "expanded-bytes",
        "expansion-ratio",
        "text-bytes",
        "growth-bytes",
        "depth",
        "attributes",
        "wrappers",
        "entity-bytes",
        "pages",
        "glyphs",
        "operators",
        "parts",
        "work-per-byte",
        "bad-records",
    ];

    /// What each of [`Self::NAMES`] bounds, in the same order.
    pub const BOUNDED: [&str; 15] = [
        "bytes of a document",
        "bytes of a document once its compression is undone",
        "expanded bytes for each compressed byte, beyond 16 MiB",
        "bytes of its text",
        "bytes to which a document of up to 20 MiB may expand",
        "open elements in HTML and XML, groups in RTF",
        "attributes of one element",
        "compression layers and archives nested in each other",
        "bytes that entities, macros and the like expand to",
        "pages of a paged document",
        "glyphs that a paged document draws",
        "drawing operators that a paged document executes",
        "entries of an archive, parts of a message",
        "bytes that parsers look at, for each byte of the document, beyond 16 MiB",
        "bad records of one input that are reported one by one",
    ];

    /// Sets the limit of this name; where it is kept in 32 bits, a larger value is the largest there is.
    ///
    /// ```
    /// use nearprint_extract::Limits;
    ///
    /// let mut limits = Limits::default();
    /// limits.set("pages", 10)?;
    /// assert_eq!(limits.max_pages, 10);
    /// assert!(limits.set("sheets", 10).is_err());
    /// # Ok::<(), nearprint_extract::UnknownLimit>(())
    /// ```
    ///
    /// # Errors
    /// A name that is none of [`Self::NAMES`].
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), UnknownLimit> {
        let small = u32::try_from(value).unwrap_or(u32::MAX);
        match name {
            "input-bytes" => self.max_input_bytes = value,
            "expanded-bytes" => self.max_expanded_bytes = value,
            "expansion-ratio" => self.max_expansion_ratio = value,
            "text-bytes" => self.max_text_bytes = value,
            "growth-bytes" => self.max_growth_bytes = value,
            "depth" => self.max_depth = small,
            "attributes" => self.max_attributes = small,
            "wrappers" => self.max_wrappers = small,
            "entity-bytes" => self.max_entity_bytes = value,
            "pages" => self.max_pages = small,
            "glyphs" => self.max_glyphs = value,
            "operators" => self.max_operators = value,
            "parts" => self.max_parts = small,
            "work-per-byte" => self.max_work_per_byte = value,
            "bad-records" => self.max_bad_records = value,
            _ => return Err(UnknownLimit(name.to_owned())),
        }
        Ok(())
    }

    /// All limits by their names, in the order of [`Self::NAMES`].
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let values = [
            self.max_input_bytes,
            self.max_expanded_bytes,
            self.max_expansion_ratio,
            self.max_text_bytes,
            self.max_growth_bytes,
            self.max_depth.into(),
            self.max_attributes.into(),
            self.max_wrappers.into(),
            self.max_entity_bytes,
            self.max_pages.into(),
            self.max_glyphs,
            self.max_operators,
            self.max_parts.into(),
            self.max_work_per_byte,
            self.max_bad_records,
        ];
        Self::NAMES.into_iter().zip(values)
    }

    /// Refuses `length` input bytes beyond the limit.
    pub(crate) fn check_input(&self, length: usize) -> Result<(), ExtractError> {
        if length as u64 > self.max_input_bytes {
            return Err(ExtractError::new(
                Reason::TooLarge,
                format!(
                    "the document has {length} bytes; max_input_bytes is {}",
                    self.max_input_bytes
                ),
            ));
        }
        Ok(())
    }

    /// Bytes that a document of this length may expand to at one time, and that its text may have.
    pub(crate) fn growth_of(&self, document: u64) -> u64 {
        let product = u128::from(self.max_growth_bytes) * u128::from(document.max(SMALL));
        u64::try_from(product / u128::from(SMALL)).unwrap_or(u64::MAX)
    }

    /// Refuses a document of `document` bytes of which `held` are to be held expanded at one time, beyond the limit.
    pub(crate) fn check_growth(&self, document: u64, held: u64) -> Result<(), ExtractError> {
        let limit = self.growth_of(document);
        if held > limit {
            return Err(ExtractError::new(
                Reason::ExpansionLimit,
                format!(
                    "a document of {document} bytes expands to more than {limit} at one time, which \
                     max_growth_bytes = {} allows",
                    self.max_growth_bytes
                ),
            ));
        }
        Ok(())
    }

    /// These limits for a document of this length: no more text than it may grow to.
    pub(crate) fn of_document(&self, document: u64) -> Self {
        let max_text_bytes = self.longest_text(document);
        Self { max_text_bytes, ..self.clone() }
    }

    /// Bytes that the text of a document of `document` bytes may have.
    #[must_use]
    pub fn longest_text(&self, document: u64) -> u64 {
        self.max_text_bytes.min(self.growth_of(document))
    }

    /// The error of a text that is too long, naming the limit of `self` that it was, where `of_document` has a smaller
    /// one.
    pub(crate) fn named_in(&self, document: u64, error: ExtractError) -> ExtractError {
        let limit = self.growth_of(document);
        if error.reason() != Reason::TextLimit || limit >= self.max_text_bytes {
            return error;
        }
        let detail = format!(
            "the text of a document of {document} bytes is longer than {limit}, which max_growth_bytes = {} allows",
            self.max_growth_bytes
        );
        ExtractError::new(Reason::TextLimit, detail).of_unwrapped(error.unwrapped_sha256())
    }

    /// Refuses an expansion from `packed` to `expanded` bytes beyond the limits.
    pub(crate) fn check_expansion(&self, packed: u64, expanded: u64) -> Result<(), ExtractError> {
        if expanded > self.max_expanded_bytes {
            return Err(ExtractError::new(
                Reason::ExpansionLimit,
                format!(
                    "{packed} compressed bytes hold more than max_expanded_bytes = {}",
                    self.max_expanded_bytes
                ),
            ));
        }
        if expanded > RATIO_FLOOR
            && expanded > packed.max(1).saturating_mul(self.max_expansion_ratio)
        {
            return Err(ExtractError::new(
                Reason::ExpansionLimit,
                format!(
                    "{packed} compressed bytes expand more than max_expansion_ratio = {} times",
                    self.max_expansion_ratio
                ),
            ));
        }
        Ok(())
    }

    /// Refuses `depth` nested elements beyond the limit.
    pub(crate) fn check_depth(&self, depth: usize) -> Result<(), ExtractError> {
        if depth > self.max_depth as usize {
            return Err(ExtractError::new(
                Reason::TooDeep,
                format!("elements are nested deeper than max_depth = {}", self.max_depth),
            ));
        }
        Ok(())
    }

    /// Refuses an element whose `source`, what stands in its tag after the name, has more attributes than the limit.
    /// Looks at the length first: n attributes take at least n bytes, so few tags are ever counted.
    pub(crate) fn check_attributes(
        &self,
        source: &str,
        count: impl FnOnce() -> usize,
    ) -> Result<(), ExtractError> {
        let limit = self.max_attributes as usize;
        if source.len() > limit && count() > limit {
            return Err(ExtractError::new(
                Reason::AttributeLimit,
                format!("an element has more than max_attributes = {limit} attributes"),
            ));
        }
        Ok(())
    }

    /// Refuses `length` bytes of text beyond the limit.
    pub(crate) fn check_text(&self, length: usize) -> Result<(), ExtractError> {
        if length as u64 > self.max_text_bytes {
            return Err(ExtractError::new(
                Reason::TextLimit,
                format!("the text is longer than max_text_bytes = {}", self.max_text_bytes),
            ));
        }
        Ok(())
    }
}
