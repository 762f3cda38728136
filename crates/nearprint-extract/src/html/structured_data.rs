//! Texts in structured data (JSON-LD): bodies of articles and descriptions of products.
//!
//! Pages that scripts fill often have them, since search engines read them. A scan in one pass, without a tree: the
//! value of a name is found wherever it is, and damaged JSON gives what stands before the damage.

use memchr::memchr2;

use crate::error::ExtractError;
use crate::job::Job;

/// Objects in each other beyond which the rest is left out; schema.org's have some five.
const DEEPEST: usize = 64;

/// The bodies of all articles that the data describe, or if there are none the descriptions of products, each on a
/// line of its own.
pub(super) fn text(data: &[&str], job: &Job<'_>) -> Result<Option<String>, ExtractError> {
    let mut found = Texts::default();
    for json in data {
        job.work.charge(json.len())?;
        found.read(json);
    }
    let Texts { bodies, products } = found;
    let chosen = if bodies.is_empty() { products } else { bodies };
    Ok((!chosen.is_empty()).then(|| chosen.iter().map(|raw| unescape(raw) + "\n").collect()))
}

/// Texts as they stand in the data, with their escapes.
#[derive(Default)]
struct Texts<'a> {
    bodies: Vec<&'a str>,
    products: Vec<&'a str>,
}

/// An object that is open.
#[derive(Default)]
struct Object<'a> {
    is_product: bool,
    description: Option<&'a str>,
}

impl<'a> Texts<'a> {
    fn read(&mut self, json: &'a str) {
        let mut open: Vec<Object<'a>> = Vec::new();
        // The last name, whose value follows; it holds for all values of an array.
        let mut name = "";
        let (bytes, mut at) = (json.as_bytes(), 0);
        while let Some(byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'{' if open.len() == DEEPEST => return,
                b'{' => {
                    open.push(Object::default());
                    name = "";
                }
                b'}' => {
                    let closed = open.pop().unwrap_or_default();
                    self.products.extend(closed.description.filter(|_| closed.is_product));
                    name = "";
                }
                b'"' => {
                    let Some(end) = string_end(bytes, at) else { return };
                    let string = &json[at..end];
                    at = end + 1;
                    let blanks = bytes[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
                    if bytes.get(at + blanks) == Some(&b':') {
                        at += blanks + 1;
                        name = string;
                    } else if let Some(object) = open.last_mut() {
                        match name {
                            "articleBody" => self.bodies.push(string),
                            "description" => object.description = Some(string),
                            "@type" => object.is_product |= string.ends_with("Product"),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// Where the quotation mark is that ends the string whose content begins at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// A string of JSON without its escapes. What is not an escape becomes U+FFFD.
fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut characters = rest.chars();
        let decoded = match characters.next() {
            Some('n' | 'r' | 't' | 'b' | 'f') => ' ',
            Some(same @ ('"' | '\\' | '/')) => same,
            Some('u') => {
                let (decoded, length) = code_point(&rest[1..]);
                text.push(decoded);
                rest = &rest[1 + length..];
                continue;
            }
            _ => char::REPLACEMENT_CHARACTER,
        };
        text.push(decoded);
        rest = characters.as_str();
    }
    text + rest
}

/// The character whose code follows `\u`, and the bytes of its digits: of both halves, if it has two.
fn code_point(digits: &str) -> (char, usize) {
    let unit = |digits: &str| {
        let digits = digits.get(..4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(digits) else { return (char::REPLACEMENT_CHARACTER, 0) };
    let second = digits[4..].strip_prefix("\\u").and_then(unit);
    let pair = |units: &[u16]| char::decode_utf16(units.iter().copied()).next()?.ok();
    match second.and_then(|second| pair(&[first, second]).filter(|c| c.len_utf16() == 2)) {
        Some(decoded) => (decoded, 10),
        None => (pair(&[first]).unwrap_or(char::REPLACEMENT_CHARACTER), 4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> (Vec<&str>, Vec<&str>) {
        let mut found = Texts::default();
        found.read(json);
        (found.bodies, found.products)
    }

    #[test]
    fn bodies_and_descriptions_are_found_wherever_they_are() {
        let graph = r#"{"@graph":[{"@type":"Article","description":"x","articleBody" : "one"},
            {"@type":["Thing","Product"],"offers":{"description":"y"},"description":"two"}]}"#;
        assert_eq!(raw(graph), (vec!["one"], vec!["two"]));
        assert_eq!(raw(r#"{"description":"two","@type":"Product"}"#).1, ["two"]);
        // A name in a string is not a name, and what is cut gives what stands before.
        assert_eq!(raw(r#"{"a":"\"articleBody\": no","articleBody":"yes","#).0, ["yes"]);
        assert_eq!(raw(r#"{"articleBody":"cut"#).0, [""; 0]);
        let deep = format!("{}\"articleBody\":\"a\"", "{\"b\":".repeat(DEEPEST) + "{");
        assert_eq!(raw(&deep).0, [""; 0]);
    }

    #[test]
    fn escapes_are_what_they_stand_for() {
        for (escaped, text) in [
            (r#"a\"b\\c\/d\ne"#, "a\"b\\c/d e"),
            (r"\u00fc\uD83D\uDE00.", "ü😀."),
            (r"\uD83D\u0041", "\u{FFFD}A"),
            (r"\uD83Dé\u12é", "\u{FFFD}é\u{FFFD}12é"),
            (r"\x\", "\u{FFFD}\u{FFFD}"),
        ] {
            assert_eq!(unescape(escaped), text, "{escaped}");
        }
    }
}
