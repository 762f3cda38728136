//! What is searched, as options name it: documents, or files of fingerprints.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{Document, DocumentId, FingerprintRecord, PrintFormat, escape};
use nearprint::report::{ExampleGroup, ExampleReader};
use nearprint::{
    Candidates, Collection, Engine, InputSize, InputSource, Inputs, InputsError, MemoryShares,
    Pipeline, PrintSet, Subject, Tally,
};

use crate::collection::CollectionOptions;
use crate::exit_status::Failure;
use crate::forecasts::{self, megabytes};
use crate::indexes::Indexes;
use crate::memory::MemoryOptions;
use crate::options::{ReadingOptions, WorkOptions};
use crate::talk::{Talk, counted};
use crate::unexpected_input::{ExpectedInput, not_one, refused};

/// What is searched: documents, or files of fingerprints.
#[derive(Debug, Args)]
pub(crate) struct SearchInputOptions {
    /// Read the INPUTs as fingerprint files: in nearprint's formats (text, JSONL or binary), or as decimal, hex or
    /// base64 of --scheme
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
    pub(crate) work: WorkOptions,
    /// The scheme that fingerprints without one are of; `sd1` if it is not named.
    #[arg(skip)]
    scheme: Option<Scheme>,
}

impl SearchInputOptions {
    /// With the scheme that fingerprints are of, where it is named.
    pub(crate) fn with_scheme(self, scheme: Option<Scheme>) -> Self {
        Self { scheme, ..self }
    }

    /// What a question is put to: the inputs, and indexes that are compared with them.
    pub(crate) fn subject(&self, indexes: &Indexes) -> Subject {
        match (&self.prints, indexes.scheme()) {
            (Some(_), there) => Subject::Fingerprints(there.or(self.scheme).unwrap_or(Scheme::SD1)),
            (None, Some(there)) if indexes.keep_features() => Subject::Features(there),
            (None, Some(there)) => Subject::Fingerprints(there),
            (None, None) => Subject::Documents,
        }
    }

    /// Whether the inputs are documents, whose texts can be compared.
    pub(crate) fn are_documents(&self) -> bool {
        self.prints.is_none()
    }

    /// The engine of all that the verb does.
    pub(crate) fn engine(&self, memory: Option<&MemoryOptions>) -> Engine {
        self.reading.engine(self.work.threads, memory)
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
        let scheme = self.scheme.unwrap_or(Scheme::SD1);
        let format = self.prints.as_deref().map(|name| PrintFormat::named(name, scheme));
        format.transpose().map_err(|error| Failure::Usage(error.to_string()))
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
        let tally = read_prints(inputs, format, collection.prints_mut(), talk)?;
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
        forecasts::say(talk, &size, found.documents, &takes);
        Ok(found.check_room(directory)?)
    }
}

/// A refusal of inputs that may be fingerprints.
pub(crate) fn meant<T>(done: Result<T, InputsError>) -> Result<T, Failure> {
    done.map_err(|error| refused(error, ExpectedInput::Prints))
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
                results may differ. Run `nearprint refingerprint`"
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

/// All fingerprints of files of fingerprints, whose format has this name.
pub(crate) fn gather_prints(
    inputs: &Inputs,
    format: &str,
    scheme: Scheme,
    talk: &Talk,
) -> Result<(PrintSet, Tally), Failure> {
    let format =
        PrintFormat::named(format, scheme).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut set = PrintSet::new(scheme);
    let tally = read_prints(inputs, format, &mut set, talk)?;
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

/// A fingerprint given on the command line; its string is its id.
pub(crate) fn given_print(text: &Path) -> Result<(DocumentId, Fingerprint), Failure> {
    let text = text.to_string_lossy();
    let fingerprint: Fingerprint =
        text.parse().map_err(|error| Failure::Usage(format!("{text}: {error}")))?;
    let id = DocumentId::new(fingerprint.to_string())
        .map_err(|error| Failure::Usage(error.to_string()))?;
    Ok((id, fingerprint))
}
