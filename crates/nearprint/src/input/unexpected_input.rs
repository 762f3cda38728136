//! Inputs that are not what they are expected to be, found before any work: the wrong fields, or fingerprints where
//! documents belong.

use std::fmt;
use std::path::Path;

use nearprint_records::{
    Appearance, Container, Content, FieldPurpose, FileSource, InputFile, MissingField, PrintFormat,
    UnreadRows, escape,
};

use super::{InputFormat, InputSettings, InputSource};
use crate::table_files::lacks;

/// Why an input is refused before any work. Names of files are escaped as ids are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnexpectedInput {
    /// None of its first rows has a field that is asked for.
    MissingField {
        /// The file.
        file: String,
        /// The field.
        missing: MissingField,
    },
    /// Rows in a form that is not read.
    UnreadRows {
        /// The file.
        file: String,
        /// Their form.
        rows: UnreadRows,
    },
    /// A table lacks a column that is asked for, or it cannot be what it is asked for.
    MissingColumn {
        /// The file.
        file: String,
        /// What is wrong, with the names of the columns there are.
        detail: String,
    },
    /// Fingerprints where documents are expected.
    Prints {
        /// The file.
        file: String,
    },
    /// Something else where fingerprints are expected.
    NoPrints {
        /// The file.
        file: String,
        /// The format of those that are expected.
        format: PrintFormat,
    },
    /// Fingerprints of a scheme that is not known: a custom one, which its declaration defines, or one of a later
    /// version.
    UnknownScheme {
        /// The file.
        file: String,
        /// The id of the scheme.
        id: Box<str>,
    },
    /// Many documents where one is expected.
    ManyDocuments {
        /// The file.
        file: String,
        /// What holds them.
        container: Container,
    },
}

impl UnexpectedInput {
    /// What the field that is missing was asked for, where it is one.
    #[must_use]
    pub fn purpose(&self) -> Option<FieldPurpose> {
        match self {
            Self::MissingField { missing, .. } => Some(missing.purpose),
            _ => None,
        }
    }
}

impl fmt::Display for UnexpectedInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingField { file, missing } => write!(f, "{file}: {missing}"),
            Self::UnreadRows { file, rows } => write!(f, "{file}: {rows}"),
            Self::MissingColumn { file, detail } => write!(f, "{file}: {detail}"),
            Self::Prints { file } => write!(f, "{file} contains fingerprints, not documents"),
            Self::NoPrints { file, format: PrintFormat::Nearprint } => {
                write!(f, "{file} contains no fingerprints")
            }
            Self::NoPrints { file, .. } => {
                write!(f, "{file} contains no fingerprints of this format")
            }
            Self::UnknownScheme { file, id } => {
                write!(
                    f,
                    "{file} contains fingerprints of the unknown scheme {}",
                    id.escape_debug()
                )
            }
            Self::ManyDocuments { file, container } => {
                write!(f, "{file} contains many documents ({container})")
            }
        }
    }
}

impl std::error::Error for UnexpectedInput {}

impl InputSource {
    /// Looks at the beginning of standard input, which is read later all the same.
    pub(super) fn expect_standard_documents(&mut self) -> Result<(), UnexpectedInput> {
        let mut file = self.standard.take().unwrap_or_else(InputFile::standard_input);
        let found = unexpected(&mut file, None, &self.settings);
        self.standard = Some(file);
        found
    }
}

impl InputSettings {
    /// Refuses a file or directory that is not documents; it is not standard input.
    pub(super) fn expect_documents_in(&self, path: &Path) -> Result<(), UnexpectedInput> {
        let first = path.is_dir().then(|| {
            let first = FileSource::new([path], self.files.clone()).next();
            match first.and_then(Result::ok).map(|document| document.content) {
                Some(Content::File { path, .. }) => path,
                _ => path.to_owned(),
            }
        });
        let (is_named, path) = (first.is_none(), first.as_deref().unwrap_or(path));
        // Neither directories nor pipes, which cannot be read twice.
        let Some(mut file) = path.is_file().then(|| InputFile::open(path).ok()).flatten() else {
            return Ok(());
        };
        match unexpected(&mut file, Some(path), self) {
            // In a directory such a file may be a document that happens to look so.
            Err(UnexpectedInput::Prints { .. } | UnexpectedInput::UnreadRows { .. })
                if !is_named =>
            {
                Ok(())
            }
            Err(UnexpectedInput::MissingField { missing, .. })
                if !is_named && missing.container != Container::JsonLines =>
            {
                Ok(())
            }
            found => found,
        }
    }
}

fn unexpected(
    file: &mut InputFile,
    path: Option<&Path>,
    settings: &InputSettings,
) -> Result<(), UnexpectedInput> {
    let container = match settings.format {
        InputFormat::Auto => None,
        InputFormat::Files => return Ok(()),
        InputFormat::Container(container) => Some(container),
    };
    let name = String::from(&*file.place().file);
    let lacking = match file.appearance(&settings.reading, container) {
        Ok(Appearance::Prints) => return Err(UnexpectedInput::Prints { file: name }),
        Ok(Appearance::MissingField(missing)) => {
            return Err(UnexpectedInput::MissingField { file: name, missing });
        }
        Ok(Appearance::UnreadRows(rows)) => {
            return Err(UnexpectedInput::UnreadRows { file: name, rows });
        }
        // Tables from elsewhere are read to their end before their schema is known, or once.
        Ok(Appearance::Container(Container::Parquet)) if !file.is_compressed() => {
            path.and_then(|path| lacks(path, Container::Parquet, &settings.reading))
        }
        Ok(Appearance::Container(Container::Arrow)) => {
            path.and_then(|path| lacks(path, Container::Arrow, &settings.reading))
        }
        _ => None,
    };
    match lacking {
        Some(detail) => Err(UnexpectedInput::MissingColumn { file: name, detail }),
        None => Ok(()),
    }
}

/// Refuses what looks like many documents, or like fingerprints, where one document is expected.
///
/// # Errors
/// Where it is not what is expected.
pub fn expect_one_document(
    file: &mut InputFile,
    settings: &InputSettings,
) -> Result<(), UnexpectedInput> {
    let name = String::from(&*file.place().file);
    match file.appearance(&settings.reading, None) {
        Ok(Appearance::Prints) => Err(UnexpectedInput::Prints { file: name }),
        Ok(Appearance::Container(container)) => {
            Err(UnexpectedInput::ManyDocuments { file: name, container })
        }
        Ok(Appearance::UnreadRows(rows)) => Err(UnexpectedInput::UnreadRows { file: name, rows }),
        // Rows without the text are many, too. Separated values may be a text that looks so.
        Ok(Appearance::MissingField(missing)) if missing.container == Container::JsonLines => {
            let container = missing.container;
            Err(UnexpectedInput::ManyDocuments { file: name, container })
        }
        _ => Ok(()),
    }
}

/// Refuses a file without fingerprints where they are expected; one without lines has none, and is not a mistake.
///
/// # Errors
/// Where its first lines hold no fingerprint in this format.
pub fn expect_prints(path: &Path, format: PrintFormat) -> Result<(), UnexpectedInput> {
    // Pipes cannot be read twice.
    let file = path.is_file().then(|| InputFile::open(path).ok()).flatten();
    if file.is_some_and(|mut file| file.has_no_prints(format).unwrap_or(false)) {
        let file = escape(path.as_os_str().as_encoded_bytes());
        return Err(UnexpectedInput::NoPrints { file, format });
    }
    Ok(())
}
