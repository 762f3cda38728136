//! Unfinished outputs of processes that were killed.

use std::io;
use std::path::Path;

use crate::durability;

/// Removes the unfinished files and directories (`.NAME.PID-N.part`) beside a place that processes have left which are
/// no longer there. Whoever calls this knows that no process on another machine, or in another container, writes there.
/// Where the system cannot say which processes there are, nothing is removed.
///
/// # Errors
/// If the directory cannot be read, or something in it cannot be removed.
pub fn remove_abandoned_parts(place: &Path) -> io::Result<()> {
    let Some(name) = place.file_name().and_then(|name| name.to_str()) else { return Ok(()) };
    let directory = match place.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => directory,
        _ => Path::new("."),
    };
    let mut removed = false;
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let left = entry.file_name().to_str().and_then(|part| process_of(part, name));
        if left.is_some_and(is_gone) {
            if entry.file_type()?.is_dir() {
                std::fs::remove_dir_all(entry.path())?;
            } else {
                std::fs::remove_file(entry.path())?;
            }
            removed = true;
        }
    }
    if removed { durability::sync_names(directory) } else { Ok(()) }
}

/// The process that an unfinished output of this name is of.
fn process_of(part: &str, name: &str) -> Option<i32> {
    let number = part.strip_prefix('.')?.strip_prefix(name)?.strip_prefix('.')?;
    let (process, attempt) = number.strip_suffix(".part")?.split_once('-')?;
    attempt.parse::<u32>().ok()?;
    process.parse().ok()
}

/// Whether the system says that there is no such process.
fn is_gone(process: i32) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, test_kill_process};
        let process = Pid::from_raw(process);
        process.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_dead_processes_left_of_this_output_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let (dead, own) = (child.id(), std::process::id());
        child.wait().unwrap();
        let path = |name: String| directory.path().join(name);
        std::fs::write(path(format!(".out.txt.{dead}-0.part")), "half").unwrap();
        std::fs::create_dir(path(format!(".out.txt.{dead}-1.part"))).unwrap();
        std::fs::write(path(format!(".out.txt.{dead}-1.part/page")), "half").unwrap();
        let others = [
            format!(".out.txt.{own}-0.part"),
            format!(".other.txt.{dead}-0.part"),
            format!("out.txt.{dead}-0.part"),
            format!(".out.txt.{dead}.part"),
        ];
        others.iter().for_each(|name| std::fs::write(path(name.clone()), "kept").unwrap());
        remove_abandoned_parts(&path("out.txt".to_owned())).unwrap();
        let mut left: Vec<_> = std::fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        left.sort();
        let mut wanted = others.to_vec();
        wanted.sort();
        assert_eq!(left, wanted);
    }
}
