//! A plot of exact similarity against estimated similarity as SVG: how many pairs are where, and their mean.

use std::fmt::Write;

use crate::CorrelationResult;
use crate::questions::correlation::CLASSES;

const SIDE: f64 = 520.0;
const LEFT: f64 = 46.0;
const FOOT: f64 = 44.0;
const TOP: f64 = 10.0;

/// Cells of one distance and one class of similarity, darker where more pairs are (by the logarithm of their number);
/// a line of the mean similarity at each distance, and a dashed one of what the scheme estimates.
pub(super) fn scatter(found: &CorrelationResult) -> String {
    let positions = f64::from(found.scheme().positions());
    let all: Vec<_> = found.by_distance().collect();
    let most = all.iter().flat_map(|at| at.classes).max().unwrap_or(0);
    let (width, height) = (LEFT + SIDE + 10.0, TOP + SIDE + FOOT);
    let mut svg = format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\">\n");
    let x = |estimate: f64| LEFT + SIDE * estimate;
    let y = |similarity: f64| TOP + SIDE * (1.0 - similarity);
    let (cell, class) = (SIDE / positions, SIDE / CLASSES as f64);
    for at in &all {
        let left = (x(found.estimate(at.distance)) - cell / 2.0).max(LEFT);
        for (number, &pairs) in at.classes.iter().enumerate().filter(|&(_, &pairs)| pairs > 0) {
            let share = ((pairs + 1) as f64).ln() / ((most + 1) as f64).ln();
            let top = y((number + 1) as f64 / CLASSES as f64);
            // Writing to a string does not fail.
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{cell:.2}\" height=\"{class:.2}\" fill-opacity=\"{:.2}\"><title>distance {}, similarity {:.2} to {:.2}: {pairs}</title></rect>",
                0.12 + 0.88 * share,
                at.distance,
                number as f64 / CLASSES as f64,
                (number + 1) as f64 / CLASSES as f64
            );
        }
    }
    let line = |points: String, style: &str| {
        format!("<polyline points=\"{points}\" fill=\"none\" stroke=\"currentColor\" {style}/>\n")
    };
    let points = |of: &mut dyn Iterator<Item = (f64, f64)>| {
        of.map(|(estimate, similarity)| format!("{:.1},{:.1} ", x(estimate), y(similarity)))
            .collect::<String>()
    };
    let mean = points(&mut all.iter().map(|at| (found.estimate(at.distance), at.mean)));
    svg.push_str(&line(mean, "stroke-width=\"2\""));
    let expected = (0..=found.scheme().positions())
        .map(|distance| (found.estimate(distance), found.expected(distance)));
    svg.push_str(&line(
        points(&mut { expected }),
        "stroke-dasharray=\"5 5\" stroke-opacity=\"0.6\"",
    ));
    for tenth in [0, 2, 4, 6, 8, 10] {
        let at = f64::from(tenth) / 10.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"{}\" y=\"{:.1}\">{at}</text>\
             <text x=\"{:.1}\" y=\"{}\">{at}</text>",
            LEFT + SIDE,
            LEFT - 18.0,
            y(at) + 4.0,
            x(at),
            TOP + SIDE + 18.0,
            y = y(at)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\">similarity of the fingerprints</text>\n</svg>",
        LEFT + SIDE / 2.0,
        height - 6.0
    );
    svg
}
