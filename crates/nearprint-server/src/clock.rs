//! The time of day, as the files of a server state it, and as people and HTTP read it.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use nearprint::records::capture_seconds;

/// Milliseconds since 1970-01-01 UTC.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

/// Such a time by RFC 3339, in seconds.
pub(crate) fn date(millis: u64) -> String {
    let time = i64::try_from(millis).ok().and_then(DateTime::from_timestamp_millis);
    time.unwrap_or(DateTime::<Utc>::MAX_UTC).to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// The time of a capture, in 14 digits, as headers of HTTP state it; `None` where the digits are not a time.
pub(crate) fn http_date(digits: &str) -> Option<String> {
    let time = DateTime::from_timestamp(capture_seconds(digits)?, 0)?;
    Some(time.format("%a, %d %b %Y %H:%M:%S GMT").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, wanted) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (32_503_680_000, "3000-01-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds * 1000 + 999), wanted);
        }
        assert!(date(u64::MAX).ends_with("12-31T23:59:59Z"), "{}", date(u64::MAX));
        assert_eq!(http_date("19941106084937").as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
        assert_eq!(http_date("19000301000000").as_deref(), Some("Thu, 01 Mar 1900 00:00:00 GMT"));
        assert_eq!(http_date("20210229000000"), None);
    }
}
