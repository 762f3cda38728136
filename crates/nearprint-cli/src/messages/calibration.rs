//! What a calibration says on standard error.

use nearprint::records::CalibrationRow;
use nearprint::{Calibration, LabelledPairs};

use crate::talk::{Talk, counted};

/// Says that labelled pairs were skipped.
pub(crate) fn labels_left_out(talk: &Talk, left_out: u64) {
    if left_out > 0 {
        talk.say(format_args!(
            "nearprint: {} skipped: a document was not found or has no fingerprint",
            counted(left_out, "labelled pair")
        ));
    }
}

/// Says what is recommended, and where it is based on little.
pub(crate) fn recommended(talk: &Talk, rows: &[CalibrationRow], labels: Option<&LabelledPairs>) {
    let Some(row) = rows.iter().find(|row| row.recommended) else { return };
    let verify = row.measure.map(|name| format!(" --measure {name}")).unwrap_or_default();
    talk.summary(format_args!(
        "nearprint: recommended: --scheme {} -k {}{verify}: finds {:.3} of the true pairs ({:.3} to {:.3})",
        row.scheme, row.distance, row.recall, row.recall_at_least, row.recall_at_most
    ));
    let different = labels.map_or(u64::MAX, LabelledPairs::different);
    let thin = [(row.true_pairs(), "true pair"), (different, "different pair")];
    for (pairs, what) in thin.into_iter().filter(|&(pairs, _)| pairs < Calibration::ENOUGH) {
        talk.say(format_args!(
            "nearprint: this is based on {} only and uncertain; give {} or more",
            counted(pairs, what),
            Calibration::ENOUGH
        ));
    }
}
