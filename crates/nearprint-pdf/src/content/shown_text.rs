//! Text that is shown: its codes become glyphs at their places on the page.

use hayro_syntax::content::Instruction;
use hayro_syntax::object::Object;

use super::Interpreter;
use crate::error::PdfError;
use crate::glyphs::{Glyph, GlyphText, Run};

impl Interpreter<'_, '_> {
    pub(super) fn adjust(&mut self, thousandths: f64) {
        let shift = -thousandths / 1000.0 * self.state.size;
        if let Some(font) = self.state.font {
            self.session.fonts.get_mut(font).adjust(thousandths);
        }
        match self.state.font {
            Some(font) if self.session.fonts.get_mut(font).vertical => {
                self.state.advance(0.0, shift);
            }
            _ => self.state.advance(shift * self.state.horizontal_scale, 0.0),
        }
    }

    pub(super) fn begin_showing(&mut self) {
        if let Some(font) = self.state.font {
            self.session.fonts.get_mut(font).begin_showing();
        }
    }

    pub(super) fn show_operand(
        &mut self,
        instruction: &Instruction<'_, '_>,
    ) -> Result<(), PdfError> {
        self.begin_showing();
        match instruction.operands().last() {
            Some(Object::String(text)) => self.show(text.as_bytes()),
            _ => Ok(()),
        }
    }

    pub(super) fn show(&mut self, bytes: &[u8]) -> Result<(), PdfError> {
        let font_id = match self.state.font {
            Some(font) => font,
            // Viewers fall back to Helvetica where no font is set; for other than ASCII that would be garbage.
            None if bytes.is_ascii() => match self.session.fonts.fallback() {
                Some(font) => font,
                None => return Ok(()),
            },
            None => return Ok(()),
        };
        let font = self.session.fonts.get_mut(font_id);
        let vertical = font.vertical;
        let Some(geometry) = self.state.geometry(vertical) else { return Ok(()) };
        let run = Run {
            direction: geometry.direction,
            em: geometry.em * font.em,
            artifact: self.artifacts > 0,
            field: self.field,
        };
        if self.page.runs.last() != Some(&run) {
            self.session.budget.check_page(self.page.runs.len())?;
            self.page.runs.push(run);
        }
        let run = (self.page.runs.len() - 1) as u32;
        font.begin(bytes);
        let mut offset = 0;
        while offset < bytes.len() {
            self.session.budget.count_glyph()?;
            let (code, length) = font.read_code(bytes, offset);
            offset += length;
            let entry = font.code(code, &mut self.session.pool);
            let (x, y) = self.state.pen();
            let width = f64::from(entry.advance) * self.state.size;
            let mut spacing = self.state.char_space;
            if length == 1 && code == 32 {
                spacing += self.state.word_space;
            }
            if vertical {
                self.state.advance(0.0, width + spacing);
            } else {
                self.state.advance((width + spacing) * self.state.horizontal_scale, 0.0);
            }
            if self.hidden > 0 {
                continue;
            }
            self.session.budget.check_page(self.page.glyphs.len())?;
            if let Some(long) = self.session.pool.long(entry.text) {
                self.session.budget.count_text(long.len())?;
            }
            self.session.missing += u64::from(entry.text == GlyphText::MISSING);
            self.session.guessed += u64::from(entry.guessed);
            let advance = (entry.advance * geometry.unit).abs();
            let glyph = Glyph { text: entry.text, run, x: x as f32, y: y as f32, advance };
            self.rules.before(&glyph, self.page);
            match self.marks.last_mut().and_then(|m| m.actual.as_mut()) {
                None => self.page.glyphs.push(glyph),
                Some(actual) => actual.carry(glyph, self.page, geometry.direction),
            }
        }
        Ok(())
    }
}
