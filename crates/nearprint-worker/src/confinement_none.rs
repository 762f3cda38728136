//! The same as `confinement.rs` where the system has no such limits: a process of its own still contains every
//! death, the host's clock still ends what hangs, and the counted limits of extraction hold as everywhere.

use std::io::{self, Stdin, Stdout};

use crate::frame::Settings;

/// The worker's two streams.
pub(crate) struct Streams {
    pub(crate) input: Stdin,
    pub(crate) output: Stdout,
}

/// The standard streams themselves.
pub(crate) fn take_streams() -> io::Result<Streams> {
    Ok(Streams { input: io::stdin(), output: io::stdout() })
}

/// Nothing to ask for; the end of the input ends the worker.
pub(crate) fn die_with_host() -> bool {
    false
}

/// Never returns: here the end of the input is seen between documents only.
pub(crate) fn wait_for_end() {
    loop {
        std::thread::park();
    }
}

/// Files that must be opened: none on this system.
pub(crate) struct OpenFiles;

impl OpenFiles {
    pub(crate) fn new() -> Self {
        Self
    }
}

/// No limits.
pub(crate) struct Confinement;

impl Confinement {
    pub(crate) fn enter(_: Settings, _: OpenFiles) -> io::Result<Self> {
        Ok(Self)
    }

    pub(crate) fn begin_document(&self) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn is_spent(&self) -> bool {
        false
    }

    pub(crate) fn resident(&self) -> u64 {
        0
    }
}
