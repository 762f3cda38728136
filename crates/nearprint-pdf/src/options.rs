//! What a caller may set: a password and the counted limits.

/// Options of [`extract_text`](crate::extract_text).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The user or owner password. Without one the empty password is tried, which opens most encrypted files.
    pub password: Option<String>,
    /// The counted limits.
    pub limits: Limits,
}

/// Counted bounds on the work one document may cause.
///
/// Each is inclusive: a document with exactly that many is read. They bound time and memory because every
/// unit of work is counted by one of them; results never depend on a clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Pages of the document.
    pub pages: u32,
    /// Glyphs shown on all pages together.
    pub glyphs: u64,
    /// Content operators executed on all pages together (a drawing used twice counts twice), and the reading of
    /// annotations and form fields, counted in operators. A document has a tenth of it, and 1,000 more for each of its
    /// bytes.
    pub operators: u64,
    /// Bytes of content streams after decompression, all pages together. Of a short document it is a tenth of this and
    /// 1,032 for each byte, which is what deflate makes of one: a stream that is named many times is decoded each time.
    pub decoded_bytes: u64,
    /// Bytes that one stream decodes to, for each byte of the document; examined only beyond 16 MiB. Deflate reaches
    /// 1,032, and real streams, where they are large, stay far below: what does not is there to fill memory.
    pub expansion_ratio: u64,
    /// Depth of form XObjects nested in each other, and of the tree of form fields.
    pub nesting: u32,
    /// Glyphs of one page, all of which are held in memory while it is read.
    pub page_glyphs: u64,
    /// Bytes of text that glyphs stand for which stand for more than one letter, and of texts that the document gives
    /// instead of glyphs.
    pub text_bytes: u64,
    /// Entries of the tables of widths and glyphs of all fonts.
    pub font_entries: u64,
    /// Bytes read by a search for objects, for each byte of the document; examined only beyond 64 MiB. The parser
    /// searches where cross-references are wrong, and sound objects take it three.
    pub search_ratio: u64,
}

impl Default for Limits {
    /// 20,000 pages, 20 million glyphs, 100 million operators, 512 MiB decoded, 300 bytes for each byte of the
    /// document, depth 24, 2 Mi glyphs a page, 256 MiB of text that single glyphs stand for, 8 Mi entries of font
    /// tables, 16 bytes searched for each byte of the document.
    ///
    /// Of 2,549 real files measured, the largest counts were 1,611 pages, 3.2 million glyphs, 17 million operators
    /// and 153 MB decoded.
    fn default() -> Self {
        Self {
            pages: 20_000,
            glyphs: 20_000_000,
            operators: 100_000_000,
            decoded_bytes: 512 << 20,
            expansion_ratio: 300,
            nesting: 24,
            page_glyphs: 2 << 20,
            text_bytes: 256 << 20,
            font_entries: 8 << 20,
            search_ratio: 16,
        }
    }
}
