//! Percent signs in addresses: all undone, and those written that must be.

/// Percent signs undone until there are none left to undo, in one pass: whatever the order they are undone in, the same is
/// left, since no two of them share an octet.
pub(super) fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &octet in text.as_bytes() {
        out.push(octet);
        // What is undone may be the end of another.
        while let [.., b'%', high, low] = out[..] {
            let digit =
                |octet: u8| char::from(octet).to_digit(16).and_then(|d| u8::try_from(d).ok());
            let (Some(high), Some(low)) = (digit(high), digit(low)) else { break };
            out.truncate(out.len() - 3);
            out.push(high << 4 | low);
        }
    }
    out
}

/// Octets that are no printing ASCII, and `#` and `%`, with percent signs.
pub(super) fn escaped(octets: &[u8]) -> String {
    let mut out = String::with_capacity(octets.len());
    for &octet in octets {
        match octet {
            b'#' | b'%' | 0..=32 | 127.. => {
                out.push('%');
                for digit in [octet >> 4, octet & 15] {
                    out.push(
                        char::from_digit(digit.into(), 16).unwrap_or('0').to_ascii_uppercase(),
                    );
                }
            }
            octet => out.push(char::from(octet)),
        }
    }
    out
}

/// With no more percent signs than there must be.
pub(super) fn minimally_escaped(text: &str) -> String {
    escaped(&unescaped(text))
}
