//! What an archive is, detected from what is in it.
//!
//! Only beginnings are examined, without their checksums: whoever then reads the document meets every damage and
//! every limit, and says so.

use super::archive::Archive;
use super::relationships::{self, ROOT, TYPES};
use super::{ooxml, opendocument, remains};
use crate::charset;
use crate::error::ExtractError;
use crate::limits::Limits;
use crate::media::Media;
use crate::sniff::Signature;
use crate::xml::{Piece, Scanner, local, prefixed_attribute};

/// Bytes of a part that are examined.
const WINDOW: u64 = 1 << 20;

/// What Office Open XML calls what is not read.
pub(super) const BINARY_SPREADSHEET: &str = "application/vnd.ms-excel.sheet.binary.macroEnabled.12";
pub(super) const DRAWING: &str = "application/vnd.ms-visio.drawing";
pub(super) const FIXED_PAGES: &str = "application/vnd.ms-xpsdocument";

/// The medium of an archive, or the name of what no extractor reads.
pub(crate) fn sniff(bytes: &[u8]) -> Signature {
    // Limits are for reading; looking at names needs only sane ones.
    let limits = Limits::default();
    let found = match Archive::open(bytes, &limits) {
        Ok(mut archive) => settle(&mut archive),
        Err(_) => remains::sniff(bytes),
    };
    found.unwrap_or(Signature::Unsupported("application/zip"))
}

/// Opens the package in an archive.
pub(super) fn open<'a>(bytes: &'a [u8], limits: &'a Limits) -> Result<Archive<'a>, ExtractError> {
    let mut archive = Archive::open(bytes, limits)?;
    settle(&mut archive);
    Ok(archive)
}

/// Finds what the archive is, and where: packages are also zipped together with their folder. All entries must then lie
/// in that folder, so that an archive of several documents, or of one beside other files, is not treated as one of
/// them.
fn settle(archive: &mut Archive<'_>) -> Option<Signature> {
    let found = of_root_folder(archive);
    if found.is_some() {
        return found;
    }
    for folder in archive.shared_folders() {
        archive.set_root(folder);
        let found = of_root_folder(archive);
        if found.is_some() {
            return found;
        }
    }
    archive.set_root(String::new());
    None
}

/// What the package is whose root is the archive's.
fn of_root_folder(archive: &Archive<'_>) -> Option<Signature> {
    by_mimetype(archive)
        .or_else(|| by_manifest(archive))
        .or_else(|| by_relationships(archive))
        .or_else(|| by_names(archive))
}

/// EPUB and OpenDocument begin with their type.
fn by_mimetype(archive: &Archive<'_>) -> Option<Signature> {
    of_open_type(archive.beginning("mimetype", WINDOW).trim_ascii())
}

/// OpenDocument states its type once more; zip programs leave the file `mimetype` out, or it is lost on the way.
fn by_manifest(archive: &Archive<'_>) -> Option<Signature> {
    of_manifest(&text(archive, opendocument::MANIFEST))
}

/// By the type that a list of the files of an OpenDocument states for the whole.
pub(super) fn of_manifest(manifest: &str) -> Option<Signature> {
    let media_type = Scanner::new(manifest).find_map(|piece| match piece {
        Piece::Start { name, attributes, .. }
            if local(name) == "file-entry"
                && prefixed_attribute(attributes, "full-path") == Some("/") =>
        {
            prefixed_attribute(attributes, "media-type")
        }
        _ => None,
    });
    of_open_type(media_type?.as_bytes())
}

pub(super) fn of_open_type(media_type: &[u8]) -> Option<Signature> {
    if media_type == b"application/epub+zip" {
        Some(Signature::Media(Media::Epub))
    } else {
        media_type
            .starts_with(b"application/vnd.oasis.opendocument.")
            .then_some(Signature::Media(Media::OpenDocument))
    }
}

/// Office Open XML, by the type of its main part.
fn by_relationships(archive: &Archive<'_>) -> Option<Signature> {
    let relationships = relationships::parse(&text(archive, ROOT), "");
    if relationships.iter().any(|r| r.kind == "fixedrepresentation") {
        return Some(Signature::Unsupported(FIXED_PAGES));
    }
    let main = ooxml::main_part(&relationships, archive)?;
    let types = text(archive, TYPES);
    let media_type = relationships::content_type(&types, &main).unwrap_or("");
    of_office_type(media_type).or_else(|| of_root(root(&text(archive, &main))?))
}

/// The medium of a main part by its type, or by what macros, templates and shows make of that.
pub(super) fn of_office_type(media_type: &str) -> Option<Signature> {
    let media_type = media_type.to_ascii_lowercase();
    let is = |family: &str| media_type.contains(family);
    Some(if is(".wordprocessingml.") || is("/vnd.ms-word.") {
        Signature::Media(Media::Docx)
    } else if is(".presentationml.") || is("/vnd.ms-powerpoint.") {
        Signature::Media(Media::Pptx)
    } else if is("/vnd.ms-excel.sheet.binary.") {
        Signature::Unsupported(BINARY_SPREADSHEET)
    } else if is(".spreadsheetml.") || is("/vnd.ms-excel.") {
        Signature::Media(Media::Xlsx)
    } else if is("/vnd.ms-visio.") {
        Signature::Unsupported(DRAWING)
    } else {
        return None;
    })
}

/// The medium of a main part by its root element.
fn of_root(root: &str) -> Option<Signature> {
    match root {
        "document" => Some(Signature::Media(Media::Docx)),
        "presentation" => Some(Signature::Media(Media::Pptx)),
        "workbook" => Some(Signature::Media(Media::Xlsx)),
        _ => None,
    }
}

/// What has lost everything that says what it is.
fn by_names(archive: &Archive<'_>) -> Option<Signature> {
    if archive.has(ooxml::DOCUMENT) {
        Some(Signature::Media(Media::Docx))
    } else if archive.has(ooxml::PRESENTATION) {
        Some(Signature::Media(Media::Pptx))
    } else if archive.has(ooxml::WORKBOOK) {
        Some(Signature::Media(Media::Xlsx))
    } else if archive.has("META-INF/container.xml") {
        Some(Signature::Media(Media::Epub))
    } else {
        let content = text(archive, opendocument::CONTENT);
        (root(&content)? == "document-content").then_some(Signature::Media(Media::OpenDocument))
    }
}

fn text(archive: &Archive<'_>, part: &str) -> String {
    charset::decode(&archive.beginning(part, WINDOW), None).text.into_owned()
}

/// The name of the first element without its prefix.
pub(super) fn root(text: &str) -> Option<&str> {
    Scanner::new(text).find_map(|piece| match piece {
        Piece::Start { name, .. } => Some(local(name)),
        _ => None,
    })
}
