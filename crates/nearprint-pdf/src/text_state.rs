//! The part of the graphics state that places text: matrices, font, spacing.

use crate::fonts::FontId;

/// An affine map `[a b c d e f]` as PDF writes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Matrix(pub(crate) [f64; 6]);

impl Matrix {
    pub(crate) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// First `self`, then `outer`.
    pub(crate) fn then(self, outer: Self) -> Self {
        let ([a, b, c, d, e, f], [oa, ob, oc, od, oe, of]) = (self.0, outer.0);
        Self([
            a * oa + b * oc,
            a * ob + b * od,
            c * oa + d * oc,
            c * ob + d * od,
            e * oa + f * oc + oe,
            e * ob + f * od + of,
        ])
    }

    pub(crate) fn apply(self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }
}

/// Direction and size of text shown with the current state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Geometry {
    /// Unit vector of the direction of writing, page space.
    pub(crate) direction: (f32, f32),
    /// Size of the em across the direction of writing, page units.
    pub(crate) em: f32,
    /// Page units an advance of one em moves the pen.
    pub(crate) unit: f32,
}

/// The text-placing part of the graphics state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextState {
    ctm: Matrix,
    text: Matrix,
    line: Matrix,
    /// Text space to page space; kept in step with `text` and `ctm`.
    placed: Matrix,
    pub(crate) font: Option<FontId>,
    pub(crate) size: f64,
    pub(crate) char_space: f64,
    pub(crate) word_space: f64,
    /// 1 is unscaled.
    pub(crate) horizontal_scale: f64,
    pub(crate) leading: f64,
    pub(crate) rise: f64,
    /// Thickness of stroked lines, user space.
    pub(crate) line_width: f64,
}

impl TextState {
    pub(crate) fn new(ctm: Matrix) -> Self {
        Self {
            ctm,
            text: Matrix::IDENTITY,
            line: Matrix::IDENTITY,
            placed: ctm,
            font: None,
            size: 1.0,
            char_space: 0.0,
            word_space: 0.0,
            horizontal_scale: 1.0,
            leading: 0.0,
            rise: 0.0,
            line_width: 1.0,
        }
    }

    /// Returns to a saved state, but not to its place in the text: files that save and restore within a text
    /// object expect to continue where they were.
    pub(crate) fn restore(&mut self, saved: Self) {
        let (text, line) = (self.text, self.line);
        *self = saved;
        self.text = text;
        self.line = line;
        self.place();
    }

    pub(crate) fn concat(&mut self, matrix: Matrix) {
        self.ctm = matrix.then(self.ctm);
        self.place();
    }

    pub(crate) fn begin_text(&mut self) {
        self.set_matrix(Matrix::IDENTITY);
    }

    pub(crate) fn set_matrix(&mut self, matrix: Matrix) {
        self.text = matrix;
        self.line = matrix;
        self.place();
    }

    pub(crate) fn move_line(&mut self, x: f64, y: f64) {
        self.set_matrix(Matrix([1.0, 0.0, 0.0, 1.0, x, y]).then(self.line));
    }

    pub(crate) fn next_line(&mut self) {
        self.move_line(0.0, -self.leading);
    }

    /// Moves the pen by text space units.
    pub(crate) fn advance(&mut self, x: f64, y: f64) {
        let [a, b, c, d, e, f] = &mut self.text.0;
        *e += *a * x + *c * y;
        *f += *b * x + *d * y;
        let [a, b, c, d, e, f] = &mut self.placed.0;
        *e += *a * x + *c * y;
        *f += *b * x + *d * y;
    }

    fn place(&mut self) {
        self.placed = self.text.then(self.ctm);
    }

    /// A point of user space on the page.
    pub(crate) fn point(&self, x: f64, y: f64) -> (f32, f32) {
        let (x, y) = self.ctm.apply(x, y);
        (x as f32, y as f32)
    }

    /// How thick stroked lines are on the page; exact where both axes are scaled alike.
    pub(crate) fn stroke(&self) -> f32 {
        let [a, b, c, d, ..] = self.ctm.0;
        (self.line_width * (a * d - b * c).abs().sqrt()) as f32
    }

    /// The pen in page space.
    pub(crate) fn pen(&self) -> (f64, f64) {
        if self.rise == 0.0 {
            (self.placed.0[4], self.placed.0[5])
        } else {
            self.placed.apply(0.0, self.rise)
        }
    }

    /// `None` if text has no size or is not finite: then nothing is seen of it.
    pub(crate) fn geometry(&self, vertical: bool) -> Option<Geometry> {
        let [a, b, c, d, ..] = self.placed.0;
        let across = (a * self.size * self.horizontal_scale, b * self.size * self.horizontal_scale);
        let up = (c * self.size, d * self.size);
        let (writing, em) = if vertical {
            ((-up.0, -up.1), across.0.hypot(across.1))
        } else {
            (across, up.0.hypot(up.1))
        };
        let unit = writing.0.hypot(writing.1);
        if !(unit.is_finite() && em.is_finite()) || unit < 1e-6 {
            return None;
        }
        let em = if em < 1e-6 { unit } else { em };
        Some(Geometry {
            direction: ((writing.0 / unit) as f32, (writing.1 / unit) as f32),
            em: em as f32,
            unit: unit as f32,
        })
    }
}
