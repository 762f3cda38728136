//! Where a document of a report leads: its address, or its file relative to the report.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use nearprint_records::{Content, Document};

/// The address of a document, or the path of its file from `folder`; `None` for documents inside containers without an
/// address.
pub(super) fn link(document: &Document, folder: Option<&Path>) -> Option<String> {
    let address = document.capture.as_ref().map(|capture| &*capture.url);
    for address in address.into_iter().chain([document.id.as_str()]) {
        if is_web_address(address) {
            return Some(address.to_owned());
        }
    }
    let Content::File { path, .. } = &document.content else { return None };
    Some(encoded(&relative(path, folder?)?))
}

/// Only addresses of the web: others, such as `javascript:`, would not lead to the document.
fn is_web_address(text: &str) -> bool {
    let lower: String = text.chars().take(8).collect::<String>().to_ascii_lowercase();
    (lower.starts_with("http://") || lower.starts_with("https://"))
        && !text.contains(char::is_whitespace)
}

/// A path from a folder to a file.
fn relative(file: &Path, folder: &Path) -> Option<PathBuf> {
    let (file, folder) = (std::fs::canonicalize(file).ok()?, std::fs::canonicalize(folder).ok()?);
    let shared = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    // Paths on two drives have no way from one to the other.
    if shared == 0 {
        return None;
    }
    let mut path = PathBuf::new();
    for _ in folder.components().skip(shared) {
        path.push(Component::ParentDir);
    }
    path.extend(file.components().skip(shared));
    Some(path)
}

/// A relative path as it is written in an address.
fn encoded(path: &Path) -> String {
    let mut out = String::new();
    for (at, part) in path.components().enumerate() {
        if at > 0 {
            out.push('/');
        }
        for &byte in part.as_os_str().as_encoded_bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                out.push(char::from(byte));
            } else {
                // Writing to a string does not fail.
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use nearprint_records::{DocumentId, Place};

    use super::*;

    fn document(id: &str, content: Content) -> Document {
        Document::new(DocumentId::new(id.to_owned()).unwrap(), Place::file(Path::new("x")), content)
    }

    #[test]
    fn files_are_linked_from_the_folder_of_the_report() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in/a b#%.txt");
        std::fs::create_dir_all(folder.path().join("in")).unwrap();
        std::fs::create_dir_all(folder.path().join("out/deep")).unwrap();
        std::fs::write(&file, "x").unwrap();
        let content = || Content::File { path: file.clone(), length: 1 };
        let to = |from: &str| link(&document("a", content()), Some(&folder.path().join(from)));
        assert_eq!(to("out/deep").as_deref(), Some("../../in/a%20b%23%25.txt"));
        assert_eq!(to("in").as_deref(), Some("a%20b%23%25.txt"));
        assert_eq!(link(&document("a", content()), None), None);
    }

    #[test]
    fn only_addresses_of_the_web_are_links() {
        let bytes = || Content::Bytes(Vec::new());
        for (id, is_link) in [
            ("http://example.org/a?b=c", true),
            ("HTTPS://example.org/", true),
            ("javascript:alert(1)", false),
            ("file:///etc/passwd", false),
            ("http://a b", false),
            ("rows.jsonl:3", false),
        ] {
            assert_eq!(link(&document(id, bytes()), None).is_some(), is_link, "{id}");
        }
    }
}
