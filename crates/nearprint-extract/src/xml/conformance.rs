//! The XML conformance suite of the W3C, where `scripts/conformance.sh` has put it: every document that is
//! well-formed is read without a complaint, and of those with a canonical form, the elements and the
//! characters are those of that form.
//!
//! Left out, on purpose: documents that are not well-formed, for this reader reads on where others stop;
//! documents in XML 1.1, whose names and line ends nobody writes; what only external entities and the
//! declarations in a DTD say, for no other file is ever loaded; attributes, which are looked up by name only;
//! references to the numbers 128 to 159, which are read as HTML reads them, for who writes them means windows-1252.

use std::path::{Path, PathBuf};
use std::{env, fs};

use super::attributes::attribute;
use super::entity::{self, Entities, Resolution};
use super::scanner::{Piece, Scanner};
use crate::charset;
use crate::limits::Limits;

/// Documents that a complete suite has at least; fewer mean that it was not found.
const AT_LEAST: [usize; 2] = [700, 200];

#[test]
#[ignore = "needs the suite: scripts/conformance.sh"]
fn xml_conformance_suite() {
    let root = env::var("NEARPRINT_XML_SUITE").expect("NEARPRINT_XML_SUITE names the folder");
    let root = Path::new(&root);
    let catalogue = fs::read_to_string(root.join("cleaned/xmlconf-flattened.xml")).unwrap();
    let (mut read, mut compared, mut left_out, mut wrong) = (0, 0, 0, Vec::new());
    let mut base = String::new();
    for piece in Scanner::new(&catalogue) {
        let Piece::Start { name, attributes, .. } = piece else { continue };
        let get = |name| attribute(attributes, name);
        if name == "TESTCASES"
            && let Some(found) = get("xml:base")
        {
            base = found.to_owned();
        }
        if name != "TEST" || !matches!(get("TYPE"), Some("valid" | "invalid")) {
            continue;
        }
        let path = |uri: &str| -> PathBuf { root.join("xmlconf").join(&base).join(uri) };
        let file = path(get("URI").unwrap());
        let bytes = fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let text = charset::decode(&bytes, None).text.into_owned();
        if text.starts_with("<?xml version=\"1.1\"") || text.starts_with("<?xml version='1.1'") {
            left_out += 1;
            continue;
        }
        read += 1;
        let (found, damaged) = content(&text);
        if damaged {
            wrong.push(format!("{}: taken for damaged", file.display()));
        }
        let external = get("ENTITIES").is_some_and(|needed| needed != "none");
        if let Some(wanted) = get("OUTPUT").filter(|_| !external) {
            compared += 1;
            let wanted = content(&fs::read_to_string(path(wanted)).unwrap()).0;
            let controls = wanted.contains(|c| ('\u{80}'..'\u{A0}').contains(&c));
            if found != wanted && !controls {
                wrong.push(format!("{}:\n  found  {found:?}\n  wanted {wanted:?}", file.display()));
            }
        }
    }
    println!(
        "{read} documents read, {compared} compared, {left_out} left out, {} failed",
        wrong.len()
    );
    assert!(read >= AT_LEAST[0] && compared >= AT_LEAST[1], "{read} read, {compared} compared");
    assert!(wrong.is_empty(), "{} of {read}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The elements and characters of a document, and whether anything in it looked damaged.
fn content(text: &str) -> (String, bool) {
    let mut out = String::new();
    // The standard has line ends normalised before anything else.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut entities = Entities::default();
    let work = crate::work::Work::new(&crate::Limits::default());
    let replaced =
        super::doctype(&text, &work).unwrap().map(entity::replacement_texts).unwrap_or_default();
    let damaged = walk(&text, &replaced, &mut entities, 0, &mut out);
    (out, damaged)
}

fn walk<'a>(
    text: &'a str,
    replaced: &'a [String],
    entities: &mut Entities<'a>,
    depth: u32,
    out: &mut String,
) -> bool {
    let mut scanner = Scanner::new(text);
    let (mut open, mut damaged) = (depth, false);
    for piece in &mut scanner {
        match piece {
            // Around the root there are only blanks.
            Piece::Text(_) if open == 0 => {}
            Piece::Text(text) => {
                damaged |= characters(text, replaced, entities, open, out);
            }
            Piece::Verbatim(text) => out.push_str(text),
            Piece::Start { name, empty, .. } => {
                out.push_str(&format!("<{name}>"));
                if empty {
                    out.push_str(&format!("</{name}>"));
                } else {
                    open += 1;
                }
            }
            Piece::End { name } => {
                out.push_str(&format!("</{name}>"));
                open = open.saturating_sub(1);
            }
            Piece::Doctype(doctype) => entities.declare(doctype, replaced),
        }
    }
    damaged | scanner.is_damaged()
}

fn characters<'a>(
    text: &'a str,
    replaced: &'a [String],
    entities: &mut Entities<'a>,
    depth: u32,
    out: &mut String,
) -> bool {
    let (mut rest, mut damaged) = (text, false);
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some((found, length)) = entities.read(rest, &Limits::default()).unwrap() else {
            out.push('&');
            rest = &rest[1..];
            damaged = true;
            continue;
        };
        rest = &rest[length..];
        match found {
            Resolution::Text(text) => out.push_str(text),
            Resolution::Char(c) => out.push(c),
            Resolution::Entity(value) => damaged |= walk(value, replaced, entities, depth, out),
            Resolution::Name(name) => out.push_str(name),
            Resolution::Elsewhere => {}
        }
    }
    out.push_str(rest);
    damaged
}
