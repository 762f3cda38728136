//! Where documents come from: files, directories, archives and tables, told apart by their content.

mod error;
mod format;
pub(crate) mod input_size;
mod inputs;
mod one_document;
mod prints;
pub(crate) mod sample;
mod seen_files;
mod unexpected_input;

pub use self::error::InputsError;
pub use self::format::{InputFormat, UnknownInputFormat};
pub use self::inputs::Inputs;
pub use self::prints::PrintInputs;
pub use self::seen_files::SeenFiles;
pub use self::unexpected_input::{UnexpectedInput, expect_one_document, expect_prints};

use std::io::Cursor;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nearprint_records::{
    Batch, Container, Content, Document, DocumentId, ErrorRecord, FileSettings, FileSource,
    InputFile, Position, ReadSettings, ReasonCode, RecordCounter, RecordCounts, Source,
};

use crate::table_files;

/// How inputs are read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct InputSettings {
    /// Which files are taken.
    pub files: FileSettings,
    /// What they are taken for.
    pub format: InputFormat,
    /// How those that hold many documents are read.
    pub reading: ReadSettings,
}

impl InputSettings {
    /// Sets which files are taken.
    #[must_use]
    pub fn files(mut self, files: FileSettings) -> Self {
        self.files = files;
        self
    }

    /// Sets what files are taken for.
    #[must_use]
    pub fn format(mut self, format: InputFormat) -> Self {
        self.format = format;
        self
    }

    /// Sets how files that hold many documents are read.
    #[must_use]
    pub fn reading(mut self, reading: ReadSettings) -> Self {
        self.reading = reading;
        self
    }
}

/// Documents of everything that is named: files and directories as [`FileSource`] takes them, and of files that hold
/// many documents each of these. A file that is reached by several paths is read by the first; each other is an error
/// record `same-file` that names it ([`SameFile`](nearprint_records::SameFile)).
///
/// ```
/// use nearprint::{InputSettings, InputSource};
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("pages.txt");
/// # std::fs::write(&path, "Fog came in at noon.").unwrap();
///
/// let mut source = InputSource::new([&path], InputSettings::default());
/// # use nearprint::records::Source;
/// let document = source.next_document().unwrap()?;
/// assert_eq!(document.length(), 20);
/// # Ok::<(), nearprint::records::ErrorRecord>(())
/// ```
pub struct InputSource {
    named: Box<dyn Iterator<Item = Result<PathBuf, ErrorRecord>> + Send>,
    settings: InputSettings,
    /// Standard input, where it was looked at before its turn.
    standard: Option<InputFile>,
    /// What is left of the path that was named last.
    files: Option<FileSource>,
    /// What is left of the container that was opened last.
    documents: Option<Box<dyn Source>>,
    /// Files that were met, which are not read again.
    seen_files: SeenFiles,
    counts: RecordCounter,
    bytes_read: Arc<AtomicU64>,
    /// Threads that work on what it gives.
    workers: NonZeroUsize,
    /// Where it stands: behind what was given last.
    stands: Position,
}

impl InputSource {
    /// The documents of `paths`.
    pub fn new(
        paths: impl IntoIterator<Item = impl Into<PathBuf>>,
        settings: InputSettings,
    ) -> Self {
        let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
        Self::from_results(paths.into_iter().map(Ok), settings)
    }

    /// The documents of paths whose naming can fail too, as in a [`PathList`](nearprint_records::PathList).
    pub fn from_results(
        paths: impl IntoIterator<Item = Result<PathBuf, ErrorRecord>, IntoIter: Send + 'static>,
        settings: InputSettings,
    ) -> Self {
        Self {
            named: Box::new(paths.into_iter()),
            settings,
            standard: None,
            files: None,
            documents: None,
            seen_files: SeenFiles::default(),
            counts: RecordCounter::default(),
            bytes_read: Arc::default(),
            workers: NonZeroUsize::MIN,
            stands: Position::default(),
        }
    }

    /// The source where standard input was looked at before: it is read from there on.
    #[must_use]
    pub fn with_standard_input(self, standard: InputFile) -> Self {
        Self { standard: Some(standard), ..self }
    }

    /// The source where no file is read that is among these: its record is `same-file`. What is read is noted there,
    /// too, so sources that share them read each file once. Without this, each source reads a file once.
    #[must_use]
    pub fn noting_files(self, files: &SeenFiles) -> Self {
        Self { seen_files: files.clone(), ..self }
    }

    /// Bytes of the input that were read so far, as they are stored; goes on counting when the source is lent to a
    /// pipeline. Files that are one document count when they are met.
    #[must_use]
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// How it reads.
    pub(crate) fn settings(&self) -> &InputSettings {
        &self.settings
    }

    /// What a file yields at once; where it holds many documents, these are what is read next.
    fn opened(&mut self, document: Document) -> Option<Result<Document, ErrorRecord>> {
        if let Some(same) = self.seen_files.meet(&document) {
            return Some(Err(same));
        }
        let Content::File { path, .. } = &document.content else { return Some(Ok(document)) };
        if self.settings.format == InputFormat::Files {
            return Some(Ok(document));
        }
        // Whoever works on the document meets the same trouble and says so.
        let Ok(mut file) = InputFile::open(path) else { return Some(Ok(document)) };
        let container = match self.container(&mut file) {
            Ok(container) => container,
            Err(error) if error.reason == ReasonCode::UNREADABLE => return Some(Ok(document)),
            // It may hold many documents, and must not be taken for one.
            Err(error) => return Some(Err(ErrorRecord { id: Some(document.id), ..error })),
        };
        match container {
            None => match self.refused_rows(&mut file) {
                Some(error) => Some(Err(error)),
                None => self.with_translations(document, file),
            },
            Some(container) => self.enter(file, Some(path), container),
        }
    }

    fn standard_input(&mut self) -> Option<Result<Document, ErrorRecord>> {
        let mut file = self.standard.take().unwrap_or_else(InputFile::standard_input);
        match self.container(&mut file) {
            Ok(None) => {
                if let Some(error) = self.refused_rows(&mut file) {
                    return Some(Err(error));
                }
                let (place, is_article) =
                    (file.place().clone(), file.begins_article(&self.settings.reading));
                let bytes = match file.into_bytes(self.settings.files.max_bytes) {
                    Ok(bytes) => bytes,
                    Err(error) => return Some(Err(error)),
                };
                let id = DocumentId::new("-").expect("a hyphen is an id");
                let again =
                    is_article.then(|| InputFile::from_reader(place, Cursor::new(bytes.clone())));
                let document = Document::from_bytes(id, bytes);
                match again {
                    Some(file) => self.with_translations(document, file),
                    None => Some(Ok(document)),
                }
            }
            Ok(Some(container)) => self.enter(file, None, container),
            Err(error) => Some(Err(error)),
        }
    }

    /// A document, or where it holds translations of itself, it and these as what is read next.
    fn with_translations(
        &mut self,
        document: Document,
        file: InputFile,
    ) -> Option<Result<Document, ErrorRecord>> {
        let is_asked = self.settings.format == InputFormat::Auto;
        let found = is_asked.then(|| file.translations(&self.settings.reading)).flatten();
        let Some(translations) = found else { return Some(Ok(document)) };
        self.bytes_read.fetch_add(document.length(), Ordering::Relaxed);
        self.documents = Some(Box::new(std::iter::once(Ok(document)).chain(translations)));
        None
    }

    fn container(&self, file: &mut InputFile) -> Result<Option<Container>, ErrorRecord> {
        match self.settings.format {
            InputFormat::Auto => file.container(&self.settings.reading),
            InputFormat::Files => Ok(None),
            InputFormat::Container(container) => Ok(Some(container)),
        }
    }

    /// The error of a file of rows that are not read: it is not one document.
    fn refused_rows(&self, file: &mut InputFile) -> Option<ErrorRecord> {
        if self.settings.format != InputFormat::Auto {
            return None;
        }
        let detail = file.refused_rows(&self.settings.reading)?.into();
        let place = file.place().clone();
        Some(ErrorRecord { id: None, place, reason: ReasonCode::BAD_FILE, detail })
    }

    /// Goes into a container; an error record where nothing here reads it.
    fn enter(
        &mut self,
        file: InputFile,
        path: Option<&Path>,
        container: Container,
    ) -> Option<Result<Document, ErrorRecord>> {
        let file = file.counted_in(Arc::clone(&self.bytes_read));
        let documents = match file.into_documents(container, &self.settings.reading, &self.counts) {
            Ok(documents) => Ok(documents),
            Err(file) => table_files::documents(file, path, container, &self.settings.reading),
        };
        match documents {
            Ok(mut documents) => {
                documents.expect_workers(self.workers);
                self.documents = Some(documents);
                None
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl InputSource {
    /// Goes to the next file: what it is or why it is none; nothing where its documents are what is read next. `None`
    /// is the end.
    fn next_file(&mut self) -> Option<Option<Result<Document, ErrorRecord>>> {
        let found = loop {
            match self.files.as_mut().and_then(Iterator::next) {
                Some(found) => break found,
                None => match self.named.next()? {
                    Ok(path) if path.as_os_str() == "-" => {
                        self.files = None;
                        let found = self.standard_input();
                        self.stand_behind_file(found.is_some());
                        return Some(found);
                    }
                    Ok(path) => {
                        self.files = Some(FileSource::new([path], self.settings.files.clone()));
                    }
                    Err(error) => break Err(error),
                },
            }
        };
        let found = match found {
            Ok(document) => {
                let length = document.length();
                let found = self.opened(document);
                if found.is_some() {
                    self.bytes_read.fetch_add(length, Ordering::Relaxed);
                }
                found
            }
            Err(error) => Some(Err(error)),
        };
        self.stand_behind_file(found.is_some());
        Some(found)
    }

    /// Notes that a file was met, and whether it is done.
    fn stand_behind_file(&mut self, done: bool) {
        let file = self.stands.file + u64::from(done);
        self.stands = Position { file, records: self.counts.read(), ..Position::default() };
    }

    /// Notes that so many documents of the present container were given.
    fn stand_behind(&mut self, documents: u64) {
        let Some(within) = &self.documents else { return };
        match within.position() {
            Some(position) => {
                let (file, records) = (self.stands.file, self.counts.read());
                self.stands = Position { file, within: true, records, ..position };
            }
            None => self.stands.behind += documents,
        }
    }

    /// Leaves a container that has no further documents.
    fn leave(&mut self) {
        self.documents = None;
        self.stand_behind_file(true);
    }
}

impl Source for InputSource {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        loop {
            if let Some(documents) = &mut self.documents {
                if let Some(found) = documents.next_document() {
                    self.stand_behind(1);
                    return Some(found);
                }
                self.leave();
            }
            if let Some(found) = self.next_file()? {
                return Some(found);
            }
        }
    }

    fn next_batch(&mut self) -> Option<Batch> {
        loop {
            if let Some(documents) = &mut self.documents {
                if let Some(batch) = documents.next_batch() {
                    self.stand_behind(batch.count() as u64);
                    return Some(batch);
                }
                self.leave();
            }
            // Files that are documents, up to the next that holds many.
            let batch = Batch::gathered(|| {
                loop {
                    if self.documents.is_some() {
                        return None;
                    }
                    if let Some(found) = self.next_file()? {
                        return Some(found);
                    }
                }
            });
            if batch.is_some() || self.documents.is_none() {
                return batch;
            }
        }
    }

    fn expect_workers(&mut self, workers: NonZeroUsize) {
        self.workers = workers;
        if let Some(documents) = &mut self.documents {
            documents.expect_workers(workers);
        }
    }

    fn position(&self) -> Option<Position> {
        Some(self.stands.clone())
    }

    fn go_on(&mut self, position: &Position) -> bool {
        while self.stands.file < position.file {
            match self.files.as_mut().and_then(Iterator::next) {
                Some(Ok(document)) => {
                    let _ = self.seen_files.meet(&document);
                    self.bytes_read.fetch_add(document.length(), Ordering::Relaxed);
                    self.stands.file += 1;
                }
                Some(Err(_)) => self.stands.file += 1,
                None => match self.named.next() {
                    Some(Ok(path)) => {
                        self.files = Some(FileSource::new([path], self.settings.files.clone()));
                    }
                    Some(Err(_)) => self.stands.file += 1,
                    None => return false,
                },
            }
        }
        self.counts.restore(position.records);
        self.stands.records = position.records;
        if position.within {
            let is_container = matches!(self.next_file(), Some(None));
            self.counts.restore(position.records);
            let Some(documents) = self.documents.as_mut().filter(|_| is_container) else {
                return false;
            };
            if !documents.go_on(position) {
                return false;
            }
            self.stands = Position { behind: 0, ..position.clone() };
        }
        (0..position.behind).all(|_| self.next_document().is_some())
    }

    fn record_counts(&self) -> RecordCounts {
        self.counts.read()
    }
}

#[cfg(test)]
mod tests;
