//! `nearprint convert`: files of fingerprints in another form.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::records::Format;
use nearprint::{InputSettings, Inputs, PrintFileForm};

use super::conclude;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::{JsonOption, SchemeOption, WorkOptions};
use crate::output::{Output, is_terminal};
use crate::outputs::{ForceOption, Outputs};
use crate::results::refuse_terminal;
use crate::search_inputs::gather_prints;
use crate::talk::Talk;

/// Convert fingerprint files to another format
///
/// The order is kept. All fingerprints are held in memory. Fingerprints without an id get the id FILE:LINE, or
/// FILE:NUMBER from a binary file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint convert --prints=decimal --format binary --no-ids --output hashes.prints hashes.txt
  nearprint convert --format text hashes.prints | head
  nearprint convert --format decimal --no-ids hashes.prints | simhash-find-all -b 6 -d 3 -i - -o -")]
pub(crate) struct ConvertArgs {
    /// Fingerprint files, or - for standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Format of the INPUTs: nearprint's formats (text, JSONL or binary), or decimal, hex or base64 of --scheme
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "nearprint",
        value_parser = nearprint::records::PrintFormat::NAMES,
        help_heading = "Input"
    )]
    prints: String,
    #[command(flatten)]
    scheme: SchemeOption,
    /// Output format
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        required_unless_present = "json",
        help_heading = "Output"
    )]
    format: Option<Form>,
    #[command(flatten)]
    json: JsonOption,
    /// Omit the ids
    #[arg(long, help_heading = "Output")]
    no_ids: bool,
    /// Write to FILE, which appears only when it is complete (- for standard output)
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
    #[command(flatten)]
    work: WorkOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Lines FINGERPRINT TAB ID
    Text,
    /// One JSON object per fingerprint
    Jsonl,
    /// Lines NUMBER TAB ID
    Decimal,
    /// Lines DIGITS TAB ID
    Hex,
    /// Lines BASE64 TAB ID: the bytes, most significant first, with padding
    Base64,
    /// Fingerprints as numbers, then ids, then a checksum
    Binary,
}

impl ConvertArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let scheme = self.scheme.or(Scheme::SD1);
        let file = self.output.as_deref();
        let text = match self.form() {
            PrintFileForm::Decimal if scheme.family() == Family::Sketch => {
                "sketches have no decimal form; write them as hex or base64"
            }
            PrintFileForm::Jsonl if self.no_ids => "--no-ids does not work with jsonl",
            _ => "",
        };
        if !text.is_empty() {
            return Err(Failure::Usage(text.to_owned()));
        }
        if self.form() == PrintFileForm::Binary {
            refuse_terminal(file)?;
        }
        let outputs = Outputs::new(self.force).rows(file);
        let inputs = Inputs::new(&self.inputs, InputSettings::default())?;
        outputs.check([&inputs])?;
        let talk = Talk::new(self.work.quiet, is_terminal(file));
        let mut out = Output::open(file, Format::Text)?;
        let (set, tally) = gather_prints(&inputs, &self.prints, scheme, &talk)?;
        out.whole(|stream| set.write(self.form(), !self.no_ids, stream))?;
        out.finish()?;
        Ok(conclude(&talk, &tally))
    }

    /// The format to write: one is named, or it is JSON.
    fn form(&self) -> PrintFileForm {
        match self.format {
            Some(Form::Text) => PrintFileForm::Text,
            Some(Form::Decimal) => PrintFileForm::Decimal,
            Some(Form::Hex) => PrintFileForm::Hex,
            Some(Form::Base64) => PrintFileForm::Base64,
            Some(Form::Binary) => PrintFileForm::Binary,
            Some(Form::Jsonl) | None => PrintFileForm::Jsonl,
        }
    }
}
