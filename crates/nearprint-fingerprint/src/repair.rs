//! SPEC [3.1]: bytes to text, streaming.

/// U+FFFD in UTF-8.
const REPLACEMENT: &str = "\u{FFFD}";

/// Bytes of an ill-formed sequence's maximal subpart, at most.
const LONGEST_SUBPART: usize = 3;

/// Decodes UTF-8 that comes in pieces; what is ill-formed becomes U+FFFD as in the WHATWG Encoding Standard.
#[derive(Default)]
pub(crate) struct Repair {
    /// The start of a sequence that the piece before ended in.
    pending: [u8; LONGEST_SUBPART + 1],
    length: usize,
}

impl Repair {
    /// Calls `each` with the parts of the text.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(&str)) {
        while self.length > 0 {
            let Some((&next, rest)) = bytes.split_first() else { return };
            self.pending[self.length] = next;
            match std::str::from_utf8(&self.pending[..=self.length]) {
                Ok(text) => {
                    each(text);
                    self.length = 0;
                    bytes = rest;
                }
                // Still the start of a sequence.
                Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() => {
                    self.length += 1;
                    bytes = rest;
                }
                // The byte does not continue it: it is examined again.
                Err(_) => {
                    each(REPLACEMENT);
                    self.length = 0;
                }
            }
        }
        loop {
            match std::str::from_utf8(bytes) {
                Ok(text) => {
                    if !text.is_empty() {
                        each(text);
                    }
                    return;
                }
                Err(error) => {
                    let (valid, rest) = bytes.split_at(error.valid_up_to());
                    if let Ok(text) = std::str::from_utf8(valid)
                        && !text.is_empty()
                    {
                        each(text);
                    }
                    let Some(ill_formed) = error.error_len() else {
                        self.pending[..rest.len()].copy_from_slice(rest);
                        self.length = rest.len();
                        return;
                    };
                    each(REPLACEMENT);
                    bytes = &rest[ill_formed..];
                }
            }
        }
    }

    /// The bytes end here, or are followed by text that is well-formed.
    pub(crate) fn finish(&mut self, mut each: impl FnMut(&str)) {
        if std::mem::take(&mut self.length) > 0 {
            each(REPLACEMENT);
        }
    }
}
