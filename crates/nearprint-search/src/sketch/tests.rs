//! Joins of sketches against all comparisons, and bands against their text.

use proptest::prelude::*;

use super::run::run_with;
use super::shares::Shares;
use super::*;
use crate::error::SearchError;
use crate::join::Expand;
use crate::sink::Pair;
use crate::spill::SpillError;

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

/// Sketches that must be read.
struct StoredSketches(Vec<Sketch>);

impl SketchSource for StoredSketches {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn in_memory(&self, _: usize) -> Option<&Sketch> {
        None
    }

    fn read(&self, from: usize, into: &mut [Sketch]) -> Result<(), SpillError> {
        match self.0.get(from..from + into.len()) {
            Some(some) => into.copy_from_slice(some),
            None => return Err("read beyond the end".into()),
        }
        Ok(())
    }
}

/// What a join finds that shares its memory out in one way or another, in order.
fn found_with(
    join: &SketchJoin,
    source: &dyn SketchSource,
    split: Option<u32>,
    shares: Shares,
) -> (Vec<Pair>, SketchReport) {
    let mut found: Vec<Pair> = Vec::new();
    let report = run_with(join, source, split, shares, &mut found).unwrap();
    found.sort_unstable();
    (found, report)
}

fn shares() -> impl Strategy<Value = Shares> {
    (1u64..4, 1usize..9, 1u64..4, 1usize..9).prop_map(|(digests, together, parts, load)| Shares {
        digests,
        together: if parts > 1 { 1 } else { together },
        parts,
        load,
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
    fn sketches_that_are_read_give_the_same_pairs_in_any_memory(
        sketches in near_few_centres(), k in 0u32..=128, rows in 1u32..9, shares in shares(),
        bucket in prop::option::of(1u64..40), star in any::<bool>(),
    ) {
        let expand = if star { Expand::Star } else { Expand::AllPairs };
        let bands = Bands::new(128 / rows, rows).unwrap();
        let join = SketchJoin::within(k, bands).expand(expand).comparisons_in_bucket(bucket);
        let mut wanted: Vec<Pair> = Vec::new();
        let report = join.clone().sorted().pairs(&sketches, &mut wanted).unwrap();
        let (found, of_stored) = found_with(&join, &StoredSketches(sketches), None, shares);
        prop_assert_eq!(&found, &wanted);
        prop_assert_eq!(of_stored, report);
    }

    #[test]
    fn of_a_value_that_many_share_the_first_are_compared_with_all(
        mut sketches in near_few_centres(), k in 0u32..=128, rows in 1u32..9, most in 1u64..60,
    ) {
        sketches.sort_unstable();
        sketches.dedup();
        let bands = Bands::new(128 / rows, rows).unwrap();
        let mut wanted: Vec<Pair> = Vec::new();
        for band in 0..bands.bands() {
            let value = |at: usize| &sketches[at][bands.positions(band)];
            for first in 0..sketches.len() {
                let members: Vec<usize> =
                    (0..sketches.len()).filter(|&at| value(at) == value(first)).collect();
                let size = members.len() as u64;
                let before = members.iter().filter(|&&at| at < first).count() as u64;
                if size * (size - 1) / 2 > most && before >= (most / size).max(1) {
                    continue;
                }
                for &other in members.iter().filter(|&&at| at > first) {
                    let distance = sketch_distance(&sketches[first], &sketches[other]);
                    if distance <= k {
                        wanted.push(Pair { a: first as u32, b: other as u32, distance });
                    }
                }
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        let join = SketchJoin::within(k, bands).comparisons_in_bucket(Some(most)).sorted();
        let mut found: Vec<Pair> = Vec::new();
        let report = join.pairs(&sketches, &mut found).unwrap();
        prop_assert_eq!(found, wanted);
        prop_assert_eq!(report.left_out > 0, report.bounded_buckets > 0);
    }

    #[test]
    fn pairs_between_two_are_those_of_both_that_cross(
        sketches in near_few_centres(), k in 0u32..=128, rows in 1u32..9, shares in shares(),
        split in 0usize..40,
    ) {
        let split = split.min(sketches.len()) as u32;
        let bands = Bands::new(128 / rows, rows).unwrap();
        let join = SketchJoin::within(k, bands).comparisons_in_bucket(None);
        let mut all: Vec<Pair> = Vec::new();
        join.clone().sorted().pairs(&sketches, &mut all).unwrap();
        all.retain(|pair| pair.a < split && pair.b >= split);
        all.iter_mut().for_each(|pair| pair.b -= split);
        let mut between: Vec<Pair> = Vec::new();
        join.clone().sorted().pairs_between(&&sketches[..], split, &mut between).unwrap();
        prop_assert_eq!(&between, &all);
        let (found, _) = found_with(&join, &StoredSketches(sketches), Some(split), shares);
        prop_assert_eq!(found, all);
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

#[test]
fn a_mass_of_one_template_costs_no_more_than_is_allowed_and_stays_connected() {
    // All share 120 positions, so every band.
    let sketches: Vec<Sketch> = (0..20_000u32)
        .map(|n| {
            let mut s = [5; 128];
            s[126] = n as u16;
            s[127] = (n >> 8) as u16;
            s
        })
        .collect();
    let join = SketchJoin::within(10, Bands::new(2, 60).unwrap()).expand(Expand::Star);
    let mut mass = crate::Components::new(20_000);
    let mut link = |batch: &[Pair]| {
        batch.iter().for_each(|pair| mass.link(pair.a, pair.b));
        std::ops::ControlFlow::Continue(())
    };
    let report = join.comparisons_in_bucket(Some(1_000_000)).pairs(&sketches, &mut link).unwrap();
    assert_eq!((report.bounded_buckets, report.largest_bucket), (2, 20_000));
    assert!(report.compared <= 2_000_000, "{report:?}");
    assert_eq!(report.compared + report.left_out, 2 * 20_000 * 19_999 / 2);
    assert_eq!(mass.finish().iter().next().unwrap().members.len(), 20_000);
}

#[test]
fn a_source_that_fails_and_too_little_memory_are_errors() {
    struct FailingSource;
    impl SketchSource for FailingSource {
        fn len(&self) -> usize {
            5
        }

        fn in_memory(&self, _: usize) -> Option<&Sketch> {
            None
        }

        fn read(&self, _: usize, _: &mut [Sketch]) -> Result<(), SpillError> {
            Err("the disk is gone".into())
        }
    }
    let join = SketchJoin::within(10, Bands::new(42, 3).unwrap());
    let mut none: Vec<Pair> = Vec::new();
    let error = join.pairs_of(&FailingSource, &mut none).unwrap_err();
    assert!(error.to_string().contains("the disk is gone"), "{error}");
    let error = join.memory(Some(1 << 20)).pairs(&[[0; 128]; 2], &mut none).unwrap_err();
    assert!(matches!(error, SearchError::MemoryTooSmall { .. }), "{error}");
}
