//! Counts the work a document causes and stops it at the caller's limits.

use crate::bombs;
use crate::error::{Limit, PdfError};
use crate::filters::Layer;
use crate::object_search;
use crate::options::Limits;
use crate::steps;
use hayro_syntax::object::Stream;
use std::borrow::Cow;

/// What executing a drawing counts, in operators: about their times' ratio.
const OPERATORS_PER_DRAWING: u64 = 50;
/// What looking up a name in the resources counts beside the operator that has it: about their times' ratio.
const OPERATORS_PER_NAME: u64 = 8;
/// Bytes of a dictionary that are read in the time of one operator, about.
const BYTES_PER_OPERATOR: u64 = 16;
/// Bytes of a dictionary that are read with the operator that names it.
const SMALL_DICT: usize = 512;
/// Bytes of a stream, as the file has them, that are decrypted and searched in the time of one operator.
const RAW_BYTES_PER_OPERATOR: u64 = 64;
/// The share of the operators allowed that a document of any length may have, and how many more for each of its bytes:
/// a few drawings that draw each other ten-fold are more work than a long document.
const SHARE_OF_SHORT: u64 = 10;
const OPERATORS_PER_BYTE: u64 = 1000;
/// The same of decoded bytes: deflate makes at most 1,032 of one, so a document that names its streams once has no
/// more.
const DECODED_PER_BYTE: u64 = 1032;
/// Bytes up to which nobody asks how small the document is that a stream of them is in.
const RATIO_FLOOR: u64 = 16 << 20;

/// Work done so far, against the limits.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    /// Bytes that one stream may decode to.
    largest_stream: u64,
    glyphs: u64,
    operators: u64,
    decoded: u64,
    /// Bytes of text that stand for single glyphs.
    text: u64,
    font_entries: u64,
    /// Damaged parts met and skipped.
    pub(crate) damaged: u32,
}

impl Budget {
    /// The budget of a document of so many bytes.
    pub(crate) fn new(limits: Limits, document: usize) -> Self {
        let largest_stream = largest_stream(&limits, document);
        let by_length = OPERATORS_PER_BYTE.saturating_mul(document as u64);
        let operators = (limits.operators / SHARE_OF_SHORT).saturating_add(by_length);
        let by_length = DECODED_PER_BYTE.saturating_mul(document as u64);
        let decoded = (limits.decoded_bytes / SHARE_OF_SHORT).saturating_add(by_length);
        let limits = Limits {
            operators: operators.min(limits.operators),
            decoded_bytes: decoded.min(limits.decoded_bytes),
            ..limits
        };
        Self {
            limits,
            largest_stream,
            glyphs: 0,
            operators: 0,
            decoded: 0,
            text: 0,
            font_entries: 0,
            damaged: 0,
        }
    }

    pub(crate) fn glyphs(&self) -> u64 {
        self.glyphs
    }

    pub(crate) fn check_pages(&self, pages: usize) -> Result<u32, PdfError> {
        match u32::try_from(pages) {
            Ok(pages) if pages <= self.limits.pages => Ok(pages),
            _ => Err(reached(Limit::Pages, self.limits.pages.into())),
        }
    }

    pub(crate) fn check_nesting(&self, depth: u32) -> Result<(), PdfError> {
        if depth > self.limits.nesting {
            return Err(reached(Limit::Nesting, self.limits.nesting.into()));
        }
        Ok(())
    }

    pub(crate) fn count_operator(&mut self) -> Result<(), PdfError> {
        self.count_work(1)
    }

    /// Counts work that is not an operator, in operators.
    pub(crate) fn count_work(&mut self, operators: u64) -> Result<(), PdfError> {
        steps::count(operators as usize);
        self.operators = self.operators.saturating_add(operators);
        if self.operators > self.limits.operators {
            return Err(reached(Limit::Operators, self.limits.operators));
        }
        Ok(())
    }

    /// Counts the reading of a dictionary of so many bytes that no content stream names.
    pub(crate) fn count_dict(&mut self, bytes: usize) -> Result<(), PdfError> {
        self.count_work(1 + bytes as u64 / BYTES_PER_OPERATOR)
    }

    /// Counts looking up a name in the resources.
    pub(crate) fn count_named(&mut self) -> Result<(), PdfError> {
        self.count_work(OPERATORS_PER_NAME)
    }

    /// Counts the look-up of a dictionary that an operator names, which is read each time: small ones are part of it.
    pub(crate) fn count_lookup(&mut self, bytes: usize) -> Result<(), PdfError> {
        self.count_work(bytes.saturating_sub(SMALL_DICT) as u64 / BYTES_PER_OPERATOR)
    }

    /// Counts text that one glyph stands for, as it is appended. Single letters are counted as glyphs.
    pub(crate) fn count_text(&mut self, bytes: usize) -> Result<(), PdfError> {
        steps::count(bytes);
        self.text = self.text.saturating_add(bytes as u64);
        if self.text > self.limits.text_bytes {
            return Err(reached(Limit::Text, self.limits.text_bytes));
        }
        Ok(())
    }

    /// Checks what is held of a page before another glyph is added.
    pub(crate) fn check_page(&self, glyphs: usize) -> Result<(), PdfError> {
        if glyphs as u64 >= self.limits.page_glyphs {
            return Err(reached(Limit::PageGlyphs, self.limits.page_glyphs));
        }
        Ok(())
    }

    /// Counts entries of tables that the font crate is about to build.
    pub(crate) fn count_font_entries(&mut self, entries: u64) -> Result<(), PdfError> {
        steps::count(entries as usize);
        self.font_entries = self.font_entries.saturating_add(entries);
        if self.font_entries > self.limits.font_entries {
            return Err(reached(Limit::FontEntries, self.limits.font_entries));
        }
        Ok(())
    }

    /// Counts characters that are written without a font, as glyphs.
    pub(crate) fn count_characters(&mut self, characters: usize) -> Result<(), PdfError> {
        steps::count(characters);
        self.glyphs = self.glyphs.saturating_add(characters as u64);
        if self.glyphs > self.limits.glyphs {
            return Err(reached(Limit::Glyphs, self.limits.glyphs));
        }
        Ok(())
    }

    pub(crate) fn count_glyph(&mut self) -> Result<(), PdfError> {
        self.count_characters(1)
    }

    /// Counts the execution of a drawing, which costs as much as many plain operators.
    pub(crate) fn count_drawing(&mut self) -> Result<(), PdfError> {
        self.operators = self.operators.saturating_add(OPERATORS_PER_DRAWING);
        self.count_operator()
    }

    /// Decodes a stream of content. `None` if it is damaged.
    pub(crate) fn decode<'a>(
        &mut self,
        stream: &Stream<'a>,
    ) -> Result<Option<Cow<'a, [u8]>>, PdfError> {
        if !self.admit(stream)? {
            return Ok(None);
        }
        let Ok(data) = stream.decoded_data() else {
            self.damaged = self.damaged.saturating_add(1);
            return Ok(None);
        };
        self.count_decoded(data.len() as u64)?;
        Ok(Some(data))
    }

    /// Refuses a stream that would decode to more than is left of the limit, or than its document is long enough for.
    /// Returns whether the parser may decode it: rows of a predictor that have no bytes are damage that it fails at.
    ///
    /// The parser decodes a stream as a whole, so a stream that may be a bomb is decoded here first, counting and
    /// keeping nothing. Streams too small to reach the limit whatever they hold are not examined: these are all
    /// but a few.
    pub(crate) fn admit(&mut self, stream: &Stream<'_>) -> Result<bool, PdfError> {
        let left = self.limits.decoded_bytes.saturating_sub(self.decoded);
        let allowed = left.min(self.largest_stream);
        let (raw, layers) = (stream.raw_data(), Layer::of(stream));
        self.count_work(raw.len() as u64 / RAW_BYTES_PER_OPERATOR)?;
        if bombs::largest_size(raw.len() as u64, &layers) <= allowed
            || !bombs::decodes_beyond(&raw, &layers, allowed)
        {
            let is_damaged = layers.iter().any(|layer| layer.row_is_empty);
            self.damaged = self.damaged.saturating_add(is_damaged.into());
            return Ok(!is_damaged);
        }
        Err(if left < self.largest_stream {
            reached(Limit::DecodedBytes, self.limits.decoded_bytes)
        } else {
            reached(Limit::ExpansionRatio, self.limits.expansion_ratio)
        })
    }

    fn count_decoded(&mut self, bytes: u64) -> Result<(), PdfError> {
        steps::count(bytes as usize);
        self.decoded = self.decoded.saturating_add(bytes);
        if self.decoded > self.limits.decoded_bytes {
            return Err(reached(Limit::DecodedBytes, self.limits.decoded_bytes));
        }
        Ok(())
    }
}

/// Refuses a document that the parser would search for objects in more than linear time.
pub(crate) fn admit_search(document: &[u8], limits: &Limits) -> Result<(), PdfError> {
    if object_search::is_linear(document, limits.search_ratio) {
        return Ok(());
    }
    Err(reached(Limit::SearchRatio, limits.search_ratio))
}

/// Refuses a document whose streams of objects are bombs, or rows without bytes: the parser decodes them while it opens
/// the document.
pub(crate) fn admit_objects(document: &[u8], limits: &Limits) -> Result<(), PdfError> {
    let allowed = largest_stream(limits, document.len());
    let streams = bombs::object_streams(document, allowed, limits.decoded_bytes);
    if streams.row_is_empty {
        return Err(PdfError::Damaged);
    }
    if streams.all > limits.decoded_bytes {
        return Err(reached(Limit::DecodedBytes, limits.decoded_bytes));
    }
    if streams.largest > allowed {
        return Err(reached(Limit::ExpansionRatio, limits.expansion_ratio));
    }
    Ok(())
}

fn largest_stream(limits: &Limits, document: usize) -> u64 {
    RATIO_FLOOR.max(limits.expansion_ratio.saturating_mul(document as u64))
}

fn reached(limit: Limit, value: u64) -> PdfError {
    PdfError::LimitReached { limit, value }
}
