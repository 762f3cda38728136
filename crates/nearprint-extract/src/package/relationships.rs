//! How the parts of an Office Open XML package belong together (Open Packaging Conventions, ECMA-376 part 2):
//! which part leads to which, and of what type a part is. Names of parts play no part in it.

use super::archive::{self, Archive};
use super::resolve;
use crate::charset;
use crate::error::ExtractError;
use crate::work::Work;
use crate::xml::{MeteredScanner, Piece, Scanner, attribute, local};

/// The relationships of the package itself.
pub(super) const ROOT: &str = "_rels/.rels";
/// What says of which type each part is.
pub(super) const TYPES: &str = "[Content_Types].xml";

/// A way from one part to another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Relationship {
    pub(super) id: String,
    /// What the target is to the source: the last segment of the type's address, which is the same in the strict
    /// and in the transitional vocabulary, as `footnotes`.
    pub(super) kind: String,
    /// The name of a part, which need not be there.
    pub(super) target: String,
}

/// Like [`parse`], counted; more relationships than a part may list are refused.
pub(super) fn parse_within(
    text: &str,
    source: &str,
    work: &Work,
) -> Result<Vec<Relationship>, ExtractError> {
    let list = listed(MeteredScanner::new(text, work), source);
    work.check()?;
    archive::check_listed(list.len())?;
    Ok(list)
}

/// The relationships that `text` lists for the part `source`, in their order, and few more than may be listed. Targets
/// outside of the package are left out: nothing outside of a document is ever read.
pub(super) fn parse(text: &str, source: &str) -> Vec<Relationship> {
    listed(Scanner::new(text), source)
}

fn listed<'a>(pieces: impl Iterator<Item = Piece<'a>>, source: &str) -> Vec<Relationship> {
    let relationships = pieces.filter_map(|piece| {
        let Piece::Start { name, attributes, .. } = piece else { return None };
        if local(name) != "Relationship" || attribute(attributes, "TargetMode") == Some("External")
        {
            return None;
        }
        let kind = attribute(attributes, "Type").unwrap_or("");
        Some(Relationship {
            id: attribute(attributes, "Id").unwrap_or("").to_owned(),
            kind: kind.rsplit('/').next().unwrap_or("").to_owned(),
            target: resolve(source, &attribute(attributes, "Target")?.replace('\\', "/")),
        })
    });
    relationships.take(archive::MOST_LISTED + 1).collect()
}

/// The relationships of a part; none if the package lists none for it, which is not the same as an empty list.
pub(super) fn of(
    source: &str,
    archive: &mut Archive<'_>,
    work: &Work,
) -> Result<Option<Vec<Relationship>>, ExtractError> {
    let list = archive.read(&name(source))?;
    list.map(|list| parse_within(&charset::decode(&list, None).text, source, work)).transpose()
}

/// Where the relationships of a part are listed.
fn name(source: &str) -> String {
    if source.is_empty() {
        return ROOT.to_owned();
    }
    let (folder, file) = source.rsplit_once('/').unwrap_or(("", source));
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}_rels/{file}.rels")
}

/// The type of a part by the list of types: its own, or that of all files with its extension.
pub(super) fn content_type<'a>(types: &'a str, part: &str) -> Option<&'a str> {
    let extension = part.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut of_extension = None;
    for piece in Scanner::new(types) {
        let Piece::Start { name, attributes, .. } = piece else { continue };
        let is = |key, wanted: &str| {
            let value = attribute(attributes, key).unwrap_or("");
            value.trim_start_matches('/').eq_ignore_ascii_case(wanted)
        };
        match local(name) {
            "Override" if is("PartName", part) => return attribute(attributes, "ContentType"),
            "Default" if is("Extension", extension) => {
                of_extension = of_extension.or(attribute(attributes, "ContentType"));
            }
            _ => {}
        }
    }
    of_extension
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_beside_their_parts() {
        for (part, list) in [
            ("", "_rels/.rels"),
            ("word/document2.xml", "word/_rels/document2.xml.rels"),
            ("document.xml", "_rels/document.xml.rels"),
            ("a/b/c", "a/b/_rels/c.rels"),
        ] {
            assert_eq!(name(part), list);
        }
    }

    #[test]
    fn targets_are_parts_and_nothing_outside() {
        let found = parse(
            "<r:Relationships>
             <r:Relationship Id='a' Type='http://purl.oclc.org/ooxml/officeDocument/relationships/slide' Target='slides\\one.xml'/>
             <Relationship Id='b' Type='http://x/hyperlink' Target='http://example.org/' TargetMode='External'/>
             <Relationship Id='c' Target='../../../etc/passwd'/>
             <Relationship Id='d'/>
             <Relationship Type='slide' Target='/a&amp;b%20c.xml#d'/></r:Relationships>",
            "ppt/presentation.xml",
        );
        let found: Vec<_> =
            found.iter().map(|r| (r.id.as_str(), r.kind.as_str(), r.target.as_str())).collect();
        assert_eq!(
            found,
            [
                ("a", "slide", "ppt/slides/one.xml"),
                ("c", "", "etc/passwd"),
                ("", "slide", "a&b c.xml"),
            ]
        );
    }

    #[test]
    fn a_part_has_its_own_type_or_that_of_its_extension() {
        let types = "<Types><Default Extension='XML' ContentType='any'/><Override PartName='/Word/a.xml' ContentType='own'/></Types>";
        assert_eq!(content_type(types, "word/a.xml"), Some("own"));
        assert_eq!(content_type(types, "word/b.xml"), Some("any"));
        assert_eq!(content_type(types, "word/xml"), None);
    }
}
