//! What was measured of each scheme by distance. Written by scripts/figures.py from docs/accuracy: do not edit.

/// What one distance of a scheme finds, on labelled documents of 200 words or more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MeasuredRate {
    pub(super) distance: u32,
    /// Share of the renderings of one document that are within the distance.
    pub(super) recall: f64,
    /// Pairs of different documents of one language within the distance, per million: the lower end of the 95 %
    /// interval, the value, the upper end.
    pub(super) false_pairs: [f64; 3],
}

const fn rate(distance: u32, recall: f64, false_pairs: [f64; 3]) -> MeasuredRate {
    MeasuredRate { distance, recall, false_pairs }
}

pub(super) const SD1: &[MeasuredRate] = &[
    rate(0, 0.467, [0.0, 5.5, 17.6]),
    rate(1, 0.641, [0.0, 27.6, 58.1]),
    rate(2, 0.756, [38.9, 194.2, 349.6]),
    rate(3, 0.820, [247.8, 686.7, 1125.6]),
    rate(4, 0.863, [1026.6, 2064.9, 3103.3]),
    rate(5, 0.912, [2884.0, 5091.4, 7298.8]),
    rate(6, 0.943, [6943.9, 11054.1, 15164.4]),
    rate(7, 0.951, [14149.7, 20953.9, 27758.1]),
    rate(8, 0.968, [25931.0, 36374.8, 46818.7]),
    rate(9, 0.979, [43213.8, 58151.1, 73088.5]),
    rate(10, 0.984, [67599.7, 87767.0, 107934.4]),
    rate(11, 0.987, [98984.2, 124971.9, 150959.5]),
    rate(12, 0.991, [138235.8, 170225.0, 202214.1]),
    rate(16, 0.997, [354593.5, 405581.8, 456570.2]),
];

pub(super) const SL1: &[MeasuredRate] = &[
    rate(1, 0.477, [0.0, 0.0, 2.6]),
    rate(3, 0.736, [0.0, 0.0, 2.6]),
    rate(6, 0.893, [0.0, 0.7, 2.6]),
];

pub(super) const MD1: &[MeasuredRate] =
    &[rate(25, 0.867, [0.0, 0.0, 2.6]), rate(89, 0.998, [0.0, 0.0, 2.6])];

pub(super) const WD1: &[MeasuredRate] =
    &[rate(25, 0.920, [0.0, 0.0, 2.6]), rate(64, 0.988, [0.0, 0.0, 2.6])];
