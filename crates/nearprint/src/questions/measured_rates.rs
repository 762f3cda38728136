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
    rate(0, 0.448, [0.0, 6.2, 18.4]),
    rate(1, 0.629, [0.0, 30.3, 63.8]),
    rate(2, 0.752, [39.5, 194.9, 350.3]),
    rate(3, 0.817, [255.3, 703.9, 1152.5]),
    rate(4, 0.862, [1034.2, 2087.7, 3141.1]),
    rate(5, 0.911, [2874.2, 5078.3, 7282.5]),
    rate(6, 0.943, [6880.1, 10957.0, 15033.9]),
    rate(7, 0.950, [14072.6, 20832.7, 27592.8]),
    rate(8, 0.966, [25715.1, 36073.2, 46431.2]),
    rate(9, 0.978, [42950.3, 57770.9, 72591.5]),
    rate(10, 0.984, [67230.1, 87276.6, 107323.1]),
    rate(11, 0.986, [98507.4, 124353.3, 150199.2]),
    rate(12, 0.990, [137655.9, 169515.5, 201375.2]),
    rate(16, 0.997, [353522.3, 404496.3, 455470.3]),
];

pub(super) const SL1: &[MeasuredRate] = &[
    rate(1, 0.468, [0.0, 0.0, 2.6]),
    rate(3, 0.732, [0.0, 0.0, 2.6]),
    rate(6, 0.892, [0.0, 0.0, 2.6]),
];

pub(super) const MD1: &[MeasuredRate] =
    &[rate(25, 0.865, [0.0, 0.0, 2.6]), rate(89, 0.998, [0.0, 0.0, 2.6])];

pub(super) const WD1: &[MeasuredRate] =
    &[rate(25, 0.919, [0.0, 0.0, 2.6]), rate(64, 0.988, [0.0, 0.0, 2.6])];
