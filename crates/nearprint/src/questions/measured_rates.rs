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
    rate(0, 0.446, [0.0, 6.2, 18.4]),
    rate(1, 0.630, [0.0, 30.3, 63.8]),
    rate(2, 0.753, [39.5, 194.9, 350.3]),
    rate(3, 0.818, [254.7, 703.2, 1151.8]),
    rate(4, 0.862, [1030.5, 2079.4, 3128.3]),
    rate(5, 0.913, [2861.4, 5057.0, 7252.5]),
    rate(6, 0.943, [6862.8, 10930.8, 14998.9]),
    rate(7, 0.950, [14050.5, 20797.5, 27544.6]),
    rate(8, 0.966, [25685.6, 36029.1, 46372.6]),
    rate(9, 0.978, [42971.5, 57792.3, 72613.0]),
    rate(10, 0.984, [67314.6, 87380.6, 107446.7]),
    rate(11, 0.986, [98764.4, 124662.6, 150560.8]),
    rate(12, 0.990, [137989.4, 169928.8, 201868.2]),
    rate(16, 0.997, [354136.1, 405197.5, 456258.9]),
];

pub(super) const SL1: &[MeasuredRate] = &[
    rate(1, 0.468, [0.0, 0.0, 2.6]),
    rate(3, 0.730, [0.0, 0.0, 2.6]),
    rate(6, 0.894, [0.0, 0.0, 2.6]),
];

pub(super) const MD1: &[MeasuredRate] =
    &[rate(25, 0.865, [0.0, 0.0, 2.6]), rate(89, 0.998, [0.0, 0.0, 2.6])];

pub(super) const WD1: &[MeasuredRate] =
    &[rate(25, 0.919, [0.0, 0.0, 2.6]), rate(64, 0.988, [0.0, 0.0, 2.6])];
