//! What a worker takes away from itself on Linux, so that a parser that is broken into is of no use.
//!
//! Two layers, each of which suffices where the kernel lacks the other: the filter of system calls ends the process at
//! the first call that reading and answering do not need, and Landlock refuses files, connections, signals and tracing.
//! A kernel that lacks one of them is not an error: [`Protections`] says what holds.

use std::collections::BTreeMap;

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, Scope};
use rustix::process::{
    DumpableBehavior, getpgid, getpid, getppid, set_dumpable_behavior, setpgid, setsid,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, no_new_privs, set_capabilities, set_no_new_privs,
};
use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{Eq, MaskedEq};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

use crate::protection::{Protection, Protections};

/// The kernel's Landlock that is asked for; an older one gives what it has.
const LANDLOCK: ABI = ABI::V6;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: TargetArch = TargetArch::aarch64;

/// Takes away what no thread needs. To be called while there is one thread, and with every file opened that is needed.
pub(crate) fn enter(held: &mut Protections) {
    leave_terminal(held);
    // Whether it is refused is asked below: it may hold already.
    let _ = set_no_new_privs(true);
    held.set(Protection::NoNewPrivileges, no_new_privs().unwrap_or(false));
    held.set(Protection::Landlock, shut_files().unwrap_or(false));
    held.set(Protection::NoCapabilities, drop_capabilities());
    // Last, because it gives the process's files in /proc to root.
    let dumpable = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    held.set(Protection::NotDumpable, dumpable.is_ok());
}

/// Begins a session. A leader of a process group cannot, so the worker joins the group of its host first, for as long
/// as two calls take.
fn leave_terminal(held: &mut Protections) {
    if let Ok(group) = getpgid(getppid()) {
        // Where it fails the worker keeps its own group, as it began.
        let _ = setpgid(None, Some(group));
    }
    let begun = setsid().is_ok();
    if !begun {
        let _ = setpgid(None, None);
    }
    held.set(Protection::OwnSession, begun);
}

/// A worker of root is as any other: it could raise its limits otherwise.
fn drop_capabilities() -> bool {
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
        .is_ok()
}

/// No rule allows anything; true unless the kernel has no Landlock.
fn shut_files() -> Result<bool, RulesetError> {
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(LANDLOCK))?
        .handle_access(AccessNet::from_all(LANDLOCK))?
        .scope(Scope::from_all(LANDLOCK))?
        .create()?
        .restrict_self()?;
    Ok(status.ruleset != landlock::RulesetStatus::NotEnforced)
}

/// Allows all threads only the calls that reading and answering need, from now on. To be called last.
pub(crate) fn filter_calls(held: &mut Protections) {
    let filtered =
        filter().ok().is_some_and(|filter| seccompiler::apply_filter_all_threads(&filter).is_ok());
    held.set(Protection::SystemCalls, filtered);
}

/// The filter: calls that are not in it end the process.
fn filter() -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in [
        // The streams, and `/proc/self/statm`.
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_pread64,
        libc::SYS_close,
        // Waiting for the end of the host; poll on x86-64 is below.
        libc::SYS_ppoll,
        libc::SYS_restart_syscall,
        // Memory; mapping and protecting are below.
        libc::SYS_brk,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        // Locks, clocks, and the keys of hash tables.
        libc::SYS_futex,
        libc::SYS_sched_yield,
        libc::SYS_clock_gettime,
        libc::SYS_getrandom,
        // Dying of a stack overflow or an abort, with a message.
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ] {
        rules.insert(call, Vec::new());
    }
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_poll, Vec::new());
    let rule = |conditions: Vec<SeccompCondition>| SeccompRule::new(conditions);
    // No memory is both made and run.
    let executable = libc::PROT_EXEC.unsigned_abs().into();
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        let plain = SeccompCondition::new(2, Qword, MaskedEq(executable), 0)?;
        rules.insert(call, vec![rule(vec![plain])?]);
    }
    // Closing a file: builds with debug assertions look at it first.
    let look = SeccompCondition::new(1, Dword, Eq, libc::F_GETFD.unsigned_abs().into())?;
    rules.insert(libc::SYS_fcntl, vec![rule(vec![look])?]);
    // Each document begins with its own CPU time, up to the hard limit. Nothing of other processes.
    rules.insert(
        libc::SYS_prlimit64,
        vec![rule(vec![
            SeccompCondition::new(0, Dword, Eq, 0)?,
            SeccompCondition::new(1, Dword, Eq, libc::RLIMIT_CPU as u64)?,
        ])?],
    );
    // An abort sends its signal to itself, and the handler of stack overflows puts the default in its own place.
    let me = getpid().as_raw_nonzero().get().unsigned_abs().into();
    rules.insert(
        libc::SYS_tgkill,
        vec![rule(vec![
            SeccompCondition::new(0, Dword, Eq, me)?,
            SeccompCondition::new(2, Dword, Eq, libc::SIGABRT.unsigned_abs().into())?,
        ])?],
    );
    let handled = [libc::SIGABRT, libc::SIGSEGV, libc::SIGBUS].map(|signal| {
        rule(vec![SeccompCondition::new(0, Dword, Eq, signal.unsigned_abs().into())?])
    });
    rules.insert(libc::SYS_rt_sigaction, handled.into_iter().collect::<Result<_, _>>()?);
    let filter =
        SeccompFilter::new(rules, SeccompAction::KillProcess, SeccompAction::Allow, ARCHITECTURE)?;
    filter.try_into()
}
