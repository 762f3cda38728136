//! Text that a document gives instead of glyphs, by marked content with `/ActualText`.

use crate::glyphs::{Glyph, GlyphText, PageGlyphs};

/// Text the document gives instead of the glyphs it shows.
pub(crate) struct Actual {
    text: GlyphText,
    /// The glyph that carries the text, once one was shown.
    carrier: Option<usize>,
}

impl Actual {
    pub(crate) fn new(text: GlyphText) -> Self {
        Self { text, carrier: None }
    }

    /// Lets the first glyph of the marked content carry its text and the others widen it.
    pub(crate) fn carry(&mut self, glyph: Glyph, page: &mut PageGlyphs, direction: (f32, f32)) {
        match self.carrier.and_then(|index| page.glyphs.get_mut(index)) {
            Some(first) if first.run == glyph.run => {
                let along = (glyph.x - first.x) * direction.0
                    + (glyph.y - first.y) * direction.1
                    + glyph.advance;
                first.advance = first.advance.max(along);
            }
            Some(_) => {}
            None => {
                self.carrier = Some(page.glyphs.len());
                page.glyphs.push(Glyph { text: self.text, ..glyph });
            }
        }
    }
}
