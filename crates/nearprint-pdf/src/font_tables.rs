//! How large the tables of a font become, counted before the font crate builds them.
//!
//! A range of widths takes a few bytes in the file and an entry for each of its codes in memory; and fonts may share
//! their tables, which are read once for each font.

use crate::budget::Budget;
use crate::error::PdfError;
use crate::fonts;
use hayro_syntax::object::dict::keys::{
    CHAR_PROCS, CID_TO_GID_MAP, DESCENDANT_FONTS, ENCODING, FIRST_CHAR, FONT_DESC, W, W2, WIDTHS,
};
use hayro_syntax::object::{Array, Dict, Object, Stream};

/// Entries that a map from codes to glyphs takes less memory for than a map from codes to widths.
const GLYPHS_PER_ENTRY: u64 = 8;
/// Codes of a font that its map from codes to glyphs is read for.
const MAX_CODES: usize = 1 << 16;
/// How often the dictionaries and widths of a font are read, about, in the time that `count_dict` has for once.
const READINGS: usize = 8;
/// Bytes of an encoding that are enough to name each code once. Entries beyond take as long as entries of tables.
const USUAL_ENCODING: usize = 8 << 10;
/// Codes of a font whose codes are bytes.
const BYTES: i64 = 256;

/// Refuses a font whose tables are larger than what is left of the limit, or whose streams are bombs. Returns whether
/// the parser may decode its streams.
pub(crate) fn admit(dict: &Dict<'_>, budget: &mut Budget) -> Result<bool, PdfError> {
    let descendant = dict
        .get::<Array<'_>>(DESCENDANT_FONTS)
        .and_then(|fonts| fonts.iter::<Dict<'_>>().next())
        .unwrap_or_default();
    for (key, columns) in [(W, 1), (W2, 3)] {
        if let Some(widths) = descendant.get::<Array<'_>>(key) {
            budget.count_dict(widths.data().len())?;
            ranges(&widths, columns, budget)?;
        }
    }
    if let Some(glyphs) = descendant.get::<Stream<'_>>(CID_TO_GID_MAP) {
        if !budget.admit(&glyphs)? {
            return Ok(false);
        }
        let glyphs = glyphs.decoded_data().map_or(0, |data| data.len() / 2).min(MAX_CODES);
        budget.count_font_entries(glyphs as u64 / GLYPHS_PER_ENTRY)?;
    }
    // Codes before the first one of a simple font have entries as well.
    let first = dict.get::<i64>(FIRST_CHAR).unwrap_or(0);
    if first >= BYTES {
        budget.count_font_entries(first as u64)?;
    }
    let array = |key: &[u8]| dict.get::<Array<'_>>(key).map_or(0, |array| array.data().len());
    let dictionary = |key: &[u8]| dict.get::<Dict<'_>>(key).map_or(0, |dict| dict.data().len());
    let encoding = dictionary(ENCODING);
    budget.count_font_entries(encoding.saturating_sub(USUAL_ENCODING) as u64 / 2)?;
    let described = [dict, &descendant].map(|owner| {
        owner.get::<Dict<'_>>(FONT_DESC).map_or(0, |descriptor| descriptor.data().len())
    });
    let all = array(WIDTHS) + encoding + dictionary(CHAR_PROCS) + described[0] + described[1];
    budget.count_dict(all.saturating_mul(READINGS))?;
    for stream in fonts::streams(dict) {
        if !budget.admit(&stream)? {
            return Ok(false);
        }
        budget.count_dict(stream.raw_data().len())?;
    }
    Ok(true)
}

/// Counts the entries of `c [w ...]` and `first last w`, where each code has so many columns.
fn ranges(widths: &Array<'_>, columns: usize, budget: &mut Budget) -> Result<(), PdfError> {
    let mut items = widths.iter::<Object<'_>>();
    while let Some(first) = items.next() {
        let Object::Number(first) = first else { continue };
        match items.next() {
            Some(Object::Array(list)) => {
                budget.count_font_entries(list.data().len() as u64 / 2)?;
            }
            Some(Object::Number(last)) => {
                let codes = last.as_i64().saturating_sub(first.as_i64()).saturating_add(1);
                budget.count_font_entries((codes.max(0) as u64).saturating_mul(columns as u64))?;
                for _ in 0..columns {
                    items.next();
                }
            }
            _ => {}
        }
    }
    Ok(())
}
