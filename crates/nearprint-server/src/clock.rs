//! The time of day, as the files of a server state it, and as people read it.

use std::time::SystemTime;

/// Milliseconds since 1970-01-01 UTC.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

/// Such a time by RFC 3339, in seconds.
pub(crate) fn date(millis: u64) -> String {
    let (days, second) = (millis / 86_400_000, millis / 1000 % 86_400);
    // Years begin in March here, so that a leap day is the last of its year; 719,468 days before 1970 one of 400 years
    // begins, which have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..10 => (400 * era + year, month + 3),
        _ => (400 * era + year + 1, month - 9),
    };
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Seconds since 1970-01-01 of a time in 14 digits (YYYYMMDDhhmmss, UTC); `None` if it is none.
pub(crate) fn seconds(digits: &str) -> Option<i64> {
    if digits.len() != 14 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |range| digits.get(range).and_then(|digits: &str| digits.parse::<i64>().ok());
    let (year, month, day) = (number(0..4)?, number(4..6)?, number(6..8)?);
    let (hour, minute, second) = (number(8..10)?, number(10..12)?, number(12..14)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // As above, the other way.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day = (153 * month + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day - 719_468;
    Some(days * 86_400 + hour * 3600 + minute * 60 + second)
}

/// Such a time as headers of HTTP state it.
pub(crate) fn http_date(digits: &str) -> Option<String> {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let day = seconds(digits)?.div_euclid(86_400).rem_euclid(7) as usize;
    let part = |range| digits.get(range).unwrap_or_default();
    let month = MONTHS.get(part(4..6).parse::<usize>().ok()?.checked_sub(1)?)?;
    Some(format!(
        "{}, {} {month} {} {}:{}:{} GMT",
        DAYS.get(day)?,
        part(6..8),
        part(0..4),
        part(8..10),
        part(10..12),
        part(12..14)
    ))
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
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (32_503_680_000, "3000-01-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds * 1000 + 999), wanted);
            let digits: String = wanted.chars().filter(char::is_ascii_digit).collect();
            assert_eq!(super::seconds(&digits), Some(seconds as i64));
        }
        assert_eq!(super::seconds("19691231235959"), Some(-1));
        for bad in [
            "",
            "2020",
            "20200230000000",
            "20210229000000",
            "20200100000000",
            "20201301000000",
            "2020010124000x",
        ] {
            assert_eq!(super::seconds(bad), None, "{bad}");
        }
        assert_eq!(http_date("19941106084937").as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
        assert_eq!(http_date("19000301000000").as_deref(), Some("Thu, 01 Mar 1900 00:00:00 GMT"));
    }
}
