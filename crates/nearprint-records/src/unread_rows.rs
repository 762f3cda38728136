//! Rows in forms that are not read, which are refused: many texts must not pass for one.

use std::borrow::Cow;
use std::fmt;

use crate::beginning::Beginning;
use crate::json_lines::{self, array};
use crate::row_charset::RowCharset;
use crate::{Container, ReadSettings};

/// Why rows are not read, though the fields asked for may be in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnreadRows {
    /// Their lines end with CR alone.
    LineEnds,
    /// JSON objects one after another that are not one a line.
    Objects,
    /// A JSON array of texts.
    Strings,
    /// An array of rows that is a field of a JSON object.
    Nested,
    /// A charset in which rows of this kind are not read.
    Charset(Container, &'static str),
}

impl UnreadRows {
    /// The form of a file that begins so and is neither a container nor rows that lack a field.
    pub(crate) fn of(beginning: &Beginning, settings: &ReadSettings) -> Option<Self> {
        let rows = |text: Vec<u8>| rows_of(beginning, text, settings);
        if let Some((charset, text)) = recoded(beginning, settings) {
            return rows(text).map(|container| Self::Charset(container, charset));
        }
        let text = beginning.text();
        if memchr::memchr(b'\r', text).is_some() && memchr::memchr(b'\n', text).is_none() {
            let lines = text.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte });
            if rows(lines.collect()).is_some() {
                return Some(Self::LineEnds);
            }
        }
        if array::are_strings(beginning) {
            return Some(Self::Strings);
        }
        if let Some(within) = array::within_object(text, settings.fields.content())
            && rows(within.to_vec()) == Some(Container::JsonArray)
        {
            return Some(Self::Nested);
        }
        json_lines::are_objects(beginning).then_some(Self::Objects)
    }
}

/// The rows that a beginning is with this text in its place.
fn rows_of(beginning: &Beginning, text: Vec<u8>, settings: &ReadSettings) -> Option<Container> {
    use Container::{Csv, JsonArray, JsonLines, Tsv};
    let text = Beginning::new(text, beginning.is_whole, beginning.ending.clone(), None);
    Container::of(&text, settings)
        .filter(|found| matches!(found, JsonLines | JsonArray | Csv | Tsv))
}

/// A charset that is not UTF-8, and the beginning in UTF-8.
fn recoded(beginning: &Beginning, settings: &ReadSettings) -> Option<(&'static str, Vec<u8>)> {
    let bytes = &beginning.bytes[..];
    let unit = match bytes {
        [0xFF, 0xFE, 0, 0, ..] => u32::from_le_bytes,
        [0, 0, 0xFE, 0xFF, ..] => u32::from_be_bytes,
        _ => {
            let charset = RowCharset::of(bytes, settings.form.charset.as_deref());
            let Cow::Owned(text) = charset.decoded(bytes) else { return None };
            return (charset.unit() > 1).then(|| (charset.name(), text));
        }
    };
    let (units, _) = bytes.as_chunks::<4>();
    let letter =
        |&bytes: &[u8; 4]| char::from_u32(unit(bytes)).unwrap_or(char::REPLACEMENT_CHARACTER);
    Some(("UTF-32", units.iter().map(letter).collect::<String>().into_bytes()))
}

impl fmt::Display for UnreadRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LineEnds => f.write_str("its lines end with CR alone, and rows with LF or CR LF"),
            Self::Objects => {
                f.write_str("its JSON objects are not one a line (`jq -c .` writes them so)")
            }
            Self::Strings => f.write_str("the elements of its JSON array are texts, not objects"),
            Self::Nested => {
                f.write_str("its rows are an array within a JSON object, not the whole file")
            }
            Self::Charset(container, charset) => {
                write!(f, "{container} in {charset} is not read; convert it to UTF-8")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(bytes: &[u8]) -> Option<UnreadRows> {
        let settings = ReadSettings::default();
        let beginning = Beginning::new(bytes.to_vec(), true, String::new(), None);
        assert_eq!(Container::of(&beginning, &settings), None, "{bytes:?}");
        UnreadRows::of(&beginning, &settings)
    }

    #[test]
    fn rows_in_other_forms_are_told() {
        for (text, expected) in [
            ("id;text\r1;Fog\r2;Rain\r", Some(UnreadRows::LineEnds)),
            ("{\"text\":\"Fog\"}\r{\"text\":\"Rain\"}\r", Some(UnreadRows::LineEnds)),
            ("{\n\"text\":\"Fog\"\n}\n{\n\"text\":\"Rain\"\n}\n", Some(UnreadRows::Objects)),
            ("[\"Fog\",\n\"Rain\"]", Some(UnreadRows::Strings)),
            (
                "{\"n\":2,\"docs\":[{\"text\":\"Fog\"},{\"text\":\"Rain\"}]}",
                Some(UnreadRows::Nested),
            ),
            ("Fog came in.\rRain fell; text.\r", None),
            ("{\n\"a\":\"Fog\"\n}\n", None),
            ("{\n\"a\":\"Fog\"\n}\nand\n{\n\"a\":\"Rain\"\n}\n", None),
            ("[\"Fog\"]", None),
            ("[\"Fog\", 1]", None),
            ("{\n\"text\":\"Fog\",\"notes\":[{\"text\":\"Rain\"},{\"text\":\"Hail\"}]}", None),
            ("{\"a\":{\"b\":[{\"text\":\"Fog\"}]}}", None),
        ] {
            assert_eq!(form(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn charsets_of_rows_are_told() {
        let wide = |text: &str| -> Vec<u8> {
            format!("\u{FEFF}{text}")
                .chars()
                .flat_map(|letter| u32::from(letter).to_le_bytes())
                .collect()
        };
        let csv = UnreadRows::Charset(Container::Csv, "UTF-32");
        assert_eq!(form(&wide("id,text\n1,Fog\n")), Some(csv));
        assert_eq!(form(&wide("Fog came in.\n")), None);
        if cfg!(feature = "charsets") {
            let text = "\u{FEFF}[{\"text\":\"Fog\"}]";
            let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            let array = UnreadRows::Charset(Container::JsonArray, "UTF-16BE");
            assert_eq!(form(&bytes), Some(array));
        }
    }
}
