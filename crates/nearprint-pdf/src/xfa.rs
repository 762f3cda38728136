//! The answers of forms that are written in XFA alone, and have no fields on their pages.
//!
//! Where a form has both, its fields hold the same answers, at their places. Of the XFA form only the data are read;
//! its template, which draws the labels, would need a layout of its own, and a warning says that they are missing.

use crate::content::Session;
use crate::error::PdfError;
use crate::outcome::Warning;
use crate::text_string;
use crate::xml_text;
use hayro_syntax::object::{Object, Stream};

/// Appends the answers of a form in XFA to the text; a warning where the document is such a form.
pub(crate) fn append_answers(
    session: &mut Session<'_>,
    text: &mut String,
) -> Result<Option<Warning>, PdfError> {
    if session.form.widgets {
        return Ok(None);
    }
    let answers = match session.form.xfa.take() {
        Some(Object::Stream(whole)) => xml(&whole, session)?.map(|xml| xml_text::answers(&xml)),
        Some(Object::Array(packets)) => {
            session.budget.count_dict(packets.data().len())?;
            let mut items = packets.iter::<Object<'_>>();
            let mut found = None;
            while let (Some(name), Some(packet)) = (items.next(), items.next()) {
                let is_data = matches!(&name, Object::String(n) if n.as_bytes() == b"datasets");
                if let (true, Object::Stream(packet)) = (is_data, packet) {
                    found = xml(&packet, session)?.map(|xml| xml_text::answers(&xml));
                    break;
                }
            }
            found
        }
        _ => return Ok(None),
    };
    let answers = answers.filter(|answers| !answers.is_empty());
    if let Some(answers) = &answers {
        session.budget.count_characters(answers.chars().count())?;
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(answers);
        text.push('\n');
    }
    Ok(Some(Warning::XfaForm { answers: answers.is_some() }))
}

/// An XML text, in UTF-8 or UTF-16.
fn xml(stream: &Stream<'_>, session: &mut Session<'_>) -> Result<Option<String>, PdfError> {
    Ok(session.budget.decode(stream)?.map(|data| match data.as_ref() {
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => text_string::decode_lines(&data),
        _ => String::from_utf8_lossy(&data).into_owned(),
    }))
}
