//! Where results go: standard output, or a file that appears when it is whole.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nearprint::records::{FinishedFile, Format, OutputPlace, Row, RowWriter, escape};

use crate::aligned_table::AlignedTable;
use crate::exit_status::Failure;
use crate::{color, interrupt, outputs, visible};

/// Bytes collected before they are written, where nobody watches them come.
const BUFFER: usize = 64 << 10;

/// Rows on their way out.
pub(crate) struct Output {
    rows: RowWriter<Stream>,
    name: String,
}

/// Where bytes go.
pub(crate) enum Stream {
    /// Line by line, as the terminal's reader wants it.
    Terminal(io::Stdout),
    Pipe(BufWriter<io::Stdout>),
    File(BufWriter<FinishedFile>),
    /// Lines that become a table for people.
    Table(Box<AlignedTable<Stream>>),
    /// Nowhere: they are counted.
    Counted(Arc<AtomicU64>),
    /// Nowhere: the reader of standard output went away, and the work continues for another output.
    Unread,
}

impl Output {
    /// Opens the output: the file named, or standard output, which may also be named `-`.
    pub(crate) fn open(file: Option<&Path>, format: Format) -> Result<Self, Failure> {
        let (stream, name) = Stream::open(file)?;
        Ok(Self { rows: RowWriter::new(format, stream), name })
    }

    /// Opens the output for rows of one kind, with the heading of a table where it is one. Rows without columns are
    /// refused as separated values before any work is done.
    pub(crate) fn of_rows<R: Row>(
        file: Option<&Path>,
        format: Format,
        table: Option<&'static [&'static str]>,
    ) -> Result<Self, Failure> {
        if format.is_separated() && R::COLUMNS.is_empty() {
            let form = R::SCHEMA;
            let text = format!("--format csv does not support {form}; use text or jsonl");
            return Err(Failure::Usage(text));
        }
        let (stream, name) = Stream::open(file)?;
        let stream = match table {
            Some(heading) => stream.with_heading(heading, is_terminal(file)),
            None => stream,
        };
        Ok(Self { rows: RowWriter::of::<R>(format, stream), name })
    }

    /// Writes one row.
    pub(crate) fn row<R: Row>(&mut self, row: &R) -> Result<(), Failure> {
        self.rows.write(row).map_err(|error| failure(error, &self.name))
    }

    /// Has something else write, in a form that has no rows.
    pub(crate) fn whole(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        write(self.rows.get_mut()).map_err(|error| failure(error, &self.name))
    }

    /// Ends the output. Without this a file does not appear.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        outputs::none_was_read()?;
        self.rows.finish().and_then(Stream::finish).map_err(|error| failure(error, &self.name))
    }

    /// Text that is not a row: tables, pages, scripts.
    pub(crate) fn text(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.rows.get_mut().write_all(text).map_err(|error| failure(error, &self.name))
    }
}

/// Whether results appear before somebody's eyes.
pub(crate) fn is_terminal(file: Option<&Path>) -> bool {
    !is_file(file) && io::stdout().is_terminal()
}

/// Whether results go to anything but standard output, however that is named.
pub(crate) fn is_file(file: Option<&Path>) -> bool {
    let is_standard = |path: &Path| {
        path.as_os_str() == "-"
            || OutputPlace::of(path).is_ok_and(|place| place.is_standard_output())
    };
    file.is_some_and(|path| !is_standard(path))
}

impl Stream {
    /// The file named, or standard output, which may also be named `-`; and its name.
    pub(crate) fn open(file: Option<&Path>) -> Result<(Self, String), Failure> {
        let file = file.filter(|path| path.as_os_str() != "-");
        Ok(match file {
            None if is_terminal(file) => {
                (Self::Terminal(io::stdout()), "standard output".to_owned())
            }
            None => (
                Self::Pipe(BufWriter::with_capacity(BUFFER, io::stdout())),
                "standard output".to_owned(),
            ),
            Some(path) => {
                let name = escape(path.as_os_str().as_encoded_bytes());
                let opened = OutputPlace::of(path).and_then(|place| {
                    interrupt::unfinished(&place, || FinishedFile::at(&place), FinishedFile::part)
                });
                let file = opened.map_err(|error| Failure::Output { name: name.clone(), error })?;
                (Self::File(BufWriter::with_capacity(BUFFER, file)), name)
            }
        })
    }

    /// A stream whose lines become a table with this heading.
    pub(crate) fn with_heading(self, heading: &'static [&'static str], is_terminal: bool) -> Self {
        let is_colored = color::on_stdout(is_terminal);
        Self::Table(Box::new(AlignedTable::new(self, heading, is_colored)))
    }

    /// A stream that only counts, its name, and how many bytes went there.
    pub(crate) fn counted() -> ((Self, String), Arc<AtomicU64>) {
        let count = Arc::<AtomicU64>::default();
        ((Self::Counted(Arc::clone(&count)), "a count".to_owned()), count)
    }

    /// Without this a file does not appear.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        // The buffer is written here; what the inner stream holds of a last line without an end, too.
        self.flush()?;
        match self {
            Self::Terminal(_) | Self::Pipe(_) | Self::Counted(_) | Self::Unread => Ok(()),
            Self::Table(table) => table.into_inner()?.finish(),
            Self::File(out) => out
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(FinishedFile::finish),
        }
    }
}

pub(crate) fn failure(error: io::Error, name: &str) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Output { name: name.to_owned(), error },
    }
}

impl Stream {
    fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Terminal(out) => out.write_all(&visible::results(bytes)).map(|()| bytes.len()),
            Self::Pipe(out) => out.write(bytes),
            Self::File(out) => out.write(bytes),
            Self::Table(out) => out.write(bytes),
            Self::Counted(count) => {
                count.fetch_add(bytes.len() as u64, Ordering::Relaxed);
                Ok(bytes.len())
            }
            Self::Unread => Ok(bytes.len()),
        }
    }

    fn flush_all(&mut self) -> io::Result<()> {
        match self {
            Self::Terminal(out) => out.flush(),
            Self::Pipe(out) => out.flush(),
            Self::File(out) => out.flush(),
            Self::Table(out) => out.flush(),
            Self::Counted(_) | Self::Unread => Ok(()),
        }
    }

    /// Continues without the reader of standard output, where there is another output to continue for.
    fn unless_unread<T>(&mut self, done: io::Result<T>, instead: T) -> io::Result<T> {
        match done {
            Err(error)
                if error.kind() == io::ErrorKind::BrokenPipe
                    && matches!(self, Self::Terminal(_) | Self::Pipe(_))
                    && outputs::outlast_reader() =>
            {
                *self = Self::Unread;
                Ok(instead)
            }
            done => done,
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.write_some(bytes);
        self.unless_unread(done, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.flush_all();
        self.unless_unread(done, ())
    }
}
