//! One document that a path names.

use std::path::Path;

use nearprint_records::{Document, ErrorRecord, FileSource, InputFile, escape};

use super::{InputSettings, Inputs, InputsError, expect_one_document};

impl Inputs {
    /// The one document that is named; `None` where the path ceased to name one.
    ///
    /// # Errors
    /// [`InputsError::SeveralPaths`], [`InputsError::Missing`], [`InputsError::Directory`], and
    /// [`InputsError::Unexpected`] for a file of many documents or of fingerprints. Inside: why the file cannot be
    /// read.
    pub fn one_document(&self) -> Result<Option<Result<Document, ErrorRecord>>, InputsError> {
        let path = self.only_path()?;
        self.check_present()?;
        if let Some(mut file) = path.is_file().then(|| InputFile::open(path).ok()).flatten() {
            expect_one_document(&mut file, &InputSettings::default())
                .map_err(InputsError::Unexpected)?;
        }
        refuse_directory(path)?;
        // A directory may have taken the file's place a moment ago, and an empty one has no document.
        Ok(FileSource::new([path], self.settings().files.clone()).next())
    }

    /// Refuses a directory where a file is expected.
    ///
    /// # Errors
    /// [`InputsError::Directory`].
    pub fn refuse_directories(&self) -> Result<(), InputsError> {
        self.paths().iter().try_for_each(|path| refuse_directory(path))
    }
}

fn refuse_directory(path: &Path) -> Result<(), InputsError> {
    if path.is_dir() {
        let path = escape(path.as_os_str().as_encoded_bytes());
        return Err(InputsError::Directory { path });
    }
    Ok(())
}
