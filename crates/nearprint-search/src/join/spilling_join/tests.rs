//! Spilled joins against joins in memory, with stores that keep and stores that fail.

use crate::SearchedWord;
use std::collections::HashMap;

use super::*;
use crate::error::SearchError;
use crate::plan::PlanChoice;
use crate::spill::SpillError;

/// Runs in a map; fails at its `fails_at`-th call, if that comes.
#[derive(Default)]
struct InMemory {
    runs: HashMap<u32, Vec<u8>>,
    calls: usize,
    fails_at: Option<usize>,
    most_runs: usize,
}

impl InMemory {
    fn call(&mut self) -> Result<(), SpillError> {
        self.calls += 1;
        self.most_runs = self.most_runs.max(self.runs.len());
        if Some(self.calls) == self.fails_at { Err("no space left".into()) } else { Ok(()) }
    }
}

impl Spill for InMemory {
    fn append(&mut self, run: u32, bytes: &[u8]) -> Result<(), SpillError> {
        self.call()?;
        self.runs.entry(run).or_default().extend_from_slice(bytes);
        Ok(())
    }
    fn read(&mut self, run: u32, offset: u64, into: &mut [u8]) -> Result<(), SpillError> {
        self.call()?;
        let run = self.runs.get(&run).ok_or("no such run")?;
        let bytes = run.get(offset as usize..).and_then(|rest| rest.get(..into.len()));
        into.copy_from_slice(bytes.ok_or("a run that is too short")?);
        Ok(())
    }
    fn remove(&mut self, run: u32) -> Result<(), SpillError> {
        self.call()?;
        self.runs.remove(&run);
        Ok(())
    }
}

/// Fingerprints of which many are near, many equal, and half share their high half.
fn prints<W: SearchedWord>() -> Vec<W> {
    let print = |n: u64| {
        let low = u128::from((n % 2500).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 1 << (n % 7));
        let wide = low ^ low.wrapping_mul(0xbf58_476d_1ce4_e5b9_94d0_49bb_1331_11eb) << 64;
        // The bits that are kept of every other one: the low half, and its low quarter for 32 bits.
        let half = (1u128 << (W::WIDTH / 2)) - 1;
        if n.is_multiple_of(2) {
            wide & half | 0xabcd_ef01_2345_6789 << (W::WIDTH / 2)
        } else {
            wide
        }
    };
    (0..6000).map(|n| W::truncate(print(n))).collect()
}

/// Joins `prints` with a store, with memory for some `portion` of them.
fn spilled<W: SearchedWord>(
    join: &Join,
    prints: &[W],
    runs: u32,
    memory: u64,
    store: &mut InMemory,
) -> Result<Vec<Pair>, SearchError> {
    let mut spilling = join.spilling::<W>(prints.len() as u64, store)?;
    // As if the fingerprints were many times more, or the memory less, than is allowed.
    let buffers = spilling.tables.len() * runs as usize;
    spilling.runs = runs;
    spilling.buffers = vec![Vec::new(); buffers];
    spilling.spilled = vec![0; buffers];
    spilling.buffer_bytes = 1000;
    spilling.memory = memory;
    for portion in prints.chunks(700) {
        spilling.push(portion)?;
    }
    let mut pairs: Vec<Pair> = Vec::new();
    spilling.finish(&mut pairs)?;
    pairs.sort_unstable();
    Ok(pairs)
}

fn same_pairs<W: SearchedWord>(choices: &[PlanChoice], k: u32) -> Result<(), SearchError> {
    let prints = prints::<W>();
    for choice in choices {
        let join = Join::within(k).plan(choice.clone());
        let mut truth: Vec<Pair> = Vec::new();
        join.pairs(&prints, &mut truth)?;
        truth.sort_unstable();
        assert!(truth.len() > 2000);
        // In few runs and many; with runs that fit, and runs that must be cut.
        for (runs, memory) in [(1, 1 << 30), (16, 1 << 30), (4, 60_000), (1, 200_000)] {
            let mut store = InMemory::default();
            let pairs = spilled(&join, &prints, runs, memory, &mut store)?;
            assert!(pairs == truth, "{choice}, {runs} runs, {memory} bytes, k {k}");
            assert!(store.runs.is_empty(), "what was spilled is removed");
        }
    }
    Ok(())
}

#[test]
fn spilled_joins_find_the_same_pairs() -> Result<(), SearchError> {
    let named = [
        PlanChoice::Auto,
        PlanChoice::Draft,
        PlanChoice::MultiIndex(2),
        PlanChoice::BruteForce,
        PlanChoice::Exactly("64/3:(48-63,0-3* 32-47* 16-31* 4-15*)".parse()?),
    ];
    same_pairs::<u64>(&named, 3)?;
    same_pairs::<u64>(&named[..1], 7)?;
    same_pairs::<u32>(&named[..4], 2)?;
    same_pairs::<u128>(&named[..4], 3)
}

#[test]
fn a_failing_store_ends_the_join_with_its_error() -> Result<(), SearchError> {
    let (prints, join) = (prints::<u64>(), Join::within(3));
    let mut store = InMemory::default();
    spilled(&join, &prints, 4, 60_000, &mut store)?;
    let calls = store.calls;
    assert!(calls > 100);
    for fails_at in (1..=calls).step_by(calls / 25) {
        let mut store = InMemory { fails_at: Some(fails_at), ..InMemory::default() };
        let error = spilled(&join, &prints, 4, 60_000, &mut store).err();
        let told = error.map(|error| error.to_string());
        assert_eq!(told.as_deref(), Some("the spill store failed: no space left"));
    }
    Ok(())
}

#[test]
fn progress_reaches_its_total_and_a_sink_can_stop() -> Result<(), SearchError> {
    struct Watch {
        last: Option<Progress>,
        pairs: u64,
        most: u64,
    }
    impl PairSink for Watch {
        fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
            self.pairs += batch.len() as u64;
            if self.pairs > self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
            self.last = Some(progress);
            ControlFlow::Continue(())
        }
    }
    let prints = prints::<u64>();
    for most in [u64::MAX, 10] {
        let (mut store, mut watch) = (InMemory::default(), Watch { last: None, pairs: 0, most });
        let mut spilling = Join::within(3).spilling::<u64>(6000, &mut store)?;
        spilling.push(&prints)?;
        let report = spilling.finish(&mut watch)?;
        assert_eq!(report.pairs, watch.pairs);
        assert_eq!(report.prints, 6000);
        assert_eq!(report.stopped, most == 10);
        if most == u64::MAX {
            assert!(
                watch
                    .last
                    .is_some_and(|last| last.done <= last.total && last.done > last.total / 2)
            );
        }
    }
    Ok(())
}

#[test]
fn too_little_memory_is_refused() {
    let mut store = InMemory::default();
    let refused = Join::within(3).memory(1000).spilling::<u64>(10, &mut store).err();
    assert!(matches!(refused, Some(SearchError::MemoryTooSmall { allowed: 1000, .. })));
}
