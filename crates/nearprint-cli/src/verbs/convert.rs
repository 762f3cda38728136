//! `nearprint convert`: files of fingerprints in another form.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::records::{Format, PrintFileWriter, PrintRecord};
use nearprint::{InputSettings, Inputs, PrintSet};

use super::conclude;
use crate::ending::{Ending, Failure};
use crate::options::{JsonOption, SchemeOption, WorkOptions};
use crate::output::{Output, is_terminal};
use crate::outputs::{ForceOption, Outputs};
use crate::searched::gather_prints;
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
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let scheme = self.scheme.or(Scheme::SD1);
        let file = self.output.as_deref();
        let text = match self.form() {
            Form::Binary if is_terminal(file) => {
                "binary output would garble the terminal; name a file (--output) or redirect"
            }
            Form::Decimal if scheme.family() == Family::Sketch => {
                "sketches have no decimal form; write them as hex or base64"
            }
            Form::Jsonl if self.no_ids => "--no-ids does not work with jsonl",
            _ => "",
        };
        if !text.is_empty() {
            return Err(Failure::Usage(text.to_owned()));
        }
        let outputs = Outputs::new(self.force).rows(file);
        let inputs = Inputs::new(&self.inputs, InputSettings::default())?;
        outputs.check([&inputs])?;
        let talk = Talk::new(self.work.quiet, is_terminal(file));
        let rows = if self.form() == Form::Jsonl { Format::Jsonl } else { Format::Text };
        let mut out = Output::open(file, rows)?;
        let (set, tally) = gather_prints(&inputs, &self.prints, scheme, &talk)?;
        self.write(&set, scheme, &mut out)?;
        out.finish()?;
        Ok(conclude(&talk, &tally))
    }

    /// The format to write: one is named, or it is JSON.
    fn form(&self) -> Form {
        self.format.unwrap_or(Form::Jsonl)
    }

    fn write(&self, set: &PrintSet, scheme: Scheme, out: &mut Output) -> Result<(), Failure> {
        let mut binary =
            (self.form() == Form::Binary).then(|| PrintFileWriter::new(scheme, !self.no_ids));
        for position in 0..set.len() {
            let (id, fingerprint) = (set.document_id(position), set.fingerprint(position)?);
            if let Some(binary) = &mut binary {
                binary.push(&id, &fingerprint).map_err(Failure::work)?;
                continue;
            }
            if self.form() == Form::Jsonl {
                let extractor = set.extractor(position).cloned();
                out.row(&PrintRecord { id, fingerprint, weak_bits: None, extractor })?;
                continue;
            }
            let number = match self.form() {
                Form::Hex => Some(fingerprint.to_hex()),
                Form::Base64 => Some(fingerprint.to_base64()),
                Form::Decimal => fingerprint.to_decimal(),
                _ => None,
            };
            let print = number.unwrap_or_else(|| fingerprint.to_string());
            let line = if self.no_ids { format!("{print}\n") } else { format!("{print}\t{id}\n") };
            out.text(line.as_bytes())?;
        }
        match binary {
            Some(binary) => out.whole(|stream| binary.finish(stream)),
            None => Ok(()),
        }
    }
}
