//! Messages and mailboxes: the subject and the text parts, of alternatives the plainest.
//!
//! Headers other than the subject are metadata; attachments are documents of their own and are left out.

mod mime;

use self::mime::Part;
use crate::charset;
use crate::error::{ExtractError, Reason};
use crate::extraction::WarningCode;
use crate::html;
use crate::job::Job;
use crate::limits::Limits;
use crate::plain;

/// Parts nested in each other; a message that nests deeper is refused.
const MAX_NESTING: u32 = 32;

/// Whether bytes are a message or a mailbox: headers that only messages have, before an empty line.
pub(crate) fn is_mail(bytes: &[u8]) -> bool {
    let (mut known, mut lines) = (0, 0);
    for line in bytes.split(|b| *b == b'\n').take(200) {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            break;
        }
        lines += 1;
        if lines == 1 && line.starts_with(b"From ")
            || line.starts_with(b" ")
            || line.starts_with(b"\t")
        {
            continue;
        }
        let Some(colon) = memchr::memchr(b':', line) else { return false };
        let name = &line[..colon];
        if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
            return false;
        }
        const KNOWN: [&str; 10] = [
            "from",
            "date",
            "subject",
            "message-id",
            "received",
            "return-path",
            "mime-version",
            "newsgroups",
            "to",
            "references",
        ];
        known += u32::from(KNOWN.iter().any(|k| name.eq_ignore_ascii_case(k.as_bytes())));
    }
    // Letters and minutes have some of these, too, but not three.
    known >= 3
}

/// Extracts a message, or all messages of a mailbox.
pub(crate) fn mail(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut text = String::new();
    for message in messages(bytes) {
        job.work.charge(message.len())?;
        let part = Part::read(message);
        if let Some(subject) = part.subject() {
            text += subject.trim();
            text.push('\n');
        }
        body(&part, 0, &mut text, job)?;
        job.limits.check_text(text.len())?;
    }
    Ok(text)
}

/// The messages of a mailbox: each begins with a line `From `, at the start or after an empty line.
fn messages(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mailbox = bytes.starts_with(b"From ");
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let end = match mailbox {
            true => memchr::memmem::find(bytes, b"\n\nFrom ").map(|at| at + 2),
            false => None,
        };
        rest = end.map(|end| &bytes[end..]);
        let message = &bytes[..end.unwrap_or(bytes.len())];
        // The line that begins a message of a mailbox is no header.
        match message.starts_with(b"From ").then(|| memchr::memchr(b'\n', message)).flatten() {
            Some(line) => Some(&message[line + 1..]),
            None => Some(message),
        }
    })
}

fn body(
    part: &Part<'_>,
    nesting: u32,
    text: &mut String,
    job: &mut Job<'_>,
) -> Result<(), ExtractError> {
    if nesting > MAX_NESTING {
        return Err(ExtractError::new(
            Reason::TooDeep,
            format!("parts of the message are nested deeper than {MAX_NESTING}"),
        ));
    }
    if part.is_attachment() {
        return Ok(());
    }
    let media = part.media_type();
    if media == "multipart/alternative" {
        job.work.charge(2 * part.raw().len())?;
        let mut parts: Vec<Part<'_>> = Vec::new();
        for part in part.parts() {
            check_parts(parts.len(), job.limits)?;
            parts.push(part);
        }
        let plain = parts.iter().find(|part| part.media_type() == "text/plain");
        return plain.or(parts.last()).map_or(Ok(()), |part| body(part, nesting + 1, text, job));
    }
    if media.starts_with("multipart/") {
        job.work.charge(2 * part.raw().len())?;
        for (n, part) in part.parts().enumerate() {
            check_parts(n, job.limits)?;
            body(&part, nesting + 1, text, job)?;
        }
        return Ok(());
    }
    if media == "message/rfc822" {
        job.work.charge(part.raw().len())?;
        return body(&Part::read(part.raw()), nesting + 1, text, job);
    }
    if !media.starts_with("text/") {
        return Ok(());
    }
    job.work.charge(2 * part.raw().len())?;
    let content = part.content();
    let decoded = charset::decode(&content, part.charset().as_deref());
    if decoded.replaced {
        job.warn(WarningCode::InvalidBytes, "bytes of a part were replaced by U+FFFD");
    }
    *text += &match media.as_str() {
        "text/html" => html::part(&decoded.text, job)?,
        "text/calendar" | "text/x-vcard" | "text/vcard" => String::new(),
        _ => plain::lines(&decoded.text, job)?,
    };
    Ok(())
}

/// Refuses one more part than there may be.
fn check_parts(count: usize, limits: &Limits) -> Result<(), ExtractError> {
    if count >= limits.max_parts as usize {
        return Err(ExtractError::new(
            Reason::PartLimit,
            format!("the message has more than max_parts = {} parts", limits.max_parts),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
