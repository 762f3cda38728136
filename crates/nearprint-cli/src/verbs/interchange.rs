//! `nearprint prints interchange`: collections of fingerprints that parties exchange (`spec/INTERCHANGE.md`).

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use nearprint::fingerprint::Scheme;
use nearprint::records::{
    DocumentId, Format, InterchangeError, InterchangeForm, InterchangeHeader, InterchangeReader,
    InterchangeRelation, InterchangeRow, InterchangeWriter, PrintRecord, Row, escape,
};
use nearprint::{InputSettings, Inputs, PrintSet};
use serde::Serialize;

use super::conclude;
use crate::exit_status::{ExitStatus, Failure};
use crate::keys::Setting;
use crate::options::{JsonOption, SchemeOption, WorkOptions};
use crate::output::{Output, is_terminal};
use crate::outputs::{ForceOption, Outputs};
use crate::search_inputs::{format_key, gather_prints};
use crate::talk::Talk;

/// Write, read and compare the files in which parties exchange fingerprints
///
/// Such a file states its scheme, what extracted the texts, and whose collection it is; its last line has the number
/// and the SHA-256 of its rows, so a reader knows that it is whole. spec/INTERCHANGE.md specifies it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint fingerprint --scheme md1 reports | nearprint prints interchange write -o reports.nearprint -
  nearprint prints interchange read theirs.nearprint > theirs.txt
  nearprint prints interchange compare reports.nearprint theirs.nearprint")]
pub(crate) struct InterchangeArgs {
    #[command(subcommand)]
    verb: InterchangeVerb,
}

#[derive(Debug, Subcommand)]
enum InterchangeVerb {
    Write(WriteArgs),
    Read(ReadArgs),
    Compare(CompareArgs),
}

impl InterchangeArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        match self.verb {
            InterchangeVerb::Write(args) => args.run(),
            InterchangeVerb::Read(args) => args.run(),
            InterchangeVerb::Compare(args) => args.run(),
        }
    }
}

/// Keys of `--metadata`, and the lines of the header that they are.
const HEADER_KEYS: [(&str, &str); 5] = [
    ("extractor", InterchangeHeader::EXTRACTOR),
    ("profile", InterchangeHeader::EXTRACTION_PROFILE),
    ("collection", "Collection"),
    ("creator", "Creator"),
    ("rights", "Rights"),
];

/// Write fingerprint files as one file for other parties
///
/// The order is kept. All fingerprints are held in memory. Fingerprints that do not say whether they are short cannot
/// be written.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint fingerprint --scheme md1 reports | nearprint prints interchange write --metadata creator=Harbour -
  nearprint prints interchange write --no-ids --output ours.nearprint prints.txt
  nearprint prints interchange write --json --output ours.nearprint.jsonl prints.txt")]
struct WriteArgs {
    /// Fingerprint files, or - for standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Set how the INPUTs are read
    #[arg(long, value_name = "KEY=VALUE", value_parser = format_key(), help_heading = "Reading")]
    read: Vec<Setting>,
    #[command(flatten)]
    scheme: SchemeOption,
    /// Set a line of the header: extractor=NAME/VERSION (once for each), profile=NUMBER of the extraction profile that
    /// all texts follow, collection=TEXT, creator=TEXT, rights=TEXT
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Header")]
    metadata: Vec<String>,
    /// Omit the ids, which often tell more than fingerprints do
    #[arg(long, help_heading = "Output")]
    no_ids: bool,
    /// Write JSON lines
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Write to FILE, which appears only when it is complete (- for standard output)
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
    #[command(flatten)]
    work: WorkOptions,
}

impl WriteArgs {
    fn run(self) -> Result<ExitStatus, Failure> {
        let file = self.output.as_deref();
        let outputs = Outputs::new(self.force).rows(file);
        let inputs = Inputs::new(&self.inputs, InputSettings::default())?;
        outputs.check([&inputs])?;
        let talk = Talk::new(self.work.level(), is_terminal(file));
        let mut out = Output::open(file, Format::Text)?;
        let (set, tally) = gather_prints(&inputs, &self.read, self.scheme.given(), &talk)?;
        let header = self.header(set.scheme())?;
        let form = if self.json { InterchangeForm::JsonLines } else { InterchangeForm::Lines };
        let mut refused = None;
        out.whole(|stream| {
            write_set(&set, header, form, stream).or_else(|error| match error {
                InterchangeError::Io(error) => Err(error),
                other => {
                    refused = Some(other);
                    Ok(())
                }
            })
        })?;
        if let Some(error) = refused {
            return Err(Failure::Work(format!("a fingerprint cannot be written: {error}")));
        }
        out.finish()?;
        Ok(conclude(&talk, &tally))
    }

    fn header(&self, scheme: Scheme) -> Result<InterchangeHeader, Failure> {
        let mut header = InterchangeHeader::of(scheme);
        for setting in &self.metadata {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            let Some((_, name)) = HEADER_KEYS.iter().find(|(known, _)| *known == key) else {
                let known = HEADER_KEYS.map(|(key, _)| key).join(", ");
                let key = escape(key.as_bytes());
                return Err(Failure::Usage(format!("--metadata {key}: use one of {known}")));
            };
            header.push(*name, value).map_err(|_| {
                let shown = escape(value.as_bytes());
                Failure::Usage(format!(
                    "--metadata {key} cannot be \"{shown}\": it is one line without control characters, and \
                    has no blank at its beginning or end"
                ))
            })?;
        }
        if self.no_ids {
            let pushed = header.push(InterchangeHeader::IDS, "none");
            pushed.map_err(|reason| Failure::Work(reason.as_str().to_owned()))?;
        }
        Ok(header)
    }
}

fn write_set(
    set: &PrintSet,
    header: InterchangeHeader,
    form: InterchangeForm,
    out: &mut dyn Write,
) -> Result<(), InterchangeError> {
    let has_ids = header.has_ids();
    let mut writer = InterchangeWriter::new(out, form, header)?;
    for position in 0..set.len() {
        let id = set.document_id(position);
        let Some(short) = set.short(position) else {
            return Err(InterchangeError::Io(io::Error::other(format!(
                "{id} does not say whether its fingerprint is short; fingerprint the documents \
                again, or give lines FINGERPRINT TAB ID"
            ))));
        };
        let fingerprint = set.fingerprint(position).map_err(io::Error::other)?;
        let id = has_ids.then(|| id.to_bytes());
        writer.write(&InterchangeRow { fingerprint, short, id })?;
    }
    writer.finish()?;
    Ok(())
}

/// Check a file of another party, and print its fingerprints
///
/// Prints lines FINGERPRINT TAB ID, as `nearprint fingerprint` does, or with --json its rows. A file that is damaged or
/// cut off is refused with the line and the reason; an output FILE then does not appear. Rows without ids are called by
/// their number.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints interchange read theirs.nearprint > theirs.txt
  nearprint prints interchange read --only header theirs.nearprint
  nearprint prints interchange read theirs.nearprint | nearprint prints pairs - --against ours.txt")]
struct ReadArgs {
    /// File of another party, or - for standard input
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Print the header alone, once the whole file was checked
    #[arg(long, value_name = "PART", value_parser = ["header"], help_heading = "Output")]
    only: Option<String>,
    /// Print one JSON object per fingerprint
    #[arg(long, help_heading = "Output", conflicts_with = "only")]
    json: bool,
    /// Write to FILE, which appears only when it is complete (- for standard output)
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
}

impl ReadArgs {
    fn run(self) -> Result<ExitStatus, Failure> {
        let file = self.output.as_deref();
        let outputs = Outputs::new(self.force).rows(file);
        outputs.check([&Inputs::new([&self.input], InputSettings::default())?])?;
        let mut reader = open(&self.input)?;
        let format = if self.json { Format::Jsonl } else { Format::Text };
        let mut out = Output::open(file, format)?;
        while let Some(row) = reader.next_row().map_err(|error| refused(&self.input, &error))? {
            if self.only.is_some() {
                continue;
            }
            let id = match row.id {
                Some(bytes) => escape(&bytes),
                None => reader.rows().to_string(),
            };
            let id = DocumentId::new(id).map_err(Failure::work)?;
            out.row(&PrintRecord::new(id, row.fingerprint, Some(row.short), None))?;
        }
        if self.only.is_some() {
            for (name, value) in reader.header().fields() {
                out.text(format!("{name}: {value}\n").as_bytes())?;
            }
        }
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}

/// Report whether the fingerprints of two files can be compared, and how well
///
/// Both files are checked. States whether they have the same scheme, extraction profile and extractors, and the share
/// of short fingerprints of each. Files of different schemes cannot be compared, which is an error.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints interchange compare ours.nearprint theirs.nearprint
  nearprint prints interchange compare --json ours.nearprint theirs.nearprint")]
struct CompareArgs {
    /// First file
    #[arg(value_name = "A")]
    one: PathBuf,
    /// Second file
    #[arg(value_name = "B")]
    other: PathBuf,
    #[command(flatten)]
    json: JsonOption,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: RelationFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum RelationFormat {
    /// Lines for people
    Text,
    /// One JSON object
    Jsonl,
}

impl CompareArgs {
    fn run(self) -> Result<ExitStatus, Failure> {
        let mut sides = Vec::new();
        let mut headers = Vec::new();
        for path in [&self.one, &self.other] {
            let mut reader = open(path)?;
            while reader.next_row().map_err(|error| refused(path, &error))?.is_some() {}
            sides.push(Side { rows: reader.rows(), short: reader.short_rows() });
            headers.push(reader.header().clone());
        }
        let relation = InterchangeRelation::of(&headers[0], &headers[1])
            .map_err(|reason| Failure::Work(reason.as_str().to_owned()))?;
        if let Some((one, other)) = relation.unlike {
            return Err(Failure::Usage(format!(
                "{} contains {} fingerprints, {} {}: different schemes cannot be compared",
                name(&self.one),
                one.id(),
                name(&self.other),
                other.id()
            )));
        }
        let row = RelationRow {
            scheme: headers[0].value(InterchangeHeader::SCHEME).unwrap_or_default().to_owned(),
            same_profile: relation.same_profile,
            same_extractors: relation.same_extractors,
            far: relation.is_far,
            a: sides[0],
            b: sides[1],
        };
        let is_json = self.json.json || self.format == RelationFormat::Jsonl;
        let mut out = Output::open(None, if is_json { Format::Jsonl } else { Format::Text })?;
        out.row(&row)?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}

/// The rows of a file.
#[derive(Debug, Clone, Copy, Serialize)]
struct Side {
    rows: u64,
    short: u64,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.short as f64 / self.rows.max(1) as f64;
        write!(f, "{} fingerprints, {} short ({share:.1} %)", self.rows, self.short)
    }
}

/// How two files can be compared.
#[derive(Debug, Serialize)]
struct RelationRow {
    scheme: String,
    same_profile: bool,
    same_extractors: bool,
    far: bool,
    a: Side,
    b: Side,
}

impl Row for RelationRow {
    const SCHEMA: &'static str = "nearprint/interchange/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let stated = |same| if same { "the same is stated" } else { "not stated, or different" };
        writeln!(out, "scheme: {}", self.scheme)?;
        writeln!(out, "extraction profile: {}", stated(self.same_profile))?;
        writeln!(out, "extractors: {}", stated(self.same_extractors))?;
        writeln!(out, "A: {}", self.a)?;
        writeln!(out, "B: {}", self.b)?;
        if self.far {
            writeln!(
                out,
                "note: fingerprints of one document can be farther apart than the default distance, \
                as its texts may differ; exchange md1"
            )?;
        }
        if self.a.short + self.b.short > 0 {
            writeln!(out, "note: matches of short fingerprints are weak evidence")?;
        }
        Ok(())
    }
}

fn name(path: &Path) -> String {
    escape(path.as_os_str().as_encoded_bytes())
}

fn refused(path: &Path, error: &InterchangeError) -> Failure {
    Failure::Work(format!("{}: {error}", name(path)))
}

/// Opens a file in either form.
fn open(path: &Path) -> Result<InterchangeReader<Box<dyn BufRead>>, Failure> {
    let cannot = |error: io::Error| Failure::Work(format!("cannot read {}: {error}", name(path)));
    let mut input: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(cannot)?))
    };
    let begun = input.fill_buf().map_err(cannot)?;
    let form = InterchangeForm::of_beginning(begun).unwrap_or(match begun.first() {
        Some(b'{') => InterchangeForm::JsonLines,
        _ => InterchangeForm::Lines,
    });
    InterchangeReader::open(input, form).map_err(|error| refused(path, &error))
}
