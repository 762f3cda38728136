//! What the header of an HTTP response says of its body.

use super::warc::fields;

/// A response's header.
pub(super) struct Message {
    pub(super) status: Option<u16>,
    fields: Vec<(String, String)>,
}

/// Reads a header, as lenient as those who store them.
pub(super) fn head(bytes: &[u8]) -> Message {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let status = String::from_utf8_lossy(first)
        .split_ascii_whitespace()
        .nth(1)
        .filter(|word| word.len() == 3)
        .and_then(|word| word.parse().ok());
    Message { status, fields: fields(bytes) }
}

impl Message {
    /// All values of a field, named in lower case.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(found, _)| found == name).map(|(_, value)| &**value)
    }

    /// The last value of a field.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values(name).last()
    }
}

/// A media type without its parameters, in lower case; `None` if there is none.
pub(super) fn essence(media_type: &str) -> Option<String> {
    let essence = media_type.split([';', ',']).next().unwrap_or("").trim().to_ascii_lowercase();
    (!essence.is_empty()).then_some(essence)
}

/// The charset that a media type names.
pub(super) fn charset(media_type: &str) -> Option<String> {
    let parameter = media_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then_some(value)
    })?;
    let label = parameter.trim().trim_matches(['"', '\'']).trim();
    (!label.is_empty()).then(|| label.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_status_type_and_charset() {
        let message = head(b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; Charset=\"koi8-r\"\r\nX: 1\r\nx: 2\r\n\r\n");
        assert_eq!(message.status, Some(200));
        assert_eq!(message.values("x").collect::<Vec<_>>(), ["1", "2"]);
        let media_type = message.value("content-type").unwrap();
        assert_eq!(
            (essence(media_type), charset(media_type).as_deref()),
            (Some("text/html".to_owned()), Some("koi8-r"))
        );
        assert_eq!(head(b"HTTP/2 404\n\n").status, Some(404));
        assert_eq!(head(b"HTTP/1.1\n\n").status, None);
        assert_eq!(essence(" ; charset=x"), None);
        assert_eq!(charset("text/html"), None);
        assert_eq!(charset("text/html;charset="), None);
    }
}
