//! What the machine has: memory to stay within, room on a disk.

use std::path::Path;

use crate::Error;

/// Bytes of memory that searches use where nothing else is said: half of what the machine has, or of what the process's
/// control group may use where that is less; 2 GiB where neither is known.
#[must_use]
pub fn default_memory() -> u64 {
    let known = [of_machine(), of_control_group()].into_iter().flatten().min();
    known.map_or(2 << 30, |bytes| bytes / 2)
}

/// As the Linux kernel says it.
fn of_machine() -> Option<u64> {
    kibibytes_of(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// The number of bytes on the line of /proc/meminfo that begins so.
fn kibibytes_of(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The bound of the control group a container runs in, of either version; "max" means that there is none.
fn of_control_group() -> Option<u64> {
    ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|file| std::fs::read_to_string(file).ok()?.trim().parse().ok())
}

/// Bytes that may still be written below a directory; `None` where the system does not say.
#[cfg(all(unix, feature = "spill"))]
pub(crate) fn free_space(directory: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(directory).ok()?;
    found.f_bavail.checked_mul(found.f_frsize)
}

#[cfg(not(all(unix, feature = "spill")))]
pub(crate) fn free_space(_: &Path) -> Option<u64> {
    None
}

/// Refuses to begin what would not fit on the disk.
pub(crate) fn check_room(directory: &Path, needed: u64, free: Option<u64>) -> Result<(), Error> {
    match free {
        Some(free) if free < needed => {
            Err(Error::NoRoom { directory: directory.to_owned(), needed, free })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_the_kernel_writes_it() {
        let text = "MemTotal:       24610044 kB\nMemFree:        20971520 kB\n";
        assert_eq!(kibibytes_of(text, "MemTotal:"), Some(24_610_044 * 1024));
        assert_eq!(kibibytes_of(text, "SwapTotal:"), None);
        assert!(default_memory() > 1 << 20);
        assert!(free_space(Path::new("/")).is_none_or(|bytes| bytes < 1 << 60));
    }

    #[test]
    fn a_disk_too_small_is_reported_with_what_is_needed() {
        let directory = Path::new("/some/where");
        assert!(check_room(directory, 100, Some(100)).is_ok());
        assert!(check_room(directory, 100, None).is_ok());
        let error = check_room(directory, 5 << 30, Some(3 << 20)).unwrap_err().to_string();
        for part in ["/some/where", "5.4 GB", "3.1 MB"] {
            assert!(error.contains(part), "{error}");
        }
    }
}
