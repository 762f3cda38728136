//! What is said of documents and lines without a fingerprint: of each reason how many there are, and the first.

use nearprint::records::{ErrorRecord, FingerprintRecord, Outcome, ReasonCode};

use crate::remedies;
use crate::talk::counted;

/// Documents and lines that came to nothing, by the reason.
#[derive(Debug, Default)]
pub(crate) struct Remarks(Vec<Remark>);

/// Those of one reason.
#[derive(Debug)]
struct Remark {
    what: Kind,
    reason: ReasonCode,
    count: u64,
    /// The first of them: its place and what is said of it.
    place: String,
    detail: String,
}

/// What came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A document, which has no fingerprint.
    Document,
    /// A line or a file that is left out.
    Line,
}

impl Remarks {
    /// Takes note of a document without a fingerprint; gives the line that says so where all are said.
    pub(crate) fn document(&mut self, record: &FingerprintRecord, all: bool) -> Option<String> {
        let Outcome::Nothing { reason, detail, .. } = &record.outcome else { return None };
        // What is said of an earlier document holds for its copies.
        if *reason == ReasonCode::SAME_BYTES {
            return None;
        }
        self.add(Kind::Document, reason, record.place.to_string(), detail, all)
    }

    /// The same of a line or a file that is left out.
    pub(crate) fn line(&mut self, error: &ErrorRecord, all: bool) -> Option<String> {
        self.add(Kind::Line, &error.reason, error.place.to_string(), &error.detail, all)
    }

    fn add(
        &mut self,
        what: Kind,
        reason: &ReasonCode,
        place: String,
        detail: &str,
        all: bool,
    ) -> Option<String> {
        if !all
            && let Some(known) =
                self.0.iter_mut().find(|known| known.what == what && known.reason == *reason)
        {
            known.count += 1;
            return None;
        }
        let detail = remedies::detail(detail).to_string();
        let remark = Remark { what, reason: reason.clone(), count: 1, place, detail };
        if all {
            return Some(remark.one());
        }
        self.0.push(remark);
        None
    }

    /// A line for each reason.
    pub(crate) fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.0).iter().map(Remark::said).collect()
    }
}

impl Remark {
    fn said(&self) -> String {
        if self.count == 1 {
            return self.one();
        }
        let Self { what, reason, count, place, detail } = self;
        let what = match what {
            Kind::Document => format!("{} without a fingerprint", counted(*count, "document")),
            Kind::Line => format!("{count} lines or files left out"),
        };
        format!("nearprint: {what}: {reason}, first {place}: {detail}; -v lists all")
    }

    fn one(&self) -> String {
        let Self { what, reason, place, detail, .. } = self;
        match what {
            Kind::Document => format!("{place}: no fingerprint: {reason}: {detail}"),
            Kind::Line => format!("{place}: {reason}: {detail}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint::records::Place;

    fn error(number: u64, reason: ReasonCode) -> ErrorRecord {
        let place = Place { file: "rows.csv".into(), line: Some(number), ..Place::default() };
        ErrorRecord { id: None, place, reason, detail: "it is odd".into() }
    }

    #[test]
    fn a_reason_is_one_line_with_its_count_and_first() {
        let mut remarks = Remarks::default();
        for number in 1..=3 {
            assert_eq!(remarks.line(&error(number, ReasonCode::BAD_LINE), false), None);
        }
        assert_eq!(remarks.line(&error(9, ReasonCode::DAMAGED), false), None);
        let lines = remarks.take_lines();
        assert_eq!(
            lines,
            [
                "nearprint: 3 lines or files left out: bad-line, first rows.csv:1: it is odd; -v lists all",
                "rows.csv:9: damaged: it is odd",
            ]
        );
        assert_eq!(remarks.take_lines(), [""; 0]);
        let all = remarks.line(&error(4, ReasonCode::BAD_LINE), true);
        assert_eq!(all.as_deref(), Some("rows.csv:4: bad-line: it is odd"));
    }
}
