//! Members of compressed files in a build that reads no such file: there are none.

use std::convert::Infallible;

use super::damage::Damage;
use super::raw::Raw;
use super::window::Window;

/// A file of members, of which none can be made.
pub(super) struct Members {
    never: Infallible,
    pub(super) raw: Raw,
    pub(super) window: Window,
    pub(super) began: (u64, u64),
    pub(super) open: bool,
    pub(super) failed: Option<Damage>,
    pub(super) glanced: u64,
}

impl Members {
    pub(super) fn has_ended(&self) -> bool {
        match self.never {}
    }

    pub(super) fn expand(&mut self, _: u64) -> Result<(), Damage> {
        match self.never {}
    }

    pub(super) fn advance(&mut self) -> Result<bool, Damage> {
        match self.never {}
    }

    pub(super) fn recover(&mut self, _: impl Fn(&[u8]) -> bool, _: bool) -> Result<u64, Damage> {
        match self.never {}
    }
}
