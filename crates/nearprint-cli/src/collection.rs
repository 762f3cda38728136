//! Options of collections: which files, what they hold, and where in them the documents are.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::records::{CaptureIds, FileSettings, ReadSettings, TableFields};
use nearprint::{InputFormat, InputSettings, Inputs, UnknownInputFormat};

use crate::exit_status::Failure;
use crate::indexes::Indexes;
use crate::options::{FileOptions, ReadingOptions};
use crate::outputs;

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
                revisits: false,
                max_bytes: reading.max_bytes(),
                max_ratio: reading.limits().max_expansion_ratio,
                max_work_per_byte: reading.limits().max_work_per_byte,
            },
        })
    }
}

impl CollectionOptions {
    /// What is named to be read, with the list of further paths.
    pub(crate) fn inputs(
        &self,
        paths: &[PathBuf],
        reading: &ReadingOptions,
    ) -> Result<Inputs, Failure> {
        let inputs = self.others(paths, reading)?;
        Ok(match self.files.list() {
            Some((list, separator)) => {
                inputs.with_list(list.to_owned(), separator).skipping_outputs(outputs::is_output)
            }
            None => inputs,
        })
    }

    /// The same of inputs that are named beside those that the work is about: the list has none of them.
    pub(crate) fn others(
        &self,
        paths: &[PathBuf],
        reading: &ReadingOptions,
    ) -> Result<Inputs, Failure> {
        let settings = self.containers.settings(self.files.settings(reading.max_bytes())?, reading);
        Ok(Inputs::new(paths, settings?)?)
    }

    /// The same where indexes may be among them.
    pub(crate) fn against(
        &self,
        paths: &[PathBuf],
        reading: &ReadingOptions,
    ) -> Result<(Indexes, Inputs), Failure> {
        let (indexes, others) = Indexes::among(paths)?;
        Ok((indexes, self.others(&others, reading)?))
    }

    /// Whether there is a list of further inputs.
    pub(crate) fn has_list(&self) -> bool {
        self.files.list().is_some()
    }
}
