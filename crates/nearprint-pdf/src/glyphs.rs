//! Glyphs as shown on a page: what character, where, how large, in which direction.
//!
//! The interpreter writes these, the layout reads them. A page of a book has some three thousand, so they are
//! kept small: what glyphs of one string share stands in a [`Run`].

use crate::script;

/// The text of a glyph: nothing, one character, or a longer text kept in a [`TextPool`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GlyphText(u32);

impl GlyphText {
    /// A glyph whose font does not say what it means. It takes up room but gives no text.
    pub(crate) const MISSING: Self = Self(u32::MAX);
    /// A glyph that stands for no text at all, as its marked content says.
    pub(crate) const NOTHING: Self = Self(u32::MAX - 1);
    const POOLED: u32 = 1 << 31;

    pub(crate) fn from_char(c: char) -> Self {
        Self(c as u32)
    }

    pub(crate) fn as_char(self) -> Option<char> {
        char::from_u32(self.0)
    }
}

/// Longer texts that glyphs stand for (ligatures, sequences given by the document).
#[derive(Debug, Default)]
pub(crate) struct TextPool(Vec<Box<str>>);

impl TextPool {
    /// Stores `text` and returns the glyph text that stands for it.
    pub(crate) fn intern(&mut self, text: &str) -> GlyphText {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (None, _) => GlyphText::NOTHING,
            (Some(c), None) => GlyphText::from_char(c),
            _ => {
                // More than 2^31 texts cannot be reached: each takes memory, and glyphs are limited.
                let index = u32::try_from(self.0.len()).unwrap_or(0) & !GlyphText::POOLED;
                self.0.push(text.into());
                GlyphText(GlyphText::POOLED | index)
            }
        }
    }

    /// Appends the text of a glyph to `out`.
    pub(crate) fn append(&self, text: GlyphText, out: &mut String) {
        if let Some(c) = text.as_char() {
            out.push(c);
        } else if let Some(long) = self.long(text) {
            out.push_str(long);
        }
    }

    /// What a glyph is by its text: its first letter, or its mark where it is nothing but marks. Fonts have letters
    /// whose mark is read before them, as the holam of Hebrew is.
    pub(crate) fn base(&self, text: GlyphText) -> Option<char> {
        text.as_char().or_else(|| {
            let long = self.long(text)?;
            long.chars().find(|c| !script::is_combining(*c)).or_else(|| long.chars().next())
        })
    }

    /// The text of a pooled glyph.
    pub(crate) fn long(&self, text: GlyphText) -> Option<&str> {
        if text.0 & GlyphText::POOLED == 0
            || text == GlyphText::MISSING
            || text == GlyphText::NOTHING
        {
            return None;
        }
        self.0.get((text.0 & !GlyphText::POOLED) as usize).map(AsRef::as_ref)
    }
}

/// What consecutive glyphs share: direction, size, visibility.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Run {
    /// Direction of writing as a unit vector in page space (y up).
    pub(crate) direction: (f32, f32),
    /// The em square's size in page units, across the direction of writing.
    pub(crate) em: f32,
    /// Shown within marked content that the document itself calls page furniture.
    pub(crate) artifact: bool,
    /// Shown by a form field: an answer, which is never page furniture.
    pub(crate) field: bool,
}

/// One glyph on a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glyph {
    pub(crate) text: GlyphText,
    /// Index into [`PageGlyphs::runs`].
    pub(crate) run: u32,
    /// The pen's position before the glyph, page units.
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// How far the glyph moves the pen along its run's direction, page units, without letter spacing.
    pub(crate) advance: f32,
}

/// All glyphs of one page, in the order they are shown.
#[derive(Debug, Default)]
pub(crate) struct PageGlyphs {
    pub(crate) runs: Vec<Run>,
    pub(crate) glyphs: Vec<Glyph>,
    /// Width and height of the page as shown, page units.
    pub(crate) size: (f32, f32),
    /// The page shows at least one image.
    pub(crate) has_image: bool,
    /// Some of the glyphs are shown by form fields.
    pub(crate) has_fields: bool,
}

impl PageGlyphs {
    pub(crate) fn clear(&mut self, size: (f32, f32)) {
        self.runs.clear();
        self.glyphs.clear();
        self.size = size;
        self.has_image = false;
        self.has_fields = false;
    }
}
