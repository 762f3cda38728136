//! `nearprint prints convert`: files of fingerprints in another form.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::fingerprint::Family;
use nearprint::records::Format;
use nearprint::{InputSettings, Inputs, PrintFileForm};

use super::conclude;
use crate::exit_status::{ExitStatus, Failure};
use crate::keys::Setting;
use crate::options::{JsonOption, SchemeOption, WorkOptions};
use crate::output::{Output, is_terminal};
use crate::outputs::{ForceOption, Outputs};
use crate::results::refuse_terminal;
use crate::search_inputs::{format_key, gather_prints};
use crate::talk::Talk;

/// Convert fingerprint files to another format
///
/// The order is kept. All fingerprints are held in memory. Fingerprints without an id get the id FILE:LINE, or
/// FILE:NUMBER from a binary file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints convert --read format=decimal --format binary --no-ids --output hashes.prints hashes.txt
  nearprint prints convert --format text hashes.prints | head
  nearprint prints convert --format decimal --no-ids hashes.prints | simhash-find-all -b 6 -d 3 -i - -o -")]
pub(crate) struct ConvertArgs {
    /// Fingerprint files, or - for standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Set how the INPUTs are read
    #[arg(long, value_name = "KEY=VALUE", value_parser = format_key(), help_heading = "Reading")]
    read: Vec<Setting>,
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
    /// Lines FINGERPRINT TAB ID, and TAB short for a short fingerprint
    Text,
    /// One JSON object per fingerprint
    Jsonl,
    /// The same with decimal numbers
    Decimal,
    /// The same with hexadecimal digits
    Hex,
    /// The same in base64: the bytes, most significant first, with padding
    Base64,
    /// Fingerprints as numbers, then ids, marks of short ones and a checksum
    Binary,
}

impl ConvertArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let file = self.output.as_deref();
        let text = match self.form() {
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
        let talk = Talk::new(self.work.level(), is_terminal(file));
        let mut out = Output::open(file, Format::Text)?;
        let (set, tally) = gather_prints(&inputs, &self.read, self.scheme.given(), &talk)?;
        if self.form() == PrintFileForm::Decimal && set.scheme().family() == Family::Sketch {
            let text = "sketches have no decimal form; write them as hex or base64";
            return Err(Failure::Usage(text.to_owned()));
        }
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
