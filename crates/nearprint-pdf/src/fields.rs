//! The fields of an interactive form: what kind each is, and what was answered.
//!
//! A widget on a page is a field or the child of one, and inherits what it does not state from its ancestors (ISO
//! 32000-2, 12.7.4). Ancestors are read once and counted; a tree that leads back to itself ends where it does.

use crate::content::Session;
use crate::error::PdfError;
use crate::steps;
use crate::text_string;
use hayro_syntax::object::String as PdfString;
use hayro_syntax::object::dict::keys::{
    ACRO_FORM, DA, DR, FF, FT, I, NEED_APPEARANCES, OPT, PARENT, RV, V, XFA,
};
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::Resources;
use hayro_syntax::xref::XRef;
use std::collections::HashMap;

/// Field flags (ISO 32000-2, tables 227 to 233).
const PASSWORD: i32 = 1 << 13;
const PUSH_BUTTON: i32 = 1 << 16;
const COMB: i32 = 1 << 24;

/// What the document says about its form as a whole.
pub(crate) struct InteractiveForm<'a> {
    /// Viewers are to write the appearances of fields by their values.
    pub(crate) need_appearances: bool,
    /// Resources of appearances that have none of their own.
    pub(crate) resources: Resources<'a>,
    /// Some page has a widget.
    pub(crate) widgets: bool,
    /// The form in another language, which viewers may use instead of the pages.
    pub(crate) xfa: Option<Object<'a>>,
    xref: &'a XRef,
    /// Fields that are ancestors of widgets, read once.
    ancestors: HashMap<ObjectIdentifier, Option<Dict<'a>>>,
}

impl<'a> InteractiveForm<'a> {
    /// Reads the form's own dictionary.
    pub(crate) fn new(xref: &'a XRef) -> Self {
        let catalog = xref.get::<Dict<'a>>(xref.root_id()).unwrap_or_default();
        let form = catalog.get::<Dict<'a>>(ACRO_FORM).unwrap_or_default();
        Self {
            need_appearances: form.get::<bool>(NEED_APPEARANCES).unwrap_or(false),
            resources: Resources::new(form.get::<Dict<'a>>(DR).unwrap_or_default()),
            widgets: false,
            xfa: form.get::<Object<'a>>(XFA),
            xref,
            ancestors: HashMap::new(),
        }
    }
}

/// What a field is, as far as its text is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// A text, whose letters stand in cells of their own if it is a comb.
    Text { comb: bool },
    /// A text that is not for reading.
    Password,
    /// Options of a list.
    Choice,
    /// A check box or a radio button.
    Button,
    /// A button without a state.
    PushButton,
    /// A signature, or a field that does not say what it is.
    Other,
}

/// A field with what it inherits.
pub(crate) struct Field<'a> {
    pub(crate) kind: FieldKind,
    /// Size of the letters, in page units, where the field states one.
    pub(crate) font_size: Option<f32>,
    value: Option<Object<'a>>,
    rich_value: Option<Object<'a>>,
    options: Option<Array<'a>>,
    indices: Option<Array<'a>>,
}

impl<'a> Field<'a> {
    /// The field of a widget.
    pub(crate) fn of(widget: &Dict<'a>, session: &mut Session<'a>) -> Result<Self, PdfError> {
        let mut kind: Option<Name<'a>> = None;
        let mut flags = None;
        let mut font_size = None;
        let (mut value, mut rich_value, mut options, mut indices) = (None, None, None, None);
        let mut seen = Vec::new();
        let mut dict = widget.clone();
        loop {
            kind = kind.or_else(|| dict.get::<Name<'a>>(FT));
            flags = flags.or_else(|| dict.get::<i32>(FF));
            value = value.or_else(|| dict.get::<Object<'a>>(V));
            rich_value = rich_value.or_else(|| dict.get::<Object<'a>>(RV));
            options = options.or_else(|| dict.get::<Array<'a>>(OPT));
            indices = indices.or_else(|| dict.get::<Array<'a>>(I));
            font_size = font_size.or_else(|| size_of(dict.get::<PdfString<'_>>(DA)?.as_bytes()));
            let Some(parent) = dict.get_ref(PARENT).map(ObjectIdentifier::from) else { break };
            if seen.contains(&parent) {
                break;
            }
            steps::count(seen.len());
            session.budget.check_nesting(seen.len() as u32)?;
            seen.push(parent);
            match ancestor(parent, session)? {
                Some(found) => dict = found,
                None => break,
            }
        }
        let flags = flags.unwrap_or(0);
        let kind = match kind.as_deref() {
            Some(b"Tx") if flags & PASSWORD != 0 => FieldKind::Password,
            Some(b"Tx") => FieldKind::Text { comb: flags & COMB != 0 },
            Some(b"Ch") => FieldKind::Choice,
            Some(b"Btn") if flags & PUSH_BUTTON != 0 => FieldKind::PushButton,
            Some(b"Btn") => FieldKind::Button,
            _ => FieldKind::Other,
        };
        let value = value.filter(|value| !matches!(value, Object::Null(_)));
        Ok(Self { kind, font_size, value, rich_value, options, indices })
    }

    /// The value of a text field; none if it has none, not even an empty one.
    pub(crate) fn text(&self, session: &mut Session<'a>) -> Result<Option<String>, PdfError> {
        if let Some(value) = &self.value {
            return text_of(value, session);
        }
        let Some(rich) = &self.rich_value else { return Ok(None) };
        Ok(text_of(rich, session)?.map(|text| crate::xml_text::lines(&text)))
    }

    /// The options that are chosen, as the list shows them, each on a line.
    pub(crate) fn chosen(&self, session: &mut Session<'a>) -> Result<String, PdfError> {
        let values: Vec<Vec<u8>> = match &self.value {
            Some(Object::String(value)) => vec![value.as_bytes().to_vec()],
            Some(Object::Array(values)) => {
                session.budget.count_dict(values.data().len())?;
                strings(values)
            }
            _ => Vec::new(),
        };
        let mut shown: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
        let mut by_index = Vec::new();
        if let Some(options) = &self.options {
            session.budget.count_dict(options.data().len())?;
            for option in options.raw_iter() {
                let (export, label) = match resolve(option, session) {
                    Some(Object::String(text)) => (text.as_bytes().to_vec(), None),
                    Some(Object::Array(pair)) => {
                        let mut pair = strings(&pair).into_iter();
                        (pair.next().unwrap_or_default(), pair.next())
                    }
                    _ => (Vec::new(), None),
                };
                let label = label.unwrap_or_else(|| export.clone());
                by_index.push(label.clone());
                shown.entry(export).or_insert(label);
            }
        }
        let chosen: Vec<Vec<u8>> = if values.is_empty() {
            let indices = self.indices.iter().flat_map(Array::iter::<i32>);
            indices.filter_map(|n| by_index.get(usize::try_from(n).ok()?).cloned()).collect()
        } else {
            values.into_iter().map(|v| shown.get(&v).cloned().unwrap_or(v)).collect()
        };
        let lines: Vec<String> = chosen.iter().map(|text| text_string::decode(text)).collect();
        Ok(lines.join("\n"))
    }

    /// The state that the value of a button names.
    pub(crate) fn state_value(&self) -> Option<Vec<u8>> {
        match &self.value {
            Some(Object::Name(state)) => Some(state.as_ref().to_vec()),
            Some(Object::String(state)) => Some(state.as_bytes().to_vec()),
            _ => None,
        }
    }

    /// What a button that is on stands for: the option that its state counts, or the state's own name.
    pub(crate) fn export_value(
        &self,
        state: &[u8],
        session: &mut Session<'a>,
    ) -> Result<String, PdfError> {
        if let Some(options) = &self.options {
            session.budget.count_dict(options.data().len())?;
            let index = std::str::from_utf8(state).ok().and_then(|s| s.parse::<usize>().ok());
            let option = index.and_then(|index| options.raw_iter().nth(index));
            if let Some(Object::String(text)) = option.and_then(|o| resolve(o, session)) {
                return Ok(text_string::decode(text.as_bytes()));
            }
        }
        // Names are UTF-8 where they are more than ASCII.
        Ok(std::str::from_utf8(state).map_or_else(
            |_| text_string::decode(state),
            |name| name.chars().filter_map(crate::fonts::clean_char).collect(),
        ))
    }
}

/// A field that is the parent of another, or of a widget.
fn ancestor<'a>(
    id: ObjectIdentifier,
    session: &mut Session<'a>,
) -> Result<Option<Dict<'a>>, PdfError> {
    session.budget.count_work(1)?;
    if let Some(known) = session.form.ancestors.get(&id) {
        return Ok(known.clone());
    }
    let xref: &'a XRef = session.form.xref;
    let dict = xref.get::<Dict<'a>>(id);
    session.budget.count_dict(dict.as_ref().map_or(0, |dict| dict.data().len()))?;
    session.form.ancestors.insert(id, dict.clone());
    Ok(dict)
}

fn resolve<'a>(item: MaybeRef<Object<'a>>, session: &Session<'a>) -> Option<Object<'a>> {
    match item {
        MaybeRef::Ref(reference) => {
            let xref: &'a XRef = session.form.xref;
            xref.get::<Object<'a>>(reference.into())
        }
        MaybeRef::NotRef(object) => Some(object),
    }
}

fn strings(array: &Array<'_>) -> Vec<Vec<u8>> {
    array
        .iter::<Object<'_>>()
        .filter_map(|item| match item {
            Object::String(text) => Some(text.as_bytes().to_vec()),
            _ => None,
        })
        .collect()
}

/// A text string, or a stream of one.
fn text_of<'a>(value: &Object<'a>, session: &mut Session<'a>) -> Result<Option<String>, PdfError> {
    Ok(match value {
        Object::String(text) => Some(text_string::decode_lines(text.as_bytes())),
        Object::Name(text) => Some(text_string::decode_lines(text.as_ref())),
        Object::Stream(stream) => {
            let stream: &Stream<'a> = stream;
            session.budget.decode(stream)?.map(|data| text_string::decode_lines(&data))
        }
        _ => None,
    })
}

/// The size that a default appearance sets its font in; none if the viewer chooses one.
fn size_of(default_appearance: &[u8]) -> Option<f32> {
    let text = std::str::from_utf8(default_appearance).ok()?;
    let mut tokens = text.split_ascii_whitespace().rev().skip_while(|token| *token != "Tf");
    let size: f32 = tokens.nth(1)?.parse().ok()?;
    (size.is_finite() && size > 0.0).then_some(size)
}

#[cfg(test)]
mod tests {
    use super::size_of;

    #[test]
    fn sizes_stand_before_their_operator() {
        for (appearance, size) in [
            ("/Helv 12 Tf 0 g", Some(12.0)),
            ("0 g /Helv 9.5 Tf", Some(9.5)),
            ("/Helv 0 Tf", None),
            ("/Helv -4 Tf", None),
            ("Tf", None),
            ("", None),
        ] {
            assert_eq!(size_of(appearance.as_bytes()), size, "{appearance}");
        }
    }
}
