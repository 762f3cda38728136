//! Headers of ARC records: one line each, of five fields (version 1) or ten (version 2), separated by spaces.

use super::Head;
use super::warc::{date, decoded};
use crate::Capture;

/// Whether a record begins here: a whole line that can be a header.
pub(super) fn begins(bytes: &[u8]) -> bool {
    head_end(bytes).is_some_and(|end| head(&bytes[..end]).is_ok())
}

/// Bytes of the line.
pub(super) fn head_end(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(b'\n', bytes).map(|at| at + 1)
}

/// Reads the line.
pub(super) fn head(line: &[u8]) -> Result<Head, String> {
    let line = decoded(line);
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    // Addresses may hold spaces; after the time nothing is known to.
    let time = words.iter().skip(2).position(|word| {
        (8..=17).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
    });
    let bad = || "the header of the record has no time, or no length".to_owned();
    let time = time.ok_or_else(bad)? + 2;
    let behind = &words[time + 1..];
    let length = behind.last().filter(|_| behind.len() >= 2).ok_or_else(bad)?;
    let digits = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    let length = digits.then(|| length.parse().ok()).flatten().ok_or_else(bad)?;
    let url = words[..time - 1].join(" ");
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    if scheme.is_empty()
        || !scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b))
    {
        return Err("the header of the record has no address".to_owned());
    }
    let (kind, is_document) = match scheme {
        "filedesc" => ("filedesc", false),
        "dns" => ("dns", false),
        "http" | "https" => ("response", true),
        _ => ("resource", true),
    };
    let is_http = kind == "response";
    // Version 2: type, status, checksum, location, offset, file, length.
    let digest = behind.get(2).filter(|word| behind.len() >= 7 && **word != "-");
    let capture = Capture {
        url,
        date: date(words[time]),
        digest: digest.map(|word| (*word).to_owned()),
        ..Capture::default()
    };
    let media_type = Some(behind[0].to_owned()).filter(|word| word.contains('/'));
    Ok(Head { kind, is_document, length, is_http, record_id: None, media_type, capture })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_versions_are_read() {
        let one = head(b"http://e.org/a b 192.0.2.1 20000102030405 text/html 77\n").unwrap();
        assert_eq!((one.kind, one.length, one.is_http), ("response", 77, true));
        assert_eq!(
            (&*one.capture.url, one.capture.date.as_deref()),
            ("http://e.org/a b", Some("20000102030405"))
        );
        assert_eq!(one.media_type.as_deref(), Some("text/html"));
        let two =
            head(b"http://e.org/ 192.0.2.1 20000102030405 text/html 200 abc - 1000 file.arc 78\n")
                .unwrap();
        assert_eq!((two.length, two.capture.digest.as_deref()), (78, Some("abc")));
        let old = head(b"http://e.org/\xE9 192.0.2.1 20000102030405 text/html 77\n").unwrap();
        assert_eq!(old.capture.url, "http://e.org/\u{E9}");
        let first = head(b"filedesc://x.arc 0.0.0.0 20000102030405 text/plain 75\n").unwrap();
        assert_eq!((first.kind, first.is_document), ("filedesc", false));
    }

    #[test]
    fn other_lines_begin_nothing() {
        for line in [
            "",
            "\n",
            "<p>text 1 20000102030405 a 5\n",
            "http://e.org/ 1 20000102030405 text/html x\n",
            "http://e.org/ 1 20000102030405 5\n",
            "http://e.org/ 1 20000102030405 text/html 5",
        ] {
            assert!(!begins(line.as_bytes()), "{line}");
        }
    }
}
