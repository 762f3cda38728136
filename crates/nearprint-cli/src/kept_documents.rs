//! Where the kept documents of a deduplication go.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{DecisionRow, escape};
use nearprint::{
    CancelFlag, Decisions, DedupDocuments, Engine, Inputs, KeptLayout, KeptOutput, KeptWriter,
    ResultFormat, Revisits,
};

use crate::exit_status::Failure;
use crate::output::Stream;
use crate::outputs::{ForceOption, Outputs, one_standard_output};
use crate::results::Results;
use crate::talk::Talk;
use crate::{interrupt, messages};

/// Where they are written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct KeptOption {
    /// Write the kept documents to PATH: a file if one file is named (- for standard output), else a directory, which
    /// must be new or empty
    #[arg(long, value_name = "PATH")]
    write: Option<PathBuf>,
    /// Drop nothing from web archives; in WARC files, write responses whose stored payload equals that of an earlier
    /// one, byte for byte, as revisits of the earliest
    #[arg(long, requires = "write")]
    revisits: bool,
    /// Write an index of captures (CDXJ) with the decision on each to FILE; sort it before use
    #[arg(long, value_name = "FILE")]
    cdxj: Option<PathBuf>,
}

/// Where the inputs are written without what is found in them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct CopyOption {
    /// Write the inputs without what is found in them to PATH: a file if one file is named (- for standard output),
    /// else a directory, which must be new or empty
    #[arg(long, value_name = "PATH")]
    write: Option<PathBuf>,
}

/// Writes the decisions to each output, all in one pass.
pub(crate) fn write_decisions(
    mut outputs: Vec<Results>,
    decisions: &Decisions,
    gathered: &mut DedupDocuments,
) -> Result<(), Failure> {
    if outputs.is_empty() {
        return Ok(());
    }
    decisions
        .for_each(gathered, |row| outputs.iter_mut().try_for_each(|output| output.row(&row)))?;
    outputs.into_iter().try_for_each(Results::finish)
}

/// An output of kept documents that has begun.
pub(crate) struct KeptDocuments {
    layout: KeptLayout,
    output: KeptOutput,
}

impl KeptOption {
    /// Whether they are written.
    pub(crate) fn is_given(&self) -> bool {
        self.write.is_some()
    }

    /// They and the decisions as outputs to be checked. `rows` is where the decisions go, if they are written.
    pub(crate) fn outputs(
        &self,
        force: ForceOption,
        rows: Option<Option<&Path>>,
        inputs: &Inputs,
    ) -> Result<Outputs, Failure> {
        let outputs = Outputs::new(force).report(self.cdxj.as_deref());
        with_copies(outputs, self.write.as_deref(), rows, inputs)
    }

    /// The decisions where captures become revisits, if that is wanted. `against` are not written, and may hold the
    /// earliest.
    pub(crate) fn with_revisits(
        &self,
        decisions: Decisions,
        gathered: &mut DedupDocuments,
        [against, inputs]: [&Inputs; 2],
        engine: &Engine,
    ) -> Result<Decisions, Failure> {
        if !self.revisits {
            return Ok(decisions);
        }
        let (reading, directory) = (&inputs.settings().reading, engine.temporary_directory());
        let (references, files) = (against.files()?, inputs.files()?);
        let never = CancelFlag::new();
        let revisits = Revisits::plan(references, files, reading, &directory, &never);
        let revisits = revisits.map_err(Failure::work)?;
        decisions.with_revisits(revisits, gathered).map_err(Failure::work)
    }

    /// The index of captures, if it is wanted.
    pub(crate) fn captures(&self, scheme: Scheme) -> Result<Option<Results>, Failure> {
        let Some(file) = &self.cdxj else { return Ok(None) };
        let stream = Stream::open(Some(file))?;
        Results::on::<DecisionRow>(stream, ResultFormat::Cdxj, scheme).map(Some)
    }

    /// Begins the output before anything is read: what cannot be written is known at once.
    pub(crate) fn begin(&self, inputs: &Inputs) -> Result<Option<KeptDocuments>, Failure> {
        begin(self.write.as_deref(), inputs)
    }
}

impl CopyOption {
    /// Whether they are written.
    pub(crate) fn is_given(&self) -> bool {
        self.write.is_some()
    }

    /// They and the rows as outputs to be checked. `rows` is where the rows go, if they are written.
    pub(crate) fn outputs(
        &self,
        force: ForceOption,
        rows: Option<Option<&Path>>,
        inputs: &Inputs,
    ) -> Result<Outputs, Failure> {
        with_copies(Outputs::new(force), self.write.as_deref(), rows, inputs)
    }

    /// Begins the output before anything is read, if it is wanted.
    pub(crate) fn begin(&self, inputs: &Inputs) -> Result<Option<KeptDocuments>, Failure> {
        begin(self.write.as_deref(), inputs)
    }
}

/// Outputs with copies of the inputs at `path`, where they are written, and with the rows about them.
fn with_copies(
    outputs: Outputs,
    path: Option<&Path>,
    rows: Option<Option<&Path>>,
    inputs: &Inputs,
) -> Result<Outputs, Failure> {
    let outputs = match rows {
        Some(file) => {
            one_standard_output(file, path, "--write")?;
            outputs.rows(file)
        }
        None => outputs,
    };
    Ok(match path {
        Some(path) if layout(inputs, path).is_file() => outputs.report(Some(path)),
        Some(path) => outputs.folder(path),
        None => outputs,
    })
}

/// Begins copies of the inputs before anything is read: what cannot be written is known at once.
fn begin(path: Option<&Path>, inputs: &Inputs) -> Result<Option<KeptDocuments>, Failure> {
    let Some(path) = path else { return Ok(None) };
    if inputs.paths().iter().any(|path| path.as_os_str() == "-") {
        let text = "--write copies the inputs, and standard input cannot be read a second time: put it into a file";
        return Err(Failure::Usage(text.to_owned()));
    }
    let layout = layout(inputs, path);
    if layout.is_standard_output() && !layout.is_file() {
        let text = "--write - is only for one input file; name a directory for several";
        return Err(Failure::Usage(text.to_owned()));
    }
    let begun = layout
        .place()
        .and_then(|place| interrupt::unfinished(&place, || layout.begin(), KeptOutput::part));
    let name = || escape(path.as_os_str().as_encoded_bytes());
    let output = begun.map_err(|error| Failure::Output { name: name(), error })?;
    Ok(Some(KeptDocuments { layout, output }))
}

impl KeptDocuments {
    /// Has `work` write the output, and shows how far that is.
    pub(crate) fn with<X>(self, talk: &Talk, work: impl FnOnce(KeptWriter<'_>) -> X) -> X {
        let writer = KeptWriter::new(&self.layout, self.output);
        let done = work(writer.watched_by(|bytes| talk.writing(bytes)));
        talk.clear();
        done
    }

    /// Writes the kept documents, if that is wanted, and says how many.
    pub(crate) fn write(
        kept: Option<Self>,
        decisions: &Decisions,
        gathered: &mut DedupDocuments,
        inputs: &Inputs,
        talk: &Talk,
    ) -> Result<(), Failure> {
        let Some(kept) = kept else { return Ok(()) };
        let files = inputs.files()?;
        let reading = inputs.settings().reading.clone();
        let written = kept
            .with(talk, |writer| decisions.write_kept(gathered, writer.reading(reading), files));
        messages::kept(talk, &written.map_err(Failure::work)?);
        Ok(())
    }
}

fn layout(inputs: &Inputs, path: &Path) -> KeptLayout {
    KeptLayout::new(inputs.paths(), inputs.has_list(), path)
}
