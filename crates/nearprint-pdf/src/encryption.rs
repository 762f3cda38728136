//! What a file that does not open says of its encryption.
//!
//! The parser answers for files that it cannot open at all, and wants the password where the whole document is open and
//! only what is attached to it is encrypted. Both are seen in the encryption dictionary, which is never encrypted
//! itself: the file is opened once more as if it had none.

use hayro_syntax::Pdf;
use hayro_syntax::object::dict::keys::{FILTER, STM_F, STR_F, V};
use hayro_syntax::object::{Dict, FromBytes, Name, ObjectIdentifier};
use memchr::memmem;

/// The key of a trailer whose value is the encryption dictionary, and one that nothing means, of its length.
const KEY: &[u8] = b"/Encrypt";
const OTHER_KEY: &[u8] = b"/NoCrypt";
/// Trailers that are looked at: one for each time that a file was saved.
const MAX_TRAILERS: usize = 64;
/// The first version of encryption in which streams and strings may be left as they are.
const WITH_FILTERS: u8 = 4;

/// File that was encrypted, opened without its encryption.
pub(crate) struct DecryptedPdf {
    pub(crate) pdf: Pdf,
    /// Streams and strings are as they would be without encryption: only attachments have it.
    pub(crate) only_attachments: bool,
}

/// Opens a file without its encryption; none if it has no such dictionary.
pub(crate) fn open_without(bytes: &[u8]) -> Option<DecryptedPdf> {
    let is_key = |at: &usize| {
        let next = bytes.get(at + KEY.len());
        next.is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'%'))
    };
    let places: Vec<usize> =
        memmem::find_iter(bytes, KEY).filter(is_key).take(MAX_TRAILERS).collect();
    if places.is_empty() {
        return None;
    }
    let mut plain = bytes.to_vec();
    for place in &places {
        plain[*place..place + KEY.len()].copy_from_slice(OTHER_KEY);
    }
    let pdf = Pdf::new(plain).ok()?;
    let described: Vec<bool> = places
        .iter()
        .filter_map(|place| {
            let value = bytes[place + KEY.len()..].trim_ascii_start();
            match reference(value) {
                Some(id) => only_attachments(&pdf.xref().get(id)?),
                None => only_attachments(&Dict::from_bytes(value)?),
            }
        })
        .collect();
    let only_attachments = described.iter().all(|only| *only);
    (!described.is_empty()).then_some(DecryptedPdf { pdf, only_attachments })
}

/// The reference that a value begins with: two numbers and `R`.
fn reference(value: &[u8]) -> Option<ObjectIdentifier> {
    let mut words = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(3);
    let mut number = || std::str::from_utf8(words.next()?).ok()?.parse::<i32>().ok();
    let (object, generation) = (number()?, number()?);
    let id = ObjectIdentifier::new(u32::try_from(object).ok()?, generation);
    words.next()?.starts_with(b"R").then_some(id)
}

/// Whether an encryption dictionary leaves streams and strings as they are; none if it is no such dictionary.
fn only_attachments(dict: &Dict<'_>) -> Option<bool> {
    if !dict.contains_key(FILTER) {
        return None;
    }
    // A filter that is not named is the one that does nothing.
    let is_identity =
        |key: &[u8]| dict.get::<Name<'_>>(key).is_none_or(|name| name.as_ref() == b"Identity");
    let version = dict.get::<u8>(V).unwrap_or(0);
    Some(version >= WITH_FILTERS && is_identity(STM_F) && is_identity(STR_F))
}
