//! The body of an HTTP message as an archive keeps it, and what its codings hide.
//!
//! Archives disagree with themselves: crawlers store bodies whose chunks or compression they have undone and keep the
//! header that names them, or name what the server never did. So every coding is undone only where the bytes look
//! like it, and a coding whose bytes do not is skipped.

#[cfg(feature = "archives")]
mod codings;
#[cfg(not(feature = "archives"))]
#[path = "http_body/codings_none.rs"]
mod codings;

use crate::ReasonCode;

/// Codings one inside another, as `Content-Encoding` lists them (<=). Servers use one, rarely two.
const MOST_CODINGS: usize = 4;

/// The body of an HTTP message, still coded.
///
/// Undoing the codings is left to whoever works on the document, so that many are undone at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpBody {
    bytes: Vec<u8>,
    chunked: bool,
    /// Names of content codings in lower case, in the order they were applied.
    codings: Vec<String>,
    /// Whether the archive says that it holds only the beginning.
    truncated: bool,
    longest: u64,
    max_ratio: u64,
}

/// Why a body gives no document.
type Refusal = (ReasonCode, String);

impl HttpBody {
    /// A body without codings. `max_ratio` bounds its expanded bytes for each compressed one, examined beyond 16 MiB.
    #[must_use]
    pub fn new(bytes: Vec<u8>, max_ratio: u64) -> Self {
        Self {
            bytes,
            chunked: false,
            codings: Vec::new(),
            truncated: false,
            longest: u64::MAX,
            max_ratio,
        }
    }

    /// The same with the value of a `Transfer-Encoding` header; of its codings chunks matter.
    #[must_use]
    pub fn with_transfer_encoding(mut self, value: &str) -> Self {
        self.chunked |= names(value).any(|name| name == "chunked");
        // Compression of the transfer lies under the chunks and above that of the content.
        self.codings.extend(names(value).filter(|name| name != "chunked" && name != "identity"));
        self
    }

    /// The same with the value of a `Content-Encoding` header; given several, before that of the transfer.
    #[must_use]
    pub fn with_content_encoding(mut self, value: &str) -> Self {
        self.codings.extend(names(value).filter(|name| name != "identity"));
        self
    }

    /// The same where the archive holds only the beginning of the body: an end within a coding is then no damage.
    #[must_use]
    pub fn cut_short(mut self) -> Self {
        self.truncated = true;
        self
    }

    /// Bytes of the body as it is stored.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The same, which expands to no more than `longest` bytes, whatever is asked for.
    pub(crate) fn at_most(self, longest: u64) -> Self {
        Self { longest, ..self }
    }

    /// Undoes the codings, to at most `limit` bytes.
    pub(crate) fn decode(self, limit: u64) -> Result<Vec<u8>, Refusal> {
        let Self { mut bytes, chunked, codings, truncated, longest, max_ratio } = self;
        let limit = limit.min(longest);
        if codings.len() > MOST_CODINGS {
            let text =
                format!("the body is encoded {} times, more than {MOST_CODINGS}", codings.len());
            return Err((ReasonCode::from_static("too-deep"), text));
        }
        if chunked {
            bytes = joined(bytes, truncated)?;
        }
        for coding in codings.iter().rev() {
            bytes = codings::undone(coding, bytes, limit, max_ratio, truncated)?;
        }
        Ok(bytes)
    }
}

fn names(value: &str) -> impl Iterator<Item = String> {
    value.split(',').map(|name| name.trim().to_ascii_lowercase()).filter(|name| !name.is_empty())
}

/// A coding that nothing here undoes.
fn unsupported(coding: &str) -> Refusal {
    let text = format!("the body has the unsupported encoding \"{}\"", coding.escape_debug());
    (ReasonCode::from_static("unsupported-media"), text)
}

fn damaged(detail: String) -> Refusal {
    (ReasonCode::DAMAGED, detail)
}

/// The chunks of a body joined; the body as it is where it does not begin with a chunk.
fn joined(bytes: Vec<u8>, truncated: bool) -> Result<Vec<u8>, Refusal> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = &bytes[..];
    let mut first = true;
    loop {
        let Some((size, data)) = chunk_size(rest) else {
            if first {
                return Ok(bytes);
            }
            // Servers that close the connection after a chunk were complete for browsers too.
            if rest.is_empty() || truncated {
                return Ok(out);
            }
            let text =
                format!("the chunked body is damaged after {} bytes", bytes.len() - rest.len());
            return Err(damaged(text));
        };
        if size == 0 {
            return Ok(out);
        }
        match usize::try_from(size).ok().and_then(|size| data.split_at_checked(size)) {
            Some((chunk, behind)) => {
                let behind = behind.strip_prefix(b"\r").unwrap_or(behind);
                match behind.strip_prefix(b"\n") {
                    Some(behind) => rest = behind,
                    None if behind.is_empty() => rest = behind,
                    // A text whose first line is a number, stored without its chunks.
                    None if first => return Ok(bytes),
                    None => {
                        return Err(damaged(
                            "a chunk of the body does not have the stated length".to_owned(),
                        ));
                    }
                }
                out.extend_from_slice(chunk);
            }
            None if truncated => {
                out.extend_from_slice(data);
                return Ok(out);
            }
            None => {
                let text = format!(
                    "the body ends within a chunk of {size} bytes, after {} bytes of it",
                    data.len()
                );
                return Err(damaged(text));
            }
        }
        first = false;
    }
}

/// The size that a chunk begins with, and what is after the line.
fn chunk_size(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let end = bytes.iter().take(256).position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let digits = line.split(';').next()?.trim();
    let hexadecimal = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let size = hexadecimal.then(|| u64::from_str_radix(digits, 16).ok()).flatten()?;
    Some((size, &bytes[end + 1..]))
}

#[cfg(all(test, feature = "archives"))]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut out = GzEncoder::new(Vec::new(), Compression::fast());
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    }

    fn decode(body: HttpBody) -> Result<String, String> {
        match body.decode(1 << 30) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err((reason, detail)) => Err(format!("{reason}: {detail}")),
        }
    }

    fn chunked(body: &[u8]) -> HttpBody {
        HttpBody::new(body.to_vec(), 300).with_transfer_encoding("Chunked")
    }

    #[test]
    fn chunks_are_joined_where_there_are_any() {
        for (body, text) in [
            ("4\r\nfogg\r\n2;x=y\r\ny!\r\n0\r\n\r\n", "foggy!"),
            ("4\nfogg\n0\n", "fogg"),
            ("3\r\nfog\r\n", "fog"),
            ("3\r\nfog", "fog"),
            ("0\r\n\r\n", ""),
            // Undone by the crawler, header kept.
            ("<p>fog</p>", "<p>fog</p>"),
            ("2\r\nmonths of fog\r\n", "2\r\nmonths of fog\r\n"),
            ("", ""),
        ] {
            assert_eq!(decode(chunked(body.as_bytes())).as_deref(), Ok(text), "{body:?}");
        }
        for body in ["3\r\nfog\r\nzz\r\n", "3\r\nfog\r\n9\r\ncut", "2\r\nab\r\n2\r\nabc\r\n"] {
            assert!(
                decode(chunked(body.as_bytes())).unwrap_err().starts_with("damaged"),
                "{body:?}"
            );
        }
        assert_eq!(decode(chunked(b"3\r\nfog\r\n9\r\ncut").cut_short()).as_deref(), Ok("fogcut"));
    }

    #[test]
    fn codings_are_undone_where_the_bytes_have_them() {
        let text = "Fog came in at noon. ".repeat(40);
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(text.as_bytes()).unwrap();
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::fast());
        raw.write_all(text.as_bytes()).unwrap();
        for (coding, bytes) in [
            ("gzip", gzip(text.as_bytes())),
            ("X-GZip", gzip(text.as_bytes())),
            ("gzip, gzip", gzip(&gzip(text.as_bytes()))),
            ("deflate", zlib.finish().unwrap()),
            ("deflate", raw.finish().unwrap()),
            ("identity", text.clone().into_bytes()),
            // Undone by the crawler, header kept.
            ("gzip", text.clone().into_bytes()),
            ("deflate", text.clone().into_bytes()),
            ("br", text.clone().into_bytes()),
            ("zstd", text.clone().into_bytes()),
        ] {
            let body = HttpBody::new(bytes, 300).with_content_encoding(coding);
            assert_eq!(decode(body).as_deref(), Ok(&*text), "{coding}");
        }
        // Named in the order in which they were applied, so undone from the last.
        let mut inner = ZlibEncoder::new(Vec::new(), Compression::fast());
        inner.write_all(text.as_bytes()).unwrap();
        let body = HttpBody::new(gzip(&inner.finish().unwrap()), 300)
            .with_content_encoding("deflate, gzip");
        assert_eq!(decode(body).as_deref(), Ok(&*text));
        let both =
            [b"5\r\n", &gzip(b"fog")[..5], b"\r\n12\r\n", &gzip(b"fog")[5..], b"\r\n0\r\n\r\n"];
        let body = HttpBody::new(both.concat(), 300)
            .with_content_encoding("gzip")
            .with_transfer_encoding("chunked");
        assert_eq!(decode(body).as_deref(), Ok("fog"));
    }

    /// "fog fog fog fog" as the reference tool compresses it.
    #[test]
    fn brotli_is_undone() {
        let bytes = vec![
            0x0b, 0x07, 0x80, 0x66, 0x6f, 0x67, 0x20, 0x66, 0x6f, 0x67, 0x20, 0x66, 0x6f, 0x67,
            0x20, 0x66, 0x6f, 0x67, 0x03,
        ];
        let body = HttpBody::new(bytes, 300).with_content_encoding("br");
        assert_eq!(decode(body).as_deref(), Ok("fog fog fog fog"));
    }

    #[test]
    fn damage_and_bombs_are_refused() {
        let whole = gzip(&b"Fog came in at noon.".repeat(100));
        let cut = whole[..whole.len() / 2].to_vec();
        let body = HttpBody::new(cut, 300).with_content_encoding("gzip");
        assert!(decode(body.clone()).unwrap_err().starts_with("damaged: the gzip"));
        assert!(decode(body.cut_short()).unwrap().starts_with("Fog came"));
        let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
        bomb.write_all(&vec![b' '; 20 << 20]).unwrap();
        let bomb = bomb.finish().unwrap();
        for (max_ratio, limit) in [(300, 1 << 30), (1 << 40, 1000)] {
            let body = HttpBody::new(bomb.clone(), max_ratio).with_content_encoding("gzip");
            let refused = body.decode(limit).map(|bytes| bytes.len()).unwrap_err();
            assert_eq!(refused.0, ReasonCode::EXPANSION_LIMIT);
        }
        let odd = HttpBody::new(vec![1], 300).with_content_encoding("compress");
        assert!(decode(odd).unwrap_err().contains("\"compress\""));
    }
}
