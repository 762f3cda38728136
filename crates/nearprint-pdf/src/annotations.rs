//! What stands on a page beside its content: answers in form fields, free text and stamps.
//!
//! A viewer draws an annotation's appearance into its rectangle, so it is drawn here by the interpreter of content
//! streams. Where the file leaves the appearance to the viewer, the field's value or the annotation's text is written
//! into the rectangle instead; never both. A check box or radio button that is on gives its export value, because its
//! appearance is a sign without letters. `placement` then puts each where it stands in the text.
//!
//! Not read: notes, mark-up and popups, which comment on the document; links, which the content shows; push buttons,
//! which are controls; password fields; what is hidden, not viewed, or in a layer that is off.

use crate::content::{Interpreter, Session};
use crate::error::PdfError;
use crate::fields::{Field, FieldKind};
use crate::glyphs::{Glyph, GlyphText, PageGlyphs, Run};
use crate::placement;
use crate::script;
use crate::steps;
use crate::text_state::Matrix;
use crate::text_string;
use hayro_syntax::object::String as PdfString;
use hayro_syntax::object::dict::keys::{
    ANNOTS, AP, AS, BBOX, CONTENTS, F, MATRIX, N, OC, RC, RECT, SUBTYPE,
};
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Rect, Stream};
use hayro_syntax::page::Page;
use std::collections::HashSet;

/// Annotation flags: hidden everywhere, and not shown on a screen.
const HIDDEN: i32 = 1 << 1;
const NO_VIEW: i32 = 1 << 5;
/// Size of letters that are written into a rectangle, in page units: less where the rectangle is low.
const WRITTEN_EM: f32 = 12.0;
/// Distance of baselines that are written, in ems.
const LEADING: f32 = 1.2;
/// What reading an item of the list of annotations counts, in operators: about their times' ratio.
const OPERATORS_PER_ITEM: u64 = 4;
/// Advance of a written character, in ems: of most letters, and of ideographs.
const ADVANCE: f32 = 0.5;
const WIDE_ADVANCE: f32 = 1.0;

/// Reads the annotations of a page after its content, and puts what they show where it stands.
pub(crate) fn read<'a>(
    page: &Page<'a>,
    session: &mut Session<'a>,
    glyphs: &mut PageGlyphs,
) -> Result<(), PdfError> {
    let Some(annotations) = page.raw().get::<Array<'a>>(ANNOTS) else { return Ok(()) };
    let content = glyphs.glyphs.len();
    let has_image = glyphs.has_image;
    let mut seen = HashSet::new();
    let mut blocks = Vec::new();
    for item in annotations.raw_iter() {
        session.budget.count_work(OPERATORS_PER_ITEM)?;
        let dict = match item {
            MaybeRef::Ref(reference) => {
                let id = ObjectIdentifier::from(reference);
                if !seen.insert(id) {
                    continue;
                }
                page.xref().get::<Dict<'a>>(id)
            }
            MaybeRef::NotRef(Object::Dict(dict)) => Some(dict),
            MaybeRef::NotRef(_) => None,
        };
        let Some(dict) = dict else { continue };
        session.budget.count_dict(dict.data().len())?;
        let begin = glyphs.glyphs.len();
        let initial = Matrix(page.initial_transform(false).as_coeffs());
        let edges = dict.get::<Rect>(RECT).map_or((0.0, 0.0), |rect| {
            let (a, b) = (initial.apply(rect.x0, rect.y0).1, initial.apply(rect.x1, rect.y1).1);
            (a.max(b) as f32, a.min(b) as f32)
        });
        Annotation { dict, initial, session, glyphs }.read()?;
        if glyphs.glyphs.len() > begin {
            divide(glyphs, begin);
            blocks.push((begin..glyphs.glyphs.len(), edges));
        }
    }
    placement::insert(glyphs, content, blocks);
    // Pictures of stamps and signatures make no page an image.
    glyphs.has_image = has_image;
    Ok(())
}

/// Sets spaces around what an annotation shows: it may stand close to other text, and is not part of its words.
fn divide(glyphs: &mut PageGlyphs, begin: usize) {
    let space = GlyphText::from_char(' ');
    steps::count(glyphs.glyphs.len() - begin);
    let first = glyphs.glyphs[begin];
    glyphs.glyphs.insert(begin, Glyph { text: space, advance: 0.0, ..first });
    if let Some(last) = glyphs.glyphs.last().copied() {
        let direction = glyphs.runs[last.run as usize].direction;
        let (x, y) = (last.x + last.advance * direction.0, last.y + last.advance * direction.1);
        glyphs.glyphs.push(Glyph { text: space, advance: 0.0, x, y, ..last });
    }
}

/// One annotation that is being read.
struct Annotation<'a, 's> {
    dict: Dict<'a>,
    /// From the page's own units to those of its glyphs.
    initial: Matrix,
    session: &'s mut Session<'a>,
    glyphs: &'s mut PageGlyphs,
}

impl<'a> Annotation<'a, '_> {
    fn read(&mut self) -> Result<(), PdfError> {
        let subtype = self.dict.get::<Name<'_>>(SUBTYPE);
        match subtype.as_deref() {
            Some(b"Widget") => {
                self.session.form.widgets = true;
                if self.is_shown() { self.widget() } else { Ok(()) }
            }
            Some(b"FreeText") if self.is_shown() => {
                let appearance = self.appearance(None)?;
                let text = self.free_text();
                self.show(appearance, &text, None, false)
            }
            Some(b"Stamp") if self.is_shown() => {
                let appearance = self.appearance(None)?;
                self.show(appearance, "", None, false)
            }
            _ => Ok(()),
        }
    }

    fn is_shown(&self) -> bool {
        let flags = self.dict.get::<i32>(F).unwrap_or(0);
        flags & (HIDDEN | NO_VIEW) == 0
            && (!self.dict.contains_key(OC) || self.session.layers.shows(&self.dict, OC))
    }

    fn widget(&mut self) -> Result<(), PdfError> {
        let field = Field::of(&self.dict, self.session)?;
        let field_size = field.font_size;
        match field.kind {
            FieldKind::Password | FieldKind::PushButton => Ok(()),
            FieldKind::Text { comb } => {
                let value = field.text(self.session)?;
                // The letters of a comb stand each in a cell of its own, so that its appearance has no words.
                let left_to_viewer = self.session.form.need_appearances || comb;
                let appearance =
                    if left_to_viewer && value.is_some() { None } else { self.appearance(None)? };
                self.show(appearance, value.as_deref().unwrap_or_default(), field_size, true)
            }
            // A list shows its options, chosen or not, and an appearance does not tell them apart.
            FieldKind::Choice => {
                let chosen = field.chosen(self.session)?;
                self.show(None, &chosen, field_size, true)
            }
            FieldKind::Button => {
                let Some(state) = self.state(&field)? else { return Ok(()) };
                let export = field.export_value(&state, self.session)?;
                let mark = if export.chars().any(char::is_alphabetic) { "" } else { "[x] " };
                self.show(None, &format!("{mark}{export}"), None, true)
            }
            FieldKind::Other => {
                let appearance = self.appearance(None)?;
                self.show(appearance, "", None, true)
            }
        }
    }

    /// The state of a check box or radio button, where it is on.
    fn state(&mut self, field: &Field<'a>) -> Result<Option<Vec<u8>>, PdfError> {
        let state = match self.dict.get::<Name<'_>>(AS) {
            Some(state) => Some(state.as_ref().to_vec()),
            // A writer that sets no state leaves it to the value, which names one that this widget has.
            None => match (field.state_value(), self.states()?) {
                (Some(value), Some(states)) if states.contains_key(&value) => Some(value),
                (Some(value), None) => Some(value),
                _ => None,
            },
        };
        Ok(state.filter(|state| state != b"Off"))
    }

    /// The appearances by state.
    fn states(&mut self) -> Result<Option<Dict<'a>>, PdfError> {
        let Some(appearances) = self.dict.get::<Dict<'a>>(AP) else { return Ok(None) };
        self.session.budget.count_dict(appearances.data().len())?;
        let states = appearances.get::<Dict<'a>>(N);
        self.session.budget.count_dict(states.as_ref().map_or(0, |dict| dict.data().len()))?;
        Ok(states)
    }

    /// The normal appearance.
    fn appearance(&mut self, state: Option<&[u8]>) -> Result<Option<Stream<'a>>, PdfError> {
        let Some(appearances) = self.dict.get::<Dict<'a>>(AP) else { return Ok(None) };
        self.session.budget.count_dict(appearances.data().len())?;
        if let Some(stream) = appearances.get::<Stream<'a>>(N) {
            return Ok(Some(stream));
        }
        let Some(states) = self.states()? else { return Ok(None) };
        let named = self.dict.get::<Name<'_>>(AS);
        let state = state.or(named.as_deref());
        Ok(state.and_then(|state| states.get::<Stream<'a>>(state)))
    }

    /// The text of a free-text annotation, for where it has no appearance.
    fn free_text(&self) -> String {
        let plain = self.dict.get::<PdfString<'_>>(CONTENTS);
        let plain = plain.map(|text| text_string::decode_lines(text.as_bytes()));
        plain.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| {
            let rich = self.dict.get::<PdfString<'_>>(RC);
            rich.map(|text| crate::xml_text::lines(&text_string::decode_lines(text.as_bytes())))
                .unwrap_or_default()
        })
    }

    /// Draws the appearance, or writes `text` where there is none or none of it can be read.
    fn show(
        &mut self,
        appearance: Option<Stream<'a>>,
        text: &str,
        size: Option<f32>,
        field: bool,
    ) -> Result<(), PdfError> {
        let Some(rect) = self.dict.get::<Rect>(RECT) else { return Ok(()) };
        if !(rect.width() > 0.0 && rect.height() > 0.0) {
            return Ok(());
        }
        let written = !text.trim().is_empty();
        if let Some(stream) = appearance {
            let (begin, missing, guessed) =
                (self.glyphs.glyphs.len(), self.session.missing, self.session.guessed);
            if let Some(place) = place(&stream, &rect) {
                Interpreter::new(self.session, self.glyphs, self.initial)
                    .draw_appearance(&stream, place, field)?;
            }
            let drawn = &self.glyphs.glyphs[begin..];
            let is_blank = |g: &Glyph| matches!(g.text.as_char(), Some(' '));
            let readable =
                drawn.iter().all(|g| g.text != GlyphText::MISSING) && !drawn.iter().all(is_blank);
            if readable || !written {
                return Ok(());
            }
            self.glyphs.glyphs.truncate(begin);
            (self.session.missing, self.session.guessed) = (missing, guessed);
        }
        if written { self.write(text, &rect, size, field) } else { Ok(()) }
    }

    /// Writes lines into a rectangle, from its top; a single one in its middle.
    fn write(
        &mut self,
        text: &str,
        rect: &Rect,
        size: Option<f32>,
        field: bool,
    ) -> Result<(), PdfError> {
        let (a, b) = (self.initial.apply(rect.x0, rect.y0), self.initial.apply(rect.x1, rect.y1));
        let (left, right) = (a.0.min(b.0) as f32, a.0.max(b.0) as f32);
        let (bottom, top) = (a.1.min(b.1) as f32, a.1.max(b.1) as f32);
        if !(left.is_finite() && right.is_finite() && bottom.is_finite() && top.is_finite()) {
            return Ok(());
        }
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let count = lines().count() as f32;
        let fitting = (top - bottom) / (LEADING * count);
        let em = size.unwrap_or(WRITTEN_EM).min(fitting).max(f32::MIN_POSITIVE);
        let mut y = if count > 1.0 { top - em } else { (bottom + top) / 2.0 - 0.3 * em };
        self.glyphs.has_fields |= field;
        self.glyphs.runs.push(Run { direction: (1.0, 0.0), em, artifact: false, field });
        let run = (self.glyphs.runs.len() - 1) as u32;
        for line in lines() {
            self.session.budget.count_characters(line.chars().count())?;
            let advance: f32 = line
                .chars()
                .map(|c| if script::is_unspaced(c) { WIDE_ADVANCE } else { ADVANCE })
                .sum();
            self.session.budget.check_page(self.glyphs.glyphs.len())?;
            self.session.budget.count_text(line.len())?;
            let text = self.session.pool.intern(line);
            let advance = (advance * em).min(right - left);
            self.glyphs.glyphs.push(Glyph { text, run, x: left, y, advance });
            y -= LEADING * em;
        }
        Ok(())
    }
}

/// The map from an appearance, its own matrix applied, to the annotation's rectangle (ISO 32000-2, 12.5.5).
fn place(stream: &Stream<'_>, rect: &Rect) -> Option<Matrix> {
    let dict = stream.dict();
    let Some(bounds) = dict.get::<Rect>(BBOX) else {
        return Some(Matrix([1.0, 0.0, 0.0, 1.0, rect.x0, rect.y0]));
    };
    let matrix = Matrix(dict.get::<[f64; 6]>(MATRIX).unwrap_or(Matrix::IDENTITY.0));
    let corners = [
        matrix.apply(bounds.x0, bounds.y0),
        matrix.apply(bounds.x1, bounds.y0),
        matrix.apply(bounds.x0, bounds.y1),
        matrix.apply(bounds.x1, bounds.y1),
    ];
    let low = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
    let high =
        |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (x0, x1, y0, y1) = (low(|c| c.0), high(|c| c.0), low(|c| c.1), high(|c| c.1));
    let scale = |length: f64, drawn: f64| if drawn > 0.0 { length / drawn } else { 1.0 };
    let (across, up) = (scale(rect.width(), x1 - x0), scale(rect.height(), y1 - y0));
    let place = [across, 0.0, 0.0, up, rect.x0 - x0 * across, rect.y0 - y0 * up];
    place.iter().all(|n| n.is_finite()).then_some(Matrix(place))
}
