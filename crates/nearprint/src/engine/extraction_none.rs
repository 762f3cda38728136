//! Extraction in a build without the feature `worker`: in this process alone.

use std::fmt;

use nearprint_extract::{ExtractError, Extraction, Hints, Limits, extract};

use super::EngineSettings;

/// Extracts documents in this process.
#[derive(Debug)]
pub(super) struct Extractor;

/// Why no worker can be started: none is asked for.
#[derive(Debug)]
pub(crate) enum StartError {}

impl fmt::Display for StartError {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

/// What would end an extraction in a worker.
pub(super) struct StopSignal;

impl StopSignal {
    pub(super) fn new(_: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self
    }
}

impl Extractor {
    pub(super) fn extract_until(
        &self,
        bytes: &[u8],
        hints: &Hints,
        limits: &Limits,
        _: Option<&StopSignal>,
    ) -> Result<Result<Extraction, ExtractError>, StartError> {
        Ok(extract(bytes, hints, limits))
    }
}

/// The extractor of any settings.
pub(super) fn extractor(_: &EngineSettings) -> Extractor {
    Extractor
}

/// The settings of an engine that nobody chose, and why documents are read in this process.
pub(super) fn default_settings() -> (EngineSettings, Option<String>) {
    let note = "this build has no worker processes (feature \"worker\")";
    (EngineSettings::default(), Some(note.to_owned()))
}
