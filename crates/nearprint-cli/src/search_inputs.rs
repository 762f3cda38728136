//! What is searched, as options name it: documents, or files of fingerprints.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{Document, DocumentId, FingerprintRecord, PrintFormat, escape};
use nearprint::report::{ExampleGroup, ExampleReader};
use nearprint::{
    Candidates, Collection, Engine, InputSize, InputSource, Inputs, MemoryShares, Pipeline,
    PrintInputs, PrintSet, Subject, Tally,
};

use crate::collection::CollectionOptions;
use crate::exit_status::Failure;
use crate::forecasts::{self, megabytes};
use crate::indexes::Indexes;
use crate::keys::{Key, Keys, Setting, value};
use crate::options::{WorkOptions, bytes};
use crate::reading_options::ReadingOptions;
use crate::talk::{Talk, counted};
use crate::unexpected_input::{meant, not_one};

/// How verbs that compare documents read them.
#[derive(Debug, Args)]
pub(crate) struct DocumentOptions {
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    work: WorkOptions,
}

/// How verbs that compare fingerprints read them.
#[derive(Debug, Args)]
pub(crate) struct PrintsOptions {
    /// Set how fingerprint files are read
    #[arg(long, value_name = "KEY=VALUE", value_parser = format_key(), help_heading = "Reading")]
    read: Vec<Setting>,
    /// Set what the work may take. K, M and G are 2^10, 2^20 and 2^30
    #[arg(long, value_name = "KEY=VALUE", value_parser = memory_key(), help_heading = "Reading")]
    limit: Vec<Setting>,
    #[command(flatten)]
    work: WorkOptions,
}

/// The key of `--read` for files of fingerprints.
pub(crate) fn format_key() -> Keys {
    let known = |name: &str| {
        let format = PrintFormat::named(name, Scheme::SD1);
        format.map(drop).map_err(|error| error.to_string())
    };
    let help = "Format of fingerprint files: nearprint's formats (text, JSONL or binary), or lines of numbers of --scheme \
                [default: nearprint]";
    [Key::new("format", &PrintFormat::NAMES.join("|"), help, known)].into()
}

fn memory_key() -> Keys {
    let help = "Memory for fingerprints and the search; larger work uses a temporary file in TMPDIR [default: half of \
                the machine's memory]";
    [Key::new("memory", "BYTES", help, |text| bytes(text).map(drop))].into()
}

/// The format of fingerprint files that `--read` names.
pub(crate) fn print_format(read: &[Setting], scheme: Scheme) -> Result<PrintFormat, Failure> {
    let name = value(read, "format").unwrap_or("nearprint");
    PrintFormat::named(name, scheme).map_err(|error| Failure::Usage(error.to_string()))
}

/// What is searched: documents, or files of fingerprints.
pub(crate) struct SearchInputs {
    /// How files of fingerprints are read; `None` for documents.
    prints: Option<Vec<Setting>>,
    pub(crate) collection: CollectionOptions,
    pub(crate) reading: ReadingOptions,
    pub(crate) work: WorkOptions,
    /// The scheme of fingerprints: the one that is named, or that files state.
    scheme: Option<Scheme>,
    /// Fingerprints that were looked at and not read yet.
    opened: RefCell<Option<PrintInputs>>,
}

impl From<DocumentOptions> for SearchInputs {
    fn from(options: DocumentOptions) -> Self {
        let DocumentOptions { collection, reading, work } = options;
        Self { prints: None, collection, reading, work, scheme: None, opened: RefCell::default() }
    }
}

impl From<PrintsOptions> for SearchInputs {
    fn from(options: PrintsOptions) -> Self {
        Self {
            prints: Some(options.read),
            collection: CollectionOptions::default(),
            reading: ReadingOptions::of_limits(options.limit),
            work: options.work,
            scheme: None,
            opened: RefCell::default(),
        }
    }
}

impl SearchInputs {
    /// With the scheme that fingerprints are of, where it is named.
    pub(crate) fn with_scheme(self, scheme: Option<Scheme>) -> Self {
        Self { scheme, ..self }
    }

    /// With what fingerprint files state of themselves, which are refused where they are not what they should be.
    pub(crate) fn opened(mut self, inputs: &Inputs) -> Result<Self, Failure> {
        if let Some(format) = self.prints_format()? {
            let opened = meant(inputs.prints(format))?;
            self.scheme = self.scheme.or(opened.scheme());
            self.opened = RefCell::new(Some(opened));
        }
        Ok(self)
    }

    /// The scheme of fingerprints.
    pub(crate) fn scheme(&self) -> Scheme {
        self.scheme.unwrap_or(Scheme::SD1)
    }

    /// What a question is put to: the inputs, and indexes among them and compared with them.
    pub(crate) fn subject(&self, indexes: &[&Indexes]) -> Result<Subject, Failure> {
        let there = indexes.iter().find_map(|indexes| indexes.scheme());
        if self.prints.is_some() {
            return Ok(Subject::Fingerprints(there.unwrap_or(self.scheme())));
        }
        indexes.iter().try_for_each(|indexes| indexes.expect_features())?;
        Ok(there.map_or(Subject::Documents, Subject::Features))
    }

    /// Whether the inputs are documents, whose texts can be compared.
    pub(crate) fn are_documents(&self) -> bool {
        self.prints.is_none()
    }

    /// The engine of all that the verb does.
    pub(crate) fn engine(&self) -> Engine {
        self.reading.engine(self.work.threads)
    }

    /// One call that reads documents.
    pub(crate) fn pipeline<'w>(&self, engine: &Engine, scheme: Scheme) -> Pipeline<'w> {
        engine.pipeline(self.reading.settings(scheme))
    }

    /// Everything that is named to be searched.
    pub(crate) fn inputs(&self, paths: &[PathBuf]) -> Result<Inputs, Failure> {
        self.collection.inputs(paths, &self.reading)
    }

    /// What is named beside it: references, or queries.
    pub(crate) fn others(&self, paths: &[PathBuf]) -> Result<Inputs, Failure> {
        self.collection.others(paths, &self.reading)
    }

    /// Refuses inputs that are not what they are expected to be: documents, or fingerprints.
    pub(crate) fn expect<'i>(
        &self,
        inputs: impl IntoIterator<Item = &'i Inputs>,
    ) -> Result<(), Failure> {
        let format = self.prints_format()?;
        inputs.into_iter().try_for_each(|inputs| match format {
            Some(format) => meant(inputs.expect_prints(format)),
            None => meant(inputs.expect_documents()),
        })
    }

    /// The format of the fingerprints, where the inputs are fingerprints.
    pub(crate) fn prints_format(&self) -> Result<Option<PrintFormat>, Failure> {
        self.prints.as_deref().map(|read| print_format(read, self.scheme())).transpose()
    }

    /// Reads everything that the inputs name into a collection: documents, or fingerprints.
    pub(crate) fn read(
        &self,
        engine: &Engine,
        inputs: &Inputs,
        collection: &mut Collection,
        talk: &Talk,
    ) -> Result<Tally, Failure> {
        let Some(format) = self.prints_format()? else {
            let mut source = self.documents(inputs, talk)?;
            return self.read_source(engine, &mut source, collection, talk);
        };
        let set = collection.prints_mut();
        let tally = match self.opened.take() {
            Some(opened) => {
                let watch = |tally: &Tally, error: Option<&_>| talk.read_print(tally, error);
                let tally = meant(opened.read(set, watch))?;
                talk.clear();
                tally
            }
            None => read_prints(inputs, format, set, talk)?,
        };
        say_other_extractors(collection.prints(), talk);
        Ok(tally)
    }

    /// The same for what the inputs are compared with.
    pub(crate) fn read_references(
        &self,
        engine: &Engine,
        inputs: &Inputs,
        collection: &mut Collection,
        talk: &Talk,
    ) -> Result<Tally, Failure> {
        let Some(format) = self.prints_format()? else {
            let mut source = meant(inputs.source())?;
            let scheme = collection.settings().scheme;
            let pipeline = self.pipeline(engine, scheme).watched_by(|tally| talk.progress(tally));
            let tally =
                collection.read_references(&pipeline, &mut source, |record| said(record, talk))?;
            talk.clear();
            return Ok(tally);
        };
        let tally = read_prints(inputs, format, collection.references_mut(), talk)?;
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
        let scheme = collection.settings().scheme;
        let pipeline = self.pipeline(engine, scheme).watched_by(|tally| talk.progress(tally));
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
        all: &[&Inputs],
    ) -> Result<(), Failure> {
        if self.prints.is_some() || all.iter().any(|inputs| inputs.read_standard_input()) {
            return Ok(());
        }
        let pipeline = self.pipeline(engine, Scheme::SD1);
        let mut reader = ExampleReader::new(groups, report);
        for (number, inputs) in all.iter().enumerate() {
            reader.read(&pipeline, &mut meant(inputs.source())?, number);
        }
        Ok(())
    }

    /// The documents of the inputs.
    pub(crate) fn documents(&self, inputs: &Inputs, talk: &Talk) -> Result<InputSource, Failure> {
        let source = meant(inputs.source())?;
        talk.expect(inputs, &source);
        Ok(source)
    }

    /// States what a verified search of large inputs takes, and refuses what the disk has no room for.
    pub(crate) fn announce(
        &self,
        engine: &Engine,
        inputs: &Inputs,
        candidates: Candidates,
        shares: MemoryShares,
        talk: &Talk,
    ) -> Result<(), Failure> {
        let directory = &engine.temporary_directory();
        let Some(size) = inputs.size().filter(InputSize::is_large) else { return Ok(()) };
        let pipeline = self.pipeline(engine, candidates.scheme());
        let verification = candidates.verification();
        let mut source = inputs.source()?;
        let found = verification.forecast(&pipeline, &mut source, &size, shares, directory)?;
        let takes = [
            format!("verification needs about {} MB of memory", megabytes(found.memory)),
            format!(
                "{} MB of temporary files in {}",
                megabytes(found.temporary),
                escape(directory.as_os_str().as_encoded_bytes())
            ),
        ];
        forecasts::say(talk, &size, &takes);
        Ok(found.check_room(directory)?)
    }
}

/// Says why a document has no fingerprint.
fn said(record: &FingerprintRecord, talk: &Talk) -> Result<(), Failure> {
    talk.nothing(record);
    Ok(())
}

/// Says which fingerprints are of texts that today's extractors may take otherwise.
fn say_other_extractors(set: &PrintSet, talk: &Talk) {
    for (then, now, prints) in set.other_extractors() {
        let were = if prints == 1 { "was" } else { "were" };
        let prints = counted(prints, "fingerprint");
        talk.say(format_args!(
            "nearprint: {prints} {were} made with extractor {then}; the current version is {now}, so \
                results may differ. Run `nearprint prints refingerprint`"
        ));
    }
}

/// Adds all fingerprints of the inputs to a set.
pub(crate) fn read_prints(
    inputs: &Inputs,
    format: PrintFormat,
    set: &mut PrintSet,
    talk: &Talk,
) -> Result<Tally, Failure> {
    let tally =
        meant(inputs.read_prints(format, set, |tally, error| talk.read_print(tally, error)))?;
    talk.clear();
    Ok(tally)
}

/// All fingerprints of files of fingerprints; `scheme` is of those that do not state theirs.
pub(crate) fn gather_prints(
    inputs: &Inputs,
    read: &[Setting],
    scheme: Option<Scheme>,
    talk: &Talk,
) -> Result<(PrintSet, Tally), Failure> {
    let format = print_format(read, scheme.unwrap_or(Scheme::SD1))?;
    let opened = meant(inputs.prints(format))?;
    let mut set = PrintSet::new(scheme.or(opened.scheme()).unwrap_or(Scheme::SD1));
    let tally = meant(opened.read(&mut set, |tally, error| talk.read_print(tally, error)))?;
    talk.clear();
    Ok((set, tally))
}

/// The one document that is named; `None` once it has been said why it cannot be read. `many` says what is for many.
pub(crate) fn one_document(
    inputs: &Inputs,
    many: &str,
    talk: &Talk,
) -> Result<Option<Document>, Failure> {
    match inputs.one_document().map_err(|error| not_one(error, many))? {
        Some(Ok(document)) => Ok(Some(document)),
        Some(Err(error)) => {
            talk.error(&error);
            Ok(None)
        }
        None => Ok(None),
    }
}

/// The fingerprint that an argument is, where it is one and names no file; its string is its id.
pub(crate) fn given_print(text: &Path) -> Option<(DocumentId, Fingerprint)> {
    if text.exists() {
        return None;
    }
    let fingerprint: Fingerprint = text.to_str()?.parse().ok()?;
    Some((DocumentId::new(fingerprint.to_string()).ok()?, fingerprint))
}
