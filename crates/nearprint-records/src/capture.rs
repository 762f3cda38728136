//! What an archive says about a document it captured from the Web.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// The capture of a document, as its archive tells it. Nothing of it decides the document's text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// The address that was asked for.
    pub url: String,
    /// When it was asked: 14 digits, `YYYYMMDDhhmmss` in UTC, as indexes of archives write it.
    pub date: Option<String>,
    /// The status of the HTTP response.
    pub status: Option<u16>,
    /// The media type it was served as, in lower case without parameters.
    pub mime: Option<String>,
    /// The digest of the payload that the archive states, e.g. `sha1:` and base 32.
    pub digest: Option<String>,
    /// Why the archive holds only the beginning of the document, e.g. `length`.
    pub truncated: Option<String>,
    /// Of a revisit, the capture whose payload it has. Not part of rows.
    #[serde(skip)]
    pub revisited: Option<Box<RevisitedCapture>>,
}

/// The media type of revisits in indexes of captures.
pub const REVISIT_TYPE: &str = "warc/revisit";

/// Capture that a revisit refers to. Its payload digest is that of the revisit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RevisitedCapture {
    /// Its address; that of the revisit if the record names none.
    pub url: Option<String>,
    /// Its time, as 14 digits.
    pub date: Option<String>,
}

/// Seconds since 1970-01-01 UTC of a time in 14 digits, `YYYYMMDDhhmmss`, as captures have it; `None` where these are
/// not a time of the Gregorian calendar. No minute has more than 60 seconds.
///
/// ```
/// use nearprint_records::capture_seconds;
///
/// assert_eq!(capture_seconds("20000229120000"), Some(951_825_600));
/// assert_eq!(capture_seconds("20000230120000"), None);
/// ```
#[must_use]
pub fn capture_seconds(date: &str) -> Option<i64> {
    if date.len() != 14 || !date.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| date.get(from..to)?.parse::<u32>().ok();
    let day = NaiveDate::from_ymd_opt(number(0, 4)? as i32, number(4, 6)?, number(6, 8)?)?;
    let time = day.and_hms_opt(number(8, 10)?, number(10, 12)?, number(12, 14)?)?;
    Some(time.and_utc().timestamp())
}

#[cfg(test)]
mod tests {
    use super::capture_seconds;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (date, seconds) in [
            ("19000301000000", -2_203_891_200),
            ("19691231235959", -1),
            ("19700101000000", 0),
            ("20000228235959", 951_782_399),
            ("20000229000000", 951_782_400),
            ("20000301000000", 951_868_800),
            ("20260131235959", 1_769_903_999),
            ("21000301000000", 4_107_542_400),
        ] {
            assert_eq!(capture_seconds(date), Some(seconds), "{date}");
        }
        for date in [
            "",
            "2020",
            "20200230000000",
            "20210229000000",
            "20200100000000",
            "20201301000000",
            "20200101240000",
            "20200101006000",
            "20200101000060",
            "2020010100000x",
            "+2020010100000",
            "２０２０0",
        ] {
            assert_eq!(capture_seconds(date), None, "{date}");
        }
    }
}
