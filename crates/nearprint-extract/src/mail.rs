//! Messages, mailboxes and pages saved as messages (MHTML): the subject and the text parts, of alternatives the
//! plainest, of related parts the root.
//!
//! Headers other than the subject are metadata; attachments are documents of their own and are left out.

mod mime;
mod shown_letters;

use self::mime::Part;
use crate::charset;
use crate::error::{ExtractError, Reason};
use crate::extraction::WarningCode;
use crate::html;
use crate::job::Job;
use crate::letters;
use crate::limits::Limits;
use crate::plain;

/// Parts nested in each other; a message that nests deeper is refused.
const MAX_NESTING: u32 = 32;

/// Bytes of the longest name of a header.
const LONGEST_NAME: usize = 128;

/// Whether bytes are a message or a mailbox: headers that only messages have, before an empty line.
pub(crate) fn is_mail(bytes: &[u8]) -> bool {
    let (mut known, mut lines) = (0, 0);
    let (mut is_mime, mut is_multipart) = (false, false);
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
        is_mime |= name.eq_ignore_ascii_case(b"mime-version");
        let value = line[colon + 1..].trim_ascii_start();
        is_multipart |= name.eq_ignore_ascii_case(b"content-type")
            && value.get(..10).is_some_and(|start| start.eq_ignore_ascii_case(b"multipart/"));
    }
    // Letters and minutes have some of these, too, but not three.
    known >= 3
        // Pages that are saved with what they show have headers of MIME, and few others.
        || is_mime && is_multipart
        // The line that begins a message of a mailbox has the time of its delivery.
        || known > 0 && bytes.split(|b| *b == b'\n').next().is_some_and(is_postmark)
}

/// Whether a line is `From `, a sender and a time.
fn is_postmark(line: &[u8]) -> bool {
    let digit = |byte: &u8| byte.is_ascii_digit();
    line.starts_with(b"From ")
        && line.windows(5).any(|w| w[2] == b':' && [0, 1, 3, 4].iter().all(|at| digit(&w[*at])))
}

/// Extracts a message, or all messages of a mailbox.
pub(crate) fn mail(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let mut text = String::new();
    job.media_type = bytes.starts_with(b"From ").then_some("application/mbox");
    for message in messages(bytes) {
        job.work.charge(message.len())?;
        let part = Part::read(message);
        let is_page = job.media_type.is_none() && part.is_saved_page();
        if is_page {
            // Its subject is the page's title, which is metadata as in HTML.
            job.media_type = Some("multipart/related");
        } else if let Some(subject) = part.subject() {
            text += subject.trim();
            text.push('\n');
        }
        body(&part, 0, &mut text, job)?;
        job.limits.check_text(text.len())?;
    }
    if letters::may_be_lost(bytes.len(), &text) {
        for message in messages(bytes) {
            job.work.charge(message.len())?;
            job.letters += shown_letters::letters_shown(&Part::read(message), 0, job)?;
        }
    }
    Ok(text)
}

/// The messages of a mailbox: each begins with a line `From `, at the start or after an empty line.
fn messages(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mailbox = bytes.starts_with(b"From ");
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let end = if mailbox { next_message(bytes) } else { None };
        rest = end.map(|end| &bytes[end..]);
        let message = &bytes[..end.unwrap_or(bytes.len())];
        // The line that begins a message of a mailbox is not a header.
        match message.starts_with(b"From ").then(|| memchr::memchr(b'\n', message)).flatten() {
            Some(line) => Some(&message[line + 1..]),
            None => Some(message),
        }
    })
}

/// Where the next message of a mailbox begins: with a line `From ` after an empty one, and a header after it. Sentences
/// begin with this word, too, in mailboxes that do not mark such lines.
fn next_message(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(bytes, b"\nFrom ").map(|at| at + 1).find(|at| {
        let before = bytes[..at - 1].strip_suffix(b"\r").unwrap_or(&bytes[..at - 1]);
        before.ends_with(b"\n") && {
            let line = memchr::memchr(b'\n', &bytes[*at..]).map(|end| &bytes[at + end + 1..]);
            line.is_some_and(begins_with_header)
        }
    })
}

/// Whether bytes begin with the name of a header and a colon.
fn begins_with_header(bytes: &[u8]) -> bool {
    let name = bytes.iter().take(LONGEST_NAME).take_while(|b| b.is_ascii_graphic() && **b != b':');
    let length = name.count();
    length > 0 && bytes.get(length) == Some(&b':')
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
    if media.starts_with("multipart/") {
        job.work.charge(part.raw().len())?;
        if part.is_cut() {
            job.warn_of_missing_end("a part of the message has no end, as one that was cut");
        }
    }
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
    if media == "multipart/related" {
        // All others are what the root shows: images, styles, pages in frames.
        job.work.charge(2 * part.raw().len())?;
        return part.root().map_or(Ok(()), |root| body(&root, nesting + 1, text, job));
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
    let most = job.limits.max_text_bytes;
    let decoded = charset::decode_within(&content, part.charset().as_deref(), most);
    job.limits.check_text(decoded.text.len())?;
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
