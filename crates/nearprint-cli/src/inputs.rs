//! Inputs as typed to sources: paths, lists of paths, files of fingerprints.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{
    Document, ErrorRecord, FileSettings, FileSource, FingerprintRecord, InputFile, PathList, Place,
    PrintFormat, ReasonCode, escape, matching,
};
use nearprint::report::{ExampleGroup, ExampleReader};
use nearprint::{
    Candidates, Collection, CollectionSettings, Engine, InputSize, InputSource, MemoryShares, Met,
    Pipeline, PrintSet, Settings, Tally,
};

use crate::collection::CollectionOptions;
use crate::disk::{self, megabytes};
use crate::ending::Failure;
use crate::memory::MemoryOptions;
use crate::options::{FileOptions, ReadingOptions, SchemeOption, WorkOptions};
use crate::outputs::{self, Outputs};
use crate::talk::{Talk, counted};
use crate::unexpected::{Meant, expect_one, expect_prints_in, expect_prints_on};

/// What is searched: documents, or files of fingerprints.
#[derive(Debug, Args)]
pub(crate) struct SearchedOptions {
    /// Read the INPUTs as fingerprint files: in nearprint's formats (text, JSONL or binary), or as decimal or hex
    /// numbers of --scheme
    #[arg(
        long,
        value_name = "FORMAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "nearprint",
        value_parser = PrintFormat::NAMES,
        help_heading = "Input"
    )]
    prints: Option<String>,
    #[command(flatten)]
    pub(crate) collection: CollectionOptions,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    scheme: SchemeOption,
    #[command(flatten)]
    pub(crate) work: WorkOptions,
}

impl SearchedOptions {
    /// The scheme named.
    pub(crate) fn scheme(&self) -> Option<Scheme> {
        self.scheme.given()
    }

    /// Why there are no texts to compare, where the inputs are files of fingerprints.
    pub(crate) fn without_texts(&self) -> Option<&'static str> {
        self.prints.as_ref().map(|_| "fingerprint files contain none; name the documents instead")
    }

    /// The engine of all that the verb does.
    pub(crate) fn engine(&self, memory: Option<&MemoryOptions>) -> Engine {
        self.reading.engine(self.work.threads, memory)
    }

    /// One call that reads documents.
    pub(crate) fn pipeline<'w>(&self, engine: &Engine, scheme: Scheme) -> Pipeline<'w> {
        engine.pipeline(self.reading.settings(scheme))
    }

    /// Everything that is named to be searched, for [`read_once`].
    pub(crate) fn named<'p>(&'p self, inputs: &'p [PathBuf]) -> impl Iterator<Item = &'p Path> {
        inputs.iter().map(PathBuf::as_path).chain(self.collection.list())
    }

    /// Refuses outputs that may not be written, before anything is read.
    pub(crate) fn check_outputs<'p>(
        &self,
        outputs: Outputs,
        inputs: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<(), Failure> {
        let inputs: Vec<&PathBuf> = inputs.into_iter().collect();
        outputs.check(inputs.iter().map(|path| path.as_path()), Some(&self.collection.files))
    }

    /// Refuses inputs that are not what they are expected to be: documents, or fingerprints.
    pub(crate) fn expect<'p>(
        &self,
        inputs: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<(), Failure> {
        match self.prints_format()? {
            Some(format) => inputs.into_iter().try_for_each(|path| expect_prints_in(path, format)),
            None => self.collection.expect(inputs, &self.reading, None, Meant::Prints),
        }
    }

    /// The format of the fingerprints, where the inputs are fingerprints.
    pub(crate) fn prints_format(&self) -> Result<Option<PrintFormat>, Failure> {
        let scheme = self.scheme().unwrap_or(Scheme::SD1);
        let format = self.prints.as_deref().map(|name| PrintFormat::named(name, scheme));
        format.transpose().map_err(|error| Failure::Usage(error.to_string()))
    }

    /// One document that is named, as the query is.
    pub(crate) fn document(&self, path: &Path, talk: &Talk) -> Result<Option<Document>, Failure> {
        expect_one(path, "use --queries for several documents")?;
        one_document(path, self.reading.max_bytes(), talk)
    }

    /// Reads everything that the inputs name into a collection: documents, or fingerprints.
    pub(crate) fn read(
        &self,
        engine: &Engine,
        inputs: &[PathBuf],
        collection: &mut Collection,
        talk: &Talk,
    ) -> Result<Tally, Failure> {
        let Some(format) = self.prints_format()? else {
            let mut source = self.documents(inputs, talk)?;
            return self.read_source(engine, &mut source, collection, talk);
        };
        let files = named(inputs, &self.collection.files)?;
        let tally = read_prints(files, format, collection.prints_mut(), talk)?;
        say_other_extractors(collection.prints(), talk);
        Ok(tally)
    }

    /// The same for what the inputs are compared with.
    pub(crate) fn read_references(
        &self,
        engine: &Engine,
        inputs: &[PathBuf],
        collection: &mut Collection,
        talk: &Talk,
    ) -> Result<Tally, Failure> {
        let Some(format) = self.prints_format()? else {
            let mut source = self.query_documents(inputs, None)?;
            let scheme = collection.settings().scheme;
            let pipeline = self.pipeline(engine, scheme).watched_by(|tally| talk.progress(tally));
            let tally =
                collection.read_references(&pipeline, &mut source, |record| said(record, talk))?;
            talk.clear();
            return Ok(tally);
        };
        let files = inputs.iter().cloned().map(Ok);
        let tally = read_prints(files, format, collection.references_mut(), talk)?;
        collection.references().into_iter().for_each(|set| say_other_extractors(set, talk));
        Ok(tally)
    }

    /// Reads the documents of a source into a collection.
    pub(crate) fn read_source(
        &self,
        engine: &Engine,
        source: &mut InputSource,
        collection: &mut Collection,
        talk: &Talk,
    ) -> Result<Tally, Failure> {
        let CollectionSettings { scheme, weak_bits, .. } = *collection.settings();
        let settings = Settings { weak_bits, ..self.reading.settings(scheme) };
        let pipeline = engine.pipeline(settings).watched_by(|tally| talk.progress(tally));
        let tally = collection.read(&pipeline, source, |record| said(record, talk))?;
        talk.clear();
        Ok(tally)
    }

    /// Reads the documents of a report's examples again: of the inputs, and of others they were compared with.
    /// Fingerprint files have no documents, and standard input cannot be read again; the page says so.
    pub(crate) fn read_examples<'g>(
        &self,
        engine: &Engine,
        groups: impl IntoIterator<Item = &'g mut ExampleGroup>,
        report: &Path,
        (inputs, others): (&[PathBuf], &[PathBuf]),
        talk: &Talk,
    ) -> Result<(), Failure> {
        let all = self.named(inputs).chain(others.iter().map(PathBuf::as_path));
        if self.prints.is_some() || all.into_iter().any(is_stdin) {
            return Ok(());
        }
        let pipeline = self.pipeline(engine, Scheme::SD1);
        let mut reader = ExampleReader::new(groups, report);
        reader.read(&pipeline, &mut self.documents(inputs, talk)?, 0);
        if !others.is_empty() {
            reader.read(&pipeline, &mut self.query_documents(others, None)?, 1);
        }
        Ok(())
    }

    /// The documents of the inputs.
    pub(crate) fn documents(
        &self,
        inputs: &[PathBuf],
        talk: &Talk,
    ) -> Result<InputSource, Failure> {
        self.collection.ordered(inputs, &self.reading, talk, None, Meant::Prints)
    }

    /// States what a verified search of large inputs takes, and refuses what the disk has no room for.
    pub(crate) fn announce(
        &self,
        engine: &Engine,
        inputs: impl IntoIterator<Item = PathBuf>,
        candidates: Candidates,
        shares: MemoryShares,
        talk: &Talk,
    ) -> Result<(), Failure> {
        let directory = &engine.temporary_directory();
        let inputs: Vec<PathBuf> = inputs.into_iter().collect();
        let size = disk::size(&inputs, &self.collection, &self.reading)?;
        let Some(size) = size.filter(InputSize::is_large) else { return Ok(()) };
        let mut source = self.collection.beside(&inputs, &self.reading)?;
        let pipeline = self.pipeline(engine, candidates.scheme());
        let verification = candidates.verification();
        let found = verification.forecast(&pipeline, &mut source, &size, shares, directory)?;
        let takes = [
            format!("verification needs about {} MB of memory", megabytes(found.memory)),
            format!(
                "{} MB of temporary files in {}",
                megabytes(found.temporary),
                escape(directory.as_os_str().as_encoded_bytes())
            ),
        ];
        disk::say(talk, &size, found.documents, &takes);
        Ok(found.check_room(directory)?)
    }
}

/// Says why a document has no fingerprint.
fn said(record: &FingerprintRecord, talk: &Talk) -> Result<(), Failure> {
    talk.nothing(record);
    Ok(())
}

/// Inputs as they were typed, with patterns replaced by the paths they match.
pub(crate) fn expanded(inputs: &mut Vec<PathBuf>) -> Result<(), Failure> {
    *inputs = matching(std::mem::take(inputs)).map_err(|bad| Failure::Usage(bad.to_string()))?;
    Ok(())
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses to read standard input for two things.
pub(crate) fn read_once<'p>(named: impl Iterator<Item = &'p Path>) -> Result<(), Failure> {
    match named.filter(|path| is_stdin(path)).count() {
        0 | 1 => Ok(()),
        _ => {
            let text = "standard input can be read only once; name - only once";
            Err(Failure::Usage(text.to_owned()))
        }
    }
}

pub(crate) type Named = Box<dyn Iterator<Item = Result<PathBuf, ErrorRecord>> + Send>;

/// Paths from the command line, then those from the list.
pub(crate) fn named(inputs: &[PathBuf], files: &FileOptions) -> Result<Named, Failure> {
    let list = files.list();
    read_once(inputs.iter().map(PathBuf::as_path).chain(list.map(|(list, _)| list)))?;
    let paths: Vec<_> = inputs.iter().cloned().map(Ok).collect();
    let paths = paths.into_iter();
    let Some((list, separator)) = list else { return Ok(Box::new(paths)) };
    let Opened { name, reader, .. } = open(list).map_err(Failure::work)?;
    // A list that is no file was not compared with the outputs before.
    let is_new = is_stdin(list) || !list.is_file();
    let in_list = PathList::new(name, reader, separator).map(move |path| match path {
        // The list itself may come from there.
        Ok(path) if is_stdin(&path) => Err(ErrorRecord {
            id: None,
            place: Place::file(&path),
            reason: ReasonCode::NOT_A_FILE,
            detail: "a list cannot contain standard input; name a file called - as ./-".into(),
        }),
        Ok(path) if is_new && outputs::is_output(&path) => Err(ErrorRecord {
            id: None,
            place: Place::file(&path),
            reason: ReasonCode::NOT_A_FILE,
            detail: "this is the output file, so it was not read".into(),
        }),
        path => path,
    });
    Ok(Box::new(paths.chain(in_list)))
}

/// All fingerprints of files of fingerprints.
pub(crate) fn gather_prints(
    inputs: &[PathBuf],
    format: &str,
    scheme: Scheme,
    talk: &Talk,
) -> Result<(PrintSet, Tally), Failure> {
    read_once(inputs.iter().map(PathBuf::as_path))?;
    let format =
        PrintFormat::named(format, scheme).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut set = PrintSet::new(scheme);
    let tally = read_prints(inputs.iter().cloned().map(Ok), format, &mut set, talk)?;
    Ok((set, tally))
}

/// Says which fingerprints are of texts that today's extractors may take otherwise.
fn say_other_extractors(set: &PrintSet, talk: &Talk) {
    for (then, now, prints) in set.other_extractors() {
        let were = if prints == 1 { "was" } else { "were" };
        let prints = counted(prints, "fingerprint");
        talk.say(format_args!(
            "nearprint: {prints} {were} made with extractor {then}; the current version is {now}, so \
                results may differ. Run `nearprint refingerprint`"
        ));
    }
}

pub(crate) fn read_prints(
    files: impl Iterator<Item = Result<PathBuf, ErrorRecord>>,
    format: PrintFormat,
    set: &mut PrintSet,
    talk: &Talk,
) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    for file in files {
        if let Ok(path) = &file {
            expect_prints_in(path, format)?;
            if is_stdin(path) {
                let mut standard = InputFile::standard_input();
                expect_prints_on(&mut standard, format)?;
                tally.add(&read_standard_prints(standard, format, set, talk)?);
                continue;
            }
        }
        let opened = match file.and_then(|path| open(&path)) {
            Ok(opened) => opened,
            Err(error) => {
                talk.error(&error);
                tally.count_nothing(true);
                continue;
            }
        };
        read_opened(opened, format, set, &mut tally, talk)?;
    }
    talk.clear();
    Ok(tally)
}

/// All fingerprints of something that is open.
fn read_opened(
    Opened { name, reader, length }: Opened,
    format: PrintFormat,
    set: &mut PrintSet,
    tally: &mut Tally,
    talk: &Talk,
) -> Result<(), Failure> {
    set.read(&name, reader, length, format, |met| {
        match met {
            Met::Prints(prints) => tally.count_prints(prints),
            Met::Error(error) => {
                talk.error(&error);
                tally.count_nothing(error.reason.is_failure());
            }
            _ => {}
        }
        talk.reading(tally);
    })?;
    Ok(())
}

/// All fingerprints of standard input, which was examined before.
pub(crate) fn read_standard_prints(
    standard: InputFile,
    format: PrintFormat,
    set: &mut PrintSet,
    talk: &Talk,
) -> Result<Tally, Failure> {
    let (name, mut tally) = ("-".to_owned(), Tally::default());
    let opened = Opened { name, reader: Box::new(standard.into_stored()), length: None };
    read_opened(opened, format, set, &mut tally, talk)?;
    talk.clear();
    Ok(tally)
}

/// Something to read fingerprints or paths from.
struct Opened {
    /// Its name for messages.
    name: String,
    reader: Box<dyn BufRead + Send>,
    /// Its length in bytes, where it is a file that has one.
    length: Option<u64>,
}

/// A file or standard input.
fn open(path: &Path) -> Result<Opened, ErrorRecord> {
    if is_stdin(path) {
        let reader = Box::new(BufReader::new(std::io::stdin()));
        return Ok(Opened { name: "-".to_owned(), reader, length: None });
    }
    let refused = |detail: String| ErrorRecord {
        id: None,
        place: Place::file(path),
        reason: ReasonCode::UNREADABLE,
        detail: detail.into(),
    };
    let file = File::open(path).map_err(|error| refused(error.to_string()))?;
    let found = file.metadata().ok();
    if found.as_ref().is_some_and(std::fs::Metadata::is_dir) {
        return Err(refused("is a directory; name the files in it".to_owned()));
    }
    Ok(Opened {
        name: escape(path.as_os_str().as_encoded_bytes()),
        reader: Box::new(BufReader::with_capacity(64 << 10, file)),
        length: found.filter(std::fs::Metadata::is_file).map(|found| found.len()),
    })
}

/// The one document a path names; `None` once it has been said why it cannot be read.
pub(crate) fn one_document(
    path: &Path,
    max_bytes: u64,
    talk: &Talk,
) -> Result<Option<Document>, Failure> {
    if path.is_dir() {
        let name = escape(path.as_os_str().as_encoded_bytes());
        return Err(Failure::Usage(format!("{name} is a directory; name one document")));
    }
    let settings = FileSettings { max_bytes, ..FileSettings::default() };
    match FileSource::new([path], settings).next() {
        Some(Ok(document)) => Ok(Some(document)),
        Some(Err(error)) => {
            talk.error(&error);
            Ok(None)
        }
        // It became a directory a moment ago, and an empty one.
        None => Ok(None),
    }
}
