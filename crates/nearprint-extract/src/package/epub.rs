//! EPUB: the pages of the spine in their order, each read as XHTML. The table of contents is navigation.

use std::collections::{HashMap, HashSet};

use super::archive;
use super::{kind, missing, resolve};
use crate::charset;
use crate::error::{ExtractError, Reason};
use crate::extraction::WarningCode;
use crate::html;
use crate::job::Job;
use crate::letters;
use crate::work::Work;
use crate::xml::{MeteredScanner, Piece, attribute, local};

const CONTAINER: &str = "META-INF/container.xml";
const ENCRYPTION: &str = "META-INF/encryption.xml";

/// Extracts EPUB.
pub(crate) fn epub(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut archive = kind::open(bytes, job.limits)?;
    let container = archive.read(CONTAINER)?.ok_or_else(|| missing(CONTAINER))?;
    let package_path = root_file(&charset::decode(&container, None).text, &job.work)
        .ok_or_else(|| missing("package document"))?;
    let package = archive.read(&package_path)?.ok_or_else(|| missing(&package_path))?;
    let pages = spine(&charset::decode(&package, None).text, &package_path, &job.work)?;
    let encrypted = match archive.read(ENCRYPTION)? {
        Some(list) => encrypted_parts(&charset::decode(&list, None).text, &job.work)?,
        None => HashSet::new(),
    };
    let mut text = String::new();
    for page in pages {
        // Fonts are often obfuscated this way; only pages matter.
        if encrypted.contains(&page) {
            return Err(ExtractError::new(
                Reason::Encrypted,
                format!("{page} in the book is encrypted"),
            ));
        }
        let Some(content) = archive.read(&page)? else {
            job.warn(
                WarningCode::PartUnreadable,
                format!("the book has no {page}, which it lists"),
            );
            continue;
        };
        let page = charset::decode(&content, None);
        job.letters += letters::outside_tags(page.text.as_bytes());
        text += &html::xhtml_part(&page.text, job)?;
        job.limits.check_text(text.len())?;
    }
    Ok(text)
}

/// The path of the package document.
fn root_file(container: &str, work: &Work) -> Option<String> {
    MeteredScanner::new(container, work).find_map(|piece| match piece {
        Piece::Start { name, attributes, .. } if local(name) == "rootfile" => {
            attribute(attributes, "full-path").map(str::to_owned)
        }
        _ => None,
    })
}

/// The paths of the pages in reading order.
fn spine(package: &str, base: &str, work: &Work) -> Result<Vec<String>, ExtractError> {
    let mut manifest: HashMap<&str, String> = HashMap::new();
    let (mut pages, mut seen) = (Vec::new(), HashSet::new());
    for piece in MeteredScanner::new(package, work) {
        let Piece::Start { name, attributes, .. } = piece else { continue };
        let value = |name| attribute(attributes, name);
        match local(name) {
            "item" => {
                let markup = value("media-type").is_some_and(|t| t.contains("html"));
                let contents = value("properties")
                    .is_some_and(|p| p.split_ascii_whitespace().any(|p| p == "nav"));
                if markup
                    && !contents
                    && let (Some(id), Some(href)) = (value("id"), value("href"))
                {
                    manifest.insert(id, resolve(base, href));
                    archive::check_listed(manifest.len())?;
                }
            }
            "itemref" => {
                // Some books list a page again for each of its headings: it is one page.
                let path = value("idref").and_then(|id| manifest.get(id));
                pages.extend(path.filter(|path| seen.insert((*path).clone())).cloned());
            }
            _ => {}
        }
    }
    work.check()?;
    Ok(pages)
}

fn encrypted_parts(list: &str, work: &Work) -> Result<HashSet<String>, ExtractError> {
    let mut parts = HashSet::new();
    for piece in MeteredScanner::new(list, work) {
        if let Piece::Start { name, attributes, .. } = piece
            && local(name) == "CipherReference"
            && let Some(path) = attribute(attributes, "URI")
        {
            parts.insert(resolve("", path));
            archive::check_listed(parts.len())?;
        }
    }
    work.check()?;
    Ok(parts)
}
