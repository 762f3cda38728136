//! What the work is expected to take, by a sample.

use std::sync::atomic::Ordering;

use nearprint::records::{DecisionRow, Format, escape};
use nearprint::{DeduplicationForecast, InputSize};

use super::Work;
use crate::disk::{self, megabytes};
use crate::ending::{Ending, Failure};
use crate::output::{Output, Stream};
use crate::results::Results;

impl Work<'_> {
    /// Says what the work would take.
    pub(super) fn forecast(&self) -> Result<Ending, Failure> {
        let Some(size) = self.against.and(&self.inputs).size() else {
            let text = "--dry-run works only with named files, not with standard input or a list \
                of paths";
            return Err(Failure::Usage(text.to_owned()));
        };
        let (found, output) = self.expected(&size)?;
        let mut out = Output::open(None, Format::Text)?;
        let held = found.memory + found.features_in_memory;
        let is_all = found.sample == found.documents;
        let text = format!(
            "documents\t{}{}\nreading\t{:.0} s\nmemory\t{} MB of {} MB\ntemporary files\t{} MB\nfolder of a job (--job)\t{} MB\n\
             decisions\t{} MB\n",
            found.documents,
            if is_all { String::new() } else { format!(", estimated from {}", found.sample) },
            found.seconds.ceil(),
            megabytes(held),
            megabytes(self.engine.settings().memory),
            megabytes(found.temporary),
            megabytes(found.job),
            megabytes(output)
        );
        out.text(text.as_bytes())?;
        out.finish()?;
        Ok(Ending::Whole)
    }

    /// Says before large work what of the disk it takes.
    pub(super) fn announce(&self) -> Result<(), Failure> {
        let size = self.against.and(&self.inputs).size();
        let Some(size) = size.filter(InputSize::is_large) else { return Ok(()) };
        let (found, output) = self.expected(&size)?;
        let directory = self.engine.temporary_directory();
        let mut said = vec![format!(
            "temporary files need about {} MB in {}",
            megabytes(found.temporary),
            escape(directory.as_os_str().as_encoded_bytes())
        )];
        if self.args.job.is_given() {
            said.push(format!("the job folder about {} MB", megabytes(found.job)));
        }
        if self.args.output.is_some() {
            said.push(format!("the decisions about {} MB", megabytes(output)));
        }
        if self.args.write.is_some() {
            said.push(format!("the kept documents up to {} MB", megabytes(size.bytes())));
        }
        disk::say(&self.talk, &size, found.documents, &said);
        Ok(found.check_room(&directory)?)
    }

    /// What inputs of this size would take, by a sample, and what their decisions would.
    fn expected(&self, size: &InputSize) -> Result<(DeduplicationForecast, u64), Failure> {
        let (stream, bytes) = Stream::counted();
        let (format, settings) = (self.args.format().of_file(true), &self.settings);
        let mut out = Results::on::<DecisionRow>(stream, format, settings.scheme)?;
        let pipeline = self.engine.pipeline(self.args.reading.settings(settings.scheme));
        let mut source = self.against.and(&self.inputs).source()?;
        let found = settings.forecast(&pipeline, &mut source, size, |row| out.row(&row))?;
        out.finish()?;
        let times = found.documents as f64 / found.sample.max(1) as f64;
        Ok((found, (bytes.load(Ordering::Relaxed) as f64 * times) as u64))
    }
}
