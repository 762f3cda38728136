//! A job that can be ended at any time and resumed: `cargo run --example resumable_job -- INPUT JOB_FOLDER`.

use nearprint::records::{Folder, JobIdentity, Outcome, PartSize, PartsError};
use nearprint::{
    Engine, InputSettings, InputSource, JobError, ResumableJob, Role, Settings, TextRequest,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(input), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("name an input and a folder for the job".into());
    };
    let engine = Engine::default();
    let pipeline = engine.pipeline(Settings::default());
    // What decides the records belongs to the identity: a folder of another job is refused.
    let identity =
        JobIdentity::new("example of fingerprints").with("input", input.to_string_lossy());
    let folder = Folder::open(std::path::Path::new(&folder)).map_err(PartsError::from)?;
    let mut job = ResumableJob::open(folder, &identity, PartSize::default())?;
    println!("{} documents were done before", job.documents());
    let mut source = InputSource::new([input], InputSettings::default());
    job.read(&pipeline, &mut source, Role::Candidate, &TextRequest::default())?;
    println!("{} documents in all", job.documents());
    job.finish()?;
    job.for_each(|done| {
        if let Outcome::Print { fingerprint, .. } = &done.record.outcome {
            println!("{fingerprint}\t{}", done.record.id);
        }
        Ok::<_, JobError>(())
    })?;
    Ok(())
}
