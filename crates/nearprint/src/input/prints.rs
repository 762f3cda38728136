//! Fingerprints of all files that are named.

use std::path::PathBuf;

use nearprint_records::{ErrorRecord, InputFile, PrintFormat};

use super::inputs::{OpenInput, is_standard_input};
use super::{Inputs, InputsError, UnexpectedInput, expect_prints};
use crate::{PrintFileEvent, PrintSet, Tally};

impl Inputs {
    /// Adds the fingerprints of all files to a set. `watch` is called after every line or file: with what was read so
    /// far, and with the error of a line or a file that has none.
    ///
    /// # Errors
    /// As [`named`](Self::named); [`InputsError::Unexpected`] where the first lines of a file hold no fingerprint;
    /// [`InputsError::Prints`] where they cannot be added, such as those of another scheme.
    pub fn read_prints(
        &self,
        format: PrintFormat,
        set: &mut PrintSet,
        mut watch: impl FnMut(&Tally, Option<&ErrorRecord>),
    ) -> Result<Tally, InputsError> {
        let mut tally = Tally::default();
        for file in self.named()? {
            set.read_file(file, format, &mut tally, &mut watch)?;
        }
        Ok(tally)
    }

    /// Refuses files without fingerprints before any work ([`expect_prints`]). Standard input is looked at when it is
    /// read.
    ///
    /// # Errors
    /// [`InputsError::Unexpected`].
    pub fn expect_prints(&self, format: PrintFormat) -> Result<(), InputsError> {
        let mut paths = self.paths().iter();
        paths.try_for_each(|path| expect_prints(path, format)).map_err(InputsError::Unexpected)
    }
}

impl PrintSet {
    /// Adds the fingerprints of one file that [`Inputs::named`] names, and counts them in `tally`.
    ///
    /// # Errors
    /// As [`Inputs::read_prints`].
    pub fn read_file(
        &mut self,
        file: Result<PathBuf, ErrorRecord>,
        format: PrintFormat,
        tally: &mut Tally,
        mut watch: impl FnMut(&Tally, Option<&ErrorRecord>),
    ) -> Result<(), InputsError> {
        let path = match file {
            Ok(path) if is_standard_input(&path) => {
                let mut standard = InputFile::standard_input();
                if standard.has_no_prints(format).unwrap_or(false) {
                    let file = "-".to_owned();
                    let unexpected = UnexpectedInput::NoPrints { file, format };
                    return Err(InputsError::Unexpected(unexpected));
                }
                return self.read_standard_input(standard, format, tally, watch);
            }
            file => file,
        };
        if let Ok(path) = &path {
            expect_prints(path, format).map_err(InputsError::Unexpected)?;
        }
        match path.and_then(|path| OpenInput::of(&path)) {
            Ok(opened) => self.read_opened(opened, format, tally, watch),
            Err(error) => {
                tally.count_nothing(true);
                watch(tally, Some(&error));
                Ok(())
            }
        }
    }

    /// Adds the fingerprints of standard input, which was looked at before.
    ///
    /// # Errors
    /// As [`Inputs::read_prints`].
    pub fn read_standard_input(
        &mut self,
        standard: InputFile,
        format: PrintFormat,
        tally: &mut Tally,
        watch: impl FnMut(&Tally, Option<&ErrorRecord>),
    ) -> Result<(), InputsError> {
        let reader = Box::new(standard.into_stored());
        self.read_opened(
            OpenInput { name: "-".to_owned(), reader, length: None },
            format,
            tally,
            watch,
        )
    }

    fn read_opened(
        &mut self,
        OpenInput { name, reader, length }: OpenInput,
        format: PrintFormat,
        tally: &mut Tally,
        mut watch: impl FnMut(&Tally, Option<&ErrorRecord>),
    ) -> Result<(), InputsError> {
        self.read(&name, reader, length, format, |met| match met {
            PrintFileEvent::Prints(prints) => {
                tally.count_prints(prints);
                watch(tally, None);
            }
            PrintFileEvent::Error(error) => {
                tally.count_nothing(error.reason.is_failure());
                watch(tally, Some(&error));
            }
        })?;
        Ok(())
    }
}
