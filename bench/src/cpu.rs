//! What this process used: processor time, which a busy machine does not stretch as it does the clock, and
//! memory.

use std::fs;

/// Seconds all threads of this process have run; 0 where the system does not tell.
pub fn seconds() -> f64 {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return 0.0 };
    let nanoseconds: u64 = tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("schedstat")).ok())
        .filter_map(|text| text.split_whitespace().next()?.parse::<u64>().ok())
        .sum();
    nanoseconds as f64 / 1e9
}

/// The most memory this process has held, in GiB; 0 where the system does not tell.
pub fn peak_gib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<f64>().ok()
    });
    kib.unwrap_or(0.0) / f64::from(1 << 20)
}
