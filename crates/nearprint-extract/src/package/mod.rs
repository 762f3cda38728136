//! Documents that are zip archives of XML: EPUB, OpenDocument, Office Open XML.

mod archive;
mod epub;
mod flat;
mod kind;
mod ooxml;
mod opendocument;
mod relationships;
mod remains;
mod roles;
mod spreadsheet;

pub(crate) use self::epub::epub;
pub(crate) use self::flat::vocabulary as flat_vocabulary;
pub(crate) use self::kind::sniff;
pub(crate) use self::ooxml::{docx, pptx};
pub(crate) use self::opendocument::opendocument;
pub(crate) use self::spreadsheet::xlsx;

use crate::error::{ExtractError, Reason};

/// The path that `reference`, the value of an attribute, means in the file `base` of an archive: relative, perhaps
/// percent-encoded, perhaps with a fragment. What would lead out of the archive ends at its root.
fn resolve(base: &str, reference: &str) -> String {
    let reference = reference.replace("&amp;", "&");
    let reference = reference.split(['#', '?']).next().unwrap_or("");
    let decoded = percent_decoded(reference);
    let mut parts: Vec<&str> = match decoded.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => base.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect()),
    };
    for part in decoded.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = (*first == b'%')
            .then(|| after.get(..2))
            .flatten()
            .and_then(|two| std::str::from_utf8(two).ok())
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        match code {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The error of a part that must be there and is not.
fn missing(part: &str) -> ExtractError {
    ExtractError::new(Reason::Damaged, format!("the archive has no {part}"))
}

#[cfg(test)]
mod tests;
