//! The output of kept documents while it is written: file by file, watched and ended where that is wanted.

#[cfg(feature = "passages")]
use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "passages")]
use nearprint_records::FileIdentity;
use nearprint_records::ReadSettings;

use super::{KeptError, KeptLayout, KeptOutput, WrittenCounts};
use crate::CancelFlag;

/// Gets the bytes that were written so far.
type Progress<'w> = Arc<dyn Fn(u64) + Send + Sync + 'w>;

/// An output of kept documents that is written.
#[derive(Debug)]
pub struct KeptWriter<'w> {
    layout: &'w KeptLayout,
    output: KeptOutput,
    watch: WriteWatch<'w>,
    reading: ReadSettings,
    pub(super) written: WrittenCounts,
    /// Files that were written, or passed over.
    #[cfg(feature = "passages")]
    met: HashSet<FileIdentity>,
}

/// What goes on while something is written.
#[derive(Clone, Default)]
pub(crate) struct WriteWatch<'w> {
    cancel: CancelFlag,
    bytes: Arc<AtomicU64>,
    progress: Option<Progress<'w>>,
}

impl fmt::Debug for WriteWatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cancel, bytes, .. } = self;
        f.debug_struct("WriteWatch").field("cancel", cancel).field("bytes", bytes).finish()
    }
}

impl<'w> KeptWriter<'w> {
    /// Writes an output that was begun by a layout.
    #[must_use]
    pub fn new(layout: &'w KeptLayout, output: KeptOutput) -> Self {
        Self {
            layout,
            output,
            watch: WriteWatch::default(),
            reading: ReadSettings::default(),
            written: WrittenCounts::default(),
            #[cfg(feature = "passages")]
            met: HashSet::new(),
        }
    }

    /// Ends early, with nothing written, where the flag says so.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &CancelFlag) -> Self {
        self.watch.cancel = cancel.clone();
        self
    }

    /// Calls `progress` with the bytes that were written so far, now and then, from one thread at a time. Those of a
    /// package count twice: once in its members, and once as a whole.
    #[must_use]
    pub fn watched_by(mut self, progress: impl Fn(u64) + Send + Sync + 'w) -> Self {
        self.watch.progress = Some(Arc::new(progress));
        self
    }

    /// Reads packages as the input was read.
    #[must_use]
    pub fn reading(mut self, reading: ReadSettings) -> Self {
        self.reading = reading;
        self
    }

    pub(crate) fn read_settings(&self) -> ReadSettings {
        self.reading.clone()
    }

    pub(crate) fn watch(&self) -> WriteWatch<'w> {
        self.watch.clone()
    }

    /// Ends the work where it was cancelled.
    pub(crate) fn go_on(&self) -> Result<(), KeptError> {
        match self.watch.cancel.is_cancelled() {
            true => Err(KeptError::Cancelled),
            false => Ok(()),
        }
    }

    /// Whether a file is to be written: a file that is reached by several paths is, by the first; one that cannot be
    /// opened is not, and counted.
    #[cfg(feature = "passages")]
    pub(crate) fn takes(&mut self, path: &Path) -> bool {
        if FileIdentity::of(path).is_ok_and(|identity| !self.met.insert(identity)) {
            return false;
        }
        let is_readable = std::fs::File::open(path).is_ok();
        self.written.unreadable += u64::from(!is_readable);
        is_readable
    }

    /// Has `work` write what is kept of a file, and give the bytes.
    pub(crate) fn copy(
        &mut self,
        name: &str,
        path: &Path,
        work: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<u64>,
    ) -> Result<(), KeptError> {
        let watch = &self.watch;
        let bytes = match &mut self.output {
            KeptOutput::File(to) => work(&mut watch.on(to)),
            KeptOutput::Folder(folder) => {
                folder.file(&self.layout.below(path)).and_then(|mut to| {
                    let bytes = work(&mut watch.on(&mut to))?;
                    to.sync_all()?;
                    Ok(bytes)
                })
            }
        };
        self.go_on()?;
        self.written.bytes +=
            bytes.map_err(|error| KeptError::Copy { file: name.into(), error })?;
        self.written.files += 1;
        Ok(())
    }

    /// Gives the output its name, unless it is a file of which nothing is kept.
    pub(crate) fn finish(self) -> Result<WrittenCounts, KeptError> {
        match self.output {
            KeptOutput::File(_) if self.written.files == 0 => Ok(()),
            KeptOutput::File(file) => file.finish(),
            KeptOutput::Folder(folder) => folder.finish(),
        }
        .map_err(KeptError::Output)?;
        Ok(self.written)
    }
}

impl<'w> WriteWatch<'w> {
    /// What writes to something and is watched.
    pub(crate) fn on<'t>(
        &'t self,
        to: &'t mut (dyn Write + Send),
    ) -> impl Write + Send + use<'t, 'w> {
        WatchedOutput { watch: self, to }
    }
}

struct WatchedOutput<'t, 'w> {
    watch: &'t WriteWatch<'w>,
    to: &'t mut (dyn Write + Send),
}

impl Write for WatchedOutput<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let WriteWatch { cancel, bytes: all, progress } = self.watch;
        if cancel.is_cancelled() {
            return Err(io::Error::other("it was cancelled"));
        }
        let written = self.to.write(bytes)?;
        let before = all.fetch_add(written as u64, Ordering::Relaxed);
        if let Some(progress) = progress {
            progress(before + written as u64);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn what_is_written_is_counted_and_ends_where_it_is_cancelled() {
        let (seen, cancel) = (Mutex::new(Vec::new()), CancelFlag::new());
        let directory = tempfile::tempdir().expect("a directory");
        let named = directory.path().join("a.txt");
        std::fs::write(&named, "fog").expect("room");
        let layout =
            KeptLayout::new(std::slice::from_ref(&named), false, &directory.path().join("out"));
        let writer = || {
            KeptWriter::new(&layout, layout.begin().expect("room"))
                .cancelled_by(&cancel)
                .watched_by(|bytes| seen.lock().expect("no panic").push(bytes))
        };
        let copy = |writer: &mut KeptWriter<'_>| {
            writer.copy("a.txt", &named, |to| {
                to.write_all(b"fog")?;
                to.write_all(b"bells")?;
                Ok(8)
            })
        };
        let mut first = writer();
        copy(&mut first).expect("room");
        assert_eq!(first.finish().expect("room").bytes, 8);
        assert_eq!(*seen.lock().expect("no panic"), [3, 8]);
        let mut second = writer();
        cancel.cancel();
        assert!(matches!(copy(&mut second), Err(KeptError::Cancelled)));
        assert_eq!(std::fs::read(directory.path().join("out")).expect("the first"), b"fogbells");
    }
}
