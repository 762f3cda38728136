//! Macros that a document defines, and their expansion within a bound.

use std::rc::Rc;

use super::Manual;
use super::reader::Reader;

/// Parameters of a macro (<=): each use of one is looked for among them.
const MOST: usize = 64;

/// A macro that the document defines.
#[derive(Debug)]
pub(super) struct Macro {
    parameters: Vec<String>,
    body: String,
}

impl Manual<'_> {
    /// `@macro name {a, b}`, and the lines up to `@end macro`.
    pub(super) fn define(&mut self, kind: &str, reader: &mut Reader) {
        let head = reader.line();
        let Some(body) = reader.environment(kind, true) else { return };
        let (name, parameters) = head.split_once('{').unwrap_or((&head, ""));
        let parameters = parameters.trim_end().trim_end_matches('}').split(',').map(str::trim);
        let parameters: Vec<_> =
            parameters.filter(|name| !name.is_empty()).take(MOST).map(str::to_owned).collect();
        let body = body.strip_suffix('\n').unwrap_or(&body).to_owned();
        let name = name.trim();
        if !name.is_empty() {
            self.macros.insert(name.to_owned(), Rc::new(Macro { parameters, body }));
        }
    }

    /// Puts the text of a macro before what is still to come.
    pub(super) fn expand(&mut self, found: &Macro, reader: &mut Reader) {
        let arguments = match found.parameters.len() {
            0 => {
                if reader.peek() == Some('{') {
                    reader.group();
                }
                Vec::new()
            }
            count => match reader.group() {
                Some(group) => split(&group, count),
                None => vec![reader.line()],
            },
        };
        let mut text = String::with_capacity(found.body.len());
        let mut rest = found.body.as_str();
        while let Some((before, after)) = rest.split_once('\\') {
            text += before;
            // No further than to the next backslash, which ends the name of a parameter.
            let Some((name, behind)) = after.split_once('\\') else {
                text.push('\\');
                rest = after;
                continue;
            };
            if name.is_empty() {
                text.push('\\');
                rest = behind;
            } else if let Some(number) = found.parameters.iter().position(|known| known == name) {
                text += arguments.get(number).map_or("", String::as_str);
                rest = behind;
            } else {
                text.push('\\');
                text += name;
                rest = &after[name.len()..];
            }
            // Arguments can be long, and be used often.
            if !reader.may_insert(text.len()) {
                return;
            }
        }
        text += rest;
        reader.insert(text.into());
    }
}

/// The arguments in a group: those of a macro with one parameter are not separated by commas.
fn split(group: &str, count: usize) -> Vec<String> {
    let mut arguments = vec![String::new()];
    let (mut depth, mut escaped) = (0usize, false);
    for c in group.chars() {
        let number = arguments.len();
        let Some(last) = arguments.last_mut() else { break };
        if escaped {
            if !matches!(c, '\\' | '{' | '}' | ',') {
                last.push('\\');
            }
            last.push(c);
            escaped = false;
            continue;
        }
        match c {
            '\\' => escaped = true,
            ',' if depth == 0 && number < count => arguments.push(String::new()),
            _ => {
                depth = match c {
                    '{' => depth + 1,
                    '}' => depth.saturating_sub(1),
                    _ => depth,
                };
                last.push(c);
            }
        }
    }
    arguments.iter().map(|argument| argument.trim().to_owned()).collect()
}
