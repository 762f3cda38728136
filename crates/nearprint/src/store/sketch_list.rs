//! The sketches of many documents, in memory up to a bound and beyond it in a temporary file.

use std::io;
use std::path::PathBuf;

use nearprint_search::{SKETCH_POSITIONS, Sketch, SketchSource, SpillError};

use crate::Error;
use crate::store::temporary_file::TemporaryFile;

/// Bytes of a sketch, in memory and in the file.
const BYTES: usize = 2 * SKETCH_POSITIONS;

/// Sketches that are written together.
const WRITTEN_AT_ONCE: usize = 1024;

/// Sketches by position. The file has no name and is gone when the list is, however that ends.
#[derive(Debug, Default)]
pub(crate) struct SketchList {
    /// All sketches, or those behind the ones in the file.
    held: Vec<Sketch>,
    /// Bytes of sketches that may be in memory, and where a file is made for more; `None` where all are in memory.
    bound: Option<(u64, PathBuf)>,
    file: Option<TemporaryFile>,
    /// Sketches in the file.
    written: usize,
}

impl SketchList {
    /// An empty list that keeps up to `memory` bytes in memory and all in a file in this directory where there are
    /// more.
    pub(crate) fn within(memory: u64, directory: PathBuf) -> Self {
        Self { bound: Some((memory, directory)), ..Self::default() }
    }

    pub(crate) fn push(&mut self, sketch: Sketch) -> Result<(), Error> {
        self.held.push(sketch);
        let full = match &self.bound {
            _ if self.file.is_some() => self.held.len() >= WRITTEN_AT_ONCE,
            // A vector that grows holds up to three times what is in it for a moment.
            Some((memory, _)) => (self.held.len() * BYTES * 3) as u64 > *memory,
            None => false,
        };
        if full { self.write() } else { Ok(()) }
    }

    /// Lets what is held go to the file.
    fn write(&mut self) -> Result<(), Error> {
        let Some((_, directory)) = &self.bound else { return Ok(()) };
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(
                TemporaryFile::create("sketches", directory).map_err(Error::TemporaryFile)?,
            ),
        };
        let mut bytes = Vec::with_capacity(WRITTEN_AT_ONCE * BYTES);
        for some in self.held.chunks(WRITTEN_AT_ONCE) {
            bytes.clear();
            bytes.extend(some.iter().flatten().flat_map(|number| number.to_le_bytes()));
            let at = (self.written * BYTES) as u64;
            file.write_all_at(&bytes, at).map_err(Error::TemporaryFile)?;
            self.written += some.len();
        }
        self.held = Vec::with_capacity(WRITTEN_AT_ONCE);
        Ok(())
    }

    /// Number of sketches.
    pub(crate) fn len(&self) -> usize {
        self.written + self.held.len()
    }

    /// Keeps the first `length` ones.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.held.truncate(length.saturating_sub(self.written));
        self.written = self.written.min(length);
    }

    /// Bytes of memory it takes.
    pub(crate) fn memory(&self) -> u64 {
        (self.held.capacity() * BYTES) as u64
    }

    /// Bytes it has in a file.
    pub(crate) fn on_disk(&self) -> u64 {
        (self.written * BYTES) as u64
    }

    /// The sketch at a position below the length.
    pub(crate) fn get(&self, position: usize) -> Result<Sketch, Error> {
        let mut sketch = [[0; SKETCH_POSITIONS]];
        self.fill(position, &mut sketch).map_err(Error::TemporaryFile)?;
        Ok(sketch[0])
    }

    /// The sketches at some positions, within the same bound.
    pub(crate) fn some(&self, positions: &[u32]) -> Result<Self, Error> {
        let mut some = Self { bound: self.bound.clone(), ..Self::default() };
        positions.iter().try_for_each(|&at| some.push(self.get(at as usize)?))?;
        Ok(some)
    }

    /// Calls `each` with all sketches in order, some at a time with the position of the first.
    pub(crate) fn each(&self, mut each: impl FnMut(usize, &[Sketch])) -> Result<(), Error> {
        let mut buffer = vec![[0; SKETCH_POSITIONS]; WRITTEN_AT_ONCE.min(self.written)];
        for from in (0..self.written).step_by(WRITTEN_AT_ONCE) {
            let some = WRITTEN_AT_ONCE.min(self.written - from);
            self.fill(from, &mut buffer[..some]).map_err(Error::TemporaryFile)?;
            each(from, &buffer[..some]);
        }
        each(self.written, &self.held);
        Ok(())
    }

    fn fill(&self, from: usize, into: &mut [Sketch]) -> io::Result<()> {
        let in_file = self.written.saturating_sub(from).min(into.len());
        let (stored, held) = into.split_at_mut(in_file);
        if let Some(file) = self.file.as_ref().filter(|_| !stored.is_empty()) {
            let mut bytes = vec![0; stored.len() * BYTES];
            file.read_exact_at(&mut bytes, (from * BYTES) as u64)?;
            for (sketch, bytes) in stored.iter_mut().zip(bytes.as_chunks::<BYTES>().0) {
                let numbers = bytes.as_chunks::<2>().0;
                sketch.iter_mut().zip(numbers).for_each(|(n, o)| *n = u16::from_le_bytes(*o));
            }
        }
        if !held.is_empty() {
            let start = from + in_file - self.written;
            held.copy_from_slice(&self.held[start..start + held.len()]);
        }
        Ok(())
    }
}

impl SketchSource for SketchList {
    fn len(&self) -> usize {
        self.len()
    }

    fn in_memory(&self, position: usize) -> Option<&Sketch> {
        if self.file.is_some() { None } else { self.held.get(position) }
    }

    fn read(&self, from: usize, into: &mut [Sketch]) -> Result<(), SpillError> {
        Ok(self.fill(from, into)?)
    }
}

/// Two lists one behind the other.
pub(crate) struct Both<'l>(pub(crate) &'l SketchList, pub(crate) &'l SketchList);

impl SketchSource for Both<'_> {
    fn len(&self) -> usize {
        self.0.len() + self.1.len()
    }

    fn in_memory(&self, position: usize) -> Option<&Sketch> {
        if self.0.file.is_some() || self.1.file.is_some() {
            return None;
        }
        match position.checked_sub(self.0.len()) {
            Some(position) => self.1.in_memory(position),
            None => self.0.in_memory(position),
        }
    }

    fn read(&self, from: usize, into: &mut [Sketch]) -> Result<(), SpillError> {
        let of_first = self.0.len().saturating_sub(from).min(into.len());
        let (first, second) = into.split_at_mut(of_first);
        if !first.is_empty() {
            self.0.fill(from, first)?;
        }
        if !second.is_empty() {
            self.1.fill(from + of_first - self.0.len(), second)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(memory: Option<u64>, sketches: &[Sketch]) -> SketchList {
        let mut list = match memory {
            Some(memory) => SketchList::within(memory, std::env::temp_dir()),
            None => SketchList::default(),
        };
        sketches.iter().for_each(|sketch| list.push(*sketch).unwrap());
        list
    }

    fn sketches(count: usize) -> Vec<Sketch> {
        (0..count).map(|n| std::array::from_fn(|at| (n * 251 + at) as u16)).collect()
    }

    #[test]
    fn memory_and_file_give_back_what_came_in() {
        let sketches = sketches(5000);
        for memory in [None, Some(0), Some(400_000), Some(1 << 30)] {
            let mut list = list(memory, &sketches);
            let stored = memory.is_some_and(|memory| memory < 1 << 30);
            assert_eq!((list.len(), list.file.is_some()), (5000, stored));
            assert!(!stored || list.memory() <= 400_000, "{}", list.memory());
            for at in [0, 1, 1023, 1024, 2500, 4999] {
                assert_eq!(list.get(at).unwrap(), sketches[at]);
            }
            let mut all = Vec::new();
            list.each(|from, some| {
                assert_eq!(from, all.len());
                all.extend_from_slice(some);
            })
            .unwrap();
            assert_eq!(all, sketches);
            for length in [4998, 1500, 3] {
                list.truncate(length);
                list.push([9; SKETCH_POSITIONS]).unwrap();
                assert_eq!(list.len(), length + 1);
                assert_eq!(list.get(length - 1).unwrap(), sketches[length - 1]);
                assert_eq!(list.get(length).unwrap(), [9; SKETCH_POSITIONS]);
            }
        }
    }

    #[test]
    fn two_lists_are_read_across_their_boundary() {
        let sketches = sketches(3000);
        for (first, second) in [(None, None), (Some(0), None), (None, Some(0)), (Some(0), Some(0))]
        {
            let lists = (list(first, &sketches[..1700]), list(second, &sketches[1700..]));
            let both = Both(&lists.0, &lists.1);
            assert_eq!(both.len(), 3000);
            for (from, length) in [(0, 1), (1690, 20), (0, 3000), (1700, 1), (1699, 1)] {
                let mut found = vec![[0; SKETCH_POSITIONS]; length];
                both.read(from, &mut found).unwrap();
                assert_eq!(found, sketches[from..from + length]);
                let in_memory = both.in_memory(from).copied();
                let wanted = (first, second) == (None, None);
                assert_eq!(in_memory, wanted.then_some(sketches[from]));
            }
        }
    }
}
