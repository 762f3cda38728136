//! A plot of bars as SVG, drawn with the colours of the page.

use std::fmt::Write;

pub(super) struct Bar {
    pub(super) name: String,
    pub(super) count: u64,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 220.0;
const FOOT: f64 = 28.0;
const TOP: f64 = 22.0;

/// Bars with their counts above and their names below. Heights are by the square root, so that few are seen beside
/// many; the counts are written out.
pub(super) fn bars(bars: &[Bar]) -> String {
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n");
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0);
    if most == 0 {
        let _ = writeln!(
            svg,
            "<text class=\"empty\" x=\"{}\" y=\"{}\">nothing</text>",
            WIDTH / 2.0,
            HEIGHT / 2.0
        );
        return svg + "</svg>\n";
    }
    let step = WIDTH / bars.len().max(1) as f64;
    let width = (step * 0.78).min(64.0);
    for (at, bar) in bars.iter().enumerate() {
        let middle = (at as f64 + 0.5) * step;
        let share = (bar.count as f64 / most as f64).sqrt();
        let height = if bar.count == 0 { 0.0 } else { (share * (HEIGHT - FOOT - TOP)).max(2.0) };
        let top = HEIGHT - FOOT - height;
        let _ = write!(
            svg,
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\"><title>{}: {}</title></rect>\
             <text x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
            middle - width / 2.0,
            bar.name,
            bar.count,
            HEIGHT - 8.0,
            bar.name
        );
        if bar.count > 0 {
            let _ = write!(
                svg,
                "<text class=\"count\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
                top - 6.0,
                short(bar.count)
            );
        }
        svg.push('\n');
    }
    let line = HEIGHT - FOOT;
    let _ = writeln!(svg, "<line x1=\"0\" x2=\"{WIDTH}\" y1=\"{line}\" y2=\"{line}\"/>\n</svg>");
    svg
}

/// A number that fits above a bar.
pub(super) fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{:.0}k", number as f64 / 1e3),
        _ => format!("{:.1}M", number as f64 / 1e6),
    }
}
