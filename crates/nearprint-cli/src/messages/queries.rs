//! What queries say on standard error.

use nearprint::Verification;
use nearprint::search::Measure;

use crate::talk::Talk;

/// Says that no text is similar enough, and which options find more.
pub(crate) fn none_similar(talk: &Talk, verification: Verification) {
    let (measure, threshold) = (verification.measure(), verification.at_least());
    let name = measure.name();
    let parts = match measure {
        Measure::Containment => "",
        _ => ", --measure containment finds parts of longer documents",
    };
    talk.summary(format_args!(
        "nearprint: no document has a {name} similarity of at least {threshold}; --threshold lowers it{parts}"
    ));
}
