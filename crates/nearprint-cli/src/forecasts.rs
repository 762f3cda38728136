//! What large work takes, said before it is done: of a sample of the documents.

use std::sync::atomic::Ordering;

use nearprint::fingerprint::Scheme;
use nearprint::records::{DecisionRow, Format, escape};
use nearprint::{Dedup, DeduplicationForecast, InputSize, Inputs, Pipeline, PrintsFormat};

use crate::exit_status::{ExitStatus, Failure};
use crate::output::{Output, Stream};
use crate::prints_output::Out;
use crate::results::{ResultFormat, Results};
use crate::talk::Talk;

/// What a verb writes, beside its temporary files.
pub(crate) struct Writes {
    /// The folder of a job.
    pub(crate) job: bool,
    /// Rows, in a file.
    pub(crate) rows: bool,
    /// Kept documents.
    pub(crate) kept: bool,
}

/// Says what large work takes of the disk.
pub(crate) fn say(talk: &Talk, size: &InputSize, takes: &[String]) {
    talk.say(format_args!(
        "nearprint: {} MB of input: {}",
        megabytes(size.bytes()),
        takes.join(", ")
    ));
}

/// Megabytes (10^6 bytes), rounded up.
pub(crate) fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}

/// What a deduplication of these inputs would take.
pub(crate) struct OfDeduplication<'a> {
    pub(crate) settings: &'a Dedup,
    pub(crate) pipeline: &'a Pipeline<'a>,
    /// References and candidates.
    pub(crate) inputs: Inputs,
    pub(crate) format: ResultFormat,
}

impl OfDeduplication<'_> {
    /// Prints it.
    pub(crate) fn print(&self) -> Result<ExitStatus, Failure> {
        let Some(size) = self.inputs.size() else {
            let text = "--dry-run works only with named files, not with standard input or a list \
                of paths";
            return Err(Failure::Usage(text.to_owned()));
        };
        let (found, output) = self.expected(&size)?;
        let is_all = found.sample == found.documents;
        let text = format!(
            "question\t{}\n{}reading\t{:.0} s\nmemory\t{} MB of {} MB\ntemporary files\t{} MB\nfolder of a job (--job)\t{} MB\n\
             decisions\t{} MB\n",
            self.settings.to_json(),
            // What a sample says about the number of all others is often far from it.
            if is_all { format!("documents\t{}\n", found.documents) } else { String::new() },
            found.seconds.ceil(),
            megabytes(found.memory + found.features_in_memory),
            megabytes(self.pipeline.engine().settings().memory),
            megabytes(found.temporary),
            megabytes(found.job),
            megabytes(output)
        );
        let mut out = Output::open(None, Format::Text)?;
        out.text(text.as_bytes())?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }

    /// Says before large work what of the disk it takes, and refuses what the disk has no room for.
    pub(crate) fn announce(&self, talk: &Talk, writes: &Writes) -> Result<(), Failure> {
        let Some(size) = self.inputs.size().filter(InputSize::is_large) else { return Ok(()) };
        let (found, output) = self.expected(&size)?;
        let directory = self.pipeline.engine().temporary_directory();
        let mut said = vec![format!(
            "temporary files need about {} MB in {}",
            megabytes(found.temporary),
            escape(directory.as_os_str().as_encoded_bytes())
        )];
        // The package that is written, and its largest archive as it was and as it is written.
        let package = size.largest_package().saturating_mul(3);
        if writes.kept && package > 0 {
            said.push(format!(
                "and up to {} MB more while packages are written",
                megabytes(package)
            ));
        }
        if writes.job {
            said.push(format!("the job folder about {} MB", megabytes(found.job)));
        }
        if writes.rows {
            said.push(format!("the decisions about {} MB", megabytes(output)));
        }
        if writes.kept {
            said.push(format!("the kept documents up to {} MB", megabytes(size.bytes())));
        }
        say(talk, &size, &said);
        Ok(found.check_room(&directory)?)
    }

    /// What inputs of this size would take, by a sample, and what their decisions would.
    fn expected(&self, size: &InputSize) -> Result<(DeduplicationForecast, u64), Failure> {
        let (stream, bytes) = Stream::counted();
        let format = self.format.of_file(true);
        let mut out = Results::on::<DecisionRow>(stream, format, self.settings.print_scheme())?;
        let mut source = self.inputs.source()?;
        let take = |row: DecisionRow| out.row(&row);
        let found = self.settings.forecast(self.pipeline, &mut source, size, take)?;
        out.finish()?;
        let times = found.documents as f64 / found.sample.max(1) as f64;
        Ok((found, (bytes.load(Ordering::Relaxed) as f64 * times) as u64))
    }
}

/// Says before large work what of the disk fingerprinting takes: a job's folder, and an output in a file.
pub(crate) fn announce_prints(
    pipeline: &Pipeline<'_>,
    inputs: &Inputs,
    (format, schemes): (PrintsFormat, &[Scheme]),
    talk: &Talk,
    writes: &Writes,
) -> Result<(), Failure> {
    let writes_any = writes.rows || writes.job;
    let size = inputs.size().filter(|size| writes_any && !talk.is_quiet() && size.is_large());
    let Some(size) = size else { return Ok(()) };
    let (stream, bytes) = Stream::counted();
    let mut out = Out::on(stream, format, schemes[0])?;
    let mut source = inputs.source()?;
    let found = pipeline.forecast(&mut source, &size, |record| out.push(record))?;
    out.finish()?;
    let times = found.documents as f64 / found.sample.max(1) as f64 * schemes.len() as f64;
    let output = megabytes((bytes.load(Ordering::Relaxed) as f64 * times) as u64);
    let mut said = Vec::new();
    if writes.rows {
        said.push(format!("the output needs about {output} MB"));
    }
    if writes.job {
        said.push(format!("the job folder about {} MB", megabytes(found.job)));
    }
    say(talk, &size, &said);
    Ok(())
}
