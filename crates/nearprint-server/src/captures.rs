//! The captures of one address through time, each with what changed since the one before.

use nearprint::passages;
use nearprint::records::FoundIn;
use nearprint_index::{CaptureRange, StoredCapture, StoredDocument};

use crate::collection::Collection;
use crate::problem::Problem;

/// Bytes of a text (<=) that is compared with the one before it; of longer ones only fingerprints are compared.
const LONGEST_TEXT: usize = 1 << 20;

/// A capture, with what changed since the one before.
#[derive(Debug)]
pub(crate) struct CaptureView {
    pub(crate) captured: StoredCapture,
    /// When it was captured, as 14 digits.
    pub(crate) date: String,
    /// The distance of its fingerprint from that of the capture before.
    pub(crate) distance: Option<u32>,
    /// The share of the words of both that only one has, 0 to 1; `None` for the first, and where a text is not kept.
    pub(crate) changed: Option<f64>,
}

impl CaptureView {
    pub(crate) fn document(&self) -> &StoredDocument {
        &self.captured.document
    }
}

/// Captures by time, at most `most`, and whether there are more. `after` is the last one of the page before.
///
/// Texts are compared in O(n) for those that are much alike, which captures of one address are; with `main_content`
/// only the main content of pages.
pub(crate) fn seen(
    collection: &Collection,
    range: &CaptureRange,
    after: Option<StoredCapture>,
    most: usize,
    main_content: bool,
) -> Result<(Vec<CaptureView>, bool), Problem> {
    let mut found = collection.index.captures(range, after.as_ref(), most + 1)?;
    let more = found.len() > most;
    found.truncate(most);
    let mut before: Option<(StoredDocument, Option<String>)> = match after {
        Some(after) => Some(with_text(collection, after.document, main_content)?),
        None => None,
    };
    let mut all = Vec::with_capacity(found.len());
    for captured in found {
        let (document, text) = with_text(collection, captured.document.clone(), main_content)?;
        let distance = before
            .as_ref()
            .and_then(|(old, _)| old.fingerprint.distance(&document.fingerprint).ok());
        let texts = before.as_ref().and_then(|(_, old)| old.as_deref()).zip(text.as_deref());
        let changed = texts.map(|(old, new)| changed(old, new));
        let date = document.capture.as_ref().and_then(|capture| capture.date.clone());
        all.push(CaptureView { captured, date: date.unwrap_or_default(), distance, changed });
        before = Some((document, text));
    }
    Ok((all, more))
}

fn with_text(
    collection: &Collection,
    document: StoredDocument,
    main_content: bool,
) -> Result<(StoredDocument, Option<String>), Problem> {
    let text = collection.text_or_main(&document, main_content)?;
    let text = text.filter(|text| text.len() <= LONGEST_TEXT);
    Ok((document, text))
}

/// The share of the words of two texts that only one of them has.
fn changed(old: &str, new: &str) -> f64 {
    if old == new {
        return 0.0;
    }
    let (mut both, mut one) = (0, 0);
    for passage in passages(old, new) {
        match passage.found_in {
            FoundIn::Both => both += 2 * passage.words,
            FoundIn::OnlyA | FoundIn::OnlyB => one += passage.words,
        }
    }
    if both + one == 0 { 0.0 } else { one as f64 / (both + one) as f64 }
}

/// The address that replays a capture, by a template with `{timestamp}` and `{url}`.
pub(crate) fn replay(template: &str, date: &str, url: &str) -> String {
    template.replace("{timestamp}", date).replace("{url}", url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_the_share_of_words() {
        assert!(changed("fog came in", "fog came in").abs() < 1e-9);
        assert!((changed("fog came in at noon", "fog came in at dusk") - 0.2).abs() < 1e-9);
        assert!((changed("fog", "rain") - 1.0).abs() < 1e-9);
        assert!(changed("", " ").abs() < 1e-9);
    }

    #[test]
    fn replay_addresses_come_from_the_template() {
        let found = replay(
            "https://web.example.org/web/{timestamp}/{url}",
            "20200102030405",
            "http://e.org/?a=b",
        );
        assert_eq!(found, "https://web.example.org/web/20200102030405/http://e.org/?a=b");
    }
}
