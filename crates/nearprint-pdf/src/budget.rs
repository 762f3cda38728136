//! Counts the work a document causes and stops it at the caller's limits.

use crate::error::{Limit, PdfError};
use crate::options::Limits;
use hayro_syntax::object::Stream;
use std::borrow::Cow;

/// Work done so far, against the limits.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    glyphs: u64,
    operators: u64,
    decoded: u64,
    /// Damaged parts met and skipped.
    pub(crate) damaged: u32,
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, glyphs: 0, operators: 0, decoded: 0, damaged: 0 }
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
        self.operators += 1;
        if self.operators > self.limits.operators {
            return Err(reached(Limit::Operators, self.limits.operators));
        }
        Ok(())
    }

    pub(crate) fn count_glyph(&mut self) -> Result<(), PdfError> {
        self.glyphs += 1;
        if self.glyphs > self.limits.glyphs {
            return Err(reached(Limit::Glyphs, self.limits.glyphs));
        }
        Ok(())
    }

    /// Decodes a stream of content. `None` where it is damaged.
    ///
    /// The parser decodes a stream as a whole, so the limit is checked on what comes out; a stream small
    /// enough to stay below it whatever it holds is the common case, and one that is not is bounded by the
    /// memory limit of the process.
    pub(crate) fn decode<'a>(
        &mut self,
        stream: &Stream<'a>,
    ) -> Result<Option<Cow<'a, [u8]>>, PdfError> {
        let Ok(data) = stream.decoded_data() else {
            self.damaged = self.damaged.saturating_add(1);
            return Ok(None);
        };
        self.decoded = self.decoded.saturating_add(data.len() as u64);
        if self.decoded > self.limits.decoded_bytes {
            return Err(reached(Limit::DecodedBytes, self.limits.decoded_bytes));
        }
        Ok(Some(data))
    }
}

fn reached(limit: Limit, value: u64) -> PdfError {
    PdfError::LimitReached { limit, value }
}
