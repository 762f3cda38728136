//! `fingerprint --weak-bits`: fingerprints as JSON lines with the bits that `prints pairs --search plan=probabilistic`
//! tries changed.

use std::io::{self, Write};
use std::path::Path;

use clap::Args;
use nearprint::fingerprint::{Family, Scheme};
use nearprint::records::{FingerprintRecord, Format, Row, Source};
use nearprint::search::{WeakBits, weakest_bits};
use nearprint::{Pipeline, PrintsFormat, ResultFormat, Tally, TextRequest};
use serde::Serialize;

use crate::exit_status::Failure;
use crate::output::Output;
use crate::talk::Talk;

/// Whether weak bits are written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct WeakBitsOption {
    /// Add the 16 least certain bits of each fingerprint to JSONL, for `prints pairs --search plan=probabilistic`
    #[arg(long)]
    weak_bits: bool,
}

impl WeakBitsOption {
    pub(crate) fn is_given(&self) -> bool {
        self.weak_bits
    }

    /// Refuses what has no weak bits, or no place for them.
    pub(crate) fn check(
        &self,
        schemes: &[Scheme],
        format: PrintsFormat,
        has_job: bool,
    ) -> Result<(), Failure> {
        let is_served = matches!(schemes, [scheme] if scheme.family() != Family::Sketch)
            && format == PrintsFormat::Rows(ResultFormat::Jsonl)
            && !has_job;
        if !self.weak_bits || is_served {
            return Ok(());
        }
        let text = "--weak-bits is only for --format jsonl with one scheme of simhashes (sd1, sl1), and without --job";
        Err(Failure::Usage(text.to_owned()))
    }
}

/// The record of a fingerprint with its weak bits.
#[derive(Serialize)]
struct WeakBitsRow<'a> {
    #[serde(flatten)]
    record: &'a FingerprintRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    weak_bits: Option<WeakBits>,
}

impl Row for WeakBitsRow<'_> {
    const SCHEMA: &'static str = FingerprintRecord::SCHEMA;

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.record.write_text(out)
    }
}

/// Writes the records of all documents, those of simhashes with their weak bits.
pub(crate) fn write_weak_bits(
    pipeline: Pipeline<'_>,
    source: &mut dyn Source,
    file: Option<&Path>,
    talk: &Talk,
) -> Result<Tally, Failure> {
    // The fingerprint once more, as the counters it was made of.
    let wanted =
        TextRequest { schemes: vec![pipeline.settings().scheme], ..TextRequest::default() };
    let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
    let mut out = Output::open(file, Format::Jsonl)?;
    let tally = pipeline.read(source, &wanted, |record, made, _| {
        talk.nothing(&record);
        let counted = made.and_then(|made| made.prints.into_iter().next());
        let weak_bits = counted.map(|counted| weakest_bits(counted.counters()));
        out.row(&WeakBitsRow { record: &record, weak_bits })
    })?;
    out.finish()?;
    Ok(tally)
}
