//! Packages written as one XML document: flat OPC and flat OpenDocument. Their text is that of the packages: what a
//! package has in parts that are not read is left out here, and pictures, which are base64 here.

use super::roles;
use crate::xml::{Role, Vocabulary};

/// What the root of flat OPC declares.
const OPC_NAMESPACE: &str = "http://schemas.microsoft.com/office/2006/xmlPackage";

/// The same of OpenDocument.
const OPENDOCUMENT_NAMESPACE: &str = "urn:oasis:names:tc:opendocument:xmlns:office:1.0";

static OPC: Vocabulary = Vocabulary {
    role: |element| match element.local {
        "binaryData" | "hdr" | "ftr" | "comments" | "glossaryDocument" | "notes"
        | "notesMaster" | "sldMaster" | "sldLayout" | "handoutMaster" => Role::Dropped,
        _ => roles::ooxml(element),
    },
    text_in: Some("t"),
    dropped_inside: &[],
    moved: &[],
    unclosed: &[],
};

static OPENDOCUMENT: Vocabulary = Vocabulary {
    role: |element| match element.local {
        "binary-data" | "meta" | "settings" | "master-styles" => Role::Dropped,
        _ => roles::opendocument(element),
    },
    text_in: None,
    dropped_inside: &[],
    moved: &[],
    unclosed: &[],
};

/// The vocabulary of a document by its root: the name without prefix, and the attributes. None for all others.
pub(crate) fn vocabulary(root: &str, attributes: &str) -> Option<&'static Vocabulary> {
    match root {
        "package" if attributes.contains(OPC_NAMESPACE) => Some(&OPC),
        "document" if attributes.contains(OPENDOCUMENT_NAMESPACE) => Some(&OPENDOCUMENT),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, Limits, extract};

    #[track_caller]
    fn check(document: &str, expected: &str) {
        let found = extract(document.as_bytes(), &Hints::default(), &Limits::default()).unwrap();
        assert_eq!(found.text, expected, "{document}");
    }

    #[test]
    fn pictures_and_furniture_of_flat_packages_are_no_text() {
        let base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB\n".repeat(10);
        check(
            &format!(
                "<?xml version='1.0'?><?mso-application progid='Word.Document'?>\
                 <pkg:package xmlns:pkg='{OPC_NAMESPACE}'><pkg:part pkg:name='/word/document.xml'><pkg:xmlData>\
                 <w:document xmlns:w='x'><w:body><w:p><w:r><w:t>One wo</w:t></w:r><w:r><w:t>rd</w:t></w:r></w:p>\
                 <w:p><w:r><w:delText>gone</w:delText><w:t>Two</w:t></w:r></w:p></w:body></w:document>\
                 </pkg:xmlData></pkg:part><pkg:part pkg:name='/word/header1.xml'><pkg:xmlData><w:hdr><w:p><w:r>\
                 <w:t>Page</w:t></w:r></w:p></w:hdr></pkg:xmlData></pkg:part><pkg:part pkg:name='/word/media/1.png'>\
                 <pkg:binaryData>{base64}</pkg:binaryData></pkg:part></pkg:package>"
            ),
            "One word\nTwo\n",
        );
        check(
            &format!(
                "<?xml version='1.0'?><office:document xmlns:office='{OPENDOCUMENT_NAMESPACE}'><office:meta>\
                 <dc:title>Title</dc:title></office:meta><office:master-styles><text:p>Page</text:p>\
                 </office:master-styles><office:body><office:text><text:p>One <text:span>wo</text:span>rd\
                 <draw:image><office:binary-data>{base64}</office:binary-data></draw:image></text:p>\
                 <text:p>Two</text:p></office:text></office:body></office:document>"
            ),
            "One word\nTwo\n",
        );
    }

    /// Others have roots of these names, too.
    #[test]
    fn other_packages_and_documents_are_xml() {
        check("<?xml version='1.0'?><package><t>One</t><p>Two</p></package>", "One\nTwo\n");
        check("<?xml version='1.0'?><document><meta>x</meta><p>Two</p></document>", "Two\n");
    }
}
