//! The size of bitmap and drawn (Type 3) fonts.
//!
//! Other fonts are drawn on an em square; a Type 3 font has a coordinate system of its own, and some producers
//! leave the whole scaling to it. The widths then tell how large a character is.

use hayro_syntax::object::dict::keys::{FONT_MATRIX, SUBTYPE, TYPE3, WIDTHS};
use hayro_syntax::object::{Array, Dict, Name};

/// The em of a Type 3 font in units of its text size, estimated; `None` for other fonts.
pub(crate) fn em(dict: &Dict<'_>) -> Option<f32> {
    if dict.get::<Name<'_>>(SUBTYPE)?.as_ref() != TYPE3 {
        return None;
    }
    let matrix = dict.get::<[f64; 6]>(FONT_MATRIX)?;
    let widest = dict.get::<Array<'_>>(WIDTHS)?.iter::<f32>().map(f32::abs).fold(0.0, f32::max);
    let em = widest * matrix[0].hypot(matrix[1]) as f32;
    // The widest character is near an em; within this range the size can be taken at its word.
    Some(if (0.4..=2.5).contains(&em) || em <= 0.0 || !em.is_finite() { 1.0 } else { em })
}
