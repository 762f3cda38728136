//! PDFs from their objects: what mutations change is inside the file, whose structure stays sound.

use nearprint_extract::Hints;

use super::documents::check;
use super::pieces::{parts, zlib};

/// Objects as text, each behind a line that begins with `%%`; the first one is number 1, the catalog. Streams get their
/// lengths, and content that is said to be deflated is deflated. The first byte of all chooses the structure: a table
/// of cross-references (`0`), none (`1`), or objects in an object stream, with a stream of cross-references (`2`).
pub fn pdf_objects(data: &[u8]) {
    let (choice, objects) = parts(data);
    let bodies: Vec<Vec<u8>> = objects.iter().map(|(_, body)| whole(body)).collect();
    let file = match choice.first() {
        Some(b'1') => plain(&bodies, false),
        Some(b'2') => packed(&bodies),
        _ => plain(&bodies, true),
    };
    let _ = check(&file, &Hints::default());
}

/// Where the dictionary of a stream ends, and its content begins.
fn content(body: &[u8]) -> Option<usize> {
    const STREAM: &[u8] = b"stream\n";
    body.windows(STREAM.len()).position(|seven| seven == STREAM).map(|at| at + STREAM.len())
}

fn has(dictionary: &[u8], name: &[u8]) -> bool {
    dictionary.windows(name.len()).any(|found| found == name)
}

/// An object with what its stream needs.
fn whole(body: &[u8]) -> Vec<u8> {
    let Some(start) = content(body) else { return body.to_vec() };
    let (dictionary, raw) = body.split_at(start);
    let raw = if has(dictionary, b"FlateDecode") { zlib(raw) } else { raw.to_vec() };
    let mut made = Vec::new();
    match dictionary.strip_prefix(b"<<") {
        Some(rest) if !has(dictionary, b"/Length") => {
            made.extend(format!("<</Length {}", raw.len()).bytes());
            made.extend(rest);
        }
        _ => made.extend(dictionary),
    }
    made.extend(raw);
    made.extend(b"\nendstream");
    made
}

/// Appends an object and returns its offset.
fn append(file: &mut Vec<u8>, number: usize, body: &[u8]) -> usize {
    let offset = file.len();
    file.extend(format!("{number} 0 obj\n").bytes());
    file.extend(body);
    file.extend(b"\nendobj\n");
    offset
}

fn plain(bodies: &[Vec<u8>], table: bool) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let offsets: Vec<usize> =
        (1..).zip(bodies).map(|(number, body)| append(&mut file, number, body)).collect();
    let start = file.len();
    if table {
        file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1).bytes());
        for offset in &offsets {
            file.extend(format!("{offset:010} 00000 n \n").bytes());
        }
    }
    file.extend(format!("trailer\n<</Size {}/Root 1 0 R>>\n", offsets.len() + 1).bytes());
    file.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
    file
}

fn packed(bodies: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let (store, references) = (bodies.len() + 1, bodies.len() + 2);
    let (mut heads, mut objects) = (String::new(), Vec::new());
    // Kind, offset or store, generation or index: 1, 4 and 2 bytes.
    let mut rows = vec![0, 0, 0, 0, 0, 0xFF, 0xFF];
    let mut row = |kind: u8, place: usize, index: usize| {
        rows.push(kind);
        rows.extend((place as u32).to_be_bytes());
        rows.extend((index as u16).to_be_bytes());
    };
    let mut stored = 0;
    for (number, body) in (1..).zip(bodies) {
        if content(body).is_some() {
            row(1, append(&mut file, number, body), 0);
        } else {
            row(2, store, stored);
            heads.push_str(&format!("{number} {} ", objects.len()));
            objects.extend(body);
            objects.push(b'\n');
            stored += 1;
        }
    }
    let head = format!("<</Type/ObjStm/N {stored}/First {}/Filter/FlateDecode>>", heads.len());
    let together = [head.as_bytes(), b"stream\n", heads.as_bytes(), &objects].concat();
    row(1, append(&mut file, store, &whole(&together)), 0);
    let start = file.len();
    row(1, start, 0);
    let head = format!("<</Type/XRef/Size {}/W[1 4 2]/Root 1 0 R>>", references + 1);
    let together = [head.as_bytes(), b"stream\n", &rows].concat();
    append(&mut file, references, &whole(&together));
    file.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
    file
}
