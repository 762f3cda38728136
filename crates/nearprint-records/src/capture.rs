//! What an archive says about a document it captured from the Web.

/// The capture of a document, as its archive tells it. Nothing of it decides the document's text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
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
    #[cfg_attr(feature = "json", serde(skip))]
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
    let number = |from: usize, to: usize| date.get(from..to)?.parse::<i64>().ok();
    let days = days_since_1970(number(0, 4)?, number(4, 6)?, number(6, 8)?)?;
    let (hour, minute, second) = (number(8, 10)?, number(10, 12)?, number(12, 14)?);
    let is_time = hour < 24 && minute < 60 && second < 60;
    is_time.then_some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

/// Days from 1970-01-01 to a day of the Gregorian calendar; `None` where it has no such day. A crate of calendars would
/// be two crates more in a build that compares texts.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = usize::try_from(month - 1).ok().filter(|before| *before < lengths.len())?;
    let is_day = (1..=lengths[before]).contains(&day);
    // Leap days of the years before this one, and of those before 1970.
    let leap_days =
        |years: i64| years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
    let leaps = leap_days(year - 1) - leap_days(1969);
    let in_year = lengths[..before].iter().sum::<i64>() + day - 1;
    is_day.then_some((year - 1970) * 365 + leaps + in_year)
}

#[cfg(test)]
mod tests {
    use super::capture_seconds;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (date, seconds) in [
            ("00000101000000", -62_167_219_200),
            ("00010101000000", -62_135_596_800),
            ("19000301000000", -2_203_891_200),
            ("19691231235959", -1),
            ("19700101000000", 0),
            ("20000228235959", 951_782_399),
            ("20000229000000", 951_782_400),
            ("20000301000000", 951_868_800),
            ("20260131235959", 1_769_903_999),
            ("21000301000000", 4_107_542_400),
            ("99991231235959", 253_402_300_799),
        ] {
            assert_eq!(capture_seconds(date), Some(seconds), "{date}");
        }
        for date in [
            "",
            "2020",
            "20200230000000",
            "20210229000000",
            "19000229000000",
            "20200001000000",
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
