//! What makes a job this job: all that decides its records, so that what lies in a folder is gone on with or refused.

use std::fmt::Display;
use std::hash::Hasher;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use twox_hash::XxHash3_64;

use crate::{Content, Document, FileSettings, FileSource};

/// The identity of a job as one line for a person to read: `NAME=VALUE` separated by `; `.
///
/// ```
/// use nearprint_records::JobIdentity;
///
/// let identity = JobIdentity::new("fingerprint").with("scheme", "sd1");
/// assert_eq!(identity.as_str(), "job=fingerprint; scheme=sd1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobIdentity(String);

/// What sets values apart.
const BETWEEN: &str = "; ";

impl JobIdentity {
    /// The identity of a job of this name.
    #[must_use]
    pub fn new(job: impl Display) -> Self {
        Self(String::new()).with("job", job)
    }

    /// Adds a value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        if !self.0.is_empty() {
            self.0.push_str(BETWEEN);
        }
        // Values are for comparing and for people: a semicolon more or less is no matter to either.
        let value = value.to_string().replace(';', ",").replace('\n', " ");
        self.0.push_str(&format!("{name}={value}"));
        self
    }

    /// Adds what is known of the files named without reading them: how many there are, how long they are, and a digest
    /// of their paths, lengths and times of change. Paths that cannot be examined are counted too.
    #[must_use]
    pub fn with_files(
        self,
        name: &str,
        paths: impl IntoIterator<Item = impl Into<PathBuf>>,
        settings: &FileSettings,
    ) -> Self {
        let mut hasher = XxHash3_64::default();
        let (mut files, mut bytes) = (0u64, 0u64);
        for found in FileSource::new(paths, settings.clone()) {
            let (place, length, changed) = match &found {
                Ok(Document { place, content: Content::File { path, length }, .. }) => {
                    let changed = std::fs::metadata(path).and_then(|found| found.modified()).ok();
                    (place, *length, changed)
                }
                Ok(document) => (&document.place, document.length(), None),
                Err(error) => (&error.place, 0, None),
            };
            let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            hasher.write(place.file.as_bytes());
            hasher.write(&[0]);
            hasher.write(&length.to_le_bytes());
            hasher.write(&changed.map_or(0, |time| time.as_nanos()).to_le_bytes());
            files += 1;
            bytes += length;
        }
        let digest = hasher.finish();
        self.with(name, format!("{files} files of {bytes} bytes, digest {digest:016x}"))
    }

    /// The line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Which values differ between two identities, for a person to read; `None` if they cannot be distinguished so.
pub(super) fn differences(found: &str, wanted: &str) -> Option<String> {
    let parse = |line: &str| -> Option<Vec<(String, String)>> {
        let value = |part: &str| {
            let (name, value) = part.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        };
        line.split(BETWEEN).map(value).collect()
    };
    let (found, wanted) = (parse(found)?, parse(wanted)?);
    let value = |values: &[(String, String)], name: &str| {
        let named = values.iter().find(|(other, _)| other == name);
        named.map_or_else(|| "not given".to_owned(), |(_, value)| value.clone())
    };
    let names = found
        .iter()
        .chain(wanted.iter().filter(|(name, _)| !found.iter().any(|(other, _)| other == name)));
    let changes: Vec<String> = names
        .map(|(name, _)| (name, value(&found, name), value(&wanted, name)))
        .filter(|(_, was, is)| was != is)
        .map(|(name, was, is)| format!("{name} was {was} and is now {is}"))
        .collect();
    (!changes.is_empty()).then(|| changes.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_what_changed_only() {
        let one = JobIdentity::new("dedup").with("scheme", "md1").with("id", "url");
        let other = JobIdentity::new("dedup").with("scheme", "sd1").with("id", "url");
        let text = differences(one.as_str(), other.as_str()).unwrap();
        assert_eq!(text, "scheme was md1 and is now sd1");
        let more = other.clone().with("text", "a; b=c");
        let text = differences(other.as_str(), more.as_str()).unwrap();
        assert_eq!(text, "text was not given and is now a, b=c");
        assert_eq!(differences("squares", "cubes"), None);
    }

    #[test]
    fn files_are_known_by_name_length_and_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        let identity = || {
            let settings = FileSettings::default();
            let paths = [directory.path().to_owned()];
            JobIdentity::new("x").with_files("inputs", paths, &settings)
        };
        std::fs::write(&path, "one").unwrap();
        let first = identity();
        assert_eq!(identity(), first);
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(UNIX_EPOCH).unwrap();
        let touched = identity();
        assert_ne!(touched, first);
        std::fs::write(directory.path().join("b.txt"), "two").unwrap();
        assert_ne!(identity(), touched);
    }
}
