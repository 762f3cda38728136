//! Errors by what a caller can do about them.

use std::fmt;

#[cfg(feature = "passages")]
use nearprint_passages::PassageError;
use nearprint_search::SearchError;

use crate::Error;

/// What kind of error it is: enough to choose an exit code, a status of HTTP or an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// What was given is wrong, or does not fit together: other input or other settings help.
    InvalidInput,
    /// What was asked for does not exist for this scheme or distance.
    Unsupported,
    /// A bound that the caller set was reached: raising it or asking for less helps.
    Limit,
    /// The machine has too little memory, disk or threads.
    Resource,
    /// A file or a device failed.
    Io,
    /// The caller cancelled it.
    Cancelled,
}

impl ErrorKind {
    /// Its name in programs and files: lower case, with hyphens.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid-input",
            Self::Unsupported => "unsupported",
            Self::Limit => "limit",
            Self::Resource => "resource",
            Self::Io => "io",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A setting that an error is about. Each door words the remedy: the command names its option, a module its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Setting {
    /// The scheme of fingerprints.
    Scheme,
    /// The distance of a search.
    Distance,
    /// The plan of a search.
    Plan,
    /// The memory of the engine, [`EngineSettings::memory`](crate::EngineSettings::memory).
    Memory,
    /// The directory of temporary files, [`EngineSettings::temp`](crate::EngineSettings::temp).
    TemporaryDirectory,
    /// The threads of the engine, [`EngineSettings::threads`](crate::EngineSettings::threads).
    Threads,
    /// The most pairs, [`Search::at_most_pairs`](crate::Search::at_most_pairs).
    MostPairs,
    /// The order of pairs, [`Search::sorted_up_to`](crate::Search::sorted_up_to).
    Order,
    /// The least similarity of texts, [`Verification::at`](crate::Verification::at).
    Threshold,
    /// What documents are compared with, [`Role::Reference`](crate::Role::Reference).
    References,
}

impl Error {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::UnlikeSchemes(_)
            | Self::PrintsOfOtherScheme { .. }
            | Self::NothingCounted
            | Self::IdfTable(_)
            | Self::DuplicateId { .. }
            | Self::MissingPart(_)
            | Self::LateReference => ErrorKind::InvalidInput,
            Self::NotSearchable { .. } => ErrorKind::Unsupported,
            Self::TooManyPairs { .. }
            | Self::TooManyVerified { .. }
            | Self::TooManyExpected { .. }
            | Self::TooManyFound { .. }
            | Self::MemoryTooSmall { .. }
            | Self::TooManyDocuments => ErrorKind::Limit,
            Self::NoRoom { .. } | Self::Threads(_) => ErrorKind::Resource,
            Self::TemporaryFile(_) => ErrorKind::Io,
            Self::Index { kind, .. } => *kind,
            #[cfg(feature = "passages")]
            Self::Passages(error) => match error {
                PassageError::Cancelled => ErrorKind::Cancelled,
                PassageError::Setting(..) | PassageError::SavedTexts => ErrorKind::InvalidInput,
                PassageError::TemporaryFile(_) => ErrorKind::Io,
                _ => ErrorKind::Limit,
            },
            Self::Search(error) => match error {
                SearchError::DistanceTooLarge { .. } => ErrorKind::Unsupported,
                SearchError::TooManyPrints { .. }
                | SearchError::TooManyPairsToSort { .. }
                | SearchError::MemoryTooSmall { .. } => ErrorKind::Limit,
                SearchError::Spill(_) => ErrorKind::Io,
                _ => ErrorKind::InvalidInput,
            },
        }
    }

    /// The setting that it is about, where there is one.
    #[must_use]
    pub fn setting(&self) -> Option<Setting> {
        Some(match self {
            Self::UnlikeSchemes(_)
            | Self::PrintsOfOtherScheme { .. }
            | Self::NotSearchable { .. } => Setting::Scheme,
            Self::TooManyPairs { .. } => Setting::Order,
            Self::TooManyVerified { .. } => Setting::Threshold,
            Self::TooManyExpected { .. } | Self::TooManyFound { .. } => Setting::MostPairs,
            Self::MemoryTooSmall { .. } => Setting::Memory,
            Self::TemporaryFile(_) | Self::NoRoom { .. } => Setting::TemporaryDirectory,
            Self::TooManyDocuments | Self::LateReference => Setting::References,
            Self::Threads(_) => Setting::Threads,
            Self::Search(error) => match error {
                SearchError::DistanceTooLarge { .. } => Setting::Distance,
                SearchError::PlanMismatch { .. }
                | SearchError::Plan(_)
                | SearchError::TooFewPairs { .. } => Setting::Plan,
                SearchError::TooManyPairsToSort { .. } => Setting::Order,
                SearchError::MemoryTooSmall { .. } => Setting::Memory,
                SearchError::Spill(_) => Setting::TemporaryDirectory,
                _ => return None,
            },
            Self::NothingCounted
            | Self::IdfTable(_)
            | Self::DuplicateId { .. }
            | Self::MissingPart(_)
            | Self::Index { .. } => return None,
            #[cfg(feature = "passages")]
            Self::Passages(_) => return None,
        })
    }
}
