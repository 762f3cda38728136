//! The report of a correlation: a plot of all pairs, and a row for each distance.

use super::plot::Bar;
use super::scatter::scatter;
use super::{Report, grouped};
use crate::CorrelationResult;

impl Report {
    /// The report of a correlation. `title` is what the sample was drawn from.
    #[must_use]
    pub fn of_correlation(title: String, found: &CorrelationResult) -> Self {
        let (scheme, verification) = (found.scheme(), found.verification());
        let (measure, at_least) = (verification.measure().name(), verification.at_least());
        let coefficient =
            found.coefficient().map_or("not defined".to_owned(), |r| format!("{r:.3}"));
        let (similar, ..) = found.within(scheme.positions());
        let bars = found.by_distance().take(24);
        let bars = bars.map(|at| Bar { name: at.distance.to_string(), count: at.pairs }).collect();
        let mut facts = vec![
            ("Scheme", scheme.to_string()),
            ("Measure", format!("{measure}, similar from {at_least} on")),
            ("Documents", grouped(found.documents())),
            ("Pairs", grouped(found.pairs())),
            ("Similar pairs", grouped(similar)),
            ("Correlation (Pearson)", coefficient.clone()),
        ];
        for (name, distance) in [
            ("Close match", scheme.close()),
            ("Default distance", scheme.default_distance()),
            ("Loose match", scheme.loose()),
        ] {
            let (similar, near, within) = found.within(distance);
            let text = format!(
                "within {distance}: {} of {} similar pairs, among {} pairs",
                grouped(near),
                grouped(similar),
                grouped(within)
            );
            facts.push((name, text));
        }
        for at in found.by_distance() {
            let text = format!(
                "distance {}: {} pairs, {} similar; similarity {:.3} to {:.3}, mean {:.3}",
                at.distance,
                grouped(at.pairs),
                grouped(at.similar),
                at.least,
                at.most,
                at.mean
            );
            facts.push(("At a distance", text));
        }
        if found.open() > 0 {
            facts.push(("Pairs left open by the bound on work", grouped(found.open())));
        }
        Self {
            verb: "nearprint prints correlate",
            title,
            lead: format!(
                "<b>{}</b> pairs of <b>{}</b> documents: the similarity of {scheme} fingerprints and {measure} \
                 have a correlation of <b>{coefficient}</b>.",
                grouped(found.pairs()),
                grouped(found.documents())
            ),
            shares: Vec::new(),
            drawing: Some((
                "Fingerprints and texts",
                format!(
                    "pairs by estimated similarity and {measure}; the line is the mean, the dashed one what the scheme estimates"
                ),
                scatter(found),
            )),
            plots: vec![("Distance", "pairs by distance, the 24 least distances that occur", bars)],
            sections: Vec::new(),
            fragment: String::new(),
            lists: Vec::new(),
            facts,
        }
    }
}
