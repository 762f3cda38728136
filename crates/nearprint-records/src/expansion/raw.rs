//! The bytes of a file as they are stored.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Damage;
use super::window::Window;

/// A file or stream, read through a window.
pub(crate) struct Raw {
    source: RawSource,
    window: Window,
    read: Arc<AtomicU64>,
}

/// Source of the bytes.
enum RawSource {
    File(File),
    Stream(Box<dyn Read + Send>),
}

impl Read for RawSource {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(out),
            Self::Stream(stream) => stream.read(out),
        }
    }
}

impl Raw {
    pub(crate) fn new(source: Box<dyn Read + Send>) -> Self {
        Self::of(RawSource::Stream(source))
    }

    /// A file, in which one can continue at any byte.
    pub(crate) fn of_file(file: File) -> Self {
        Self::of(RawSource::File(file))
    }

    fn of(source: RawSource) -> Self {
        Self { source, window: Window::default(), read: Arc::default() }
    }

    /// The file, in which whoever has it reads at places; itself where it is a stream, from which nothing was taken.
    #[cfg(feature = "archives")]
    pub(crate) fn into_file(self) -> Result<File, Self> {
        match self.source {
            RawSource::File(file) if file.metadata().is_ok_and(|found| found.is_file()) => Ok(file),
            source => Err(Self { source, ..self }),
        }
    }

    /// Bytes of the file; none of what is not a file.
    pub(crate) fn length(&self) -> Option<u64> {
        let RawSource::File(file) = &self.source else { return None };
        file.metadata().ok().filter(std::fs::Metadata::is_file).map(|found| found.len())
    }

    /// Continues at a byte of the file; false if it is none. What is skipped counts as read.
    pub(super) fn go_on(&mut self, offset: u64) -> bool {
        let RawSource::File(file) = &mut self.source else { return false };
        if file.seek(SeekFrom::Start(offset)).is_err() {
            return false;
        }
        let before = self.window.position() + self.window.ahead().len() as u64;
        self.read.fetch_add(offset.saturating_sub(before), Ordering::Relaxed);
        self.window = Window::at(offset);
        true
    }

    /// Counts what is read in `read`, beside what others count there.
    pub(crate) fn counted_in(mut self, read: Arc<AtomicU64>) -> Self {
        self.read = read;
        self
    }

    /// Where it is counted.
    pub(crate) fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }

    /// What is ahead: `count` bytes or more, fewer only at the end.
    pub(crate) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.window.ahead().len() < count {
            let before = self.window.ahead().len();
            let more = match &mut self.source {
                RawSource::File(file) => self.window.read_from(file)?,
                RawSource::Stream(stream) => self.window.read_some(stream)?,
            };
            if !more {
                break;
            }
            self.read.fetch_add((self.window.ahead().len() - before) as u64, Ordering::Relaxed);
        }
        Ok(self.window.ahead())
    }

    pub(super) fn ahead(&self) -> &[u8] {
        self.window.ahead()
    }

    pub(super) fn position(&self) -> u64 {
        self.window.position()
    }

    pub(super) fn mark(&mut self) {
        self.window.mark();
    }

    pub(super) fn rewind(&mut self) -> Option<u64> {
        self.window.rewind()
    }

    /// Passes over bytes; fewer at the end of the file.
    pub(super) fn skip(&mut self, mut count: u64) -> Result<(), Damage> {
        while count > 0 {
            let ahead = self.peek(1)?.len() as u64;
            if ahead == 0 {
                break;
            }
            let part = ahead.min(count);
            self.window.consume(part as usize);
            count -= part;
        }
        Ok(())
    }
}

impl Read for Raw {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ahead = self.peek(1)?;
        let count = ahead.len().min(out.len());
        out[..count].copy_from_slice(&ahead[..count]);
        self.window.consume(count);
        Ok(count)
    }
}

impl BufRead for Raw {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, count: usize) {
        self.window.consume(count);
    }
}
