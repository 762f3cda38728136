//! What confines a worker besides its limits, by name, and which of it holds.

/// One thing that keeps a broken parser from using the process that it broke.
///
/// Limits on memory, CPU time, files and core dumps are not among these: a worker whose limits the system refuses does
/// not start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protection {
    /// A filter of system calls (seccomp): only those that reading a document and answering need. Any other ends the
    /// process.
    SystemCalls,
    /// Landlock: no files, no connections, no signals to other processes and no tracing of them.
    Landlock,
    /// No capabilities, even if root starts it: it cannot raise a limit.
    NoCapabilities,
    /// `no_new_privs`: no program that is started gains privileges.
    NoNewPrivileges,
    /// The process is not dumpable: no other process of the same user reads or traces it.
    NotDumpable,
    /// A session of its own, without a terminal.
    OwnSession,
    /// The kernel ends the process when its host ends.
    EndsWithHost,
}

impl Protection {
    /// All of them, the strongest first.
    pub const ALL: [Self; 7] = [
        Self::SystemCalls,
        Self::Landlock,
        Self::NoCapabilities,
        Self::NoNewPrivileges,
        Self::NotDumpable,
        Self::OwnSession,
        Self::EndsWithHost,
    ];

    /// Its name, for a report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SystemCalls => "system-call filter (seccomp)",
            Self::Landlock => "Landlock",
            Self::NoCapabilities => "no capabilities",
            Self::NoNewPrivileges => "no new privileges",
            Self::NotDumpable => "no dumps and no tracing",
            Self::OwnSession => "own session",
            Self::EndsWithHost => "ends with its host",
        }
    }

    /// What it does, and what still holds on a system that lacks it.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::SystemCalls => {
                "only calls that reading and answering need; without it, Landlock and the limit on open files \
                 still keep files and connections shut"
            }
            Self::Landlock => {
                "no files, connections, signals and tracing; without it, the filter and the limit on open files \
                 still keep files and connections shut"
            }
            Self::NoCapabilities => {
                "limits stay as they are even if root starts it; without it, the filter still allows no call that \
                 needs one, except for CPU time, which the clock limits as well"
            }
            Self::NoNewPrivileges => {
                "no program that is started gains privileges; without it, the filter allows no program to start"
            }
            Self::NotDumpable => {
                "other processes of the user cannot read it; without it, the limit on core files still allows none"
            }
            Self::OwnSession => {
                "no terminal; without it, the process group still keeps the terminal's signals away"
            }
            Self::EndsWithHost => {
                "the kernel ends it with its host; without it, the worker notices the end of its input"
            }
        }
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// Which protections hold in a worker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Protections(u32);

impl Protections {
    /// Whether one of them holds.
    #[must_use]
    pub fn holds(self, protection: Protection) -> bool {
        self.0 & protection.bit() != 0
    }

    /// Whether all of them hold.
    #[must_use]
    pub fn is_complete(self) -> bool {
        Protection::ALL.into_iter().all(|protection| self.holds(protection))
    }

    /// Notes that one holds, if it does.
    pub(crate) fn set(&mut self, protection: Protection, holds: bool) {
        self.0 |= if holds { protection.bit() } else { 0 };
    }

    /// As the protocol has them.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// From the protocol; bits of no protection are ignored.
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits & Protection::ALL.into_iter().map(Protection::bit).sum::<u32>())
    }
}
