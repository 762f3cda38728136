//! Fingerprints of all files that are named.

use std::path::PathBuf;

use nearprint_fingerprint::Scheme;
use nearprint_records::{ErrorRecord, InputFile, PrintFormat, StatedScheme, escape};

use super::inputs::{OpenInput, is_standard_input};
use super::{Inputs, InputsError, UnexpectedInput, expect_prints};
use crate::{PrintFileEvent, PrintSet, Tally};

/// Fingerprint files that were looked at and not read yet, so that what they state is known before.
pub struct PrintInputs {
    inputs: Inputs,
    format: PrintFormat,
    scheme: Option<Scheme>,
    /// Standard input as far as it was looked at, where it is one of them.
    standard: Option<InputFile>,
}

impl PrintInputs {
    /// The scheme of the first fingerprint; `None` where the beginnings of the files state none, as those of numbers.
    #[must_use]
    pub fn scheme(&self) -> Option<Scheme> {
        self.scheme
    }

    /// Adds the fingerprints of all files to a set. `watch` is called after every line or file: with what was read so
    /// far, and with the error of a line or a file that has none.
    ///
    /// # Errors
    /// As [`Inputs::read_prints`].
    pub fn read(
        mut self,
        set: &mut PrintSet,
        mut watch: impl FnMut(&Tally, Option<&ErrorRecord>),
    ) -> Result<Tally, InputsError> {
        let mut tally = Tally::default();
        for file in self.inputs.named()? {
            match (&file, self.standard.take()) {
                (Ok(path), Some(standard)) if is_standard_input(path) => {
                    set.read_standard_input(standard, self.format, &mut tally, &mut watch)?;
                }
                (_, standard) => {
                    self.standard = standard;
                    set.read_file(file, self.format, &mut tally, &mut watch)?;
                }
            }
        }
        Ok(tally)
    }
}

/// Refuses a file without fingerprints, and one whose scheme nobody knows; returns the scheme that it states.
fn looked_at(file: &mut InputFile, format: PrintFormat) -> Result<Option<Scheme>, UnexpectedInput> {
    let name = String::from(&*file.place().file);
    if file.has_no_prints(format).unwrap_or(false) {
        return Err(UnexpectedInput::NoPrints { file: name, format });
    }
    if format != PrintFormat::Nearprint {
        return Ok(None);
    }
    match file.stated_scheme() {
        Ok(Some(StatedScheme::Known(scheme))) => Ok(Some(scheme)),
        Ok(Some(StatedScheme::Unknown(id))) => {
            Err(UnexpectedInput::UnknownScheme { file: name, id })
        }
        // What cannot be read is an error record when it is read.
        Ok(None) | Err(_) => Ok(None),
    }
}

impl Inputs {
    /// Looks at the beginnings of fingerprint files, of standard input, too, and reads none of them.
    ///
    /// # Errors
    /// [`InputsError::Unexpected`] where the first lines of a file hold no fingerprint, or one of an unknown scheme.
    pub fn prints(&self, format: PrintFormat) -> Result<PrintInputs, InputsError> {
        self.check_present()?;
        let inputs = self.clone();
        let mut prints = PrintInputs { inputs, format, scheme: None, standard: None };
        for path in self.paths() {
            let found = if is_standard_input(path) {
                let file = prints.standard.insert(InputFile::standard_input());
                looked_at(file, format)
            } else {
                if path.is_dir() {
                    let file = escape(path.as_os_str().as_encoded_bytes());
                    let unexpected = UnexpectedInput::NoPrints { file, format };
                    return Err(InputsError::Unexpected(unexpected));
                }
                // Pipes cannot be read twice.
                let file = path.is_file().then(|| InputFile::open(path).ok()).flatten();
                file.map_or(Ok(None), |mut file| looked_at(&mut file, format))
            };
            let scheme = found.map_err(InputsError::Unexpected)?;
            prints.scheme = prints.scheme.or(scheme);
        }
        Ok(prints)
    }

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
        watch: impl FnMut(&Tally, Option<&ErrorRecord>),
    ) -> Result<Tally, InputsError> {
        self.prints(format)?.read(set, watch)
    }

    /// Refuses files without fingerprints before any work ([`expect_prints`]). Standard input is looked at when it is
    /// read.
    ///
    /// # Errors
    /// [`InputsError::Unexpected`]; as [`check_present`](Self::check_present).
    pub fn expect_prints(&self, format: PrintFormat) -> Result<(), InputsError> {
        self.check_present()?;
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
