//! The character map of an embedded TrueType or OpenType program, read backwards: from glyph to character.

use hayro_font::OutlineGlyph;
use skrifa::{FontRef, MetadataProvider};
use std::collections::HashMap;

/// Characters by glyph; read from the font program when first asked.
#[derive(Debug, Default)]
pub(crate) struct ProgramMap(Option<HashMap<u32, char>>);

impl ProgramMap {
    /// The character of a glyph, if the program names one.
    pub(crate) fn text(&mut self, glyph: &OutlineGlyph) -> Option<char> {
        let map = self.0.get_or_insert_with(|| read(glyph).unwrap_or_default());
        map.get(&glyph.glyph_id().to_u32()).copied()
    }
}

fn read(glyph: &OutlineGlyph) -> Option<HashMap<u32, char>> {
    let data = glyph.font_data()?.data;
    let bytes: &[u8] = (*data).as_ref();
    let font = FontRef::new(bytes).ok()?;
    let mut map = HashMap::new();
    for (code, id) in font.charmap().mappings() {
        // Where several characters share a glyph the lowest is the one meant: compatibility forms come later.
        if let Some(c) = char::from_u32(code).filter(|_| id.to_u32() != 0) {
            map.entry(id.to_u32())
                .and_modify(|known: &mut char| *known = c.min(*known))
                .or_insert(c);
        }
    }
    Some(map)
}
