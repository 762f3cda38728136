//! What a package was whose directory is damaged, beyond a limit, or cut off: detected from what stands before each
//! of its entries, and from the beginnings of those that say what the package is.
//!
//! Writers order entries as they like: some end with what says of which type a package is. So every part that no other
//! format has tells it. Whoever then reads the document meets the damage, and says so.

use std::io::Read;

use flate2::bufread::DeflateDecoder;

use super::archive::{self, LOCAL_HEADER, LOCAL_SIZE, u16_at, u32_at};
use super::kind::{self, BINARY_SPREADSHEET, DRAWING, FIXED_PAGES};
use super::relationships::{self, ROOT, TYPES};
use super::{ooxml, opendocument};
use crate::charset;
use crate::media::Media;
use crate::sniff::Signature;
use crate::xml::{Piece, Scanner, attribute, local};

/// Entries that are looked at.
const MOST_ENTRIES: usize = 1_000;
/// Bytes of an entry's content that are looked at.
const BEGINNING: u64 = 16 << 10;
/// Bit of an entry that is encrypted, and of one whose lengths come after its content.
const ENCRYPTED: u16 = 1;
const LENGTHS_AFTER: u16 = 8;

/// The folder of what an Office Open XML document of each kind consists of.
const FOLDERS: [(&str, Media); 3] =
    [("word/", Media::Docx), ("ppt/", Media::Pptx), ("xl/", Media::Xlsx)];
/// What the names of its elements' vocabularies begin with.
const OFFICE_NAMESPACES: [&str; 3] = [
    "http://schemas.openxmlformats.org/",
    "http://purl.oclc.org/ooxml/",
    "http://schemas.microsoft.com/office/",
];
/// Roots of the parts of an OpenDocument.
const OPEN_ROOTS: [&str; 4] =
    ["document-content", "document-styles", "document-meta", "document-settings"];

/// What the package was, if what is left of it says so.
pub(super) fn sniff(bytes: &[u8]) -> Option<Signature> {
    let entries = entries(bytes);
    // In the folder of a package, too.
    let folders = archive::shared_folders(entries.iter().map(|entry| entry.name.as_str()));
    let roots = std::iter::once(String::new()).chain(folders);
    roots.into_iter().find_map(|root| Remains { entries: &entries, root: &root }.kind())
}

/// What is left of one entry.
struct LocalEntry<'a> {
    name: String,
    method: u16,
    encrypted: bool,
    packed: &'a [u8],
}

impl LocalEntry<'_> {
    /// As much of the beginning of the content as can be read, up to [`BEGINNING`].
    fn beginning(&self) -> String {
        let mut content = Vec::new();
        if !self.encrypted {
            // What could be read before an error stays in `content`.
            let _ = match self.method {
                0 => self.packed.take(BEGINNING).read_to_end(&mut content),
                8 => DeflateDecoder::new(self.packed).take(BEGINNING).read_to_end(&mut content),
                _ => Ok(0),
            };
        }
        charset::decode(&content, None).text.into_owned()
    }

    /// The name of the first element of the content.
    fn is_root(&self, names: &[&str]) -> bool {
        kind::root(&self.beginning()).is_some_and(|root| names.contains(&root))
    }
}

/// The entries by what stands before each of them. Archives that are entries themselves are stepped over.
fn entries(bytes: &[u8]) -> Vec<LocalEntry<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while found.len() < MOST_ENTRIES {
        let header = bytes.get(at..).filter(|rest| rest.starts_with(LOCAL_HEADER));
        let Some(header) = header.filter(|header| header.len() >= LOCAL_SIZE) else { break };
        let name_end = LOCAL_SIZE + usize::from(u16_at(header, 26));
        let Some(name) = header.get(LOCAL_SIZE..name_end) else { break };
        let start = name_end + usize::from(u16_at(header, 28));
        let rest = header.get(start..).unwrap_or(&[]);
        let flags = u16_at(header, 6);
        let length = end_of_content(rest, flags, u32_at(header, 18));
        found.push(LocalEntry {
            name: String::from_utf8_lossy(name).replace('\\', "/").trim_start_matches('/').into(),
            method: u16_at(header, 8),
            encrypted: flags & ENCRYPTED != 0,
            packed: &rest[..length],
        });
        at = at.saturating_add(start + length);
        // What follows lengths of unknown content.
        if !bytes.get(at..).is_some_and(|rest| rest.starts_with(LOCAL_HEADER)) {
            break;
        }
    }
    found
}

/// Bytes of an entry's content, at most those that are there: as many as are stated where another entry or nothing
/// follows, else up to the next entry.
fn end_of_content(rest: &[u8], flags: u16, stated: u32) -> usize {
    if flags & LENGTHS_AFTER == 0 && stated != u32::MAX {
        let stated = stated as usize;
        match rest.get(stated..) {
            None => return rest.len(),
            Some(after) if b"PK".starts_with(&after[..after.len().min(2)]) => return stated,
            Some(_) => {}
        }
    }
    memchr::memmem::find(rest, LOCAL_HEADER).unwrap_or(rest.len())
}

/// The entries of a package that lies in one folder.
struct Remains<'a> {
    entries: &'a [LocalEntry<'a>],
    root: &'a str,
}

impl<'a> Remains<'a> {
    /// The entries by their names in the package.
    fn parts(&self) -> impl Iterator<Item = (&'a str, &'a LocalEntry<'a>)> {
        let root = self.root;
        self.entries.iter().filter_map(move |entry| Some((entry.name.strip_prefix(root)?, entry)))
    }

    fn find(&self, wanted: &str) -> Option<&'a LocalEntry<'a>> {
        self.parts().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, entry)| entry)
    }

    fn kind(&self) -> Option<Signature> {
        if let Some(entry) = self.find("mimetype") {
            let stated = entry.beginning();
            // Where its length comes after it, that follows at once.
            let is_of_type = |c: char| c.is_ascii_alphanumeric() || "/.+-".contains(c);
            let stated = stated.trim_start().split(|c| !is_of_type(c)).next().unwrap_or("");
            let stated = match entry.method {
                0 => stated.strip_suffix("PK").unwrap_or(stated),
                _ => stated,
            };
            if !stated.is_empty() {
                return kind::of_open_type(stated.as_bytes());
            }
        }
        self.open_document().or_else(|| self.office()).or_else(|| self.book())
    }

    fn open_document(&self) -> Option<Signature> {
        let manifest = self.find(opendocument::MANIFEST);
        let stated = manifest.and_then(|entry| kind::of_manifest(&entry.beginning()));
        stated.or_else(|| {
            let parts = [opendocument::CONTENT, "styles.xml", "meta.xml", "settings.xml"];
            let found = parts.iter().filter_map(|part| self.find(part));
            found.into_iter().any(|entry| entry.is_root(&OPEN_ROOTS)).then_some(())?;
            Some(Signature::Media(Media::OpenDocument))
        })
    }

    fn book(&self) -> Option<Signature> {
        let is_book = self.find("META-INF/container.xml").is_some()
            || self.parts().any(|(name, entry)| {
                let has = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
                (name.starts_with("OEBPS/") && has(&[".xhtml", ".opf", ".ncx"]))
                    || (has(&[".opf"]) && entry.is_root(&["package"]))
            });
        is_book.then_some(Signature::Media(Media::Epub))
    }

    fn office(&self) -> Option<Signature> {
        let types = self.find(TYPES).and_then(|entry| of_types(&entry.beginning()));
        let relationships = || self.find(ROOT).and_then(|entry| of_root(&entry.beginning()));
        types.or_else(relationships).or_else(|| self.of_folders()).or_else(|| self.of_no_kind())
    }

    /// By the folder of a part, where that or another one is of Office Open XML.
    fn of_folders(&self) -> Option<Signature> {
        let is_package = self.find(TYPES).is_some() || self.find(ROOT).is_some();
        let mains = [ooxml::DOCUMENT, ooxml::PRESENTATION, ooxml::WORKBOOK];
        self.parts().find_map(|(name, entry)| {
            let (_, media) = FOLDERS.iter().find(|(folder, _)| name.starts_with(folder))?;
            let is_markup = || name.ends_with(".xml") || name.ends_with(".rels");
            let is_office =
                is_package || mains.contains(&name) || (is_markup() && is_of_office(entry));
            is_office.then_some(Signature::Media(*media))
        })
    }

    /// An office document of which too little is left to say of which kind it was.
    fn of_no_kind(&self) -> Option<Signature> {
        let is_frame = |name: &str| name == TYPES || name == ROOT || name.ends_with('/');
        let is_property = |name: &str| name.starts_with("docProps/") && name.ends_with(".xml");
        // Packages of programs have the frame as well, and other things beside it.
        let only = || {
            self.parts().all(|(name, _)| {
                is_frame(name) || is_property(name) || name.starts_with("customXml/")
            }) && self.parts().any(|(name, _)| name == TYPES || name == ROOT)
        };
        let properties = || {
            self.parts().any(|(name, entry)| {
                is_property(name) && (is_of_office(entry) || entry.beginning().is_empty())
            })
        };
        (only() || properties()).then_some(Signature::CutOffice)
    }
}

fn is_of_office(entry: &LocalEntry<'_>) -> bool {
    let text = entry.beginning();
    OFFICE_NAMESPACES.iter().any(|namespace| text.contains(namespace))
}

/// By the types of parts: those of parts of XML, not of whole documents that are embedded.
fn of_types(types: &str) -> Option<Signature> {
    Scanner::new(types).find_map(|piece| {
        let Piece::Start { name, attributes, .. } = piece else { return None };
        let stated = attribute(attributes, "ContentType")?;
        let of_part = stated.ends_with("+xml") || stated.ends_with(".main");
        (of_part && matches!(local(name), "Override" | "Default"))
            .then(|| kind::of_office_type(stated))
            .flatten()
    })
}

/// By the main part that the package names.
fn of_root(relationships: &str) -> Option<Signature> {
    let found = relationships::parse(relationships, "");
    if found.iter().any(|relationship| relationship.kind == "fixedrepresentation") {
        return Some(Signature::Unsupported(FIXED_PAGES));
    }
    let main = found.iter().find(|relationship| relationship.kind == "officeDocument")?;
    let target = main.target.as_str();
    let media = FOLDERS.iter().find(|(folder, _)| target.starts_with(folder));
    Some(match media {
        Some((_, media)) if !target.ends_with(".bin") => Signature::Media(*media),
        Some(_) => Signature::Unsupported(BINARY_SPREADSHEET),
        None if target.starts_with("visio/") => Signature::Unsupported(DRAWING),
        None => Signature::CutOffice,
    })
}
