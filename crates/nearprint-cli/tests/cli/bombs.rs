//! Containers written by hand, to hold what no honest program would put into them.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use self::packing::Part;

#[path = "../../../nearprint-extract/tests/packing/mod.rs"]
mod packing;

pub(crate) fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

/// As in a stream of a PDF with the filter `FlateDecode`.
pub(crate) fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

/// A zip archive of these parts, all deflated.
pub(crate) fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let parts = parts.iter().map(|(name, content)| {
        let mut sum = flate2::Crc::new();
        sum.update(content);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).expect("a vector takes all");
        Part {
            name,
            packed: encoder.finish().expect("a vector takes all"),
            deflated: true,
            length: content.len(),
            checksum: sum.sum(),
        }
    });
    packing::zip(&parts.collect::<Vec<_>>())
}

/// A PDF whose pages have these contents, each with entries for its stream's dictionary. `/X` draws nothing.
pub(crate) fn pdf(pages: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n".to_vec();
    let kids: String = (0..pages.len()).map(|n| format!("{} 0 R ", 4 + 2 * n)).collect();
    let tree = format!("2 0 obj <</Type/Pages/Kids[{kids}]/Count {}>> endobj\n", pages.len());
    file.extend(tree.as_bytes());
    file.extend(b"3 0 obj <</Subtype/Form/BBox[0 0 9 9]/Length 0>> stream\n\nendstream endobj\n");
    for (number, (entries, content)) in pages.iter().enumerate() {
        let (page, stream) = (4 + 2 * number, 5 + 2 * number);
        let resources = "/MediaBox[0 0 9 9]/Resources<</XObject<</X 3 0 R>>>>";
        let head = format!(
            "{page} 0 obj <</Type/Page/Parent 2 0 R{resources}/Contents {stream} 0 R>> endobj\n\
             {stream} 0 obj <<{entries}/Length {}>> stream\n",
            content.len()
        );
        file.extend(head.as_bytes());
        file.extend(content);
        file.extend(b"\nendstream endobj\n");
    }
    file.extend(b"trailer <</Root 1 0 R>>\n");
    file
}
