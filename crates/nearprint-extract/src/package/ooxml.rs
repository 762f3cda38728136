//! Office Open XML: DOCX and PPTX. Text stands in `t` elements only; headers, comments, deletions, fields'
//! instructions, speaker notes and hidden runs are out, footnotes and endnotes in.

use super::archive::Archive;
use super::{missing, resolve};
use crate::charset;
use crate::error::ExtractError;
use crate::extraction::WarningCode;
use crate::flow::Flow;
use crate::job::Job;
use crate::xml::{self, Element, Piece, Role, Scanner, Vocabulary, attribute, local};

const DOCUMENT: &str = "word/document.xml";
const NOTES: [&str; 2] = ["word/footnotes.xml", "word/endnotes.xml"];
const PRESENTATION: &str = "ppt/presentation.xml";
const PRESENTATION_RELATIONS: &str = "ppt/_rels/presentation.xml.rels";

static VOCABULARY: Vocabulary =
    Vocabulary { role, text_in: Some("t"), dropped_inside: &[], moved: &[] };

/// Extracts DOCX: the document, then its footnotes and endnotes.
pub(crate) fn docx(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut archive = Archive::open(bytes, job.limits)?;
    let document = archive.read(DOCUMENT)?.ok_or_else(|| missing(DOCUMENT))?;
    let mut flow = read(&document, Flow::new(), job)?;
    for part in NOTES {
        if let Some(notes) = archive.read(part)? {
            flow.line();
            flow = read(&notes, flow, job)?;
        }
    }
    Ok(flow.finish())
}

/// Extracts PPTX: the slides that are shown, in their order.
pub(crate) fn pptx(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut archive = Archive::open(bytes, job.limits)?;
    let presentation = archive.read(PRESENTATION)?.ok_or_else(|| missing(PRESENTATION))?;
    let relations =
        archive.read(PRESENTATION_RELATIONS)?.ok_or_else(|| missing(PRESENTATION_RELATIONS))?;
    let slides =
        slides(&charset::decode(&presentation, None).text, &charset::decode(&relations, None).text);
    let mut flow = Flow::new();
    for path in slides {
        let Some(slide) = archive.read(&path)? else {
            job.warn(WarningCode::PartUnreadable, format!("the presentation has no {path}"));
            continue;
        };
        flow.line();
        flow = read(&slide, flow, job)?;
    }
    Ok(flow.finish())
}

fn read(part: &[u8], flow: Flow, job: &mut Job<'_>) -> Result<Flow, ExtractError> {
    xml::read(&charset::decode(part, None).text, &VOCABULARY, flow, job)
}

fn slides(presentation: &str, relations: &str) -> Vec<String> {
    let targets: Vec<(&str, &str)> = Scanner::new(relations)
        .filter_map(|piece| match piece {
            Piece::Start { name, attributes, .. } if local(name) == "Relationship" => {
                Some((attribute(attributes, "Id")?, attribute(attributes, "Target")?))
            }
            _ => None,
        })
        .collect();
    Scanner::new(presentation)
        .filter_map(|piece| match piece {
            Piece::Start { name, attributes, .. } if local(name) == "sldId" => {
                let id = attribute(attributes, "r:id")?;
                let (_, target) = targets.iter().find(|(found, _)| *found == id)?;
                Some(resolve(PRESENTATION, target))
            }
            _ => None,
        })
        .collect()
}

fn role(element: &Element<'_>) -> Role {
    let attributes = element.attributes;
    let off = |name| matches!(attribute(attributes, name), Some("0" | "false" | "off"));
    match element.local {
        "p" | "tr" | "sp" | "footnote" | "endnote" | "txbxContent" | "br" | "cr" => Role::Block,
        "tc" => Role::Cell,
        "tab" | "ptab" => Role::Break,
        "noBreakHyphen" => Role::Text("\u{2011}"),
        // Deleted and moved text, older forms of newer drawings, ruby, comments.
        "del" | "moveFrom" | "Fallback" | "rt" | "comment" => Role::Dropped,
        "vanish" if !off("w:val") => Role::Hides("r"),
        // Page furniture of slides.
        "ph" if matches!(attribute(attributes, "type"), Some("sldNum" | "ftr" | "dt" | "hdr")) => {
            Role::Hides("sp")
        }
        "sld" if off("show") => Role::Dropped,
        _ => Role::Inline,
    }
}
