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
    bytes: &[u8],
) -> Result<(), PartsError> {
    let draft = format!("{name}.draft");
    storage.write(&draft, bytes)?;
    storage.sync(&draft)?;
    storage.rename(&draft, name)?;
    storage.sync_names()?;
    Ok(())
}

/// A value as a line of JSON.
pub(super) fn line(value: &impl Serialize) -> Result<Vec<u8>, PartsError> {
    let mut bytes = serde_json::to_vec(value).map_err(std::io::Error::from)?;
    bytes.push(b'\n');
    Ok(bytes)
}

pub(super) fn write_job<S: Storage>(storage: &mut S, identity: &str) -> Result<(), PartsError> {
    let job = Job { schema: JOB_SCHEMA.to_owned(), identity: identity.to_owned() };
    let bytes = line(&job)?;
    write(storage, JOB, &bytes)
}

pub(super) fn read_job<S: Storage>(storage: &S) -> Result<String, PartsError> {
    let bytes = storage.read(JOB)?;
    check_form(JOB, &bytes, JOB_SCHEMA)?;
    let job: Job = serde_json::from_slice(&bytes)
        .map_err(|error| PartsError::Damaged { name: JOB.to_owned(), why: error.to_string() })?;
    Ok(job.identity)
}

/// Tells what another version wrote from what is damaged: by the schema that every form states, whatever else it has.
pub(super) fn check_form(name: &str, line: &[u8], wanted: &'static str) -> Result<(), PartsError> {
    #[derive(Deserialize)]
    struct Form {
        schema: String,
    }
    let name = name.to_owned();
    let stem = wanted.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let of_other_version = |schema: &str| {
        let number = schema.strip_prefix(stem);
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match serde_json::from_slice(line) {
        Ok(Form { schema }) if schema == wanted => Ok(()),
        Ok(Form { schema: found }) if of_other_version(&found) => {
            Err(PartsError::OtherVersion { name, found, wanted })
        }
        Ok(Form { schema }) => {
            let why = format!("it states that it is {}", schema.escape_debug());
            Err(PartsError::Damaged { name, why })
        }
        Err(error) => Err(PartsError::Damaged { name, why: format!("its first line: {error}") }),
    }
}
