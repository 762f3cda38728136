//! Options of collections: which files, what they hold, and where in them the documents are.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use nearprint::records::{
    CaptureIds, Content, FileSettings, FileSource, JobIdentity, ReadSettings, TableFields,
};
use nearprint::{InputFormat, InputSettings, InputSource, UnknownInputFormat};

use crate::ending::Failure;
use crate::inputs::{is_stdin, named};
use crate::options::{FileOptions, ReadingOptions};
use crate::talk::Talk;
use crate::unexpected::{Meant, expect_documents, expect_documents_in};

/// Documents, wherever they are.
#[derive(Debug, Args)]
pub(crate) struct CollectionOptions {
    #[command(flatten)]
    pub(crate) files: FileOptions,
    #[command(flatten)]
    containers: ContainerOptions,
}

/// What files hold.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ContainerOptions {
    /// Format of the inputs [auto: detected from content; files: each file is one document]
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = InputFormat::NAMES)]
    input_format: String,
    /// Field with the id in JSON lines and tables (in JSON, /a/b is a pointer) [default: id]
    #[arg(long, value_name = "FIELD")]
    id: Option<String>,
    /// Field with the text in JSON lines and tables [default: text]
    #[arg(long, value_name = "FIELD")]
    text: Option<String>,
    /// Field with the text as HTML in JSON lines and tables
    #[arg(long, value_name = "FIELD", conflicts_with = "text")]
    html: Option<String>,
    /// Ids of documents in web archives
    #[arg(long, value_enum, value_name = "WHICH", default_value = "record")]
    ids: Ids,
    /// In web archives, read responses of every HTTP status, not only 200
    #[arg(long)]
    any_status: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Ids {
    /// The id of the record
    Record,
    /// The address
    Url,
    /// The time and the address, DATE/URL
    UrlDate,
}

impl Ids {
    /// The name in the identity of a job.
    fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Url => "url",
            Self::UrlDate => "url-date",
        }
    }
}

impl ContainerOptions {
    /// The settings of a source with these.
    pub(crate) fn settings(
        &self,
        files: FileSettings,
        reading: &ReadingOptions,
    ) -> Result<InputSettings, Failure> {
        let format = self.input_format.parse();
        Ok(InputSettings {
            files,
            format: format
                .map_err(|error: UnknownInputFormat| Failure::Usage(error.to_string()))?,
            reading: ReadSettings {
                fields: TableFields {
                    id: self.id.clone(),
                    text: self.text.clone(),
                    html: self.html.clone(),
                    order: None,
                },
                ids: match self.ids {
                    Ids::Record => CaptureIds::Record,
                    Ids::Url => CaptureIds::Url,
                    Ids::UrlDate => CaptureIds::DateAndUrl,
                },
                any_status: self.any_status,
                max_bytes: reading.max_bytes(),
                max_ratio: reading.limits().max_expansion_ratio,
            },
        })
    }
}

impl CollectionOptions {
    /// Adds what of this decides the records of a job, and the files that are named, to what it is known by.
    pub(crate) fn identify(
        &self,
        identity: JobIdentity,
        inputs: &[PathBuf],
        reading: &ReadingOptions,
    ) -> Result<JobIdentity, Failure> {
        if inputs.iter().map(PathBuf::as_path).chain(self.list()).any(is_stdin) {
            let text = "--job cannot read standard input; write it to a file first";
            return Err(Failure::Usage(text.to_owned()));
        }
        let containers = &self.containers;
        let given = |value: &Option<String>| value.clone().unwrap_or_default();
        let identity = identity
            .with("input-format", &containers.input_format)
            .with("id", given(&containers.id))
            .with("text", given(&containers.text))
            .with("html", given(&containers.html))
            .with("ids", containers.ids.name())
            .with("any-status", containers.any_status);
        let paths = named(inputs, &self.files)?.filter_map(Result::ok);
        Ok(identity.with_files("files", paths, &self.files.settings(reading.max_bytes())?))
    }

    /// The list of further inputs, where there is one.
    pub(crate) fn list(&self) -> Option<&Path> {
        self.files.list().map(|(list, _)| list)
    }

    /// The documents of everything that is named, in one way or the other; `talk` learns how much there is to read.
    pub(crate) fn source(
        &self,
        inputs: &[PathBuf],
        reading: &ReadingOptions,
        talk: &Talk,
    ) -> Result<InputSource, Failure> {
        self.ordered(inputs, reading, talk, None, Meant::Documents)
    }

    /// The same with a field of rows that puts documents in order, and with what the verb has for fingerprints.
    pub(crate) fn ordered(
        &self,
        inputs: &[PathBuf],
        reading: &ReadingOptions,
        talk: &Talk,
        order: Option<&str>,
        meant: Meant,
    ) -> Result<InputSource, Failure> {
        let mut settings = self.settings(reading)?;
        settings.reading.fields.order = order.map(str::to_owned);
        let mut source = InputSource::from_results(named(inputs, &self.files)?, settings);
        expect_documents(&mut source, inputs, meant)?;
        talk.expect(source.bytes_read(), self.total(inputs));
        talk.expect_rows(self.field());
        Ok(source)
    }

    /// Refuses inputs that are not the documents they are expected to be, before anything is begun; standard input is
    /// examined when it is read.
    pub(crate) fn expect<'p>(
        &self,
        inputs: impl IntoIterator<Item = &'p PathBuf>,
        reading: &ReadingOptions,
        order: Option<&str>,
        meant: Meant,
    ) -> Result<(), Failure> {
        let mut settings = self.settings(reading)?;
        settings.reading.fields.order = order.map(str::to_owned);
        expect_documents_in(inputs, &settings, meant)
    }

    /// The field with the text, where one is named.
    pub(crate) fn field(&self) -> Option<&str> {
        self.containers.text.as_deref().or(self.containers.html.as_deref())
    }

    /// Bytes of everything that is named, where it is files alone: directories and lists are not walked twice.
    pub(crate) fn total(&self, inputs: &[PathBuf]) -> Option<u64> {
        let length = |path: &PathBuf| {
            let found = std::fs::metadata(path).ok()?;
            found.is_file().then_some(found.len())
        };
        match self.list() {
            None => inputs.iter().map(length).sum(),
            Some(_) => None,
        }
    }

    /// The files of everything that is named, looked for once more; a list on standard input is not there a second
    /// time.
    pub(crate) fn found(
        &self,
        inputs: &[PathBuf],
        reading: &ReadingOptions,
    ) -> Result<impl Iterator<Item = PathBuf>, Failure> {
        let settings = self.files.settings(reading.max_bytes())?;
        let found = FileSource::from_results(named(inputs, &self.files)?, settings);
        Ok(found.flatten().filter_map(|document| match document.content {
            Content::File { path, .. } => Some(path),
            _ => None,
        }))
    }

    /// The same of inputs that are named beside those that the work is about.
    pub(crate) fn beside(
        &self,
        inputs: &[PathBuf],
        reading: &ReadingOptions,
    ) -> Result<InputSource, Failure> {
        let mut source = InputSource::new(inputs, self.settings(reading)?);
        expect_documents(&mut source, inputs, Meant::Documents)?;
        Ok(source)
    }

    /// How they are read.
    pub(crate) fn settings(&self, reading: &ReadingOptions) -> Result<InputSettings, Failure> {
        self.containers.settings(self.files.settings(reading.max_bytes())?, reading)
    }
}
