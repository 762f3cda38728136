//! Files that are whole or not there.

use serde::{Deserialize, Serialize};

use super::{JOB, JOB_SCHEMA, PartsError, Storage};

/// What `job.json` holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    schema: String,
    /// All that decides the records.
    identity: String,
}

/// Writes a file so that after any crash it is there whole or not at all, and that it is there once this returns.
pub(super) fn write<S: Storage>(
    storage: &mut S,
    name: &str,
    octets: &[u8],
) -> Result<(), PartsError> {
    let draft = format!("{name}.draft");
    storage.write(&draft, octets)?;
    storage.sync(&draft)?;
    storage.rename(&draft, name)?;
    storage.sync_names()?;
    Ok(())
}

/// A value as a line of JSON.
pub(super) fn line(value: &impl Serialize) -> Result<Vec<u8>, PartsError> {
    let mut octets = serde_json::to_vec(value).map_err(std::io::Error::from)?;
    octets.push(b'\n');
    Ok(octets)
}

pub(super) fn write_job<S: Storage>(storage: &mut S, identity: &str) -> Result<(), PartsError> {
    let job = Job { schema: JOB_SCHEMA.to_owned(), identity: identity.to_owned() };
    let octets = line(&job)?;
    write(storage, JOB, &octets)
}

pub(super) fn read_job<S: Storage>(storage: &S) -> Result<String, PartsError> {
    let damaged = |why: String| PartsError::Damaged { name: JOB.to_owned(), why };
    let job: Job =
        serde_json::from_slice(&storage.read(JOB)?).map_err(|error| damaged(error.to_string()))?;
    if job.schema == JOB_SCHEMA {
        Ok(job.identity)
    } else {
        Err(damaged(format!("it is of another form, {}", job.schema)))
    }
}
