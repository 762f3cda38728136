//! Everything that is named to be read: paths, patterns, a list of further paths, and how the files are read.
//!
//! All doors name their inputs here, so that a pattern, a list or a field means the same in each of them. The documents
//! themselves come from an [`InputSource`], fingerprints from a [`PrintSet`](crate::PrintSet).

use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use nearprint_records::{
    Content, ErrorRecord, FileSource, InputFile, JobIdentity, OutputCheck, OutputRefusal, PathList,
    Place, ReasonCode, escape, matching,
};

use super::{InputSettings, InputSource, InputsError};
use crate::InputSize;

/// The inputs of one call: paths, then those of a list, and how their files are read.
///
/// A path that names nothing and contains one of `*?[{` is a pattern; the paths that it matches take its place, in byte
/// order. `-` is standard input, which can be read once.
///
/// ```
/// use nearprint::records::Source;
/// use nearprint::{InputSettings, Inputs};
/// # let directory = tempfile::tempdir().unwrap();
/// # std::fs::write(directory.path().join("fog.txt"), "Fog came in at noon.").unwrap();
/// # std::fs::write(directory.path().join("rain.txt"), "It rained on the hills.").unwrap();
///
/// let inputs = Inputs::new([directory.path().join("*.txt")], InputSettings::default())?;
/// assert_eq!(inputs.paths().len(), 2);
/// let mut source = inputs.source()?;
/// assert_eq!(source.next_document().unwrap()?.length(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    paths: Vec<PathBuf>,
    list: Option<PathBuf>,
    settings: InputSettings,
    /// Which paths of a list are outputs.
    is_output: Option<fn(&Path) -> bool>,
}

/// Paths one by one, or why there is none.
type NamedPaths = Box<dyn Iterator<Item = Result<PathBuf, ErrorRecord>> + Send>;

impl Inputs {
    /// The inputs that these paths and patterns name.
    ///
    /// # Errors
    /// [`InputsError::BadPattern`].
    pub fn new(
        paths: impl IntoIterator<Item = impl Into<PathBuf>>,
        settings: InputSettings,
    ) -> Result<Self, InputsError> {
        let paths = matching(paths).map_err(InputsError::BadPattern)?;
        Ok(Self { paths, settings, ..Self::default() })
    }

    /// Reads revisits of archives as documents, too ([`ReadSettings::revisits`](nearprint_records::ReadSettings)).
    #[must_use]
    pub fn with_revisits(mut self) -> Self {
        self.settings.reading.revisits = true;
        self
    }

    /// Also reads the paths in the file `list` (`-` for standard input), after all others. They are not patterns, and
    /// none of them is standard input.
    #[must_use]
    pub fn with_list(self, list: PathBuf) -> Self {
        Self { list: Some(list), ..self }
    }

    /// Skips paths of a list that `is_output` recognises, with an error record. A list that can be read only once
    /// cannot be compared with the outputs before ([`check_outputs`](Self::check_outputs)).
    #[must_use]
    pub fn skipping_outputs(self, is_output: fn(&Path) -> bool) -> Self {
        Self { is_output: Some(is_output), ..self }
    }

    /// Also reads the value of this field of rows, which puts documents in order.
    #[must_use]
    pub fn ordered_by(mut self, field: Option<&str>) -> Self {
        self.settings.reading.fields.order = field.map(str::to_owned);
        self
    }

    /// These inputs and then others, read as these are, with the list of either.
    #[must_use]
    pub fn and(&self, others: &Self) -> Self {
        let mut all = self.clone();
        all.paths.extend(others.paths.iter().cloned());
        all.list = all.list.or_else(|| others.list.clone());
        all
    }

    /// Each path as inputs of its own.
    pub fn each(&self) -> impl Iterator<Item = Self> {
        let of = |path: &PathBuf| Self { paths: vec![path.clone()], list: None, ..self.clone() };
        self.paths.iter().map(of)
    }

    /// The paths, with those that patterns match in the patterns' places.
    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The names of the paths, escaped as ids are, separated by commas: a title for a person to read.
    #[must_use]
    pub fn names(&self) -> String {
        let names = self.paths.iter().map(|path| escape(path.as_os_str().as_encoded_bytes()));
        names.collect::<Vec<_>>().join(", ")
    }

    /// Whether nothing is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.list.is_none()
    }

    /// Whether there is a list of further paths.
    #[must_use]
    pub fn has_list(&self) -> bool {
        self.list.is_some()
    }

    /// How the files are read.
    #[must_use]
    pub fn settings(&self) -> &InputSettings {
        &self.settings
    }

    /// The one path that is named.
    ///
    /// # Errors
    /// [`InputsError::SeveralPaths`] where a pattern matches several.
    pub fn only_path(&self) -> Result<&Path, InputsError> {
        match &self.paths[..] {
            [only] => Ok(only),
            paths => Err(InputsError::SeveralPaths { paths: paths.len() }),
        }
    }

    /// Whether standard input is read, for documents or for the list of paths.
    #[must_use]
    pub fn read_standard_input(&self) -> bool {
        self.standard_inputs() > 0
    }

    fn standard_inputs(&self) -> usize {
        self.paths.iter().chain(&self.list).filter(|path| is_standard_input(path)).count()
    }

    /// Refuses to read standard input for two of all inputs of a call.
    ///
    /// # Errors
    /// [`InputsError::StandardInputTwice`].
    pub fn check_standard_input<'i>(
        all: impl IntoIterator<Item = &'i Self>,
    ) -> Result<(), InputsError> {
        match all.into_iter().map(Self::standard_inputs).sum::<usize>() {
            0 | 1 => Ok(()),
            _ => Err(InputsError::StandardInputTwice),
        }
    }

    /// Refuses paths at which there is nothing, often a slip of the pen. Those in a list are error records when they
    /// are met.
    ///
    /// # Errors
    /// [`InputsError::Missing`].
    pub fn check_present(&self) -> Result<(), InputsError> {
        match self.paths.iter().find(|path| is_missing(path)) {
            None => Ok(()),
            Some(missing) => {
                let path = escape(missing.as_os_str().as_encoded_bytes());
                Err(InputsError::Missing { path })
            }
        }
    }

    /// All paths: those named, then those in the list, which is read as they are taken.
    ///
    /// # Errors
    /// [`InputsError::StandardInputTwice`]; [`InputsError::List`] where the list cannot be opened; as
    /// [`check_present`](Self::check_present).
    pub fn named(
        &self,
    ) -> Result<impl Iterator<Item = Result<PathBuf, ErrorRecord>> + Send + use<>, InputsError>
    {
        Self::check_standard_input([self])?;
        self.check_present()?;
        let paths: Vec<_> = self.paths.iter().cloned().map(Ok).collect();
        let paths = paths.into_iter();
        let Some(list) = &self.list else { return Ok(Box::new(paths) as NamedPaths) };
        let OpenInput { name, reader, .. } = OpenInput::of(list).map_err(InputsError::List)?;
        // A list that can be read twice was compared with the outputs before.
        let is_new = is_standard_input(list) || !list.is_file();
        let is_output = self.is_output.filter(|_| is_new);
        let refused = |path: &Path, detail: &'static str| ErrorRecord {
            id: None,
            place: Place::file(path),
            reason: ReasonCode::NOT_A_FILE,
            detail: detail.into(),
        };
        let in_list = PathList::new(name, reader).map(move |path| match path {
            Ok(path) if is_standard_input(&path) => {
                // The list itself may come from there.
                let detail = "a list cannot contain standard input; name a file called - as ./-";
                Err(refused(&path, detail))
            }
            Ok(path) if is_output.is_some_and(|is_output| is_output(&path)) => {
                Err(refused(&path, "this is the output file, so it was not read"))
            }
            path => path,
        });
        Ok(Box::new(paths.chain(in_list)))
    }

    /// The documents of all inputs. What is named is looked at first ([`expect_documents`](Self::expect_documents)),
    /// and so is standard input; paths of the list are looked at when they are read.
    ///
    /// # Errors
    /// As [`named`](Self::named); [`InputsError::Unexpected`] where an input is not documents.
    pub fn source(&self) -> Result<InputSource, InputsError> {
        self.source_after(None)
    }

    /// The documents of all inputs where standard input was looked at before: it is read from there on.
    ///
    /// # Errors
    /// As [`source`](Self::source).
    pub fn source_after(&self, standard: Option<InputFile>) -> Result<InputSource, InputsError> {
        self.expect_documents()?;
        let mut source = InputSource::from_results(self.named()?, self.settings.clone());
        if let Some(standard) = standard {
            source = source.with_standard_input(standard);
        }
        if self.paths.iter().any(|path| is_standard_input(path)) {
            source.expect_standard_documents().map_err(InputsError::Unexpected)?;
        }
        Ok(source)
    }

    /// Refuses inputs that are not documents before any work, by the beginning of everything that is named: of files
    /// themselves, of directories the first file that is taken. What cannot be read is not its business: it is an
    /// error record when it is met. Nothing is looked at where each file is to be one document
    /// ([`InputFormat::Files`](crate::InputFormat::Files)). Standard input, which can be read only once, is looked at
    /// by [`source`](Self::source).
    ///
    /// Fields that are asked for by name must be in one of the first rows: 64 KiB, or one row where it is longer.
    ///
    /// # Errors
    /// [`InputsError::Unexpected`]; as [`check_present`](Self::check_present).
    pub fn expect_documents(&self) -> Result<(), InputsError> {
        self.check_present()?;
        let mut paths = self.paths.iter().filter(|path| !is_standard_input(path));
        paths
            .try_for_each(|path| self.settings.expect_documents_in(path))
            .map_err(InputsError::Unexpected)
    }

    /// The paths of all files, found by walking what is named. A list on standard input is not there a second time.
    ///
    /// # Errors
    /// As [`named`](Self::named).
    pub fn files(&self) -> Result<impl Iterator<Item = PathBuf> + use<>, InputsError> {
        let found = FileSource::from_results(self.named()?, self.settings.files.clone());
        Ok(found.flatten().filter_map(|document| match document.content {
            Content::File { path, .. } => Some(path),
            _ => None,
        }))
    }

    /// Bytes of everything that is named, if it is files alone: directories and lists are not walked for this.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        let length = |path: &PathBuf| {
            let found = std::fs::metadata(path).ok()?;
            found.is_file().then_some(found.len())
        };
        if self.list.is_some() { None } else { self.paths.iter().map(length).sum() }
    }

    /// The size of all files, if they can be read twice: there is neither a list nor standard input.
    #[must_use]
    pub fn size(&self) -> Option<InputSize> {
        let is_once = self.list.is_some() || self.read_standard_input();
        (!is_once).then(|| InputSize::of(&self.paths, &self.settings))
    }

    /// Refuses outputs that may not be written because they are inputs, or because they are there.
    ///
    /// # Errors
    /// The first output that may not be written.
    pub fn check_outputs<'i>(
        all: impl IntoIterator<Item = &'i Self>,
        check: &OutputCheck,
    ) -> Result<(), OutputRefusal> {
        let all: Vec<&Self> = all.into_iter().collect();
        let settings = all.first().map(|inputs| inputs.settings.files.clone()).unwrap_or_default();
        check.against(all.iter().flat_map(|inputs| inputs.compared()), &settings)
    }

    /// What outputs are compared with: the paths, the list, and those in it where it can be read twice.
    fn compared(&self) -> impl Iterator<Item = PathBuf> {
        let twice = |list: &PathBuf| {
            // A pipe is opened once only: what it gave to an earlier reader is gone.
            let can = !is_standard_input(list) && list.is_file();
            let file = can.then(|| File::open(list).ok()).flatten()?;
            Some(PathList::new(String::new(), BufReader::new(file)).flatten())
        };
        let in_list = self.list.as_ref().and_then(twice).into_iter().flatten();
        let list = self.list.iter().cloned();
        let in_list = in_list.filter(|path| !is_standard_input(path));
        self.paths.clone().into_iter().chain(list).chain(in_list)
    }

    /// Adds to the identity of a job, under `name`, how many files there are, how long they are, and a digest of their
    /// paths, lengths and times of change. How they are read is [`InputSettings::identify`]'s.
    ///
    /// # Errors
    /// [`InputsError::ReadOnce`] where standard input is read, which a job that is resumed cannot read again; as
    /// [`named`](Self::named).
    pub fn identify(&self, identity: JobIdentity, name: &str) -> Result<JobIdentity, InputsError> {
        if self.read_standard_input() {
            return Err(InputsError::ReadOnce);
        }
        let paths = self.named()?.filter_map(Result::ok);
        Ok(identity.with_files(name, paths, &self.settings.files))
    }
}

/// Whether nothing is at a path. What is there and cannot be read is an error record when it is met.
fn is_missing(path: &Path) -> bool {
    let found = || std::fs::metadata(path).map_err(|error| error.kind());
    !is_standard_input(path)
        && matches!(found(), Err(ErrorKind::NotFound | ErrorKind::NotADirectory))
}

/// Whether a path stands for standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Something to read fingerprints or paths from.
pub(super) struct OpenInput {
    /// Its name for messages.
    pub(super) name: String,
    pub(super) reader: Box<dyn BufRead + Send>,
    /// Its length in bytes, where it is a file that has one.
    pub(super) length: Option<u64>,
}

impl OpenInput {
    /// A file or standard input.
    pub(super) fn of(path: &Path) -> Result<Self, ErrorRecord> {
        if is_standard_input(path) {
            let reader = Box::new(BufReader::new(std::io::stdin()));
            return Ok(Self { name: "-".to_owned(), reader, length: None });
        }
        let refused = |detail: String| ErrorRecord {
            id: None,
            place: Place::file(path),
            reason: ReasonCode::UNREADABLE,
            detail: detail.into(),
        };
        let file = File::open(path).map_err(|error| refused(error.to_string()))?;
        let found = file.metadata().ok();
        if found.as_ref().is_some_and(Metadata::is_dir) {
            return Err(refused("is a directory; name the files in it".to_owned()));
        }
        Ok(Self {
            name: escape(path.as_os_str().as_encoded_bytes()),
            reader: Box::new(BufReader::with_capacity(64 << 10, file)),
            length: found.filter(Metadata::is_file).map(|found| found.len()),
        })
    }
}
