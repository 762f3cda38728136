//! Base32 as the strings of fingerprints (SPEC 7.4) and the digests of lists and tables are written: lower case,
//! without padding.

/// RFC 4648, section 6, in lower case.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Bytes as characters of the alphabet, without padding.
pub(crate) fn base32(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(base32_length(bytes.len()));
    let (mut pending, mut pending_bits) = (0u32, 0u32);
    for &byte in bytes {
        pending = (pending << 8) | u32::from(byte);
        pending_bits += 8;
        while pending_bits >= 5 {
            pending_bits -= 5;
            text.push(char::from(ALPHABET[(pending >> pending_bits) as usize & 31]));
        }
        pending &= (1 << pending_bits) - 1;
    }
    if pending_bits > 0 {
        text.push(char::from(ALPHABET[(pending << (5 - pending_bits)) as usize & 31]));
    }
    text
}

/// The bytes of characters of the alphabet, and the bits after them.
pub(crate) fn bytes_and_rest(code: &str) -> (Vec<u8>, u32) {
    let mut bytes = Vec::with_capacity(code.len() * 5 / 8);
    let (mut pending, mut pending_bits) = (0u32, 0u32);
    for value in code.chars().filter_map(digit_value) {
        pending = (pending << 5) | value;
        pending_bits += 5;
        if pending_bits >= 8 {
            pending_bits -= 8;
            bytes.push((pending >> pending_bits) as u8);
            pending &= (1 << pending_bits) - 1;
        }
    }
    (bytes, pending)
}

/// The bytes that [`base32`] wrote, letters in either case; `None` if a character is none of its alphabet or there
/// are bits after the last byte.
pub(crate) fn bytes_of_base32(code: &str) -> Option<Vec<u8>> {
    let (bytes, rest) = bytes_and_rest(code);
    let exact = code.chars().all(|character| digit_value(character).is_some()) && rest == 0;
    (exact && code.len() == base32_length(bytes.len())).then_some(bytes)
}

/// The number of base32 characters without padding.
pub(crate) fn base32_length(bytes: usize) -> usize {
    (bytes * 8).div_ceil(5)
}

/// The five bits that a character stands for, a letter in either case; `None` if it is none of the alphabet.
pub(crate) fn digit_value(character: char) -> Option<u32> {
    match character {
        'a'..='z' => Some(character as u32 - 'a' as u32),
        'A'..='Z' => Some(character as u32 - 'A' as u32),
        '2'..='7' => Some(character as u32 - '2' as u32 + 26),
        _ => None,
    }
}
