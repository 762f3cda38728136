//! The parameters of macros: how definitions list them, and where their values stand.

use std::rc::Rc;

use super::reader::Reader;

/// Parameters of one macro; TeX has no more.
pub(super) const MOST: usize = 9;

/// Bytes of the longest text that ends a parameter.
const LONGEST_DELIMITER: usize = 64;

/// The value of a parameter that may be missing, and is.
pub(super) const NO_VALUE: &str = "\\NoValue ";

/// The value of a parameter that may be missing, where it is.
type Default = Rc<str>;

/// A parameter of a macro, or what stands before one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Parameter {
    /// A group, or one token.
    Required,
    /// A group, if one comes next.
    Group(Default),
    /// What stands between two signs, if the first comes next.
    Enclosed(char, char, Default),
    /// Whether a sign comes next.
    Sign(char),
    /// The argument after a sign, if that comes next.
    Marked(char, Default),
    /// What stands before a text.
    Until(Rc<str>),
    /// As it stands, between two of a sign.
    Verbatim,
    /// No parameter: a text that the macro is used with.
    Text(Rc<str>),
}

/// Those of `\newcommand`: their number, and the value of the first where it is optional.
pub(super) fn numbered(count: usize, default: Option<String>) -> Rc<[Parameter]> {
    let first = default.map(|default| Parameter::Enclosed('[', ']', default.into()));
    let required = std::iter::repeat_n(Parameter::Required, MOST);
    first.into_iter().chain(required).take(count.min(MOST)).collect()
}

/// Those of `\def`, by the text between the name and the body. None where a text between them is too long.
pub(super) fn of_definition(pattern: &str) -> Option<Rc<[Parameter]>> {
    let mut pieces = pattern.split('#');
    let before = pieces.next().filter(|text| !text.is_empty());
    let mut found: Vec<Parameter> =
        before.map(|text| Parameter::Text(text.into())).into_iter().collect();
    for piece in pieces.filter(|piece| piece.starts_with(|c: char| c.is_ascii_digit())) {
        found.push(match &piece[1..] {
            "" => Parameter::Required,
            delimiter => Parameter::Until(delimiter.into()),
        });
    }
    let is_short = |parameter: &Parameter| match parameter {
        Parameter::Text(text) | Parameter::Until(text) => text.len() <= LONGEST_DELIMITER,
        _ => true,
    };
    (found.len() <= MOST + 1 && found.iter().all(is_short)).then(|| found.into())
}

/// Those of `\NewDocumentCommand` and its like, by their letters.
pub(super) fn of_document_command(list: &mut Reader) -> Rc<[Parameter]> {
    let none = || Default::from(NO_VALUE);
    let mut found = Vec::new();
    while let Some(kind) = list.next()
        && found.len() < MOST
    {
        let sign = |list: &mut Reader| list.argument().chars().next().unwrap_or('*');
        let parameter = match kind {
            'm' | 'l' => Parameter::Required,
            'o' => Parameter::Enclosed('[', ']', none()),
            'O' => Parameter::Enclosed('[', ']', list.argument().into()),
            'd' | 'r' => Parameter::Enclosed(sign(list), sign(list), none()),
            'D' | 'R' => Parameter::Enclosed(sign(list), sign(list), list.argument().into()),
            's' => Parameter::Sign('*'),
            't' => Parameter::Sign(sign(list)),
            'g' => Parameter::Group(none()),
            'G' => Parameter::Group(list.argument().into()),
            'u' => Parameter::Until(list.argument().into()),
            'v' => Parameter::Verbatim,
            'e' | 'E' => {
                let signs = list.argument();
                if kind == 'E' {
                    list.argument();
                }
                found.extend(signs.chars().map(|sign| Parameter::Marked(sign, none())));
                continue;
            }
            // What is done to a value.
            '>' => {
                list.argument();
                continue;
            }
            _ => continue,
        };
        found.push(parameter);
    }
    found.truncate(MOST);
    found.into()
}

/// The values of the parameters, which come next. None where the macro is not used as it is defined.
pub(super) fn values(parameters: &[Parameter], reader: &mut Reader) -> Option<Vec<String>> {
    let mut values = Vec::new();
    for parameter in parameters {
        let next = reader.peek();
        values.push(match parameter {
            Parameter::Required => reader.argument(),
            Parameter::Group(default) if next != Some('{') => default.to_string(),
            Parameter::Group(_) => reader.argument(),
            Parameter::Enclosed(open, _, default) if next != Some(*open) => default.to_string(),
            Parameter::Enclosed(_, close, _) => {
                reader.next();
                reader.balanced(*close)
            }
            Parameter::Sign(sign) if next == Some(*sign) => {
                reader.next();
                "\\BooleanTrue ".to_owned()
            }
            Parameter::Sign(_) => "\\BooleanFalse ".to_owned(),
            Parameter::Marked(sign, default) if next != Some(*sign) => default.to_string(),
            Parameter::Marked(..) => {
                reader.next();
                reader.argument()
            }
            Parameter::Until(delimiter) => reader.delimited(delimiter)?,
            Parameter::Verbatim => {
                let open = reader.next()?;
                let close = if open == '{' { '}' } else { open };
                reader.until(close.encode_utf8(&mut [0; 4]))
            }
            Parameter::Text(text) => {
                if !reader.skip_text(text) {
                    return None;
                }
                continue;
            }
        });
    }
    Some(values)
}
