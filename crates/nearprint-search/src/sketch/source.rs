//! Where sketches are while they are searched: in memory, or somewhere they are read from in order.

use rayon::prelude::*;

use super::{SKETCH_POSITIONS, Sketch};
use crate::error::SearchError;
use crate::spill::SpillError;

/// Sketches read at a time where they are not in memory: 1 MiB.
const READ_AT_ONCE: usize = 4096;

/// Sketches that lie between two wanted ones and are read with them: less work than reading twice.
const READ_OVER: u32 = 64;

/// Many sketches by position, in memory or not.
///
/// A join reads a source that is not in memory from front to back, some times for each band; it never reads
/// sketch by sketch where many are wanted.
pub trait SketchSource: Sync {
    /// Number of sketches.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sketch at a position below the length; `None` where sketches are not in memory, which holds for all or none.
    fn in_memory(&self, position: usize) -> Option<&Sketch>;

    /// Fills `into` with the sketches from a position on.
    ///
    /// # Errors
    ///
    /// When they could not be read; the join stops and reports it.
    fn read(&self, from: usize, into: &mut [Sketch]) -> Result<(), SpillError>;
}

impl SketchSource for &[Sketch] {
    fn len(&self) -> usize {
        <[Sketch]>::len(self)
    }

    fn in_memory(&self, position: usize) -> Option<&Sketch> {
        Some(&self[position])
    }

    fn read(&self, from: usize, into: &mut [Sketch]) -> Result<(), SpillError> {
        into.copy_from_slice(&self[from..from + into.len()]);
        Ok(())
    }
}

/// Whether the sketches need not be read.
pub(super) fn is_in_memory(source: &dyn SketchSource) -> bool {
    source.is_empty() || source.in_memory(0).is_some()
}

/// Gives `take` what `each` makes of the sketches, in their order, some at a time with the position of the first.
pub(super) fn map_all<T: Send>(
    source: &dyn SketchSource,
    each: impl Fn(&Sketch) -> T + Sync,
    mut take: impl FnMut(usize, Vec<T>),
) -> Result<(), SearchError> {
    let in_memory = is_in_memory(source);
    // In memory what bounds a portion is what is made of it.
    let portion = if in_memory { 64 * READ_AT_ONCE } else { READ_AT_ONCE };
    let mut buffer = vec![[0; _]; if in_memory { 0 } else { portion.min(source.len()) }];
    for from in (0..source.len()).step_by(portion) {
        let length = portion.min(source.len() - from);
        let made = if in_memory {
            // All are there where the first is; so the results are written where they stay.
            let nothing = [0; SKETCH_POSITIONS];
            let sketch = |position| each(source.in_memory(position).unwrap_or(&nothing));
            (from..from + length).into_par_iter().map(sketch).collect()
        } else {
            source.read(from, &mut buffer[..length])?;
            buffer[..length].par_iter().map(&each).collect()
        };
        take(from, made);
    }
    Ok(())
}

/// Reads the sketches of `wanted`, in whose order `into` has a place for each.
pub(super) fn gather(
    source: &dyn SketchSource,
    wanted: &[u32],
    into: &mut [Sketch],
) -> Result<(), SearchError> {
    let mut order: Vec<(u32, u32)> = wanted.iter().copied().zip(0..).collect();
    order.par_sort_unstable();
    let mut buffer = vec![[0; _]; READ_AT_ONCE];
    let mut rest = &order[..];
    while let Some(&(from, _)) = rest.first() {
        let near = |pair: &[(u32, u32)]| {
            pair[1].0 - pair[0].0 <= READ_OVER && pair[1].0 - from < READ_AT_ONCE as u32
        };
        let count = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let (together, behind) = rest.split_at(count);
        let length = (together[count - 1].0 - from) as usize + 1;
        source.read(from as usize, &mut buffer[..length])?;
        for &(position, place) in together {
            into[place as usize] = buffer[(position - from) as usize];
        }
        rest = behind;
    }
    Ok(())
}
