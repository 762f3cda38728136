//! Letters of all parts of a message that a reader may be shown, whichever of them extraction chose.

use super::mime::Part;
use super::{MAX_NESTING, check_parts};
use crate::charset;
use crate::error::ExtractError;
use crate::job::Job;
use crate::letters;

/// Texts of parts that nobody reads as such.
const UNREAD: [&str; 6] = [
    "text/css",
    "text/javascript",
    "text/calendar",
    "text/vcard",
    "text/x-vcard",
    "text/directory",
];

/// The letters of a part outside its markup. Of alternatives and of related parts they are those of the part with the
/// most.
pub(super) fn letters_shown(
    part: &Part<'_>,
    nesting: u32,
    job: &Job<'_>,
) -> Result<u64, ExtractError> {
    let media = part.media_type();
    if nesting > MAX_NESTING || part.is_attachment() || UNREAD.contains(&&*media) {
        return Ok(0);
    }
    job.work.charge(2 * part.raw().len())?;
    if media == "message/rfc822" {
        return letters_shown(&Part::read(part.raw()), nesting + 1, job);
    }
    if media.starts_with("multipart/") {
        let is_choice = media == "multipart/alternative" || media == "multipart/related";
        let (mut sum, mut most, mut count) = (0u64, 0, 0);
        for part in part.parts() {
            check_parts(count, job.limits)?;
            count += 1;
            let letters = letters_shown(&part, nesting + 1, job)?;
            sum = sum.saturating_add(letters);
            most = most.max(letters);
        }
        // Without a boundary nobody knows its parts.
        return Ok(match count {
            0 => letters::outside_tags(part.raw()),
            _ if is_choice => most,
            _ => sum,
        });
    }
    if !media.starts_with("text/") {
        return Ok(0);
    }
    let content = part.content();
    let decoded =
        charset::decode_within(&content, part.charset().as_deref(), job.limits.max_text_bytes);
    let bytes = decoded.text.as_bytes();
    Ok(if media == "text/html" { letters::outside_tags(bytes) } else { letters::letters(bytes) })
}
