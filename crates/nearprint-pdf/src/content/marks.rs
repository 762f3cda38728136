//! Marked content: what is hidden, what is an artifact, and what text stands for its glyphs.

use hayro_syntax::content::Instruction;
use hayro_syntax::object::dict::keys::{ACTUAL_TEXT, TYPE};
use hayro_syntax::object::{Dict, Name, Object, String as PdfString};
use hayro_syntax::page::Resources;

use super::Interpreter;
use crate::actual_text::Actual;
use crate::error::PdfError;

/// Marked content nested deeper than this is not distinguished any more.
const MAX_MARKS: usize = 512;

/// One level of marked content.
pub(super) struct Mark {
    pub(super) hidden: bool,
    pub(super) artifact: bool,
    pub(super) actual: Option<Actual>,
}

impl<'a> Interpreter<'a, '_> {
    pub(super) fn mark(
        &mut self,
        instruction: &Instruction<'_, '_>,
        resources: &Resources<'a>,
    ) -> Result<Mark, PdfError> {
        let mut operands = instruction.operands();
        let tag = match operands.next() {
            Some(Object::Name(tag)) => tag.as_ref(),
            _ => &[],
        };
        let mut mark = Mark { hidden: false, artifact: tag == b"Artifact", actual: None };
        let named;
        let properties = match operands.next() {
            Some(Object::Name(name)) => {
                if tag == b"OC" {
                    mark.hidden = !self.session.shows(&resources.properties, name.as_ref())?;
                    return Ok(mark);
                }
                self.session.budget.count_named()?;
                named = resources.properties.get::<Dict<'_>>(name);
                if named.is_none() {
                    self.session.count_entry(&resources.properties, name)?;
                }
                named.as_ref()
            }
            Some(Object::Dict(dict)) => Some(dict),
            _ => None,
        };
        let Some(properties) = properties else { return Ok(mark) };
        self.session.budget.count_lookup(properties.data().len())?;
        if mark.artifact {
            // Layout artifacts are rules and backgrounds; only pagination ones hold running text.
            mark.artifact =
                properties.get::<Name<'_>>(TYPE).is_none_or(|t| t.as_ref() != b"Layout");
        }
        if let Some(text) = properties.get::<PdfString<'_>>(ACTUAL_TEXT) {
            self.session.budget.count_dict(text.as_bytes().len())?;
            let text = crate::text_string::decode(text.as_bytes());
            self.session.budget.count_text(text.len())?;
            mark.actual = Some(Actual::new(self.session.pool.intern(&text)));
        }
        Ok(mark)
    }

    pub(super) fn begin_mark(&mut self, mark: Mark) {
        if self.marks.len() < MAX_MARKS {
            self.hidden += u32::from(mark.hidden);
            self.artifacts += u32::from(mark.artifact);
            self.marks.push(mark);
        }
    }

    pub(super) fn end_mark(&mut self) {
        if let Some(mark) = self.marks.pop() {
            self.hidden -= u32::from(mark.hidden);
            self.artifacts -= u32::from(mark.artifact);
        }
    }
}
