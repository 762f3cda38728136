//! The form of an id in a line: UTF-8 in which `%` and two digits stand for each byte that cannot be there. [15.6]

use std::fmt::Write as _;

/// The form of an id.
pub(super) fn encode(id: &[u8]) -> String {
    let mut text = String::with_capacity(id.len());
    for chunk in id.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character == '%' || character.is_control() {
                encode_bytes(character.encode_utf8(&mut [0; 4]).as_bytes(), &mut text);
            } else {
                text.push(character);
            }
        }
        encode_bytes(chunk.invalid(), &mut text);
    }
    text
}

fn encode_bytes(bytes: &[u8], text: &mut String) {
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "%{byte:02X}");
    }
}

/// The id of a form; `None` if it is empty or not the one form that the id has.
pub(super) fn decode(text: &str) -> Option<Box<[u8]>> {
    let mut id = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            id.push(data_encoding::HEXUPPER.decode(&digits).ok()?[0]);
        } else {
            id.push(byte);
        }
    }
    (!id.is_empty() && encode(&id) == text).then(|| id.into())
}
