//! Percent signs in addresses: all undone, and those written that must be.

/// Percent signs undone until there are none left to undo, in one pass: whatever the order they are undone in, the same
/// is left, since no two of them share a byte.
pub(super) fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text.as_bytes() {
        out.push(byte);
        // What is undone may be the end of another.
        while let [.., b'%', high, low] = out[..] {
            let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok());
            let (Some(high), Some(low)) = (digit(high), digit(low)) else { break };
            out.truncate(out.len() - 3);
            out.push(high << 4 | low);
        }
    }
    out
}

/// Bytes that are not printing ASCII, and `#` and `%`, with percent signs.
pub(super) fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'#' | b'%' | 0..=32 | 127.. => {
                out.push('%');
                for digit in [byte >> 4, byte & 15] {
                    out.push(
                        char::from_digit(digit.into(), 16).unwrap_or('0').to_ascii_uppercase(),
                    );
                }
            }
            byte => out.push(char::from(byte)),
        }
    }
    out
}

/// With no more percent signs than there must be.
pub(super) fn minimally_escaped(text: &str) -> String {
    escaped(&unescaped(text))
}
