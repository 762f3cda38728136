//! What extracts documents: workers, or this process. A build without the feature `worker` has its twin
//! `extraction_none.rs`.

pub(crate) use nearprint_worker::StartError;
pub(super) use nearprint_worker::{Extractor, StopSignal};

use nearprint_worker::{Isolation, locate};

use super::EngineSettings;

/// The extractor of these settings.
pub(super) fn extractor(settings: &EngineSettings) -> Extractor {
    Extractor::new(settings.isolation, settings.workers.clone())
}

/// The settings of an engine that nobody chose, and why documents are read in this process if they are.
pub(super) fn default_settings() -> (EngineSettings, Option<String>) {
    with_worker_or_without(locate().map(drop))
}

pub(super) fn with_worker_or_without(
    located: Result<(), StartError>,
) -> (EngineSettings, Option<String>) {
    let settings = EngineSettings::default();
    match located {
        Ok(()) => (settings, None),
        Err(error) => {
            (EngineSettings { isolation: Isolation::Never, ..settings }, Some(error.to_string()))
        }
    }
}
