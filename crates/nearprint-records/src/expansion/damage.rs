//! Why bytes cannot be had, on its way through interfaces that know only errors of input and output.

use std::io;

use crate::ReasonCode;

/// Why bytes cannot be had.
#[derive(Debug)]
pub(crate) struct Damage {
    pub(crate) reason: ReasonCode,
    pub(crate) detail: String,
}

impl Damage {
    pub(crate) fn new(detail: impl Into<String>) -> Self {
        Self { reason: ReasonCode::DAMAGED, detail: detail.into() }
    }
}

impl Damage {
    /// What reading a compressed file as a whole failed by.
    pub(super) fn of_compressed(error: io::Error) -> Self {
        match error.downcast::<DamageError>() {
            Ok(DamageError(damage)) => damage,
            Err(error) => Self::new(format!("the compressed data is damaged: {error}")),
        }
    }
}

impl From<io::Error> for Damage {
    fn from(error: io::Error) -> Self {
        // What BufRead below made an error of comes back as what it was.
        match error.downcast::<DamageError>() {
            Ok(DamageError(damage)) => damage,
            Err(error) => Self { reason: ReasonCode::UNREADABLE, detail: error.to_string() },
        }
    }
}

/// Damage on its way through interfaces that know only errors of input and output.
#[derive(Debug)]
struct DamageError(Damage);

impl std::fmt::Display for DamageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.detail)
    }
}

impl std::error::Error for DamageError {}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        Self::new(io::ErrorKind::InvalidData, DamageError(damage))
    }
}
