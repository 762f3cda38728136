//! html5lib's tokenizer tests, where `scripts/conformance.sh` has put them.
//!
//! What is compared is what a text depends on. Left out, on purpose: names and identifiers of document types,
//! which are read by nobody; CDATA sections, which HTML has in foreign content only, where they are read as
//! the comments they are elsewhere; and what a tokenizer does about U+0000, for no text keeps it.

use std::collections::BTreeMap;
use std::{env, fs};

use serde_json::Value;

use super::tokenizer::{Tag, Token, Tokenizer};
use crate::character_reference::{self as reference, Reference};

/// Tests that a complete suite has at least; fewer mean that it was not found.
const AT_LEAST: usize = 6500;

#[test]
#[ignore = "needs the suite: scripts/conformance.sh"]
fn html5lib_tokenizer_tests() {
    let folder =
        env::var("NEARPRINT_HTML5LIB_TESTS").expect("NEARPRINT_HTML5LIB_TESTS names the folder");
    let (mut run, mut left_out, mut wrong) = (0, 0, Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // The XML violations are about another output.
        if path.extension().is_none_or(|e| e != "test") || path.ends_with("xmlViolation.test") {
            continue;
        }
        let suite: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for test in suite["tests"].as_array().unwrap() {
            let default = [Value::from("Data state")];
            let states = test["initialStates"].as_array().map_or(&default[..], Vec::as_slice);
            for state in states {
                let state = state.as_str().unwrap();
                let (Some(input), Some(expected)) =
                    (unescaped(test, &test["input"]), expected(test))
                else {
                    left_out += 1;
                    continue;
                };
                if state == "CDATA section state" || input.contains("<![CDATA[") {
                    left_out += 1;
                    continue;
                }
                run += 1;
                let input = input.replace("\r\n", "\n").replace('\r', "\n");
                let found = tokens(&input, state, test["lastStartTag"].as_str().unwrap_or(""));
                if found != expected {
                    wrong.push(format!(
                        "{} ({state}): {input:?}\n  found  {found:?}\n  wanted {expected:?}",
                        test["description"]
                    ));
                }
            }
        }
    }
    println!("{run} tests run, {left_out} left out, {} failed", wrong.len());
    assert!(run >= AT_LEAST, "only {run} tests");
    assert!(wrong.is_empty(), "{} of {run}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A string of a test, with the escapes of the doubly escaped ones undone; none if it holds surrogates,
/// which no text does.
fn unescaped(test: &Value, value: &Value) -> Option<String> {
    let text = value.as_str()?;
    if test["doubleEscaped"].as_bool() != Some(true) {
        return Some(text.to_owned());
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u") {
        out.push_str(before);
        let code = u32::from_str_radix(after.get(..4)?, 16).ok()?;
        out.push(char::from_u32(code)?);
        rest = &after[4..];
    }
    Some(out + rest)
}

/// The tokens that a test wants, as [`tokens`] writes them.
fn expected(test: &Value) -> Option<Vec<String>> {
    let mut out = Vec::new();
    for token in test["output"].as_array()? {
        let part = |at: usize| unescaped(test, &token[at]);
        match token[0].as_str()? {
            "Character" => push_text(&mut out, &part(1)?),
            "Comment" => out.push(format!("!{}", part(1)?)),
            "StartTag" => {
                let mut attributes = BTreeMap::new();
                for (name, value) in token[2].as_object()? {
                    attributes.insert(
                        visible(unescaped(test, &Value::from(name.as_str()))?),
                        visible(unescaped(test, value)?),
                    );
                }
                let closes = token[3].as_bool() == Some(true);
                out.push(format!("<{} {attributes:?} {closes}", part(1)?));
            }
            "EndTag" => out.push(format!("/{}", part(1)?)),
            "DOCTYPE" => out.push("doctype".to_owned()),
            _ => return None,
        }
    }
    Some(out.into_iter().map(visible).collect())
}

fn visible(text: String) -> String {
    text.replace('\0', "\u{FFFD}")
}

fn push_text(out: &mut Vec<String>, text: &str) {
    match out.last_mut() {
        Some(last) if last.starts_with('=') => last.push_str(text),
        _ => out.push(format!("={text}")),
    }
}

/// What the tokenizer finds.
fn tokens(input: &str, state: &str, last: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut tokens = Tokenizer::new(input);
    let raw = match state {
        "PLAINTEXT state" => Some(tokens.rest()),
        "RCDATA state" | "RAWTEXT state" => Some(tokens.raw_text(last)),
        // Only scripts have comments of their own.
        "Script data state" => Some(tokens.raw_text(if last.is_empty() { "script" } else { last })),
        _ => None,
    };
    if let Some(raw) = raw.filter(|raw| !raw.is_empty()) {
        push_text(&mut out, &if state == "RCDATA state" { resolved(raw) } else { raw.to_owned() });
    }
    for token in tokens {
        match token {
            Token::Text(text) => push_text(&mut out, &resolved(text)),
            Token::Comment(text) => out.push(format!("!{text}")),
            Token::Doctype(_) => out.push("doctype".to_owned()),
            Token::End(tag) => out.push(format!("/{}", tag.name.to_ascii_lowercase())),
            Token::Start(tag) => out.push(start(tag)),
        }
    }
    out.into_iter().map(visible).collect()
}

fn start(tag: Tag<'_>) -> String {
    let mut attributes = BTreeMap::new();
    for (name, value) in tag.attributes() {
        attributes
            .entry(visible(name.to_ascii_lowercase()))
            .or_insert_with(|| visible(in_attribute(value)));
    }
    format!("<{} {attributes:?} {}", tag.name.to_ascii_lowercase(), tag.is_self_closing())
}

fn resolved(text: &str) -> String {
    replaced(text, |_, _| true)
}

/// In attributes, a name without a semicolon before a letter, a digit or `=` is none.
fn in_attribute(value: &str) -> String {
    replaced(value, |name, after| {
        name.starts_with("&#")
            || name.ends_with(';')
            || !after.starts_with(|c: char| c == '=' || c.is_ascii_alphanumeric())
    })
}

fn replaced(text: &str, holds: fn(&str, &str) -> bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match reference::read(rest).filter(|(_, length)| holds(&rest[..*length], &rest[*length..]))
        {
            Some((found, length)) => {
                match found {
                    Reference::Text(text) => out.push_str(text),
                    Reference::Char(c) => out.push(c),
                }
                rest = &rest[length..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}
