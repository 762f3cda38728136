//! Documents of Microsoft's office programs until 2007, and messages of Outlook: recognised and refused by name.
//!
//! They have text, so an operator must learn that it is not read: the reason is a failure and names the remedy. No kept
//! library of Rust reads the text of `.doc`, `.ppt` and `.msg`, and those that read `.xls` hold each sheet as a full
//! grid, which a few bytes can make as large as they like.

use memchr::memmem;

/// How files of the compound format begin.
pub(crate) const STORAGE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

const MESSAGE: &str = "application/vnd.ms-outlook (.msg)";

/// The first stream or storage that only files of one kind have, and what the kind is called.
const KINDS: [(&str, &str); 5] = [
    ("WordDocument", "application/msword (.doc)"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint (.ppt)"),
    ("__properties_version1.0", MESSAGE),
    ("Workbook", "application/vnd.ms-excel (.xls)"),
    ("Book", "application/vnd.ms-excel (.xls)"),
];
/// Bytes of an entry of the directory, those of its name, and where the length of that is.
const ENTRY: usize = 128;
const NAME: usize = 64;
const NAME_LENGTH: usize = 64;

/// What to do with a file of a kind.
pub(crate) fn remedy(kind: &str) -> &'static str {
    match kind {
        MESSAGE => "save the message as .eml",
        _ => "convert it to DOCX, PPTX, XLSX or PDF, such as with LibreOffice",
    }
}

/// Which kind a file is of; none if it is none of them, as a database of thumbnails or an installer.
pub(crate) fn kind(bytes: &[u8]) -> Option<&'static str> {
    if !bytes.starts_with(STORAGE) {
        return None;
    }
    KINDS.iter().find(|(name, _)| has_entry(bytes, name)).map(|(_, kind)| *kind)
}

/// Whether old office storage holds nothing but an encrypted package: Office Open XML with a password. Its two streams
/// are named in UTF-16LE.
pub(crate) fn is_encrypted_package(bytes: &[u8]) -> bool {
    let has = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memmem::find(bytes, &name).is_some()
    };
    bytes.starts_with(STORAGE) && has("EncryptionInfo") && has("EncryptedPackage")
}

/// Whether the directory has an entry of this name. Wherever the directory lies, its entries begin at multiples of
/// their length, with a name in UTF-16LE that is as long as they say.
fn has_entry(bytes: &[u8], name: &str) -> bool {
    let mut wanted: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    wanted.extend([0, 0]);
    debug_assert!(wanted.len() <= NAME);
    memmem::find_iter(bytes, &wanted).any(|at| {
        let length = bytes.get(at + NAME_LENGTH..at + NAME_LENGTH + 2);
        at % ENTRY == 0
            && length.is_some_and(|length| length == (wanted.len() as u16).to_le_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::Hints;
    use crate::limits::Limits;
    use crate::{Reason, extract};

    /// A file of the compound format with these entries in its directory.
    fn file(names: &[&str]) -> Vec<u8> {
        let mut file = STORAGE.to_vec();
        file.resize(512, 0);
        for name in names {
            let begin = file.len();
            file.extend(name.encode_utf16().flat_map(u16::to_le_bytes));
            file.resize(begin + NAME_LENGTH, 0);
            file.extend((name.len() as u16 * 2 + 2).to_le_bytes());
            file.resize(begin + ENTRY, 0);
        }
        file
    }

    #[test]
    fn old_documents_are_refused_by_name_as_a_failure() {
        for (name, kind) in KINDS {
            let error =
                extract(&file(&["Root Entry", name]), &Hints::default(), &Limits::default())
                    .unwrap_err();
            assert_eq!(error.reason(), Reason::LegacyOffice, "{name}");
            assert!(error.detail().contains(kind), "{error}");
            // Outlook's messages are of no time that has passed, and nothing makes a spreadsheet of them.
            assert_eq!(error.detail().contains(".eml"), kind == MESSAGE, "{error}");
        }
    }

    #[test]
    fn other_storage_is_no_document() {
        for names in [
            &["Root Entry", "Catalog"][..],
            &["Root Entry", "WordDocumentation"],
            &["Root Entry", "My Workbook"],
            &[],
        ] {
            let error = extract(&file(names), &Hints::default(), &Limits::default()).unwrap_err();
            assert_eq!(error.reason(), Reason::UnsupportedMedia, "{names:?}");
        }
        let locked = file(&["Root Entry", "EncryptionInfo", "EncryptedPackage"]);
        let error = extract(&locked, &Hints::default(), &Limits::default()).unwrap_err();
        assert_eq!(error.reason(), Reason::Encrypted);
        // A name in the text of a document says nothing.
        let mut quoted = file(&["Root Entry"]);
        quoted.extend("WordDocument".encode_utf16().flat_map(u16::to_le_bytes));
        quoted.resize(quoted.len() + 200, 0);
        let error = extract(&quoted, &Hints::default(), &Limits::default()).unwrap_err();
        assert_eq!(error.reason(), Reason::UnsupportedMedia);
    }
}
