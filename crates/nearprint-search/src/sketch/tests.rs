//! Joins of sketches against all comparisons, and bands against their text.

use proptest::prelude::*;

use super::*;
use crate::join::Expand;
use crate::sink::Pair;

/// Sketches of few values near few centres, so that bands agree often.
fn near_few_centres() -> impl Strategy<Value = Vec<Sketch>> {
    let one = (0u16..4, prop::collection::vec((0usize..128, 0u16..3), 0..60));
    prop::collection::vec(one, 0..40).prop_map(|found| {
        let sketch = |(centre, changes): (u16, Vec<(usize, u16)>)| {
            let mut sketch: Sketch = std::array::from_fn(|at| centre * 1000 + at as u16);
            changes.into_iter().for_each(|(at, value)| sketch[at] = value);
            sketch
        };
        found.into_iter().map(sketch).collect()
    })
}

fn agree_in_a_band(a: &Sketch, b: &Sketch, bands: Bands) -> bool {
    (0..bands.bands()).any(|band| bands.positions(band).all(|at| a[at] == b[at]))
}

proptest! {
    #[test]
    fn a_join_finds_what_comparing_all_finds(
        sketches in near_few_centres(), k in 0u32..=128, rows in 1u32..9, threads in 1usize..4,
    ) {
        let bands = Bands::new(128 / rows, rows).unwrap();
        let mut wanted = Vec::new();
        for a in 0..sketches.len() {
            for b in a + 1..sketches.len() {
                let distance = sketch_distance(&sketches[a], &sketches[b]);
                if distance <= k && agree_in_a_band(&sketches[a], &sketches[b], bands) {
                    wanted.push(Pair { a: a as u32, b: b as u32, distance });
                }
            }
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let join = SketchJoin::within(k, bands).sorted();
        let mut found: Vec<Pair> = Vec::new();
        let report = pool.install(|| join.pairs(&sketches, &mut found)).unwrap();
        prop_assert_eq!(&found, &wanted);
        prop_assert_eq!(report.pairs, wanted.len() as u64);

        let mut stars: Vec<Pair> = Vec::new();
        join.expand(Expand::Star).pairs(&sketches, &mut stars).unwrap();
        prop_assert!(stars.iter().all(|pair| wanted.contains(pair)));
        let mut whole = crate::Components::new(sketches.len() as u32);
        wanted.iter().for_each(|pair| whole.link(pair.a, pair.b));
        let mut starred = crate::Components::new(sketches.len() as u32);
        stars.iter().for_each(|pair| starred.link(pair.a, pair.b));
        prop_assert_eq!(whole.finish(), starred.finish(), "stars connect what all pairs connect");
    }

    #[test]
    fn bands_are_read_as_they_are_written(bands in 1u32..=128, rows in 1u32..=128) {
        match Bands::new(bands, rows) {
            Ok(made) => prop_assert_eq!(made.to_string().parse(), Ok(made)),
            Err(error) => {
                prop_assert!(bands * rows > 128);
                prop_assert_eq!(format!("{bands}x{rows}").parse::<Bands>(), Err(error));
            }
        }
    }
}

#[test]
fn what_are_not_bands_is_refused() {
    for text in ["", "40", "40x", "x3", "40 x3", "+40x3", "40x3x1", "0x3", "3x0", "43x3"] {
        assert!(text.parse::<Bands>().is_err(), "{text}");
    }
}

#[test]
fn bands_for_a_similarity_reach_it_with_the_most_rows() {
    for (similarity, probability) in [(0.3, 0.95), (0.5, 0.99), (0.8, 0.9999), (1.0, 1.0)] {
        let bands = Bands::finding(similarity, probability);
        assert!(bands.chance(similarity) >= probability);
        if bands.rows() < 128 {
            let more = Bands::new(128 / (bands.rows() + 1), bands.rows() + 1).unwrap();
            assert!(more.chance(similarity) < probability, "{bands} is not the most");
        }
    }
    assert_eq!(Bands::finding(0.001, 0.99).rows(), 1, "where nothing suffices, the nearest");
}

#[test]
fn a_sink_that_has_enough_ends_the_join() {
    let sketches: Vec<Sketch> = (0..3000u16)
        .map(|n| {
            let mut s = [5; 128];
            s[127] = n;
            s
        })
        .collect();
    let mut seen = 0;
    let mut sink = |batch: &[Pair]| {
        seen += batch.len();
        std::ops::ControlFlow::Break(())
    };
    let report =
        SketchJoin::within(10, Bands::new(42, 3).unwrap()).pairs(&sketches, &mut sink).unwrap();
    assert!(report.stopped && report.largest_bucket == 3000);
    assert!(seen < 3000 * 2999 / 2);
}
