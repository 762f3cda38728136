//! All captures of one address, summed up in one pass over their records: how many of each year, month and day, and how
//! many of them changed. A page of rows is picked in the same pass.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use nearprint::records::DocumentId;
use nearprint_index::{CaptureRange, ListedCapture};

use crate::captures::{changed, date};
use crate::collection::Collection;
use crate::problem::Problem;

/// Captures of one address that are summed up (<=); a page says where there are more.
const MOST: u64 = 200_000;

/// Which captures are rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowChoice {
    /// What their times begin with at the earliest, and at the latest; nothing for any time.
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) kind: CaptureKind,
    /// Whether the main content of pages counts alone.
    pub(crate) main_content: bool,
    /// The row after which they begin.
    pub(crate) after: Option<Vec<u8>>,
    /// The most rows.
    pub(crate) most: usize,
}

/// A kind of captures that rows are limited to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum CaptureKind {
    #[default]
    All,
    /// Those that changed by more than so many hundredths.
    Changed(u8),
    /// Those whose status is not 200.
    OtherStatus,
}

impl CaptureKind {
    fn allows(self, captured: &ListedCapture, main_content: bool) -> bool {
        match self {
            Self::All => true,
            Self::Changed(hundredths) => changed(captured, main_content)
                .is_some_and(|share| share > f64::from(hundredths) / 100.0),
            Self::OtherStatus => is_other_status(captured),
        }
    }
}

/// Captures of a time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct CaptureCount {
    pub(crate) captures: u64,
    /// Those whose text changed.
    pub(crate) changed: u64,
    /// Those whose status is not 200: redirects and errors.
    pub(crate) other_status: u64,
    /// The largest change, where texts were compared.
    pub(crate) largest: Option<f64>,
}

impl CaptureCount {
    fn add(&mut self, captured: &ListedCapture, main_content: bool) {
        self.captures += 1;
        self.other_status += u64::from(is_other_status(captured));
        let Some(share) = changed(captured, main_content) else { return };
        self.changed += u64::from(share > 0.0);
        self.largest = Some(self.largest.map_or(share, |largest| largest.max(share)));
    }
}

/// Whether a capture is known to have been answered with another status than 200.
pub(crate) fn is_other_status(captured: &ListedCapture) -> bool {
    captured.details.status.is_some_and(|status| status != 200)
}

/// A row, with the document of the same address before it.
#[derive(Debug)]
pub(crate) struct CaptureView {
    pub(crate) captured: ListedCapture,
    pub(crate) before: Option<DocumentId>,
}

/// All captures of an address.
#[derive(Debug, Default)]
pub(crate) struct CaptureOverview {
    pub(crate) all: CaptureCount,
    /// The times of the first and the last capture, as far as they are known.
    pub(crate) first: String,
    pub(crate) last: String,
    /// By the digits of their times: of each year, month and day.
    pub(crate) counts: BTreeMap<String, CaptureCount>,
    /// Whether there are more than are summed up.
    pub(crate) is_cut: bool,
    /// The captures that were chosen, and whether more follow.
    pub(crate) rows: Vec<CaptureView>,
    pub(crate) has_more: bool,
}

impl CaptureOverview {
    /// Sums up the captures of an address. O(n) for n captures.
    pub(crate) fn of(
        collection: &Collection,
        url: &str,
        choice: &RowChoice,
    ) -> Result<Self, Problem> {
        let mut overview = Self::default();
        let mut before: Option<DocumentId> = None;
        collection.index.visit_captures(&CaptureRange::of_url(url), None, |captured| {
            if overview.all.captures == MOST {
                overview.is_cut = true;
                return ControlFlow::Break(());
            }
            overview.count(&captured, choice.main_content);
            let document = captured.document.as_ref().map(|document| document.id.clone());
            overview.pick(captured, before.as_ref(), choice);
            before = document.or_else(|| before.take());
            ControlFlow::Continue(())
        })?;
        Ok(overview)
    }

    fn count(&mut self, captured: &ListedCapture, main_content: bool) {
        let time = date(captured);
        self.all.add(captured, main_content);
        for digits in [4, 6, 8] {
            let Some(part) = time.get(..digits) else { break };
            let count = match self.counts.get_mut(part) {
                Some(count) => count,
                None => self.counts.entry(part.to_owned()).or_default(),
            };
            count.add(captured, main_content);
        }
        if time.is_empty() {
            return;
        }
        if self.first.is_empty() {
            time.clone_into(&mut self.first);
        }
        time.clone_into(&mut self.last);
    }

    /// Takes a capture as a row, if it is chosen.
    fn pick(&mut self, captured: ListedCapture, before: Option<&DocumentId>, choice: &RowChoice) {
        let time = date(&captured);
        let is_in_time = time >= &*choice.from
            && (choice.to.is_empty() || time.get(..choice.to.len()).unwrap_or(time) <= &*choice.to);
        let is_later = choice.after.as_ref().is_none_or(|after| captured.row() > after.as_slice());
        if self.has_more
            || !(is_in_time && is_later && choice.kind.allows(&captured, choice.main_content))
        {
            return;
        }
        if self.rows.len() == choice.most {
            self.has_more = true;
            return;
        }
        self.rows.push(CaptureView { captured, before: before.cloned() });
    }

    /// The counts of times of so many digits that begin with `prefix`, in order.
    pub(crate) fn counts_of<'o>(
        &'o self,
        prefix: &'o str,
        digits: usize,
    ) -> impl Iterator<Item = (&'o str, CaptureCount)> {
        let after = self.counts.range(prefix.to_owned()..);
        let begins = after.take_while(move |(time, _)| time.starts_with(prefix));
        begins.filter(move |(time, _)| time.len() == digits).map(|(time, count)| (&**time, *count))
    }
}
