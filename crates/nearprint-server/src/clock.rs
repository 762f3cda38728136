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
        }
    }
}
