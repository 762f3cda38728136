//! What a parser that is broken into can do with its worker: nothing. Each attempt is made by a worker, on this kernel
//! and on kernels that lack a protection.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

mod workers;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use nearprint_worker::{Pool, PoolOptions, Protection};
use workers::{ask, children, document, failure, here, hostile, order, pool, shipped};

/// What code in a worker might try.
const FORBIDDEN: [&str; 16] = [
    "open",
    "write",
    "connect",
    "bind",
    "unix socket",
    "program",
    "thread",
    "signal",
    "trace",
    "read memory",
    "limits of others",
    "more files",
    "code",
    "abort of others",
    "terminal",
    "memory file",
];

/// A pool of workers on a kernel that lacks something.
fn older(lacks: &str, executable: PathBuf) -> Pool {
    let arguments: Vec<OsString> = vec![lacks.into(), executable.into()];
    let older = shipped().with_file_name("examples").join("older_kernel");
    assert!(older.exists(), "{} is missing: build the package's examples", older.display());
    let workers = NonZeroUsize::MIN;
    Pool::new(PoolOptions { workers, arguments, ..PoolOptions::new(older) }).expect("a pool")
}

fn attempt(pool: &Pool, what: &str) -> String {
    failure(ask(pool, &order(&format!("try {what}"))))
}

#[test]
fn what_reading_does_not_need_ends_the_worker() {
    let pool = pool(&hostile(), 1);
    for what in FORBIDDEN {
        let said = attempt(&pool, what);
        assert!(said.starts_with("worker-died: ") && said.contains("SIGSYS"), "{what}: {said}");
    }
    // A call that is allowed for a document's own time gives no more than the worker's.
    let said = attempt(&pool, "more time");
    assert!(said.contains("more time is refused"), "{said}");
    // An attempt that a library would survive is one.
    let said = failure(ask(&pool, &order("files")));
    assert!(said.contains("SIGSYS"), "{said}");
    // Whoever comes next is read.
    assert_eq!(ask(&pool, &document(3)), here(&document(3)));
}

/// Landlock alone, where the kernel filters no calls. It knows nothing of what is not listed here.
#[test]
fn without_the_filter_landlock_refuses() {
    let pool = older("seccomp", hostile());
    for what in ["open", "write", "connect", "signal", "trace", "read memory"] {
        let said = attempt(&pool, what);
        assert!(said.contains(&format!("{what} is refused")), "{said}");
    }
}

/// The limits alone, where the kernel has neither.
#[test]
fn without_both_the_limits_refuse() {
    let pool = older("seccomp,landlock", hostile());
    for what in ["open", "write", "connect", "bind", "unix socket", "more files", "more time"] {
        let said = attempt(&pool, what);
        assert!(said.contains(&format!("{what} is refused")), "{said}");
    }
    let said = failure(ask(&pool, &order("files")));
    assert!(said.contains("no files"), "{said}");
}

#[test]
fn workers_read_the_same_whatever_the_kernel_lacks() {
    for (lacks, missing) in [
        ("", &[][..]),
        ("seccomp", &[Protection::SystemCalls]),
        ("landlock", &[Protection::Landlock]),
        ("dumpable", &[Protection::NotDumpable]),
        ("capabilities", &[Protection::NoCapabilities]),
        ("session", &[Protection::OwnSession]),
        ("death-signal", &[Protection::EndsWithHost]),
        (
            "seccomp,landlock,capabilities,dumpable,session,death-signal",
            &[
                Protection::SystemCalls,
                Protection::Landlock,
                Protection::NoCapabilities,
                Protection::NotDumpable,
                Protection::OwnSession,
                Protection::EndsWithHost,
            ],
        ),
    ] {
        let pool = older(lacks, shipped());
        let held = pool.protections().expect("a worker");
        for protection in Protection::ALL {
            let expected = !missing.contains(&protection);
            assert_eq!(held.holds(protection), expected, "{lacks}: {}", protection.name());
        }
        assert_eq!(held.is_complete(), missing.is_empty());
        for index in 0..8 {
            assert_eq!(ask(&pool, &document(index)), here(&document(index)), "{lacks}");
        }
        assert_eq!(pool.counts().started, 1, "{lacks}");
    }
}

/// What a worker says of itself is what the kernel says of it.
#[test]
fn the_kernel_confirms_what_holds() {
    let me = std::process::id();
    let before = children(me);
    let pool = pool(&shipped(), 1);
    assert!(pool.protections().expect("a worker").is_complete());
    let new: Vec<u32> = children(me).into_iter().filter(|pid| !before.contains(pid)).collect();
    let [worker] = new[..] else {
        panic!("one worker, not {new:?}: run each test in its own process")
    };
    // Of each thread.
    for thread in std::fs::read_dir(format!("/proc/{worker}/task")).expect("its threads") {
        let status = thread.expect("a thread").path().join("status");
        let status = std::fs::read_to_string(status).expect("its status");
        for line in [
            "NoNewPrivs:\t1",
            "Seccomp:\t2",
            "CapEff:\t0000000000000000",
            "CapPrm:\t0000000000000000",
        ] {
            assert!(status.contains(line), "{line} is missing in {status}");
        }
    }
    let limits = std::fs::read_to_string(format!("/proc/{worker}/limits")).expect("its limits");
    let hard = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).expect("a limit");
        line[name.len()..].split_whitespace().nth(1).expect("a hard limit").to_owned()
    };
    assert_eq!(hard("Max address space"), (512_u64 << 20).to_string());
    assert_eq!(hard("Max core file size"), "0");
    assert_eq!(hard("Max file size"), "0");
    // 120 s for each of four documents, and three for what is rounded.
    assert_eq!(hard("Max cpu time"), "483");
    // Not dumpable: its files in /proc are of root.
    let owner = std::fs::metadata(format!("/proc/{worker}/mem")).expect("its memory");
    assert_eq!(std::os::unix::fs::MetadataExt::uid(&owner), 0);
}
