//! Runs content streams and collects the glyphs they show.
//!
//! Only what moves text is interpreted: matrices, text state, drawings within drawings, marked content. Paths,
//! colours and images are skipped, which is most of the work of a renderer and none of ours. Optional content
//! that is off is not collected.

mod marks;
mod shown_text;

use self::marks::Mark;
use crate::budget::Budget;
use crate::error::PdfError;
use crate::fields::InteractiveForm;
use crate::font_tables;
use crate::fonts::{FontId, FontStore};
use crate::glyphs::{PageGlyphs, TextPool};
use crate::inline_images;
use crate::lookups::{self, Lookups};
use crate::rules::Rules;
use crate::steps;
use crate::text_state::{Matrix, TextState};
use crate::visibility::Layers;
use hayro_syntax::content::{Instruction, UntypedIter};
use hayro_syntax::object::dict::keys::{FONT, FORM, MATRIX, OC, RESOURCES, SUBTYPE};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::Resources;

/// What all pages of a document share while it is read.
pub(crate) struct Session<'a> {
    pub(crate) fonts: FontStore<'a>,
    pub(crate) pool: TextPool,
    pub(crate) budget: Budget,
    pub(crate) layers: Layers,
    pub(crate) lookups: Lookups,
    pub(crate) form: InteractiveForm<'a>,
    /// Glyphs without Unicode.
    pub(crate) missing: u64,
    /// Glyphs whose text was guessed.
    pub(crate) guessed: u64,
}

impl<'a> Session<'a> {
    /// Counts the reading of an entry that is of no use, or a condition.
    fn count_entry(&mut self, dict: &Dict<'a>, key: &[u8]) -> Result<(), PdfError> {
        let size = self.lookups.size(dict, key);
        self.budget.count_lookup(size)
    }

    /// Whether the layers show what stands under a condition.
    fn shows(&mut self, owner: &Dict<'a>, key: &[u8]) -> Result<bool, PdfError> {
        if self.layers.all_visible() {
            return Ok(true);
        }
        self.budget.count_named()?;
        self.count_entry(owner, key)?;
        Ok(self.layers.shows(owner, key))
    }

    /// Loads a font, unless it holds a stream that would decode to more than the limit, or that cannot be decoded.
    fn load_font(&mut self, dict: &Dict<'a>) -> Result<Option<FontId>, PdfError> {
        if let Some(known) = self.fonts.known(dict) {
            return Ok(known);
        }
        let may_be_read = font_tables::admit(dict, &mut self.budget)?;
        Ok(may_be_read.then(|| self.fonts.load(dict)).flatten())
    }
}

/// Reads the content of one page.
pub(crate) struct Interpreter<'a, 's> {
    session: &'s mut Session<'a>,
    page: &'s mut PageGlyphs,
    state: TextState,
    stack: Vec<TextState>,
    marks: Vec<Mark>,
    hidden: u32,
    artifacts: u32,
    rules: Rules,
    /// Fonts of names that the resources do not have.
    default_fonts: Dict<'a>,
    /// A form field shows what is drawn.
    field: bool,
}

/// Saved states beyond this are not kept: real files stay below 30, hostile ones push for ever.
const MAX_SAVED_STATES: usize = 512;
/// Font names of one stream looked up only once; beyond that the search would cost more than the look-up.
const MAX_REMEMBERED_FONTS: usize = 64;
/// Content of a page is run once so many bytes of it are there and an operator ends them, and once so many are there.
const PART: usize = 4 << 20;
const MAX_PART: usize = 32 << 20;
impl<'a, 's> Interpreter<'a, 's> {
    pub(crate) fn new(
        session: &'s mut Session<'a>,
        page: &'s mut PageGlyphs,
        initial: Matrix,
    ) -> Self {
        Self {
            session,
            page,
            state: TextState::new(initial),
            stack: Vec::new(),
            marks: Vec::new(),
            hidden: 0,
            artifacts: 0,
            rules: Rules::default(),
            default_fonts: Dict::empty(),
            field: false,
        }
    }

    /// Draws the appearance of an annotation, of a form field or of another kind.
    pub(crate) fn draw_appearance(
        &mut self,
        stream: &Stream<'a>,
        place: Matrix,
        field: bool,
    ) -> Result<(), PdfError> {
        self.field = field;
        self.page.has_fields |= field;
        let resources = self.session.form.resources.clone();
        self.default_fonts = resources.fonts.clone();
        self.state.concat(place);
        self.draw_form(stream, &resources, 0)
    }

    /// Runs the streams of a page, which are one content; also returns how many there are and how many could be
    /// decoded.
    pub(crate) fn run_page(
        &mut self,
        streams: impl Iterator<Item = Stream<'a>>,
        resources: &Resources<'a>,
    ) -> Result<(usize, usize), PdfError> {
        let (mut count, mut decoded) = (0, 0);
        let mut content = Vec::new();
        let mut ends_with_operator = false;
        for stream in streams {
            if count > 0 {
                self.session.budget.count_drawing()?;
            }
            count += 1;
            let Some(data) = self.session.budget.decode(&stream)? else { continue };
            decoded += 1;
            // Asked of each stream alone: a page may have very many short ones behind a long content.
            if let Some(ends) = operator_ends(&data) {
                ends_with_operator = ends;
            }
            if content.is_empty() {
                content = data.into_owned();
            } else {
                // A token does not reach from one stream into the next, but the operands of an operator may.
                content.push(b'\n');
                content.extend_from_slice(&data);
            }
            if content.len() >= PART && (ends_with_operator || content.len() >= MAX_PART) {
                self.run_part(&content, resources, 0, 0)?;
                content.clear();
                ends_with_operator = false;
            }
        }
        self.run_part(&content, resources, 0, 0)?;
        Ok((count, decoded))
    }

    /// Runs one content stream.
    fn run(&mut self, data: &[u8], resources: &Resources<'a>, depth: u32) -> Result<(), PdfError> {
        self.session.budget.check_nesting(depth)?;
        let floor = self.stack.len();
        let marks = self.marks.len();
        self.run_part(data, resources, floor, depth)?;
        self.stack.truncate(floor);
        while self.marks.len() > marks {
            self.end_mark();
        }
        Ok(())
    }

    /// Runs instructions and leaves open what they leave open.
    fn run_part(
        &mut self,
        data: &[u8],
        resources: &Resources<'a>,
        floor: usize,
        depth: u32,
    ) -> Result<(), PdfError> {
        let mut fonts = Vec::new();
        let parts = inline_images::parts(data, &mut self.session.budget)?;
        self.page.has_image |= parts.len() > 1;
        for part in parts {
            let mut instructions = UntypedIter::new(&data[part]);
            while let Some(instruction) = instructions.next() {
                self.session.budget.count_operator()?;
                self.execute(&instruction, resources, &mut fonts, floor, depth)?;
            }
        }
        Ok(())
    }

    fn execute(
        &mut self,
        instruction: &Instruction<'_, '_>,
        resources: &Resources<'a>,
        fonts: &mut Vec<(Vec<u8>, Option<FontId>)>,
        floor: usize,
        depth: u32,
    ) -> Result<(), PdfError> {
        let operator: &[u8] = instruction.operator;
        match operator {
            b"q" if self.stack.len() < MAX_SAVED_STATES => self.stack.push(self.state),
            b"Q" => {
                if self.stack.len() > floor
                    && let Some(state) = self.stack.pop()
                {
                    self.state.restore(state);
                }
            }
            b"cm" => {
                if let Some(m) = numbers::<6>(instruction) {
                    self.state.concat(Matrix(m));
                }
            }
            b"BT" => self.state.begin_text(),
            b"Tf" => self.set_font(instruction, resources, fonts)?,
            b"Td" => {
                if let Some([x, y]) = numbers(instruction) {
                    self.state.move_line(x, y);
                }
            }
            b"TD" => {
                if let Some([x, y]) = numbers(instruction) {
                    self.state.leading = -y;
                    self.state.move_line(x, y);
                }
            }
            b"Tm" => {
                if let Some(m) = numbers::<6>(instruction) {
                    self.state.set_matrix(Matrix(m));
                }
            }
            b"T*" => self.state.next_line(),
            b"Tc" => set(&mut self.state.char_space, instruction),
            b"Tw" => set(&mut self.state.word_space, instruction),
            b"Tz" => {
                if let Some([percent]) = numbers(instruction) {
                    self.state.horizontal_scale = percent / 100.0;
                }
            }
            b"TL" => set(&mut self.state.leading, instruction),
            b"Ts" => set(&mut self.state.rise, instruction),
            b"Tj" => self.show_operand(instruction)?,
            b"'" => {
                self.state.next_line();
                self.show_operand(instruction)?;
            }
            b"\"" => {
                let mut operands = instruction.operands();
                if let (Some(Object::Number(word)), Some(Object::Number(letter))) =
                    (operands.next(), operands.next())
                {
                    self.state.word_space = word.as_f64();
                    self.state.char_space = letter.as_f64();
                }
                self.state.next_line();
                self.show_operand(instruction)?;
            }
            b"TJ" => {
                self.begin_showing();
                if let Some(Object::Array(items)) = instruction.operands().last() {
                    for item in items.iter::<Object<'_>>() {
                        match item {
                            Object::Number(n) => self.adjust(n.as_f64()),
                            Object::String(s) => self.show(s.as_bytes())?,
                            _ => {}
                        }
                    }
                }
            }
            b"gs" => self.set_graphics_state(instruction, resources)?,
            b"Do" => {
                if let Some(Object::Name(name)) = instruction.operands().last() {
                    self.session.budget.count_named()?;
                    match resources.get_x_object(name) {
                        Some(stream) => self.draw(&stream, resources, depth)?,
                        None => self.session.count_entry(&resources.x_objects, name)?,
                    }
                }
            }
            b"BI" => self.page.has_image = true,
            b"BMC" => {
                let artifact = matches!(instruction.operands().last(),
                    Some(Object::Name(tag)) if tag.as_ref() == b"Artifact");
                self.begin_mark(Mark { hidden: false, artifact, actual: None });
            }
            b"BDC" => {
                let mark = self.mark(instruction, resources)?;
                self.begin_mark(mark);
            }
            b"EMC" => self.end_mark(),
            _ => self.draw_path(operator, instruction),
        }
        Ok(())
    }

    /// Follows paths as far as they may be rules that stand for underscores.
    fn draw_path(&mut self, operator: &[u8], instruction: &Instruction<'_, '_>) {
        let state = &self.state;
        match operator {
            b"w" => set(&mut self.state.line_width, instruction),
            b"m" => {
                if let Some([x, y]) = numbers(instruction) {
                    self.rules.move_to(state.point(x, y));
                }
            }
            b"l" => {
                if let Some([x, y]) = numbers(instruction) {
                    self.rules.line_to(state.point(x, y));
                }
            }
            b"re" => {
                if let Some([x, y, width, height]) = numbers(instruction) {
                    self.rules.rectangle(state.point(x, y), state.point(x + width, y + height));
                }
            }
            b"c" | b"v" | b"y" => self.rules.curve_to(),
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" if self.hidden == 0 => {
                self.rules.fill();
            }
            b"S" | b"s" if self.hidden == 0 => self.rules.stroke(state.stroke()),
            b"n" | b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" | b"S" | b"s" => {
                self.rules.end_path();
            }
            _ => {}
        }
    }

    fn set_font(
        &mut self,
        instruction: &Instruction<'_, '_>,
        resources: &Resources<'a>,
        fonts: &mut Vec<(Vec<u8>, Option<FontId>)>,
    ) -> Result<(), PdfError> {
        let mut operands = instruction.operands();
        let (Some(Object::Name(name)), Some(Object::Number(size))) =
            (operands.next(), operands.next())
        else {
            return Ok(());
        };
        self.state.size = size.as_f64();
        if let Some((_, known)) = fonts.iter().find(|(known, _)| known == name.as_ref()) {
            self.state.font = *known;
            return Ok(());
        }
        self.session.budget.count_named()?;
        let font = match resources.get_font(name).or_else(|| self.default_fonts.get(name)) {
            Some(dict) => {
                self.session.budget.count_lookup(dict.data().len())?;
                let font = self.session.load_font(&dict)?;
                if font.is_none() {
                    self.session.budget.damaged = self.session.budget.damaged.saturating_add(1);
                }
                font
            }
            None => {
                self.session.count_entry(&resources.fonts, name)?;
                self.session.fonts.fallback()
            }
        };
        if fonts.len() < MAX_REMEMBERED_FONTS {
            fonts.push((name.as_ref().to_vec(), font));
        }
        self.state.font = font;
        Ok(())
    }

    fn set_graphics_state(
        &mut self,
        instruction: &Instruction<'_, '_>,
        resources: &Resources<'a>,
    ) -> Result<(), PdfError> {
        let Some(Object::Name(name)) = instruction.operands().last() else { return Ok(()) };
        self.session.budget.count_named()?;
        let Some(settings) = resources.get_ext_g_state(name) else {
            return self.session.count_entry(&resources.ext_g_states, name);
        };
        self.session.budget.count_lookup(settings.data().len())?;
        let Some(array) = settings.get::<Array<'a>>(FONT) else { return Ok(()) };
        let mut items = array.iter::<Object<'a>>();
        if let (Some(Object::Dict(dict)), Some(Object::Number(size))) = (items.next(), items.next())
        {
            self.state.font = self.session.load_font(&dict)?;
            self.state.size = size.as_f64();
        }
        Ok(())
    }

    fn draw(
        &mut self,
        stream: &Stream<'a>,
        outer: &Resources<'a>,
        depth: u32,
    ) -> Result<(), PdfError> {
        let dict = stream.dict();
        self.session.budget.count_lookup(dict.data().len())?;
        if dict.get::<Name<'_>>(SUBTYPE).is_none_or(|n| n.as_ref() != FORM) {
            self.page.has_image = true;
            return Ok(());
        }
        self.draw_form(stream, outer, depth)
    }

    /// Draws a stream whatever kind of drawing it claims to be.
    fn draw_form(
        &mut self,
        stream: &Stream<'a>,
        outer: &Resources<'a>,
        depth: u32,
    ) -> Result<(), PdfError> {
        let dict = stream.dict();
        if self.hidden > 0 || (dict.contains_key(OC) && !self.session.shows(dict, OC)?) {
            return Ok(());
        }
        self.session.budget.count_drawing()?;
        let Some(data) = self.session.budget.decode(stream)? else { return Ok(()) };
        let resources = dict.get::<Dict<'a>>(RESOURCES).map(Resources::new);
        if let Some(resources) = &resources {
            self.session.budget.count_lookup(lookups::size_of_resources(resources))?;
        }
        let saved = self.state;
        if let Some(matrix) = dict.get::<[f64; 6]>(MATRIX) {
            self.state.concat(Matrix(matrix));
        }
        self.run(&data, resources.as_ref().unwrap_or(outer), depth + 1)?;
        self.state = saved;
        Ok(())
    }
}

/// Whether a content ends with the word of an operator, so that no operands are left; `None` if it is blank.
fn operator_ends(content: &[u8]) -> Option<bool> {
    let length = content.len();
    let content = content.trim_ascii_end();
    steps::count(length - content.len());
    if content.is_empty() {
        return None;
    }
    let word = content.iter().rev().take_while(|b| b.is_ascii_alphabetic() || **b == b'*').count();
    let (rest, word) = content.split_at(content.len() - word);
    let before = rest.last();
    steps::count(word.len());
    let is_operand = matches!(word, b"true" | b"false" | b"null");
    let is_word = !word.is_empty()
        && !is_operand
        && before.is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b')' | b']' | b'>'));
    Some(is_word)
}

/// The last `N` operands, if there are so many and all are numbers.
fn numbers<const N: usize>(instruction: &Instruction<'_, '_>) -> Option<[f64; N]> {
    let mut values = [0.0; N];
    let mut count = 0;
    for operand in instruction.operands() {
        let Object::Number(number) = operand else { return None };
        values.copy_within(1.., 0);
        values[N - 1] = number.as_f64();
        count += 1;
    }
    (count >= N).then_some(values)
}

fn set(target: &mut f64, instruction: &Instruction<'_, '_>) {
    if let Some([value]) = numbers(instruction) {
        *target = value;
    }
}
