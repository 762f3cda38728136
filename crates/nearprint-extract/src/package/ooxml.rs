//! Office Open XML: DOCX and PPTX, their templates, and those with macros. Parts are found by their relationships, as
//! the standard has it, and by their usual names only where a package lists none. Text stands in `t` elements only;
//! headers, comments, deletions, fields' instructions, speaker notes and hidden runs are out, footnotes and endnotes
//! in.

use std::collections::{HashMap, HashSet};

use super::archive::Archive;
use super::relationships::{self, ROOT, Relationship};
use super::{kind, missing, roles};
use crate::charset;
use crate::error::ExtractError;
use crate::extraction::WarningCode;
use crate::flow::Flow;
use crate::job::Job;
use crate::letters;
use crate::work::Work;
use crate::xml::{self, MeteredScanner, Piece, Vocabulary, local, prefixed_attribute};

/// The usual names of main parts, for packages that do not say which theirs is.
pub(super) const DOCUMENT: &str = "word/document.xml";
pub(super) const PRESENTATION: &str = "ppt/presentation.xml";
pub(super) const WORKBOOK: &str = "xl/workbook.xml";
/// What notes are to a document, and the usual names of their parts.
const NOTES: [(&str, &str); 2] = [("footnotes", "footnotes.xml"), ("endnotes", "endnotes.xml")];

static VOCABULARY: Vocabulary = Vocabulary {
    role: roles::ooxml,
    text_in: Some("t"),
    dropped_inside: &[],
    moved: &[],
    unclosed: &[],
};

/// The main part that the relationships of a package name, if it is there.
pub(super) fn main_part(package: &[Relationship], archive: &Archive<'_>) -> Option<String> {
    let mains = package.iter().filter(|r| r.kind == "officeDocument");
    mains.map(|r| &r.target).find(|target| archive.has(target)).cloned()
}

/// Extracts DOCX: the document, then its footnotes and endnotes.
pub(crate) fn docx(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut archive = kind::open(bytes, job.limits)?;
    let (name, document) = main(&mut archive, DOCUMENT, &job.work)?;
    let relationships = relationships::of(&name, &mut archive, &job.work)?;
    let mut flow = read(&document, Flow::new(), job)?;
    let mut seen = HashSet::from([name.clone()]);
    for (kind, usual) in NOTES {
        let part = match &relationships {
            Some(list) => list.iter().find(|r| r.kind == kind).map(|r| r.target.clone()),
            None => Some(super::resolve(&name, usual)).filter(|part| archive.has(part)),
        };
        let Some(part) = part.filter(|part| seen.insert(part.clone())) else { continue };
        let Some(notes) = archive.read(&part)? else {
            job.warn(WarningCode::PartUnreadable, format!("the document has no {part}"));
            continue;
        };
        flow.line();
        flow = read(&notes, flow, job)?;
    }
    Ok(flow.finish())
}

/// Extracts PPTX: the slides that are shown, in their order.
pub(crate) fn pptx(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut archive = kind::open(bytes, job.limits)?;
    let (name, presentation) = main(&mut archive, PRESENTATION, &job.work)?;
    let relationships = relationships::of(&name, &mut archive, &job.work)?;
    let relationships =
        relationships.ok_or_else(|| missing(&format!("list of what belongs to {name}")))?;
    let mut flow = Flow::new();
    let mut seen = HashSet::from([name]);
    let slides = slides(&charset::decode(&presentation, None).text, &relationships, &job.work);
    job.work.check()?;
    for path in slides {
        // A slide is shown once; a file that names one again and again is none of a presentation's.
        if !seen.insert(path.to_owned()) {
            continue;
        }
        let Some(slide) = archive.read(path)? else {
            job.warn(WarningCode::PartUnreadable, format!("the presentation has no {path}"));
            continue;
        };
        flow.line();
        flow = read(&slide, flow, job)?;
    }
    Ok(flow.finish())
}

/// The main part of a package with its name: the one that it names, or the one of the usual name.
pub(super) fn main(
    archive: &mut Archive<'_>,
    usual: &str,
    work: &Work,
) -> Result<(String, Vec<u8>), ExtractError> {
    let package = match archive.read(ROOT)? {
        Some(list) => relationships::parse_within(&charset::decode(&list, None).text, "", work)?,
        None => Vec::new(),
    };
    let name = main_part(&package, archive).unwrap_or_else(|| usual.to_owned());
    let content = archive.read(&name)?.ok_or_else(|| missing(&name))?;
    Ok((name, content))
}

fn read(part: &[u8], flow: Flow, job: &mut Job<'_>) -> Result<Flow, ExtractError> {
    let part = charset::decode(part, None);
    job.letters += letters::in_text_elements(part.text.as_bytes());
    xml::read(&part.text, &VOCABULARY, flow, job)
}

/// The parts of the slides in the order in which the presentation lists them.
fn slides<'a>(presentation: &str, relationships: &'a [Relationship], work: &Work) -> Vec<&'a str> {
    let targets: HashMap<&str, &str> =
        relationships.iter().rev().map(|r| (r.id.as_str(), r.target.as_str())).collect();
    MeteredScanner::new(presentation, work)
        .filter_map(|piece| match piece {
            // Beside the relationship's it has an `id` of its own.
            Piece::Start { name, attributes, .. } if local(name) == "sldId" => {
                targets.get(prefixed_attribute(attributes, "id")?).copied()
            }
            _ => None,
        })
        .collect()
}
