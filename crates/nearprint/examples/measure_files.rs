//! What each file takes to be read: `measure_files < LIST`, one path a line. For each prints seconds of the processor,
//! the most bytes that were allocated at one time, how many documents have a fingerprint, and the reasons of the
//! others, in one process without workers. `eval/hostile.py` uses it.
//!
//! It is for Linux, where the system says what a process takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{BufRead, Write, stdin, stdout};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use nearprint::records::Outcome;
use nearprint::worker::Isolation;
use nearprint::{Engine, EngineSettings, InputSettings, InputSource, Settings};

/// Counts what is allocated at one time.
struct CountingAllocator;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "an allocator is unsafe; this one passes every call on")]
// SAFETY: every call goes to the system's allocator with its own arguments.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    // Zeros that are not touched take no memory, but they are what a file asked for: they count.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // In place where the system can: large blocks are never held twice.
        NOW.fetch_sub(layout.size(), Relaxed);
        count(size);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn count(size: usize) {
    let now = NOW.fetch_add(size, Relaxed) + size;
    PEAK.fetch_max(now, Relaxed);
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Seconds of the processor that all threads of this process have taken, in hundredths.
fn seconds() -> std::io::Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The name of the program, in brackets, may have blanks in it.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = fields.split(' ').skip(11).take(2).filter_map(|field| field.parse::<u64>().ok());
    Ok(ticks.sum::<u64>() as f64 / 100.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = EngineSettings::default().threads(NonZeroUsize::new(1));
    let engine = Engine::new(settings.isolation(Isolation::Never));
    let pipeline = engine.pipeline(Settings::default());
    for path in stdin().lock().lines() {
        let path = path?;
        let (began, held) = (seconds()?, NOW.load(Relaxed));
        PEAK.store(held, Relaxed);
        let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
        let mut source = InputSource::new([Path::new(&path)], InputSettings::default());
        pipeline.fingerprint(&mut source, |record| {
            let outcome = match record.outcome {
                Outcome::Nothing { reason, .. } => reason.to_string(),
                _ => "fingerprint".to_owned(),
            };
            *outcomes.entry(outcome).or_default() += 1;
            Ok::<_, Infallible>(())
        })?;
        let outcomes: Vec<String> =
            outcomes.iter().map(|(outcome, count)| format!("{outcome}={count}")).collect();
        let peak = PEAK.load(Relaxed) - held;
        let mut out = stdout().lock();
        writeln!(out, "{:.2}\t{peak}\t{}", seconds()? - began, outcomes.join(" "))?;
        out.flush()?;
    }
    Ok(())
}
